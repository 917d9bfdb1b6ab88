"""Rows that lie in memory as arrays, learned where they lie."""

from __future__ import annotations

from mistakebound.arena.play import bound_of, new_ledger
from mistakebound.arena.stream_labels import asks_labels, first_labels, with_labels
from mistakebound.core.errors import BadData
from mistakebound.core.foreign import plain_value
from mistakebound.model.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.labels import Labels
    from mistakebound.core.ledger import Ledger


def learn_arrays(
    make: Callable[[Labels | None], Any], X: Any, y: Any, weights: Any, passes: int, facts: dict[str, Any]
) -> Model:
    """The model of so many passes over (X, y); `make` is as the `new_learner` of a plan."""
    learner = make(None)
    if learner.takes != "rows":
        return Model(learner.fit(X, y))
    if asks_labels(learner):
        learner = with_labels(learner, first_labels(y), make, in_file=False)
    ledger = new_ledger(learner)
    learner.bound(**facts)
    for number in range(1, passes + 1):
        before = ledger.mistakes
        learner = _learn_pass(learner, make, X, y, weights, ledger)
        ledger.passes = number
        if ledger.mistakes == before or ledger.inconsistency is not None:
            break
    ledger.bound = bound_of(learner, ledger, facts)
    return Model(learner, None, ledger, facts)


def _learn_pass(
    learner: Any, make: Callable[[Labels | None], Any], X: Any, y: Any, weights: Any, ledger: Ledger
) -> Any:
    """Learn all rows; from a third label on another learner does, which comes back."""
    labels, matrix = learner.labels, X.tocsr() if hasattr(X, "tocsr") else X
    try:
        learner.learn_many(matrix, y, weights=weights, ledger=ledger)
        return learner
    except BadData as error:
        row = error.row
        if learner.many_classes or labels.declared or not labels.settled or row is None:
            raise
        told = list(y)[row:]
        if not told or labels.known(plain_value(told[0])) >= 0:
            raise
    wider, left = make(labels), None if weights is None else list(weights)[row:]
    ledger.widen(wider.labels, wider.start())
    try:
        wider.learn_many(matrix[row:], told, weights=left, ledger=ledger)
    except BadData as error:
        error.row = None if error.row is None else row + error.row
        raise
    return wider
