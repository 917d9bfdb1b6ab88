"""Some records of a table and the rows in them."""

from __future__ import annotations

import numpy as np

from mistakebound.core.block import Block
from mistakebound.core.buffers import Buffers
from mistakebound.io.bad_lines import excerpt
from mistakebound.io.plain_rows import PlainRows, can_read
from mistakebound.io.reader import KEPT_LINES
from mistakebound.io.source import Chunk
from mistakebound.io.table_cells import read_columns
from mistakebound.io.table_records import Records, describe
from mistakebound.io.table_rows import TableRows, types_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy.typing as npt

    from mistakebound.io.table_columns import Columns


class CsvChunk(Chunk):
    """Whole records as text, then their rows.  `parse` needs nothing else: several may be parsed at once."""

    __slots__ = (
        "_delimiter", "_labelled", "_of_record", "_plain", "_room", "_skip", "bad", "bad_lines", "columns", "error",
        "lines", "plain", "records", "rows", "stop",
    )  # fmt: skip

    rows_type: type = TableRows  # what the cells become

    def __init__(self, size: int, delimiter: str, labelled: bool, skip: bool) -> None:
        super().__init__(size)
        self._delimiter = delimiter
        self._labelled = labelled
        self._skip = skip
        self.columns: Columns  # set before it is parsed
        self.records = Records()
        self._room = Buffers()
        self._plain: PlainRows | None = None
        self.plain = False  # what was parsed last is there
        self.rows: TableRows  # or else here
        self._of_record: npt.NDArray[np.int64]  # of each row
        self.error: tuple[int, str, str] | None = None  # line (in the chunk, from 1), message, text
        self.bad = 0  # records skipped
        self.bad_lines: list[tuple[int, str]] = []
        self.stop = self.lines = 0  # where the rows end: bytes and newlines of the chunk

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._plain.count if self.plain and self._plain is not None else len(self.rows.tokens)

    def parse(self) -> None:
        self.plain = self._parse_plainly()
        if not self.plain:
            self._parse_any()

    def _parse_plainly(self) -> bool:
        if self.rows_type is not TableRows or not can_read(self.columns):
            return False
        if self._plain is None or self._plain.columns is not self.columns or self._plain.size < self.size:
            self._plain = PlainRows(self.columns, self._delimiter, self.size)
        if not self._plain.parse(self.text, self.end, self._labelled):
            return False
        self.error, self.bad, self.bad_lines = None, 0, []
        self.stop, self.lines = self.end, self._plain.newlines
        return True

    def _parse_any(self) -> None:
        records, columns = self.records, self.columns
        records.scan(self.text, 0, self.end, self._delimiter, columns.width)
        faulty = np.flatnonzero(records.faults)
        count = records.count if self._skip or not len(faulty) else int(faulty[0])
        text, many = records.good_text(count)
        blanks = any(self.text.find(blank, 0, self.end) >= 0 for blank in (b" ", b"\t"))
        cells = read_columns(text, many, columns.width, self._delimiter, types_of(columns)) | columns.absent(many)
        self.rows = self.rows_type(columns, cells, many, len(text), blanks, self._labelled, self._room)
        self._of_record = np.flatnonzero(records.faults[:count] == 0)
        misfits = np.flatnonzero(self.rows.bad)
        if self._labelled:
            misfits = misfits[np.array([not self._is_empty(int(row)) for row in misfits], np.bool_)]
        self.error, self.bad, self.bad_lines = None, 0, []
        self.stop, self.lines = self.end, records.newlines
        kept = ~self.rows.bad
        if self._skip:
            self._list_bad(faulty, misfits)
        elif len(misfits):
            kept[misfits[0] :] = False
            self._fail(int(self._of_record[misfits[0]]), self.rows.reason(int(misfits[0])))
        elif len(faulty):
            self._fail(count, describe(int(records.faults[count]), columns.width))
        self.rows.keep(kept)
        self._of_record = self._of_record[kept]

    def _is_empty(self, row: int) -> bool:
        """Whether nothing but delimiters stands in a row, as spreadsheets leave below a table: nothing is learned."""
        return not self.records.first_line(int(self._of_record[row])).strip(f"{self._delimiter} \t\r".encode())

    def _list_bad(self, faulty: npt.NDArray[np.int64], misfits: npt.NDArray[np.int64]) -> None:
        self.bad = len(faulty) + len(misfits)
        faults, lines = self.records.faults, self.records.lines
        listed = [(int(k), describe(int(faults[k]), self.columns.width)) for k in faulty[:KEPT_LINES]]
        listed += [(int(self._of_record[k]), self.rows.reason(int(k))) for k in misfits[:KEPT_LINES]]
        self.bad_lines = [(int(lines[k]) + 1, message) for k, message in sorted(listed)[:KEPT_LINES]]

    def _fail(self, record: int, message: str) -> None:
        self.stop, self.lines = int(self.records.starts[record]), int(self.records.lines[record])
        self.error = self.lines + 1, message, excerpt(self.records.first_line(record), 0)

    def block(self, source: str, first: int) -> Block:
        """The rows; `first` lines of the source come before this chunk."""
        if self.plain and self._plain is not None:
            return self._plain.block(source, first)
        return self.rows.block(
            source,
            self.records.lines[self._of_record] + first + 1,
            lambda row: excerpt(self.records.first_line(int(self._of_record[row])), 0),
        )
