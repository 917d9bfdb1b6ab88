"""Independent oracles: labels of the cube straight from the definitions, never from the code under test."""

from __future__ import annotations

from itertools import product


def cube(n):
    """All of {0,1}^n in ascending order."""
    return [tuple(code >> (n - 1 - j) & 1 for j in range(n)) for code in range(2**n)]


def or_of(literals, x):
    """literals: pairs (attribute number, positive)."""
    for j, positive in literals:
        if (x[j - 1] == 1) == positive:
            return 1
    return 0


def and_of(literals, x):
    for j, positive in literals:
        if (x[j - 1] == 1) != positive:
            return 0
    return 1


def signed_sets(n):
    """Every set of literals over n attributes without a literal and its negation."""
    for choice in product((None, True, False), repeat=n):
        yield [(j, sign) for j, sign in enumerate(choice, 1) if sign is not None]
