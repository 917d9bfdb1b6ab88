"""Rows that lie in memory in place of a file: a text, or a data frame."""

from __future__ import annotations

import os

from mistakebound.io.source import Source, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_UNIT = 1 << 16


class InMemory:
    """Stands where the path of a file may; every `open` gives a source that begins at the first row."""

    __slots__ = ("_data", "name")

    def __init__(self, data: Any, name: str) -> None:
        self._data = data
        self.name = name

    def open(self) -> MemorySource:
        raise NotImplementedError

    def looked(self) -> None:
        """What is read from here on need not be kept."""

    def close(self) -> None:
        """It will not be opened any more."""


class TextInMemory(InMemory):
    """A text, as the file of one would have it; or lines that are made as they are read."""

    __slots__ = ()

    def __init__(self, data: bytes | Callable[[], Iterable[bytes]], name: str = "<text>") -> None:
        super().__init__(data, name)

    @property
    def made(self) -> bool:
        """Whether its lines are made as they are read, perhaps only once."""
        return not isinstance(self._data, bytes)

    def open(self) -> MemorySource:
        data = self._data
        if isinstance(data, bytes):
            return MemorySource(self.name, (data[at : at + _UNIT] for at in range(0, len(data), _UNIT)))
        return MemorySource(self.name, iter(data()))


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


class MemorySource(Source):
    """Has the face of `Source`, and reads parts of a text one after the other."""

    __slots__ = ("_parts", "table")

    def __init__(self, name: str, parts: Iterator[bytes], table: Any = None) -> None:
        self.name = name
        self.position = 0
        self.total = None
        self.table = table  # of a frame
        self._parts = parts
        self._ahead = b""
        self._trouble = None

    def read_into(self, into: memoryview) -> int:
        while not self._ahead:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._ahead = part
        got = min(len(self._ahead), len(into))
        into[:got] = self._ahead[:got]
        self._ahead = self._ahead[got:]
        self.position += got
        return got

    def can_jump(self) -> bool:
        return False

    def close(self) -> None:
        self._parts = iter(())


def open_source(path: str | InMemory) -> Source:
    """The bytes of a file, or what lies in memory in its place."""
    return path.open() if isinstance(path, InMemory) else Source(path)


def size_on_disk(path: str | InMemory) -> int | None:
    """The size of a file, None where there is none; an error for a file that is not there."""
    return None if isinstance(path, InMemory) else size_of(path)


def read_again(place: str | InMemory) -> bool:
    """Whether it can be opened twice: a pipe, and rows that are made as they are read, cannot."""
    if isinstance(place, InMemory):
        return not (isinstance(place, TextInMemory) and place.made)
    return place != "-" and (os.path.isfile(place) or not os.path.exists(place))
