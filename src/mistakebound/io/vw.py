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
_MOST_KEPT = 1 << 18  # names that are kept for the next block
_GENERATIONS = (1 << 30) - 64  # a block needs one, and one more each time that the hash of its names grows


class VwChunk(RowChunk):
    """The names of a block stand in `names`, each once; the keys of its rows are their places.

    They stay there for the blocks that follow, as long as there is room and one learner takes them all.
    """

    __slots__ = ("columns", "lasts", "name_ends", "names", "place", "spaces", "spans", "table", "weights")

    shortest = 2  # " a"

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool) -> None:
        self.place = array("q", bytes(24))
        super().__init__(size, unlabelled_ok, skip)

    def _make_room(self) -> None:
        super()._make_room()
        entries = self.size // 2 + 8
        self.weights: memoryview[float] = zeros("d", entries + 1, sparse=True)
        self.names: memoryview[int] = zeros("B", 4 * self.size + 64)
        self.name_ends: memoryview[int] = zeros("q", 2 * entries + 1, sparse=True)
        self.spans: memoryview[int] = zeros("Q", entries, sparse=True)
        self.spaces: memoryview[int] = zeros("Q", entries, sparse=True)
        self.lasts: memoryview[int] = zeros("Q", entries, sparse=True)
        self.table: memoryview[int] = zeros("Q", 4 << (3 * entries).bit_length())
        self.state[kernel.GENERATION], self.state[kernel.BITS] = 0, 3
        self.columns = BlockNames(self.names, self.name_ends, 0)

    def _more(self) -> None:
        state = self.state
        if state[kernel.GENERATION] > _GENERATIONS:
            self._make_room()
        if not self.columns.lasting or self._names_are_many():
            self.columns = BlockNames(self.names, self.name_ends, 0)
            state[kernel.GENERATION] += 1
            state[kernel.NAMES] = 0
        state[kernel.WEIGHTED] = 0
        super()._more()
        self.columns.grow(self.names, self.name_ends, state[kernel.NAMES])

    def _names_are_many(self) -> bool:
        """Whether those of another block may have no room beside those that are there, or memory is full of them."""
        kept = self.state[kernel.NAMES]
        if kept > _MOST_KEPT or kept + self.size // 2 + 8 > len(self.name_ends):
            return True
        return 2 * self.name_ends[kept] > len(self.names)

    def _run_kernel(self) -> int:
        while True:
            status = kernel.parse_block(
                self.text, self.end, self.keys, self.values, self.indptr, self.tokens, self.lines, self.weights,
                self.labels, self.ends, self.slots, self.names, self.name_ends, self.table,
                self.spans, self.spaces, self.lasts, self._unlabelled_ok, self.state, self.place,
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
        block.columns, block.distinct = self.columns, True
        if self.state[kernel.WEIGHTED]:
            block.weights = self.weights
        return block


class VwReader(RowReader):
    """The rows of a VW file.  `name` in the default namespace is the attribute "name", in namespace ns "ns^name"."""

    __slots__ = ()

    format = "vw"

    def chunk(self) -> VwChunk:
        return VwChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip)
