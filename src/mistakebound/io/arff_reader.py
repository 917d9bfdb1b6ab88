"""The rows of an ARFF file: those of the CSV that its text is turned into, with the lines that it has itself."""

from __future__ import annotations

import numpy as np

from mistakebound.core.buffers import view
from mistakebound.core.errors import BadData
from mistakebound.io.csv import CsvReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.io.arff import ArffSource
    from mistakebound.io.csv_chunk import CsvChunk


class ArffReader(CsvReader):
    """Says why the source refused rows, and gives lines of the ARFF text for lines of the CSV."""

    __slots__ = ("_arff",)

    def __init__(self, source: ArffSource, settings: dict[str, Any], **options: Any) -> None:
        self._arff = source
        super().__init__(source, settings, **options)  # type: ignore[arg-type] # it has the face of a source

    def emit(self, chunk: CsvChunk) -> Iterator[Block]:
        if chunk.failure is not None:  # with a line of its own
            yield from super().emit(chunk)
            return
        listed = len(self.skipped_lines)
        self._say_why(chunk)
        try:
            for block in super().emit(chunk):
                listed = self._renumber(listed)
                self._number_rows(block)
                yield block
        except BadData as error:
            if error.line is not None and error.source == self.name:
                error.line = self._original(error.line)
            raise
        self._renumber(listed)

    def _say_why(self, chunk: CsvChunk) -> None:
        """In place of what the CSV reader says of the rows that the source refused."""
        refused, first, why = self._arff.refused, self.line, {}
        while refused and refused[0][0] <= first + chunk.lines:
            line, message = refused.popleft()
            why[line - first] = message
        chunk.bad_lines = [(k, why.get(k, message)) for k, message in chunk.bad_lines]

    def _renumber(self, listed: int) -> int:
        """The bad rows from `listed` on get their own lines; how many are listed."""
        for k in range(listed, len(self.skipped_lines)):
            line, message = self.skipped_lines[k]
            self.skipped_lines[k] = self._original(line), message
        return len(self.skipped_lines)

    def _number_rows(self, block: Any) -> None:
        if self._arff.breaks:
            lines = np.asarray(block.lines)
            lines = lines - np.searchsorted(np.array(self._arff.breaks), lines)
            block.lines = view(lines) if isinstance(block.lines, memoryview) else lines

    def _original(self, line: int) -> int:
        return line - int(np.searchsorted(np.array(self._arff.breaks, np.int64), line))
