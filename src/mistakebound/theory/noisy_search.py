"""The culprit among n flags by runs that may be wrong by chance: Bayes's rule, both rates of failure unknown.

Bad sets fail at one rate, good sets at another.  Both are integrated out (a nearly uniform prior for the first, one
that expects few failures for the second, and the first is the higher one), so the weight of a hypothesis depends on
four counts: fails and passes of the sets that are bad under it, and of those that are good.

The hypotheses: one flag is the culprit; the likeliest flag or another one suffices; it takes both; it takes all flags;
any flag suffices; no flag matters.  The last five kinds are what the first has to be told from before it is believed.
The next run is the one that tells most: while many flags are possible, about which hypothesis is right, by a set of
the weight at which the channel has its capacity (after Burnashev and Zigangirov 1974); then, about whether the
likeliest flag is the culprit.
"""

from __future__ import annotations

from math import erf, exp, lgamma, log, log2, sqrt
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BAD_PRIOR = 1.0, 1.5  # fails, passes
_GOOD_PRIOR = 0.3, 10.0
_ONE, _EITHER, _BOTH, _EVERY, _ANY, _NONE = range(6)  # kinds of hypotheses
_SHARES = {_ONE: 0.6, _EITHER: 0.18, _BOTH: 0.18, _EVERY: 0.01, _ANY: 0.01, _NONE: 0.02}  # of the prior
_NOTHING = 1e-7  # the weight of a hypothesis that is left out when the next set is chosen
_PAIRED = 0.3  # the share of the likeliest flag among single ones from which on it is tested by itself too
_DOUBTED = 1e-3  # the weight of single culprits at which there are several


class Hypothesis(NamedTuple):
    """Its posterior weight, the rates of failure of bad and good sets under it, its kind, and the flag it is about."""

    weight: float
    bad: float
    good: float
    kind: int
    flag: int


