"""A grown tree as arrays: what growing makes, pruning cuts, predicting reads and a model file holds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadModel
from mistakebound.core.plain_sum import plain_sum

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table

LEAF = -1  # in `column`
_TYPES = {
    "column": np.int32,
    "threshold": np.float64,
    "first": np.int32,
    "arity": np.int32,
    "label": np.int32,
    "otherwise": np.int32,
    "mask_start": np.int32,
    "masks": np.uint8,
    "counts": np.float64,
}


def spread(starts: NDArray[np.int64], counts: NDArray[Any]) -> NDArray[np.int64]:
    """Runs of numbers one after the other: from each start so many.

    >>> spread(np.array([4, 9]), np.array([2, 3]))
    array([ 4,  5,  9, 10, 11])
    """
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - counts), counts) + np.arange(total)


@dataclass(kw_only=True, eq=False, repr=False)
class FlatTree:
    """Nodes by number: parents before children, the root 0, the children of a node next to each other.

    column      the column that is tested there, -1 in a leaf
    threshold   of a numeric test: a value <= threshold goes to child 0, any other to child 1; NaN elsewhere
    first       the number of the first child, -1 in a leaf
    arity       how many children: 0 in a leaf, 2 for a binary test, else one for every declared value of the column
    counts      weight of the training rows by node and class; an empty branch is a leaf full of zeros
    label       the class predicted there, ties decided; an empty branch has its parent's
    otherwise   which child (0, 1, ...) takes a row whose value is missing or new; -1 in a leaf
    mask_start  where the mask of a binary nominal test begins in `masks` (1: that value goes to child 0), else -1
    """

    column: NDArray[np.int32]
    threshold: NDArray[np.float64]
    first: NDArray[np.int32]
    arity: NDArray[np.int32]
    counts: NDArray[np.float64]
    label: NDArray[np.int32]
    otherwise: NDArray[np.int32]
    mask_start: NDArray[np.int32]
    masks: NDArray[np.uint8]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FlatTree) and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "threshold") for name in _TYPES
        )

    @property
    def size(self) -> int:
        """How many nodes, leaves included."""
        return len(self.column)

    @property
    def leaves(self) -> int:
        """How many leaves, those of empty branches included."""
        return int(np.count_nonzero(self.arity == 0))

    @property
    def depth(self) -> int:
        """The most tests on a path."""
        return len(self.levels()) - 1

    def children(self, node: int) -> range:
        """The numbers of the children of a node."""
        return range(int(self.first[node]), int(self.first[node]) + int(self.arity[node]))

    def parents(self) -> NDArray[np.int32]:
        """The parent of every node, -1 for the root."""
        inner = np.flatnonzero(self.arity)
        inner = inner[np.argsort(self.first[inner], kind="stable")]
        return np.concatenate([[-1], np.repeat(inner, self.arity[inner])]).astype(np.int32)

    def levels(self) -> list[NDArray[np.int64]]:
        """The numbers of the nodes of each level, the root's first."""
        found = [np.zeros(1, dtype=np.int64)]
        while (nodes := self.below(found[-1])).size:
            found.append(nodes)
        return found

    def below(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The children of these nodes, in order."""
        return spread(self.first[nodes].astype(np.int64), self.arity[nodes])

    def restrict(self, prune: NDArray[np.bool_]) -> FlatTree:
        """The tree in which these nodes are leaves and what stood below them is gone."""
        kept = np.zeros(self.size, dtype=np.bool_)
        nodes = np.zeros(1, dtype=np.int64)
        while nodes.size:
            kept[nodes] = True
            nodes = self.below(nodes[~prune[nodes]])
        number = (np.cumsum(kept) - 1).astype(np.int32)
        old = np.flatnonzero(kept)
        leaf = prune[old] | (self.arity[old] == 0)
        masked = ~leaf & (self.mask_start[old] >= 0)
        masks, starts = self._masks_of(old[masked])
        mask_start = np.full(len(old), -1, dtype=np.int32)
        mask_start[masked] = starts
        return FlatTree(
            column=np.where(leaf, LEAF, self.column[old]).astype(np.int32),
            threshold=np.where(leaf, np.nan, self.threshold[old]),
            first=np.where(leaf, -1, number[np.where(leaf, 0, self.first[old])]).astype(np.int32),
            arity=np.where(leaf, 0, self.arity[old]).astype(np.int32),
            counts=self.counts[old],
            label=self.label[old],
            otherwise=np.where(leaf, -1, self.otherwise[old]).astype(np.int32),
            mask_start=mask_start,
            masks=masks,
        )

    def _masks_of(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """The masks of these nodes one after the other, and where each begins."""
        ends = np.append(np.unique(self.mask_start[self.mask_start >= 0]), len(self.masks))
        starts = self.mask_start[nodes].astype(np.int64)
        sizes = ends[np.searchsorted(ends, starts, side="right")] - starts if len(nodes) else starts
        return self.masks[spread(starts, sizes)], (np.cumsum(sizes) - sizes).astype(np.int32)

    def branch(self, node: int, table: Table, row: int) -> int:
        """The child (0, 1, ...) of an inner node to which a row goes."""
        data = table.columns[int(self.column[node])].data
        value = data[row]
        start = int(self.mask_start[node])
        if data.dtype.kind == "f":
            return int(self.otherwise[node]) if np.isnan(value) else int(value > self.threshold[node])
        if value < 0:
            return int(self.otherwise[node])
        return int(value) if start < 0 else 1 - int(self.masks[start + value])

    def path(self, table: Table, row: int) -> list[int]:
        """The nodes from the root to a leaf by which a row goes; a missing or new value goes where most went."""
        nodes = [0]
        while self.arity[nodes[-1]]:
            node = nodes[-1]
            nodes.append(int(self.first[node]) + self.branch(node, table, row))
        return nodes

    def arrays(self) -> dict[str, Any]:
        """What a model file holds: one array a name."""
        return {
            name: np.ascontiguousarray(getattr(self, name), dtype=kind).reshape(-1) for name, kind in _TYPES.items()
        }

    @classmethod
    def restore(cls, arrays: Mapping[str, Any], schema: Schema, classes: int) -> FlatTree:
        """The tree of `arrays()`; BadModel when the arrays are no tree over these columns and classes."""
        found = {}
        for name, kind in _TYPES.items():
            if name not in arrays:
                raise BadModel(f"the model has no array {name!r}")
            values = np.asarray(arrays[name])
            if values.dtype != kind or values.ndim != 1:
                raise BadModel(f"the array {name!r} of the model has the wrong type: {values.dtype}")
            found[name] = values.copy()
        size = len(found["column"])
        if not size or not classes > 0 or len(found["counts"]) != size * classes:
            raise BadModel(f"the model's tree of {size} nodes does not fit its {classes} classes")
        found["counts"] = found["counts"].reshape(size, classes)
        if any(len(found[name]) != size for name in _TYPES if name != "masks"):
            raise BadModel("the arrays of the model's tree have different lengths")
        tree = cls(**found)
        tree._check(schema, classes)
        return tree

    def _check(self, schema: Schema, classes: int) -> None:
        """BadModel unless every walk from the root ends in a leaf and reads only what is there."""
        values = np.array(
            [-1 if kind == "numeric" else len(texts) for _, kind, texts in schema.columns], dtype=np.int64
        )
        inner = self.arity != 0
        column = self.column[inner]
        if np.any(self.column[~inner] != LEAF) or np.any((column < 0) | (column >= len(values))):
            raise BadModel("the model's tree tests a column that is not there")
        of_column = values[column]
        start, arity = self.mask_start[inner], self.arity[inner]
        numeric, masked = of_column < 0, start >= 0
        if np.any(arity != np.where(numeric | masked, 2, of_column)) or np.any(numeric & masked):
            raise BadModel("a test of the model's tree has the wrong number of branches")
        begins = np.sort(start[masked].astype(np.int64))
        ends = np.sort(start[masked] + of_column[masked])
        if np.any(ends <= begins) or np.any(np.append(begins, len(self.masks))[1:] < ends) or np.any(self.masks > 1):
            raise BadModel("the masks of the model's tree do not lie one behind the other")
        if np.any(np.isnan(self.threshold[inner]) != ~numeric):
            raise BadModel("a threshold of the model's tree is not a number")
        order = np.argsort(self.first[inner], kind="stable")
        expected = 1 + np.cumsum(arity[order], dtype=np.int64) - arity[order]
        if np.any(self.first[inner][order] != expected) or 1 + int(arity.sum(dtype=np.int64)) != self.size:
            raise BadModel("the model's tree has a node without a parent or with two")
        if np.any(self.first[inner] <= np.flatnonzero(inner)):
            raise BadModel("the model's tree has a node above its parent")
        otherwise = self.otherwise[inner]
        if np.any((otherwise < 0) | (otherwise >= arity)):
            raise BadModel("a node of the model's tree sends missing values to no branch")
        if np.any((self.label < 0) | (self.label >= classes)):
            raise BadModel("a label of the model's tree is not a class")
        if not np.all(np.isfinite(self.counts)) or np.any(self.counts < 0):
            raise BadModel("a count of the model's tree is not a number >= 0")
        inner[0] = True
        if np.any(self.counts[inner].sum(axis=1) <= 0):
            raise BadModel("the model's tree has a test without rows")


@dataclass
class Branching:
    """A node: the weight of each class there, its class, and for a test its column and a child for every branch."""

    counts: Sequence[float]
    label: int
    column: int = LEAF
    threshold: float = float("nan")
    children: list[Branching] = field(default_factory=list)


def flat(root: Branching) -> FlatTree:
    """Level by level. A row without a value goes where most rows went, the first branch of several such."""
    nodes: list[Branching] = []
    first = []
    waiting = deque([root])
    numbered = 1
    while waiting:
        node = waiting.popleft()
        nodes.append(node)
        first.append(numbered if node.children else -1)
        numbered += len(node.children)
        waiting.extend(node.children)
    return FlatTree(
        column=_whole([node.column for node in nodes]),
        threshold=np.array([node.threshold for node in nodes]),
        first=_whole(first),
        arity=_whole([len(node.children) for node in nodes]),
        counts=np.array([list(node.counts) for node in nodes], dtype=np.float64),
        label=_whole([node.label for node in nodes]),
        otherwise=_whole([_largest(node) for node in nodes]),
        mask_start=np.full(len(nodes), -1, dtype=np.int32),
        masks=np.zeros(0, dtype=np.uint8),
    )


def _whole(numbers: list[int]) -> NDArray[np.int32]:
    return np.array(numbers, dtype=np.int32)


def _largest(node: Branching) -> int:
    sizes = [plain_sum(child.counts) for child in node.children]
    return sizes.index(max(sizes)) if sizes else -1
