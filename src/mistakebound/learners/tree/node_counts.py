"""Which rows come to which node: labelled rows counted at every node of a tree.

A row that has no value for a test, or one that the column did not have in training, goes down all branches in the
shares of the training rows (M §3.3, fractions), or else down the branch that the tree keeps for such rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mistakebound.learners.tree.shape import spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree


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
    below = spread(tree.first[nodes].astype(np.int64), arity)
    sizes = tree.counts.sum(axis=1)[below]
    owner = np.repeat(np.arange(len(nodes)), arity)
    share = sizes / np.bincount(owner, sizes, len(nodes))[owner]
    some = share > 0
    return rows[owner][some], below[some], (weights[owner] * share)[some]
