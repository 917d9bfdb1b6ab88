"""CSV and TSV text with a header: `column=value` attributes from names, `column` or bins of it from numbers.

Records are cut and checked here, so that pieces can be parsed side by side and every error has its line; the cells
of good records are taken apart by pyarrow.
"""

from __future__ import annotations

from collections import deque

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.kernels import records as kernel
from mistakebound.streams.csv_piece import CsvPiece
from mistakebound.streams.lines import Piece
from mistakebound.streams.rows import BLOCK_BYTES, KEPT_LINES
from mistakebound.streams.table_cells import BLANKS, TEXT, read_columns
from mistakebound.streams.table_columns import Columns, check_distinct, decide, to_look_at
from mistakebound.streams.table_records import RecordCutter, Records, bom_length, describe
from mistakebound.streams.table_settings import (
    DELIMITERS,
    check_asked,
    check_header,
    check_same,
    check_settings,
    is_complete,
)
from mistakebound.streams.table_window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.streams.source import Source

_COLUMN_BYTES = 4096  # of a column in a piece, while
_MOST_BYTES = 1 << 24  # a piece is no larger


class CsvReader:
    """Blocks of rows of a table, in file order, each row the same whatever the size of the blocks.

    The steps are those of `LibsvmReader`: `fill` (one caller at a time), `CsvPiece.parse` (any number at once),
    `settle` (one at a time, in the order of filling).  The first `fill` reads the header and, unless the settings
    are complete, so many rows ahead that the kind of every column is known; `settings` are complete then.
    """

    __slots__ = (
        "_ahead", "_begun", "_columns", "_cutter", "_delimiter", "_failed", "_goal", "_piece_type", "_skip",
        "_unlabelled_ok",
        "line", "name", "offset", "settings", "skipped", "skipped_lines",
    )  # fmt: skip

    def __init__(
        self,
        path: str | os.PathLike[str] | Source,
        settings: dict[str, Any],
        *,
        block_bytes: int = BLOCK_BYTES,
        unlabelled_ok: bool = False,
        on_error: str = "fail",
        piece_type: type[CsvPiece] = CsvPiece,
    ) -> None:
        check_settings(settings)
        self._delimiter = DELIMITERS[settings["format"]]
        self._cutter = RecordCutter(path, block_bytes, self._delimiter)
        self._unlabelled_ok = unlabelled_ok
        self._skip = on_error == "skip"
        self._piece_type = piece_type
        self._begun = False
        self._failed = False  # before the first row
        self._ahead: deque[Piece] = deque()  # read for its first cells, not yet given out
        self._columns: Columns
        self._goal: dict[str, Any] | None = None
        self.name = self._cutter.source.name
        self.settings = {name: value for name, value in settings.items() if name != "remembered"}
        self.skipped = 0
        self.skipped_lines: list[tuple[int, str]] = []
        self.line = 0  # lines given out so far, the header's among them, and
        self.offset = 0  # where the next one starts in the (uncompressed) text

    def piece(self) -> CsvPiece:
        return self._piece_type(self._cutter.block_bytes, self._delimiter, not self._unlabelled_ok, self._skip)

    def fill(self, piece: CsvPiece) -> bool:
        if not self._begun:
            self._begun = True
            try:
                self._begin()
            except MistakeboundError as e:  # whoever settles the pieces in their order raises it in its turn
                self.close()
                self._failed = True
                piece.failure = e
                return True
        if self._failed:  # another thread reads on before that is said
            return False
        if self._ahead:
            piece.take(self._ahead.popleft())
        elif not self._fill(piece):
            return False
        piece.columns = self._columns
        return True

    def _fill(self, piece: Piece) -> bool:
        if piece.size < self._cutter.block_bytes:  # it was made before the width of the table was known
            piece.resize(self._cutter.block_bytes)
        return self._cutter.fill(piece)

    def _begin(self) -> None:
        """Read the header, find out what the columns are, go to where the work is to go on."""
        header, line = self._read_header()
        check_header(header, self.name, line)
        self._widen(len(header))
        if is_complete(self.settings):
            check_same(header, self.settings, self._unlabelled_ok, self.name, line)
        else:
            check_asked(header, self.settings, self._unlabelled_ok, self.name)
            self.settings = decide(header, self.settings, self._look(header))
        self._columns = Columns(header, self.settings)
        check_distinct(self._columns, self.name, line)
        if self._goal is not None and self._goal["offset"] > self.offset:
            self._go_to(self._goal["offset"])
            self.line, self.offset = self._goal["line"], self._goal["offset"]

    def _widen(self, columns: int) -> None:
        """Larger pieces for a wide table: what is done once a column and piece is then done for more rows."""
        if self._cutter.block_bytes >= BLOCK_BYTES:
            self._cutter.block_bytes = max(self._cutter.block_bytes, min(columns * _COLUMN_BYTES, _MOST_BYTES))

    def _read_header(self) -> tuple[list[str], int]:
        """The names of the columns, and the line on which they stand; what was read behind them is kept."""
        piece, records = Piece(self._cutter.block_bytes), Records()
        while not records.count:
            self.line += records.newlines
            if not self._cutter.fill(piece):
                raise BadData("there is no header line", source=self.name, line=self.line + 1)
            self._check(piece)
            start = 0 if piece.offset else bom_length(piece.text)
            records.scan(piece.text, start, piece.end, self._delimiter, 0)
        line = self.line + int(records.lines[0]) + 1
        fault = int(records.faults[0])
        if fault < kernel.COUNT:
            raise BadData(describe(fault, 0).replace("row", "header"), source=self.name, line=line)
        width, behind = fault - kernel.COUNT, records.stop(0)
        text = memoryview(piece.text)[int(records.starts[0]) : behind]
        cells = read_columns(text, 1, width, self._delimiter, dict.fromkeys(range(width), TEXT))
        self.line += int(records.lines[1]) if records.count > 1 else records.newlines
        self.offset = piece.offset + behind
        self._keep(piece, behind)
        return [cells[place][0].as_py().strip(BLANKS) for place in range(width)], line

    def _check(self, piece: Piece) -> None:
        """Raise the failure that stands in the place of lines."""
        if piece.failure is not None:
            if isinstance(piece.failure, BadData) and piece.failure.line is None:
                piece.failure.line = self.line + 1
            raise piece.failure

    def _keep(self, piece: Piece, start: int) -> None:
        """Keep a piece from `start` on, to be given out first."""
        if start < piece.end:
            rest = Piece(max(piece.end - start, self._cutter.block_bytes))  # it will be filled again
            rest.end, rest.offset = piece.end - start, piece.offset + start
            rest.text[: rest.end] = memoryview(piece.text)[start : piece.end]
            self._ahead.appendleft(rest)

    def _look(self, header: list[str]) -> Window:
        """Look at the first cells of the columns."""
        window, records = Window(to_look_at(header, self.settings)), Records()
        looked = 0  # pieces
        while window.open():
            if looked == len(self._ahead):
                piece = Piece(self._cutter.block_bytes)
                if not self._cutter.fill(piece):
                    break
                self._ahead.append(piece)
            piece = self._ahead[looked]
            looked += 1
            if piece.failure is not None or not window.reaches(piece.offset):
                break
            records.scan(piece.text, 0, piece.end, self._delimiter, len(header))
            window.add(records, piece.offset, len(header), self._delimiter)
        return window

    def _go_to(self, offset: int) -> None:
        """Drop the text before an offset, where a record starts."""
        if self._cutter.jump(offset):
            self._ahead.clear()
            return
        piece = Piece(self._cutter.block_bytes)
        while True:
            if self._ahead:
                piece = self._ahead.popleft()
            elif not self._cutter.fill(piece):
                break
            self._check(piece)
            if piece.offset + piece.end > offset:
                self._keep(piece, offset - piece.offset)
                return
            self.offset = piece.offset + piece.end
        if self.offset < offset:
            raise BadData(f"the text ends before byte {offset}, where the work is to go on", source=self.name)

    def settle(self, piece: CsvPiece) -> Iterator[Block]:
        """The rows of a parsed piece as one block, then its error."""
        self._check(piece)
        first = self.line
        self.skipped += piece.bad
        self.skipped_lines += [(first + k, message) for k, message in piece.bad_lines]
        del self.skipped_lines[KEPT_LINES:]
        self.line, self.offset = first + piece.lines, piece.offset + piece.stop
        if len(piece.rows.tokens):
            yield piece.block(self.name, first)
        if piece.error is not None:
            line, message, text = piece.error
            raise BadData(message, source=self.name, line=first + line, text=text)

    def __iter__(self) -> Iterator[Block]:
        with self:
            piece = self.piece()
            while self.fill(piece):
                if piece.failure is None:
                    piece.parse()
                yield from self.settle(piece)

    def progress(self) -> tuple[int, int | None]:
        """Bytes read of the file as it lies on the disk, and how many it has (None: not known)."""
        return self._cutter.source.position, self._cutter.source.total

    def position(self) -> dict[str, Any]:
        return {"line": self.line, "offset": self.offset}

    def seek(self, position: dict[str, Any]) -> None:
        """Go on where another reader of the same text stood, before anything was read."""
        self._goal = position

    def close(self) -> None:
        self._cutter.close()

    def __enter__(self) -> CsvReader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
