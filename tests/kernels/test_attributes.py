"""The kernels of the attribute table: misuse.  (Their results: tests/core/test_attribute_table.py)"""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

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
    """Their ids are one more than their keys."""
    given = rows()
    del given["keys"]
    return {"keys": array("I", [6, 59, 2, 6, 2]), "base": 1} | given | {
        "bits": array("Q", [0]), "order": array("I", [0] * 4),
        "scratch": array("Q", [0] * 3), "payload": array("I", [0] * 3), "state": array("q", [0, 1, *[0] * 8]),
    }  # fmt: skip


def mapped(*, named: bool = False) -> dict[str, Any]:
    """The same rows with a large id in the place of 60; or four names, of which one is in the table, one an id."""
    call: dict[str, Any] = {}
    for name, value in rows().items():
        call |= {name: value, "distinct": False} if name == "in_order" else {name: value}
    call |= {"keys": array("Q", [7, 2**63 - 1, 0, 7, 0])}
    if named:
        call |= {"keys": array("Q", [1, 2, 0, 3, 0])}
    unknown = texts.UNKNOWN
    return call | {
        "names": array("B", b"ab5cdde" if named else b""), "name_ends": array("q", [0, 2, 3, 4, 7] if named else [0]),
        "translate": array("Q", [2**63, 5, unknown, unknown] if named else []),
        "looked_up": array("I", [] if named else [64] * 5),
        "bits": array("Q", [0]), "extra_keys": array("Q", [kernel.NOBODY, *[0] * 7, 2**63, 0, 0]),
        "order": array("I", [72, 0, 0, 0, 0]), "blob": array("B", b"ab" + bytes(8)), "ends": array("q", [0, 2, 0, 0]),
        "stamps": array("I", [0] * 4), "out_indptr": array("q", [0] * 3), "out_slots": array("I", [0] * 5),
        "out_values": array("d", [0.0] * 5), "scratch": array("Q", [0] * 3), "payload": array("I", [0] * 3),
        "state": array("q", [1, 1, 8, 0, 0, 0, 0, 1, 2, 1]), "zeros": False,
    }  # fmt: skip


ENTRIES, WORK = ("keys", "values", "indptr"), ("scratch", "payload", "state")
CHECKS = ("labels", "first", "last", "in_order", "distinct", "add", "binary", "id_limit", "size_limit")
TABLE = ("bits", "extra_keys", "order", "blob", "ends", "stamps")
NAMING, OUT = ("names", "name_ends", "translate"), ("out_indptr", "out_slots", "out_values")


def taken(call: dict[str, Any], names: tuple[str, ...]) -> Any:
    return tuple(call[name] for name in names if name in call)


def dense_run(run: Any, call: dict[str, Any]) -> int:
    parts = taken(call, ENTRIES), call["base"], taken(call, CHECKS), taken(call, ("bits", "order")), taken(call, WORK)
    return int(run(*parts))


def mapped_run(run: Any, call: dict[str, Any]) -> int:
    rows = taken(call, ENTRIES), taken(call, CHECKS), taken(call, NAMING), call["looked_up"]
    return int(run(*rows, taken(call, TABLE), taken(call, OUT), taken(call, WORK), call["zeros"]))


def test_without_entering_an_id_that_has_not_appeared_is_its_own_slot_too() -> None:
    read = {"keys": array("I", [2, 6, 3, 6, 59]), "values": array("d"), "in_order": True, "add": False}
    cases: tuple[tuple[dict[str, Any], int, int], ...] = (
        ({}, kernel.OK, 2), ({"keys": array("I", [2, 6, 3, 6, 63])}, kernel.OTHER, 1),
        ({"size_limit": 3}, kernel.OK, 2), ({"size_limit": 2}, kernel.BEYOND, 1), ({"id_limit": 10}, kernel.BEYOND, 1),
    )  # fmt: skip
    for changes, status, row in cases:
        call = dense() | read | changes
        assert dense_run(kernel.resolve_dense, call) == status, changes
        state = call["state"]
        assert (state[kernel.NEXT_ROW], state[kernel.SIZE], call["bits"][0]) == (row, 0, 0), changes
        assert status != kernel.BEYOND or state[kernel.WHERE] == 4, changes


