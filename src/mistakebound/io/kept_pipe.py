"""Pipes that are looked at before they are learned: what was read of one is kept, and read again."""

from __future__ import annotations

from mistakebound.io.memory import MemorySource
from mistakebound.io.source import InMemory, open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.io.source import Source


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

    def looked(self) -> None:
        self.looking = False

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
        if self._pipe.trouble is not None:
            raise self._pipe.trouble
        assert self._pipe.source is not None
        got = self._pipe.source.read_into(into)
        self.position = self._pipe.source.position
        return got

    def close(self) -> None:
        super().close()
        self._pipe.close()
