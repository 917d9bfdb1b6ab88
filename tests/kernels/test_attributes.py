"""The kernels of the attribute table: misuse.  (Their results: tests/core/test_attribute_table.py)"""

from __future__ import annotations

from array import array
from typing import Any

from kernels.misuse import must_refuse
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import mapping, slots, texts


def rows() -> dict[str, Any]:
    """Two rows, five entries; an id stands twice in the second."""
    return {
        "keys": array("Q", [7, 60, 0, 7, 0]), "values": array("d", [1.0] * 5), "indptr": array("q", [0, 2, 5]),
        "labels": array("b", [0, 1]), "first": 0, "last": 2, "in_order": False, "add": True, "binary": True,
        "id_limit": 2**63 - 1, "size_limit": 2**63 - 1,
    }  # fmt: skip


def dense() -> dict[str, Any]:
    return rows() | {
        "bits": array("Q", [0]), "order": array("I", [0] * 4), "stamps": array("I", [0] * 4),
        "scratch": array("Q", [0] * 3), "payload": array("I", [0] * 3), "state": array("q", [0, 1, *[0] * 7]),
    }  # fmt: skip


def mapped(*, named: bool = False) -> dict[str, Any]:
    """The same rows with a large id in the place of 60; or four names, of which one is in the table, one an id."""
    call = rows() | {"keys": array("Q", [7, 2**63 - 1, 0, 7, 0])}
    if named:
        call |= {"keys": array("Q", [1, 2, 0, 3, 0])}
    known = array("Q", [0] * 8)
    texts.rebuild(b"ab", array("q", [0, 2]), 1, known)
    unknown = texts.UNKNOWN
    return call | {
        "names": array("B", b"ab5cdde" if named else b""), "name_ends": array("q", [0, 2, 3, 4, 7] if named else [0]),
        "ranked": array("I", [2, 3] if named else []),
        "translate": array("Q", [2**63, 5, unknown, unknown + 1] if named else []),
        "bits": array("Q", [0]), "places": array("Q", [0] * 16), "extra_keys": array("Q", [0, 2**63, 0, 0, 0]),
        "order": array("I", [65, 0, 0, 0, 0]), "blob": array("B", b"ab" + bytes(8)), "ends": array("q", [0, 2, 0, 0]),
        "text_places": array("Q", [*known, *[0] * 8]), "text_extras": array("I", [1, 0, 0]),
        "stamps": array("I", [0] * 4), "out_indptr": array("q", [0] * 3), "out_slots": array("Q", [0] * 5),
        "out_values": array("d", [0.0] * 5), "scratch": array("Q", [0] * 3), "payload": array("I", [0] * 3),
        "state": array("q", [1, 2, 0, 0, 0, 0, 0, 1, 2]),
    }  # fmt: skip


def test_a_row_is_taken_whole_or_not_at_all() -> None:
    call = dense()
    assert kernel.resolve_dense(*call.values()) == kernel.DUPLICATE
    state = call["state"]
    assert (state[kernel.NEXT_ROW], state[kernel.WHERE], state[kernel.SIZE]) == (1, 4, 2)
    assert call["order"].tolist() == [7, 60, 0, 0]
    assert call["bits"][0] == 1 << 7 | 1 << 60
    call = mapped()
    assert mapping.resolve(*call.values()) == kernel.DUPLICATE
    state = call["state"]
    assert (state[kernel.NEXT_ROW], state[kernel.WHERE], state[kernel.SIZE], state[kernel.HASHED]) == (1, 4, 3, 1)
    assert kernel.find(0, call["bits"], call["places"]) == -1
    assert kernel.find(2**63 - 1, call["bits"], call["places"]) == 66
    call = mapped(named=True)
    assert mapping.resolve(*call.values()) == kernel.DUPLICATE
    assert call["out_slots"][:2].tolist() == [5, 66]
    assert bytes(call["blob"][: call["ends"][2]]) == b"abc"
    assert call["translate"][2] == 2**63 + 1


def test_buffers_that_are_too_short() -> None:
    common = ["keys", "values", "indptr", "labels", "stamps", "scratch", "payload", "state"]
    must_refuse(kernel.resolve_dense, dense(), common, kernel.CAPACITY)
    more = ["bits", "places", "text_places", "out_indptr", "out_slots", "out_values"]
    must_refuse(mapping.resolve, mapped(), [*common, *more], kernel.CAPACITY)
    names = ["names", "name_ends", "ranked", "translate"]
    must_refuse(mapping.resolve, mapped(named=True), [*common, *more, *names], kernel.CAPACITY)


