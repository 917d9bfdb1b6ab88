"""The live line on the terminal: rows, rows a second, mistakes, time left.  Imported only where somebody looks."""

from __future__ import annotations

import sys
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TITLE = 18  # characters


class Bar:
    """One bar that fits into 80 columns; gone from the screen when it is closed."""

    def __init__(self, title: str, total: int | None) -> None:
        known = [TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn(compact=True)] if total else []
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=12),
            *known,
            TextColumn("{task.fields[counts]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        shown = title if len(title) <= _TITLE else "..." + title[3 - _TITLE :]
        self._task = self._bar.add_task(shown, total=total, counts="")
        self._bar.start()

    def show(self, done: int, counts: str) -> None:
        self._bar.update(self._task, completed=done, counts=counts)

    def close(self) -> None:
        self._bar.stop()


class Progress:
    """How far a reader is and how a ledger stands (anything with `trials` and `mistakes`, which may be None)."""

    def __init__(self, reader: Any, ledger: Any, title: str = "") -> None:
        self._reader = reader
        self._ledger = ledger
        self._first = ledger.trials
        self._start = monotonic()
        self._bar = Bar(title or reader.name, reader.progress()[1])

    def update(self) -> None:
        rows = self._ledger.trials - self._first
        rate = rows / max(1e-9, monotonic() - self._start)
        mistakes = self._ledger.mistakes
        counts = f"{rows:,} rows, {rate:,.0f}/s" + ("" if mistakes is None else f", {mistakes:,} mistakes")
        self._bar.show(self._reader.progress()[0], counts)

    def close(self) -> None:
        self.update()
        self._bar.close()


class Count:
    """A number that grows to a known end; the bar appears when it has taken half a second."""

    def __init__(self, title: str, total: int) -> None:
        self._title = title
        self._total = total
        self._start = self._last = monotonic()
        self._bar: Bar | None = None

    def update(self, done: int, more: str = "") -> None:
        now = monotonic()
        if now - self._last < 0.05:
            return
        self._last = now
        if self._bar is None and now - self._start > 0.5:
            self._bar = Bar(self._title, self._total)
        if self._bar is not None:
            self._bar.show(done, f"{done:,} of {self._total:,}{more}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def watched() -> bool:
    """Whether somebody looks."""
    return sys.stderr.isatty()
