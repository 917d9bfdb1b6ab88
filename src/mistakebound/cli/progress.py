"""The live line on the terminal: rows, rows a second, mistakes, recent error, time left.

Imported only where somebody looks.
"""

from __future__ import annotations

import os
from collections import deque
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from mistakebound.core.names import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_TITLE = 13  # characters,
_LEAST = 8  # and where there is little room
_FIXED = len("100 %") + len(" 1:23:45") + 1  # how far it is, the time left, a blank
_BAR = 6
_WIDE = 120  # columns from which there is room for a bar beside the numbers
_NARROW = 50  # columns for title and counts below which there may be no title
_RECENT = 16  # blocks whose error is the recent one


class Bar:
    """One line that fits into the terminal; gone from the screen when it is closed.

    Title and counts are given in several forms, the longest first; the title is cut before the counts are.
    """

    def __init__(self, titles: Sequence[str], total: int | None) -> None:
        whole = Column(no_wrap=True, min_width=5)
        console = Console(stderr=True)
        self._titles = titles = [visible(title) for title in titles]
        self._taken = 0  # columns that are not for title and counts
        known: list[Any] = []
        if console.width >= _WIDE:
            known.append(BarColumn(bar_width=_BAR))
            self._taken += _BAR + 1
        if total:
            known.append(TextColumn("{task.percentage:>3.0f} %", table_column=whole))
            known.append(TimeRemainingColumn(compact=True, table_column=whole))
            self._taken += _FIXED
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
            *known,
            TextColumn("{task.fields[counts]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(titles[0], total=total, counts="")
        self._bar.start()

    def show(self, done: int, *forms: str) -> None:
        title, counts = fitting(self._titles, forms, self._bar.console.width - self._taken)
        self._bar.update(self._task, completed=done, description=title, counts=counts)

    def close(self) -> None:
        self._bar.stop()


def fitting(titles: Sequence[str], forms: Sequence[str], room: int) -> tuple[str, str]:
    """A title and counts that fit into so many columns with a blank between them.

    >>> [fitting(("2/3 events.svm", "2/3"), ("12,345 rows", "12k"), room) for room in (30, 16, 8)]
    [('2/3 events.svm', '12,345 rows'), ('2/3', '12,345 rows'), ('2/3', '12k')]
    """
    for form in forms:
        for title in titles:
            if len(title) + 1 + len(form) <= room and (title or room < _NARROW):
                return title, form
    return titles[-1], forms[-1]


def shortened(name: str, most: int) -> str:
    """
    >>> shortened("events.svm", 8), shortened("a.svm", 8)
    ('event...', 'a.svm')
    """
    return name if len(name) <= most else name[: most - 3] + "..."


class Progress:
    """How far a reader is and how a ledger stands (anything with `trials` and `mistakes`, which may be None).

    Without a ledger the rows of the reader are counted.  With several passes the bar is for all of them.
    """

    def __init__(
        self, reader: Any, ledger: Any, title: str = "", *, holdout: Any = None, pass_number: int = 1, passes: int = 1
    ) -> None:
        self._reader = reader
        self._ledger = ledger
        self._holdout = holdout
        self._first = self._trials()
        self._recent = deque([(self._first, self._mistakes())], maxlen=_RECENT + 1)
        self._start = monotonic()
        total = reader.progress()[1]
        self._before = (pass_number - 1) * (total or 0)
        name = visible(title or os.path.basename(reader.name))
        titles = [shortened(name, _TITLE), shortened(name, _LEAST), ""]
        if passes > 1:
            titles = [f"{pass_number}/{passes} {titles[0]}", f"{pass_number}/{passes}"]
        self._bar = Bar(titles, total and passes * total)

    def _trials(self) -> int:
        trials: int = self._reader.rows if self._ledger is None else self._ledger.trials
        return trials

    def _mistakes(self) -> int | None:
        mistakes: int | None = None if self._ledger is None else self._ledger.mistakes
        return mistakes

    def update(self) -> None:
        self._recent.append((self._trials(), self._mistakes()))
        self._bar.show(self._before + self._reader.progress()[0], *self.counts())

    def counts(self) -> list[str]:
        """`12,000 rows, 804k/s, 31 mistakes, 0.20 % lately`, and the same shorter and shorter."""
        (before, wrong), (trials, mistakes) = self._recent[0], self._recent[-1]
        rows = trials - self._first
        said: dict[str, float] = {"rows": rows, "rate": int(rows / max(1e-9, monotonic() - self._start))}
        if mistakes is not None:
            said["mistakes"] = mistakes
            if trials > before and wrong is not None:
                said["recent"] = (mistakes - wrong) / (trials - before)
        held = None if self._holdout is None else self._holdout.error_rate
        return forms(said if held is None else said | {"held": held})

    def close(self) -> None:
        self.update()
        self._bar.close()


_WORDS = {  # in the longest form, a shorter one and the shortest
    "rows": ("{} rows", "{} rows", "{}"), "rate": ("{}/s", "{}/s", "{}/s"),
    "mistakes": ("{} mistakes", "{} wrong", "{} wrong"), "recent": ("{} % lately", "{} %", "{}%"),
    "held": ("{} % held out", "held {} %", "held {}%"),
}  # fmt: skip
_RATES = ("recent", "held")
_SPARED = ("rate", "rows", "held", "recent")  # first what is missed least


def forms(said: dict[str, float]) -> list[str]:
    """What is to be said, ever shorter.

    >>> numbers = {"rows": 116_000, "rate": 1_100_000, "mistakes": 11_284, "recent": 0.0942, "held": 0.1032}
    >>> for form in forms(numbers):
    ...     print(form)
    116k rows, 1.1M/s, 11,284 mistakes, 9.42 % lately, 10.32 % held out
    116k rows, 1.1M/s, 11,284 wrong, 9.42 %, held 10.32 %
    116k 1.1M/s 11.3k wrong 9.42% held 10.3%
    116k 11.3k wrong 9.42% held 10.3%
    11.3k wrong 9.42% held 10.3%
    11.3k wrong 9.42%
    11.3k wrong
    """
    exact = {name: f"{100 * value:.2f}" if name in _RATES else _short(int(value)) for name, value in said.items()}
    found = [", ".join(_WORDS[name][k].format(text) for name, text in exact.items()) for k in (0, 1)]
    left = {
        name: f"{100 * value:#.3g}" if name in _RATES and value >= 0.1 else exact[name] for name, value in said.items()
    }
    left |= {name: _short(int(value), 10_000) for name, value in said.items() if name not in _RATES}
    for spared in ("", *_SPARED):
        left.pop(spared, None)
        if left:
            found.append(" ".join(_WORDS[name][2].format(text) for name, text in left.items()))
    return list(dict.fromkeys(found))


def _short(number: int, whole: int = 100_000) -> str:
    """At most six characters for anything that is ever counted; numbers below `whole` are written out.

    >>> [_short(n) for n in (0, 99_999, 100_000, 1_234_567, 98_765_432_100)]
    ['0', '99,999', '100k', '1.23M', '98.8G']
    >>> _short(99_999, 10_000), _short(99_940, 10_000)
    ('100k', '99.9k')
    """
    if number < whole:
        return f"{number:,}"
    for letter, size in (("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if number < 999.5 * size:
            return f"{number / size:.3g}{letter}"
    return f"{number / 10**12:.3g}T"


class CountField:
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
            self._bar = Bar((self._title,), self._total)
        if self._bar is not None:
            self._bar.show(done, f"{done:,} of {self._total:,}{more}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
