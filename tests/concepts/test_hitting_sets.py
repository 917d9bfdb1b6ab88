"""Hitting sets against all subsets: counted, bounded, enumerated."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mistakebound.concepts.hitting_sets import (
    Counter,
    bounds,
    fewer,
    hitting_sets,
    minimal,
    minimal_hitting_sets,
    parts,
    union_of,
)

FAMILIES = st.lists(st.integers(0, 255), max_size=7)


def by_hand(family: list[int], elements: int) -> list[int]:
    return [a for a in range(256) if not a & ~elements and all(a & one for one in family)]


@given(FAMILIES, st.integers(0, 255), st.integers(0, 4))
def test_counts(family: list[int], elements: int, steps: int) -> None:
    found = len(by_hand([one & elements for one in family], elements))
    assert Counter().within(family, elements) == (found, found)
    low, high = Counter(steps).within(family, elements)
    assert low <= found <= high


@given(st.lists(st.integers(1, 255), min_size=1, max_size=7))
def test_bounds_without_a_search(family: list[int]) -> None:
    low, high = bounds(family)
    assert low <= len(by_hand(family, union_of(family))) <= high


@given(FAMILIES, st.integers(0, 255))
def test_enumerations(family: list[int], elements: int) -> None:
    found = by_hand(family, 255)
    least = [a for a in found if not any(b != a and b & a == b for b in found)]
    smallest = list(minimal_hitting_sets(family))
    assert sorted(smallest) == least
    some = list(hitting_sets(family, elements))
    assert sorted(some) == by_hand(family, elements)


@given(FAMILIES)
def test_rivals_never_stand_together(family: list[int]) -> None:
    """Elements 0-1, 2-3, 4-5 and 6-7 exclude each other."""
    rivals = {1 << k: 3 << (k & ~1) for k in range(8)}
    found = [a for a in by_hand(family, 255) if not a & a >> 1 & 0b01010101]
    least = [a for a in found if not any(b != a and b & a == b for b in found)]
    assert sorted(minimal_hitting_sets(family, rivals)) == least


@given(FAMILIES)
def test_smaller_families(family: list[int]) -> None:
    least = {one for one in family if not any(other != one and other & one == other for other in family)}
    assert set(minimal(family)) == least
    assert set(fewer(family)) == least  # so few sets are all compared
    grouped = parts([one for one in family if one])
    assert sorted(one for group in grouped for one in group) == sorted(one for one in family if one)
    unions = [union_of(group) for group in grouped]
    assert all(not a & b for k, a in enumerate(unions) for b in unions[:k])
    assert all(_connected(group) for group in grouped)


def _connected(group: list[int]) -> bool:
    reached = group[0]
    while any(one & reached and one & ~reached for one in group):
        reached |= union_of(one for one in group if one & reached)
    return all(one & reached for one in group)


def test_parts_multiply() -> None:
    """200 pairs have 3^200 hitting sets and 2^200 minimal ones: counted, and begun to be listed, at once."""
    pairs = [0b11 << 2 * k for k in range(200)]
    assert Counter().within(pairs, (1 << 400) - 1) == (3**200, 3**200)
    first = next(minimal_hitting_sets(pairs))
    assert first.bit_count() == 200
