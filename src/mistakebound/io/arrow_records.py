"""The rows of records that are not plain text: Arrow takes their cells apart, column after column."""

from __future__ import annotations

import numpy as np

from mistakebound.core.buffers import Buffers
from mistakebound.io.bad_lines import excerpt
from mistakebound.io.reader import KEPT_LINES
from mistakebound.io.table_cells import read_columns
from mistakebound.io.table_records import Records, describe
from mistakebound.io.table_rows import types_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.block import Block
    from mistakebound.io.table_columns import Columns

    Numbers = npt.NDArray[np.int64]


class ArrowRecords:
    """The rows of the records that were parsed last, their first error, and the bad records that were skipped."""

    __slots__ = (
        "_columns", "_of_record", "_records", "_room", "_rows_type", "bad", "bad_lines", "error", "lines", "rows",
        "stop",
    )  # fmt: skip

    def __init__(self, rows_type: type) -> None:
        """`rows_type` is what the cells become."""
        self._rows_type = rows_type
        self._records = Records()
        self._room = Buffers()
        self._columns: Columns
        self.rows: Any
        self._of_record: Numbers  # of each row
        self.error: tuple[int, str, str] | None = None  # line (in the chunk, from 1), message, text
        self.bad = 0
        self.bad_lines: list[tuple[int, str]] = []
        self.stop = self.lines = 0  # where the rows end: bytes and newlines of the chunk

    def parse(self, text: bytearray, end: int, delimiter: str, columns: Columns, labelled: bool, skip: bool) -> None:
        """The rows of text[:end]; without `skip` they end before the first bad record."""
        records, self._columns = self._records, columns
        records.scan(text, 0, end, delimiter, columns.width)
        faults = np.asarray(records.faults)
        faulty = np.flatnonzero(faults)
        count = records.count if skip or not len(faulty) else int(faulty[0])
        good, many = records.good_text(count)
        blanks = any(text.find(blank, 0, end) >= 0 for blank in (b" ", b"\t"))
        cells = read_columns(good, many, columns.width, delimiter, types_of(columns)) | columns.absent(many)
        self.rows = self._rows_type(columns, cells, many, len(good), blanks, labelled, self._room)
        self._of_record = np.flatnonzero(faults[:count] == 0)
        misfits = np.flatnonzero(self.rows.bad)
        if labelled:
            misfits = misfits[np.array([not self._is_empty(int(row), delimiter) for row in misfits], np.bool_)]
        self.error, self.bad, self.bad_lines = None, 0, []
        self.stop, self.lines = end, records.newlines
        kept = ~self.rows.bad
        if skip:
            self._list_bad(faulty, misfits)
        elif len(misfits):
            kept[misfits[0] :] = False
            self._fail(int(self._of_record[misfits[0]]), self.rows.reason(int(misfits[0])))
        elif len(faulty):
            self._fail(count, describe(records.faults[count], columns.width))
        self.rows.keep(kept)
        self._of_record = self._of_record[kept]

    def _is_empty(self, row: int, delimiter: str) -> bool:
        """Whether nothing but delimiters stands in a row, as spreadsheets leave below a table: nothing is learned."""
        return not self._records.first_line(int(self._of_record[row])).strip(f"{delimiter} \t\r".encode())

    def _list_bad(self, faulty: Numbers, misfits: Numbers) -> None:
        self.bad = len(faulty) + len(misfits)
        faults, lines = self._records.faults, self._records.lines
        listed = [(int(k), describe(faults[int(k)], self._columns.width)) for k in faulty[:KEPT_LINES]]
        listed += [(int(self._of_record[k]), self.rows.reason(int(k))) for k in misfits[:KEPT_LINES]]
        self.bad_lines = [(lines[k] + 1, message) for k, message in sorted(listed)[:KEPT_LINES]]

    def _fail(self, record: int, message: str) -> None:
        self.stop, self.lines = self._records.starts[record], self._records.lines[record]
        self.error = self.lines + 1, message, excerpt(self._records.first_line(record), 0)

    def file_lines(self, first: int) -> Numbers:
        """The line of each row; `first` lines of the source come before the chunk."""
        lines: Numbers = np.asarray(self._records.lines)[self._of_record] + first + 1
        return lines

    def block(self, source: str, first: int) -> Block:
        found: Block = self.rows.block(
            source,
            self.file_lines(first),
            lambda row: excerpt(self._records.first_line(int(self._of_record[row])), 0),
        )
        return found
