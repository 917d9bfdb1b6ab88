"""gzip and zstd: compressed parts of a file, one after the other, unpacked a bounded amount at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.source import OTHER_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.source import Source

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
_ZSTD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"  # behind 0x50 .. 0x5f: a zstd frame that holds no text
_PIECE = 1 << 16  # of compressed bytes
_UNIT = 1 << 17  # of plain bytes made at once: what a damaged file still yields does not depend on who asks
_WINDOW = 27  # a zstd frame may ask for 2^27 bytes of memory to be unpacked, as with the zstd command


def unpacker(source: Source, start: bytes) -> Decompressor | None:
    """What unpacks a file that starts like that; None for a plain one, MistakeboundError for an archive."""
    if start == ZIP:
        what = "a zip archive, as Excel workbooks are too"
        raise MistakeboundError(f"{source.name} is {what}: unpack it (unzip -p), or save the sheet as CSV")
    for magic, what in OTHER_FILES.items():
        if start.startswith(magic):
            raise MistakeboundError(f"{source.name} is {what}" + ("" if ":" in what else ": there are no rows in it"))
    if start[:2] == GZIP:
        return Gzip(source)
    return Zstd(source) if is_zstd(start) else None


def is_zstd(start: bytes) -> bool:
    """Whether a zstd frame starts like that; four bytes tell.

    >>> is_zstd(b"\\x28\\xb5\\x2f\\xfd"), is_zstd(b"\\x51\\x2a\\x4d\\x18"), is_zstd(b"1 3:1")
    (True, True, False)
    """
    return start[:4] == _ZSTD or (start[1:4] == _SKIPPABLE and 0x50 <= start[0] <= 0x5F)


class Decompressor(ABC):
    """The parts of a compressed file.  A kind of compression says how a part begins and how it is unpacked."""

    __slots__ = ("_engine", "_input", "_part", "_ready", "_source")

    kind = ""  # in words
    part = ""
    magic = 0  # bytes that tell a part

    def __init__(self, source: Source) -> None:
        self._source = source
        self._part = 1
        self._input = b""
        self._ready = memoryview(b"")
        self._engine: Any = self._new()

    @abstractmethod
    def _new(self) -> Any:
        """An engine for the next part."""

    @abstractmethod
    def _begins(self, start: bytes) -> bool:
        """Whether a part begins so."""

    @abstractmethod
    def _unpack(self) -> bytes:
        """Some of the text, from `_input`; ValueError when it is damaged."""

    @abstractmethod
    def _hungry(self) -> bool:
        """Whether nothing more comes without more input."""

    def _pause(self, data: bytes) -> bytes:
        """What is left of data when the padding that may stand between two parts is gone."""
        return data

    def read_into(self, into: memoryview) -> int:
        while not self._ready:
            if self._engine.eof and not self._next_part():
                return 0
            if self._hungry():
                self._refill()
                if not self._input:
                    raise BadData(
                        f"the {self.kind} data stop in the middle, after {self._source.position} bytes: "
                        f"the end of {self.part} {self._part} was expected",
                        source=self._source.name,
                    )
            try:
                self._ready = memoryview(self._unpack())
            except ValueError as e:
                raise BadData(
                    f"the {self.kind} data are damaged before byte {self._source.position}: "
                    f"the rest of {self.part} {self._part} was expected ({e})",
                    source=self._source.name,
                ) from None
        got = min(len(into), len(self._ready))
        into[:got] = self._ready[:got]
        self._ready = self._ready[got:]
        return got

    def _refill(self) -> None:
        chunk = bytearray(_PIECE)
        self._input += bytes(memoryview(chunk)[: self._source.read_raw(memoryview(chunk))])

    def _next_part(self) -> bool:
        """Whether one more part follows."""
        self._input = self._pause(self._engine.unused_data)
        while len(self._input) < self.magic:
            have = len(self._input)
            self._refill()
            if len(self._input) == have:
                break
            self._input = self._pause(self._input)
        if not self._input:
            return False
        if not self._begins(self._input):
            raise BadData(
                f"something else follows the {self.kind} data, before byte {self._source.position}: "
                f"{self.part} {self._part + 1} or the end was expected",
                source=self._source.name,
            )
        self._engine = self._new()
        self._part += 1
        return True


class Gzip(Decompressor):
    """The members of a gzip file; zero bytes between and after them are padding."""

    __slots__ = ("_zlib",)

    kind, part, magic = "gzip", "member", 2

    def __init__(self, source: Source) -> None:
        import zlib

        self._zlib = zlib
        super().__init__(source)

    def _new(self) -> Any:
        return self._zlib.decompressobj(31)

    def _begins(self, start: bytes) -> bool:
        return start[:2] == GZIP

    def _hungry(self) -> bool:
        return not self._input

    def _unpack(self) -> bytes:
        try:
            made: bytes = self._engine.decompress(self._input, _UNIT)
        except self._zlib.error as e:
            raise ValueError(e) from None
        self._input = self._engine.unconsumed_tail
        return made

    def _pause(self, data: bytes) -> bytes:
        return data.lstrip(b"\0")


class Zstd(Decompressor):
    """The frames of a zstd file."""

    __slots__ = ("_zstd",)

    kind, part, magic = "zstd", "frame", 4

    def __init__(self, source: Source) -> None:
        try:
            try:
                from compression import zstd  # Python 3.14
            except ImportError:
                from backports import zstd
        except ImportError as e:
            raise MistakeboundError(f"{source.name} is zstd: that needs the package backports.zstd") from e
        self._zstd = zstd
        super().__init__(source)

    def _new(self) -> Any:
        return self._zstd.ZstdDecompressor(options={self._zstd.DecompressionParameter.window_log_max: _WINDOW})

    def _begins(self, start: bytes) -> bool:
        return is_zstd(start)

    def _hungry(self) -> bool:
        return not self._input and bool(self._engine.needs_input)

    def _unpack(self) -> bytes:
        data, self._input = self._input, b""
        try:
            made: bytes = self._engine.decompress(data, _UNIT)
        except self._zstd.ZstdError as e:
            raise ValueError(str(e).rpartition(": ")[2]) from None
        return made
