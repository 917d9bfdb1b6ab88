"""A JSON text that is not an object a line: an array of objects, or objects over several lines, as lines."""

from __future__ import annotations

import re

from mistakebound.core.errors import BadData
from mistakebound.io.formats import first_line, is_array
from mistakebound.io.memory import DerivedSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from mistakebound.io.source import Source

_UNIT = 1 << 16
_MARKS = re.compile(rb'["\[\]{},\n]')
_IN_TEXT = re.compile(rb'["\\]')
_BRACKETS = (b"{", b"}", b"[", b"]")
_ENDS = (b"}", b"]", b",", b"\n")  # of a value, outside all brackets
_BOM = b"\xef\xbb\xbf"


def as_lines(source: Source) -> Source:
    """The source itself, or where it begins an array of objects, or an object on several lines, one value per line."""
    line = first_line(source)
    return JsonValues(source) if line == b"{" or is_array(line) else source


class JsonValues(DerivedSource):
    """The items of an array, or values one after the other, each on a line of its own.

    The number of a line is that on which its value begins; where several begin on one line, it is how many came before.
    """

    __slots__ = ()

    def __init__(self, source: Source) -> None:
        super().__init__(source, self._lines())

    def _lines(self) -> Iterator[bytes]:
        """One part for each unit that is read: what ends in it, and the beginning of a value."""
        out: list[bytes] = []
        depth = read = given = 0  # brackets that are open, lines of the text and lines that were made of them
        array = in_text = begun = first = False  # begun: a value stands on the line; first: something has come
        unit, rest = bytearray(_UNIT), b""
        while got := self._source.read_into(memoryview(unit)):
            text, at, rest = rest + bytes(unit[:got]), 0, b""
            if not first and text.startswith(_BOM):
                at = len(_BOM)
            while at < len(text):
                mark = (_IN_TEXT if in_text else _MARKS).search(text, at)
                stop = len(text) if mark is None else mark.start()
                between = text[at:stop] if begun else text[at:stop].strip()
                sign, at = (b"", stop) if mark is None else (mark.group(), stop + 1)
                if sign == b"[" and not first and not between:
                    array = first = True
                    continue
                if not depth and not in_text and sign == b"]" and array:
                    array, sign = False, b","
                piece = between if sign == b"\n" or (sign == b"," and not depth) else between + sign
                if piece and not begun:
                    out.append(b"\n" * (read - given))  # none where more lines were made than there are
                    given, begun, first = max(read, given), True, True
                out.append(piece)
                if sign == b"\\":
                    if at == len(text):  # what it stands before comes with the next unit
                        rest = out.pop()
                    else:
                        out.append(text[at : at + 1])
                        at += 1
                elif sign == b'"':
                    in_text = not in_text
                elif sign in _BRACKETS:
                    depth = max(0, depth + (sign in b"{[") - (sign in b"}]"))
                read += sign == b"\n"
                if begun and not depth and sign in _ENDS:
                    out.append(b"\n")
                    given, begun = given + 1, False
            yield b"".join(out)
            out.clear()
        if array or depth or in_text:
            raise BadData("the JSON text ends in the middle of a value", source=self.name, line=read + 1)
