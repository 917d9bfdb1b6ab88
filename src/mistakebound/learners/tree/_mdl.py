"""Minimum description length of a tree with its exceptions (M §3.2 and §5.1; row R9), under this code:

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

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mistakebound.learners.tree.shape import levels, spread, sum_of_children

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Column, Table
    from mistakebound.learners.tree.flat_tree import FlatTree


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
    as_test = 1 + test_bits(tree, table)
    best = as_leaf.copy()
    prune = np.zeros(tree.size, dtype=np.bool_)
    for nodes in reversed(levels(tree)):
        inner = nodes[tree.arity[nodes] > 0]
        kept = as_test[inner] + sum_of_children(tree, inner, best)
        prune[inner] = as_leaf[inner] <= kept
        best[inner] = np.minimum(as_leaf[inner], kept)
    pruned = tree.restrict(prune)
    return pruned, code_length(pruned, table), code_length(tree, table)


def exception_bits(tree: FlatTree) -> NDArray[np.float64]:
    """Of every node as a leaf: what its rows of other classes cost."""
    from scipy.special import gammaln

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
    for nodes in levels(tree):
        inner = nodes[tree.arity[nodes] > 0]
        binary = (tree.mask_start[inner] >= 0) | ~np.isnan(tree.threshold[inner])
        bits[inner] = np.log2(left[inner]) + choices[tree.column[inner]] * binary
        below = spread(tree.first[inner].astype(np.int64), tree.arity[inner])
        left[below] = np.repeat(left[inner] - ~binary, tree.arity[inner])
    return bits


def _choices(column: Column) -> float:
    """log2 of the binary tests of a column."""
    if column.nominal:
        return float(np.log2(max(len(column.values), 1)))
    ways = len(np.unique(column.data[~np.isnan(column.data)])) - 1
    return float(np.log2(max(ways, 1)))
