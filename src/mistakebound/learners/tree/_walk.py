"""Rows of a table down a tree, a block of rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.kernels import tree_walk as kernel
from mistakebound.learners.tree._flat import LEAF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree._flat import FlatTree

_BLOCK = 4096  # rows: the cells that they are tested on stay in the cache


def classify(tree: FlatTree, table: Table, *, fractions: bool) -> NDArray[np.int32]:
    """The class of each row; with fractions a row without a value has that of most weight, the first of equal ones."""
    walk = _Walk(tree, table)
    out = np.empty(table.rows, dtype=np.int32)
    for at, leaves, shared in walk.blocks(fractions=fractions):
        out[at : at + len(leaves)] = tree.label[leaves]
        for row, chances in shared:
            out[at + row] = int(np.argmax(chances > chances.max() - 1e-12))
    return out


def probabilities(tree: FlatTree, table: Table, *, fractions: bool) -> NDArray[np.float64]:
    """Rows by classes: the shares of the classes in the leaf, or leaves, that a row comes to."""
    walk = _Walk(tree, table)
    out = np.empty((table.rows, tree.counts.shape[1]))
    for at, leaves, shared in walk.blocks(fractions=fractions):
        out[at : at + len(leaves)] = walk.chances[leaves]
        for row, chances in shared:
            out[at + row] = chances
    return out


class _Walk:
    """A tree and a table as the kernel takes them."""

    def __init__(self, tree: FlatTree, table: Table) -> None:
        self.tree = tree
        self.rows = table.rows
        used = np.unique(tree.column[tree.column != LEAF])
        self.nominal = [table.columns[j] for j in used if table.columns[j].nominal]
        self.numeric = [table.columns[j] for j in used if not table.columns[j].nominal]
        lines = np.full(len(table.columns) + 1, -1, dtype=np.int32)  # the last is that of a leaf, column -1
        lines[[j for j in used if table.columns[j].nominal]] = np.arange(len(self.nominal))
        lines[[j for j in used if not table.columns[j].nominal]] = -2 - np.arange(len(self.numeric))
        self.nodes = np.stack([lines[tree.column], tree.first, tree.otherwise, tree.mask_start], axis=1).reshape(-1)
        self.limits = np.array([len(column.values) for column in self.nominal], dtype=np.int32)
        self._chances: NDArray[np.float64] | None = None

    @property
    def chances(self) -> NDArray[np.float64]:
        if self._chances is None:
            self._chances = chances(self.tree)
        return self._chances

    def blocks(
        self, *, fractions: bool
    ) -> Iterator[tuple[int, NDArray[np.int32], list[tuple[int, NDArray[np.float64]]]]]:
        """(first row, a leaf a row, [(row of the block, its chances)] for those that come to several leaves)."""
        stride = min(_BLOCK, max(self.rows, 1))
        codes = np.empty((len(self.nominal), stride), dtype=np.int32)
        numbers = np.empty((len(self.numeric), stride))
        leaves: Any = np.empty(stride, dtype=np.int32)
        tree = self.tree
        arguments: tuple[Any, ...] = (
            codes.reshape(-1), self.limits, numbers.reshape(-1), self.nodes, tree.threshold, tree.masks,
        )  # fmt: skip
        for at in range(0, self.rows, stride):
            rows = min(stride, self.rows - at)
            for line, column in enumerate(self.nominal):
                codes[line, :rows] = column.data[at : at + rows]
            for line, column in enumerate(self.numeric):
                numbers[line, :rows] = column.data[at : at + rows]
            stopped = kernel.walk(rows, stride, fractions, *arguments, leaves)
            if stopped < 0:
                raise BadData("a code of the table is none of its column's values")
            shared = []
            if stopped:
                shared = [
                    (int(row), self._shared(int(row), stride, arguments)) for row in np.flatnonzero(leaves[:rows] < 0)
                ]
            yield at, leaves[:rows], shared

    def _shared(self, row: int, stride: int, arguments: tuple[Any, ...]) -> NDArray[np.float64]:
        if not hasattr(self, "part"):
            sizes = self.tree.counts.sum(axis=1)
            self.part = np.ones(self.tree.size)
            self.part[1:] = sizes[1:] / sizes[self.tree.parents()[1:]]
            self.waiting = np.empty(self.tree.size, dtype=np.int32)
            self.weight = np.empty(self.tree.size)
        classes = self.tree.counts.shape[1]
        out = np.zeros((row + 1) * classes)
        more: tuple[Any, ...] = (self.tree.arity, self.part, self.chances.reshape(-1), self.waiting, self.weight, out)
        kernel.share(row, stride, classes, *arguments, *more)
        return out[row * classes :]


def chances(tree: FlatTree) -> NDArray[np.float64]:
    """The shares of the classes at every node; an empty branch has its parent's."""
    sizes = tree.counts.sum(axis=1)
    rows = np.where(sizes > 0, np.arange(tree.size), tree.parents())
    shares: NDArray[np.float64] = tree.counts[rows] / sizes[rows][:, None]
    return shares
