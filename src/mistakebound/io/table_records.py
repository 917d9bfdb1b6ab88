"""The text of a table cut into chunks of whole records, and a chunk into its records."""

from __future__ import annotations

import csv
from bisect import bisect_right
from io import StringIO

from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.source import LONGEST_LINE, LineCutter
from mistakebound.kernels import records as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from mistakebound.core.buffers import Ints
    from mistakebound.io.source import Chunk, Source

LONGEST_RECORD = LONGEST_LINE
NOT_UTF8 = 5  # one more fault beside those of the kernel
_BOM = b"\xef\xbb\xbf"
_QUOTE = b'"'
_WORDS = {
    kernel.NUL: "the row has a NUL (byte 0x00)",
    kernel.RETURN: "the row has a carriage return without a newline",
    kernel.BEHIND: "text follows a closing quote",
    kernel.UNCLOSED: "a quote is not closed",
    kernel.TORN: "a quote opens in the middle of a cell and closes in another one",
    NOT_UTF8: "the row is not UTF-8",
}


def describe(fault: int, width: int) -> str:
    """What is wrong with a record.

    >>> describe(kernel.COUNT + 3, 5)
    'the row has 3 cells, the header has 5'
    """
    if fault in _WORDS:
        return _WORDS[fault]
    cells = fault - kernel.COUNT
    return f"the row has {cells} {'cell' if cells == 1 else 'cells'}, the header has {width}"


class RecordCutter(LineCutter):
    """Cuts where records end: a newline in quotes does not end one."""

    __slots__ = ("_begun", "_delimiter", "_failure", "_mode")

    def __init__(self, path: str | os.PathLike[str] | Source, block_bytes: int, delimiter: str) -> None:
        super().__init__(path, block_bytes)
        self._delimiter = ord(delimiter)
        self._mode = bytearray([kernel.START])  # where in a cell the last byte read stands
        self._begun = False
        self._failure: MistakeboundError | None = None  # of the source, behind records that are given out first

    def _read(self, chunk: Chunk, have: int) -> int:
        """Read on until the chunk is full: what is done once a column and chunk is worth many rows.

        Pipes, whose rows may be waited for, are read as they come; compressed files come in small parts.
        """
        if self._failure is not None:
            raise self._failure
        have = super()._read(chunk, have)
        while self.source.total is not None and not self._ended and have < self.block_bytes:
            try:
                got = self.source.read_into(memoryview(chunk.text)[have : self.block_bytes])
            except MistakeboundError as failure:
                self._failure = failure
                break
            if got:
                chunk.end = self._last_end(chunk, have, have + got) or chunk.end
                have += got
                continue
            self.close()
            if have > chunk.end:  # the last line has no newline: give it one
                chunk.text[have] = 10
                have += 1
            chunk.end = have
        return have

    def jump(self, offset: int) -> bool:
        """Go on at an offset where a record starts; false where the text can only be read on."""
        if self._ended or not self.source.can_jump():
            return False
        self.source.skip_to(offset)
        self._offset, self._tail, self._mode[0] = offset, b"", kernel.START
        return True

    @property
    def in_quotes(self) -> bool:
        """Whether the last byte read stands in a quote that is not closed."""
        return self._mode[0] == kernel.QUOTED

    def _last_end(self, chunk: Chunk, start: int, stop: int) -> int:
        text = chunk.text
        if not self._begun:
            if stop < len(_BOM) and _BOM.startswith(text[:stop]):
                return 0  # it may become a byte order mark, which is no text
            self._begun = True
            start = bom_length(text)
        if self._mode[0] == kernel.QUOTED or text.find(_QUOTE, start, stop) >= 0:
            return kernel.last_end(text, start, stop, self._delimiter, self._mode)
        if start < stop:
            self._mode[0] = kernel.START if text[stop - 1] in (10, self._delimiter) else kernel.PLAIN
        return super()._last_end(chunk, start, stop)

    def _grow(self, chunk: Chunk) -> None:
        if 2 * chunk.size > LONGEST_RECORD >= self.block_bytes:
            hint = ": is a quote not closed?" if self._mode[0] == kernel.QUOTED else ""
            raise BadData(f"the row is longer than {LONGEST_RECORD} bytes{hint}", source=self.source.name)
        super()._grow(chunk)


