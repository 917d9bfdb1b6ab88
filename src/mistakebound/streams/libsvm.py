"""libsvm / svmlight text: `label id:value id:value ... # comment`, a row a line."""

from __future__ import annotations

from mistakebound.core.buffers import zeros
from mistakebound.kernels import libsvm as kernel
from mistakebound.streams.libsvm_errors import describe
from mistakebound.streams.rows import RowPiece, RowReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block


class LibsvmPiece(RowPiece):
    __slots__ = ("_known", "_room")

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool) -> None:
        super().__init__(size, unlabelled_ok, skip)
        self._room: memoryview[int] = zeros("I", 0)

    def _more(self) -> None:
        self.state[kernel.ASCENDING] = 1
        self._known: tuple[int, memoryview[int]] | None = None
        super()._more()

    def look_ahead(self, table: AttributeTable) -> None:
        """Look the ids up in this thread, where they seem to be large: look-ups take longer than anything else."""
        entries = self.indptr[self.state[kernel.ROWS]]
        if entries and self.keys[0] >= table.dense:
            if len(self._room) < len(self.keys):
                self._room = zeros("I", len(self.keys))
            self._known = table.look_up(self.keys, 0, entries, self._room), self._room

    def _run_kernel(self) -> int:
        return kernel.parse_block(
            self.text, self.end, self.keys, self.values, self.indptr, self.tokens, self.lines,
            self.labels, self.ends, self.slots, self._unlabelled_ok, self.state,
        )  # fmt: skip

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        return describe(status, line, offset)

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        block.ascending = bool(self.state[kernel.ASCENDING])
        block.known = self._known
        return block


class LibsvmReader(RowReader):
    """The rows of a libsvm file; attributes are ids."""

    __slots__ = ()

    format = "libsvm"

    def piece(self) -> LibsvmPiece:
        return LibsvmPiece(self._cutter.block_bytes, self._unlabelled_ok, self._skip)
