"""One message to the engine: its fields, each read with its kind and its range, and the time that it may take."""

from __future__ import annotations

from math import isfinite
from time import monotonic
from typing import Any

from mistakebound.core.errors import BadParameter, shown


class Late(Exception):
    """A request has used up its time."""


class Request:
    """The fields of a message; BadParameter for one that is missing, of another kind or out of range.

    >>> request = Request({"seed": 3, "learner": "winnow1"}, seconds=1)
    >>> request.whole("seed", 0, 99), request.choice("learner", ("winnow1", "halving")), request.whole("n", 1, 9, 5)
    (3, 'winnow1', 5)
    >>> request.whole("learner", 0, 9)
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: learner must be a whole number from 0 to 9: 'winnow1'
    """

    def __init__(self, message: dict[str, Any], seconds: float) -> None:
        self._message = message
        self._end = monotonic() + seconds

    def check_time(self) -> None:
        """Called between the steps of anything that may be long."""
        if monotonic() > self._end:
            raise Late

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._end - monotonic())

    def given(self, name: str) -> bool:
        return self._message.get(name) is not None

    def value(self, name: str) -> Any:
        """Whatever the field holds."""
        return self._message.get(name)

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self._message.get(name)
        if value is None and default is not None:
            return default
        if type(value) is not int or not least <= value <= most:
            raise BadParameter(f"{name} must be a whole number from {least} to {most}: {shown(value)}")
        return value

    def number(self, name: str, least: float, most: float, default: float | None = None) -> float:
        value = self._message.get(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise BadParameter(f"{name} must be a number from {least:g} to {most:g}: {shown(value)}")
        return float(value)

    def text(self, name: str, most: int, default: str | None = None) -> str:
        value = self._message.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or len(value) > most:
            raise BadParameter(f"{name} must be a text of at most {most:,} characters: {shown(value)}")
        return value

    def choice(self, name: str, options: Any, default: str | None = None) -> str:
        value = self._message.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or value not in options:
            raise BadParameter(f"{name} must be one of {', '.join(options)}: {shown(value)}")
        return value

    def listed(self, name: str, most: int, default: list[Any] | None = None) -> list[Any]:
        value = self._message.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, list) or len(value) > most:
            raise BadParameter(f"{name} must be a list of at most {most:,} values: {shown(value)}")
        return value


def finite(number: float | None) -> float | None:
    """A number that JSON has, or None."""
    return None if number is None or not isfinite(number) else number
