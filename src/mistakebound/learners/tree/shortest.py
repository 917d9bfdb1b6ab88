"""The shortest consistent tree beside the greedy one (M §3.1: what only a breadth-first search would find; row R11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.table import label_codes
from mistakebound.io.frame import split_label
from mistakebound.learners.tree._shortest_search import shortest
from mistakebound.learners.tree.decision_tree import DecisionTree
from mistakebound.theory.interval import Deadline, Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Table


@dataclass(frozen=True)
class ShortestTree(Interval):
    """The number of tests of a shortest consistent tree, exact or as an interval; the tree, and the greedy one.

    When time ran out there is no shortest tree, and the greedy one's tests are the upper limit.
    """

    greedy: DecisionTree = field(repr=False)
    tree: DecisionTree | None = field(repr=False, default=None)

    @property
    def greedy_tests(self) -> int:
        return tests_of(self.greedy)

    def __str__(self) -> str:
        return f"{super().__str__()} tests, the greedy tree has {self.greedy_tests}"


def shortest_tree(X: Any, y: Any, timeout: float | None = None) -> ShortestTree:
    """The tree with the fewest tests among all that are consistent with a small table, beside M's greedy one.

    >>> rows = [{"a": a, "b": b, "c": c} for a in "01" for b in "01" for c in "01"]
    >>> found = shortest_tree(rows, [int(row["a"] != row["b"]) for row in rows])
    >>> print(found)
    3 tests, the greedy tree has 3
    """
    deadline = Deadline(timeout)
    table, labels = split_label(X, y)
    classes, codes = label_codes(labels, table=table)
    return shortest_of(table, codes, classes, deadline)


def shortest_of(table: Table, codes: NDArray[np.int32], classes: tuple[Any, ...], deadline: Deadline) -> ShortestTree:
    """As `shortest_tree`, with the table at hand."""
    greedy = DecisionTree(criterion="gain", min_leaf=1)
    greedy.fit_codes(table, codes, classes)
    tests, tree = shortest(table, codes, len(classes), deadline)
    if tree is None:
        return ShortestTree(tests, tests_of(greedy), greedy)
    return ShortestTree(tests, tests, greedy, DecisionTree.of_tree(tree, table.schema, classes))


def tests_of(learner: DecisionTree) -> int:
    """How many nodes of a tree are tests."""
    return int(np.count_nonzero(learner.tree.arity))
