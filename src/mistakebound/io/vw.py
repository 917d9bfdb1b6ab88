"""VW text: `label weight 'tag |namespace:scale name:value name ...`, one row per line."""

from __future__ import annotations

from mistakebound.core.block import BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.io.rows import RowChunk, RowReader
from mistakebound.kernels import libsvm as state_of  # the places of `state`
from mistakebound.kernels import vw as kernel
from mistakebound.kernels.name_table import NameTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.io.source import Source

LONGEST_NAMES = 1 << 28  # bytes that the names of one row may take, namespaces written before each of them
FEW_NAMES = 1 << 14  # in the first blocks: then a list for each chunk costs little, and chunks are parsed side by side
_MOST_KEPT = 1 << 18  # names that are kept for the next block


class VwNames:
    """Room for the distinct names of blocks whose text has `size` bytes, and their keys in a learner's table.

    Chunks that are parsed one at a time may share it: new names come behind those that there are, and a block is given
    out with its own and those of the blocks before it.
    """

    __slots__ = ("columns", "count", "ends", "full", "given", "names", "table")

    def __init__(self, size: int) -> None:
        entries = size // 2 + 8
        self.names: memoryview[int] = zeros("B", 4 * size + 64)
        self.ends: memoryview[int] = zeros("q", 2 * entries + 1, sparse=True)
        cells = zeros("I", 1 << (4 * entries).bit_length())
        self.table = NameTable(self.names, self.ends, cells, zeros("Q", 4 * len(self.ends)))
        self.count = 0  # names when a block was parsed last
        self.full = False  # it ended because there was no room for more
        self.given = 0  # blocks: whoever took one has looked at its names when the next one is given out
        self.begin()

    def begin(self) -> None:
        """There are no names."""
        self.columns = BlockNames(self.names, self.ends, 0, distinct=True)

    def has_room(self, size: int) -> bool:
        """Whether the names of another block surely have room beside these, and memory is not full of them."""
        if self.full or self.count > _MOST_KEPT or self.count + size // 2 + 8 > len(self.ends):
            return False
        return 2 * self.ends[self.count] <= len(self.names)

    def pays(self, size: int) -> bool:
        """Whether chunks are to share it: each would have many names of its own, and one learner takes them all."""
        return self.has_room(size) and (self.given < 2 or (self.columns.lasting and self.count >= FEW_NAMES))

    def more_room(self) -> None:
        """For the first row, which has more names than there was room for."""
        self.names = zeros("B", 2 * len(self.names))
        self.table.more_names(self.names)


class VwChunk(RowChunk):
    """The names of a block stand in a list, each once; the keys of its rows are their places.

    They stay there for the blocks that follow, as long as there is room and one learner takes them all.  Those of a
    chunk that is parsed `alone` are its reader's, which has one list for all chunks.
    """

    __slots__ = ("_names", "_own", "_rows", "_shared", "weights")

    shortest = 2  # " a"

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, shared: VwNames | None = None) -> None:
        self._shared = shared  # None: there are none, or no longer
        super().__init__(size, unlabelled_ok, skip)

    def _make_room(self) -> None:
        super()._make_room()
        self.weights: memoryview[float] = zeros("d", self.size // 2 + 9, sparse=True)
        self._own: VwNames | None = None
        self._use(self._own_names() if self._shared is None else self._shared)

    def _own_names(self) -> VwNames:
        if self._own is None:
            self._own = VwNames(self.size)
        return self._own

    def _use(self, names: VwNames) -> None:
        self._names = names
        self._rows = kernel.VwRows(
            (self.keys, self.values, self.indptr, self.tokens, self.lines, self.weights),
            (self.labels, self.ends, self.slots),
            names.table,
            self.state,
        )
        self.state[kernel.NAMES] = 0

    @property
    def alone(self) -> bool:  # type: ignore[override]
        return self._names is self._shared

    @property
    def columns(self) -> BlockNames:
        return self._names.columns

    def choose_names(self) -> None:
        """The chunk is to be parsed: with the names of all, or with its own from now on."""
        if self._shared is None:
            return
        if not self._shared.pays(self.size):
            self._shared = None
            self._use(self._own_names())
        elif not self.alone:
            self._use(self._shared)

    def _more(self) -> None:
        names = self._names
        keep = self.alone or (names.columns.lasting and names.has_room(self.size))
        if not keep:
            names.begin()
        names.full = False
        self._rows.clear(keep)
        super()._more()
        names.count = self.state[kernel.NAMES]

    def parse_rest(self) -> bool:
        if self.alone and self.error is None and self.state[state_of.POS] < self.end:
            self._use(self._own_names())  # another chunk may be parsed meanwhile
        return super().parse_rest()

    def _run_kernel(self) -> int:
        while True:
            status = self._rows.parse(self.text, self.end, self._unlabelled_ok)
            if status == kernel.CAPACITY:
                raise AssertionError("the buffers of a chunk do not fit together")
            if status != kernel.NAMES_FULL or self.state[kernel.NAMES] or len(self._names.names) >= LONGEST_NAMES:
                return status
            self._names.more_room()

    def _is_full(self, status: int) -> bool:
        self._names.full = status == kernel.NAMES_FULL and self.state[kernel.NAMES] > 0
        return self._names.full or status == kernel.LABELS_FULL

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        from mistakebound.io.bad_lines import describe_vw  # for a line that is bad

        return describe_vw(status, line, offset)

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        names = self._names
        names.given += 1
        names.columns.grow(names.names, names.ends, self.state[kernel.NAMES])  # now: blocks are given out in order
        block.columns, block.distinct = names.columns, True
        if self.state[kernel.WEIGHTED]:
            block.weights = self.weights
        return block


class VwReader(RowReader):
    """The rows of a VW file.  `name` in the default namespace is the attribute "name", in namespace ns "ns^name"."""

    __slots__ = ("_apart", "_names")

    format = "vw"

    def __init__(
        self, path: str | os.PathLike[str] | Source, settings: dict[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(path, settings, **options)
        # Names that are ignored or hashed are looked at where they are parsed, block by block.
        self._apart = settings is not None and bool(settings.get("ignore") or settings.get("hash") is not None)
        self._names: VwNames | None = None  # of all chunks

    def chunk(self) -> VwChunk:
        if self._names is None and not self._apart:
            self._names = VwNames(self._cutter.block_bytes)
        return VwChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip, self._names)

    def fill(self, chunk: RowChunk) -> bool:
        assert isinstance(chunk, VwChunk)
        found = super().fill(chunk)
        chunk.choose_names()  # now: a long line has made it larger
        return found
