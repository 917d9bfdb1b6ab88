"""Whether somebody looks, and what is shown then: how far a reader is, how many steps are done, tables being read."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.cli.progress import Progress
    from mistakebound.io.table_file import TableFile


def watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def progress_for(reader: Any, ledger: Any, **more: Any) -> Any:
    """A live bar on the terminal; nothing where nobody looks."""
    if not watched():
        return None
    from mistakebound.cli.progress import Progress

    return Progress(reader, ledger, **more)


class Steps:
    """A bar for work in steps: `with Steps("training") as watch` gives watch(done, of, text), None if nobody looks."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title = title
        self._quiet = quiet
        self._bar: Any = None

    def __enter__(self) -> Callable[[int, int, str], None] | None:
        return self._watch if watched() and not self._quiet else None

    def _watch(self, done: int, of: int, text: str = "") -> None:
        if self._bar is None:
            from mistakebound.cli.progress import CountField

            self._bar = CountField(self._title, of)
        self._bar.update(done, text)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


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
    from mistakebound.io.reader import threads_for_bytes
    from mistakebound.io.source import size_of
    from mistakebound.io.table_file import read_table_file

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
