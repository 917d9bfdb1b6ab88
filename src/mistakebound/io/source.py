"""Bytes of a file or of standard input, cut into chunks of whole lines.

Plain, gzip or zstd is told by the first bytes, never by the name.
"""

from __future__ import annotations

import os
import stat
import sys
from abc import ABC, abstractmethod

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.reader import BaseChunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from typing import Any

    from mistakebound.io.decompress import Decompressor

BLOCK_BYTES = 1 << 20
LONGEST_LINE = 1 << 26  # bytes: what is made of a line takes a multiple of it, and a few compressed bytes may be one
SLACK = 64  # bytes that may be read, and one newline that may be written, behind the text
_MAGIC = 4  # bytes that tell how a file is compressed
OTHER_FILES = {  # how files begin that have no rows
    b"\x89PNG": "a PNG image", b"\xff\xd8\xff": "a JPEG image", b"GIF8": "a GIF image", b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file: save the sheet as CSV", b"\x7fELF": "a program",
    b"BZh": "compressed by bzip2: unpack it (bzcat)", b"\xfd7zX": "compressed by xz: unpack it (xzcat)",
    b"7z\xbc\xaf": "a 7z archive: unpack it",
}  # fmt: skip
_MARKS = (b"\x1f\x8b", b"\xb5\x2f\xfd", b"\x2a\x4d\x18", b"PK\x03\x04", *OTHER_FILES)  # gzip, zstd, zstd, zip
_UNIT = 1 << 16


class Source:
    """Reads into a buffer; knows how far it is in the file (as it lies on the disk)."""

    __slots__ = ("_ahead", "_file", "_packed", "_start", "_trouble", "name", "position", "total")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = os.fspath(path)
        self.name = "<stdin>" if path == "-" else path
        self.position = 0
        self.total: int | None = None
        self._file = self._opened(path)
        self._packed: Decompressor | None = None
        self._start = b""  # bytes of the file, and
        self._ahead = b""  # of the text, that somebody has looked at and nobody read
        self._trouble: MistakeboundError | KeyboardInterrupt | None = None  # that stands behind them
        self.total = self._length()
        try:
            self._start = self._head()
            if any(mark in self._start for mark in _MARKS):
                from mistakebound.io.decompress import unpacker

                self._packed = unpacker(self, self._start)
        except MistakeboundError:
            self._file.close()
            raise

    def _opened(self, path: str) -> FileIO:
        return _open(path, self.name)

    def _length(self) -> int | None:
        """The size of the file; None where it has none."""
        mode = os.fstat(self._file.fileno())
        return mode.st_size if stat.S_ISREG(mode.st_mode) else None

    def _head(self) -> bytes:
        head = bytearray(_MAGIC)
        have = 0
        while have < _MAGIC and (got := self.read_raw(memoryview(head)[have:])):
            have += got
        self.position = 0
        return bytes(head[:have])

    def read_raw(self, into: memoryview) -> int:
        """Bytes as they are in the file; 0 at its end."""
        if self._start:
            got = min(len(self._start), len(into))
            into[:got] = self._start[:got]
            self._start = self._start[got:]
            self.position += got
            return got
        try:
            got = self._file.readinto(into)
            while got is None:  # a descriptor that does not block: wait for it
                import select

                select.select([self._file], [], [])
                got = self._file.readinto(into)
        except OSError as e:
            raise MistakeboundError(f"{self.name}: {e.strerror or e}") from e
        self.position += got
        return got

    def read_into(self, into: memoryview) -> int:
        """Some bytes of text, at least one unless the text has ended (then 0)."""
        if self._ahead:
            got = min(len(self._ahead), len(into))
            into[:got] = self._ahead[:got]
            self._ahead = self._ahead[got:]
            return got
        if self._trouble is not None:
            raise self._trouble
        return self.read_raw(into) if self._packed is None else self._packed.read_into(into)

    def looked_at(self) -> bytes:
        """The text from where it stands, as far as somebody has looked: nothing is waited for."""
        return self._ahead

    def look_on(self) -> bytes:
        """The text from where it stands, as far as somebody has looked: a little farther each time, until it ends."""
        chunk = bytearray(_UNIT)
        ahead, self._ahead = self._ahead, b""
        try:
            ahead += chunk[: self.read_into(memoryview(chunk))]
        except (MistakeboundError, KeyboardInterrupt) as e:
            if isinstance(e, KeyboardInterrupt) and self.total is not None:  # what came through a pipe is not lost
                raise
            self._trouble = e
        self._ahead = ahead + self._ahead  # a part that is made whole may be longer than the chunk
        return self._ahead

    def skip_to(self, offset: int) -> None:
        """Go to an offset of the text, before anything was read; where one `can_jump`, at any time.

        A text whose last line has no newline may be left at one byte behind its end: readers count that newline.
        """
        if self.can_jump():
            assert self.total is not None
            if offset > self.total + 1:
                raise self._too_short(offset)
            self._start = self._ahead = b""
            self._file.seek(offset)
            self.position = min(offset, self.total)
            return
        waste = bytearray(_UNIT)
        while offset > 0:
            got = self.read_into(memoryview(waste)[: min(offset, _UNIT)])
            if not got and offset > 1:
                raise self._too_short(offset)
            offset -= got or 1

    def can_jump(self) -> bool:
        """Whether it is a plain file, read from its beginning."""
        return self._packed is None and self.total is not None and self._file.tell() == self.position + len(self._start)

    def file(self) -> FileIO:
        """The file itself, at its beginning, for a library that goes about in it; where one `can_jump`."""
        self._start = self._ahead = b""
        self._file.seek(0)
        return self._file

    def _too_short(self, offset: int) -> BadData:
        return BadData(f"the text ends before byte {offset}, the position to resume from", source=self.name)

    def close(self) -> None:
        self._file.close()