def test_numbers_that_mean_nothing() -> None:
    for changes in (
        {"first": -1}, {"last": 3}, {"first": 2, "last": 1}, {"indptr": array("q", [0, 3, 2])},
        {"indptr": array("q", [-1, 2, 5])}, {"bits": array("Q", [0] * 3)}, {"bits": array("Q")},
        {"state": array("q", [0, 1, 0, 3, 0, 0, 0, 0, 0])}, {"state": array("q", [-1, 1, 0, 0, 0, 0, 0, 0, 0])},
    ):  # fmt: skip
        assert kernel.resolve_dense(*(dense() | changes).values()) == kernel.CAPACITY, changes
        assert mapping.resolve(*(mapped() | changes).values()) == kernel.CAPACITY, changes
    assert kernel.resolve_dense(*(dense() | {"state": array("q", [9, 1, *[0] * 7])}).values()) == kernel.CAPACITY
    for changes in (
        {"places": array("Q", [0] * 14)}, {"state": array("q", [1, 0, 0, 0, 0, 0, 0, 1, 2])},
        {"state": array("q", [1, 2, 0, 0, 1, 0, 0, 1, 2])}, {"state": array("q", [1, 2, 0, 0, 0, 0, 0, 4, 2])},
        {"state": array("q", [1, 2, 0, 0, 0, 0, 0, 1, 3])}, {"keys": array("Q", [7, 2**63, 0, 7, 0])},
    ):  # fmt: skip
        assert mapping.resolve(*(mapped() | changes).values()) == kernel.CAPACITY, changes
    for changes in (
        {"keys": array("Q", [4, 1, 0, 2, 0])}, {"ranked": array("I", [2, 4])},
        {"translate": array("Q", [2**63 + 1, 5, 6, 7])}, {"name_ends": array("q", [0, 2, 1, 4, 7])},
        {"name_ends": array("q", [0, 2, 3, 4, 8])}, {"name_ends": array("q", [-1, 2, 3, 4, 7])},
    ):  # fmt: skip
        assert mapping.resolve(*(mapped(named=True) | changes).values()) == kernel.CAPACITY, changes


def test_it_asks_for_room() -> None:
    call = dense() | {"order": array("I", [0])}
    assert kernel.resolve_dense(*call.values()) == kernel.GROW
    assert call["state"][kernel.SIZE] == call["bits"][0] == 0
    for name, short in (
        ("order", array("I", [65, 0])), ("extra_keys", array("Q", [0, 2**63])), ("places", array("Q", [0] * 4)),
    ):  # fmt: skip
        call = mapped() | {name: short}
        assert mapping.resolve(*call.values()) == kernel.GROW, name
        assert call["state"][kernel.SIZE] == 1
    for name, short in (
        ("blob", array("B", b"ab")), ("ends", array("q", [0, 2])), ("text_extras", array("I", [1])),
        ("text_places", mapped()["text_places"][:4]),
    ):  # fmt: skip
        call = mapped(named=True) | {name: short}
        assert mapping.resolve(*call.values()) == kernel.GROW, name


def test_entering() -> None:
    def table(places: int = 16, extras: int = 4) -> dict[str, Any]:
        return {
            "bits": array("Q", [0]), "places": array("Q", [0] * places), "extra_keys": array("Q", [0] * extras),
            "text_extras": array("I", [0]), "order": array("I", [0] * 5), "state": array("q", [0, 1, *[0] * 7]),
        }  # fmt: skip

    keys = array("Q", [3, 10**18, 2**63, 5, 64])
    call = table()
    assert kernel.enter(keys, 5, *call.values()) == 0
    assert call["order"].tolist() == [3, 65, 66, 5, 67]
    assert call["text_extras"][0] == 2
    out = array("Q", bytes(40))
    assert kernel.keys_in_order(call["order"], 5, 64, call["extra_keys"], out)
    assert out == keys
    assert not kernel.keys_in_order(call["order"], 5, 64, call["extra_keys"][:3], out)
    assert not kernel.keys_in_order(call["order"], 6, 64, call["extra_keys"], out)
    for broken in (table(places=4), table(extras=3), table(places=12), table() | {"text_extras": array("I")}):
        assert kernel.enter(keys, 5, *broken.values()) == kernel.FULL
    assert kernel.enter(keys, 6, *table().values()) == kernel.FULL
    assert kernel.enter(array("Q", [99, 99]), 2, *table().values()) == kernel.TWICE
    assert kernel.enter(array("Q", [1, 1]), 2, *table().values()) == kernel.TWICE
    places = array("Q", [0] * 16)
    assert kernel.rehash(call["extra_keys"], 4, places) == 2
    assert [kernel.find(key, call["bits"], places) for key in (10**18, 64, 65)] == [65, 67, -1]
    assert kernel.rehash(call["extra_keys"], 5, places) == kernel.FULL
    assert kernel.rehash(call["extra_keys"], 4, places[:8]) == kernel.FULL
    assert kernel.forget(9, call["bits"], call["places"], call["extra_keys"], call["order"][:4], call["state"]) == -1
    call["order"][4] = 66
    parts = call["bits"], call["places"], call["extra_keys"], call["order"], call["state"]
    assert kernel.forget(1, *parts) == kernel.FULL


