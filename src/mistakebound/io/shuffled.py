"""The rows of a store in an order that seed and pass decide, by the same steps as a text is read."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData
from mistakebound.io.reader import BaseChunk, StreamReader
from mistakebound.io.take import Taker
from mistakebound.kernels import shuffle as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Ints
    from mistakebound.core.errors import NoConsistentHypothesis
    from mistakebound.io.row_store import RowStore

BLOCK = 1 << 16  # rows and entries of a block, together


class ShuffledChunk(BaseChunk):
    """Rows first .. last-1 of the order."""

    __slots__ = ("_order", "_store", "_taker", "block", "failure", "first", "last")

    def __init__(self, store: RowStore, order: Ints) -> None:
        self._store = store
        self._order = order
        self._taker = Taker()
        self.failure: BadData | None = None
        self.first = self.last = 0
        self.block: Block | None = None

    def parse(self) -> None:
        store, count = self._store, self.last - self.first
        chosen = memoryview(self._order)[self.first : self.last]
        block = self._taker.take(store.block, chosen, count, names=True, room=max(BLOCK, store.widest))
        # The numbers of the rows in the store, from 1, in place of lines: `ShuffledReader.locate` knows more.
        block.lines = zeros("q", count)
        _must(kernel.number(self._order, self.first, self.last, block.lines))
        self.block = block


class ShuffledReader(StreamReader):
    """One pass over a store: every row once, in the order of (seed, number of the pass)."""

    shuffled = True
    __slots__ = ("_collisions", "_next", "_order", "_skipped", "_store", "line", "name", "rows", "settings")

    def __init__(
        self,
        store: RowStore,
        settings: dict[str, Any],
        seed: int,
        pass_number: int,
        skipped: tuple[int, list[tuple[str, int, str]]] = (0, []),
        collisions: dict[str, int] | None = None,
    ) -> None:
        self._store = store
        self._order = array("I", bytes(4 * store.rows))
        _must(kernel.permute(self._order, store.rows, seed & (1 << 64) - 1, pass_number))
        self.settings = settings
        self._skipped = skipped
        self._collisions = collisions
        self.name = store.sources[0] if len(store.sources) == 1 else "several files"
        self.line = 0
        self._next = 0  # place in the order of the next chunk
        self.rows = 0  # rows given out

    def chunk(self) -> ShuffledChunk:
        return ShuffledChunk(self._store, self._order)

    def fill(self, chunk: ShuffledChunk) -> bool:
        if self._next >= len(self._order):
            return False
        count = kernel.rows_within(self._order, self._next, self._store.indptr, BLOCK)
        _must(count)
        chunk.first, chunk.last = self._next, self._next + count
        self._next = chunk.last
        return True

    def emit(self, chunk: ShuffledChunk) -> Iterator[Block]:
        assert chunk.block is not None
        self.rows = chunk.last
        yield chunk.block

    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        """Bad lines, as they were skipped when the rows were put into memory."""
        return self._skipped

    def collisions(self) -> dict[str, int] | None:
        """Of hashed names, as they were counted then."""
        return self._collisions

    def locate(self, error: BadData | NoConsistentHypothesis) -> str:
        """Give an error the line of its row, whose number it has; the file comes back."""
        number = (error.line or 1) - 1
        source = self._store.sources[self._store.files[number]]
        error.line = self._store.lines[number] or None
        if isinstance(error, BadData):
            error.source, error.row = source, None
        return source

    def position(self) -> dict[str, Any]:
        return {"source": self.name, "rows": self.rows}

    def seek(self, position: dict[str, Any]) -> None:
        if position["rows"] > len(self._order):
            rows = f"{len(self._order)} rows, and {position['rows']} of them were learned"
            raise BadData(f"it is not the stream that was being learned: it has {rows}", source=self.name)
        self._next = self.rows = position["rows"]

    def progress(self) -> tuple[int, int | None]:
        """In bytes of the store."""
        size = self._store.size
        return size * self._next // max(1, len(self._order)), size

    def close(self) -> None:
        self._next = len(self._order)


def _must(status: int) -> None:
    if status < 0:
        raise AssertionError("the buffers of a store do not fit together")
