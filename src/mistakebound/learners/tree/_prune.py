"""The three prunings of a grown tree: reduced error, pessimistic, and minimum description length.

Reduced error, on a validation set: again and again the node goes whose removal gives the highest validation accuracy,
as long as it does not fall; ties: the larger subtree, then preorder. A validation row counts at every leaf it comes to
with its share of weight, so what a removal does to the accuracy depends on nothing outside of the node: a heap of gains
serves.

Pessimistic, as in C4.5 (Quinlan 1993, chapter 4; release 8, prune.c and stats.c): a leaf with e errors among N training
rows is charged with e and C4.5's additional errors, the upper limit, at a confidence, of a binomial. A node becomes a
leaf when it is charged no more than its branches together and a tenth of a row. The node's largest branch is not raised
in its place.

Minimum description length of a tree with its exceptions, under this code:

- every node: 1 bit, leaf or test;
- a test: log2 of the columns that can still be tested there (a column split into all its values is tested once on a
  path); of a number also log2 of the column's thresholds (different values less one); of a nominal column that is
  split in two also log2 of the ways to do that, 2^(values - 1) - 1;
- a leaf: log2 of the classes;
- the exceptions in a leaf with n rows, e of them of another class: log2(n + 1) for e, log2 of (n choose e) for which
  they are, and e log2(classes - 1) for their classes.

The first three are the tree, the last the exceptions. A row's share of weight counts as that part of a row, with the
gamma function for factorials. Each node's bits depend on nothing outside of its subtree and its path, so the shortest
description among all prunings is found from the bottom to the top.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import expm1, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mistakebound.core.optional import scipy_module
from mistakebound.learners.tree.shape import arrivals, preorder, subtree_sizes, sum_of_children, sums_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Column, Table
    from mistakebound.learners.tree.flat_tree import FlatTree

_ROUNDING = 1e-9  # of a row: gains are differences of sums of shares
# C4.5's own table of the normal distribution, between whose lines it interpolates: 0.25 gives 0.6925.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
_TENTH = 0.1  # of a row: by so much a leaf may be worse than what it stands for


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
    as_leaf = came.sum(axis=1) - came[np.arange(tree.size), tree.label]
    below = sums_below(tree, np.where(tree.arity == 0, as_leaf, 0.0))  # errors of the subtree
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


@lru_cache
def deviation(confidence: float) -> float:
    """How many standard deviations above the mean C4.5 puts its limit.

    >>> round(deviation(0.25), 4)
    0.6925
    """
    return float(np.interp(confidence, _CONFIDENCES, _DEVIATIONS))


def additional_errors(rows: NDArray[np.float64], errors: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """C4.5's AddErrs: what is added to the errors that were seen among so many rows.

    Without errors the limit is exact: the error rate p for which (1 - p)^rows = confidence. Up to one error the two are
    interpolated, above it is the normal approximation with a correction for continuity.

    >>> additional_errors(np.array([6.0, 9.0, 1.0]), np.array([0.0, 0.0, 0.0]), 0.25).round(3)
    array([1.238, 1.285, 0.75 ])
    >>> additional_errors(np.array([16.0, 16.0]), np.array([1.0, 0.5]), 0.25).round(3)
    array([1.507, 1.417])
    """
    rows, errors = np.asarray(rows, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    square = deviation(confidence) ** 2
    added = np.zeros(len(rows))
    few = np.flatnonzero((errors < 0.9999) & (rows > 0))
    added[few] = rows[few] * -np.expm1(np.log(confidence) / rows[few])
    part = few[errors[few] >= 1e-6]
    added[part] += errors[part] * (_limit(rows[part], np.ones(len(part)), square) - added[part])
    many = np.flatnonzero(errors >= 0.9999)
    added[many] = _limit(rows[many], errors[many], square)
    return added


def additional_errors_of_one(rows: float, errors: float, confidence: float) -> float:
    """The same for one leaf or rule: there are many that are asked about one at a time.

    >>> round(additional_errors_of_one(16, 1, 0.25), 3)
    1.507
    """
    if rows <= 0:
        return 0.0
    if errors < 0.9999:
        added = rows * -expm1(log(confidence) / rows)
        more = additional_errors_of_one(rows, 1.0, confidence) - added if errors >= 1e-6 else 0.0
        return added + errors * more
    if errors + 0.5 >= rows:
        return 0.67 * (rows - errors)
    square = deviation(confidence) ** 2
    seen = errors + 0.5
    root = sqrt(square * (seen * (1 - seen / rows) + square / 4))
    return rows * (seen + square / 2 + root) / (rows + square) - errors


def _limit(rows: NDArray[np.float64], errors: NDArray[np.float64], square: float) -> NDArray[np.float64]:
    seen = np.minimum(errors + 0.5, rows)
    root = np.sqrt(square * (seen * (1 - seen / rows) + square / 4))
    upper = (seen + square / 2 + root) / (rows + square)
    return np.where(errors + 0.5 >= rows, 0.67 * (rows - errors), rows * upper - errors)


def pessimistic(tree: FlatTree, confidence: float = 0.25) -> FlatTree:
    """The tree in which every node that deserves it is a leaf, from the bottom to the top."""
    rows = tree.counts.sum(axis=1)
    errors = rows - tree.counts[np.arange(tree.size), tree.label]
    as_leaf = errors + additional_errors(rows, errors, confidence)
    return _cheapest(tree, as_leaf, np.zeros(tree.size), _TENTH)


def _cheapest(
    tree: FlatTree, as_leaf: NDArray[np.float64], as_test: NDArray[np.float64], slack: float = 0.0
) -> FlatTree:
    """From the bottom to the top, the tree in which a node is a leaf unless its test and branches cost that less."""
    cost = as_leaf.copy()
    prune = np.zeros(tree.size, dtype=np.bool_)
    for nodes in reversed(tree.levels()):
        inner = nodes[tree.arity[nodes] > 0]
        kept = as_test[inner] + sum_of_children(tree, inner, cost)
        prune[inner] = as_leaf[inner] <= kept + slack
        cost[inner] = np.where(prune[inner], as_leaf[inner], kept)
    return tree.restrict(prune)


class CodeLength(NamedTuple):
    """Bits of a tree and of the exceptions to it."""

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        return self.tree + self.exceptions

    def __str__(self) -> str:
        return f"{self.total:,.1f} bits: the tree {self.tree:,.1f}, the exceptions {self.exceptions:,.1f}"


def code_length(tree: FlatTree, table: Table) -> CodeLength:
    """What the tree and the exceptions to it cost; the table is that of the training rows."""
    leaf = tree.arity == 0
    classes = tree.counts.shape[1]
    tests = float(test_bits(tree, table)[~leaf].sum())
    bits = tree.size + tests + np.count_nonzero(leaf) * np.log2(classes)
    return CodeLength(float(bits), float(exception_bits(tree)[leaf].sum()))


def mdl(tree: FlatTree, table: Table) -> tuple[FlatTree, CodeLength, CodeLength]:
    """The pruning with the shortest description, its code length and that of the tree before."""
    as_leaf = 1 + np.log2(tree.counts.shape[1]) + exception_bits(tree)
    pruned = _cheapest(tree, as_leaf, 1 + test_bits(tree, table))
    return pruned, code_length(pruned, table), code_length(tree, table)


def exception_bits(tree: FlatTree) -> NDArray[np.float64]:
    """Of every node as a leaf: what its rows of other classes cost."""
    gammaln = scipy_module("special", "pruning by code length").gammaln
    rows = tree.counts.sum(axis=1)
    errors = np.maximum(rows - tree.counts[np.arange(tree.size), tree.label], 0.0)
    which = (gammaln(rows + 1) - gammaln(errors + 1) - gammaln(rows - errors + 1)) / np.log(2)
    others = max(tree.counts.shape[1] - 1, 1)
    return np.asarray(np.log2(rows + 1) + which + errors * np.log2(others))


def test_bits(tree: FlatTree, table: Table) -> NDArray[np.float64]:
    """Of every inner node: what its test costs; 0 in leaves."""
    bits = np.zeros(tree.size)
    choices = np.array([_choices(column) for column in table.columns])
    left = np.full(tree.size, len(table.columns), dtype=np.int64)  # columns that can be tested
    for nodes in tree.levels():
        inner = nodes[tree.arity[nodes] > 0]
        binary = (tree.mask_start[inner] >= 0) | ~np.isnan(tree.threshold[inner])
        bits[inner] = np.log2(left[inner]) + choices[tree.column[inner]] * binary
        below = tree.below(inner)
        left[below] = np.repeat(left[inner] - ~binary, tree.arity[inner])
    return bits


def _choices(column: Column) -> float:
    """log2 of the binary tests of a column."""
    if column.nominal:
        return float(np.log2(max(len(column.values), 1)))
    ways = len(np.unique(column.data[~np.isnan(column.data)])) - 1
    return float(np.log2(max(ways, 1)))
