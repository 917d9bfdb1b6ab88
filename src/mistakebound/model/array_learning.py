"""Rows that lie in memory as arrays, learned where they lie."""

from __future__ import annotations

from mistakebound.arena.play import bound_of, new_ledger
from mistakebound.arena.stream_labels import asks_labels, first_labels, one_vs_all, with_labels
from mistakebound.core.errors import BadData
from mistakebound.core.foreign import plain_value
from mistakebound.model.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.ledger import Ledger


def learn_arrays(
    learner: Any, X: Any, y: Any, weights: Any, passes: int, facts: dict[str, Any], *, keep: bool = False
) -> Model:
    """The model of so many passes over (X, y); with `keep` no learner of more labels may take the place of this one."""
    if learner.takes != "rows":
        return Model(learner.fit(X, y))
    if asks_labels(learner):
        learner = with_labels(learner, first_labels(y), in_file=False, keep=keep)
    ledger = new_ledger(learner)
    learner.bound(**facts)
    for number in range(1, passes + 1):
        before = ledger.mistakes
        learner = _learn_pass(learner, X, y, weights, ledger, keep)
        ledger.passes = number
        if ledger.mistakes == before or ledger.inconsistency is not None:
            break
    ledger.bound = bound_of(learner, ledger, facts)
    return Model(learner, None, ledger, facts)


def _learn_pass(learner: Any, X: Any, y: Any, weights: Any, ledger: Ledger, keep: bool) -> Any:
    """Learn all rows; from a third label on another learner does, which comes back."""
    labels, matrix = learner.labels, X.tocsr() if hasattr(X, "tocsr") else X
    try:
        learner.learn_many(matrix, y, weights=weights, ledger=ledger)
        return learner
    except BadData as error:
        row = error.row
        if keep or learner.many_classes or labels.declared or not labels.settled or row is None:
            raise
        told = list(y)[row:]
        if not told or labels.known(plain_value(told[0])) >= 0:
            raise
    wider, left = one_vs_all(learner, None, labels), None if weights is None else list(weights)[row:]
    ledger.widen(wider.labels, wider.start())
    try:
        wider.learn_many(matrix[row:], told, weights=left, ledger=ledger)
    except BadData as error:
        error.row = None if error.row is None else row + error.row
        raise
    return wider
