"""Whole tables for the commands: read with a word on the way."""

from __future__ import annotations

from mistakebound.cli.settings import check_threads
from mistakebound.cli.terminal import progress_for
from mistakebound.io.pipeline import threads_for_bytes
from mistakebound.io.source import size_of
from mistakebound.io.table_file import read_table_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.cli.progress import Progress
    from mistakebound.io.table_file import TableFile


class _Watch:
    """Shows a bar for the file in hand; it is itself what the bar counts."""

    mistakes = None
    trials = 0

    def __init__(self) -> None:
        self._reader: Any = None
        self._bar: Progress | None = None

    def __call__(self, reader: Any, rows: int) -> None:
        self.trials = rows
        if reader is not self._reader:
            self.close()
            self._reader, self._bar = reader, progress_for(reader, self)
        if self._bar is not None:
            self._bar.update()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def reader_with_progress(threads: int | None, *, quiet: bool = False) -> Callable[..., TableFile]:
    """What reads tables in place of `read_table_file`; a terminal sees how far the reading is."""
    check_threads(threads)

    def read(files: list[str], settings: dict[str, Any], *, unlabelled_ok: bool = False) -> TableFile:
        sizes = [size_of(file) for file in files]
        count = threads_for_bytes(None if None in sizes else sum(size or 0 for size in sizes), threads)
        watch = None if quiet else _Watch()
        try:
            return read_table_file(files, settings, unlabelled_ok=unlabelled_ok, threads=count, watch=watch)
        finally:
            if watch is not None:
                watch.close()

    return read
