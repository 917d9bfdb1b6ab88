"""What a computation that may run out of time gives back: the value, or the interval that is proven."""

from __future__ import annotations

from dataclasses import dataclass

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


def check_timeout(timeout: object) -> None:
    """Seconds, or None for as long as it takes."""
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout >= 0):
        raise BadParameter(f"timeout must be a number of seconds >= 0: {timeout!r}")
