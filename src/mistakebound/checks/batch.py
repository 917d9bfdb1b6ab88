"""Learners that take a whole table at once."""

from __future__ import annotations

from mistakebound.checks._games import games, require
from mistakebound.checks._registry import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.checks._subject import Subject


@check("rows", "batch")
def check_fit_returns_self(subject: Subject) -> None:
    """fit(table, y) returns the learner, and fitting the same table again gives the same hypothesis."""
    import numpy as np

    for game in games(subject):
        table, labels = np.array(game.rows), np.array(game.labels)
        kept = table.copy()
        learner = subject.make()
        require(learner.fit(table, labels) is learner, "fit does not return the learner")
        require(bool((table == kept).all()), "fit changed the table")
        require(
            learner.hypothesis == subject.make().fit(table, labels).hypothesis, "the same table, another hypothesis"
        )
