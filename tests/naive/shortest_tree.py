"""The fewest tests of a tree that is consistent with rows, by trying every test."""

from __future__ import annotations


def fewest_tests(rows, labels, kinds):
    """rows of values; kinds: "nominal" or "numeric" a column. None when two equal rows have two labels."""
    if len(set(labels)) <= 1:
        return 0
    best = None
    for column, kind in enumerate(kinds):
        values = sorted({row[column] for row in rows})
        if kind == "nominal":
            splits = [[[value] for value in values]]
        else:
            splits = [[values[:k], values[k:]] for k in range(1, len(values))]
        for parts in splits:
            if len(parts) < 2:
                continue
            below = [
                fewest_tests(
                    *zip(*[(r, y) for r, y in zip(rows, labels, strict=True) if r[column] in part], strict=True), kinds
                )
                for part in parts
            ]
            if None not in below:
                size = 1 + sum(below)
                best = size if best is None else min(best, size)
    return best
