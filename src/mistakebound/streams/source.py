"""Bytes of a file or of standard input, plain or gzip (told by the first bytes, never by the name)."""

from __future__ import annotations

import os
import stat
import sys

from mistakebound.core.errors import BadData, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO

_GZIP = b"\x1f\x8b"
_PIECE = 1 << 16  # of compressed bytes
_UNIT = 1 << 17  # of plain bytes made at once: what a damaged file still yields does not depend on who asks


class Source:
    """Reads into a buffer; knows how far it is in the file (in the compressed one, for gzip)."""

    __slots__ = ("_file", "_gzip", "_start", "name", "position", "total")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = os.fspath(path)
        self.name = "<stdin>" if path == "-" else path
        self.position = 0
        self.total: int | None = None
        self._file = _open(path, self.name)
        self._gzip: _Gzip | None = None
        self._start = b""
        mode = os.fstat(self._file.fileno())
        if stat.S_ISREG(mode.st_mode):
            self.total = mode.st_size
        self._start = self._head()
        if self._start == _GZIP:
            self._gzip = _Gzip(self)

    def _head(self) -> bytes:
        head = bytearray(2)
        have = 0
        while have < 2 and (got := self._raw(memoryview(head)[have:])):
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
        return self.read_raw(into) if self._gzip is None else self._gzip.read_into(into)

    def skip_to(self, offset: int) -> None:
        """Go to an offset of the text, before anything was read.

        A text whose last line has no newline may be left at one byte behind its end: readers count that newline.
        """
        if self._gzip is None and self.total is not None and self._file.tell() == len(self._start):
            if offset > self.total + 1:
                raise self._too_short(offset)
            self._start = b""
            self._file.seek(offset)
            self.position = min(offset, self.total)
            return
        waste = bytearray(_UNIT)
        while offset > 0:
            got = self.read_into(memoryview(waste)[: min(offset, _UNIT)])
            if not got and offset > 1:
                raise self._too_short(offset)
            offset -= got or 1

    def _too_short(self, offset: int) -> BadData:
        return BadData(f"the text ends before byte {offset}, where the work is to go on", source=self.name)

    def close(self) -> None:
        self._file.close()


class _Gzip:
    """The members of a gzip file, one after the other."""

    __slots__ = ("_engine", "_input", "_member", "_ready", "_source", "_zlib")

    def __init__(self, source: Source) -> None:
        import zlib

        self._zlib = zlib
        self._source = source
        self._engine = zlib.decompressobj(31)
        self._member = 1
        self._input = b""
        self._ready = memoryview(b"")

    def read_into(self, into: memoryview) -> int:
        while not self._ready:
            if self._engine.eof and not self._next_member():
                return 0
            if not self._input:
                self._refill()
                if not self._input:
                    raise BadData(
                        f"the gzip data stop in the middle, after {self._source.position} bytes: "
                        f"the end of member {self._member} was expected",
                        source=self._source.name,
                    )
            try:
                self._ready = memoryview(self._engine.decompress(self._input, _UNIT))
            except self._zlib.error as e:
                raise BadData(
                    f"the gzip data are damaged before byte {self._source.position}: "
                    f"the rest of member {self._member} was expected ({e})",
                    source=self._source.name,
                ) from None
            self._input = self._engine.unconsumed_tail
        got = min(len(into), len(self._ready))
        into[:got] = self._ready[:got]
        self._ready = self._ready[got:]
        return got

    def _refill(self) -> None:
        piece = bytearray(_PIECE)
        self._input += bytes(memoryview(piece)[: self._source.read_raw(memoryview(piece))])

    def _next_member(self) -> bool:
        """Whether one more member follows (zero bytes between and after members are padding)."""
        self._input = self._engine.unused_data.lstrip(b"\0")
        while len(self._input) < 2:
            have = len(self._input)
            self._refill()
            if len(self._input) == have:
                break
            self._input = self._input.lstrip(b"\0")
        if not self._input:
            return False
        if self._input[:2] != _GZIP:
            raise BadData(
                f"something else follows the gzip data, before byte {self._source.position}: "
                f"member {self._member + 1} or the end was expected",
                source=self._source.name,
            )
        self._engine = self._zlib.decompressobj(31)
        self._member += 1
        return True


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
