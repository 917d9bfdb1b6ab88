"""Wald's sequential test (1945) of an answer that may be wrong, and how an allowed error is spent on many of them.

A good set fails with probability at most `false_alarms`, a bad one passes with probability at most `misses`, each run
for itself.  The likelihood ratio of "bad" against "good" is then, if the set is good, a supermartingale that begins at
1: by Ville's inequality it ever reaches 1/e with probability at most e.  The same holds the other way round.
"""

from __future__ import annotations

from math import ceil, log
from numbers import Real

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SequentialTest:
    """What runs say: +fail, -pass, in logarithms of likelihoods.

    >>> test = SequentialTest(false_alarms=0.1, misses=0.1)
    >>> round(test.evidence(fails=3, passes=0), 2), test.decision(3, 0, error=0.01), test.decision(2, 0, error=0.01)
    (6.59, True, None)
    """

    def __init__(self, false_alarms: float, misses: float) -> None:
        rates: dict[str, Any] = {"false_alarms": false_alarms, "misses": misses}
        for name, value in rates.items():
            if not (isinstance(value, Real) and 0 < float(value) < 1):
                raise BadParameter(f"{name} must be > 0 and < 1: {value!r}")
        if false_alarms + misses >= 1:
            raise BadParameter(f"false_alarms + misses must be < 1: {false_alarms + misses!r}")
        self.false_alarms = false_alarms
        self.misses = misses
        self._fail = log((1 - misses) / false_alarms)
        self._pass = log((1 - false_alarms) / misses)

    def evidence(self, fails: int, passes: int) -> float:
        return fails * self._fail - passes * self._pass

    def decision(self, fails: int, passes: int, error: float) -> bool | None:
        """Bad, good, or not yet."""
        evidence = self.evidence(fails, passes)
        if abs(evidence) < -log(error):
            return None
        return evidence > 0

    def needed(self, fails: int, passes: int, error: float) -> int:
        """So many more runs at least."""
        evidence, limit = self.evidence(fails, passes), -log(error)
        return max(0, min(ceil((limit - evidence) / self._fail), ceil((limit + evidence) / self._pass)))


def spent(error: float, number: int, first: int) -> float:
    """The part of an allowed error for decision `number` (0, 1, ...): half of it in equal parts for the first ones.

    The next 2 * first share a quarter, the next 4 * first an eighth: however many decisions there are, together their
    parts are at most the whole.

    >>> sum(spent(0.01, number, 10) for number in range(10**4)) < 0.01
    True
    """
    part, size = error / 2, first
    while number >= size:
        number -= size
        part, size = part / 2, 2 * size
    return part / size
