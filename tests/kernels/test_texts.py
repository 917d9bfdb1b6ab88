"""The canonical order of new names, and names of any length found by their bytes."""

from __future__ import annotations

import random
from array import array

from mistakebound.core.block import ANY, BlockNames
from mistakebound.core.names import attribute_order
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import texts


def names(draw: random.Random, count: int) -> list[str]:
    letters = "ab\x00z\x7f\u00e4\u20ac\ud800\uffff\U0001f600"
    stems = ["", "prefix=", "a long prefix that all have = "]
    made = {draw.choice(stems) + "".join(draw.choices(letters, k=draw.randrange(1, 20))) for _ in range(count)}
    return [name for name in made if not name.isascii() or not name.isdecimal()]


def test_new_names_come_in_canonical_order() -> None:
    draw = random.Random(1)
    for count in (0, 1, 2, 3, 7, 32, 33, 34, 200):
        listed = names(draw, count)
        block = BlockNames.of(listed)
        places = [place for place in range(len(listed)) if draw.random() < 0.8]
        draw.shuffle(places)
        keys, payload = array("Q", [7, *(texts.UNKNOWN + place for place in places)]), array("I", [9, *places])
        assert texts.canonical(block.blob, block.ends, keys, payload, 1, len(keys))
        assert payload.tolist() == [9, *sorted(places, key=lambda place: attribute_order(listed[place]))]
        assert [key - texts.UNKNOWN for key in keys[1:]] == payload[1:].tolist()
        assert keys[0] == 7


def test_every_name_is_found_and_no_other() -> None:
    draw = random.Random(2)
    listed = names(draw, 300)
    known, asked = BlockNames.of(listed[:150]), BlockNames.of(listed)
    places = array("Q", bytes(16 * 1024))
    assert texts.rebuild(known.blob, known.ends, known.count, places) == 0
    out = array("Q", bytes(8 * len(listed)))
    unknown = texts.translate(asked.blob, asked.ends, 0, len(listed), known.blob, known.ends, places, out)
    assert unknown == len(listed) - 150
    later = array("Q", bytes(8 * len(listed)))
    assert texts.translate(asked.blob, asked.ends, 140, len(listed), known.blob, known.ends, places, later) == unknown
    assert later[140:] == out[140:]
    assert not any(later[:140])
    assert texts.first_unknown(out, 0, len(listed)) == (150, 150)
    assert texts.first_unknown(out, 150, len(listed)) == (150, 0)
    assert texts.first_unknown(out, 20, 120) == (120, 100)
    assert out.tolist() == [(1 << 63) + k if k < 150 else texts.UNKNOWN for k in range(len(listed))]
    for k, name in enumerate(listed):
        assert texts.find(name.encode(errors=ANY), known.blob, known.ends, places) == (k if k < 150 else -1)


def test_buffers_that_do_not_fit() -> None:
    block, keys = BlockNames.of(["b", "a"]), array("Q", [texts.UNKNOWN + 1, texts.UNKNOWN])
    room = array("I", bytes(8))
    assert not texts.canonical(block.blob, block.ends, keys, room[:1], 0, 2)
    assert not texts.canonical(block.blob, block.ends, keys[:1], room, 0, 2)
    assert not texts.canonical(block.blob[:1], block.ends, keys, room, 0, 2)
    assert not texts.canonical(block.blob, block.ends[:2], keys, room, 0, 2)
    assert not texts.canonical(block.blob, array("q", [0, 2, 1]), keys, room, 0, 2)
    assert not texts.canonical(block.blob, block.ends, array("Q", [7, texts.UNKNOWN]), room, 0, 2)
    assert not texts.canonical(block.blob, block.ends, keys, room, -1, 2)
    assert keys.tolist() == [texts.UNKNOWN + 1, texts.UNKNOWN]
    for first, last in ((0, 3), (-1, 2), (2, 1)):
        assert texts.first_unknown(keys, first, last) == (-1, 0)


def test_names_enter_their_hash_later() -> None:
    listed = names(random.Random(3), 100)
    known, places = BlockNames.of(listed), array("Q", bytes(8 * 512))
    state = array("q", [0] * 7 + [60, 0, 0])
    for count in (60, 60, len(listed)):
        state[kernel.TEXTS] = count
        assert texts.catch_up(known.blob, known.ends, places, state) == 0
        assert state[kernel.HASHED] == count
        found = [texts.find(name.encode(errors=ANY), known.blob, known.ends, places) for name in listed]
        assert found == [*range(count), *[-1] * (len(listed) - count)]
    before = places.tobytes(), state.tobytes()
    for parts in (
        (known.blob[:1], known.ends, places, state),
        (known.blob, known.ends[:-1], places, state),
        (known.blob, known.ends, places[:256], state),
        (known.blob, known.ends, places[:511], state),
        (known.blob, known.ends, places, state[:9]),
        (known.blob, known.ends, places, array("q", [*state[:9], -1])),
    ):
        assert texts.catch_up(*parts) == texts.FULL
    assert (places.tobytes(), state.tobytes()) == before
