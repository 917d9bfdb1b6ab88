"""What is wrong with a line of text, in words, with an excerpt that fits into an error."""

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


def describe_libsvm(status: int, line: bytes | bytearray, offset: int) -> str:
    """One sentence about the word that starts at `offset`.

    >>> from mistakebound.kernels import libsvm as kernel
    >>> describe_libsvm(kernel.BAD_ID, b"1 x:1", 2), describe_libsvm(kernel.BAD_VALUE, b"1 3:1e999", 2)
    ("attribute 'x' is not a number", "the value '1e999' of attribute 3 is not a finite decimal number")
    """
    from mistakebound.kernels import libsvm as kernel

    words = line[offset:].split(None, 1)
    word = words[0].partition(b"#")[0] if words else b""
    name, colon, value = word.partition(b":")
    if status == kernel.BAD_BYTE:
        return f"the line has a control character (byte 0x{line[offset]:02x})"
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


def describe_vw(status: int, line: bytes | bytearray, offset: int) -> str:
    """One sentence about the word that starts at `offset`.

    >>> from mistakebound.kernels import vw as kernel
    >>> describe_vw(kernel.BAD_VALUE, b"1 | price:much", 4)
    "the value 'much' of attribute 'price' is not a finite decimal number"
    """
    from mistakebound.kernels import vw as kernel

    words = line[offset:].replace(b"|", b" ").split(None, 1)
    word = words[0] if words else b""
    name, colon, value = word.partition(b":")
    if b"|" not in line and status != kernel.BAD_BYTE:
        status = kernel.NO_BAR  # any other finding would mislead
    if status == kernel.BAD_BYTE:
        return f"the line has a control character (byte 0x{line[offset]:02x})"
    if status == kernel.BAD_LABEL:
        return f"the label {short(word)} is not UTF-8"
    if status == kernel.NO_LABEL:
        return "the row has no label" + _touching(line)
    if status == kernel.NO_BAR:
        return "the row has no | before its attributes"
    if status == kernel.BAD_WEIGHT:
        return f"the weight {short(word)} is not a finite number above 0"
    if status == kernel.SEVERAL_LABELS:
        return (
            f"{short(word)} is a label with costs, or one of several labels: only one plain label per row is supported"
        )
    if status == kernel.BAD_HEAD:
        return f"{short(word)} is one word too many: only label, weight and tag come before the first |"
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
    if status == kernel.BAD_SUM:
        return "the values of a repeated attribute have no finite sum"
    if status == kernel.NAMES_FULL:
        return "the names of the row, each with its namespace, take more than 2^28 bytes"
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
