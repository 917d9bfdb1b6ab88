"""A file as a teacher: its rows are the trials, its labels the answers (row P4)."""

from __future__ import annotations

from mistakebound.streams import open_stream
from mistakebound.teachers.replay import StreamReplay

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os


class FileTeacher(StreamReplay):
    """The rows of a stream file, one by one; `mistakebound learn` plays the same rows in blocks, to the same ledger."""

    def __init__(self, path: str | os.PathLike[str], format: str = "auto") -> None:
        self._reader = open_stream(path, format)
        super().__init__(self._reader)

    def close(self) -> None:
        self._reader.close()
