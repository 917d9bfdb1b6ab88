"""Pessimistic pruning as in C4.5 (Quinlan 1993, chapter 4; release 8, prune.c and stats.c).

A leaf with e errors among N training rows is charged with e and C4.5's additional errors: the upper limit, at a
confidence, of a binomial. A node becomes a leaf when it is charged no more than its branches together and a tenth of a
row. The node's largest branch is not raised in its place.
"""

from __future__ import annotations

from functools import lru_cache
from math import expm1, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.learners.tree.shape import levels, sum_of_children

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.learners.tree.flat_tree import FlatTree

# C4.5's own table of the normal distribution, between whose lines it interpolates: 0.25 gives 0.6925.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
_TENTH = 0.1  # of a row: by so much a leaf may be worse than what it stands for


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
    charged = as_leaf.copy()
    prune = np.zeros(tree.size, dtype=np.bool_)
    for nodes in reversed(levels(tree)):
        inner = nodes[tree.arity[nodes] > 0]
        below = sum_of_children(tree, inner, charged)
        better = as_leaf[inner] <= below + _TENTH
        prune[inner] = better
        charged[inner] = np.where(better, as_leaf[inner], below)
    return tree.restrict(prune)