def test_a_row_is_taken_whole_or_not_at_all() -> None:
    call = dense()
    assert dense_run(kernel.resolve_dense, call) == kernel.DUPLICATE
    state = call["state"]
    assert (state[kernel.NEXT_ROW], state[kernel.WHERE], state[kernel.SIZE]) == (1, 4, 2)
    assert call["order"].tolist() == [7, 60, 0, 0]
    assert call["bits"][0] == 1 << 7 | 1 << 60
    call = mapped()
    assert mapped_run(mapping.resolve, call) == kernel.DUPLICATE
    state = call["state"]
    assert (state[kernel.NEXT_ROW], state[kernel.WHERE], state[kernel.SIZE], state[kernel.EXTRA]) == (1, 4, 3, 2)
    found = kernel.find(2**63 - 1, call["bits"], call["extra_keys"], state)
    assert 64 < found < 72
    assert call["extra_keys"][found - 64] == 2**63 - 1
    assert call["out_slots"][:2].tolist() == call["order"][1:3].tolist() == [7, found]
    assert kernel.find(0, call["bits"], call["extra_keys"], state) == -1
    call = mapped(named=True)
    assert mapped_run(mapping.resolve, call) == kernel.DUPLICATE
    assert call["out_slots"][:2].tolist() == [5, 73]
    assert call["extra_keys"][9] == 2**63 + 1
    assert bytes(call["blob"][: call["ends"][2]]) == b"abc"
    assert call["translate"][2] == 2**63 + 1


def test_buffers_that_are_too_short() -> None:
    common = ["keys", "values", "indptr", "labels", "scratch", "payload", "state"]
    must_refuse(kernel.resolve_dense, dense(), common, kernel.CAPACITY, dense_run)
    more = ["bits", "out_indptr", "out_slots", "out_values"]
    common.append("stamps")
    must_refuse(mapping.resolve, mapped(), [*common, *more], kernel.CAPACITY, mapped_run)
    must_refuse(mapping.resolve, mapped(), ["looked_up"], kernel.CAPACITY, mapped_run)
    names = ["names", "name_ends", "translate"]
    must_refuse(mapping.resolve, mapped(named=True), [*common, *more, *names], kernel.CAPACITY, mapped_run)


def test_numbers_that_mean_nothing() -> None:
    for changes in (
        {"first": -1}, {"last": 3}, {"first": 2, "last": 1}, {"indptr": array("q", [0, 3, 2])},
        {"indptr": array("q", [-1, 2, 5])}, {"bits": array("Q", [0] * 3)}, {"bits": array("Q")},
        {"state": array("q", [0, 1, 0, 3, 0, 0, 0, 0, 0, 0])}, {"state": array("q", [-1, 1, 0, 0, 0, 0, 0, 0, 0, 0])},
    ):  # fmt: skip
        assert dense_run(kernel.resolve_dense, dense() | changes) == kernel.CAPACITY, changes
        assert mapped_run(mapping.resolve, mapped() | changes) == kernel.CAPACITY, changes
    assert dense_run(kernel.resolve_dense, dense() | {"state": array("q", [9, 1, *[0] * 8])}) == kernel.CAPACITY
    for changes in (
        {"state": array("q", [1, 1, 6, 0, 0, 0, 0, 1, 2, 1])}, {"state": array("q", [1, 0, 8, 0, 0, 0, 0, 1, 2, 1])},
        {"state": array("q", [1, 5, 8, 0, 0, 0, 0, 1, 2, 1])}, {"state": array("q", [1, 1, 16, 0, 0, 0, 0, 1, 2, 1])},
        {"state": array("q", [1, 1, 8, 0, 1, 0, 0, 1, 2, 1])}, {"state": array("q", [1, 1, 8, 0, 0, 0, 0, 4, 2, 1])},
        {"state": array("q", [1, 1, 8, 0, 0, 0, 0, 1, 3, 1])}, {"extra_keys": array("Q", [0] * 11)},
        {"keys": array("Q", [7, 2**63, 0, 7, 0])},
    ):  # fmt: skip
        assert mapped_run(mapping.resolve, mapped() | changes) == kernel.CAPACITY, changes
    for changes in (
        {"keys": array("Q", [4, 1, 0, 2, 0])},
        {"keys": array("Q", [0, 2, 1, 3, 1]), "translate": array("Q", [2**63 + 1, 5, 6, 7])},
        {"name_ends": array("q", [0, 2, 5, 4, 7])},
        {"name_ends": array("q", [0, 2, 3, 4, 8])}, {"name_ends": array("q", [0, 2, -1, 4, 7])},
    ):  # fmt: skip
        assert mapped_run(mapping.resolve, mapped(named=True) | changes) == kernel.CAPACITY, changes


