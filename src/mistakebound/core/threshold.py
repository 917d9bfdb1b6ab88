"""Another threshold than the learner's own: a number that is given, or the one that makes F1, cost or accuracy best.

It is part of the count of a run, as the calibration is: every row of the first pass adds the score that was made before
its label was heard, and is counted by the threshold that the rows before it had made best.
"""

from __future__ import annotations

from array import array
from math import inf, isfinite
from sys import float_info

from mistakebound.core.errors import BadParameter
from mistakebound.core.fields import Fields, is_number
from mistakebound.core.params import number_in
from mistakebound.core.persistence import Independent
from mistakebound.core.weights import ALL_ONE
from mistakebound.kernels import threshold as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints

AIMS = ("accuracy", "f1", "cost")
_FIRST = 128  # rows before the first choice
_EDGES = array("d", [2.0 ** (k // 8 - 24) * (1 + k % 8 / 8) for k in range(kernel.SIDE - 1)])
_MOST = float_info.max


class Threshold(Independent):
    """Scores above `value` say the positive label.

    Parameters
    ----------
    aim : {"accuracy", "f1", "cost"} or None
        What is to be best.  None: `fixed` is the threshold.
    fixed : float or None, default None
        The threshold that is given.

    Examples
    --------
    >>> chosen = Threshold("f1").counted(array("d", [-2, -1, -1, 3] * 64), array("b", [0, 1, 1, 1] * 64))
    >>> chosen.value < -1, chosen.counts  # the first 128 rows by the learner's own threshold, 0
    (True, [64.0, 0.0, 64.0, 128.0])
    """

    __slots__ = ("_cells", "_counts", "_state", "aim", "fixed", "theta")

    def __init__(self, aim: str | None, fixed: float | None = None) -> None:
        self.aim = aim
        self.fixed = fixed
        self.theta = 0.0  # the learner's own
        self._cells = array("d", bytes(32 * kernel.SIDE))
        self._counts = array("d", bytes(32))
        self._state = array("q", (0, _FIRST, kernel.OWN))

    @property
    def value(self) -> float | None:
        """The threshold of the rows so far; None: the learner's own."""
        if self.aim is None:
            return self.fixed
        cut = kernel.best(self._cells, self._aim) - kernel.OWN
        if cut == 0:
            return None
        edges = [*_EDGES, _MOST]
        return self.theta + (edges[cut - 1] if cut > 0 else -edges[-cut - 1])

    @property
    def counts(self) -> list[float]:
        """Negative called negative, called positive, positive called negative, called positive; by weight for cost."""
        return self._counts.tolist()

    @property
    def own_counts(self) -> list[float]:
        """The same by the learner's own threshold."""
        half = 2 * kernel.SIDE
        return [
            sum(self._cells[part:stop:2])
            for label in (0, 1)
            for part, stop in ((label, half), (half + label, 2 * half))
        ]

    @property
    def _aim(self) -> int:
        return (
            kernel.FIXED
            if self.aim is None
            else {"accuracy": kernel.ACCURACY, "f1": kernel.F1}.get(self.aim, kernel.COST)
        )

    def counted(
        self, scores: Floats, labels: Ints, own: Ints | None = None, importance: Floats = ALL_ONE, theta: float = 0.0
    ) -> Threshold:
        """This one with more rows: scores before their labels, what the learner said by its own threshold, weights."""
        more = Threshold(self.aim, self.fixed)
        more.theta = theta
        more._cells, more._counts, more._state = self._cells[:], self._counts[:], self._state[:]
        said = array("b", (score > theta for score in scores)) if own is None else own
        fixed = inf if self.fixed is None else self.fixed - theta
        kept = kernel.ScoreCounts(_EDGES, more._cells, more._counts, more._state)
        if kernel.count(kept, self._aim, theta, fixed, scores, labels, said, importance) != kernel.OK:
            raise AssertionError("scores and labels do not fit together")
        return more

    def state(self) -> dict[str, Any]:
        cells = [[cell, no, yes] for cell, (no, yes) in enumerate(self._pairs()) if no or yes]
        return {
            "aim": self.aim, "fixed": self.fixed, "theta": self.theta, "counts": self.counts,
            "state": self._state.tolist(), "cells": cells,
        }  # fmt: skip

    def _pairs(self) -> list[tuple[float, float]]:
        return list(zip(self._cells[::2], self._cells[1::2], strict=True))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Threshold:
        """The inverse of `state`; ValueError when it makes no sense."""
        saved = Fields(state, "the threshold")
        aim, fixed = saved.text("aim", none=True), state.get("fixed")
        if aim not in (None, *AIMS) or (aim is None) != is_number(fixed):
            raise ValueError("the threshold has neither an aim nor a value")
        made = cls(aim, None if fixed is None else float(fixed))
        made.theta = saved.number("theta", -_MOST)
        made._counts = array("d", _numbers(saved.values("counts"), 4))
        made._state = array("q", saved.wholes("state", 3))
        if made._state[kernel.CUT] > 2 * kernel.SIDE:
            raise ValueError("the threshold has no such cut")
        for entry in saved.values("cells"):
            cell, no, yes = _numbers(entry, 3)
            if not (cell.is_integer() and cell < 2 * kernel.SIDE):
                raise ValueError("the threshold has no such cell")
            made._cells[2 * int(cell)], made._cells[2 * int(cell) + 1] = no, yes
        return made


def _numbers(values: Any, count: int) -> list[float]:
    if not isinstance(values, list) or len(values) != count or not all(is_number(v) and v >= 0 for v in values):
        raise ValueError(f"the threshold does not have {count} numbers >= 0 where it should")
    return [float(value) for value in values]


def new_threshold(learner: Any, threshold: Any, maximize: str | None, spell: Any = str) -> Threshold | None:
    """What `threshold` and `maximize` ask for; BadParameter where the learner cannot have it; None: nothing."""
    if threshold is None and maximize is None:
        return None
    option = spell("threshold" if maximize is None else "maximize")
    if threshold is not None and maximize is not None:
        raise BadParameter(
            f"{spell('threshold')} and {spell('maximize')} exclude each other: {threshold!r}, {maximize!r}"
        )
    if maximize is not None and maximize not in AIMS:
        raise BadParameter(f"{option} must be one of {', '.join(AIMS)}: {maximize!r}")
    if learner.many_classes:
        raise BadParameter(f"{option} is only for two labels")
    if not learner.scores or learner.takes != "rows" or (maximize is not None and not learner.scores_trials):
        raise BadParameter(f"{learner.name} does not support {option}")
    return Threshold(maximize, None if threshold is None else check_threshold(threshold, option))


def check_threshold(value: Any, option: str = "threshold") -> float:
    """A score as a float, from a number or a text."""
    try:
        number = number_in(str(value)) if isinstance(value, str) else float(value)
        if not isinstance(number, (int, float)) or not isfinite(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BadParameter(f"{option} must be a number: {value!r}") from None
    return float(number)
