"""Pruning a grown tree by name: `DecisionTree(prune=...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mistakebound.core.errors import BadParameter
from mistakebound.learners.tree._mdl import CodeLength, mdl
from mistakebound.learners.tree._pessimistic import pessimistic
from mistakebound.learners.tree._reduced_error import Removal, reduced_error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree._flat import FlatTree

__all__ = ["PRUNINGS", "Pruning", "mdl", "pessimistic", "pruned", "reduced_error"]

PRUNINGS = ("reduced_error", "pessimistic", "mdl")


class Pruning(NamedTuple):
    """What pruning did: how it was done, the nodes before, and what the way of doing it tells beside that."""

    how: str
    nodes_before: int
    trace: tuple[Removal, ...] = ()  # of reduced-error pruning: every removal, in order
    bits_before: CodeLength | None = None  # of pruning by description length
    bits_after: CodeLength | None = None


def pruned(
    how: str,
    tree: FlatTree,
    table: Table,
    *,
    confidence: float,
    validation: tuple[Table, NDArray[np.int32]] | None = None,
    fractions: bool = True,
) -> tuple[FlatTree, Pruning]:
    """The pruned tree, and what was done; `table` is that of the training rows."""
    if how == "reduced_error":
        if validation is None:
            raise BadParameter("reduced-error pruning needs a validation set: fit(X, y, validation=(X, y))")
        smaller, trace = reduced_error(tree, *validation, fractions=fractions)
        return smaller, Pruning(how, tree.size, tuple(trace))
    if how == "mdl":
        smaller, after, before = mdl(tree, table)
        return smaller, Pruning(how, tree.size, (), before, after)
    return pessimistic(tree, confidence), Pruning(how, tree.size)
