"""From a table to a grown tree: codes for the kernel, room as it asks for more, arrays back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.kernels import tree_grow as kernel
from mistakebound.kernels.tree_buffers import TreeBuffers
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.grow_options import (
    NARROW,
    GrowOptions,
    groups_space,
    has_very_many,
    kernel_options,
    measuring,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Column, Table

_NODES = 1024  # for which there is room at first
PER_NODE = 6


def grow(
    table: Table, codes: NDArray[np.int32], classes: int, how: GrowOptions, counts: NDArray[np.float64] | None = None
) -> FlatTree:
    """The whole tree, not pruned; `counts` says how much each row counts (None: 1)."""
    return _Growth(table, codes, classes, how, counts).run()


def tree_buffers(given: dict[str, Any]) -> TreeBuffers:
    """The buffers for the kernel, by its names for them."""
    buffers = TreeBuffers()
    for take, names in (
        (buffers.take_rows, "narrow wide y w"),
        (buffers.take_columns, "columns divisor table critical options least"),
        (buffers.take_groups, "hist weights gv gc side keys spare miss"),
        (buffers.take_node, "work found out fill slots part begin sizes"),
        (buffers.take_tree, "active stack state nodes otherwise masks counts"),
    ):
        take(*(given[name] for name in names.split()))
    return buffers


class _Growth:
    """The buffers of a run of the kernel, by its names for them."""

    def __init__(
        self,
        table: Table,
        codes: NDArray[np.int32],
        classes: int,
        how: GrowOptions,
        counts: NDArray[np.float64] | None,
    ) -> None:
        self.how, self.classes, self.rows = how, classes, table.rows
        self.weight = float(table.rows) if counts is None else math.fsum(counts)
        ranked = [_ranked(column) for column in table.columns]
        self.values = [values for _, values in ranked]
        self.bins = bins = np.array([len(values) for values in self.values])
        weighted = counts is not None or (how.mode >= 2 and any(bool((c < 0).any()) for c, _ in ranked))
        small = [j for j in range(len(bins)) if bins[j] <= NARROW]
        large = [j for j in range(len(bins)) if bins[j] > NARROW]
        self.kinds = [2 if not c.nominal else how.nominal_kind for c in table.columns]
        room = table.rows
        self.options = kernel_options(how, classes, len(small), len(large))
        b = self.buffers = measuring(how, classes, bins, self.kinds, room, 0 if weighted else room)
        b |= groups_space(room, classes, bins, self.kinds)
        b["narrow"] = _row_by_row([ranked[j] for j in small], room, np.uint8)
        b["wide"] = _row_by_row([ranked[j] for j in large], room, np.uint32)
        b["y"] = np.concatenate([codes, np.zeros(room, dtype=np.int32)])
        b["w"] = np.ones(2 * room if weighted else 0)
        if counts is not None:
            b["w"][:room] = counts
        b["columns"] = self._columns(bins, small, large)
        counters = int((bins[small] + 1).sum()) * classes
        b["hist"] = np.zeros(0 if weighted else counters, dtype=np.int32)
        b["weights"] = np.zeros(counters if weighted else 0)
        self._start(codes, bins, counts)

    def _columns(self, bins: NDArray[np.int64], small: list[int], large: list[int]) -> NDArray[np.int32]:
        """Of every column: its place, its kind, how many values, where its counts begin, whether it has very many."""
        places = {j: place for place, j in enumerate(small)} | {j: -1 - place for place, j in enumerate(large)}
        begins = dict(zip(small, np.cumsum([0, *(bins[small] + 1)]) * self.classes, strict=False))
        return np.array(
            [
                (places[j], kind, bins[j], begins.get(j, 0), kind != 2 and has_very_many(bins[j], self.weight))
                for j, kind in enumerate(self.kinds)
            ],
            dtype=np.int32,
        ).reshape(-1)

    def _start(self, codes: NDArray[np.int32], bins: NDArray[np.int64], counts: NDArray[np.float64] | None) -> None:
        """One node, the root with all rows, at which all columns may be tested."""
        self.fills = self.classes if self.how.mode == 1 else 1
        b = self.buffers
        nodes = _NODES
        b["active"] = np.zeros((len(bins) + 1) * nodes, dtype=np.int32)
        b["active"][: len(bins) + 1] = [len(bins), *range(len(bins))]
        b["stack"] = np.zeros(4 * nodes, dtype=np.int64)
        b["stack"][:4] = [0, 0, self.rows, 0]
        b["state"] = np.array([1, 1, 0, 0, 0], dtype=np.int64)
        b["nodes"] = np.zeros(PER_NODE * nodes, dtype=np.int32)
        b["nodes"][:PER_NODE] = [-1, -1, 0, -1, -1, -1]
        b["otherwise"] = np.full(self.fills * nodes, -1, dtype=np.int32)
        b["masks"] = np.zeros(nodes, dtype=np.uint8)
        b["counts"] = np.zeros(self.classes * nodes)
        b["counts"][: self.classes] = np.bincount(codes, counts, minlength=self.classes)

    def run(self) -> FlatTree:
        b: dict[str, Any] = self.buffers
        least = self.how.min_leaf - 1e-9  # weights are sums of fractions
        while status := kernel.grow(tree_buffers(b | {"options": self.options, "least": least})):
            self._more_room(status, int(b["state"][4]))
        return self._tree()

    def _more_room(self, status: int, needed: int) -> None:
        b = self.buffers
        if status == kernel.MORE_NODES:
            needed = max(needed, 2 * (len(b["nodes"]) // PER_NODE))
            for name, each in (("nodes", PER_NODE), ("otherwise", self.fills), ("counts", self.classes)):
                b[name] = _longer(b[name], each * needed)
        elif status == kernel.MORE_ROWS:
            room = len(b["y"]) // 2
            more = max(needed, 2 * room)
            for name in ("narrow", "wide", "y", "w"):
                each = len(b[name]) // (2 * room)
                b[name] = _longer(b[name][: each * room], each * 2 * more)
            b.update(groups_space(more, self.classes, self.bins, self.kinds))
        elif status in (kernel.MORE_STACK, kernel.MORE_DEPTH, kernel.MORE_MASKS):
            name, each = {
                kernel.MORE_STACK: ("stack", 4),
                kernel.MORE_DEPTH: ("active", len(b["divisor"]) + 1),
                kernel.MORE_MASKS: ("masks", 1),
            }[status]
            b[name] = _longer(b[name], max(each * needed, 2 * len(b[name])))
        elif status != kernel.PAUSE:
            raise AssertionError(f"the buffers of a tree do not fit together: {status}")

    def _tree(self) -> FlatTree:
        b = self.buffers
        size = int(b["state"][1])
        nodes = b["nodes"][: PER_NODE * size].reshape(size, PER_NODE)
        counts = b["counts"][: size * self.classes].reshape(size, self.classes).copy()
        otherwise = b["otherwise"][: size * self.fills].reshape(size, self.fills)
        thresholds = self._thresholds(nodes[:, 0], nodes[:, 3], nodes[:, 4])
        return flat_tree(nodes, thresholds, counts, otherwise, b["masks"][: int(b["state"][2])].copy(), self.how)

    def _thresholds(
        self, column: NDArray[np.int32], low: NDArray[np.int32], high: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Midway between the values on both sides; the lower one where there is no number between."""
        out = np.full(len(column), np.nan)
        for j in np.unique(column[low >= 0]):
            here = np.flatnonzero((column == j) & (low >= 0))
            below, above = self.values[j][low[here]], self.values[j][high[here]]
            with np.errstate(invalid="ignore"):
                middle = below / 2 + above / 2
            out[here] = np.where((middle >= below) & (middle < above), middle, below)
        return out


