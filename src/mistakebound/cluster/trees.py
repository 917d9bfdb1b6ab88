"""Decision trees on a cluster: rows stay where they were read, and the counts of a level of nodes are added up.

A test is chosen by whole counts (value, class) alone, so the tree is that of one machine however the files are cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.schema import NOMINAL
from mistakebound.core.table import Column, Table, label_codes
from mistakebound.io.table_file import read_table_file
from mistakebound.learners.tree.node_splits import NodeSplits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from mistakebound.cluster.engine import Engine
    from mistakebound.io.ranges import FileRange
    from mistakebound.learners.tree.flat_tree import FlatTree
    from mistakebound.learners.tree.grow_options import GrowOptions
    from mistakebound.learners.tree.node_splits import CountedNode

    Codes = npt.NDArray[Any]
    Place = tuple[Codes, Codes]  # the rows of a range that are at a node that may be split, and the number of that node
    Watch = Callable[[int, int, str], None] | None

_COUNTS = 1 << 23  # numbers that a range sends at once: so many nodes are counted together
_MOST_ROWS = 2**31 - 1


class ClusterRows:
    """The coded rows of some ranges: `table` has their columns but no cells, `classes` their labels."""

    def __init__(self, engine: Engine, ranges: Sequence[FileRange], settings: dict[str, Any]) -> None:
        self._engine = engine
        read = [engine.begin(read_codes, part, settings) for part in ranges]
        found = engine.run(RangeRows.facts, [(part,) for part in read])
        self.rows = sum(rows for rows, _, _ in found)
        if not self.rows:
            raise BadData("there are no rows to learn from", source=ranges[0].name)
        if self.rows > _MOST_ROWS:
            raise BadParameter(f"decision-tree on a cluster takes at most {_MOST_ROWS:,} rows: {self.rows:,}")
        self.classes, columns, places = _united(found)
        if not columns:
            raise BadData("there is no column to learn from", source=ranges[0].name)
        self.table = Table(columns, source=ranges[0].name)
        widths = [len(column.values) for column in columns]
        self._parts = [
            engine.begin(RangeRows.recoded, part, *own, widths) for part, own in zip(read, places, strict=True) if own
        ]

    def grow(self, how: GrowOptions, watch: Watch = None) -> FlatTree:
        """The whole tree, not pruned; `watch(done, of, text)` hears of the levels."""
        splits = NodeSplits([len(c.values) for c in self.table.columns], self.rows, len(self.classes), how)
        begins, classes, run = splits.begins.tolist(), len(self.classes), self._engine.run
        at = [self._engine.begin(RangeRows.at_root, part) for part in self._parts]
        root: CountedNode | None = None
        level: list[CountedNode] = []
        deep = 0
        while root is None or level:
            size = max(1, _COUNTS // begins[-1])
            for first in range(0, max(1, len(level)), size):
                last = min(first + size, max(1, len(level)))
                tasks = [
                    (part, place, begins, classes, first, last) for part, place in zip(self._parts, at, strict=True)
                ]
                counts = sum(run(RangeRows.count, tasks))
                if root is None:
                    self._refuse_fractions(counts[0], begins, how)
                    root = splits.root(counts[0][: begins[1]].reshape(-1, classes).sum(axis=0))  # of the first column
                    level = [root]
                for node, own in zip(level[first:last], counts, strict=True):
                    splits.split(node, own)
            deep += 1
            if watch is not None:
                watch(deep, deep, " levels")
            moves, level = _moves(level, splits)
            before = list(zip(self._parts, at, strict=True))
            at = [self._engine.begin(RangeRows.move, part, place, *moves, classes) for part, place in before]
            self._engine.release([place for _, place in before])
        return splits.tree(root)

    def _refuse_fractions(self, counts: Codes, begins: list[int], how: GrowOptions) -> None:
        if how.mode < 2:
            return
        for column, end in zip(self.table.columns, begins[1:], strict=True):
            if counts[end - len(self.classes) : end].any():
                raise BadParameter(
                    f"missing = fractions is not supported on a cluster, because sums of fractions depend on the order "
                    f"of rows, and column {column.name!r} lacks values: use common or common_in_class"
                )


def _moves(level: list[CountedNode], splits: NodeSplits) -> tuple[tuple[Codes, Codes, Codes], list[CountedNode]]:
    """Where the rows of a level go, and the nodes of the next one.

    Of every node the column of its test (-1: its rows go nowhere) and where its lines begin in a list of next nodes,
    which has an entry for every value and class (-1: a node that is not split).
    """
    below: list[CountedNode] = []
    columns, firsts, lists, size = [], [], [], 0
    widths = np.diff(splits.begins) // splits.classes - 1
    for node in level:
        columns.append(node.column)
        firsts.append(size)
        if node.column < 0:
            continue
        places = []
        for child in node.children:
            places.append(len(below) if child.open else -1)
            if child.open:
                below.append(child)
        lists.append(np.array(places, np.int32)[node.branch_of(int(widths[node.column]))].reshape(-1))
        size += len(lists[-1])
    follow = np.concatenate([np.zeros(0, np.int32), *lists])
    return (np.array(columns, np.int32), np.array(firsts, np.int64), follow), below


def _united(found: list[Any]) -> tuple[tuple[Any, ...], list[Column], list[Any]]:
    """The classes and columns of all ranges, values in the order of their first appearance, and places in them.

    Of each range: the codes of its values among those of each column, and of its labels; None where it has no rows.
    """
    some = [facts for facts in found if facts[0]]
    classes, _ = label_codes([label for _, _, labels in some for label in labels])
    names = [name for name, _ in some[0][1]]
    values: list[dict[str, int]] = [{} for _ in names]
    places: list[Any] = []
    for rows, columns, labels in found:
        own = [[known.setdefault(text, len(known)) for text in texts]
               for known, (_, texts) in zip(values, columns, strict=bool(rows))]  # fmt: skip
        places.append((own, label_codes(labels, classes)[1]) if rows else None)
    empty = np.zeros(0, np.int32)
    return (
        classes,
        [Column(name, NOMINAL, tuple(known), empty) for name, known in zip(names, values, strict=True)],
        places,
    )


# What workers do.


class RangeRows:
    """Codes of the rows of a range, a list a column, and of their labels."""

    def __init__(self, columns: list[tuple[str, Sequence[str], Codes]], labels: Sequence[Any], y: Codes) -> None:
        self.columns = columns
        self.labels = labels
        self.y = y

    def facts(self) -> tuple[int, list[tuple[str, Sequence[str]]], Sequence[Any]]:
        """How many rows, names and values of the columns, labels."""
        return len(self.y), [(name, values) for name, values, _ in self.columns], self.labels

    def recoded(self, values: list[list[int]], labels: Codes, widths: list[int]) -> RangeRows:
        """With the codes of the whole table, behind the last value that for "missing"; in as few bytes as they need."""
        columns: list[tuple[str, Sequence[str], Codes]] = []
        for (name, _, codes), own, width in zip(self.columns, values, widths, strict=True):
            kind = np.uint8 if width < 1 << 8 else np.uint16 if width < 1 << 16 else np.uint32
            columns.append((name, (), np.array([*own, width], kind)[codes]))  # -1, "missing", is the last
        return RangeRows(columns, (), labels[self.y])

    def at_root(self) -> Place:
        """The rows that are at a node that may be split, and the number of that node."""
        return np.arange(len(self.y), dtype=np.int32), np.zeros(len(self.y), np.int32)

    def count(self, place: Place, begins: list[int], classes: int, first: int, last: int) -> Codes:
        """Rows by column, value and class, a line for each of the nodes from `first` to `last`."""
        which, nodes = place
        here = np.flatnonzero((nodes >= first) & (nodes < last))
        which, nodes = which[here], nodes[here].astype(np.int64) - first
        whole = np.zeros((last - first, begins[-1]), np.int64)
        y = self.y[which]
        for (_, _, codes), begin, end in zip(self.columns, begins, begins[1:], strict=False):
            keys = nodes * (end - begin) + codes[which].astype(np.int64) * classes + y
            size = (last - first) * (end - begin)
            whole[:, begin:end] = np.bincount(keys, minlength=size).reshape(last - first, -1)
        return whole

    def move(self, place: Place, columns: Codes, firsts: Codes, follow: Codes, classes: int) -> Place:
        """The rows that are at a node of the next level, and at which; `_moves` says how."""
        which, nodes = place
        after = np.full(len(nodes), -1, np.int32)
        tested = columns[nodes]
        for column in np.unique(tested[tested >= 0]):
            here = np.flatnonzero(tested == column)
            own = which[here]
            codes = self.columns[column][2][own].astype(np.int64)
            after[here] = follow[firsts[nodes[here]] + codes * classes + self.y[own]]
        stay = after >= 0
        return which[stay], after[stay]


def read_codes(part: FileRange, settings: dict[str, Any]) -> RangeRows:
    """The rows of a range with codes of their own."""
    table, labels, y = labelled_range(part, settings)
    for column in table.columns:
        if not column.nominal and table.rows:
            raise BadParameter(
                "decision-tree on a cluster tests nominal and binned columns only, because thresholds need all rows "
                f"in one memory, and {column.name!r} is numeric: give it bins, or take it as nominal, or ignore it"
            )
    return RangeRows([(column.name, column.values, column.data) for column in table.columns], labels, y)


def labelled_range(part: FileRange, settings: dict[str, Any]) -> tuple[Table, tuple[Any, ...], Codes]:
    """The rows of a range, their classes, and the codes of their labels."""
    found = read_table_file([part], settings)
    if found.labels is None and found.table.rows:
        raise BadData("the rows have no labels", source=part.name)
    return found.table, *label_codes(found.labels or (), table=found.table)
