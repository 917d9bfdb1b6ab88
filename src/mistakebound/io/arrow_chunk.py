"""Some rows of a Parquet or Arrow file: typed cells become those of a table."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from mistakebound.core.buffers import Buffers
from mistakebound.core.errors import MistakeboundError
from mistakebound.io.arrow_cells import as_codes, as_numbers, mended
from mistakebound.io.arrow_file import one_line
from mistakebound.io.reader import KEPT_LINES, BaseChunk
from mistakebound.io.table_cells import raise_if_memory
from mistakebound.io.table_rows import TableRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from mistakebound.io.table_columns import Columns


class ArrowChunk(BaseChunk):
    """Some rows of a table.  `parse` needs nothing else: several may be parsed at once."""

    __slots__ = (
        "_kept",
        "_labelled",
        "_room",
        "_skip",
        "bad",
        "bad_lines",
        "batch",
        "broken",
        "columns",
        "error",
        "failure",
        "first",
        "rows",
    )

    rows_type: type = TableRows

    def __init__(self, labelled: bool, skip: bool) -> None:
        self._labelled = labelled
        self._skip = skip
        self._room = Buffers()
        self.failure: MistakeboundError | None = None
        self.columns: Columns
        self.batch: Any = None
        self.broken: list[int] = []  # columns with texts that are not UTF-8
        self.first = 0  # rows before
        self.rows: Any
        self._kept: npt.NDArray[np.int64]
        self.error: tuple[int, str] | None = None  # row (from 1), message
        self.bad = 0
        self.bad_lines: list[tuple[int, str]] = []

    def parse(self) -> None:
        self.error, self.bad, self.bad_lines = None, 0, []
        try:
            self._take_cells()
        except (pa.ArrowException, ValueError, MemoryError) as error:  # a type that Arrow cannot cast
            raise_if_memory(error)
            self.error = self.first + 1, f"the file cannot be read: {one_line(error)}"
            self.batch = self.batch.slice(0, 0)
            self._take_cells()
            self.rows.keep(~self.rows.bad)
            self._kept = np.zeros(0, np.int64)
            return
        misfits = np.flatnonzero(self.rows.bad)
        kept = ~self.rows.bad
        if self._skip:
            self.bad = len(misfits)
            self.bad_lines = [(self.first + int(k) + 1, self.rows.reason(int(k))) for k in misfits[:KEPT_LINES]]
        elif len(misfits):
            row = int(misfits[0])
            kept[row:] = False
            self.error = self.first + row + 1, self.rows.reason(row)
        self.rows.keep(kept)
        self._kept = np.flatnonzero(kept)

    def _take_cells(self) -> None:
        batch, columns = self.batch, self.columns
        wanted = {column.place: column.nominal for column in columns.attributes if column.place >= 0}
        if columns.label is not None:
            wanted[columns.label] = True
        if columns.weights is not None:
            wanted[columns.weights] = False
        cells, broken = columns.absent(batch.num_rows), []
        for place, nominal in wanted.items():
            column = batch.column(place)
            if place in self.broken:
                column, rows = mended(column)
                broken.append((rows, batch.schema.names[place]))
            cells[place] = _cells(column, nominal)
        size = batch.nbytes + 8
        self.rows = self.rows_type(columns, cells, batch.num_rows, size, True, self._labelled, self._room)
        for rows, name in broken:
            self.rows.refuse(rows, lambda _, name=name: f"the text in column {name!r} is not UTF-8")

    def lines(self) -> npt.NDArray[np.int64]:
        """The number of each row, from 1."""
        return self._kept + (self.first + 1)

    def block(self, source: str, first: int) -> Any:
        return self.rows.block(source, self.lines())


def _cells(column: Any, nominal: bool) -> Any:
    return as_codes(column) if nominal else as_numbers(column)
