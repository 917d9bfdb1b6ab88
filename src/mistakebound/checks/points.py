"""Learners that take points without labels."""

from __future__ import annotations

from random import Random

from mistakebound.checks._games import require
from mistakebound.checks._registry import check
from mistakebound.core.errors import BadData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject


@check("points")
def check_fitting_points_is_pure_and_repeatable(subject: Subject) -> None:
    """fit(X) returns the learner and leaves X as it was; the same points give the same hypothesis, bit for bit."""
    import numpy as np

    draw = Random(subject.number)
    points = np.array([[draw.gauss(10 * (row % 2), 1), draw.gauss(0, 1)] for row in range(40)])
    kept = points.copy()
    learner = subject.make()
    require(learner.fit(points) is learner, "fit does not return the learner")
    require(bool((points == kept).all()), "fit changed the points")
    again = subject.make().fit(points.tolist())
    require(again.hypothesis == learner.hypothesis, "the same points, another hypothesis")
    require(str(again.hypothesis) == str(learner.hypothesis), "equal hypotheses, different texts")
    require(learner.fit(points).hypothesis == again.hypothesis, "a second fit is not a fresh one")


@check("points", once=True)
def check_bad_points_are_refused(subject: Subject) -> None:
    """No points, not a number, rows of different lengths: BadData."""
    wrong: list[Any] = [[], [[]], [1.0, float("nan")], [[1.0], [1.0, 2.0]], ["a"], [[[1.0]]]]
    for bad in wrong:
        try:
            subject.make().fit(bad)
        except BadData:
            continue
        raise AssertionError(f"points that are none were not refused: {bad!r}")
