"""Whole tables for the commands: the options that say how one is read, and reading it with a word on the way."""

from __future__ import annotations

from mistakebound.cli.numbers import whole
from mistakebound.cli.settings import check_threads
from mistakebound.cli.terminal import progress_for
from mistakebound.io.formats import TABLES
from mistakebound.io.pipeline import threads_for_bytes
from mistakebound.io.source import size_of
from mistakebound.io.table_file import read_table_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.cli.progress import Progress
    from mistakebound.io.table_file import TableFile


def add_table_options(parser: ArgumentParser, *, needed: bool = True) -> None:
    """The files and the options of a command that learns a whole table; `reader_options.settings_from` reads them."""
    parser.add_argument(
        "files",
        nargs="+" if needed else "*",
        metavar="FILE",
        help="a table with a header (CSV, TSV, ARFF, Parquet, Arrow); - is standard input",
    )
    group = parser.add_argument_group("how the table is read (a model remembers it)")
    group.add_argument("--format", default="auto", choices=("auto", *TABLES), help="default: by name and content")
    group.add_argument("--label", metavar="COLUMN", required=needed, help="the column of labels")
    for kind, what in (("nominal", "names"), ("numeric", "numbers")):
        group.add_argument(f"--{kind}", metavar="COLUMNS", action="append", default=[], help=f"columns of {what}, a,b")
    group.add_argument(
        "--bins", metavar="K", action="append", default=[], help="cut numbers into K bins; COLUMN=K for one column"
    )
    group.add_argument(
        "--ignore", metavar="PATTERN", action="append", default=[], help="drop columns by name: 'user_*'"
    )
    parser.add_argument(
        "--threads", type=whole, metavar="N", help="threads that read and parse; the result is the same"
    )
    parser.set_defaults(weights=None, hash=None)


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


def reader_with_progress(options: Namespace) -> Callable[..., TableFile]:
    """What reads tables in place of `read_table_file`; a terminal sees how far the reading is."""

    def read(files: list[str], settings: dict[str, Any], *, unlabelled_ok: bool) -> TableFile:
        return read_with_progress(files, settings, options, unlabelled_ok=unlabelled_ok)

    return read


def read_with_progress(
    files: list[str], settings: dict[str, Any], options: Namespace, *, unlabelled_ok: bool = False
) -> TableFile:
    """The table; a terminal sees how far the reading is."""
    wanted = getattr(options, "threads", None)  # `explain` reads one row, and has no such option
    check_threads(wanted)
    sizes = [size_of(file) for file in files]
    threads = threads_for_bytes(None if None in sizes else sum(size or 0 for size in sizes), wanted)
    watch = _Watch()
    try:
        return read_table_file(files, settings, unlabelled_ok=unlabelled_ok, threads=threads, watch=watch)
    finally:
        watch.close()
