"""The live line on the terminal: rows, rows a second, mistakes, recent error, time left.

Imported only where somebody looks.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TITLE = 13  # characters
_RECENT = 16  # blocks whose error is the recent one


class Bar:
    """One bar that fits into 80 columns; gone from the screen when it is closed."""

    def __init__(self, title: str, total: int | None) -> None:
        whole = Column(no_wrap=True, min_width=5)
        known: list[Any] = []
        if total:
            known = [
                TextColumn("{task.percentage:>3.0f} %", table_column=whole),
                TimeRemainingColumn(compact=True, table_column=whole),
            ]
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=6),
            *known,
            TextColumn("{task.fields[counts]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(title, total=total, counts="")
        self._bar.start()

    def show(self, done: int, counts: str) -> None:
        self._bar.update(self._task, completed=done, counts=counts)

    def close(self) -> None:
        self._bar.stop()


class Progress:
    """How far a reader is and how a ledger stands (anything with `trials` and `mistakes`, which may be None).

    Without a ledger the rows of the reader are counted.  With several passes the bar is for all of them.
    """

    def __init__(
        self, reader: Any, ledger: Any, title: str = "", *, holdout: Any = None, turn: int = 1, turns: int = 1
    ) -> None:
        self._reader = reader
        self._ledger = ledger
        self._holdout = holdout
        self._first = self._trials()
        self._recent = deque([(self._first, self._mistakes())], maxlen=_RECENT + 1)
        self._start = monotonic()
        total = reader.progress()[1]
        self._before = (turn - 1) * (total or 0)
        name = title or os.path.basename(reader.name)
        shown = name if len(name) <= _TITLE else name[: _TITLE - 3] + "..."
        self._bar = Bar(shown if turns == 1 else f"{turn}/{turns} {shown}", total and turns * total)

    def _trials(self) -> int:
        trials: int = self._reader.rows if self._ledger is None else self._ledger.trials
        return trials

    def _mistakes(self) -> int | None:
        mistakes: int | None = None if self._ledger is None else self._ledger.mistakes
        return mistakes

    def update(self) -> None:
        self._recent.append((self._trials(), self._mistakes()))
        self._bar.show(self._before + self._reader.progress()[0], self.counts())

    def counts(self) -> str:
        """`12,000 rows, 804k/s, 31 mistakes, 0.20 % lately`."""
        (before, wrong), (trials, mistakes) = self._recent[0], self._recent[-1]
        rows = trials - self._first
        said = f"{_short(rows)} rows, {_short(int(rows / max(1e-9, monotonic() - self._start)))}/s"
        if mistakes is not None:
            said += f", {_short(mistakes)} mistakes"
            if trials > before and wrong is not None:
                said += f", {100 * (mistakes - wrong) / (trials - before):.2f} % lately"
        held = None if self._holdout is None else self._holdout.error_rate
        return said if held is None else f"{said}, {100 * held:.2f} % held out"

    def close(self) -> None:
        self.update()
        self._bar.close()


def _short(number: int) -> str:
    """At most six characters for anything that is ever counted.

    >>> [_short(n) for n in (0, 99_999, 100_000, 1_234_567, 98_765_432_100)]
    ['0', '99,999', '100k', '1.23M', '98.8G']
    """
    if number < 100_000:
        return f"{number:,}"
    for letter, size in (("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if number < 999.5 * size:
            return f"{number / size:.3g}{letter}"
    return f"{number / 10**12:.3g}T"


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