class NoisyPosterior:
    """
    >>> posterior = NoisyPosterior(4)
    >>> for on, bad in ((0b1111, True), (0, False), (0b0011, True), (0b0101, True), (0b1110, False)) * 4:
    ...     posterior.record(on, bad)
    >>> posterior.likeliest(), posterior.certainty() > 0.9
    (0, True)
    """

    def __init__(self, n: int, prior: Sequence[float] | None = None) -> None:
        self.n = n
        self.counts: dict[int, list[int]] = {}  # of each set: passes, fails
        self._full = (1 << n) - 1
        self.number = 0  # of runs
        self._fails = 0  # bits of the runs that failed
        self.with_flag = [0] * n  # bits of the runs of sets with each flag
        self._on = self._some = 0  # of those with all flags on, with some flag on
        given = [1.0] * n if prior is None else prior
        most = max(given)
        whole = log(most) + log(sum(share / most for share in given))  # the sum itself may be more than a float holds
        self._log_prior = [log(share) - whole for share in given]
        self._likely: list[Hypothesis] = []
        self._weights: list[float] = []  # of the single culprits
        self._scores: dict[tuple[int, int], tuple[float, float, float]] = {}
        self._is_known = False

    def record(self, on: int, bad: bool) -> None:
        self.counts.setdefault(on, [0, 0])[bad] += 1
        run = 1 << self.number
        self.number += 1
        self._fails |= run * bad
        self._on |= run * (on == self._full)
        self._some |= run * (on != 0)
        for flag in range(self.n):
            if on >> flag & 1:
                self.with_flag[flag] |= run
        self._scores = {}
        self._is_known = False

    def has_failed(self) -> bool:
        """Whether any run has failed."""
        return self._fails != 0

    def score(self, runs: int) -> tuple[float, float, float]:
        """The log-likelihood if these runs (bits) were those of bad sets, and the mean rates of bad and good ones."""
        fails, bad = (runs & self._fails).bit_count(), runs.bit_count()
        score = self._scores.get((fails, bad))
        if score is None:
            others = self._fails.bit_count() - fails
            a, b = fails + _BAD_PRIOR[0], bad - fails + _BAD_PRIOR[1]
            c, d = others + _GOOD_PRIOR[0], self.number - bad - others + _GOOD_PRIOR[1]
            high, low = a / (a + b), c / (c + d)
            variance = high * (1 - high) / (a + b + 1) + low * (1 - low) / (c + d + 1)
            in_order = 0.5 * (1 + erf((high - low) / sqrt(2 * variance)))  # that bad sets fail more often, about
            score = _log_beta(a, b) + _log_beta(c, d) + log(max(in_order, 1e-12)), high, low
            self._scores[fails, bad] = score
        return score

    def _know(self) -> None:
        """The weights of all hypotheses."""
        if self._is_known:
            return
        score, with_flag, own = self.score, self.with_flag, log(_SHARES[_ONE])
        raw = [(score(runs), own + share) for runs, share in zip(with_flag, self._log_prior, strict=True)]
        top = max(range(self.n), key=lambda flag: raw[flag][0][0] + raw[flag][1])
        kinds = [(_ONE, flag) for flag in range(self.n)]
        others = [flag for flag in range(self.n) if flag != top]
        for kind in (_EITHER, _BOTH):
            share = log(_SHARES[kind]) - log(max(1, self.n * (self.n - 1) // 2))
            top_runs = with_flag[top]
            for flag in others:
                runs = with_flag[flag] | top_runs if kind == _EITHER else with_flag[flag] & top_runs
                raw.append((score(runs), share))
            kinds += [(kind, flag) for flag in others]
        if others:
            raw += [(score(self._on), log(_SHARES[_EVERY])), (score(self._some), log(_SHARES[_ANY]))]
            kinds += [(_EVERY, top), (_ANY, top)]
        fails = self._fails.bit_count()
        a, b = fails + _BAD_PRIOR[0], self.number - fails + _BAD_PRIOR[1]
        raw.append(((_log_beta(a, b) + _log_beta(*_GOOD_PRIOR), a / (a + b), a / (a + b)), log(_SHARES[_NONE])))
        kinds.append((_NONE, top))
        logs = [likelihood + share for (likelihood, _, _), share in raw]
        most = max(logs)
        weights = [exp(value - most) for value in logs]
        total = sum(weights)
        weights = [weight / total for weight in weights]
        self._weights = weights[: self.n]
        self._likely = [
            Hypothesis(weight, rates[1], rates[2], *which)
            for weight, (rates, _), which in zip(weights, raw, kinds, strict=True)
            if weight > _NOTHING
        ]
        self._top = Hypothesis(weights[top], raw[top][0][1], raw[top][0][2], _ONE, top)
        self._is_known = True

    def likeliest(self) -> int:
        """The flag that is the culprit, if there is one."""
        self._know()
        return self._top.flag

    def certainty(self) -> float:
        """The probability that it is, and the only one."""
        self._know()
        return self._top.weight

    def share(self) -> float:
        """The probability that it is, if there is one culprit."""
        return self.certainty() / max(sum(self._shares()), 1e-300)

    def is_likely(self) -> bool:
        """Whether it is worth a test by itself."""
        return self.share() >= _PAIRED

    def has_several(self) -> bool:
        """Whether there are several culprits."""
        return sum(self._shares()) < _DOUBTED * (1 - self.none())

    def none(self) -> float:
        """The probability that no flag matters."""
        self._know()
        return next((one.weight for one in self._likely if one.kind == _NONE), 0.0)

    def _shares(self) -> list[float]:
        self._know()
        return self._weights

    def rates(self) -> tuple[float, float]:
        """How often good sets fail, and bad ones, if the likeliest flag is the culprit."""
        self._know()
        return self._top.good, self._top.bad

    def _fails_at(self, one: Hypothesis, on: int) -> float:
        """The rate at which a set fails under a hypothesis."""
        flag, top = on >> one.flag & 1, on >> self._top.flag & 1
        bad = (flag, flag | top, flag & top, on == self._full, on != 0, False)[one.kind]
        return one.bad if bad else one.good

    def chance(self, on: int) -> float:
        """The probability that a run of this set fails."""
        self._know()
        return sum(one.weight * self._fails_at(one, on) for one in self._likely)

    def tells(self, on: int) -> float:
        """Bits that a run of this set tells, when a flag is likely: of whether it is the culprit, and the only one."""
        whole, sure = self.chance(on), self.certainty()
        if sure >= 1.0:
            return 0.0
        own = self._fails_at(self._top, on)
        rest = min(1.0, max(0.0, (whole - sure * own) / (1 - sure)))
        return entropy(whole) - sure * entropy(own) - (1 - sure) * entropy(rest)

    def best_set(self, order: Sequence[int]) -> int:
        """The first flags of an order, so many that a run of them tells most."""
        weights = self._shares()
        total, (good, bad) = sum(weights), self.rates()
        target = best_share(min(good, 0.9 * bad), bad)
        share, chosen = 0.0, 0
        for flag in order:
            if chosen and abs(share + weights[flag] / total - target) > abs(share - target):
                break
            share += weights[flag] / total
            chosen |= 1 << flag
        return chosen

    def by_weight(self, order: Sequence[int]) -> list[int]:
        """An order of the flags with the likely ones first."""
        weights = self._shares()
        return sorted(order, key=lambda flag: -weights[flag])

    def bits(self) -> float:
        """How open it is which flag is the culprit."""
        weights = self._shares()
        total = sum(weights)
        return -sum(weight / total * log2(weight / total) for weight in weights if weight > 0)


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
    """The share of bad sets at which a run tells most, between 0.05 and 0.95: the derivative of `information` is 0.

    >>> round(best_share(0.1, 0.9), 9), round(best_share(0.02, 0.3), 2)
    (0.5, 0.42)
    """
    if bad <= good:
        return 0.5
    fails = 1 / (1 + 2 ** ((entropy(bad) - entropy(good)) / (bad - good)))
    return min(0.95, max(0.05, (fails - good) / (bad - good)))


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
