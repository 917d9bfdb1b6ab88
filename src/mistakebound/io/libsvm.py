"""libsvm / svmlight text: `label id:value id:value ... # comment`, one row per line."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.io.rows import RowChunk, RowReader
from mistakebound.kernels import libsvm as kernel
from mistakebound.kernels.slots import widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.io.source import Source

_NO_VALUES = array("d")


class LibsvmChunk(RowChunk):
    __slots__ = ("_known", "_room", "_rows", "_scratch", "_sorts")

    key_code = "I"  # until an id needs more

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, *, sorts: bool = False) -> None:
        super().__init__(size, unlabelled_ok, skip)
        self._sorts = sorts
        self._scratch: tuple[memoryview[Any], ...] = ()
        self._room: memoryview[int] = zeros("I", 0)

    def _more(self) -> None:
        self.state[kernel.ASCENDING] = 1
        self._known: tuple[int, memoryview[int]] | None = None
        super()._more()
        if self._sorts and not self.state[kernel.ASCENDING]:
            self._sort()

    def _sort(self) -> None:
        """Rows in ascending order of their ids: here, where several threads can do it at once.

        A row with an id twice stays as it is, for whoever learns the rows to say so in its turn.
        """
        from mistakebound.kernels import ascending

        if not self._scratch or len(self._scratch[0]) != len(self.keys):
            self._scratch = tuple(zeros(code, len(self.keys), sparse=True) for code in "QId")
        values = self.values if self.state[kernel.REAL] else _NO_VALUES
        self.state[kernel.ASCENDING] = ascending.sort(
            self.indptr, self.keys, values, self.state[kernel.ROWS], *self._scratch
        )
        if self.state[kernel.ASCENDING] < 0:
            raise AssertionError("the buffers of a chunk do not fit together")

    def look_ahead(self, table: AttributeTable) -> None:
        """Look the ids up in this thread, where they seem to be large: look-ups take longer than anything else."""
        entries = self.indptr[self.state[kernel.ROWS]]
        if entries and self.keys.format == "Q" and self.keys[0] >= table.dense:
            if len(self._room) < len(self.keys):
                self._room = zeros("I", len(self.keys))
            self._known = table.look_up(self.keys, 0, entries, self._room), self._room

    def _make_room(self) -> None:
        super()._make_room()
        self._write_here()

    def _write_here(self) -> None:
        """The kernel writes into these buffers."""
        entries = self.keys, self.values, self.indptr, self.tokens, self.lines
        self._rows = kernel.LibsvmRows(entries, (self.labels, self.ends, self.slots), self.state)

    def _run_kernel(self) -> int:
        status = self._rows.parse(self.text, self.end, self._unlabelled_ok)
        if status != kernel.WIDE:
            return status
        keys: memoryview[int] = zeros("Q", len(self.keys), sparse=True)
        if not widen(self.keys, self.state[kernel.ENTRIES], 0, keys):
            raise AssertionError("a chunk has fewer keys than entries")
        self.keys = keys
        self._write_here()
        return self._run_kernel()

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        from mistakebound.io.bad_lines import describe_libsvm  # for a line that is bad

        return describe_libsvm(status, line, offset)

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        block.ascending = bool(self.state[kernel.ASCENDING])
        block.known = self._known
        return block


class LibsvmReader(RowReader):
    """The rows of a libsvm file; attributes are ids, ascending in every row that has none twice.

    Rows whose ids will be hashed come as they are written: values that fall together are added in that order.
    """

    __slots__ = ("_sorts",)

    format = "libsvm"

    def __init__(
        self, path: str | os.PathLike[str] | Source, settings: dict[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(path, settings, **options)
        self._sorts = (settings or {}).get("hash") is None

    def chunk(self) -> LibsvmChunk:
        return LibsvmChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip, sorts=self._sorts)
