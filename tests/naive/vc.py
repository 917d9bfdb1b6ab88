"""The VC dimension by its definition: the largest set of instances that is labelled in all ways."""

from __future__ import annotations

from itertools import combinations


def vc_dimension(rows):
    rows = list(rows)
    if not rows:
        return -1
    width = len(rows[0])
    best = 0
    for size in range(1, width + 1):
        for chosen in combinations(range(width), size):
            if len({tuple(row[j] for j in chosen) for row in rows}) == 2**size:
                best = size
                break
    return best
