"""The kernel of the attribute table: misuse.  (Its results: tests/core/test_attribute_table.py)"""

from __future__ import annotations

from array import array
from typing import Any

from kernels.misuse import must_refuse
from mistakebound.kernels import attributes as kernel


def arguments() -> dict[str, Any]:
    """Two rows, five entries, three new ids."""
    return {
        "keys": array("Q", [7, 2**63 - 1, 0, 7, 0]), "values": array("d", [1.0] * 5), "indptr": array("q", [0, 2, 5]),
        "labels": array("b", [0, 1]), "first": 0, "last": 2, "in_order": False, "add": True, "binary": True,
        "id_limit": 2**63 - 1,
        "size_limit": 2**63 - 1, "direct": array("I", bytes(4 * 8)), "hash_keys": array("Q", bytes(8 * 8)),
        "hash_slots": array("I", bytes(4 * 8)), "slot_keys": array("Q", bytes(8 * 4)), "stamps": array("I", bytes(16)),
        "out_indptr": array("q", [0] * 3), "out_slots": array("I", [0] * 5), "out_values": array("d", [0.0] * 5),
        "scratch": array("Q", [0] * 3), "places": array("I", [0] * 3), "state": array("q", [0] * 7),
    }  # fmt: skip


def test_a_row_is_taken_whole_or_not_at_all() -> None:
    call = arguments()
    assert kernel.resolve(*call.values()) == kernel.DUPLICATE
    state = call["state"]
    assert (state[kernel.NEXT_ROW], state[kernel.WHERE], state[kernel.SIZE], state[kernel.USED]) == (1, 4, 2, 1)
    assert call["slot_keys"].tolist() == [7, 2**63 - 1, 0, 0]
    assert kernel.find(0, call["direct"], call["hash_keys"], call["hash_slots"]) == -1


def test_buffers_that_are_too_short() -> None:
    names = ["keys", "values", "indptr", "labels", "hash_slots", "stamps", "state", "out_indptr", "out_slots"]
    must_refuse(kernel.resolve, arguments(), [*names, "out_values", "scratch", "places"], kernel.CAPACITY)


def test_numbers_that_mean_nothing() -> None:
    for changes in (
        {"first": -1}, {"last": 3}, {"first": 2, "last": 1}, {"indptr": array("q", [0, 3, 2])},
        {"indptr": array("q", [-1, 2, 5])}, {"hash_keys": array("Q", bytes(8 * 7))}, {"hash_keys": array("Q")},
        {"state": array("q", [9, 0, 0, 0, 0, 0, 0])}, {"state": array("q", [0, 0, 3, 0, 0, 0, 0])},
        {"state": array("q", [0, 0, 0, 1, 0, 0, 0])}, {"state": array("q", [-1, 0, 0, 0, 0, 0, 0])},
    ):  # fmt: skip
        assert kernel.resolve(*(arguments() | changes).values()) == kernel.CAPACITY, changes


def test_it_asks_for_room() -> None:
    call = arguments() | {"slot_keys": array("Q", [0]), "stamps": array("I", [0])}
    assert kernel.resolve(*call.values()) == kernel.GROW
    call = arguments() | {"hash_keys": array("Q", bytes(16)), "hash_slots": array("I", bytes(8))}
    assert kernel.resolve(*call.values()) == kernel.GROW
    assert call["state"][kernel.SIZE] == 0


def test_rebuild() -> None:
    def index(places: int) -> tuple[Any, ...]:
        return array("I", bytes(16)), array("Q", bytes(8 * places)), array("I", bytes(4 * places))

    keys = array("Q", [3, 10**18, 2**63, 5, 6])
    assert kernel.rebuild(keys, 5, *index(8)) == 3
    assert kernel.rebuild(keys, 5, *index(4)) == kernel.FULL
    assert kernel.rebuild(keys, 6, *index(8)) == kernel.FULL
    assert kernel.rebuild(keys, 5, *index(6)) == kernel.FULL
    assert kernel.rebuild(array("Q", [9, 9]), 2, *index(8)) == kernel.TWICE
    assert kernel.rebuild(array("Q", [1, 1]), 2, *index(8)) == kernel.TWICE
