"""What a computation that may run out of time gives back: the value, or the interval that is proven."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from mistakebound.core.errors import BadParameter


@dataclass(frozen=True)
class Interval:
    """A number between `lower` and `upper`, both proven."""

    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.lower == self.upper

    @property
    def value(self) -> int | None:
        """The number, or None where only the interval is known."""
        return self.lower if self.exact else None

    def __str__(self) -> str:
        return str(self.lower) if self.exact else f"{self.lower} to {self.upper}"


class OutOfTime(Exception):
    """The deadline has passed."""


class Deadline:
    """So many seconds from now, or never."""

    def __init__(self, timeout: float | None = None) -> None:
        self._moment = None if timeout is None else monotonic() + _seconds(timeout)

    def check(self) -> None:
        if self._moment is not None and monotonic() > self._moment:
            raise OutOfTime


def _seconds(timeout: object) -> float:
    """As a float; infinity is one, text is not."""
    try:
        seconds = -1.0 if isinstance(timeout, bool | str | bytes) else float(timeout)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if not seconds >= 0:
        raise BadParameter(f"timeout must be a number of seconds >= 0: {timeout!r}")
    return seconds


@contextmanager
def deep_recursion(levels: int) -> Iterator[None]:
    """Searches go as deep as there are instances to ask about."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 4 * levels)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
