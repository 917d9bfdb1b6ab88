"""The fewest membership questions in the worst case, by the definition."""

from __future__ import annotations


def query_depth(rows):
    return _depth(frozenset(rows), {})


def _depth(concepts, known):
    if len(concepts) <= 1:
        return 0
    if concepts not in known:
        best = None
        for j in range(len(next(iter(concepts)))):
            zeros = frozenset(f for f in concepts if not f[j])
            ones = concepts - zeros
            if zeros and ones:
                depth = 1 + max(_depth(zeros, known), _depth(ones, known))
                best = depth if best is None else min(best, depth)
        known[concepts] = best
    return known[concepts]