def flat_tree(
    nodes: NDArray[np.int32],
    thresholds: NDArray[np.float64],
    counts: NDArray[np.float64],
    otherwise: NDArray[np.int32],
    masks: NDArray[np.uint8],
    how: GrowOptions,
) -> FlatTree:
    """The tree of the kernel's arrays, one line a node: `otherwise` by class where missing values go by class."""
    column, first, arity, _, _, mask_start = (np.ascontiguousarray(nodes[:, k]) for k in range(PER_NODE))
    tree = FlatTree(
        column=column,
        threshold=thresholds,
        first=first,
        arity=arity,
        counts=counts,
        label=np.zeros(len(nodes), dtype=np.int32),
        otherwise=otherwise[:, 0].copy(),
        mask_start=mask_start,
        masks=masks,
    )
    tree.label = plurality(counts, tree.parents(), how.random_state)
    if otherwise.shape[1] > 1:
        tree.otherwise = otherwise[np.arange(len(nodes)), tree.label]
    return tree


def _longer(values: NDArray[Any], length: int) -> NDArray[Any]:
    return np.concatenate([values, np.zeros(length - len(values), dtype=values.dtype)])


def _ranked(column: Column) -> tuple[NDArray[np.int32], Any]:
    """Codes (negative: missing) and what they stand for: texts, or the different numbers, ascending."""
    if column.nominal:
        return np.asarray(column.data, dtype=np.int32), column.values
    values, ranks = np.unique(column.data, return_inverse=True)
    known = int(np.count_nonzero(~np.isnan(values)))  # NaN is last, and one
    ranks = ranks.astype(np.int32)
    ranks[ranks >= known] = -1
    return ranks, values[:known]


def _row_by_row(columns: list[tuple[NDArray[np.int32], Any]], rows: int, kind: Any) -> NDArray[Any]:
    """The codes of each row next to each other, "missing" behind the values; the second half is work space."""
    out = np.empty((2 * rows, len(columns)), dtype=kind)
    for place, (codes, values) in enumerate(columns):
        out[:rows, place] = codes
        lost = codes < 0
        if lost.any():
            out[:rows, place][lost] = len(values)
    return out.reshape(-1)


def plurality(counts: NDArray[np.float64], parents: NDArray[np.int32], random_state: int | None) -> NDArray[np.int32]:
    """The class of most weight at every node, an empty one its parent's; of equal ones the first, or one drawn."""
    most = counts.max(axis=1)
    tied = counts >= (most * (1 - 1e-12))[:, None]
    if random_state is None:
        label = tied.argmax(axis=1)
    else:
        drawn = np.random.default_rng(random_state).random(len(counts)) * tied.sum(axis=1)
        label = (tied.cumsum(axis=1) > np.floor(drawn)[:, None]).argmax(axis=1)
    empty = most <= 0
    label[empty] = label[parents[empty]]
    return np.asarray(label, dtype=np.int32)
