"""The live line on the terminal: rows, rows a second, mistakes, time left.  Imported only where somebody looks."""

from __future__ import annotations

from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.ledger import Ledger


class Progress:
    """Shows how far a reader is and how the ledger stands; gone from the screen when it is closed."""

    def __init__(self, reader: Any, ledger: Ledger, title: str = "") -> None:
        self._reader = reader
        self._ledger = ledger
        self._first = ledger.trials
        self._start = monotonic()
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[counts]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        total = reader.progress()[1]
        self._task = self._bar.add_task(title or reader.name, total=total, counts="")
        self._bar.start()

    def update(self) -> None:
        rows = self._ledger.trials - self._first
        rate = rows / max(1e-9, monotonic() - self._start)
        counts = f"{rows:,} rows, {rate:,.0f} a second, {self._ledger.mistakes:,} mistakes"
        self._bar.update(self._task, completed=self._reader.progress()[0], counts=counts)

    def close(self) -> None:
        self.update()
        self._bar.stop()
