"""From a table to a grown tree: codes for the kernel, room as it asks for more, arrays back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.optional import scipy_module
from mistakebound.kernels import tree_grow as kernel
from mistakebound.learners.tree.flat_tree import FlatTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Column, Table

_NARROW = 255  # values, and one code more for "missing"
_PAUSE = 20_000_000  # rows counted until the kernel comes back, so that Ctrl-C is heard
_TABLE = 1 << 16  # entries of x log2 x
_COST_MEASURES = {None: 0, "tan_schlimmer": 1, "nunez": 2}
_NODES = 1024  # for which there is room at first
_PER_NODE = 6


@dataclass(frozen=True)
class GrowOptions:
    """What decides about a tree."""

    ratio: bool = False
    guard: bool = True
    cost: str | None = None
    costs: tuple[float, ...] = ()  # one a column
    omega: float = 1.0
    missing: str = "common"
    binary: bool = False
    level: float | None = None  # of the chi-squared test; None: no test
    min_leaf: int = 2
    max_depth: int | None = None
    random_state: int | None = None

    @property
    def mode(self) -> int:
        """Of the kernel, for missing values."""
        if self.missing == "fractions":
            return 3 if self.ratio else 2
        return 1 if self.missing == "common_in_class" else 0


def grow(
    table: Table, codes: NDArray[np.int32], classes: int, how: GrowOptions, counts: NDArray[np.float64] | None = None
) -> FlatTree:
    """The whole tree, not pruned; `counts` says how much each row counts (None: 1)."""
    return _Growth(table, codes, classes, how, counts).run()


def tree_buffers(given: dict[str, Any]) -> kernel.TreeBuffers:
    """The buffers for the kernel, by its names for them."""
    buffers = kernel.TreeBuffers()
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
        small = [j for j in range(len(bins)) if bins[j] <= _NARROW]
        large = [j for j in range(len(bins)) if bins[j] > _NARROW]
        self.kinds = [2 if not c.nominal else 1 if how.binary else 0 for c in table.columns]
        room = table.rows
        self.options: Any = np.array(
            [
                classes,
                len(small),
                len(large),
                how.ratio,
                how.guard,
                _COST_MEASURES[how.cost],
                how.mode,
                -1 if how.max_depth is None else how.max_depth,
                _PAUSE,
            ],
            dtype=np.int64,
        )
        b = self.buffers = _work_space(classes, bins, self.kinds) | _groups_space(room, classes, bins, self.kinds)
        b["narrow"] = _row_by_row([ranked[j] for j in small], room, np.uint8)
        b["wide"] = _row_by_row([ranked[j] for j in large], room, np.uint32)
        b["y"] = np.concatenate([codes, np.zeros(room, dtype=np.int32)])
        b["w"] = np.ones(2 * room if weighted else 0)
        if counts is not None:
            b["w"][:room] = counts
        b["columns"] = self._columns(bins, small, large)
        b["divisor"] = _divisors(how, len(bins))
        whole = np.arange(0 if weighted else min(room, _TABLE) + 1, dtype=np.float64)
        b["table"] = whole * np.log2(np.maximum(whole, 1.0))
        b["critical"] = _critical(how.level, int(min(bins.max(), room)), classes)
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
                (places[j], kind, bins[j], begins.get(j, 0), kind != 2 and bins[j] >= 0.3 * self.weight)
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
        b["nodes"] = np.zeros(_PER_NODE * nodes, dtype=np.int32)
        b["nodes"][:_PER_NODE] = [-1, -1, 0, -1, -1, -1]
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
            needed = max(needed, 2 * (len(b["nodes"]) // _PER_NODE))
            for name, each in (("nodes", _PER_NODE), ("otherwise", self.fills), ("counts", self.classes)):
                b[name] = _longer(b[name], each * needed)
        elif status == kernel.MORE_ROWS:
            room = len(b["y"]) // 2
            more = max(needed, 2 * room)
            for name in ("narrow", "wide", "y", "w"):
                each = len(b[name]) // (2 * room)
                b[name] = _longer(b[name][: each * room], each * 2 * more)
            b.update(_groups_space(more, self.classes, self.bins, self.kinds))
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
        nodes = b["nodes"][: _PER_NODE * size].reshape(size, _PER_NODE)
        column, first, arity, low, high, mask_start = (np.ascontiguousarray(nodes[:, k]) for k in range(_PER_NODE))
        counts = b["counts"][: size * self.classes].reshape(size, self.classes).copy()
        tree = FlatTree(
            column=column,
            threshold=self._thresholds(column, low, high),
            first=first,
            arity=arity,
            counts=counts,
            label=np.zeros(size, dtype=np.int32),
            otherwise=b["otherwise"][: size * self.fills].reshape(size, self.fills)[:, 0].copy(),
            mask_start=mask_start,
            masks=b["masks"][: int(b["state"][2])].copy(),
        )
        tree.label = plurality(counts, tree.parents(), self.how.random_state)
        if self.fills > 1:
            otherwise = b["otherwise"][: size * self.fills].reshape(size, self.fills)
            tree.otherwise = otherwise[np.arange(size), tree.label]
        return tree

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


def _divisors(how: GrowOptions, columns: int) -> NDArray[np.float64]:
    costs = np.array(how.costs or (1.0,) * columns)
    return (costs + 1.0) ** how.omega if how.cost == "nunez" else costs


def _critical(level: float | None, values: int, classes: int) -> NDArray[np.float64]:
    """The smallest chi-squared whose tail is at most `level`, by degrees of freedom; empty without a test."""
    if level is None:
        return np.zeros(0)
    special = scipy_module("special", "the chi-squared test of decision trees")
    freedom = np.arange((max(values, 2) - 1) * max(classes - 1, 1) + 1, dtype=np.float64)
    critical = np.full(len(freedom), np.inf)
    if level > 0:
        critical[1:] = special.chdtri(freedom[1:], level)
    return critical


def _groups_space(rows: int, classes: int, bins: NDArray[np.int64], kinds: list[int]) -> dict[str, NDArray[Any]]:
    """Room for the values that occur at a node, and for rows in the order of a column with many values."""
    groups = int(min(bins.max(), rows)) + 1
    sets = max((min(int(bins[j]), rows) for j, kind in enumerate(kinds) if kind == 1), default=0)
    keys = rows if bins.max() > _NARROW else 0
    return {
        "gv": np.zeros(groups, dtype=np.int32),
        "gc": np.zeros(groups * classes),
        "side": np.zeros(sets, dtype=np.uint8),
        "keys": np.zeros(keys, dtype=np.uint64),
        "spare": np.zeros(keys, dtype=np.uint64),
    }


def _work_space(classes: int, bins: NDArray[np.int64], kinds: list[int]) -> dict[str, NDArray[Any]]:
    widest = max((int(bins[j]) for j, kind in enumerate(kinds) if kind == 0 and bins[j] > 2), default=2)
    return {
        "miss": np.zeros(classes),
        "work": np.zeros(2 * classes + 2),
        "found": np.zeros(3 * len(bins)),
        "out": np.zeros(5),
        "fill": np.zeros(classes, dtype=np.int32),
        "slots": np.zeros(3 * len(bins), dtype=np.int32),
        "part": np.zeros(widest),
        "begin": np.zeros(widest, dtype=np.int64),
        "sizes": np.zeros(widest, dtype=np.int64),
    }


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