class InMemory(ABC):
    """Stands where the path of a file may; it may be opened more than once."""

    __slots__ = ("_data", "name")

    again = True  # it can be opened twice

    def __init__(self, data: Any, name: str) -> None:
        self._data = data
        self.name = name

    @abstractmethod
    def open(self) -> Source:
        """A source that begins at the first row."""

    def looked(self) -> None:  # noqa: B027 - most need nothing here
        """What is read from here on need not be kept."""

    def close(self) -> None:  # noqa: B027
        """It will not be opened any more."""


def open_source(place: str | InMemory) -> Source:
    """The bytes of a file, or what lies in memory in its place."""
    return place.open() if isinstance(place, InMemory) else Source(place)


def size_of(place: str | InMemory) -> int | None:
    """The size of a file, None where it has none; an error for a file that is not there."""
    if isinstance(place, InMemory) or place == "-":
        return None
    try:
        mode = os.stat(place)
    except (OSError, ValueError) as e:
        raise _unopened(place, place, e) from e
    return mode.st_size if stat.S_ISREG(mode.st_mode) else None


def _open(path: str, name: str) -> FileIO:
    try:
        if path == "-":
            return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as e:  # ValueError: a NUL in the name, or no standard input
        raise _unopened(path, name, e) from e
    except AttributeError as e:
        raise MistakeboundError(f"{name}: there is no standard input") from e


def _unopened(path: str, name: str, error: Exception) -> MistakeboundError:
    hint = _near(path) if isinstance(error, FileNotFoundError) else ""
    return MistakeboundError(f"{name}: {getattr(error, 'strerror', None) or error}{hint}")


