"""Sorting keys with a payload."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import sorting as kernel

keys = st.one_of(st.integers(0, 9), st.integers(0, 2**64 - 1))


@given(st.lists(keys, max_size=80))
def test_sort(given_keys: list[int]) -> None:
    """Short runs are sorted by insertion, long ones by a heap; equal keys keep company with their payloads."""
    sorted_keys, payload = array("Q", given_keys), array("I", range(len(given_keys)))
    assert kernel.sort(sorted_keys, payload, len(given_keys)) == len(given_keys)
    assert sorted_keys.tolist() == sorted(given_keys)
    assert [given_keys[place] for place in payload] == sorted(given_keys)
    assert sorted(payload) == list(range(len(given_keys)))


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=40), max_size=6))
def test_sort_rows(rows: list[list[int]]) -> None:
    flat = array("I", [slot for row in rows for slot in row])
    ends = array("q", [sum(map(len, rows[:r])) for r in range(len(rows) + 1)])
    widest = max(map(len, rows), default=0)
    scratch = array("Q", [0] * widest), array("I", [0] * widest)
    assert kernel.sort_rows(ends, flat, len(rows), *scratch) == 0
    assert flat.tolist() == [slot for row in rows for slot in sorted(row)]


def test_misuse() -> None:
    call = {
        "indptr": array("q", [0, 2, 3]), "slots": array("I", [3, 1, 2]), "rows": 2, "keys": array("Q", [0, 0]),
        "places": array("I", [0, 0]),
    }  # fmt: skip
    must_refuse(kernel.sort_rows, call, ["indptr", "slots", "keys", "places"], -1)
    for ends in ([0, 3, 2], [-1, 2, 3]):
        assert kernel.sort_rows(*(call | {"indptr": array("q", ends)}).values()) == -1
    assert kernel.sort(array("Q", [1]), array("I", [0]), 2) == kernel.sort(array("Q"), array("I"), -1) == -1