def test_texts() -> None:
    blob, ends, places = bytearray(8), array("q", [0] * 4), array("Q", [0] * 8)
    assert texts.enter(b"ab", blob, ends, places, 0) == 0
    assert texts.enter(b"", blob, ends, places, 1) == 0
    assert [texts.find(name, blob, ends, places) for name in (b"ab", b"", b"a")] == [0, 1, -1]
    assert texts.enter(b"abcdefg", blob, ends, places, 2) == texts.FULL
    assert texts.enter(b"x", blob, ends, places, 3) == texts.FULL
    assert texts.enter(b"x", blob, ends, places[:4], 1) == texts.FULL
    assert texts.rebuild(blob, ends, 2, array("Q", [0] * 8)) == 0
    assert texts.rebuild(b"aa", array("q", [0, 1, 2]), 2, array("Q", [0] * 8)) == texts.TWICE
    for count, odd in ((3, [0, 1]), (1, [1, 2]), (1, [0, 9]), (2, [0, 2, 1])):
        assert texts.rebuild(b"aa", array("q", odd), count, array("Q", [0] * 16)) == texts.FULL
    assert texts.forget(2, 1, blob, ends, places) == 0
    assert [texts.find(name, blob, ends, places) for name in (b"ab", b"")] == [0, -1]
    assert texts.forget(9, 1, blob, ends, places) == texts.FULL
    out = array("Q", [0] * 2)
    for odd in ([0, 1], [0, 2, 1], [-1, 1, 2], [0, 1, 3]):
        assert texts.translate(b"ab", array("q", odd), 2, blob, ends, places, out) == texts.FULL


def test_ids_among_names() -> None:
    """As core.names has them: no sign, no leading zero, below 2**63."""
    names = [
        b"0",
        b"7",
        b"00",
        b"9223372036854775807",
        b"9223372036854775808",
        b"+1",
        b"",
        b"1a",
        b"12345678901234567890",
    ]
    ends = array("q", [0])
    for name in names:
        ends.append(ends[-1] + len(name))
    out = array("Q", [0] * len(names))
    empty = b"", array("q", [0]), array("Q", [0] * 2)
    assert texts.translate(b"".join(names), ends, len(names), *empty, out) == 6
    assert [key for key in out if key < 2**63] == [0, 7, 2**63 - 1]


def test_moving_slots() -> None:
    for move, code in ((slots.move1, "B"), (slots.move2, "H"), (slots.move4, "I"), (slots.move8, "Q")):
        source, target = array(code, [5, 6, 7]), array(code, [0] * 4)
        assert move(source, array("I", [2, 0]), target, array("I", [3, 1]), 2)
        assert target.tolist() == [0, 5, 0, 7]
        for here, there, wanted in (([2, 0], [], [7, 5, 0, 7]), ([], [3, 1], [7, 6, 0, 5]), ([], [], [5, 6, 0, 5])):
            assert move(source, array("I", here), target, array("I", there), 2)
            assert target.tolist() == wanted
        for here, there, count in (
            ([3], [0], 1), ([0], [4], 1), ([0], [0, 1], 2), ([0, 1], [0], 2), ([0, 2**32 - 1], [], 2), ([], [], 4),
            ([1, 1, 1, 1, 1], [], 5),
        ):  # fmt: skip
            assert not move(source, array("I", here), target, array("I", there), count)
            assert target.tolist() == [5, 6, 0, 5], "nothing is written"
