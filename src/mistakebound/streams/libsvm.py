"""libsvm / svmlight text: `label id:value id:value ... # comment`, a row a line."""

from __future__ import annotations

from mistakebound.kernels import libsvm as kernel
from mistakebound.streams.libsvm_errors import describe
from mistakebound.streams.rows import RowPiece, RowReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block


class LibsvmPiece(RowPiece):
    __slots__ = ()

    def _more(self) -> None:
        self.state[kernel.ASCENDING] = 1
        super()._more()

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
        return block


class LibsvmReader(RowReader):
    """The rows of a libsvm file; attributes are ids."""

    __slots__ = ()

    format = "libsvm"

    def piece(self) -> LibsvmPiece:
        return LibsvmPiece(self._cutter.block_bytes, self._unlabelled_ok, self._skip)
