"""What was wrong with a line of libsvm text, in words."""

from __future__ import annotations

from mistakebound.io.excerpts import plain, short
from mistakebound.kernels import libsvm as kernel


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
        return f"the label {short(word)} is not UTF-8"
    if status == kernel.NO_LABEL:
        return "the row has no label"
    if status == kernel.ID_RANGE:
        return f"attribute {short(name)} is above 2^63 - 1"
    if status == kernel.BAD_QID:
        return f"the query {short(value)} is not a number"
    if status == kernel.BAD_VALUE and not value:
        return f"attribute {plain(name)} has no value"
    if status == kernel.BAD_VALUE:
        return f"the value {short(value)} of attribute {plain(name)} is not a finite decimal number"
    if status == kernel.BAD_ID and not colon:
        return f"{short(word)} is not attribute:value"
    if status == kernel.BAD_ID:
        return f"attribute {short(name)} is not a number"
    raise AssertionError(f"the parser's buffers do not fit: status {status}")
