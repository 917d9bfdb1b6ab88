"""The rows of a cache, by the same steps as those of a text: chunks filled, parsed in parallel, emitted in order."""

from __future__ import annotations

from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, MistakeboundError, shown
from mistakebound.io.cache_block import (
    CHECK,
    FIRST_ROW,
    HEAD_BYTES,
    LAST_LINE,
    ROWS,
    SIZE,
    Damaged,
    Unpacker,
    checksum,
)
from mistakebound.io.cache_file import COLLISIONS, START, damaged, open_cache
from mistakebound.io.reader import BaseChunk, StreamReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.core.block import Block

_KINDS = ("nominal", "numeric")  # columns of a table


class CacheChunk(BaseChunk):
    """The bytes of one block, and the block in them."""

    __slots__ = ("_hashed", "_sources", "_unpacker", "block", "bytes", "failure", "number", "offset", "path", "size")

    def __init__(self, path: str, sources: list[str], hashed: bool) -> None:
        self._sources = sources
        self._hashed = hashed
        self._unpacker = Unpacker()
        self.path = path
        self.failure: MistakeboundError | None = None
        self.bytes: memoryview[int] = zeros("B", 1 << 16)
        self.size = 0
        self.number = 0
        self.offset = 0  # of the end of the block in the file
        self.block: Block | None = None

    def parse(self) -> None:
        data = self.bytes[: self.size]
        try:
            if checksum(data) != data[8 * CHECK : 8 * CHECK + 8].cast("q")[0]:
                raise Damaged
            self.block = self._unpacker.unpack(data, self._sources)
            if self._hashed and self.block.columns is not None:  # of hashed rows there are no names
                raise Damaged
        except Damaged:
            raise damaged(self.path, self.number) from None


class CacheReader(StreamReader):
    """A cache as a stream: the rows, labels and names of the text that it was made from, and where each row stood."""

    __slots__ = (
        "_end", "_file", "_footer", "_number", "_offset", "_sources", "line", "name", "offset", "path", "rows",
    )  # fmt: skip

    def __init__(self, path: str, settings: dict[str, Any] | None = None, *, on_error: str = "fail") -> None:
        self._file, self._footer, self._end = open_cache(path)
        self._agree(path, settings or {})
        self._file.seek(START)
        self.path = self.name = path
        self._sources = [source["name"] for source in self._footer["sources"]]
        self._offset = START  # of the next block to be filled,
        self._number = 0  # and its number
        self.offset = START  # behind the last block given out
        self.line = 0
        self.rows = 0
        if on_error == "fail" and self._footer["skipped"]:
            self.close()
            source, line, message = self._footer["skipped_lines"][0]
            raise BadData(message, source=source, line=line)

    def _agree(self, path: str, wanted: dict[str, Any]) -> None:
        """The rows are as they were read: other settings cannot be had of them."""
        has, asked = self._footer["settings"], self._footer["asked"]
        names = wanted if not wanted.get("remembered") else {**wanted, **has}  # what a model remembers is complete
        for name in names:
            value = wanted.get(name)
            if name == "remembered" or (not value and not has.get(name)) or (name, value) == ("format", "auto"):
                continue
            if name in _KINDS and "kinds" in has:  # asked for, or found by the first cells: the rows are the same
                same = all(has["kinds"].get(column) == name for column in value or ())
            else:
                same = value in (has.get(name), asked.get(name))  # such as the number of bins and where they are cut
            if not same:
                self.close()
                own, other = (shown(settings.get(name)) for settings in (has, wanted))
                raise BadData(f"the cache was made with {name} {own}, not with {other}", source=path)

    @property
    def settings(self) -> dict[str, Any]:
        """Of the reader of the text: that is what a model remembers."""
        found: dict[str, Any] = self._footer["settings"]
        return found

    @property
    def identity(self) -> int:  # type: ignore[override]
        return int(self._footer["identity"])

    @property
    def skipped(self) -> int:
        return int(self._footer["skipped"])

    @property
    def skipped_lines(self) -> list[tuple[str, int, str]]:
        return [(source, line, message) for source, line, message in self._footer["skipped_lines"]]

    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        return self.skipped, self.skipped_lines

    def collisions(self) -> dict[str, Any] | None:
        """Of hashed names, as they were counted when the text was read."""
        found: dict[str, Any] | None = self._footer.get("collisions")
        return None if found is None else {name: found[name] for name in COLLISIONS}

    def chunk(self) -> CacheChunk:
        return CacheChunk(self.path, self._sources, bool(self._footer["settings"].get("hash")))

    def fill(self, chunk: CacheChunk) -> bool:
        if self._offset >= self._end or self._file.closed:
            self.close()
            return False
        chunk.number = self._number
        try:
            if not self._read(chunk, 0, HEAD_BYTES):
                raise Damaged
            size = chunk.bytes[: 8 * SIZE + 8].cast("q")[SIZE]
            if size % 8 or not HEAD_BYTES <= size <= self._end - self._offset:
                raise Damaged
            if size > len(chunk.bytes):
                larger: memoryview[int] = zeros("B", size + size // 4)
                larger[:HEAD_BYTES] = chunk.bytes[:HEAD_BYTES]
                chunk.bytes = larger
            if not self._read(chunk, HEAD_BYTES, size):
                raise Damaged
        except (Damaged, OSError):
            self.close()
            chunk.failure = damaged(self.path, self._number)
            return True
        chunk.size = size
        self._offset += size
        chunk.offset = self._offset
        self._number += 1
        return True

    def _read(self, chunk: CacheChunk, start: int, end: int) -> bool:
        while start < end:
            got = self._file.readinto(chunk.bytes[start:end])
            if not got:
                return False
            start += got
        return True

    def emit(self, chunk: CacheChunk) -> Iterator[Block]:
        if chunk.failure is not None:
            raise chunk.failure
        assert chunk.block is not None
        head = chunk.bytes[:HEAD_BYTES].cast("q")
        if head[FIRST_ROW] != self.rows:
            raise damaged(self.path, chunk.number)
        self.offset, self.line, self.name = chunk.offset, head[LAST_LINE], chunk.block.source
        self.rows += head[ROWS]
        yield chunk.block

    def position(self) -> dict[str, Any]:
        """Behind the last block given out."""
        own = {"source": self.name, "line": self.line, "offset": self.offset, "rows": self.rows}
        return own | {"cache": self.identity}

    def seek(self, position: dict[str, Any]) -> None:
        self.offset = self._offset = position["offset"]
        self.line, self.rows, self.name = position["line"], position["rows"], position["source"]
        self._file.seek(self.offset)

    def progress(self) -> tuple[int, int | None]:
        return self._offset - START, self._end - START

    def close(self) -> None:
        self._file.close()