def _near(path: str) -> str:
    """A file of nearly that name, which may be meant."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        plain = {found.lower(): found for found in os.listdir(folder or ".")}
    except OSError:
        return ""
    near = get_close_matches(name.lower(), plain, 1, cutoff=0.82)
    return f" (did you mean {os.path.join(folder, plain[near[0]])}?)" if near else ""


class Chunk(BaseChunk):
    """A buffer with whole lines, text[:end], or a failure in their place; used again from chunk to chunk."""

    __slots__ = ("end", "failure", "offset", "size", "text")

    longest = LONGEST_LINE  # line, where a format takes fewer bytes

    def __init__(self, size: int) -> None:
        self.end = 0
        self.offset = 0  # of text[0] in the whole (uncompressed) text
        self.failure: BaseException | None = None
        self.size = size
        self.text = bytearray(size + SLACK)

    def resize(self, size: int) -> None:
        """Make room for size bytes; the bytes in it stay."""
        text = bytearray(size + SLACK)
        kept = min(self.size, size)
        text[:kept] = memoryview(self.text)[:kept]
        self.size, self.text = size, text

    def copy(self, start: int = 0) -> Chunk:
        """A chunk with no more room than its text from `start` on needs: from a pipe each may hold one line."""
        other = Chunk(self.end - start)
        other.text[: other.size] = memoryview(self.text)[start : self.end]
        other.end, other.offset, other.failure = other.size, self.offset + start, self.failure
        return other

    def take(self, other: Chunk) -> None:
        """Become what another chunk is, which nobody else uses any more."""
        for name in Chunk.__slots__:
            setattr(self, name, getattr(other, name))


class LineCutter:
    """Fills chunks from a source, each with the lines after those of the one before."""

    __slots__ = ("_ended", "_offset", "_tail", "block_bytes", "source")

    def __init__(self, path: str | os.PathLike[str] | Source, block_bytes: int) -> None:
        self.source = Source(path) if isinstance(path, (str, os.PathLike)) else path
        self.block_bytes = block_bytes
        self._tail = b""  # the start of a line, read but not yet given out
        self._offset = 0
        self._ended = False

    def seek(self, offset: int) -> None:
        """Before anything was filled: go on at an offset of the text, where a line starts."""
        self.source.skip_to(offset)
        self._offset = offset

    def fill(self, chunk: Chunk) -> bool:
        """Put the next lines into the chunk; false at the end.

        When the source fails, or Ctrl-C ends the wait for it, all whole lines before have been given out; the chunk
        gets the failure, so that whoever emits the chunks in their order raises it in its turn.
        """
        if self._ended:
            return False
        if chunk.size > 16 * self.block_bytes:  # one line was very long; its room is not kept for ever
            chunk.resize(self.block_bytes)
        while chunk.size < len(self._tail):
            chunk.resize(2 * chunk.size)
        chunk.text[: len(self._tail)] = self._tail
        chunk.offset = self._offset
        have = chunk.end = 0
        try:
            have = self._read(chunk, len(self._tail))
        except (MistakeboundError, KeyboardInterrupt) as e:
            self.close()
            chunk.failure = e.with_traceback(None)
            return True
        self._tail = bytes(memoryview(chunk.text)[chunk.end : have])
        self._offset += chunk.end
        return chunk.end > 0

    def _read(self, chunk: Chunk, have: int) -> int:
        """Read on from `have` bytes until there is a whole line; how many bytes there are then.

        chunk.end says how many of them are whole lines.
        """
        while True:
            room = self.block_bytes if have < self.block_bytes else chunk.size
            if have == room:
                self._grow(chunk)
                continue
            got = self.source.read_into(memoryview(chunk.text)[have:room])
            if not got:
                self.close()
                if have:  # the last line has no newline: give it one
                    chunk.text[have] = 10
                    have += 1
                chunk.end = have
                return have
            chunk.end = self._last_end(chunk, have, have + got)
            have += got
            if chunk.end:
                return have

    def _last_end(self, chunk: Chunk, start: int, stop: int) -> int:
        """Where the last line that ends in text[start:stop] ends; 0 when none does."""
        return chunk.text.rfind(b"\n", start, stop) + 1

    def _grow(self, chunk: Chunk) -> None:
        longest = min(LONGEST_LINE, chunk.longest)
        if chunk.size >= longest:
            raise BadData(f"the line is longer than {longest} bytes", source=self.source.name)
        chunk.resize(min(2 * chunk.size, longest))

    def close(self) -> None:
        self._ended = True
        self.source.close()
