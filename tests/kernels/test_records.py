"""Records of a table: where they end, where they start, what is wrong with them."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import records as kernel
from naive.table_reader import records

texts = st.text(st.sampled_from('ab",\n\n\r\x00\té'), max_size=40).map(str.encode)


def scanned(text: bytes, delimiter: str, width: int) -> tuple[list[tuple[int, int, int]], int]:
    room = len(text) // 2 + 1
    found, state = array("q", [-1] * 3 * room), array("q", [0, 0])
    assert kernel.scan(text, 0, len(text), ord(delimiter), width, found, state) == 0
    parts = (found[first : first + state[kernel.RECORDS]] for first in (0, room, 2 * room))
    return list(zip(*parts, strict=True)), state[kernel.LINES]


@given(texts, st.sampled_from([",", "\t"]), st.integers(1, 4))
def test_scan_agrees_with_the_csv_module(text: bytes, delimiter: str, width: int) -> None:
    if not text.endswith(b"\n"):
        text += b"\n"
    found, newlines = scanned(text, delimiter, width)
    assert newlines == text.count(b"\n")
    wanted = records(text, delimiter)
    assert [(start, line + 1) for start, line, _ in found] == [(offset, line) for line, _, offset in wanted]
    for (_, _, fault), (_, cells, _) in zip(found, wanted, strict=True):
        if cells is None:
            assert 0 < fault < kernel.COUNT
        else:
            assert fault == (0 if len(cells) == width else kernel.COUNT + len(cells))


@given(texts, st.lists(st.integers(0, 40), max_size=4))
def test_ends_are_found_in_any_portions(text: bytes, places: list[int]) -> None:
    mode, end, start = bytearray(1), 0, 0
    for stop in [*sorted(min(place, len(text)) for place in places), len(text)]:
        end = max(end, kernel.last_end(text, start, stop, 44, mode))
        start = stop
    whole = [offset for _, _, offset in records(text + b"\n", ",")]
    if mode[0] == kernel.QUOTED:
        assert end <= whole[-1]
    else:  # what is left is no record, or the beginning of one
        assert b"\n" not in text[end:] or b'"' in text[end:]
    assert [offset for offset in whole if offset < end] == [offset for _, _, offset in records(text[:end], ",") if end]


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (b"a,b", 0),
        (b'a"b,"x""y"', 0),
        (b'"a\nb",', 0),
        (b"a,b\r", 0),
        (b"a", kernel.COUNT + 1),
        (b",,", kernel.COUNT + 3),
        (b"a\x00,b", kernel.NUL),
        (b'"\x00",b', kernel.NUL),
        (b"a\rb,c", kernel.RETURN),
        (b"a,b\r\r", kernel.RETURN),
        (b'"a"b,c', kernel.BEHIND),
        (b'"a" ,c', kernel.BEHIND),
        (b'"a"\r,c', kernel.RETURN),
        (b'a,"b', kernel.UNCLOSED),
        (b'7"a,b"', kernel.TORN),
        (b'7"a,b"\r', kernel.TORN),
        (b'7"a,b"c', 0),
        (b'7",b"', 0),
        (b'7"a,"b"', 0),
        (b'7"a"b,c"', 0),
        (b'7"a,b""', 0),
    ],
)
def test_faults(record: bytes, fault: int) -> None:
    assert [row[2] for row in scanned(record + b"\n", ",", 2)[0]] == [fault]


def test_misuse() -> None:
    call = {
        "text": b"a\nb\nc\n", "start": 0, "end": 6, "delimiter": 44, "width": 1, "found": array("q", [0] * 12),
        "state": array("q", [0] * 2),
    }  # fmt: skip
    must_refuse(kernel.scan, call, ["text", "found", "state"], -1)
    for changes in ({"start": -1}, {"start": 7}, {"end": 5}):
        assert kernel.scan(*(call | changes).values()) == -1
    assert kernel.last_end(b"a\n", 0, 3, 44, bytearray(1)) == -1
    assert kernel.last_end(b"a\n", -1, 2, 44, bytearray(1)) == -1
    assert kernel.last_end(b"a\n", 2, 1, 44, bytearray(1)) == -1
    assert kernel.last_end(b"a\n", 0, 2, 44, bytearray()) == -1
