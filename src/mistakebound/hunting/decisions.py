"""What the runs of each set say: one run is believed, or a sequential test of several decides."""

from __future__ import annotations

from math import exp, fsum, lgamma, log, log2
from numbers import Real

from mistakebound.core.errors import BadParameter
from mistakebound.theory.sequential_test import SequentialTest, spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.theory.sequential_test import SequentialTest as Test

_RARE = 1e-3  # a count of wrong runs that is less likely than this says that they are not as rare as stated


class Decisions:
    """Sets of flags (bits of an integer) with their runs.

    With a confidence of P each decision is given a part of the error 1 - P, so that all of them together, however many
    there are, are right with probability P at least.
    """

    def __init__(self, n: int, confidence: float | None, false_alarms: float, misses: float) -> None:
        given: Any = confidence
        if given is not None and not (isinstance(given, Real) and 0 < float(given) < 1):
            raise BadParameter(f"confidence must be > 0 and < 1: {confidence!r}")
        test = SequentialTest(false_alarms, misses)
        self._test: Test | None = None if confidence is None else test
        self._error = 1 - (confidence or 0.0)
        self._first = 10 + 3 * int(log2(n) + 1)
        self._runs: dict[int, list[int]] = {}  # of each set: passes, fails, its number
        self._settled: dict[int, bool | None] = {}

    def settled(self, on: int) -> bool:
        return on in self._settled

    def answer(self, on: int) -> bool | None:
        """Bad, good, or None: the command cannot tell."""
        return self._settled[on]

    def answers(self) -> list[tuple[int, bool]]:
        return [(on, bad) for on, bad in self._settled.items() if bad is not None]

    def believe(self, on: int, bad: bool) -> None:
        """An answer that is known otherwise."""
        self._counts(on)
        self._settled[on] = bad

    def record(self, on: int, bad: bool | None) -> None:
        """One run."""
        counts = self._counts(on)
        if bad is not None:
            counts[bad] += 1
        if on in self._settled:
            return  # a run that was under way when there were enough
        if bad is None or self._test is None:
            self._settled[on] = bad
            return
        passes, fails, number = counts
        decision = self._test.decision(fails, passes, self._part(number))
        if decision is not None:
            self._settled[on] = decision

    def _counts(self, on: int) -> list[int]:
        return self._runs.setdefault(on, [0, 0, len(self._runs)])

    def _part(self, number: int) -> float:
        return spent(self._error, number, self._first)

    def needed(self, on: int) -> int:
        """So many more runs of a set at least."""
        if self.settled(on):
            return 0
        if self._test is None:
            return 1
        passes, fails, number = self._runs.get(on, (0, 0, len(self._runs)))
        return max(1, self._test.needed(fails, passes, self._part(number)))

    def runs_each(self) -> float:
        """Runs that a decision has taken on the average, or will take."""
        if self._test is None:
            return 1.0
        settled = [sum(self._runs[on][:2]) for on in self._settled]
        return sum(settled) / len(settled) if settled else float(self.needed(0))

    def doubts(self) -> list[str]:
        """What the runs say against the stated rates."""
        if self._test is None:
            return []
        wrong, total = [0, 0], [0, 0]
        for on, bad in self.answers():
            counts = self._runs[on]
            total[bad] += counts[0] + counts[1]
            wrong[bad] += counts[not bad]
        found = []
        for bad, rate, what in (
            (False, self._test.false_alarms, "good sets failed in {} of {} runs, more than the {:g} of them"),
            (True, self._test.misses, "bad sets passed in {} of {} runs, more than the {:g} of them"),
        ):
            if _at_least(wrong[bad], total[bad], rate) < _RARE:
                found.append(what.format(wrong[bad], total[bad], rate) + " that was stated")
        return found


def _at_least(wrong: int, runs: int, rate: float) -> float:
    """The probability of so many wrong ones or more.

    >>> _at_least(0, 5, 0.1), round(_at_least(2, 2, 0.1), 9)
    (1.0, 0.01)
    >>> round(_at_least(2250, 5000, 0.45), 2)  # C(5000, 2250) is more than a double holds
    0.51
    """
    whole, yes, no = lgamma(runs + 1), log(rate), log(1 - rate)
    return 1.0 - fsum(
        exp(whole - lgamma(i + 1) - lgamma(runs - i + 1) + i * yes + (runs - i) * no) for i in range(wrong)
    )
