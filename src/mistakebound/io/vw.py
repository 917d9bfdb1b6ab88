"""VW text: `label weight 'tag |namespace:scale name:value name ...`, one row per line."""

from __future__ import annotations

from array import array

from mistakebound.core.block import BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.io.rows import RowChunk, RowReader
from mistakebound.kernels import vw as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block

LONGEST_NAMES = 1 << 28  # bytes that the names of one row may take, namespaces written before each of them
_GENERATIONS = (1 << 30) - 64  # a block needs one, and one more each time that the hash of its names grows


class VwChunk(RowChunk):
    """The names of a block stand in `names`, each once; the keys of its rows are their places."""

    __slots__ = ("name_ends", "names", "place", "spaces", "spans", "table", "weights")

    shortest = 2  # " a"

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool) -> None:
        self.place = array("q", bytes(24))
        super().__init__(size, unlabelled_ok, skip)

    def _make_room(self) -> None:
        super()._make_room()
        entries = self.size // 2 + 8
        self.weights: memoryview[float] = zeros("d", entries + 1)
        self.names: memoryview[int] = zeros("B", 2 * self.size + 64)
        self.name_ends: memoryview[int] = zeros("q", entries + 1)
        self.spans: memoryview[int] = zeros("Q", entries)
        self.spaces: memoryview[int] = zeros("Q", entries)
        self.table: memoryview[int] = zeros("Q", 2 << (2 * entries).bit_length())
        self.state[kernel.GENERATION], self.state[kernel.BITS] = 0, 3

    def _more(self) -> None:
        state = self.state
        if state[kernel.GENERATION] > _GENERATIONS:
            self._make_room()
        state[kernel.GENERATION] += 1
        state[kernel.NAMES] = state[kernel.WEIGHTED] = 0
        super()._more()

    def _run_kernel(self) -> int:
        while True:
            status = kernel.parse_block(
                self.text, self.end, self.keys, self.values, self.indptr, self.tokens, self.lines, self.weights,
                self.labels, self.ends, self.slots, self.names, self.name_ends, self.table,
                self.spans, self.spaces, self._unlabelled_ok, self.state, self.place,
            )  # fmt: skip
            if status != kernel.NAMES_FULL or self.state[kernel.NAMES] or len(self.names) >= LONGEST_NAMES:
                return status
            self.names = zeros("B", 2 * len(self.names))  # one row has more than there was room for

    def _is_full(self, status: int) -> bool:
        return status == kernel.LABELS_FULL or (status == kernel.NAMES_FULL and self.state[kernel.NAMES] > 0)

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        from mistakebound.io.bad_lines import describe_vw  # for a line that is bad

        return describe_vw(status, line, offset)

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        block.columns = BlockNames(self.names, self.name_ends, self.state[kernel.NAMES])
        if self.state[kernel.WEIGHTED]:
            block.weights = self.weights
        return block


class VwReader(RowReader):
    """The rows of a VW file.  `name` in the default namespace is the attribute "name", in namespace ns "ns^name"."""

    __slots__ = ()

    format = "vw"

    def chunk(self) -> VwChunk:
        return VwChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip)
