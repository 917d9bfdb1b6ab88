"""The shortest tree that is consistent with a table, beside the greedy one.

Shortest: with the fewest tests. A test splits a nominal column into all its values, or a number at a threshold midway
between neighbours. The search asks for 1 test, then 2, and so on, and remembers for every set of rows how many tests it
needs at least; among trees of one size the first by the order of tests is taken. For small tables: the sets of rows
that are met can be exponentially many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.concepts.bits import pack_array
from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.core.table import label_codes
from mistakebound.io.frame import split_label
from mistakebound.learners.tree.decision_tree import DecisionTree
from mistakebound.learners.tree.flat_tree import Branching, flat
from mistakebound.theory.interval import Deadline, Interval, OutOfTime

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree


@dataclass(frozen=True)
class Split:
    """A test: its column, the threshold of a numeric one, and the rows of each branch as bits."""

    column: int
    threshold: float
    parts: tuple[int, ...]


class TreeSearch:
    """Over sets of rows, given as bits."""

    def __init__(self, table: Table, codes: NDArray[np.int32], classes: int, deadline: Deadline) -> None:
        self.codes = codes.tolist()
        self.of_class = [pack_array(codes == place) for place in range(classes)]
        self.splits = list(_splits(table))
        self.needs: dict[int, int] = {}  # at least so many tests
        self.choice: dict[int, Split] = {}  # the first test of a shortest tree, where it is known
        self.deadline = deadline
        self.steps = 0

    def pure(self, rows: int) -> bool:
        met = 0
        for bits in self.of_class:
            met += bool(rows & bits)
        return met <= 1

    def within(self, rows: int, limit: int) -> bool:
        """Whether a tree of at most so many tests is consistent with these rows; then its first test is known."""
        if self.pure(rows):
            return True
        if rows in self.choice:
            return self.needs[rows] <= limit
        if self.needs.get(rows, 1) > limit:
            return False
        self.steps += 1
        if not self.steps % 256:
            self.deadline.check()
        for allowed in range(self.needs.get(rows, 1), limit + 1):
            split = self._first(rows, allowed - 1)
            if split is not None:
                self.needs[rows], self.choice[rows] = allowed, split
                return True
            self.needs[rows] = allowed + 1
        return False

    def _first(self, rows: int, left: int) -> Split | None:
        """The first test after which the rest takes exactly as many more tests as are left, or fewer."""
        tried = set()
        for split in self.splits:
            parts = tuple(part & rows for part in split.parts)
            if rows in parts or parts in tried:
                continue  # it tells none of these rows apart, or the same as another
            tried.add(parts)
            if self._fits(parts, left):
                return split
        return None

    def _fits(self, parts: tuple[int, ...], left: int) -> bool:
        mixed = [part for part in parts if not self.pure(part)]
        spare = left - sum(self.needs.get(part, 1) for part in mixed)
        if spare < 0:
            return False
        for part in mixed:
            known = self.needs.get(part, 1)
            if not self.within(part, known + spare):
                return False
            spare -= self.needs[part] - known
        return True

    def tree(self, rows: int, parent: int) -> Branching:
        """The shortest tree of rows for which it was found."""
        counts = [float((rows & bits).bit_count()) for bits in self.of_class]
        label = counts.index(max(counts)) if rows else parent
        if self.pure(rows):
            return Branching(counts, label)
        split = self.choice[rows]
        below = [self.tree(part & rows, label) for part in split.parts]
        return Branching(counts, label, split.column, split.threshold, below)


def _splits(table: Table) -> list[Split]:
    found = []
    for place, column in enumerate(table.columns):
        if column.nominal:
            parts = tuple(pack_array(column.data == code) for code in range(len(column.values)))
            found.append(Split(place, float("nan"), parts))
        else:
            values = np.unique(column.data)
            for threshold in ((values[1:] + values[:-1]) / 2).tolist():
                below = column.data <= threshold
                found.append(Split(place, threshold, (pack_array(below), pack_array(~below))))
    return found


def shortest(table: Table, codes: NDArray[np.int32], classes: int, deadline: Deadline) -> tuple[int, FlatTree | None]:
    """(tests, tree): a shortest consistent tree, or so many tests at least and None, when time runs out."""
    _refuse_missing(table)
    _refuse_contradiction(table, codes)
    search = TreeSearch(table, codes, classes, deadline)
    everyone = (1 << table.rows) - 1
    tests = 0
    try:
        while not search.within(everyone, tests):
            tests += 1
    except OutOfTime:
        return search.needs.get(everyone, 1), None
    return tests, flat(search.tree(everyone, 0))


def _refuse_missing(table: Table) -> None:
    for column in table.columns:
        if column.missing.any():
            row = int(column.missing.argmax())
            raise table.complain(f"the shortest tree is for tables without gaps, and {column.name!r} is missing", row)


def _refuse_contradiction(table: Table, codes: NDArray[np.int32]) -> None:
    """Two equal rows of two classes: then no tree is consistent."""
    seen: dict[tuple[float, ...], int] = {}
    cells = [column.data.tolist() for column in table.columns]
    for row, values in enumerate(zip(*cells, strict=True)):
        other = seen.setdefault(values, row)
        if codes[other] != codes[row]:
            raise NoConsistentHypothesis(
                f"no tree is consistent with the table: {_place(table, other)} and {_place(table, row)} are equal, "
                "their labels are not"
            )


def _place(table: Table, row: int) -> str:
    return f"row {row}" if table.lines is None else f"line {table.lines[row]}"


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
    """The decision tree with the fewest tests among all that agree with a small table, beside the greedy one.

    Parameters
    ----------
    X : table
        A data frame, a list of mappings, a mapping of columns, an array or a file.  Two equal rows must have one label.
    y : sequence or str
        The labels, or the name of the column of X that holds them.
    timeout : float or None, default None
        Seconds, >= 0.  None: as long as it takes.

    Returns
    -------
    ShortestTree
        The number of tests, `lower` to `upper`; `tree`, or None where time ran out; `greedy`, the tree by information
        gain.

    Notes
    -----
    It asks for a tree of one test, then of two, and so on: the time grows exponentially with the number of tests.

    References
    ----------
    Hyafil and Rivest 1976, Constructing optimal binary decision trees is NP-complete.

    Examples
    --------
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
