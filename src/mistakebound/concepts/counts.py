"""Numbers of hypotheses: exact, or an interval that is proven; how they are written; votes."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import Any

from mistakebound.core.errors import MistakeboundError

_LONG = 10**15  # numbers from here on are written as powers of two
_BITS = 4096  # of a number that is written out in JSON


class Count:
    """A number, or where only that is proven, the numbers between which it lies.

    >>> Count(6, 6) == 6, Count(6, 6), Count(3, 9), Count(3, 9).exact, Count(3, 9) > 2
    (True, 6, between 3 and 9, False, True)
    """

    __slots__ = ("lower", "upper")

    def __init__(self, lower: int, upper: int) -> None:
        self.lower = lower
        self.upper = upper

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    def __index__(self) -> int:
        if not self.exact:
            raise MistakeboundError(f"the number is not known: it is {self}")
        return self.lower

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Count):
            return (self.lower, self.upper) == (other.lower, other.upper)
        return self.exact and self.lower == other

    def __hash__(self) -> int:
        return hash(self.lower if self.exact else (self.lower, self.upper))

    def __lt__(self, other: int | Count) -> bool:
        low, high = (other.lower, other.upper) if isinstance(other, Count) else (other, other)
        if self.upper < low or self.lower >= high:
            return self.upper < low
        raise MistakeboundError(f"cannot say which is smaller: {self} or {other}")

    def __ge__(self, other: int | Count) -> bool:
        return not self < other

    def __gt__(self, other: int | Count) -> bool:
        low, high = (other.lower, other.upper) if isinstance(other, Count) else (other, other)
        return Count(low, high) < self

    def __le__(self, other: int | Count) -> bool:
        return not self > other

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """With commas; a long number by its power of two."""
        return written(self.lower) if self.exact else f"between {_at_least(self.lower)} and {_at_most(self.upper)}"

    def as_json(self) -> Any:
        low, high = number_as_json(self.lower), number_as_json(self.upper)
        return low if self.exact else {"lower": low, "upper": high}


def written(number: int) -> str:
    """A number as a person reads it."""
    if number < _LONG:
        return f"{number:,}"
    power = number.bit_length() - 1
    return f"2^{power}" if number == 1 << power else f"about 2^{power}"


def _at_least(number: int) -> str:
    return written(number) if number < _LONG else f"2^{number.bit_length() - 1}"


def _at_most(number: int) -> str:
    return written(number) if number < _LONG else f"2^{(number - 1).bit_length()}"


def number_as_json(number: int) -> Any:
    """The number itself; one of more bits than Python writes out, and others read, by its logarithm.

    >>> number_as_json(3**20), number_as_json(1 << 15_000)
    (3486784401, {'log2': 15000.0})
    """
    return number if number.bit_length() <= _BITS else {"log2": log2(number)}


class Vote:
    """How many of the hypotheses say 1; `tuple(vote)` is (positive, total).

    >>> vote = Vote(Count(3, 3), Count(6, 6))
    >>> vote, vote == (3, 6), vote.share
    (3 of 6, True, 0.5)
    """

    __slots__ = ("positive", "total")

    def __init__(self, positive: Count, total: Count) -> None:
        self.positive = positive
        self.total = total

    @property
    def exact(self) -> bool:
        return self.positive.exact and self.total.exact

    @property
    def share(self) -> float:
        """Of the hypotheses that say 1; where only intervals are known, the middle of what it can be."""
        if self.exact:
            return self.positive.lower / self.total.lower
        low, most, total = self.positive.lower / self.total.upper, self.positive.upper, self.total.lower
        return (low + (most / total if most < total else 1.0)) / 2

    def __iter__(self) -> Iterator[Count]:
        return iter((self.positive, self.total))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Vote | tuple):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.positive, self.total))

    def __repr__(self) -> str:
        return f"{self.positive} of {self.total}"
