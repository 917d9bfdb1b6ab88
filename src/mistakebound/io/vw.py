"""VW text: `label weight 'tag |namespace:scale name:value name ...`, one row per line."""

from __future__ import annotations

from mistakebound.core.block import BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.io.rows import RowChunk, RowReader
from mistakebound.kernels import vw as kernel
from mistakebound.kernels.name_table import NameTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block

LONGEST_NAMES = 1 << 28  # bytes that the names of one row may take, namespaces written before each of them
_MOST_KEPT = 1 << 18  # names that are kept for the next block


class VwChunk(RowChunk):
    """The names of a block stand in `names`, each once; the keys of its rows are their places.

    They stay there for the blocks that follow, as long as there is room and one learner takes them all.
    """

    __slots__ = ("_full", "_rows", "_table", "columns", "name_ends", "names", "weights")

    shortest = 2  # " a"

    def _make_room(self) -> None:
        super()._make_room()
        entries = self.size // 2 + 8
        self.weights: memoryview[float] = zeros("d", entries + 1, sparse=True)
        self.names: memoryview[int] = zeros("B", 4 * self.size + 64)
        self.name_ends: memoryview[int] = zeros("q", 2 * entries + 1, sparse=True)
        self._table = NameTable(
            self.names,
            self.name_ends,
            zeros("I", 1 << (4 * entries).bit_length()),
            zeros("Q", 4 * len(self.name_ends)),
        )
        self._rows = kernel.VwRows(
            (self.keys, self.values, self.indptr, self.tokens, self.lines, self.weights),
            (self.labels, self.ends, self.slots),
            self._table,
            self.state,
        )
        self._full = False  # the last block ended because there was no room for names
        self.state[kernel.NAMES] = 0
        self.columns = BlockNames(self.names, self.name_ends, 0, distinct=True)

    def _more(self) -> None:
        keep = self.columns.lasting and not self._full and not self._names_are_many()
        if not keep:
            self.columns = BlockNames(self.names, self.name_ends, 0, distinct=True)
        self._full = False
        self._rows.clear(keep)
        super()._more()
        self.columns.grow(self.names, self.name_ends, self.state[kernel.NAMES])

    def _names_are_many(self) -> bool:
        """Whether those of another block may have no room beside those that are there, or memory is full of them."""
        kept = self.state[kernel.NAMES]
        if kept > _MOST_KEPT or kept + self.size // 2 + 8 > len(self.name_ends):
            return True
        return 2 * self.name_ends[kept] > len(self.names)

    def _run_kernel(self) -> int:
        while True:
            status = self._rows.parse(self.text, self.end, self._unlabelled_ok)
            if status == kernel.CAPACITY:
                raise AssertionError("the buffers of a chunk do not fit together")
            if status != kernel.NAMES_FULL or self.state[kernel.NAMES] or len(self.names) >= LONGEST_NAMES:
                return status
            self.names = zeros("B", 2 * len(self.names))  # one row has more than there was room for
            self._table.more_names(self.names)

    def _is_full(self, status: int) -> bool:
        self._full = status == kernel.NAMES_FULL and self.state[kernel.NAMES] > 0
        return self._full or status == kernel.LABELS_FULL

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
