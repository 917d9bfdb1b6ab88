"""A stream whose first labels are known before its first row is given out; nothing of it is read twice, or lost."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import deque

from mistakebound.core.block_labels import next_rows
from mistakebound.core.errors import MistakeboundError
from mistakebound.io.reader import BaseChunk, StreamReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.core.errors import BadData, NoConsistentHypothesis

_ENTRIES = 1 << 22  # of the rows that are looked at: they are kept in memory


class Place:
    """What a stream said of itself when it gave out a block."""

    __slots__ = ("collisions", "line", "name", "position", "rows", "skipped")

    def __init__(self, stream: Any) -> None:
        self.position: dict[str, Any] = stream.position()
        self.rows: int = stream.rows
        self.name: str = stream.name
        self.line: int = stream.line
        self.skipped: tuple[int, list[tuple[str, int, str]]] = stream.skipped_before(None)
        self.collisions: dict[str, int] | None = stream.collisions()

    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        count, lines = self.skipped
        if line is None or count != len(lines):
            return self.skipped
        before = [entry for entry in lines if entry[0] != self.name or entry[1] < line]
        return len(before), before


class AheadChunk(BaseChunk):
    """A chunk of the stream, or a block of it that was read before."""

    __slots__ = ("chunk", "failure", "kept")

    def __init__(self) -> None:
        self.chunk: Any = None
        self.kept: tuple[Block | None, Place | None] | None = None
        self.failure: MistakeboundError | None = None

    def parse(self) -> None:
        if self.kept is None:
            self.chunk.parse()

    def look_ahead(self, table: AttributeTable) -> None:
        if self.kept is None:
            self.chunk.look_ahead(table)


class AheadReader(StreamReader):
    """Looks at the first rows of a stream, then gives out its blocks, positions and errors as the stream would.

    `labels` are the texts of the labels in its first `rows` rows, in the order of their appearance, whatever the size
    of the blocks.  Where rows are so long that they would fill the memory, they are those of fewer rows.  Ctrl-C ends
    the look at a pipe, which cannot be read again: it is raised behind the rows that have come.
    """

    __slots__ = ("_at", "_failure", "_kept", "_rest", "_stream", "labels")

    def __init__(self, stream: Any, rows: int) -> None:
        self._stream = stream
        self._kept: deque[tuple[Block | None, Place | None]] = deque()
        self._rest: Iterator[Block] = iter(())  # of the chunk that was read last
        self._failure: BaseException | None = None  # behind the blocks that are kept
        self._at: Place | None = Place(stream)  # of the block that was given out last; None: the stream knows
        found: dict[bytes, None] = {}
        try:
            self._look(rows, found)
        except (MistakeboundError, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt) and stream.progress()[1] is not None:
                stream.close()
                raise
            self._failure, self._rest = error, iter(())
        except BaseException:
            stream.close()
            raise
        self._kept.append((None, None))
        self.labels = [text for token in found if (text := _decoded(token)) is not None]

    def _look(self, rows: int, found: dict[bytes, None]) -> None:
        entries = _ENTRIES
        while rows > 0 and entries > 0:
            chunk = self._stream.chunk()  # another one each time: the blocks lie in them
            if not self._stream.fill(chunk):
                return
            if chunk.failure is None:
                chunk.parse()
            self._rest = self._stream.emit(chunk)
            last = None
            while rows > 0 and entries > 0:
                if last is not None:  # the next block of a chunk lies where the last one does
                    self._kept[-1] = _copied(last), self._kept[-1][1]
                block = next(self._rest, None)
                if block is None:
                    break
                self._kept.append((block, Place(self._stream)))
                seen = min(rows, bisect_left(block.indptr, block.indptr[0] + entries, 1, block.rows))
                found |= dict.fromkeys(_tokens(block, seen))
                rows -= seen
                entries -= block.indptr[seen] - block.indptr[0]
                last = block

    @property
    def settings(self) -> Any:
        return self._stream.settings

    @property
    def shuffled(self) -> bool:  # type: ignore[override]
        shuffled: bool = self._stream.shuffled
        return shuffled

    @property
    def identity(self) -> int | None:  # type: ignore[override]
        identity: int | None = self._stream.identity
        return identity

    @property
    def _now(self) -> Any:
        """Who knows how far the stream is."""
        return self._stream if self._at is None else self._at

    @property
    def rows(self) -> int:  # type: ignore[override]
        rows: int = self._now.rows
        return rows

    @property
    def name(self) -> str:
        """The file of the last block."""
        name: str = self._now.name
        return name

    @property
    def line(self) -> int:
        """Lines of that file that have been given out."""
        line: int = self._now.line
        return line

    def chunk(self) -> AheadChunk:
        return AheadChunk()

    def fill(self, chunk: AheadChunk) -> bool:
        chunk.failure = None
        chunk.kept = self._kept.popleft() if self._kept else None
        if chunk.kept is not None:
            return True
        if self._failure is not None:  # raised behind what is kept: another thread must not wait for more of a pipe
            return False
        if chunk.chunk is None:
            chunk.chunk = self._stream.chunk()
        filled: bool = self._stream.fill(chunk.chunk)
        chunk.failure = chunk.chunk.failure if filled else None
        return filled

    def emit(self, chunk: AheadChunk) -> Iterator[Block]:
        if chunk.kept is None:
            yield from self._stream.emit(chunk.chunk)
            return
        (block, self._at), chunk.kept = chunk.kept, None
        if block is not None:
            yield block
            return
        yield from self._rest
        if self._failure is not None:
            raise self._failure

    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        skipped: tuple[int, list[tuple[str, int, str]]] = self._now.skipped_before(line)
        return skipped

    def collisions(self) -> dict[str, int] | None:
        if self._at is not None:
            return self._at.collisions
        collisions: dict[str, int] | None = self._stream.collisions()
        return collisions

    def progress(self) -> tuple[int, int | None]:
        progress: tuple[int, int | None] = self._stream.progress()
        return progress

    def position(self) -> dict[str, Any]:
        if self._at is not None:
            return self._at.position
        position: dict[str, Any] = self._stream.position()
        return position

    def seek(self, position: dict[str, Any]) -> None:
        raise AssertionError("the first rows have been read already")

    def locate(self, error: BadData | NoConsistentHypothesis) -> str | None:
        source: str | None = self._stream.locate(error)
        return source

    def close(self) -> None:
        self._stream.close()


def _tokens(block: Block, rows: int) -> list[bytes]:
    """The labels of the first so many rows, in the order of their appearance."""
    tokens = block.tokens
    if tokens is None:
        return []
    return [block.label_tokens[tokens[row]] for row in next_rows(tokens, len(block.label_tokens), 0, rows)]


def _decoded(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:  # said when its row is learned
        return None


def _copied(block: Block) -> Block:
    """In buffers of its own, with the texts of its lines."""
    from mistakebound.io.take import Taker

    copy = Taker().take(block, array("I", range(block.rows)), block.rows, names=True)
    if block.line_text is not None:
        copy.line_text = list(map(block.line_text, range(block.rows))).__getitem__
    return copy
