"""What was wrong with a line of VW text, in words."""

from __future__ import annotations

from mistakebound.io.excerpts import short
from mistakebound.kernels import vw as kernel


def describe(status: int, line: bytes | bytearray, offset: int) -> str:
    """One sentence about the word that starts at `offset`.

    >>> describe(kernel.BAD_VALUE, b"1 | price:much", 4)
    "the value 'much' of attribute 'price' is not a finite decimal number"
    """
    words = line[offset:].replace(b"|", b" ").split(None, 1)
    word = words[0] if words else b""
    name, colon, value = word.partition(b":")
    if b"|" not in line and status != kernel.BAD_BYTE:
        status = kernel.NO_BAR  # then nothing else is what it seems
    if status == kernel.BAD_BYTE:
        return f"a control character (byte 0x{line[offset]:02x}) stands in the line"
    if status == kernel.BAD_LABEL:
        return f"the label {short(word)} is not UTF-8"
    if status == kernel.NO_LABEL:
        return "the row has no label" + _touching(line)
    if status == kernel.NO_BAR:
        return "the row has no |, which stands before the attributes"
    if status == kernel.BAD_WEIGHT:
        return f"the weight {short(word)} is not a finite number above 0"
    if status == kernel.SEVERAL_LABELS:
        return f"{short(word)} is a label with costs, or one of several labels: one plain label a row is read"
    if status == kernel.BAD_HEAD:
        return f"{short(word)} is one word too many: label, weight and tag stand before the first |"
    if status in (kernel.BAD_SPACE, kernel.BAD_SCALE) and not name:
        return "a namespace has a scale and no name"
    if status == kernel.BAD_SPACE:
        return f"the namespace {short(name)} is not UTF-8"
    if status == kernel.BAD_SCALE:
        return f"the scale {short(value)} of namespace {short(name)} is not a finite decimal number"
    if status == kernel.BAD_NAME and not name:
        return "an attribute has no name"
    if status == kernel.BAD_NAME:
        return f"attribute {short(name)} is not UTF-8"
    if status == kernel.NAMES_FULL:
        return "the names of the row, each with its namespace, take more than 2^30 bytes"
    if status == kernel.BAD_VALUE and colon and not value:
        return f"attribute {short(name)} has no value"
    if status == kernel.BAD_VALUE:
        return f"the value {short(value)} of attribute {short(name)} is not a finite decimal number"
    raise AssertionError(f"the parser's buffers do not fit: status {status}")


def _touching(line: bytes | bytearray) -> str:
    head = line.partition(b"|")[0]
    if head[-1:] in (b"", b" ", b"\t"):
        return ""
    # As the parser splits: to str.split() a no-break space is a blank too, and might leave no word.
    word = head.replace(b"\t", b" ").split(b" ")[-1]
    return f" ({short(word)} touches the |, so that it is a tag)"
