"""Sources that are no files: rows in memory (a text, a data frame), and texts that are made of another's."""

from __future__ import annotations

import time

from mistakebound.core.errors import MistakeboundError
from mistakebound.io.source import InMemory, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_UNIT = 1 << 16
_WAIT = 0.1  # seconds for which a line may be kept until more come


class TextInMemory(InMemory):
    """A text, as the file of one would have it; or lines that are made as they are read."""

    __slots__ = ()

    def __init__(self, data: bytes | Callable[[], Iterable[bytes]], name: str = "<text>") -> None:
        super().__init__(data, name)

    @property
    def again(self) -> bool:  # type: ignore[override]
        return isinstance(self._data, bytes)  # else its lines are made as they are read, perhaps only once

    def open(self) -> MemorySource:
        data = self._data
        if isinstance(data, bytes):
            return MemorySource(self.name, (data[at : at + _UNIT] for at in range(0, len(data), _UNIT)))
        return MemorySource(self.name, together(data()))


def together(lines: Iterable[bytes]) -> Iterator[bytes]:
    r"""Lines that come fast in parts of many; what came before a failure is given out before it is raised.

    >>> [*together([b"a\n", b"b\n"])]
    [b'a\nb\n']
    """
    part, size, since = [], 0, time.monotonic()
    try:
        for line in lines:
            part.append(line)
            size += len(line)
            if size >= _UNIT or time.monotonic() - since >= _WAIT:
                yield b"".join(part)
                part, size, since = [], 0, time.monotonic()
    except (Exception, KeyboardInterrupt):
        if part:
            yield b"".join(part)
        raise
    if part:
        yield b"".join(part)


class FrameInMemory(InMemory):
    """A table of Arrow: its format is "arrow"."""

    __slots__ = ()

    def __init__(self, table: Any, name: str = "<frame>") -> None:
        super().__init__(table, name)

    def open(self) -> MemorySource:
        return MemorySource(self.name, iter(()), self._data)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Its rows as mappings."""
        for batch in self._data.to_batches():
            yield from batch.to_pylist()


class PartsSource(Source):
    """Has the face of `Source`, and reads parts of a text one after the other, as they are made."""

    __slots__ = ("_parts",)

    def __init__(self, name: str, parts: Iterator[bytes]) -> None:
        self.name = name
        self._parts = parts
        self._ahead = b""
        self._trouble = None

    def _next(self) -> bytes | None:
        """The next part; None at the end."""
        return next(self._parts, None)

    def read_into(self, into: memoryview) -> int:
        while not self._ahead:
            if self._trouble is not None:
                raise self._trouble
            try:
                part = self._next()
            except MistakeboundError as error:  # it stays at the end of the text
                self._trouble = error
                continue
            if part is None:
                return 0
            self._ahead = part
        return super().read_into(into)

    def can_jump(self) -> bool:
        return False


class MemorySource(PartsSource):
    """A text in memory."""

    __slots__ = ("table",)

    def __init__(self, name: str, parts: Iterator[bytes], table: Any = None) -> None:
        super().__init__(name, parts)
        self.position = 0
        self.total = None
        self.table = table  # of a frame

    def read_into(self, into: memoryview) -> int:
        got = super().read_into(into)
        self.position += got
        return got

    def give(self, text: bytes) -> None:
        """The text that is to be read next, whatever is left of the one before."""
        self._parts, self._ahead = iter(()), text

    def close(self) -> None:
        self._parts = iter(())


class DerivedSource(PartsSource):
    """A text that is made of that of another source; how far it is, that one says."""

    __slots__ = ("_source",)

    def __init__(self, source: Source, parts: Iterator[bytes]) -> None:
        super().__init__(source.name, parts)
        self._source = source

    @property
    def position(self) -> int:  # type: ignore[override]
        return self._source.position

    @property
    def total(self) -> int | None:  # type: ignore[override]
        return self._source.total

    def close(self) -> None:
        self._source.close()
