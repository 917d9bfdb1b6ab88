"""The teaching dimension by trying all sets of instances."""

from __future__ import annotations

from itertools import combinations


def teaching_size(rows, target):
    """The fewest instances whose labels only the target has."""
    width = len(target)
    for size in range(width + 1):
        for chosen in combinations(range(width), size):
            if not any(all(row[j] == target[j] for j in chosen) for row in rows if row != target):
                return size
    raise AssertionError("two concepts are the same")


def teaching_dimension(rows):
    return max(teaching_size(rows, target) for target in rows)
