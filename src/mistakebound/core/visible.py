"""Text from outside, safe to show: names, labels and file names may hold anything, a terminal or a page may not."""

from __future__ import annotations

from mistakebound.core.names import escaped

# Marks that change the direction of the text behind them: what is read is then not what stands there.
_DIRECTIONS = frozenset((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def visible(text: str, keep: str = "") -> str:
    r"""The text with every control character written out; those of `keep` stay.

    Control characters here are also separators of lines and paragraphs, marks of direction, halves of surrogate
    pairs and the codes that are no characters: none of them can be seen, and XML has no place for most of them.

    >>> print(visible("a\x1b[31mb\nc"), visible("naïve: 5 µm"))
    a\x1b[31mb\nc naïve: 5 µm
    """
    if text.isprintable():
        return text
    return "".join([escaped(c) if _hidden(ord(c)) and c not in keep else c for c in text])


def is_visible(text: str) -> bool:
    """Whether the text has no control character."""
    return text.isprintable() or not any(_hidden(ord(c)) for c in text)


def one_line(text: str) -> str:
    r"""The text on a line of its own, so that a program can read it back: as it is, or as a JSON string.

    A text that has control characters or begins with a quotation mark is written as JSON; a line that begins with a
    quotation mark is JSON, any other line is the text itself.

    >>> print(one_line("spam"), one_line("two\nlines"), one_line('"quoted"'), one_line("C:\\new"), sep="\n")
    spam
    "two\nlines"
    "\"quoted\""
    C:\new
    """
    if is_visible(text) and not text.startswith('"'):
        return text
    import json

    return json.dumps(text)


def _hidden(code: int) -> bool:
    return (
        code < 0x20
        or 0x7F <= code < 0xA0
        or code in (0x2028, 0x2029)
        or code in _DIRECTIONS
        or 0xD800 <= code < 0xE000
        or 0xFDD0 <= code < 0xFDF0
        or code & 0xFFFE == 0xFFFE
    )
