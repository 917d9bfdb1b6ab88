"""Culprits by listing every set of them: each of size k weighs 1/k^2 / C(n, k), or 0 where k is known to be another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import comb, fsum, log2


def weights(n: int, k: int | None = None) -> dict[frozenset[int], float]:
    """Of every possible set of culprits among 0 .. n-1."""
    sizes = range(1, n + 1) if k is None else (k,)
    raw = {
        frozenset(chosen): (1 / size**2 if k is None else 1.0) / comb(n, size)
        for size in sizes
        for chosen in combinations(range(n), size)
    }
    total = fsum(raw.values())
    return {culprits: weight / total for culprits, weight in raw.items()}


def left_by(
    possible: dict[frozenset[int], float], test: Callable[[frozenset[int]], bool]
) -> dict[frozenset[int], float]:
    kept = {culprits: weight for culprits, weight in possible.items() if test(culprits)}
    total = fsum(kept.values())
    return {culprits: weight / total for culprits, weight in kept.items()}


def hit(possible: dict[frozenset[int], float], tested: Iterable[int]) -> float:
    chosen = frozenset(tested)
    return fsum(weight for culprits, weight in possible.items() if culprits & chosen)


def entropy(weights: Iterable[float]) -> float:
    return fsum(-weight * log2(weight) for weight in weights if weight)