def test_it_asks_for_room() -> None:
    call = dense() | {"order": array("I", [0])}
    assert dense_run(kernel.resolve_dense, call) == kernel.GROW
    assert call["state"][kernel.SIZE] == call["bits"][0] == 0
    for name, short in (("order", array("I", [72, 0])), ("state", array("q", [1, 4, 8, 0, 0, 0, 0, 1, 2, 1]))):
        call = mapped() | {name: short}
        assert mapped_run(mapping.resolve, call) == kernel.GROW, name
        assert call["state"][kernel.SIZE] == 1
    for name, short in (
        ("blob", array("B", b"ab")), ("ends", array("q", [0, 2])), ("extra_keys", mapped()["extra_keys"][:9])
    ):  # fmt: skip
        call = mapped(named=True) | {name: short}
        assert mapped_run(mapping.resolve, call) == kernel.GROW, name


def table(places: int = 16, texts: int = 1) -> dict[str, Any]:
    """An empty one."""
    return {
        "bits": array("Q", [0]), "extra_keys": array("Q", [kernel.NOBODY, *[0] * (places - 1 + texts)]),
        "order": array("I", [0] * 5), "state": array("q", [0, 1, places, *[0] * 7]),
    }  # fmt: skip


KEYS = array("Q", [3, 10**18, 2**63, 5, 64])


def test_entering() -> None:
    call = table()
    assert kernel.enter(KEYS, 5, *call.values()) == 0
    large, text, other = (call["order"][i] for i in (1, 2, 4))
    assert call["order"].tolist() == [3, large, 64 + 16, 5, other]
    assert [call["extra_keys"][slot - 64] for slot in (large, text, other)] == [10**18, 2**63, 64]
    parts = call["bits"], call["extra_keys"], call["state"]
    assert [kernel.find(key, *parts) for key in (10**18, 64, 65, 3, 4)] == [large, other, -1, 3, -1]
    out = array("Q", bytes(40))
    assert kernel.keys_in_order(call["order"], 5, 64, call["extra_keys"], out)
    assert out == KEYS
    assert not kernel.keys_in_order(call["order"], 5, 64, call["extra_keys"][:16], out)
    assert not kernel.keys_in_order(call["order"], 6, 64, call["extra_keys"], out)
    for broken in (table(4), table(texts=0), table(12), table() | {"extra_keys": array("Q", [0] * 17)}):
        assert kernel.enter(KEYS, 5, *broken.values()) == kernel.FULL
    assert kernel.enter(KEYS, 6, *table().values()) == kernel.FULL
    assert kernel.enter(array("Q", [99, 99]), 2, *table().values()) == kernel.TWICE
    assert kernel.enter(array("Q", [1, 1]), 2, *table().values()) == kernel.TWICE
    assert kernel.find(2**63, *parts) == kernel.find(kernel.NOBODY, *parts) == -1


