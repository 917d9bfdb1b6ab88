"""libsvm / svmlight text: `label id:value id:value ... # comment`, a row a line."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.kernels import libsvm as kernel
from mistakebound.kernels.slots import widen
from mistakebound.streams.libsvm_errors import describe
from mistakebound.streams.rows import RowPiece, RowReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block

_NO_KEYS, _NO_WIDE_KEYS = array("I"), array("Q")


class LibsvmPiece(RowPiece):
    __slots__ = ()

    key_code = "I"  # until an id needs more

    def _more(self) -> None:
        self.state[kernel.ASCENDING] = 1
        super()._more()

    def _run_kernel(self) -> int:
        wide = self.keys.format == "Q"
        status = kernel.parse_block(
            self.text, self.end, _NO_KEYS if wide else self.keys, self.keys if wide else _NO_WIDE_KEYS, self.values,
            self.indptr, self.tokens, self.lines, self.labels, self.ends, self.slots, self._unlabelled_ok, self.state,
        )  # fmt: skip
        if status != kernel.WIDE:
            return status
        keys: memoryview[int] = zeros("Q", len(self.keys))
        if not widen(self.keys, self.state[kernel.ENTRIES], 0, keys):
            raise AssertionError("a piece has fewer keys than entries")
        self.keys = keys
        return self._run_kernel()

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        return describe(status, line, offset)

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        block.ascending = bool(self.state[kernel.ASCENDING])
        return block


class LibsvmReader(RowReader):
    """The rows of a libsvm file; attributes are ids."""

    __slots__ = ()

    format = "libsvm"

    def piece(self) -> LibsvmPiece:
        return LibsvmPiece(self._cutter.block_bytes, self._unlabelled_ok, self._skip)
