"""The labels of a stream's first rows, found before the first trial: the stream is opened twice."""

from __future__ import annotations

import os
from bisect import bisect_left

from mistakebound.core.block_labels import next_rows
from mistakebound.core.errors import MistakeboundError
from mistakebound.io.memory import InMemory, MemorySource, TextInMemory, open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.io.source import Source

_ENTRIES = 1 << 22  # of the rows that are looked at: what was read of a pipe is kept in memory


class KeptPipe(InMemory):
    """A pipe, or rows that are made as they are read: what is read of it while `looking` is kept, and read again.

    An error or Ctrl-C that ended the first reading stands behind what is kept.
    """

    __slots__ = ("kept", "looking", "source", "trouble")

    def __init__(self, place: str | InMemory) -> None:
        super().__init__(place, "<stdin>" if place == "-" else place if isinstance(place, str) else place.name)
        self.kept: list[bytes] = []
        self.looking = True
        self.source: Source | None = None
        self.trouble: BaseException | None = None

    def open(self) -> MemorySource:
        if self.source is None:
            self.source = open_source(self._data)
        return _Recorded(self) if self.looking else _Replayed(self)

    def close(self) -> None:
        if self.source is not None:
            self.source.close()


class _Recorded(MemorySource):
    """The first reading, which is kept.  Closing it leaves the pipe open."""

    __slots__ = ("_pipe",)

    def __init__(self, pipe: KeptPipe) -> None:
        super().__init__(pipe.name, iter(()))
        self._pipe = pipe

    def read_into(self, into: memoryview) -> int:
        if got := super().read_into(into):  # somebody has looked at it
            return got
        if self._trouble is not None:
            raise self._trouble
        assert self._pipe.source is not None
        try:
            got = self._pipe.source.read_into(into)
        except BaseException as error:
            self._pipe.trouble = error
            raise
        if got:
            self._pipe.kept.append(bytes(into[:got]))
        self.position = self._pipe.source.position
        return got


class _Replayed(MemorySource):
    """What was kept, and the rest of the pipe."""

    __slots__ = ("_pipe",)

    def __init__(self, pipe: KeptPipe) -> None:
        kept, pipe.kept = pipe.kept, []
        super().__init__(pipe.name, iter(kept))
        self._pipe = pipe

    def read_into(self, into: memoryview) -> int:
        if got := super().read_into(into):
            return got
        trouble = self._trouble or self._pipe.trouble
        if trouble is not None:
            raise trouble
        assert self._pipe.source is not None
        got = self._pipe.source.read_into(into)
        self.position = self._pipe.source.position
        return got

    def close(self) -> None:
        super().close()
        self._pipe.close()


def readable_twice(files: Iterable[Any]) -> list[Any]:
    """The files, with a pipe kept in memory as far as it is looked at."""
    return [KeptPipe(file) if _once(file) else file for file in files]


def looked(files: Iterable[Any]) -> None:
    """Nothing more is kept of pipes from here on."""
    for file in files:
        if isinstance(file, KeptPipe):
            file.looking = False


def _once(file: Any) -> bool:
    if isinstance(file, TextInMemory):
        return file.made
    return isinstance(file, str) and (file == "-" or (os.path.exists(file) and not os.path.isfile(file)))


def labels_in(reader: Any, rows: int) -> list[str]:
    """The texts of the labels in the first so many rows of a reader, in the order of their appearance.

    They are the same whatever the size of the blocks.  Where rows are so long that they would fill the memory, they
    are those of fewer rows.  An error ends the look: it is raised when the rows before it have been learned.  So does
    Ctrl-C in a pipe, which could not be read again; elsewhere it is raised at once.
    """
    found: dict[bytes, None] = {}
    entries = _ENTRIES
    try:
        for block in reader:
            seen = min(rows, bisect_left(block.indptr, block.indptr[0] + entries, 1, block.rows))
            found |= dict.fromkeys(_tokens(block, seen))
            rows -= seen
            entries -= block.indptr[seen] - block.indptr[0]
            if rows <= 0 or entries <= 0:
                break
    except MistakeboundError:
        pass
    except KeyboardInterrupt:
        if reader.progress()[1] is not None:
            raise
    finally:
        reader.close()
    return [text for token in found if (text := _decoded(token)) is not None]


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
