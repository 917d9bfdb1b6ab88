"""Some records of a table and the rows in them."""

from __future__ import annotations

from mistakebound.io.plain_rows import PlainRows, can_read
from mistakebound.io.source import Chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block
    from mistakebound.io.arrow_records import ArrowRecords
    from mistakebound.io.table_columns import Columns


class CsvChunk(Chunk):
    """Whole records as text, then their rows.  `parse` needs nothing else: several may be parsed at once."""

    __slots__ = (
        "_arrow", "_delimiter", "_labelled", "_plain", "_skip", "bad", "bad_lines", "columns", "error", "lines",
        "plain", "stop",
    )  # fmt: skip

    def __init__(self, size: int, delimiter: str, labelled: bool, skip: bool) -> None:
        super().__init__(size)
        self._delimiter = delimiter
        self._labelled = labelled
        self._skip = skip
        self.columns: Columns  # set before it is parsed
        self._plain: PlainRows | None = None
        self._arrow: ArrowRecords | None = None  # made when records are not plain: Arrow takes long to import
        self.plain = False  # whether what was parsed last is
        self.error: tuple[int, str, str] | None = None  # line (in the chunk, from 1), message, text
        self.bad = 0  # records skipped
        self.bad_lines: list[tuple[int, str]] = []
        self.stop = self.lines = 0  # where the rows end: bytes and newlines of the chunk

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._plain.count if self.plain and self._plain is not None else len(self._by_arrow().rows.tokens)

    def _by_arrow(self) -> ArrowRecords:
        if self._arrow is None:
            self._arrow = self._arrow_records()
        return self._arrow

    def _arrow_records(self) -> ArrowRecords:
        from mistakebound.io.arrow_records import ArrowRecords
        from mistakebound.io.table_rows import TableRows

        return ArrowRecords(TableRows)

    def parse(self) -> None:
        self.plain = self._can_be_plain() and self._parse_plainly()
        if not self.plain:
            rows = self._by_arrow()
            rows.parse(self.text, self.end, self._delimiter, self.columns, self._labelled, self._skip)
            self.error, self.bad, self.bad_lines = rows.error, rows.bad, rows.bad_lines
            self.stop, self.lines = rows.stop, rows.lines

    def _can_be_plain(self) -> bool:
        return can_read(self.columns)

    def _parse_plainly(self) -> bool:
        if self._plain is None or self._plain.columns is not self.columns or self._plain.size < self.size:
            self._plain = PlainRows(self.columns, self._delimiter, self.size)
        if not self._plain.parse(self.text, self.end, self._labelled):
            return False
        self.error, self.bad, self.bad_lines = None, 0, []
        self.stop, self.lines = self.end, self._plain.newlines
        return True

    def block(self, source: str, first: int) -> Block:
        """The rows; `first` lines of the source come before this chunk."""
        if self.plain and self._plain is not None:
            return self._plain.block(source, first)
        return self._by_arrow().block(source, first)
