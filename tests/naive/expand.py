"""Conjunctions of an instance's literals, by name and by brute force; decision lists by their definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import prod


def written(name: str) -> str:
    """As a formula has it; the tests use ids and plain words only."""
    return "x" + name if name.isdecimal() else name


def order(name: str) -> tuple[int, int, str]:
    return (0, int(name), "") if name.isdecimal() else (1, 0, name)


def conjunctions(
    x: Iterable[str] | Mapping[str, float], cross: int, universe: Sequence[str] | None = None
) -> dict[str, float]:
    """Every conjunction of 1 to `cross` true literals with the product of their values; negated ones of a universe."""
    values = dict(x) if isinstance(x, Mapping) else dict.fromkeys(x, 1.0)
    literals = [(name, written(name), value) for name, value in values.items()]
    if universe is not None:
        literals += [(name, "~" + written(name), 1.0) for name in universe if name not in values]
    literals.sort(key=lambda literal: order(literal[0]))
    return {
        " & ".join(text for _, text, _ in chosen): prod(value for _, _, value in chosen)
        for size in range(1, cross + 1)
        for chosen in combinations(literals, size)
    }


def decide(rules: Sequence[tuple[str, bool, int]], default: int, x: set[str]) -> int:
    """A list of (attribute, whether it must be on, label): the first that fires decides."""
    for name, on, label in rules:
        if (name in x) == on:
            return label
    return default