def bom_length(text: bytearray) -> int:
    return len(_BOM) if text.startswith(_BOM) else 0


class Records:
    """Where the records of a chunk start, on which line (from 0), and what is wrong with them (0: nothing)."""

    __slots__ = ("_found", "count", "end", "faults", "lines", "newlines", "starts", "text")

    def __init__(self) -> None:
        self._found: Ints = zeros("q", 0)
        self.text = bytearray()
        self.end = self.count = self.newlines = 0
        self.starts: Ints = self._found
        self.lines: Ints = self._found
        self.faults: Ints = self._found

    def scan(self, text: bytearray, start: int, end: int, delimiter: str, width: int) -> None:
        """The records of text[start:end], which should have `width` cells."""
        room = (end - start) // 2 + 1
        if len(self._found) < 3 * room:
            self._found = zeros("q", 3 * room, sparse=True)
        state: memoryview[int] = zeros("q", 2)
        if kernel.scan(text, start, end, ord(delimiter), width, self._found, state) < 0:
            raise AssertionError("the buffers of a chunk do not fit together")
        self.text, self.end = text, end
        self.count, self.newlines = state[kernel.RECORDS], state[kernel.LINES]
        room = len(self._found) // 3
        self.starts, self.lines, self.faults = (self._found[k * room : k * room + self.count] for k in range(3))
        self._check_utf8()

    def _check_utf8(self) -> None:
        starts, record = self.starts, 0
        with memoryview(self.text) as whole:
            while record < self.count:
                at = starts[record]
                try:
                    str(whole[at : self.end], "utf-8")
                    return
                except UnicodeDecodeError as e:
                    record = bisect_right(starts, at + e.start)  # the one after that in which it stands
                    if not 0 < self.faults[record - 1] < kernel.COUNT:
                        self.faults[record - 1] = NOT_UTF8

    def stop(self, record: int) -> int:
        """Where a record and the empty lines behind it end."""
        return self.starts[record + 1] if record + 1 < self.count else self.end

    def good_text(self, count: int, first: int = 0) -> tuple[memoryview[int], int]:
        """The text of those among the records `first` to `count` - 1 that have no fault, and how many they are."""
        whole = memoryview(self.text)
        if count <= first:
            return whole[:0], 0
        if not any(self.faults[first:count]):
            return whole[self.starts[first] : self.stop(count - 1)], count - first
        bad = [record for record in range(first, count) if self.faults[record]]
        parts, good = [], count - first - len(bad)
        for record in bad:
            if first < record:
                parts.append(whole[self.starts[first] : self.starts[record]])
            first = record + 1
        if first < count:
            parts.append(whole[self.starts[first] : self.stop(count - 1)])
        return memoryview(b"".join(parts)), good

    def first_line(self, record: int) -> bytearray:
        start = self.starts[record]
        return self.text[start : self.text.index(b"\n", start)]


def cells_of_records(text: memoryview[int], rows: int, width: int, delimiter: str) -> list[list[str]]:
    """The cells of each of some good records, as texts.

    >>> cells_of_records(memoryview(b'a,"b, ""c"\\r\\n\\n,d\\n'), 2, 2, ",")
    [['a', 'b, "c'], ['', 'd']]
    """
    whole = str(text, "utf-8")
    if '"' not in whole:
        found = [line.removesuffix("\r").split(delimiter) for line in whole.split("\n") if line and line != "\r"]
    else:
        try:
            found = [record for record in csv.reader(StringIO(whole, newline=""), delimiter=delimiter) if record]
        except csv.Error:  # a cell that is too long for it
            from mistakebound.io.table_cells import TEXT, read_columns

            columns = read_columns(text, rows, width, delimiter, dict.fromkeys(range(width), TEXT))
            found = list(map(list, zip(*(column.to_pylist() for column in columns.values()), strict=True)))
    if len(found) != rows or any(len(record) != width for record in found):
        raise AssertionError(f"{rows} records of {width} cells were read as {len(found)}")
    return found
