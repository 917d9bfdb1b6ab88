"""Some rows of a Parquet or Arrow file, and their columns."""

from __future__ import annotations

from mistakebound.io.arrow_chunk import ArrowChunk
from mistakebound.io.dense_rows import DenseRows


class DenseArrowChunk(ArrowChunk):
    __slots__ = ()

    rows_type = DenseRows

    def block(self, source: str, first: int) -> DenseRows:
        rows: DenseRows = self.rows
        rows.source = source
        rows.lines = self.lines()
        return rows