def test_forgetting() -> None:
    """Whatever is forgotten, the ids before it are still found, and it is not."""
    keys = array("Q", [10**12 + 7 * i for i in range(31)])
    no_texts = bytearray(1), array("q", [0]), array("Q", [0] * 8)
    for kept in range(32):
        call = table(64) | {"order": array("I", [0] * 31)}
        assert kernel.enter(keys, 31, *call.values()) == 0
        assert kernel.forget(kept, *call.values(), *no_texts) == 0
        parts = call["bits"], call["extra_keys"], call["state"]
        assert [kernel.find(key, *parts) for key in keys] == [*call["order"][:kept], *[-1] * (31 - kept)]
    call = table()
    kernel.enter(KEYS, 5, *call.values())
    call["state"][kernel.TEXTS], call["state"][kernel.BYTES], call["state"][kernel.HASHED] = 1, 2, 1
    names = bytearray(b"ab"), array("q", [0, 2]), array("Q", [0] * 8)
    assert texts.rebuild(*names[:2], 1, names[2]) == 0
    assert kernel.forget(9, *(call | {"order": call["order"][:4]}).values(), *names) == kernel.FULL
    for broken in ((names[0][:1], *names[1:]), (names[0], names[1][:1], names[2]), (*names[:2], array("Q", [0]))):
        assert kernel.forget(1, *call.values(), *broken) == kernel.FULL
    assert kernel.forget(3, *call.values(), *names) == 1
    assert texts.find(b"ab", *names) == 0
    assert kernel.forget(1, *call.values(), *names) == 0
    assert texts.find(b"ab", *names) == -1
    assert [call["state"][place] for place in (kernel.TEXTS, kernel.BYTES, kernel.HASHED)] == [0, 0, 0]
    call["order"][0] = 64 + 17
    assert kernel.forget(0, *call.values(), *names) == kernel.FULL


def test_a_new_layout() -> None:
    old = table()
    kernel.enter(KEYS, 5, *old.values())
    state = old["state"]
    state[kernel.TEXTS] = 1
    old["extra_keys"][15] = kernel.GONE
    for words, places in ((1, 32), (2, 8), (2, 16)):
        new = table(places) | {"state": array("q", [5, 1, places, 0, 0, 0, 0, 1, 0, 0])}
        bits, extra_keys = array("Q", [*old["bits"], *[0] * (words - 1)]), new["extra_keys"]
        moves, order = array("I", [7] * 17), array("I", old["order"])
        assert kernel.relocate(old["extra_keys"], 16, bits, extra_keys, moves, new["state"])
        assert kernel.renumber(order, 5, 64, moves)
        out = array("Q", bytes(40))
        assert kernel.keys_in_order(order, 5, 64 * words, extra_keys, out)
        assert out == KEYS
        assert [kernel.find(key, bits, extra_keys, new["state"]) for key in KEYS if key < 2**63] == [
            slot for slot, key in zip(order, KEYS, strict=True) if key < 2**63
        ]
        assert new["state"][kernel.EXTRA] == (2 if words == 2 else 3)
        gone = [move for move, key in zip(moves, old["extra_keys"], strict=True) if key in (0, kernel.GONE)]
        assert gone == [64 * words] * 13
        call = {
            "old_keys": old["extra_keys"], "old_places": 16, "bits": bits, "extra_keys": extra_keys,
            "new_slots": moves, "state": new["state"],
        }  # fmt: skip
        assert not kernel.relocate(*call.values()), "it is not empty any more"
        fresh = call | {"extra_keys": table(4)["extra_keys"], "state": array("q", [5, 1, 4, 0, 0, 0, 0, 1, 0, 1])}
        assert kernel.relocate(*fresh.values()) == (words == 2), "room for one"
        fresh["state"] = array("q", [5, 1, 4, 0, 0, 0, 0, 1, 0, 0])
        for changes in ({"new_slots": moves[:16]}, {"old_places": 17}, {"extra_keys": extra_keys[:4]}):
            assert not kernel.relocate(*(fresh | changes).values())
    assert not kernel.renumber(array("I", [64 + 17]), 1, 64, moves)
    assert not kernel.renumber(array("I", [64]), 2, 64, moves)
    assert not kernel.count_widths(array("Q", [1]), array("q", [0] * 33))
    ends = array("q", [0] * 34)
    assert kernel.count_widths(array("Q", [key for b in range(32) for key in (1 << b, (2 << b) - 1)]), ends)
    assert ends.tolist() == [0, *[2] * 32, 0]


