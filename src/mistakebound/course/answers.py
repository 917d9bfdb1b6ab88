"""Kinds of answers: how each is written as text, and how it is read from text or from a Python value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from mistakebound.concepts.concept import Concept
from mistakebound.concepts.formula import parse
from mistakebound.core.errors import BadParameter, MistakeboundError, shown
from mistakebound.core.exact import fraction_of_text


class Kind(NamedTuple):
    """How an answer is written, an example of it, and what reads it."""

    words: str
    example: str
    read: Callable[[Any], Any]


def read_answer(kind: str, answer: Any) -> Any:
    """The answer as a value; BadParameter says how one of this kind is written."""
    words, example, read = KINDS[kind]
    try:
        return read(answer)
    except (ValueError, TypeError, ArithmeticError, AttributeError, MistakeboundError):
        raise BadParameter(f"answer must be {words}, such as {example!r}: {shown(answer)}") from None


def _integer(answer: Any) -> int:
    if isinstance(answer, str):
        return int(answer.strip())
    if isinstance(answer, bool) or answer != int(answer):
        raise ValueError
    return int(answer)


def _number(answer: Any) -> Fraction:
    if isinstance(answer, str):
        found = fraction_of_text(answer.strip())
        if found is None:
            raise ValueError
        return found
    if isinstance(answer, bool) or (isinstance(answer, float) and not isfinite(answer)):
        raise ValueError
    return Fraction(answer)


def _word(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError
    return answer.strip()


def _formula(answer: Any) -> Concept:
    return answer if isinstance(answer, Concept) else parse(_word(answer))


def _parts(answer: Any) -> list[Any]:
    """A text cut at commas, or any sequence as it is."""
    if isinstance(answer, str):
        return [part.strip() for part in answer.strip("<>() ").split(",")]
    return list(answer)


def _words(answer: Any) -> tuple[str, ...]:
    return tuple(_word(part) for part in _parts(answer))


def _numbers(answer: Any) -> tuple[Fraction, ...]:
    return tuple(_number(part) for part in _parts(answer))


def _row(answer: Any) -> tuple[int, ...]:
    """Zeros and ones: `101`, or a sequence of them."""
    row = tuple(int(bit) for bit in (answer.strip() if isinstance(answer, str) else answer))
    if not row or not {*row} <= {0, 1}:
        raise ValueError
    return row


def _listed(answer: Any, read: Callable[[Any], Any]) -> tuple[Any, ...]:
    given: Iterable[Any] = answer.replace(";", " ").split() if isinstance(answer, str) else answer
    return tuple(map(read, given))


def _rows(answer: Any) -> tuple[tuple[int, ...], ...]:
    return _listed(answer, _row)


def _example(answer: Any) -> tuple[tuple[int, ...], int]:
    row, label = answer.split("=") if isinstance(answer, str) else answer
    if _integer(label) not in (0, 1):
        raise ValueError
    return _row(row), _integer(label)


def _examples(answer: Any) -> tuple[tuple[tuple[int, ...], int], ...]:
    return _listed(answer, _example)


def _points(answer: Any) -> tuple[tuple[Fraction, ...], ...]:
    return _listed(answer, _numbers)


KINDS: dict[str, Kind] = {
    "integer": Kind("a whole number", "12", _integer),
    "number": Kind("a number", "3/4", _number),
    "choice": Kind("one of the options", "b", _word),
    "formula": Kind("a formula", "x1 | ~x3", _formula),
    "values": Kind("values with commas between them", "dry, ?, warm", _words),
    "numbers": Kind("numbers with commas between them", "1, -1/2, 3", _numbers),
    "row": Kind("an instance of zeros and ones", "101", _row),
    "rows": Kind("rows of zeros and ones with spaces between them", "101 011", _rows),
    "examples": Kind("instances with their labels and spaces between them", "101=1 011=0", _examples),
    "points": Kind("points with spaces between them", "0,0 1,0", _points),
}
