"""opt(C) by the definition (Littlestone 1988): K of a class is the most levels of a complete mistake tree of it."""

from __future__ import annotations


def opt(rows):
    """rows: the classes's concepts as tuples of labels."""
    return _k(frozenset(map(tuple, rows)), {})


def _k(concepts, known):
    if not concepts:
        return -1
    if concepts not in known:
        best = 0
        for j in range(len(next(iter(concepts)))):
            zeros = frozenset(f for f in concepts if not f[j])
            ones = concepts - zeros
            if zeros and ones:
                best = max(best, 1 + min(_k(zeros, known), _k(ones, known)))
        known[concepts] = best
    return known[concepts]
