"""CSV and TSV text with a header: `column=value` attributes from names, `column` or bins of it from numbers.

Records are cut and checked here, so that chunks can be parsed side by side and every error has its line.
"""

from __future__ import annotations

import os
from collections import deque

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.csv_chunk import CsvChunk
from mistakebound.io.dialect import Dialect, settled_dialect
from mistakebound.io.missing_words import BLANKS, missing_words
from mistakebound.io.reader import CutReader
from mistakebound.io.source import BLOCK_BYTES, Chunk, Source
from mistakebound.io.table_columns import Columns, check_distinct, find_columns, to_look_at
from mistakebound.io.table_records import NOT_UTF8, RecordCutter, Records, bom_length, cells_of_records, describe
from mistakebound.io.table_settings import DELIMITERS, check_settings, distinct_names, is_complete, other_columns
from mistakebound.io.table_window import Window
from mistakebound.kernels import records as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block

_COLUMN_BYTES = 4096  # of a column in a chunk, while
_MOST_BYTES = 1 << 24  # a chunk is no larger
_SMALL = 1 << 17  # bytes of small chunks, for slow learners and a first look; an eighth of those numbers holds for them


class CsvReader(CutReader):
    """The reader of a table.

    The first `fill` reads the header and, unless the settings are complete, so many rows ahead that the kind of every
    column is known; `settings` are complete then.  The header's lines are among those given out.
    """

    __slots__ = ("_ahead", "_begun", "_chunk_type", "_columns", "_delimiter", "_dialect", "_failed", "_goal")

    _cutter: RecordCutter

    def __init__(
        self,
        path: str | os.PathLike[str] | Source,
        settings: dict[str, Any],
        *,
        block_bytes: int = BLOCK_BYTES,
        unlabelled_ok: bool = False,
        on_error: str = "fail",
        chunk_type: type[CsvChunk] = CsvChunk,
    ) -> None:
        check_settings(settings)
        source = Source(path) if isinstance(path, (str, os.PathLike)) else path
        self._dialect = Dialect() if settings["format"] == "arff" else settled_dialect(source, settings)
        if not self._dialect.is_direct():
            from mistakebound.io.rewritten import Rewritten

            source = Rewritten(source, self._dialect)
        self._delimiter = self._dialect.delimiter
        self._cutter = RecordCutter(source, block_bytes, self._delimiter)
        super().__init__(self._cutter.source.name, settings, unlabelled_ok=unlabelled_ok, on_error=on_error)
        self._chunk_type = chunk_type
        self._begun = False
        self._failed = False  # before the first row
        self._ahead: deque[Chunk] = deque()  # read for its first cells, not yet given out
        self._columns: Columns
        self._goal: dict[str, Any] | None = None

    @property
    def delimiter(self) -> str:
        """Between two cells."""
        return self._delimiter

    def chunk(self) -> CsvChunk:
        return self._chunk_type(self._cutter.block_bytes, self._delimiter, not self._unlabelled_ok, self._skip)

    def fill(self, chunk: CsvChunk) -> bool:
        if not self._begun:
            self._begun = True
            try:
                self._begin()
            except MistakeboundError as e:  # whoever emits the chunks in their order raises it in its turn
                self.close()
                self._failed = True
                chunk.failure = e
                return True
        if self._failed:  # another thread reads on before that is said
            return False
        if self._ahead:
            chunk.take(self._ahead.popleft())
        elif not self._fill(chunk):
            return False
        chunk.columns = self._columns
        return True

    def _fill(self, chunk: Chunk) -> bool:
        if chunk.size < self._cutter.block_bytes:  # it was made before the width of the table was known
            chunk.resize(self._cutter.block_bytes)
        return self._cutter.fill(chunk)

    def _begin(self) -> None:
        """Read the header, find out what the columns are, go to where the work is to go on."""
        header, line = self._read_header() if self._dialect.header else self._made_header()
        place = self._dialect.label
        while 0 < -place < len(header) and not header[place]:  # a delimiter at the end of the line
            place -= 1
        header, said = distinct_names(header)
        self._widen(len(header))
        if is_complete(self.settings):
            self.assumed = other_columns(header, self.settings, self._unlabelled_ok, self.name, line)
        else:
            settings, found = find_columns(
                header, self.settings, lambda asked: self._look(header, asked), self._unlabelled_ok, self.name, place
            )
            self.settings = settings | self._remembered(header)
            self.assumed = self._dialect.in_words(header, DELIMITERS[self.settings["format"]]) + said + found
        self._columns = Columns(header, self.settings)
        check_distinct(self._columns, self.name, line)
        if self._goal is not None and self._goal["offset"] > self.offset:
            self._go_to(self._goal["offset"])
            self.line, self.offset = self._goal["line"], self._goal["offset"]

    def _made_header(self) -> tuple[list[str], int]:
        """The names of the columns of a file without a header."""
        width, names = len(self._dialect.names), self.settings.get("names")
        if not width:
            raise BadData("the file is empty", source=self.name, line=1)
        if names is None:
            return [f"c{place}" for place in range(1, width + 1)], 1
        bare = [name for name in names if name != self.settings.get("label")]
        if width not in (len(names), len(bare)):
            text = f"the row has {width} cells, but there are {len(names)} column names"
            raise BadData(text, source=self.name, line=1)
        return list(names if width == len(names) else bare), 1

    def _remembered(self, header: list[str]) -> dict[str, Any]:
        """What another file is read by: a delimiter that is not that of the format, names where there is no header."""
        delimiter, names = self._delimiter, {} if self._dialect.header else {"names": header}
        own = {} if delimiter == DELIMITERS[self.settings["format"]] else {"delimiter": delimiter}
        return names | own | ({} if self._dialect.plain else {"dialect": self._dialect.state()})

    def _widen(self, columns: int) -> None:
        """Larger chunks, above all for a wide table: what is done once a column and chunk is done for more rows."""
        wide = min(columns * _COLUMN_BYTES, _MOST_BYTES)
        if self._cutter.block_bytes >= BLOCK_BYTES:
            self._cutter.block_bytes = max(self._cutter.block_bytes, 2 * BLOCK_BYTES, wide)
        elif self._cutter.block_bytes >= _SMALL:
            self._cutter.block_bytes = max(self._cutter.block_bytes, wide // 8)

    def _read_header(self) -> tuple[list[str], int]:
        """The names of the columns, and the line on which they stand; what was read behind them is kept."""
        chunk, records = Chunk(self._cutter.block_bytes), Records()
        while not records.count:
            self.line += records.newlines
            if not self._cutter.fill(chunk):
                empty = not (self.line or chunk.offset)
                message = "the file is empty" if empty else "there is no header line"
                raise BadData(message, source=self.name, line=self.line + 1)
            self._check(chunk)
            start = 0 if chunk.offset else bom_length(chunk.text)
            records.scan(chunk.text, start, chunk.end, self._delimiter, 0)
        line = self.line + records.lines[0] + 1
        fault = records.faults[0]
        if fault < kernel.COUNT:
            hint = "; convert it (iconv -f ENCODING -t UTF-8)" if fault == NOT_UTF8 else ""
            raise BadData(describe(fault, 0).replace("row", "header") + hint, source=self.name, line=line)
        width, behind = fault - kernel.COUNT, records.stop(0)
        cells = cells_of_records(memoryview(chunk.text)[records.starts[0] : behind], 1, width, self._delimiter)[0]
        self.line += records.lines[1] if records.count > 1 else records.newlines
        self.offset = chunk.offset + behind
        self._keep(chunk, behind)
        return [cell.strip(BLANKS) for cell in cells], line

    def _keep(self, chunk: Chunk, start: int) -> None:
        """Keep a chunk from `start` on, to be given out first."""
        if start < chunk.end:
            self._ahead.appendleft(chunk.copy(start))

    def _look(self, header: list[str], settings: dict[str, Any]) -> Window:
        """Look at the first cells of the columns."""
        comma = self._delimiter == ";"  # where commas are not free
        window, records = Window(to_look_at(header, settings), missing_words(settings), comma), Records()
        looked, filled = 0, Chunk(self._cutter.block_bytes)
        while window.open():
            if looked == len(self._ahead):
                try:
                    if not self._cutter.fill(filled):
                        break
                except KeyboardInterrupt as stop:
                    if self._cutter.source.total is not None:
                        raise
                    filled.failure = stop  # said behind the rows that came through the pipe
                self._ahead.append(filled.copy())
            chunk = self._ahead[looked]
            looked += 1
            if chunk.failure is not None or not window.reaches(chunk.offset):
                break
            records.scan(chunk.text, 0, chunk.end, self._delimiter, len(header))
            window.add(records, chunk.offset, len(header), self._delimiter)
        return window

    def _go_to(self, offset: int) -> None:
        """Drop the text before an offset, where a record starts."""
        if self._cutter.jump(offset):
            self._ahead.clear()
            return
        chunk = Chunk(self._cutter.block_bytes)
        while True:
            if self._ahead:
                chunk = self._ahead.popleft()
            elif not self._cutter.fill(chunk):
                break
            self._check(chunk)
            if chunk.offset + chunk.end > offset:
                self._keep(chunk, offset - chunk.offset)
                return
            self.offset = chunk.offset + chunk.end
        if self.offset < offset:
            raise BadData(f"the text ends before byte {offset}, the position to resume from", source=self.name)

    def emit(self, chunk: CsvChunk) -> Iterator[Block]:
        """The rows of a parsed chunk as one block, then its error."""
        self._check(chunk)
        first = self.line
        self._count_bad(chunk.bad, chunk.bad_lines, first)
        self.line, self.offset = first + chunk.lines, chunk.offset + chunk.stop
        if chunk.count:
            yield chunk.block(self.name, first)
        if chunk.error is not None:
            line, message, text = chunk.error
            raise BadData(message, source=self.name, line=first + line, text=text)

    def seek(self, position: dict[str, Any]) -> None:
        self._goal = position
