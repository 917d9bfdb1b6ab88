"""Where the nodes of a tree stand (levels, preorder, sizes of subtrees), and which labelled rows come to which node.

Whole arrays at once, for a million nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree


def sum_of_children(tree: FlatTree, nodes: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each of these nodes the sum of its children's values, taken in their order."""
    arity = tree.arity[nodes]
    owner = np.repeat(np.arange(len(nodes)), arity)
    below = tree.below(nodes)
    return np.bincount(owner, values[below], len(nodes)).astype(np.float64)


def sums_below(tree: FlatTree, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each node the sum of the values of all nodes of its subtree, itself counted."""
    sums = values.copy()
    for nodes in reversed(tree.levels()):
        inner = nodes[tree.arity[nodes] > 0]
        sums[inner] += sum_of_children(tree, inner, sums)
    return sums


def subtree_sizes(tree: FlatTree) -> NDArray[np.int64]:
    """How many nodes hang at each node, itself counted."""
    return sums_below(tree, np.ones(tree.size)).astype(np.int64)


def preorder(tree: FlatTree) -> NDArray[np.int64]:
    """The place of every node when a parent is written down before its children, the first branch first."""
    sizes = subtree_sizes(tree)
    place = np.zeros(len(sizes), dtype=np.int64)
    for nodes in tree.levels():
        inner = nodes[tree.arity[nodes] > 0]
        if not len(inner):
            continue
        arity = tree.arity[inner]
        below = tree.below(inner)
        before = np.cumsum(sizes[below]) - sizes[below]  # nodes left of a child, from the level's beginning
        begin = np.cumsum(arity) - arity
        place[below] = np.repeat(place[inner] + 1 - before[begin], arity) + before
    return place


def leaves_below(tree: FlatTree) -> NDArray[np.int64]:
    """How many leaves hang at each node; a leaf is one itself."""
    return sums_below(tree, (tree.arity == 0).astype(np.float64)).astype(np.int64)


def arrivals(tree: FlatTree, table: Table, codes: NDArray[np.int32], *, fractions: bool) -> NDArray[np.float64]:
    """[nodes, classes]: the weight of the rows of each class that come to each node."""
    classes = tree.counts.shape[1]
    counts = np.zeros(tree.counts.size)
    rows, nodes, weights = np.arange(table.rows), np.zeros(table.rows, dtype=np.int64), np.ones(table.rows)
    while len(rows):
        counts += np.bincount(nodes * classes + codes[rows], weights, counts.size)
        going = tree.arity[nodes] > 0
        rows, nodes, weights = rows[going], nodes[going], weights[going]
        child = branches(tree, table, rows, nodes)
        lost = child < 0
        if fractions and lost.any():
            shared = _shared(tree, rows[lost], nodes[lost], weights[lost])
        else:
            child[lost] = tree.otherwise[nodes[lost]]
            lost[:] = False
            shared = None
        known = ~lost
        rows, nodes, weights = rows[known], tree.first[nodes[known]] + child[known], weights[known]
        if shared is not None:
            rows, nodes, weights = (np.concatenate(pair) for pair in zip((rows, nodes, weights), shared, strict=True))
    return counts.reshape(-1, classes)


def branches(tree: FlatTree, table: Table, rows: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row at an inner node the branch that it takes (0, 1, ...), -1 where it has no value for the test."""
    child = np.full(len(rows), -1, dtype=np.int64)
    tested = tree.column[nodes]
    for column in np.unique(tested):
        here = np.flatnonzero(tested == column)
        values = table.columns[column].data[rows[here]]
        if not table.columns[column].nominal:
            child[here] = np.where(np.isnan(values), -1, values > tree.threshold[nodes[here]])
            continue
        start = tree.mask_start[nodes[here]]
        place = np.where(start < 0, 0, start + np.maximum(values, 0))
        masked = 1 - tree.masks[place].astype(np.int64) if len(tree.masks) else 0
        child[here] = np.where(values < 0, -1, np.where(start < 0, values, masked))
    return child


def _shared(
    tree: FlatTree, rows: NDArray[np.int64], nodes: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The rows once for every branch, with the branch's share of their weight."""
    arity = tree.arity[nodes]
    below = tree.below(nodes)
    sizes = tree.counts.sum(axis=1)[below]
    owner = np.repeat(np.arange(len(nodes)), arity)
    share = sizes / np.bincount(owner, sizes, len(nodes))[owner]
    some = share > 0
    return rows[owner][some], below[some], (weights[owner] * share)[some]
