"""The parser of libsvm blocks against the plain reader, and what it does when it is misused."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inputs.rows import rows_of, texts
from mistakebound.io.libsvm import LibsvmChunk
from mistakebound.kernels import compiled
from mistakebound.kernels import libsvm as kernel
from mistakebound.kernels.number import read_number
from naive.libsvm_reader import read


def parse(text: bytes, unlabelled_ok: bool = False, skip: bool = True) -> LibsvmChunk:
    chunk = LibsvmChunk(len(text) + 1, unlabelled_ok, skip)
    if text and not text.endswith(b"\n"):
        text += b"\n"
    chunk.text[: len(text)] = text
    chunk.end = len(text)
    chunk.parse()
    return chunk


@given(texts(), st.booleans())
@example(b"1 1:1\n1 1:0.5 2:1\n1 3:1 4:1\n", False)
@example(b"1 12:1 1:1 x\n1 1:2 2:1 x:1\n1 1:1\n", False)
@example(b"0 1:1\n00 1:1\n000 1:1\n0 1:1\n", False)
@example(b"1 1:1\n01 1:1\n001 1:1\n1 1:1\n", False)
@example(b"1 5:1 5:1 6:1\n", False)
@example(b"1 1:0.5 2:x.5 3:1\n1 1:0.5 2:/.5\n1 1:0.5 2::.5\n1 1:0.55 2:0.5x\n1 1:0.55 2:0.x5\n", False)
@example(b"1 1000000000000000000:1 9999999999999999999:1 1:1\n", False)
def test_agrees_with_the_plain_reader(text: bytes, unlabelled_ok: bool) -> None:
    rows, bad = read(text, unlabelled_ok, as_written=True)
    chunk = parse(text, unlabelled_ok)
    block = chunk.block("")
    assert rows_of(block) == rows
    assert [line for line, _ in chunk.bad_lines] == bad
    assert (block.values is not None) == any(value != 1 for _, _, row in rows for _, value in row)
    ids = [[key for key, _ in row] for _, _, row in rows]
    assert block.ascending == all(row == sorted(set(row)) for row in ids)
    assert sorted({row[1] for row in rows if row[1] is not None}) == sorted(block.label_tokens)


@given(texts())
def test_stops_at_the_first_bad_line(text: bytes) -> None:
    rows, bad = read(text, as_written=True)
    chunk = parse(text, skip=False)
    assert rows_of(chunk.block("")) == [row for row in rows if not bad or row[0] < bad[0]]
    assert (chunk.error[0] if chunk.error else None) == (bad[0] if bad else None)


def test_every_width_of_id_in_every_order() -> None:
    draw = random.Random(5)
    ids = [draw.randrange(10 ** (w - 1), min(10**w, 2**63)) for w in range(1, 20) for _ in range(6)]
    for _ in range(5):
        row = [(key, draw.choice([1.0, 1.0, 0.5, 12.25, 3.0])) for key in ids]
        text = b"y" + b"".join(b" %d:%s" % (key, f"{value:g}".encode()) for key, value in row) + b"\n"
        block = parse(text * 2).block("")
        assert rows_of(block) == [(1, b"y", row), (2, b"y", row)]
        assert not block.ascending
        draw.shuffle(ids)
    assert parse(b"1" + b"".join(b" %d:1" % key for key in sorted(set(ids))) + b"\n").block("").ascending


@pytest.mark.parametrize("width", [1, 5, 8, 9, 12, 16, 17, 19])
def test_one_strange_byte_in_an_id(width: int) -> None:
    digits = b"1234567890123456789"[:width]
    for place in range(width):
        for strange in b"/:;x\x80\xff\x00 ":
            word = digits[:place] + bytes([strange]) + digits[place + 1 :]
            text = b"1 %s:1 %s:1 %s:1\n" % (digits, word, digits)
            rows, bad = read(text, as_written=True)
            chunk = parse(text)
            assert rows_of(chunk.block("")) == rows
            assert [line for line, _ in chunk.bad_lines] == bad


def test_digits_by_the_thousand() -> None:
    draw = random.Random(3)
    out = array("d", [0.0])
    for _ in range(3000):
        digits = str(draw.randrange(10 ** draw.randrange(1, 21)))
        point = draw.randrange(len(digits) + 1)
        number = f"{digits[:point]}.{digits[point:]}e{draw.randrange(-25, 26)}"
        if draw.random() < 0.5:
            number = f"{digits}e{draw.choice([-24, -23, -22, -20, -19, -17, -1, 22, 23])}"
        assert read_number(number.encode() + b"\n" + bytes(8), out) == len(number)
        assert out[0].hex() == float(number).hex(), number


@given(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
        st.from_regex(r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True),
        st.builds(lambda m, e: f"{m}e{e}", st.integers(2**53 - 2, 2**54), st.integers(-25, 25)),
    )
)
@example("0." + "0" * 10_000 + "1e100000")
@example("0." + "0" * 99_999 + "1e100000")
@example("1" + "0" * 400 + "e-400")
@example("9007199254740993")  # a tie between two doubles
@example("900719925474099.3")
@example("0.50000000000000005551115123125782")  # just above a tie
@example("4503599627370496.5")  # a tie: to the even one below, and
@example("4503599627370497.5")  # above
@example("2.4703282292062327e-324")
@example("1.7976931348623159e308")
@example("1e" + "0" * 300 + "1")
def test_numbers_are_rounded_as_python_rounds_them(number: str) -> None:
    out = array("d", [7.0])
    text = number.encode()
    wanted = float(number)
    if wanted in (float("inf"), float("-inf")):
        assert read_number(text + b"\n" + bytes(8), out) == -1
    else:
        assert read_number(text + b"\n" + bytes(8), out) == len(text)
        assert out[0].hex() == wanted.hex()


@pytest.mark.parametrize("number", ["", ".", "-", "+.", "e5", "1e", "1e+", "1.5.2", "0x10", "1_0", "nan", "inf", "1d5"])
def test_what_is_not_a_decimal_number(number: str) -> None:
    assert read_number(number.encode() + b"\n" + bytes(8), array("d", [0.0])) == -1


def test_more_labels_than_the_table_holds_come_in_several_blocks() -> None:
    text = b"".join(b"%s 1:1\n" % (b"a" * (k % 300 + 1)) for k in range(600))
    chunk = LibsvmChunk(len(text), False, False)
    chunk.ends = chunk.ends[:101]  # room for 100, in a table that is tight: labels meet in it
    chunk.slots = chunk.slots[:256]
    chunk._write_here()
    chunk.text[: len(text)] = text
    chunk.end = len(text)
    chunk.parse()
    rows, blocks = [], 0
    while True:
        blocks += 1
        rows += rows_of(chunk.block(""))
        if not chunk.parse_rest():
            break
    assert rows == read(text)[0]
    assert blocks == 6


ENTRIES = "keys", "values", "indptr", "tokens", "lines"
LABELS = "label_texts", "label_ends", "label_slots"


def buffers(end: int) -> dict[str, Any]:
    return {
        "buf": bytearray(b"1 1:1\n" * 4 + bytes(kernel.SLACK)),
        "end": end,
        "keys": array("I", bytes(4 * 7)),
        "values": array("d", bytes(8 * 7)),
        "indptr": array("q", bytes(8 * 13)),
        "tokens": array("i", bytes(4 * 12)),
        "lines": array("q", bytes(8 * 12)),
        "label_texts": bytearray(24),
        "label_ends": array("q", bytes(16)),
        "label_slots": array("i", bytes(8)),
        "state": array("q", bytes(64)),
    }


def parsed(given: dict[str, Any]) -> int:
    entries, labels = ([given[name] for name in names] for names in (ENTRIES, LABELS))
    rows = kernel.LibsvmRows(tuple(entries), tuple(labels), given["state"])
    return rows.parse(given["buf"], given["end"], False)


def test_buffers_that_are_just_large_enough() -> None:
    assert parsed(buffers(24)) == kernel.OK
    assert parsed(buffers(24) | {"keys": array("Q", bytes(8 * 7))}) == kernel.OK


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("end", 25),
        ("end", 23),
        ("end", -1),
        ("buf", bytearray(b"1 1:1\n" * 4 + bytes(kernel.SLACK - 1))),
        ("keys", array("I", bytes(4 * 6))),
        ("keys", array("Q", bytes(8 * 6))),
        ("values", array("d", bytes(8 * 6))),
        ("indptr", array("q", bytes(8 * 12))),
        ("tokens", array("i", bytes(4 * 11))),
        ("lines", array("q", bytes(8 * 11))),
        ("label_texts", bytearray(23)),
        ("state", array("q", [-1, 0, 0, 0, 0, 0, 0, 0])),
        ("state", array("q", [30, 0, 0, 0, 0, 0, 0, 0])),
        ("state", array("q", [0, 0, -1, 0, 0, 0, 0, 0])),
        ("state", array("q", [0, 0, 0, -1, 0, 0, 0, 0])),
        ("state", array("q", [0, 0, 0, 0, 2, 0, 0, 0])),
    ],
)
def test_buffers_that_do_not_fit_are_refused(name: str, value: object) -> None:
    assert parsed(buffers(24) | {name: value}) == kernel.CAPACITY


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("label_ends", array("q", bytes(8))),
        ("label_slots", array("i", bytes(4))),
        ("label_slots", array("i", bytes(12))),
        ("state", array("q", bytes(56))),
    ],
)
def test_rows_are_not_made_over_tables_that_do_not_fit(name: str, value: object) -> None:
    with pytest.raises(AssertionError, match="do not fit together"):
        parsed(buffers(24) | {name: value})


def test_labels_end_within_their_texts() -> None:
    given = buffers(24) | {"state": array("q", [0, 0, 1, 0, 1, 0, 0, 0]), "label_ends": array("q", [0, -(10**9)])}
    assert parsed(given | {"indptr": array("q", bytes(8 * 14)), "tokens": array("i", bytes(4 * 13))}) == kernel.CAPACITY


def test_rows_over_buffers_that_were_refused_parse_nothing() -> None:
    held = buffers(24)
    entries, labels = (tuple(held[name] for name in names) for names in (ENTRIES, LABELS))
    rows = kernel.LibsvmRows(entries, labels, held["state"])
    for slots in (array("i"), array("i", [0] * 3)):
        with pytest.raises(AssertionError, match="do not fit together"):
            rows.__init__(entries, (*labels[:2], slots), held["state"])  # type: ignore[misc]
        assert rows.parse(held["buf"], 24, False) == kernel.CAPACITY
    if compiled():  # uncompiled kernels take no views
        rows.__init__(entries, labels, held["state"])  # type: ignore[misc]
        with pytest.raises(ValueError, match="Buffer dtype mismatch"):
            rows.__init__((array("d", bytes(56)), *entries[1:]), labels, held["state"])  # type: ignore[misc]
        assert rows.parse(held["buf"], 24, False) == kernel.CAPACITY


def test_a_number_needs_a_newline_and_slack() -> None:
    assert read_number(b"1" + bytes(20), array("d", [0.0])) == -2
    assert read_number(b"1\n" + bytes(7), array("d", [0.0])) == -2
    assert read_number(b"1\n" + bytes(8), array("d")) == -2
