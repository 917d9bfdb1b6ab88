"""Sorting keys with a payload."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import sorting as kernel

keys = st.one_of(st.integers(0, 9), st.integers(0, 2**64 - 1))
near = st.integers(2**63, 2**63 + 2**31)  # as the keys of text names are
lists = st.one_of(st.lists(keys, max_size=80), st.lists(near, max_size=300), st.lists(near, max_size=300, unique=True))


@given(lists)
def test_sort(given_keys: list[int]) -> None:
    """By insertion, by rank or by a heap; equal keys keep company with their payloads."""
    sorted_keys, payload = array("Q", given_keys), array("I", range(len(given_keys)))
    assert kernel.sort(sorted_keys, payload, len(given_keys)) == len(given_keys)
    assert sorted_keys.tolist() == sorted(given_keys)
    assert [given_keys[place] for place in payload] == sorted(given_keys)
    assert sorted(payload) == list(range(len(given_keys)))


@given(st.lists(st.lists(st.integers(0, 199), max_size=40, unique=True), max_size=6))
def test_sort_rows(rows: list[list[int]]) -> None:
    flat = array("I", [slot for row in rows for slot in row])
    extra_keys = array("Q", [1000 - slot for slot in range(100)])
    ends = array("q", [sum(map(len, rows[:r])) for r in range(len(rows) + 1)])
    widest = max(map(len, rows), default=0)
    scratch = array("Q", [0] * widest), array("I", [0] * widest)
    out = array("I", bytes(4 * len(flat)))
    assert kernel.sort_rows(ends, flat, len(rows), 100, extra_keys, *scratch, out) == 0
    assert out.tolist() == [slot for row in rows for slot in sorted(row, key=lambda s: s if s < 100 else 1100 - s)]


@given(st.lists(st.lists(st.integers(0, 199), max_size=40, unique=True), max_size=6), st.booleans())
def test_order_rows(rows: list[list[int]], real: bool) -> None:
    """In place, the values with their slots: ids, hashed ids from 100 to 149, texts."""
    flat = array("I", [slot for row in rows for slot in row])
    extra_keys = array("Q", [*(1000 - slot for slot in range(50)), *(2**63 + text for text in range(50))])
    ends = array("q", [sum(map(len, rows[:r])) for r in range(len(rows) + 1)])
    widest = max(map(len, rows), default=0)
    scratch = array("Q", [0] * widest), array("I", [0] * widest)
    values = array("d", [float(slot) for slot in flat] if real else [])
    assert kernel.order_rows(ends, flat, values, len(rows), 100, 150, extra_keys, scratch)
    key = [*range(100), *extra_keys]
    assert flat.tolist() == [slot for row in rows for slot in sorted(row, key=key.__getitem__)]
    assert values.tolist() == (flat.tolist() if real else [])


def test_order_rows_refuses_buffers_that_do_not_fit() -> None:
    def ordered(**changes: Any) -> bool:
        whole: dict[str, Any] = {
            "indptr": array("q", [0, 2]), "slots": array("I", [2, 1]), "values": array("d", [1.0, 2.0]), "rows": 1,
            "dense": 2, "texts": 3, "extra_keys": array("Q", [9]), "scratch": (array("Q", [0, 0]), array("I", [0, 0])),
        }  # fmt: skip
        return kernel.order_rows(*(whole | changes).values())

    assert ordered()
    assert not ordered(rows=2)
    assert not ordered(slots=array("I", [2]))
    assert not ordered(slots=array("I", [3, 1]))
    assert not ordered(values=array("d", [1.0]))
    assert not ordered(scratch=(array("Q", [0]), array("I", [0, 0])))
    assert not ordered(scratch=(array("Q", [0, 0]), array("I", [0])))


def test_misuse() -> None:
    call = {
        "indptr": array("q", [0, 2, 3]), "slots": array("I", [3, 1, 2]), "rows": 2, "dense": 3,
        "extra_keys": array("Q", [9]),
        "keys": array("Q", [0, 0]), "places": array("I", [0, 0]), "out": array("I", [0, 0, 0]),
    }  # fmt: skip
    must_refuse(kernel.sort_rows, call, ["indptr", "slots", "extra_keys", "keys", "places", "out"], -1)
    for ends in ([0, 3, 2], [-1, 2, 3]):
        assert kernel.sort_rows(*(call | {"indptr": array("q", ends)}).values()) == -1
    assert kernel.sort(array("Q", [1]), array("I", [0]), 2) == kernel.sort(array("Q"), array("I"), -1) == -1
