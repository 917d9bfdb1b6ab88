"""One file or several, read one after the other as one stream."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadParameter, MistakeboundError, named
from mistakebound.io.formats import open_file, unmatched_by_columns
from mistakebound.io.ranges import FileRange
from mistakebound.io.reader import KEPT_LINES, BaseChunk, StreamReader
from mistakebound.io.source import InMemory, open_source, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Place = str | os.PathLike[str] | InMemory
    Paths = Place | Sequence[Place]

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.io.hashing import Collisions, Rework


class StreamChunk(BaseChunk):
    """A chunk of one of the files, with the reader that filled it; or a file that could not be opened."""

    __slots__ = ("chunk", "failure", "file", "reader", "rework")

    def __init__(self, rework: Rework | None) -> None:
        self.rework = rework
        self.failure: BaseException | None = None
        self.file = 0
        self.reader: Any = None
        self.chunk: Any = None

    @property
    def alone(self) -> bool:  # type: ignore[override]
        return self.chunk is not None and bool(self.chunk.alone)

    def parse(self) -> None:
        self.chunk.parse()
        if self.rework is not None:
            self.rework.apply(self.chunk.block("", 0))

    def look_ahead(self, table: AttributeTable) -> None:
        if self.rework is None:
            self.chunk.look_ahead(table)


class Stream(StreamReader):
    """The blocks of the files in their order.  A byte order mark, line numbers and a missing newline are a file's own.

    `fill`, `StreamChunk.parse` and `emit` are the three steps that `run` spreads over threads: what filling
    knows (`_filling`, the file that is being read) is apart from what settling knows (`_settling`, the file of the
    last block).  The first file says how the others are read: its settings are complete as soon as a chunk is filled.
    """

    __slots__ = (
        "_assumed", "_bytes_before", "_collisions", "_ended", "_file", "_filling", "_first", "_matched", "_options",
        "_passed", "_paths", "_reworks", "_settings", "_settled_file", "_settling", "_sizes", "_skipped",
        "_sought", "rows",
    )  # fmt: skip

    def __init__(self, paths: Sequence[str | InMemory], settings: dict[str, Any], options: dict[str, Any]) -> None:
        if not paths:
            raise BadParameter("a stream needs at least one file")
        if list(paths).count("-") > 1:
            raise BadParameter("standard input (-) can be read only once")
        self._paths = paths
        self._settings = settings
        self._options = options
        self._sizes = [size_of(path) for path in paths]  # a name that no file has is said now, not hours later
        self._ended = False
        self._file = 0
        self._filling = self._first = self._settling = _begun(paths[0], settings, options)
        self._bytes_before = 0  # in the files that have been read to their end
        self._settled_file = 0
        self._skipped = 0  # in the files whose last block has been given out, and
        self._passed: list[tuple[str, int, str]] = []  # their bad lines
        self._assumed: list[str] = []  # about them
        self._reworks: list[Any] = []  # one for each chunk
        self._matched: set[str] = set()  # patterns to ignore that members of objects fit
        self._collisions: Collisions | None = None
        if settings.get("hash") is not None:
            from mistakebound.io.hashing import Collisions

            self._collisions = Collisions(settings["hash"])
        self.rows = 0
        self._sought = 0  # rows before the place from which reading began

    @property
    def settings(self) -> dict[str, Any]:
        """How to read another stream so that it means the same: what a model remembers."""
        own = {name: self._settings[name] for name in ("ignore", "hash") if self._settings.get(name)}
        found: dict[str, Any] = self._first.settings | own
        return found

    @property
    def assumed(self) -> list[str]:  # type: ignore[override]
        """What was guessed from the first rows of the files, as far as they are given out."""
        own: list[str] = self._settling.assumed
        return self._assumed + [line for line in own if line not in self._assumed]

    @property
    def name(self) -> str:
        """The file of the last block."""
        name: str = self._settling.name
        return name

    @property
    def line(self) -> int:
        """Lines of that file that have been given out."""
        line: int = self._settling.line
        return line

    @property
    def offset(self) -> int:
        """Where the next one starts in its (uncompressed) text."""
        offset: int = self._settling.offset
        return offset

    @property
    def skipped(self) -> int:
        """Bad lines that were skipped, in all files."""
        return self._skipped + int(self._settling.skipped)

    @property
    def skipped_lines(self) -> list[tuple[str, int, str]]:
        """File, line and trouble of the first of them."""
        own = [(self.name, line, message) for line, message in self._settling.skipped_lines]
        return (self._passed + own)[:KEPT_LINES]

    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        """How many, and `skipped_lines`, that stand before a line of the file in hand; None: all."""
        reader = self._settling
        if line is None or reader.skipped != len(reader.skipped_lines):
            return self.skipped, self.skipped_lines
        own = [(self.name, k, message) for k, message in reader.skipped_lines if k < line]
        return self._skipped + len(own), (self._passed + own)[:KEPT_LINES]

    def chunk(self) -> StreamChunk:
        ignore, bits = self._settings.get("ignore"), self._settings.get("hash")
        if not ignore and bits is None:
            return StreamChunk(None)
        from mistakebound.io.hashing import Rework

        self._reworks.append(Rework(ignore or [], bits))
        return StreamChunk(self._reworks[-1])

    def unmatched(self) -> list[str]:
        """Patterns of attributes to ignore that no column and no attribute had so far."""
        left = unmatched_by_columns(self.settings) if self._reworks else []
        left = [pattern for pattern in left if pattern not in self._matched]
        return [pattern for pattern in left if all(pattern in rework.unmatched for rework in self._reworks)]

    def fill(self, chunk: StreamChunk) -> bool:
        while not self._ended:
            reader = self._filling
            if chunk.reader is not reader:
                chunk.reader, chunk.chunk = reader, reader.chunk()
            if reader.fill(chunk.chunk):
                chunk.file, chunk.failure = self._file, chunk.chunk.failure
                return True
            try:
                if not self._next_file():
                    return False
            except MistakeboundError as error:  # whoever emits the chunks in their order raises it in its turn
                self._ended = True
                chunk.file, chunk.reader, chunk.chunk, chunk.failure = self._file, None, None, error
                return True
        return False

    def _next_file(self) -> bool:
        self._bytes_before += self._filling.progress()[0]
        self._filling.close()
        self._file += 1
        if self._file == len(self._paths):
            self._file -= 1
            self._bytes_before -= self._filling.progress()[0]
            self._ended = True
            return False
        self._open(self._file, self.settings | {"remembered": True})
        return True

    def _open(self, file: int, settings: dict[str, Any]) -> None:
        self._file = file
        self._filling = _begun(self._paths[file], settings, self._options)

    def emit(self, chunk: StreamChunk) -> Iterator[Block]:
        """The blocks of a parsed chunk, then its error."""
        if chunk.reader is None:
            assert chunk.failure is not None
            raise chunk.failure
        chunk.failure = None  # the chunk within has it
        if chunk.reader is not self._settling:
            self._assumed = self.assumed
            self._passed = self.skipped_lines
            self._skipped = self.skipped
            self._settling, self._settled_file = chunk.reader, chunk.file
        for block in chunk.reader.emit(chunk.chunk):
            self._matched |= chunk.chunk.matched
            self.rows += block.rows
            if chunk.rework is not None:
                chunk.rework.put_into(block)
                if self._collisions is not None:
                    self._collisions.add(chunk.rework.prints, chunk.rework.prints_used)
            yield block

    def collisions(self) -> dict[str, int] | None:
        """How many names fell together so far, where they are hashed; behind a `seek` only those after it count.

        "first_row" is said then, the first row that counts: who owned the buckets before is not known any more.
        """
        if self._collisions is None:
            return None
        return self._collisions.found() | ({"first_row": self._sought + 1} if self._sought else {})

    def position(self) -> dict[str, Any]:
        """Just behind the last block given out; `seek` takes it."""
        own = {"file": self._settled_file, "source": self.name, "rows": self.rows, "skipped": self.skipped}
        found: dict[str, Any] = self._settling.position() | own
        return found

    def seek(self, position: dict[str, Any]) -> None:
        """Go on from a position, before anything was read.  The files must be the same as then."""
        file = position["file"]
        if not 0 <= file < len(self._paths):
            raise BadParameter(f"the stream must have file number {file + 1}, where the run stopped")
        if file > 0:
            settings = self.settings | {"remembered": True}
            self._filling.close()
            self._open(file, settings)
            self._settling, self._settled_file = self._filling, file
            known = [size or 0 for size in self._sizes[:file]]
            self._bytes_before = sum(known)
        if self.name != position["source"]:
            raise BadParameter(f"file {file + 1} of the stream must be {named(position['source'])}: {self.name}")
        self._filling.seek(position)
        self.rows = position["rows"]
        self._sought = self.rows
        self._skipped = position["skipped"]

    def progress(self) -> tuple[int, int | None]:
        """Bytes read of the files as they lie on the disk, and how many they have (None: not known)."""
        total = None if None in self._sizes else sum(size or 0 for size in self._sizes)
        return self._bytes_before + int(self._filling.progress()[0]), total

    def close(self) -> None:
        self._ended = True
        self._filling.close()


def _begun(place: str | InMemory, settings: dict[str, Any], options: dict[str, Any]) -> Any:
    """The reader of a file, or of a range of one, at its first row."""
    reader = open_file(open_source(place), settings, options)
    if isinstance(place, FileRange) and place.position is not None:
        reader.seek(place.position)
    return reader


def listed(paths: Paths) -> list[Any]:
    """One path or several as a list of names; what lies in memory stays as it is."""
    if isinstance(paths, (str, os.PathLike, InMemory)):
        paths = [paths]
    return [path if isinstance(path, InMemory) else os.fspath(path) for path in paths]
