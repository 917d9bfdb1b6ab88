"""How likely it is that a set of flags holds a culprit, exactly, and how many bits are still open.

The prior: k of n flags are culprits with probability proportional to 1/k^2 (or k is known), all sets of k alike.  What
answers leave is then described by three numbers: culprits found, flags left, and how many of those are *dirty*, a set
that is known to hold a culprit.  After "B, a part of the dirty set, holds one" the rest of the dirty set is as unknown
as the other flags, because the weight of a set depends on its size alone; after "B holds none" the rest is dirty.

W(found, left) is the weight of all sets of culprits that contain the found ones and otherwise only flags among `left`
given ones; all that is asked for is a quotient of differences of such weights.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import exp, fsum, inf, log, log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


_MOST_LOG = 700.0  # of what a double holds
_NOTHING = 50.0  # e^-50 times a million is less than a rounding error


def log2_choose(n: int, k: int) -> float:
    """The bits in a set of k of n.

    >>> log2_choose(8, 1), round(log2_choose(1000, 2), 2)
    (3.0, 18.93)
    """
    return fsum(log2(n - i) - log2(i + 1) for i in range(min(k, n - k)))


class CulpritPrior:
    """Culprits among n flags: at least one; exactly k where k is given.

    >>> prior = CulpritPrior(8, k=1)
    >>> prior.best_size(0, 8, 0)[0], round(prior.bits(0, 8, 0), 9)
    (4, 3.0)
    """

    def __init__(self, n: int, k: int | None = None) -> None:
        self.n = n
        self.k = k
        self._log_factorials = list(accumulate((log(number) for number in range(1, n + 1)), initial=0.0))
        share = [-inf, *(-2 * log(number) for number in range(1, n + 1))]
        if k is not None:
            share = [0.0 if number == k else -inf for number in range(n + 1)]
        whole = log(fsum(map(exp, share)))
        self.log_share = [value - whole for value in share]  # of each number of culprits
        each = self._log_choose(n, n)
        self._log_each = [value - ways for value, ways in zip(self.log_share, each, strict=True)]  # of each set
        self._known: dict[tuple[int, int], float] = {}
        self._sizes: dict[tuple[int, int, int], tuple[int, float]] = {}

    def _log_choose(self, n: int, most: int) -> list[float]:
        """ln C(n, j) for j = 0 .. most."""
        factorials = self._log_factorials
        whole = factorials[n]
        return [whole - factorials[j] - factorials[n - j] for j in range(most + 1)]

    def log_weight(self, found: int, left: int) -> float:
        """ln W(found, left)."""
        key = found, left
        weight = self._known.get(key)
        if weight is None:
            weight = self._of_known_number(found, left) if self.k is not None else self._of_any_number(found, left)
            self._known[key] = weight
        return weight

    def _of_known_number(self, found: int, left: int) -> float:
        assert self.k is not None
        further = self.k - found
        if not 0 <= further <= left:
            return -inf
        factorials = self._log_factorials
        return self._log_each[self.k] + factorials[left] - factorials[further] - factorials[left - further]

    def _of_any_number(self, found: int, left: int) -> float:
        """The parts with 0, 1, ... further culprits; those after the last fall, and are nothing all together.

        A part is at most (left - j) / (n - found - j) * (found + j) / (j + 1) times the one before, and both factors
        fall with j, the second one where it is more than 1.
        """
        factorials, each, whole = self._log_factorials, self._log_each, self._log_factorials[left]
        terms: list[float] = []
        largest = -inf
        for j in range(left + 1):
            term = each[found + j] + whole - factorials[j] - factorials[left - j]
            terms.append(term)
            if term > largest:
                largest = term
            elif term < largest - _NOTHING and (left - j) * (found + j) < (self.n - found - j) * (j + 1):
                break
        return -inf if largest == -inf else largest + log(sum([exp(term - largest) for term in terms]))

    def share(self, found: int, left: int, whole: float) -> float:
        """W(found, left) / exp(whole)."""
        return exp(min(_MOST_LOG, self.log_weight(found, left) - whole))

    def hit(self, found: int, left: int, dirty: int, size: int) -> float:
        """The probability that `size` of the dirty flags (of all that are left, when dirty is 0) hold a culprit."""
        whole = self.log_weight(found, left)
        clean = self.share(found, left - dirty, whole) if dirty and whole > -inf else 0.0
        if whole == -inf or clean >= 1.0:  # it cannot be: the k that was said is wrong
            return size / (dirty or left)
        return (1.0 - self.share(found, left - size, whole)) / (1.0 - clean)

    def best_size(self, found: int, left: int, dirty: int) -> tuple[int, float]:
        """How many flags to test so that the answer is as open as can be, and the probability that they hold one."""
        key = found, left, dirty
        if key not in self._sizes:
            most = dirty - 1 if dirty else left
            self._sizes[key] = most_open(1, most, lambda size: self.hit(found, left, dirty, size))
        return self._sizes[key]

    def bits(self, found: int, left: int, dirty: int) -> float:
        """The entropy of what is still possible."""
        whole = self.log_weight(found, left)
        if whole == -inf:
            return 0.0
        total, surprise = self.entropy_parts(found, left, dirty, whole)
        return max(0.0, surprise / total + log2(total)) if total else 0.0

    def entropy_parts(self, found: int, left: int, dirty: int, whole: float = 0.0) -> tuple[float, float]:
        """The weight of what is possible and the sum of weight * log2(1/weight) over its sets, in units of e^whole."""
        clean = left - dirty
        without = self._log_choose(clean, clean) if dirty else []
        parts = []
        for j, ways in enumerate(self._log_choose(left, left)):
            each = self._log_each[found + j] - whole
            weight = exp(each + ways) - (exp(each + without[j]) if j < len(without) else 0.0)
            if weight > 0:
                parts.append((weight, each))
        return fsum(weight for weight, _ in parts), -fsum(weight * each for weight, each in parts) / log(2)


@lru_cache(maxsize=4)
def culprit_prior(n: int, k: int | None) -> CulpritPrior:
    """The same prior again, with what has been worked out before."""
    return CulpritPrior(n, k)


class FirstCulprit:
    """Both kinds at once, before it is known which one it is.

    Flags are turned on from the first; somewhere the runs become bad.  If any culprit suffices, that is at the first
    culprit; if it takes all of them, at the last.  Either kind is given half of the prior's weight.
    """

    def __init__(self, prior: CulpritPrior) -> None:
        self._prior = prior

    def _up_to(self, good: int, end: int) -> float:
        """The weight of: bad for the first time when more than `good` and at most `end` flags are on."""
        prior, n = self._prior, self._prior.n
        any_of = prior.share(0, n - good, 0.0) - prior.share(0, n - end, 0.0)
        return any_of + prior.share(0, end, 0.0) - prior.share(0, good, 0.0)

    def chance(self, good: int, end: int, bad: int) -> float:
        """P(bad) with the first `end` on, when it is good with the first `good` and bad with the first `bad`."""
        whole = self._up_to(good, bad)
        return self._up_to(good, end) / whole if whole > 0 else 0.5

    def best_end(self, good: int, bad: int) -> tuple[int, float]:
        """How many to turn on, when it is good with the first `good` and bad with the first `bad`; P(bad)."""
        whole = self._up_to(good, bad)
        if whole <= 0:  # it cannot be: the k that was said is wrong
            return (good + bad) // 2, 0.5
        return most_open(good + 1, bad - 1, lambda end: self._up_to(good, end) / whole)

    def bits(self, good: int, bad: int) -> float:
        prior, n = self._prior, self._prior.n
        dirty = bad - good
        kinds = [prior.entropy_parts(0, left, dirty) for left in (n - good, bad)]
        total = sum(weight for weight, _ in kinds)
        if not total:
            return 0.0
        single = dirty * exp(prior.log_share[1]) / n  # of either kind, and the same for both
        return max(0.0, sum(part for _, part in kinds) / total + log2(total) - 2 * single / total)


def most_open(least: int, most: int, chance: Callable[[int], float]) -> tuple[int, float]:
    """The number in least .. most whose (rising) chance is nearest 1/2, the smaller one in a tie; and that chance.

    By turns it guesses along a straight line and halves: a chance takes long to work out when there are many flags.
    """
    low, below = least - 1, 0.0  # less than 1/2 there,
    high, above = most, 1.0  # and at least that here, or it is the most that can be
    guess = False
    while high - low > 1:
        guess = not guess
        middle = low + round((high - low) * (0.5 - below) / (above - below)) if guess else (low + high) // 2
        middle = max(low + 1, min(high - 1, middle))
        here = chance(middle)
        if here >= 0.5:
            high, above = middle, here
        else:
            low, below = middle, here
    here = chance(high)
    if low >= least and 0.5 - below <= here - 0.5:
        return low, below
    return high, here
