"""What was wrong with a line of libsvm text, in words."""

from __future__ import annotations

from mistakebound.kernels import libsvm as kernel

_SHOWN = 80  # characters of a line
_WORD = 40  # characters of a word in it


def _text(data: bytes | bytearray) -> str:
    return data.decode(errors="backslashreplace")


def _short(data: bytes | bytearray) -> str:
    word = _text(data[: 4 * _WORD])
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
    text = _text(line[start : start + 4 * _SHOWN])
    if start:
        text = "..." + text
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def describe(status: int, line: bytes | bytearray, offset: int) -> str:
    """One sentence about the word that starts at `offset`.

    >>> describe(kernel.BAD_ID, b"1 x:1", 2), describe(kernel.BAD_VALUE, b"1 3:1e999", 2)
    ("attribute 'x' is not a number", "the value '1e999' of attribute 3 is not a finite decimal number")
    """
    words = line[offset:].split(None, 1)
    word = words[0].partition(b"#")[0] if words else b""
    name, colon, value = word.partition(b":")
    if status == kernel.BAD_BYTE:
        return f"a control character (byte 0x{line[offset]:02x}) stands in the line"
    if status == kernel.BAD_LABEL:
        return f"the label {_short(word)} is not UTF-8"
    if status == kernel.NO_LABEL:
        return "the row has no label"
    if status == kernel.ID_RANGE:
        return f"attribute {_short(name)} is above 2^63 - 1"
    if status == kernel.BAD_QID:
        return f"the query {_short(value)} is not a number"
    if status == kernel.BAD_VALUE and not value:
        return f"attribute {_text(name)} has no value"
    if status == kernel.BAD_VALUE:
        return f"the value {_short(value)} of attribute {_text(name)} is not a finite decimal number"
    if status == kernel.BAD_ID and not colon:
        return f"{_short(word)} is not attribute:value"
    if status == kernel.BAD_ID:
        return f"attribute {_short(name)} is not a number"
    raise AssertionError(f"the parser's buffers do not fit: status {status}")
