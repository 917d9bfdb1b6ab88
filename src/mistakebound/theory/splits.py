"""The ways in which instances split a set of concepts."""

from __future__ import annotations

from collections.abc import Sequence


def distinct_columns(columns: Sequence[int], everyone: int) -> list[int]:
    """The numbers of columns that split the class, one of those that split it alike."""
    lowest = everyone & -everyone
    seen: set[int] = set()
    kept = []
    for j, column in enumerate(columns):
        side = column if column & lowest else everyone ^ column
        if side != everyone and side not in seen:
            seen.add(side)
            kept.append(j)
    return kept


def splits(columns: Sequence[int], active: Sequence[int], members: int) -> list[tuple[int, int, int]]:
    """For each column that splits the members, and differently: the size of the smaller side, the column, the members
    that it labels 1. The most even splits come first.
    """
    size = members.bit_count()
    lowest = members & -members
    seen: set[int] = set()
    found = []
    for j in active:
        ones = columns[j] & members
        count = ones.bit_count()
        if 0 < count < size:
            side = ones if ones & lowest else members ^ ones
            if side not in seen:
                seen.add(side)
                found.append((min(count, size - count), j, ones))
    found.sort(key=lambda split: (-split[0], split[1]))
    return found
