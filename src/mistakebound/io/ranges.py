"""A part of a file, from one row boundary to another, for whoever reads only that: on a disk, or anywhere that pyarrow
finds files (`s3://bucket/key`, `hdfs://...`, `file:///...`)."""

from __future__ import annotations

from mistakebound.core.errors import FileChanged, MistakeboundError
from mistakebound.io.source import InMemory, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from typing import Any

_CHUNK = 1 << 20
_FAR = "://"  # in the name of a file that is not on a disk


def is_remote(path: str) -> bool:
    """Whether a name is that of a file which only pyarrow finds.

    >>> is_remote("s3://bucket/events.svm"), is_remote("data/events.svm")
    (True, False)
    """
    return _FAR in path


class FileRange(InMemory):
    """Stands where a path may: the bytes of a file up to an offset, or some row groups of a Parquet file.

    Parameters
    ----------
    path : str
    start, end : int
        Where the first row begins, and where the last one ends (None: with the file).
    line : int or None, default 0
        Lines of the file before `start`, or rows before the first row group; None: nobody has counted them.
    groups : tuple of int or None, default None
        The row groups.
    size : int or None, default None
        Of the whole file, where that is known: another size is an error.
    """

    __slots__ = ("end", "groups", "line", "size", "start")

    def __init__(
        self,
        path: str,
        start: int = 0,
        end: int | None = None,
        line: int | None = 0,
        groups: tuple[int, ...] | None = None,
        size: int | None = None,
    ) -> None:
        super().__init__(None, path)
        self.start, self.end, self.line, self.groups, self.size = start, end, line, groups, size

    def open(self) -> RangeSource:
        source = RangeSource(self)
        if self.size is not None and source.total != self.size:
            source.close()
            raise FileChanged(
                f"the file changed while it was learned: it had {self.size} bytes and has {source.total}",
                source=self.name,
            )
        return source

    def __reduce__(self) -> tuple[Any, ...]:
        return FileRange, (self.name, self.start, self.end, self.line, self.groups, self.size)

    def __repr__(self) -> str:
        return f"FileRange({self.name!r}, {self.start}, {self.end}, line={self.line}, groups={self.groups})"

    def __str__(self) -> str:
        return self.name

    @property
    def position(self) -> dict[str, Any] | None:
        """Where its reader begins, for `seek`; None: at the first row of the file, or of the row groups."""
        return {"line": self.line or 0, "offset": self.start} if self.start else None

    def with_line(self) -> FileRange:
        """The same range with its lines counted, for whoever must name one."""
        if self.line is not None:
            return self
        return self.at_line(FileRange(self.name, 0, self.start, size=self.size).newlines())

    def at_line(self, line: int) -> FileRange:
        """The same range with so many lines before it."""
        return FileRange(self.name, self.start, self.end, line, self.groups, self.size)

    def newlines(self) -> int:
        """How many bytes in the range end a line."""
        found, chunk = 0, bytearray(_CHUNK)
        source = self.open()
        try:
            if self.start:
                source.skip_to(self.start)
            while got := source.read_into(memoryview(chunk)):
                found += chunk.count(b"\n", 0, got)
        finally:
            source.close()
        return found


class RangeSource(Source):
    """The source of a `FileRange`: it begins where the file does, because a table's header stands there."""

    __slots__ = ("_end", "first_row", "groups")

    def __init__(self, place: FileRange) -> None:
        self._end = place.end
        self.groups = place.groups
        self.first_row = place.line or 0
        super().__init__(place.name)

    def _opened(self, path: str) -> FileIO:
        if not is_remote(path):
            return super()._opened(path)
        from pyarrow import ArrowException, fs

        try:
            system, inner = fs.FileSystem.from_uri(path)
            file: FileIO = system.open_input_file(inner)  # it has the methods of a FileIO that are called
        except (ArrowException, OSError, ValueError) as error:
            raise MistakeboundError(f"{path}: {' '.join(str(error).split())}") from None
        return file

    def _length(self) -> int | None:
        if not is_remote(self.name):
            return super()._length()
        size: int = self._file.size()  # type: ignore[attr-defined]
        return size

    def look_on(self) -> bytes:
        """Beyond the end of the range too: the first rows of the file say how all of it is written."""
        end, self._end = self._end, None
        try:
            return super().look_on()
        finally:
            self._end = end

    def read_into(self, into: memoryview) -> int:
        if self._end is not None:
            into = into[: max(0, self._end - self.position + len(self._ahead))]
        return super().read_into(into) if len(into) else 0
