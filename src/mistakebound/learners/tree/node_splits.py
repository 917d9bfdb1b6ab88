"""A tree grown node by node from counts, for rows that lie elsewhere: the same tree, to the bit, as from the rows.

Only nominal columns have counts that say everything: of a numeric one they would be as long as the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.kernels import tree_grow as kernel
from mistakebound.learners.tree._growing import PER_NODE, flat_tree, tree_buffers
from mistakebound.learners.tree.grow_options import groups_space, has_very_many, kernel_options, measuring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mistakebound.learners.tree.flat_tree import FlatTree
    from mistakebound.learners.tree.grow_options import GrowOptions


@dataclass
class CountedNode:
    """A node: its rows by class, how deep it lies and which columns may be tested; then the test, and its children."""

    counts: NDArray[np.float64]
    depth: int
    active: NDArray[np.int32]
    open: bool = True  # whether it may be split
    column: int = -1
    mask: NDArray[np.uint8] | None = None  # of a test of one value against the rest: which values go to child 0
    otherwise: NDArray[np.int32] | None = None  # the child of rows without a value, one entry or one for each class
    children: Sequence[CountedNode] = ()

    def branch_of(self, values: int) -> NDArray[np.int32]:
        """The child of a row by its value (the last: none) and its class; one line a value."""
        assert self.otherwise is not None
        known = np.arange(values) if self.mask is None else 1 - self.mask.astype(np.int32)
        classes = len(self.counts)
        whole = np.empty((values + 1, classes), np.int32)
        whole[:values] = known[:, None]
        whole[values] = self.otherwise
        return whole


class NodeSplits:
    """Splits the nodes of one tree.

    Parameters
    ----------
    values : sequence of int
        How many values each column has in the whole table.
    rows, classes : int
        Of the whole table.
    how : GrowOptions
        Without fractions: they have no whole counts.
    """

    def __init__(self, values: Sequence[int], rows: int, classes: int, how: GrowOptions) -> None:
        self.how, self.classes = how, classes
        bins = np.array(values, dtype=np.int64)
        kinds = [how.nominal_kind] * len(bins)
        self.begins = np.cumsum([0, *((bins + 1) * classes)])  # where the counts of each column begin
        most = int(bins.max())
        self._fills = classes if how.mode == 1 else 1
        self._masks = most if how.binary else 0
        self._line = len(bins) + 1
        b: dict[str, Any] = measuring(how, classes, bins, kinds, most, rows) | groups_space(most, classes, bins, kinds)
        b |= {"narrow": np.zeros(0, np.uint8), "wide": np.zeros(0, np.uint32), "y": np.zeros(0, np.int32)}
        b |= {"w": np.zeros(0), "weights": np.zeros(0), "least": how.min_leaf - 1e-9}
        rest = ((j, how.nominal_kind, bins[j], self.begins[j], has_very_many(bins[j], rows)) for j in range(len(bins)))
        b["columns"] = np.array(list(rest), dtype=np.int32).reshape(-1)
        b["options"] = kernel_options(how, classes, len(bins), 0, counted=True)
        b["hist"] = np.zeros(int(self.begins[-1]), dtype=np.int32)
        arity = max(2, most)
        b["stack"] = np.zeros(4 * (arity + 1), dtype=np.int64)
        b["active"] = np.zeros(2 * self._line, dtype=np.int32)
        b["state"] = np.zeros(5, dtype=np.int64)
        b["nodes"] = np.zeros(PER_NODE * (arity + 1), dtype=np.int32)
        b["otherwise"] = np.zeros(self._fills * (arity + 1), dtype=np.int32)
        b["masks"] = np.zeros(self._masks, dtype=np.uint8)
        b["counts"] = np.zeros(classes * (arity + 1))
        self._buffers = b
        self._kernel = tree_buffers(b)

    def root(self, counts: NDArray[np.int64]) -> CountedNode:
        """The node of all rows."""
        return CountedNode(counts.astype(np.float64), 0, np.arange(self._line - 1, dtype=np.int32))

    def split(self, node: CountedNode, counts: NDArray[np.int64]) -> None:
        """Find the test of a node, if it has one, from its rows by column, value (the last: none) and class."""
        b, depth = self._buffers, self.how.max_depth
        node.open = False
        b["hist"][:] = counts
        if depth is not None:
            b["options"][7] = depth - node.depth
        b["stack"][:4] = [0, 0, int(node.counts.sum()), 0]
        b["state"][:] = [1, 1, 0, 0, 0]
        b["active"][: len(node.active) + 1] = [len(node.active), *node.active]
        b["nodes"][:PER_NODE] = [-1, -1, 0, -1, -1, -1]
        b["counts"][: self.classes] = node.counts
        status = kernel.grow(self._kernel)
        if status not in (kernel.DONE, kernel.PAUSE):
            raise AssertionError(f"the buffers of a tree do not fit together: {status}")
        column, _, arity = b["nodes"][:3].tolist()
        if column < 0:
            return
        node.column, node.otherwise = column, b["otherwise"][: self._fills].copy()
        if self._masks:
            node.mask = b["masks"][: b["state"][2]].copy()
        active = b["active"][self._line + 1 :][: b["active"][self._line]].copy()
        below = b["counts"].reshape(-1, self.classes)[1 : arity + 1].copy()
        opened = set(b["stack"][: 4 * b["state"][0] : 4].tolist())
        node.children = [CountedNode(below[k], node.depth + 1, active, open=k + 1 in opened) for k in range(arity)]

    def tree(self, root: CountedNode) -> FlatTree:
        """The nodes in the order in which the kernel makes them: depth first, the children of a node together."""
        lines, masks, counts, otherwise = [_LEAF], [np.zeros(0, np.uint8)], [root.counts], [[-1] * self._fills]
        stack, at = [(0, root)], 0
        while stack:
            number, node = stack.pop()
            if node.column < 0:
                continue
            first = len(lines)
            start = -1 if node.mask is None else at
            if node.mask is not None:
                masks.append(node.mask)
                at += len(node.mask)
            assert node.otherwise is not None
            lines[number] = (node.column, first, len(node.children), -1, -1, start)
            otherwise[number] = node.otherwise.tolist()
            lines += [_LEAF] * len(node.children)
            otherwise += [[-1] * self._fills] * len(node.children)
            counts += [child.counts for child in node.children]
            stack += reversed(list(enumerate(node.children, first)))
        nodes = np.array(lines, dtype=np.int32)
        thresholds = np.full(len(nodes), np.nan)
        other = np.array(otherwise, dtype=np.int32)
        return flat_tree(nodes, thresholds, np.array(counts), other, np.concatenate(masks), self.how)


_LEAF = (-1, -1, 0, -1, -1, -1)
