"""Parquet and Arrow files as tables: typed columns, rows counted from 1 where other formats have lines."""

from __future__ import annotations

from itertools import chain

import pyarrow as pa

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.arrow_cells import TypedWindow, broken_texts, check_type, is_number, is_text
from mistakebound.io.arrow_chunk import ArrowChunk
from mistakebound.io.arrow_file import one_line, open_arrow
from mistakebound.io.reader import FileReader
from mistakebound.io.table_cells import raise_if_memory
from mistakebound.io.table_columns import Columns, check_distinct, find_columns, to_look_at
from mistakebound.io.table_settings import check_settings, distinct_names, is_complete, other_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.io.source import Source

_ROWS = 1 << 15  # of a chunk


class ArrowReader(FileReader):
    """The reader of a Parquet or Arrow file: its lines are rows."""

    __slots__ = (
        "_batch",
        "_batches",
        "_begun",
        "_broken",
        "_chunk_type",
        "_columns",
        "_file",
        "_given",
        "_goal",
        "_read",
        "_rows",
        "_source",
    )  # fmt: skip

    def __init__(
        self,
        source: Source,
        settings: dict[str, Any],
        *,
        block_bytes: int = 0,
        unlabelled_ok: bool = False,
        on_error: str = "fail",
        chunk_type: type[ArrowChunk] = ArrowChunk,
    ) -> None:
        check_settings(settings)
        super().__init__(source.name, settings, unlabelled_ok=unlabelled_ok, on_error=on_error)
        self._source = source
        self._chunk_type = chunk_type
        self._rows = _ROWS if not block_bytes or block_bytes >= 1 << 20 else max(1, block_bytes // 64)
        self._goal = 0
        self._read = 0  # rows taken from the file, and
        self._given = 0  # rows of the batch in hand that are in a chunk
        self._batch: Any = None
        self._broken: list[int] | None = None  # columns of it with texts that are not UTF-8; None: not looked at
        self._batches: Iterator[Any] | None = None
        self._columns: Columns
        self._begun = False  # what the columns are is known
        self._file: Any = None

    def chunk(self) -> ArrowChunk:
        return self._chunk_type(not self._unlabelled_ok, self._skip)

    def fill(self, chunk: ArrowChunk) -> bool:
        try:
            if self._batches is None:
                self._begin()
            while self._batch is None or self._given >= self._batch.num_rows:
                if not self._take_batch():
                    return False
            if self._broken is None:
                self._broken = broken_texts(self._batch, self._columns.places())
        except MistakeboundError as error:  # whoever emits the chunks in their order raises it in its turn
            return self._fail(chunk, error)
        except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
            raise_if_memory(error)
            line = self._read + 1 if self._begun else None
            return self._fail(
                chunk, BadData(f"the file cannot be read: {one_line(error)}", source=self.name, line=line)
            )
        chunk.batch = self._batch.slice(self._given, self._rows)
        chunk.first, chunk.columns, chunk.broken = self._read, self._columns, self._broken
        self._given += chunk.batch.num_rows
        self._read += chunk.batch.num_rows
        return True

    def _fail(self, chunk: ArrowChunk, error: MistakeboundError) -> bool:
        """There is nothing behind a failure."""
        self._batch, self._batches = None, iter(())
        chunk.failure = error
        return True

    def _take_batch(self) -> bool:
        assert self._batches is not None
        self._batch, self._given, self._broken = next(self._batches, None), 0, None
        return self._batch is not None

    def _begin(self) -> None:
        self._batches = iter(())
        self._file = open_arrow(self._source, self.settings["format"])
        schema = self._file.schema
        header, said = distinct_names([name.strip() for name in schema.names])
        self._batches = self._file.batches
        if is_complete(self.settings):
            self.assumed = other_columns(header, self.settings, self._unlabelled_ok, self.name, 0)
        else:
            self.settings, found = find_columns(
                header, self.settings, lambda asked: self._look(header, asked, schema.types), self._unlabelled_ok,
                self.name,
            )  # fmt: skip
            self.assumed = said + found
        self._columns = Columns(header, self.settings)
        for place in self._columns.places():
            check_type(header[place], schema.types[place], self.name)
        check_distinct(self._columns, self.name, 0)
        self._begun = True
        self._read = self.line = self.offset = self._file.first
        self._skip_rows()

    def _look(self, header: list[str], settings: dict[str, Any], types: list[Any]) -> TypedWindow:
        """The first cells of the columns; the batches in which they stood are held back until then."""
        assert self._batches is not None
        window = TypedWindow(
            types, [k for k in to_look_at(header, settings) if is_number(types[k]) or is_text(types[k])]
        )
        held = []
        for batch in self._batches:  # the first one in any case: whether it can be read says whether the file can
            held.append(batch)
            window.add_batch(batch)
            if not window.open():
                break
        self._batches = chain(held, self._batches)
        return window

    def _skip_rows(self) -> None:
        """Go to where the work is to go on."""
        while self._read < self._goal:
            if (self._batch is None or self._given >= self._batch.num_rows) and not self._take_batch():
                raise BadData(f"the file ends before row {self._goal}, the position to resume from", source=self.name)
            step = min(self._goal - self._read, self._batch.num_rows - self._given)
            self._given += step
            self._read += step
        self.line = self.offset = self._read

    def emit(self, chunk: ArrowChunk) -> Iterator[Any]:
        """The rows of a parsed chunk as one block, then its error."""
        if chunk.failure is not None:
            raise chunk.failure
        self._count_bad(chunk.bad, chunk.bad_lines, 0)
        end = chunk.first + chunk.batch.num_rows if chunk.error is None else chunk.error[0] - 1
        self.line = self.offset = end
        if len(chunk.rows.tokens):
            yield chunk.block(self.name, 0)
        if chunk.error is not None:
            raise BadData(chunk.error[1], source=self.name, line=chunk.error[0])

    def progress(self) -> tuple[int, int | None]:
        """Bytes of the file that are done, going by its rows, and how many it has (None: not known)."""
        total, rows = self._source.total, None if self._file is None else self._file.rows
        if total is None or not rows:
            return 0, total
        return total * (self._read - self._file.first) // rows, total

    def seek(self, position: dict[str, Any]) -> None:
        self._goal = position["offset"]

    def close(self) -> None:
        self._source.close()
