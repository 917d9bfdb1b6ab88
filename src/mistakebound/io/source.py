"""Bytes of a file or of standard input, plain, gzip or zstd (told by the first bytes, never by the name)."""

from __future__ import annotations

import os
import stat
import sys

from mistakebound.core.errors import BadData, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO

    from mistakebound.io.decompress import Unpacker

_MAGIC = 4  # bytes that tell how a file is compressed
_MARKS = (b"\x1f\x8b", b"\xb5\x2f\xfd", b"\x2a\x4d\x18")  # gzip, zstd, zstd: worth a closer look
_UNIT = 1 << 16


class Source:
    """Reads into a buffer; knows how far it is in the file (as it lies on the disk)."""

    __slots__ = ("_ahead", "_file", "_packed", "_start", "_trouble", "name", "position", "total")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = os.fspath(path)
        self.name = "<stdin>" if path == "-" else path
        self.position = 0
        self.total: int | None = None
        self._file = _open(path, self.name)
        self._packed: Unpacker | None = None
        self._start = b""  # bytes of the file, and
        self._ahead = b""  # of the text, that somebody has looked at and nobody read
        self._trouble: MistakeboundError | None = None  # that stands behind them
        mode = os.fstat(self._file.fileno())
        if stat.S_ISREG(mode.st_mode):
            self.total = mode.st_size
        try:
            self._start = self._head()
            if any(mark in self._start for mark in _MARKS):
                from mistakebound.io.decompress import unpacker

                self._packed = unpacker(self, self._start)
        except MistakeboundError:
            self._file.close()
            raise

    def _head(self) -> bytes:
        head = bytearray(_MAGIC)
        have = 0
        while have < _MAGIC and (got := self._raw(memoryview(head)[have:])):
            have += got
        self.position = 0
        return bytes(head[:have])

    def _raw(self, into: memoryview) -> int:
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

    def read_raw(self, into: memoryview) -> int:
        """Bytes as they are in the file; 0 at its end."""
        if self._start:
            got = min(len(self._start), len(into))
            into[:got] = self._start[:got]
            self._start = self._start[got:]
            self.position += got
            return got
        return self._raw(into)

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

    def look_on(self) -> bytes:
        """The text from where it stands, as far as somebody has looked: a little farther each time, until it ends."""
        chunk = bytearray(_UNIT)
        ahead, self._ahead = self._ahead, b""
        try:
            ahead += chunk[: self.read_into(memoryview(chunk))]
        except MistakeboundError as e:
            self._trouble = e
        self._ahead = ahead
        return ahead

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


def size_of(path: str) -> int | None:
    """The size of a file, None where it has none; an error for a file that is not there."""
    if path == "-":
        return None
    try:
        mode = os.stat(path)
    except (OSError, ValueError) as e:
        raise MistakeboundError(f"{path}: {getattr(e, 'strerror', None) or e}") from e
    return mode.st_size if stat.S_ISREG(mode.st_mode) else None


def _open(path: str, name: str) -> FileIO:
    try:
        if path == "-":
            return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as e:  # ValueError: a NUL in the name, or no standard input
        raise MistakeboundError(f"{name}: {getattr(e, 'strerror', None) or e}") from e
    except AttributeError as e:
        raise MistakeboundError(f"{name}: there is no standard input") from e
