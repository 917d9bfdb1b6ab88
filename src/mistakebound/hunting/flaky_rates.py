"""How often a flaky command fails with all flags on and with all off, and what ends a hunt before it begins."""

from __future__ import annotations

from math import ceil, log, sqrt

from mistakebound.core.errors import CannotTell, FailsWithoutFlags, NothingToHunt
from mistakebound.theory.noisy_search import capacity, log_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FAILS, _RUNS_OFF = 1, 2  # with all on, and runs with all off, before the search: the search itself tells more
_ALWAYS = 6  # failures with all off and no pass, after which it always fails
_CLOSE = 0.25  # errors of the estimates as a part of the difference
_MOST_ESTIMATE = 192  # runs of each, however large their errors are
_RARE = 0.1  # failures of bad sets that are rarer than this may be missed
_APART = 2.0  # the logarithm of how much likelier two rates are than one, to be sure that there are two
_MOST_RUNS = 400  # that look for a difference between all on and all off


class EndRates:
    """The rates of failure with all flags on and with all off, from the (passes, fails) of every set.

    >>> rates = EndRates(0b11, 0.01, {0b11: [2, 2], 0: [6, 0]})
    >>> rates.wanted(), rates.estimates_wanted(24)
    ([], [3, 0])
    """

    def __init__(self, full: int, error: float, counts: Mapping[int, Sequence[int]]) -> None:
        self._full = full
        self._error = error
        self._counts = counts

    def _of(self, on: int) -> tuple[int, int]:
        passes, fails = self._counts.get(on, (0, 0))
        return passes, fails

    def check(self) -> None:
        """Ends the hunt where there is nothing to hunt; after a failure with all on it never says so."""
        on, off = self._of(self._full), self._of(0)
        (on_passes, on_fails), (off_passes, off_fails) = on, off
        if not on_fails and on_passes >= ceil(log(self._error) / log(1 - _RARE)):
            raise NothingToHunt(f"with all flags on the command was good in all of {on_passes} runs")
        seen = f"all flags on failed in {on_fails} of {sum(on)} runs, all off in {off_fails} of {sum(off)}"
        alike = log_same(on, off)
        if off_fails and alike >= -log(self._error):
            raise FailsWithoutFlags(f"the command fails about as often with all flags off: {seen}")
        if alike >= 0 and sum(on) + sum(off) >= _MOST_RUNS:
            raise CannotTell(f"{seen}: too much alike to hunt")
        if off_fails >= _ALWAYS and not off_passes:
            raise FailsWithoutFlags(f"the command is bad with all flags off: it failed in all of {off_fails} runs")

    def wanted(self) -> list[int]:
        """All on, or all off, while it is not seen that all on fails more often."""
        on, off = self._of(self._full), self._of(0)
        if on[1] < _FAILS:
            return [self._full]
        if sum(off) < _RUNS_OFF:
            return [0] * (_RUNS_OFF - sum(off))
        return self.fewer() if off[1] and log_same(on, off) > 0 else []

    def are_apart(self) -> bool:
        """Whether it is seen clearly that all on fails more often, or less."""
        return log_same(self._of(self._full), self._of(0)) < -_APART

    def estimates_wanted(self, runs: int) -> list[int]:
        """All on and all off, while there are fewer runs of one than this, or the rates may still be far off."""
        fewest, (low, high) = self.fewest(), self.rates()
        if fewest < runs or (fewest < _MOST_ESTIMATE and sum(self.errors()) > _CLOSE * (high - low)):
            return self.fewer()
        return []

    def may_improve(self, runs: int) -> bool:
        return runs < _MOST_ESTIMATE

    def fewest(self) -> int:
        return min(sum(self._of(self._full)), sum(self._of(0)))

    def fewer(self) -> list[int]:
        """Both, the one with fewer runs first."""
        return [self._full, 0] if sum(self._of(self._full)) <= sum(self._of(0)) else [0, self._full]

    def rates(self) -> tuple[float, float]:
        """How often all off fails, and all on."""
        low, high = ((fails + 0.5) / (passes + fails + 1) for passes, fails in map(self._of, (0, self._full)))
        return low, high

    def errors(self) -> tuple[float, float]:
        """The standard errors of the rates of all off, and all on."""
        ends = zip(self.rates(), (0, self._full), strict=True)
        low, high = (sqrt(rate * (1 - rate) / max(1, sum(self._of(which)))) for rate, which in ends)
        return low, high

    def least_capacity(self) -> float:
        """Bits that a run tells, if all on fails less often by its standard error."""
        low, high = self.rates()
        return max(0.02, capacity(low, max(low, high - self.errors()[1])))

    def worse(self) -> tuple[float, float]:
        """False alarms and misses to be expected: each rate worse by its standard error, within reason."""
        (low, high), shifts = self.rates(), self.errors()
        middle = (low + high) / 2
        return min(middle - 0.01, low + shifts[0]), 1 - max(middle + 0.01, high - shifts[1])
