"""The cells of a table's records as whole columns, for learners that take a table at once."""

from __future__ import annotations

import numpy as np

from mistakebound.io.arrow_chunk import ArrowChunk
from mistakebound.io.arrow_records import ArrowRecords
from mistakebound.io.csv_chunk import CsvChunk
from mistakebound.io.missing_words import MARKS
from mistakebound.io.table_cells import codes, numbers, shown
from mistakebound.io.table_rows import CheckedRows
from mistakebound.kernels import cells as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.buffers import Buffers
    from mistakebound.io.table_columns import Columns, StreamColumn

    Bools = npt.NDArray[np.bool_]


class DenseRows(CheckedRows):
    """Columns of some rows.  `bad` are rows that cannot be taken; `keep` drops them."""

    __slots__ = ("cells", "label_texts", "lines", "source", "tokens")

    def __init__(
        self, columns: Columns, cells: dict[int, Any], rows: int, size: int, blanks: bool, labelled: bool, room: Buffers
    ) -> None:
        super().__init__(rows, columns.missing)
        self.tokens: npt.NDArray[np.int32] = np.full(rows, -1, np.int32)
        self.label_texts: list[str] = []
        self.source = ""
        self.lines: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        if columns.label is not None:
            self.tokens, self.label_texts = _coded(cells[columns.label], blanks)
            if labelled:
                self.refuse(self.tokens < 0, lambda row: "the row has no label")
        if columns.weights is not None:
            self.take_weights(cells[columns.weights])
        # Of each column (codes, texts), or (numbers, None).
        self.cells: list[tuple[npt.NDArray[Any], list[str] | None]] = [
            _coded(self.part(column, cells[column.place], blanks), blanks, columns.missing)
            if column.nominal
            else self._numbers(column, cells[column.place])
            for column in columns.attributes
        ]

    def _numbers(self, column: StreamColumn, cells: Any) -> tuple[npt.NDArray[Any], list[str] | None]:
        name = column.name
        values, kinds, all_numbers = numbers(column.plain(cells), self._missing)
        if not all_numbers:
            values[kinds == kernel.MISSING] = np.nan
            self.refuse(
                kinds == kernel.OTHER,
                lambda row: f"{shown(cells, row)} in the numeric column {name!r} is not a finite decimal number",
            )
        if not column.cuts:
            return values, None
        bins = np.searchsorted(np.array(column.cuts), values).astype(np.int32)
        return np.where(np.isnan(values), np.int32(-1), bins), column.names

    def keep(self, rows: Bools) -> None:
        if not rows.all():
            self.tokens = self.tokens[rows]
            self.cells = [(data[rows], texts) for data, texts in self.cells]
            self.weights = None if self.weights is None else self.weights[rows]


class DenseArrowChunk(ArrowChunk):
    """Some rows of a Parquet or Arrow file, and their columns."""

    __slots__ = ()

    rows_type = DenseRows

    def block(self, source: str, first: int) -> DenseRows:
        rows: DenseRows = self.rows
        rows.source = source
        rows.lines = self.lines()
        return rows


class DenseChunk(CsvChunk):
    """Some records of a table, and their columns."""

    __slots__ = ()

    def _can_be_plain(self) -> bool:
        return False

    def _arrow_records(self) -> ArrowRecords:
        return ArrowRecords(DenseRows)

    def block(self, source: str, first: int) -> DenseRows:  # type: ignore[override] # not sparse rows, but columns
        rows: DenseRows = self._by_arrow().rows
        rows.source = source
        rows.lines = self._by_arrow().file_lines(first)
        return rows


def _coded(cells: Any, blanks: bool, missing: frozenset[str] = MARKS) -> tuple[npt.NDArray[np.int32], list[str]]:
    places, texts, present = codes(cells, blanks, missing)
    if present is not None:
        places = np.where(present, places, np.int32(-1))
    return places, texts.to_pylist()
