"""Words and lines of a text, short enough to stand in an error."""

from __future__ import annotations

_SHOWN = 80  # characters of a line
_WORD = 40  # characters of a word in it


def plain(data: bytes | bytearray) -> str:
    return data.decode(errors="backslashreplace")


def short(data: bytes | bytearray) -> str:
    word = plain(data[: 4 * _WORD])
    return repr(word if len(word) <= _WORD else word[: _WORD - 3] + "...")


def excerpt(line: bytes | bytearray, offset: int) -> str:
    """The line, or at most 80 characters of it that show the trouble at `offset`.

    >>> excerpt(b"1 x:1\\r", 2), excerpt(b"1 " + b"1:1 " * 30 + b"x:1", 122)
    ('1 x:1', '...1:1 1:1 1:1 1:1 1:1 x:1')
    """
    line = line.rstrip(b"\r")
    start = 0 if offset < _SHOWN // 2 else offset - _SHOWN // 4
    if len(line) <= _SHOWN:
        start = 0
    text = plain(line[start : start + 4 * _SHOWN])
    if start:
        text = "..." + text
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
