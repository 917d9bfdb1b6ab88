"""Rows of a table down a tree, a block of rows at a time."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.kernels import tree_walk as kernel
from mistakebound.learners.tree.flat_tree import LEAF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree

_BLOCK = 16_384  # rows: the cells that they are tested on stay in the cache
_PART = 131_072  # rows that are worth a thread


def classify(tree: FlatTree, table: Table, *, fractions: bool) -> NDArray[np.int32]:
    """The class of each row; with fractions a row without a value has that of most weight, the first of equal ones."""
    out = np.empty(table.rows, dtype=np.int32)

    def part(first: int, last: int) -> None:
        walk = _Walk(tree, table, first, last)
        for at, leaves in walk.blocks(stop=fractions):
            labels = tree.label[leaves]
            several = np.flatnonzero(leaves < 0) if fractions else ()
            if len(several):
                chances = walk.shares(leaves)[several]
                labels[several] = (chances > chances.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
            out[at : at + len(leaves)] = labels

    _in_parts(part, table.rows)
    return out


def probabilities(tree: FlatTree, table: Table, *, fractions: bool) -> NDArray[np.float64]:
    """Rows by classes: the shares of the classes in the leaf, or leaves, that a row comes to."""
    out = np.empty((table.rows, tree.counts.shape[1]))

    def part(first: int, last: int) -> None:
        walk = _Walk(tree, table, first, last)
        for at, leaves in walk.blocks(stop=fractions):
            out[at : at + len(leaves)] = walk.shares(leaves)

    _in_parts(part, table.rows)
    return out


def _in_parts(part: Callable[[int, int], None], rows: int) -> None:
    """All rows, a run of them at a time, in threads where there are many rows: nothing depends on how many."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(cores, max(1, rows // _PART))
    ends = [rows * (k + 1) // threads for k in range(threads)]
    if threads == 1:
        part(0, rows)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, [0, *ends], ends))


class _Walk:
    """A tree and rows of a table as the kernel takes them."""

    def __init__(self, tree: FlatTree, table: Table, first: int, last: int) -> None:
        self.tree = tree
        self.first, self.last = first, last
        used = np.unique(tree.column[tree.column != LEAF])
        self.nominal = [table.columns[j] for j in used if table.columns[j].nominal]
        self.numeric = [table.columns[j] for j in used if not table.columns[j].nominal]
        lines = np.full(len(table.columns) + 1, -1, dtype=np.int32)  # the last is that of a leaf, column -1
        lines[[j for j in used if table.columns[j].nominal]] = np.arange(len(self.nominal))
        lines[[j for j in used if not table.columns[j].nominal]] = -2 - np.arange(len(self.numeric))
        nodes = np.stack([lines[tree.column], tree.first, tree.otherwise, tree.mask_start], axis=1).reshape(-1)
        limits = np.array([len(column.values) for column in self.nominal], dtype=np.int32)
        self.stride = min(_BLOCK, max(last - first, 1))
        self.codes = np.zeros((len(self.nominal), self.stride), dtype=np.int32)
        self.numbers = np.zeros((len(self.numeric), self.stride))
        self.rows = kernel.TreeRows(nodes, tree.threshold, tree.masks)
        numbers = self.numbers.reshape(-1)
        self.rows.take_rows(self.stride, self.codes.reshape(-1), limits, numbers, len(self.numeric))
        self.shared = False

    def blocks(self, *, stop: bool) -> Iterator[tuple[int, NDArray[np.int32]]]:
        """(first row, a leaf a row); with `stop` -1 for a row that has no value for a test on its way."""
        leaves: Any = np.empty(self.stride, dtype=np.int32)
        for at in range(self.first, self.last, self.stride):
            rows = min(self.stride, self.last - at)
            for cells, columns in ((self.codes, self.nominal), (self.numbers, self.numeric)):
                for line, column in enumerate(columns):
                    cells[line, :rows] = column.data[at : at + rows]
            if kernel.walk(self.rows, rows, stop, leaves) == kernel.MISFIT:
                raise BadData("a code of the table is outside its column's values")
            yield at, leaves[:rows]

    def shares(self, leaves: Any) -> NDArray[np.float64]:
        """The chances of the classes for the rows of the block that was yielded last."""
        tree = self.tree
        if not self.shared:
            sizes = tree.counts.sum(axis=1)
            part = np.ones(tree.size)
            part[1:] = sizes[1:] / sizes[tree.parents()[1:]]
            self.rows.take_shares(tree.arity, part, chances(tree).reshape(-1))
            self.shared = True
        classes = tree.counts.shape[1]
        out: Any = np.empty(len(leaves) * classes)
        if kernel.share(self.rows, leaves, out) == kernel.MISFIT:
            raise AssertionError("buffers do not fit together")
        shares: NDArray[np.float64] = out.reshape(len(leaves), classes)
        return shares


def chances(tree: FlatTree) -> NDArray[np.float64]:
    """The shares of the classes at every node; an empty branch has its parent's."""
    sizes = tree.counts.sum(axis=1)
    rows = np.where(sizes > 0, np.arange(tree.size), tree.parents())
    shares: NDArray[np.float64] = tree.counts[rows] / sizes[rows][:, None]
    return shares
