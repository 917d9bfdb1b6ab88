"""Mistake trees of linear threshold functions that grow with n: K(n + 1) >= K(n) + n.

Take a mistake tree of the linear threshold functions of n attributes, and let the new attribute be 0 in its
instances. A leaf is w.x >= theta with whole weights. Multiplied by 2^(n+1), with 2^i added to the weight of
attribute i, it is the same function, and all 2^n sums are different. With the new attribute on, its weight shifts
the threshold to any place among these sums: 2^n different functions on the instances (x, 1), in a row, which a
binary search of n levels tells apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.concepts.finite import FiniteClass
from mistakebound.concepts.thresholds import LinearThreshold
from mistakebound.theory.mistake_tree import MistakeTree

if TYPE_CHECKING:
    from collections.abc import Sequence


def threshold_bound(n: int) -> int:
    """opt of all linear threshold functions of n attributes is at least this: 2 for n = 1, and n - 1 more for each n.

    >>> [threshold_bound(n) for n in (1, 2, 3, 4)]
    [2, 3, 5, 8]
    """
    return 2 + n * (n - 1) // 2


def spread(concept: Any, n: int) -> tuple[dict[str, int], int]:
    """Weights and a threshold of the same function (w.x >= theta) under which all 2^n sums are different."""
    threshold = concept.to_linear_threshold()
    given = {name: int(weight) for name, weight in threshold.weights.items()}
    scale = 1 << (n + 1)
    weights = {str(j + 1): scale * given.get(str(j + 1), 0) + (1 << j) for j in range(n)}
    return weights, scale * int(threshold.threshold)


def sums_in_order(weights: dict[str, int], rows: Sequence[tuple[int, ...]]) -> list[tuple[int, tuple[int, ...]]]:
    """The sums of the weights over the rows, ascending, each with its row."""
    order = list(weights.values())
    return sorted((sum(w for w, bit in zip(order, row, strict=True) if bit), row) for row in rows)


def taller_tree(tree: MistakeTree) -> MistakeTree:
    """A mistake tree of n levels more, of the linear threshold functions of n + 1 attributes."""
    rows = [tuple(x) for x in tree.finite.instances]
    n, depth = len(rows[0]), tree.depth
    number = {(*row, bit): place for bit in (0, 1) for place, row in enumerate(rows, bit * len(rows))}
    nodes = [number[(*tree.instance(node), 0)] for node in range(len(tree.nodes))]
    nodes += [0] * ((1 << depth + n) - 1 - len(nodes))
    functions = []
    for leaf in range(1 << depth):
        weights, theta = spread(tree.concept(leaf + len(tree.nodes)), n)
        sums = sums_in_order(weights, rows)
        # Labels lead from the left to the right: 0 to the larger thresholds, 1 to the smaller ones.
        places = [(0, 1 << n)]
        for level in range(n):
            further = []
            for p, (low, high) in enumerate(places):
                middle = (low + high) // 2
                nodes[(1 << depth + level) - 1 + (leaf << level) + p] = number[(*sums[middle - 1][1], 1)]
                further += [(middle, high), (low, middle)]
            places = further
        functions += [LinearThreshold(weights | {str(n + 1): theta - sums[place][0]}, theta) for place, _ in places]
    finite = FiniteClass(functions, list(number))
    positions = {finite.labels(c): c for c in range(finite.size)}
    leaves = [positions[tuple(f(x) for x in number)] for f in functions]
    return MistakeTree(finite, nodes, leaves)
