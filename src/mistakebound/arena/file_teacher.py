"""A file as a teacher: its rows are the trials, its labels the answers (row P4)."""

from __future__ import annotations

from mistakebound.io import open_stream
from mistakebound.teachers.replay import StreamReplay

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any


class FileTeacher(StreamReplay):
    """The rows of a stream file, one by one; `mistakebound learn` plays the same rows in blocks, to the same ledger."""

    def __init__(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        settings: dict[str, Any] | None = None,
    ) -> None:
        self._reader = open_stream(paths, settings)
        super().__init__(self._reader)

    def close(self) -> None:
        self._reader.close()
