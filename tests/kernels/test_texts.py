"""The canonical order of new names, and names of any length found by their bytes."""

from __future__ import annotations

import random
from array import array

from mistakebound.core.block import ANY, BlockNames
from mistakebound.core.names import attribute_order
from mistakebound.kernels import texts


def names(draw: random.Random, count: int) -> list[str]:
    letters = "ab\x00z\x7f\u00e4\u20ac\ud800\uffff\U0001f600"
    stems = ["", "prefix=", "a long prefix that all have = "]
    made = {draw.choice(stems) + "".join(draw.choices(letters, k=draw.randrange(1, 20))) for _ in range(count)}
    return [name for name in made if not name.isascii() or not name.isdecimal()]


def test_ranks_are_those_of_the_names() -> None:
    draw = random.Random(1)
    for count in (0, 1, 2, 3, 7, 8, 9, 200):
        listed = names(draw, count)
        block = BlockNames.of(listed)
        keys = array("Q", [texts.UNKNOWN if draw.random() < 0.8 else 7 for _ in listed])
        places = [place for place, key in enumerate(keys) if key == texts.UNKNOWN]
        ranked, spare = array("I", bytes(4 * len(places))), array("I", bytes(4 * len(places)))
        assert texts.rank(block.blob, block.ends, len(listed), keys, ranked, spare) == len(places)
        assert ranked.tolist() == sorted(places, key=lambda place: attribute_order(listed[place]))
        assert [keys[place] - texts.UNKNOWN for place in ranked] == list(range(len(places)))


def test_every_name_is_found_and_no_other() -> None:
    draw = random.Random(2)
    listed = names(draw, 300)
    known, asked = BlockNames.of(listed[:150]), BlockNames.of(listed)
    places = array("Q", bytes(16 * 1024))
    assert texts.rebuild(known.blob, known.ends, known.count, places) == 0
    out = array("Q", bytes(8 * len(listed)))
    unknown = texts.translate(asked.blob, asked.ends, len(listed), known.blob, known.ends, places, out)
    assert unknown == len(listed) - 150
    assert out.tolist() == [(1 << 63) + k if k < 150 else texts.UNKNOWN for k in range(len(listed))]
    for k, name in enumerate(listed):
        assert texts.find(name.encode(errors=ANY), known.blob, known.ends, places) == (k if k < 150 else -1)


def test_buffers_that_do_not_fit() -> None:
    block, keys = BlockNames.of(["b", "a"]), array("Q", [texts.UNKNOWN] * 2)
    room = array("I", bytes(8))
    assert texts.rank(block.blob, block.ends, 2, keys, room, room[:1]) == texts.FULL
    assert texts.rank(block.blob, block.ends, 2, keys, room[:1], room) == texts.FULL
    assert texts.rank(block.blob[:1], block.ends, 2, keys, room, room[:]) == texts.FULL
    assert texts.rank(block.blob, block.ends, 3, keys, room, room[:]) == texts.FULL
    assert texts.rank(block.blob, array("q", [0, 2, 1]), 2, keys, room, room[:]) == texts.FULL
    assert keys.tolist() == [texts.UNKNOWN] * 2