def test_looking_up() -> None:
    call = table()
    kernel.enter(KEYS, 5, *call.values())
    keys = array("Q", [9, 3, 10**18, 5, 64, 65, 10**17])
    parts = call["bits"], call["extra_keys"], 16
    out = array("I", [0] * 7)
    assert mapping.look_up(keys, 1, 6, *parts, out)
    order = call["order"]
    assert out.tolist() == [0, 3, order[1], 5, order[4], 64, 0]
    for first, last in ((-1, 2), (0, 8)):
        assert not mapping.look_up(keys, first, last, *parts, out)
    assert not mapping.look_up(keys, 0, 7, *parts, out[:6])
    for bits, extra_keys, places in (
        (array("Q"), parts[1], 16), (parts[0], parts[1], 12), (parts[0], parts[1], 32), (parts[0], parts[1], 1),
    ):  # fmt: skip
        assert not mapping.look_up(keys, 0, 7, bits, extra_keys, places, out)


def test_what_was_looked_up_is_not_looked_up_again() -> None:
    """Rows whose ids were all found are taken as they are; the others only where nothing was found."""
    for looked_up, wanted in (([70, 71, 7, 7, 7], [70, 71]), ([64, 71, 7, 7, 7], [7, 71])):
        call = mapped() | {"looked_up": array("I", looked_up), "last": 1}
        assert mapped_run(mapping.resolve, call) == kernel.OK
        assert call["out_slots"][:2].tolist() == wanted
        assert call["state"][kernel.SIZE] == (1 if looked_up[0] == 70 else 2)


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
    out = array("Q", [0] * 2)
    for odd in ([0, 1], [0, 2, 1], [-1, 1, 2], [0, 1, 3]):
        assert texts.translate(b"ab", array("q", odd), 0, 2, blob, ends, places, out) == texts.FULL


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
    assert texts.translate(b"".join(names), ends, 0, len(names), *empty, out) == 6
    assert [key for key in out if key < 2**63] == [0, 7, 2**63 - 1]


def test_moving_slots() -> None:
    for move, code in ((slots.move1, "B"), (slots.move2, "H"), (slots.move4, "I"), (slots.move8, "Q")):
        source, target = array(code, [5, 6, 7]), array(code, [0] * 4)
        assert move(source, array("I", [2, 0]), target, array("I", [3, 1]), 2, 3)
        assert target.tolist() == [0, 5, 0, 7]
        assert move(source, array("I", [9, 1]), target, array("I", [9, 0]), 2, 2)
        assert target.tolist() == [6, 5, 0, 7], "slots from the limit on are passed over"
        target[0] = 0
        for here, there, wanted in (([2, 0], [], [7, 5, 0, 7]), ([], [3, 1], [7, 6, 0, 5]), ([], [], [5, 6, 0, 5])):
            assert move(source, array("I", here), target, array("I", there), 2, 3)
            assert target.tolist() == wanted
        for here, there, count in (
            ([3], [0], 1), ([0], [4], 1), ([0], [0, 1], 2), ([0, 1], [0], 2), ([0, 2**32 - 1], [], 2), ([], [], 4),
            ([1, 1, 1, 1, 1], [], 5),
        ):  # fmt: skip
            assert not move(source, array("I", here), target, array("I", there), count, 3)
            assert target.tolist() == [5, 6, 0, 5], "nothing is written"


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.0, -0.0, 1.0, 2.5])), max_size=4), max_size=5))
def test_rows_without_their_zeros(made: list[list[tuple[int, float]]]) -> None:
    entries = [entry for row in made for entry in row]
    indptr = array("q", [0])
    for row in made:
        indptr.append(indptr[-1] + len(row))
    call: dict[str, Any] = {
        "indptr": indptr, "slots": array("I", [slot for slot, _ in entries]),
        "values": array("d", [value for _, value in entries]), "count": len(made),
        "out_indptr": array("q", bytes(8 * len(indptr))), "out_slots": array("I", bytes(4 * len(entries))),
        "out_values": array("d", bytes(8 * len(entries))),
    }  # fmt: skip
    must_refuse(slots.without_zeros, call, ["indptr", "out_indptr"], 0)
    must_refuse(slots.without_zeros, call, ["slots", "values", "out_slots", "out_values"] if entries else [], 0)
    assert slots.without_zeros(*call.values())
    ends, where, what = call["out_indptr"], call["out_slots"], call["out_values"]
    rows = [[*zip(where[a:b], what[a:b], strict=True)] for a, b in pairwise(ends)]
    assert rows == [[entry for entry in row if entry[1]] for row in made]
