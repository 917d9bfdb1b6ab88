"""The parser of VW blocks called directly: words, names and buffers that do not fit together."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from inputs.vw_texts import rows_of
from mistakebound.io.vw import VwChunk
from mistakebound.kernels import _words
from mistakebound.kernels import libsvm as state_of
from mistakebound.kernels import vw as kernel
from mistakebound.kernels.name_table import NameTable
from naive.vw_reader import read

TEXT = b"1 |n a:2 b\n"


def call() -> dict[str, Any]:
    """Buffers with no more room than the text needs."""
    size = len(TEXT)
    rows, entries = size // 2, size // 2 + 1
    return {
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
        "state": array("q", bytes(72)),
    }


def rows_over(buffers: dict[str, Any]) -> kernel.VwRows:
    keys, values, indptr, tokens, lines, weights, label_texts, label_ends, label_slots, names, state = buffers.values()
    table = NameTable(names, array("q", bytes(80)), array("I", bytes(128)), array("Q", bytes(320)))
    rows = kernel.VwRows(
        (keys, values, indptr, tokens, lines, weights), (label_texts, label_ends, label_slots), table, state
    )
    rows.clear(False)
    return rows


def parsed(rows: kernel.VwRows, text: bytes = TEXT) -> int:
    return rows.parse(array("B", text + bytes(kernel.SLACK)), len(text), False)


def test_no_more_room_than_needed() -> None:
    full = call()
    assert parsed(rows_over(full)) == kernel.OK
    assert full["names"][:6].tobytes() == b"n^an^b"
    assert (full["keys"][:2].tolist(), full["values"][:2].tolist()) == ([0, 1], [2.0, 1.0])


@pytest.mark.parametrize("name", [name for name in call() if name not in ("names", "label_ends", "state")])
def test_a_buffer_that_is_too_short_is_refused(name: str) -> None:
    short = call()
    short[name] = short[name][:-1]
    assert parsed(rows_over(short)) == kernel.CAPACITY


@pytest.mark.parametrize("name", ["state", "label_ends", "indptr"])
def test_a_block_does_not_begin_without_room_for_its_counts(name: str) -> None:
    short = call()
    short[name] = short[name][:0]
    with pytest.raises(AssertionError, match="do not fit together"):
        rows_over(short)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((place, -1) for place in (state_of.POS, state_of.ROWS, state_of.ENTRIES, state_of.LABELS, kernel.NAMES)),
        *((state_of.POS, 99), (state_of.ENTRIES, 1), (state_of.LABELS, 5), (kernel.NAMES, 5)),
    ],
)
def test_a_state_that_cannot_be(place: int, value: int) -> None:
    wrong = call()
    rows = rows_over(wrong)
    wrong["state"][place] = value
    assert parsed(rows) == kernel.CAPACITY


def test_a_text_must_end_with_a_newline() -> None:
    assert parsed(rows_over(call()), TEXT[:-1] + b" ") == kernel.CAPACITY


def test_room_for_names_that_runs_out_is_said_and_nothing_kept() -> None:
    short = call()
    short["names"] = short["names"][:36]
    text = b"1 |namespace_x a b\n"
    buffers = {name: array(b.typecode, bytes(3 * len(b) * b.itemsize)) for name, b in short.items()}
    buffers |= {"names": short["names"], "label_slots": short["label_slots"], "label_ends": short["label_ends"]}
    assert parsed(rows_over(buffers), text) == kernel.NAMES_FULL
    assert [buffers["state"][k] for k in (state_of.POS, state_of.ROWS, state_of.ENTRIES, kernel.NAMES)] == [0, 0, 0, 0]


@pytest.mark.parametrize("short", range(4))
def test_a_table_whose_buffers_do_not_fit_is_refused(short: int) -> None:
    buffers = [array("B", bytes(64)), *(array(code, bytes(256)) for code in "qIQ")]
    buffers[short] = buffers[short][:1]
    with pytest.raises(AssertionError, match="do not fit together"):
        NameTable(*buffers)


@pytest.mark.parametrize("kept", [True, False])
def test_names_are_the_same_after_thousands_of_others(kept: bool) -> None:
    names = [f"{'n' * (k % 19)}{k * 7919 % 5003}" for k in range(5000)]
    lines = [f"1 | {' '.join(names[k : k + 300])}\n" for k in range(0, 5000, 250)]
    chunk = VwChunk(1 << 17, False, False)
    for number in range(2):
        text = "".join(lines).encode()
        chunk.text[: len(text)] = text
        chunk.end = len(text)
        chunk.columns.lasting = kept and number > 0
        chunk.parse()
        block = chunk.block("")
        assert rows_of(block) == read(text)[0]
        assert block.columns is not None
        assert block.columns.count == len(set(names))


def test_a_row_whose_names_have_no_room_beside_those_that_are_kept() -> None:
    chunk = VwChunk(1 << 12, False, False)
    space = "n" * 1000
    for text in (f"1 | {'a' * 1500}\n".encode(), f"1 |{space} {' '.join(f'x{k}' for k in range(15))}\n".encode()):
        chunk.text[: len(text)] = text
        chunk.end = len(text)
        found = []
        chunk.parse()
        while True:
            chunk.columns.lasting = True
            found += rows_of(chunk.block(""))
            if not chunk.parse_rest():
                break
        assert found == read(text)[0]


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
    for k in range(17):
        text = b"abcdefghijklmnopq"[:k] + b" :|xyz~~abcdefgh"
        assert _words.name_stop(text[:16]) == k
        assert _words.first_word(_words.word(text[:8]), k) == _words.word(text[: min(k, 8)])
        assert _words.second_word(_words.word(text[8:16]), k) == _words.word(text[8 : max(k, 8)])
