"""Reduced-error pruning on a validation set (M §3.2, Theorem 3.3; row R7), with the trace of removals.

Again and again the node goes whose removal gives the highest validation accuracy, as long as it does not fall; ties:
the larger subtree, then preorder. A validation row counts at every leaf that it comes to with its share of weight, so
what a removal does to the accuracy depends on nothing outside of the node: a heap of gains serves.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mistakebound.learners.tree.node_counts import arrivals
from mistakebound.learners.tree.shape import levels, preorder, subtree_sizes, sum_of_children

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree

_ROUNDING = 1e-9  # of a row: gains are differences of sums of shares


class Removal(NamedTuple):
    """One step: the node (numbered as in the unpruned tree) that became a leaf, and what that did."""

    node: int
    nodes: int  # of the tree after the step
    before: float  # validation accuracy
    after: float


def reduced_error(
    tree: FlatTree, table: Table, codes: NDArray[np.int32], *, fractions: bool = True
) -> tuple[FlatTree, list[Removal]]:
    """The pruned tree and every removal, in order."""
    came = arrivals(tree, table, codes, fractions=fractions)
    nodes = np.arange(tree.size)
    as_leaf = came.sum(axis=1) - came[nodes, tree.label]
    below = as_leaf.copy()  # errors of the subtree
    for level in reversed(levels(tree)):
        inner = level[tree.arity[level] > 0]
        below[inner] = sum_of_children(tree, inner, below)
    pruned, trace = _prune_greedily(tree, as_leaf.tolist(), below.tolist(), table.rows)
    return tree.restrict(pruned), trace


def _prune_greedily(
    tree: FlatTree, as_leaf: list[float], below: list[float], rows: int
) -> tuple[NDArray[np.bool_], list[Removal]]:
    sizes, order, parent = subtree_sizes(tree).tolist(), preorder(tree).tolist(), tree.parents().tolist()
    inner = np.flatnonzero(tree.arity > 0).tolist()
    gone = np.zeros(tree.size, dtype=np.bool_)
    pruned = np.zeros(tree.size, dtype=np.bool_)
    trace: list[Removal] = []

    def entry(node: int) -> tuple[float, int, int, int]:
        gain = round((below[node] - as_leaf[node]) / _ROUNDING)
        return -gain, -sizes[node], order[node], node

    heap = [entry(node) for node in inner]
    heapify(heap)
    while heap:
        key = heappop(heap)
        node = key[-1]
        if gone[node] or key != entry(node):
            continue  # an ancestor went, or a newer entry tells how the node stands
        if key[0] > 0:
            break
        before = below[0]
        change, fewer = as_leaf[node] - below[node], sizes[node] - 1
        _mark(tree, node, gone)
        pruned[node] = True
        below[node], sizes[node] = as_leaf[node], 1
        above = parent[node]
        while above >= 0:
            below[above] += change
            sizes[above] -= fewer
            heappush(heap, entry(above))
            above = parent[above]
        trace.append(Removal(node, sizes[0], 1 - before / rows, 1 - below[0] / rows))
    return pruned, trace


def _mark(tree: FlatTree, node: int, gone: NDArray[np.bool_]) -> None:
    """The node is no longer an inner one, and what stands below it is no longer there."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        gone[node] = True
        waiting += [child for child in tree.children(node) if tree.arity[child] and not gone[child]]
