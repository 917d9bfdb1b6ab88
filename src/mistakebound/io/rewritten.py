"""A text in any dialect as the record cutter wants it: UTF-8, quotes that are ", line feeds, names in the first row."""

from __future__ import annotations

import csv
from codecs import getincrementaldecoder
from io import StringIO
from itertools import islice

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.dialect import Dialect
from mistakebound.io.memory import DerivedSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.io.source import Source

_UNIT = 1 << 16
_BROKEN = '""?'  # a record in which, as in the one it stands for, text follows a closing quote


class Rewritten(DerivedSource):
    """Lines keep their numbers: in place of a preamble there are empty ones."""

    __slots__ = ("_dialect", "_left", "_line")

    def __init__(self, source: Source, dialect: Dialect) -> None:
        super().__init__(source, self._rewrite())
        self._dialect = dialect
        self._line = 0  # lines read so far
        self._left = 0  # lines that are there and need not be waited for

    def _next(self) -> bytes | None:
        part = next(self._parts, None)
        if part is None or not self._left:
            return part
        text = bytearray(part)
        try:
            for more in islice(self._parts, self._left):
                text += more
        except MistakeboundError as error:  # said behind what came before it
            self._trouble = error
        return bytes(text)

    def _rewrite(self) -> Iterator[bytes]:
        dialect, head = self._dialect, self._dialect.preamble + self._dialect.header
        lines = self._lines()
        for _ in range(head):
            next(lines, None)
        start = "\n" * dialect.preamble
        if dialect.header:
            start += _record(dialect.names, dialect.delimiter) + "\n" * (dialect.header - 1)
        yield start.encode()
        if dialect.plain:
            yield from (line.encode(errors="surrogateescape") for line in lines)
            return
        yield from self._records(lines)

    def _lines(self) -> Iterator[str]:
        """The text line by line, each with a line feed at its end."""
        dialect, unit, rest = self._dialect, bytearray(_UNIT), ""
        errors = "strict" if dialect.encoding.startswith("utf-16") else "surrogateescape"  # a bad row, not a bad file
        decoder = getincrementaldecoder(dialect.encoding)(errors)
        begun = False
        while True:
            got = self._source.read_into(memoryview(unit))
            try:
                text = decoder.decode(bytes(unit[:got]), final=not got)
            except UnicodeDecodeError as error:
                before = rest + error.object[: error.start].decode(error.encoding)
                what = f"the text is not {dialect.encoding.upper()}"
                raise BadData(what, source=self.name, line=self._line + 1 + before.count(dialect.newline[-1])) from None
            if not begun and text:
                begun, text = True, text.removeprefix("\ufeff")
            if dialect.newline == "\r":
                text = text.replace("\r", "\n")
            parts = (rest + text).split("\n")
            rest = parts.pop()
            for place, part in enumerate(parts, 1):
                self._line += 1
                self._left = len(parts) - place
                yield (part.rstrip("\r") if dialect.newline == "\r\r\n" else part) + "\n"
            if not got:
                break
        if rest:
            self._line += 1
            yield rest + "\n"

    def _records(self, lines: Iterator[str]) -> Iterator[bytes]:
        dialect = self._dialect
        before = self._line
        reader = csv.reader(map(dialect.unescaped, lines), strict=True, **dialect.options())
        while True:
            try:
                row = next(reader, None)
                if row is None:
                    return
                record = _record(row, dialect.delimiter)
            except csv.Error as error:
                if "field larger" in str(error):
                    limit = csv.field_size_limit()
                    message = f"a cell is longer than {limit:,} characters"
                    raise BadData(message, source=self.name, line=before + 1) from None
                record = _BROKEN + "\n"
            yield (record + "\n" * (self._line - before - record.count("\n"))).encode(errors="surrogateescape")
            before = self._line


def plain_record(line: str, dialect: dict[str, Any]) -> str:
    """A line in another dialect as one of plain CSV, without its end; what is no record stays as it is."""
    own = Dialect.of(dialect)
    try:
        found = next(csv.reader([own.unescaped(line)], strict=True, **own.options()), [])
    except csv.Error:  # its reader says what is wrong
        return line
    return _record(found, own.delimiter).removesuffix("\n")


def _record(cells: list[str], delimiter: str) -> str:
    out = StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerow(cells)
    return out.getvalue() if cells else "\n"
