"""How a decision tree does on training and validation rows, against the rows it has seen and against its size.

The size of a tree that grows: from the root on, the node is split next whose split takes most uncertainty away (rows
times entropy). One grown tree gives all sizes.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mistakebound.learners.tree.shape import arrivals

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree

    Labelled = tuple[Table, NDArray[np.int32]]

_SIZES = 12  # of the training set
_DRAWS = 5  # of training rows of one size


class Point(NamedTuple):
    """Accuracy on training and on validation rows, at a number of training rows or of nodes."""

    at: int
    training: float
    validation: float


def size_curve(tree: FlatTree, training: Labelled, validation: Labelled, *, fractions: bool) -> list[Point]:
    """Accuracy against the number of nodes, while the tree grows to what it is."""
    wrong = []
    for table, codes in (training, validation):
        came = arrivals(tree, table, codes, fractions=fractions)
        wrong.append(came.sum(axis=1) - came[np.arange(tree.size), tree.label])
    rows = [max(1, training[0].rows), max(1, validation[0].rows)]
    errors = [float(of[0]) for of in wrong]
    points = [Point(1, 1 - errors[0] / rows[0], 1 - errors[1] / rows[1])]
    uncertainty = _uncertainty(tree.counts)
    size = 1
    heap: list[tuple[float, int]] = []
    _offer(heap, tree, 0, uncertainty)
    while heap:
        _, node = heappop(heap)
        children = tree.children(node)
        below = slice(children.start, children.stop)
        size += len(children)
        errors = [total + float(of[below].sum() - of[node]) for total, of in zip(errors, wrong, strict=True)]
        points.append(Point(size, 1 - errors[0] / rows[0], 1 - errors[1] / rows[1]))
        for child in children:
            _offer(heap, tree, child, uncertainty)
    return points


def _offer(heap: list[tuple[float, int]], tree: FlatTree, node: int, uncertainty: NDArray[np.float64]) -> None:
    if tree.arity[node]:
        children = tree.children(node)
        less = uncertainty[node] - uncertainty[children.start : children.stop].sum()
        heappush(heap, (-float(less), node))


def _uncertainty(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows times entropy, in bits."""
    rows = counts.sum(axis=1, keepdims=True)
    share = counts / np.where(rows > 0, rows, 1)
    logs = np.log2(np.where(share > 0, share, 1))
    return np.asarray(-(counts * logs).sum(axis=1))


def learning_curve(
    grow: Callable[[Table, NDArray[np.int32]], Any],
    training: Labelled,
    validation: Labelled,
    *,
    seed: int = 0,
    watch: Callable[[int, int], None] | None = None,
) -> list[Point]:
    """Accuracy against the number of training rows: of each size a few draws, averaged.

    `grow` makes a learner of rows; `watch(done, of)` hears how far the work is.
    """
    table, codes = training
    rng = np.random.RandomState(seed)
    sizes = sorted({max(1, round(table.rows * k / _SIZES)) for k in range(1, _SIZES + 1)})
    draws = [(size, draw) for size in sizes for draw in range(1 if size == table.rows else _DRAWS)]
    scores: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    for done, (size, _) in enumerate(draws):
        rows = np.sort(rng.permutation(table.rows)[:size])
        part = table.take(rows), codes[rows]
        learner = grow(*part)
        scores[size].append((_accuracy(learner, *part), _accuracy(learner, *validation)))
        if watch is not None:
            watch(done + 1, len(draws))
    return [Point(size, *np.mean(found, axis=0).tolist()) for size, found in scores.items()]


def _accuracy(learner: Any, table: Table, codes: NDArray[np.int32]) -> float:
    return float(np.mean(learner.predict_table(table) == codes))
