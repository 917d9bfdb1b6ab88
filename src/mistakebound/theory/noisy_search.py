"""One culprit among n flags by runs that may be wrong by chance: Bayes's rule, both rates of failure unknown.

Sets with the culprit fail at one rate, sets without it at another.  Both are integrated out (a uniform prior for the
first, one that expects few failures for the second), so the weight of a flag depends on four counts: fails and passes
of the sets with it, and without it.  The next set is the one whose run tells most: its weight is that at which the
channel has its capacity (after Burnashev and Zigangirov 1974).
"""

from __future__ import annotations

from math import exp, lgamma, log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BAD_PRIOR = 1.0, 1.0  # fails, passes
_GOOD_PRIOR = 0.4, 4.0


class SingleCulprit:
    """
    >>> posterior = SingleCulprit(4)
    >>> for on, bad in ((0b1111, True), (0, False), (0b0011, True), (0b0101, True), (0b0001, True)) * 4:
    ...     posterior.record(on, bad)
    >>> posterior.likeliest(), posterior.weights()[0] > 0.9
    (0, True)
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.counts: dict[int, list[int]] = {}  # of each set: passes, fails
        self.total = [0, 0]
        self._with = [[0, 0] for _ in range(n)]  # of the sets with each flag
        self._weights: list[float] | None = None

    def record(self, on: int, bad: bool) -> None:
        self._weights = None
        self.counts.setdefault(on, [0, 0])[bad] += 1
        self.total[bad] += 1
        for flag in range(self.n):
            if on >> flag & 1:
                self._with[flag][bad] += 1

    def _log_weight(self, seen: Sequence[int]) -> float:
        bad = _log_beta(seen[1] + _BAD_PRIOR[0], seen[0] + _BAD_PRIOR[1])
        good_fails, good_passes = self.total[1] - seen[1], self.total[0] - seen[0]
        return bad + _log_beta(good_fails + _GOOD_PRIOR[0], good_passes + _GOOD_PRIOR[1])

    def weights(self) -> list[float]:
        """The probability of each flag to be the culprit."""
        if self._weights is None:
            known: dict[tuple[int, int], float] = {}
            for passes, fails in self._with:
                if (passes, fails) not in known:
                    known[passes, fails] = self._log_weight((passes, fails))
            most = max(known.values())
            parts = [exp(known[passes, fails] - most) for passes, fails in self._with]
            total = sum(parts)
            self._weights = [part / total for part in parts]
        return self._weights

    def likeliest(self) -> int:
        weights = self.weights()
        return max(range(self.n), key=weights.__getitem__)

    def rates(self) -> tuple[float, float]:
        """How often good sets fail, and bad ones, if the likeliest flag is the culprit."""
        passes, fails = self._with[self.likeliest()]
        bad = (fails + _BAD_PRIOR[0]) / (fails + passes + sum(_BAD_PRIOR))
        good_fails, good = self.total[1] - fails, sum(self.total) - passes - fails
        return (good_fails + _GOOD_PRIOR[0]) / (good + sum(_GOOD_PRIOR)), bad

    def chance(self, on: int) -> float:
        """The probability that a run of this set fails."""
        good, bad = self.rates()
        share = sum(weight for flag, weight in enumerate(self.weights()) if on >> flag & 1)
        return share * bad + (1 - share) * good

    def best_set(self, order: Sequence[int]) -> int:
        """The first flags of an order, so many that a run of them tells most."""
        target = best_share(*self.rates())
        weights, share, chosen = self.weights(), 0.0, 0
        for flag in order:
            if chosen and abs(share + weights[flag] - target) > abs(share - target):
                break
            share += weights[flag]
            chosen |= 1 << flag
        return chosen

    def bits(self) -> float:
        return -sum(weight * log2(weight) for weight in self.weights() if weight > 0)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def entropy(p: float) -> float:
    """
    >>> entropy(0.5), entropy(0.0)
    (1.0, 0.0)
    """
    return 0.0 if p <= 0 or p >= 1 else -p * log2(p) - (1 - p) * log2(1 - p)


def information(share: float, good: float, bad: float) -> float:
    """Bits that a run tells of whether its set is bad, if it is with probability `share`."""
    return entropy(share * bad + (1 - share) * good) - share * entropy(bad) - (1 - share) * entropy(good)


def best_share(good: float, bad: float) -> float:
    """The share of bad sets at which a run tells most."""
    return max((step / 100 for step in range(5, 96)), key=lambda share: information(share, good, bad))


def capacity(good: float, bad: float) -> float:
    """Bits that a run tells at most.

    >>> round(capacity(0.0, 1.0), 9), round(capacity(0.02, 0.3), 3)
    (1.0, 0.126)
    """
    return information(best_share(good, bad), good, bad)


def log_same(one: Sequence[int], other: Sequence[int]) -> float:
    """The logarithm of how much likelier it is that (passes, fails) of two sets have one rate than that they have two.

    >>> log_same((0, 9), (9, 0)) < -5, log_same((9, 9), (9, 9)) > 0
    (True, True)
    """
    both = [one[0] + other[0], one[1] + other[1]]
    apart = sum(_log_beta(fails + 1, passes + 1) for passes, fails in (one, other))
    return _log_beta(both[1] + 1, both[0] + 1) - apart
