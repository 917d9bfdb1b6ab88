"""The parser of VW blocks called directly: words, names and buffers that do not fit together."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from inputs.vw_texts import rows_of
from kernels.misuse import must_refuse
from mistakebound.io.vw import VwChunk
from mistakebound.kernels import _words
from mistakebound.kernels import vw as kernel
from naive.vw_reader import read

TEXT = b"1 |n a:2 b\n"


def call() -> dict[str, Any]:
    """A call with no more room than it needs."""
    size = len(TEXT)
    state = array("q", bytes(88))
    state[kernel.GENERATION], state[kernel.BITS] = 1, 3
    rows, entries = size // 2, size // 2 + 1
    return {
        "buf": array("B", TEXT + bytes(kernel.SLACK)),
        "end": size,
        "keys": array("Q", bytes(8 * entries)),
        "values": array("d", bytes(8 * entries)),
        "indptr": array("q", bytes(8 * (rows + 1))),
        "tokens": array("i", bytes(4 * rows)),
        "lines": array("q", bytes(8 * rows)),
        "weights": array("d", bytes(8 * (rows + 1))),
        "label_texts": array("B", bytes(size)),
        "label_ends": array("q", bytes(8 * 5)),
        "label_slots": array("i", bytes(4 * 8)),
        "names": array("B", bytes(64)),
        "name_ends": array("q", bytes(8 * entries)),
        "table": array("Q", bytes(8 * 32)),
        "spans": array("Q", bytes(8 * rows)),
        "spaces": array("Q", bytes(8 * rows)),
        "lasts": array("Q", bytes(8 * rows)),
        "unlabelled_ok": False,
        "state": state,
        "place": array("q", bytes(24)),
    }


def test_no_more_room_than_needed() -> None:
    full = call()
    assert kernel.parse_block(*full.values()) == kernel.OK
    assert full["names"][:6].tobytes() == b"n^an^b"
    assert (full["keys"][:2].tolist(), full["values"][:2].tolist()) == ([0, 1], [2.0, 1.0])
    buffers = [name for name, value in full.items() if isinstance(value, array) and name not in ("names", "label_ends")]
    must_refuse(kernel.parse_block, call(), buffers, kernel.CAPACITY)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((place, -1) for place in (kernel.POS, kernel.ROWS, kernel.ENTRIES, kernel.LABELS, kernel.NAMES)),
        *((kernel.POS, 99), (kernel.LABELS, 5), (kernel.NAMES, 5), (kernel.GENERATION, 0), (kernel.BITS, 4)),
        *((kernel.BITS, 2), (kernel.BITS, 64), (kernel.GENERATION, 1 << 30)),
    ],
)
def test_a_state_that_cannot_be(place: int, value: int) -> None:
    wrong = call()
    wrong["state"][place] = value
    assert kernel.parse_block(*wrong.values()) == kernel.CAPACITY


def test_a_text_must_end_with_a_newline() -> None:
    wrong = call()
    wrong["buf"][wrong["end"] - 1] = 32
    assert kernel.parse_block(*wrong.values()) == kernel.CAPACITY


def test_room_for_names_that_runs_out_is_said_and_nothing_kept() -> None:
    short = call()
    short["names"] = short["names"][:20]
    assert kernel.parse_block(*short.values()) == kernel.NAMES_FULL
    assert [short["state"][k] for k in (kernel.POS, kernel.ROWS, kernel.ENTRIES, kernel.NAMES)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "space", ["", "n", "ns", "name_s", "name_sp", "name_spa", "name_spac", "a_name_that_is_longer_than"]
)
def test_every_width_of_name_behind_every_width_of_namespace(space: str) -> None:
    names = ["abcdefghijklmnopqrstuvwxyz"[:k] for k in range(1, 27)]
    text = f"1 |{space} {' '.join(names)}\n1 | {' '.join(f'{space}^{name}' for name in names)} x\n".encode()
    chunk = VwChunk(len(text), False, False)
    chunk.text[: len(text)] = text
    chunk.end = len(text)
    chunk.parse()
    block = chunk.block("")
    assert rows_of(block) == read(text)[0]
    assert block.columns is not None
    assert block.columns.count == (len(names) if space else 2 * len(names)) + 1  # one name, however it is written


def test_words() -> None:
    for k in range(8):
        for byte in (0, 9, 10, 13, 31, 32, 58, 124):
            text = bytes([33, 59, 123, 125, 127, 128, 255, 57])[:k] + bytes([byte]) + b" :|xyz~~"
            assert _words.stop(_words.word(text[:8])) == k
    assert _words.leading_zeros(0) == 64
    assert _words.leading_zeros(1 << 63) == 0
