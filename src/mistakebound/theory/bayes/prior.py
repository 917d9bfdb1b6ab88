"""Hypotheses in a row, and a prior over them as exact fractions that sum to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mistakebound.concepts.class_text import parse_class
from mistakebound.concepts.finite import FiniteClass
from mistakebound.core.errors import BadParameter
from mistakebound.core.exact import fraction_of

_ROUNDING = Fraction(1, 10**9)  # by so much a sum of floats may miss 1


class TableConcept:
    """A row of a class that was given as a matrix, as a function of its instances."""

    def __init__(self, table: FiniteClass, c: int) -> None:
        self.table = table
        self.c = c

    def __call__(self, x: Any) -> int:
        return self.table.label(self.c, self.table.position(x))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableConcept) and (self.c, self.table) == (other.c, other.table)

    def __hash__(self) -> int:
        return hash((self.c, self.table.size))

    def __str__(self) -> str:
        return f"row {self.table.concepts[self.c]}"

    def __repr__(self) -> str:
        return f"<{self}>"


def hypotheses_of(hypotheses: Iterable[Any]) -> tuple[Any, ...]:
    """The hypotheses of a class or a list; the rows of a matrix as functions.

    >>> [h(1) for h in hypotheses_of(FiniteClass([[0, 0], [0, 1]]))]
    [0, 1]
    """
    if isinstance(hypotheses, FiniteClass) and hypotheses.size and not callable(hypotheses.concepts[0]):
        return tuple(TableConcept(hypotheses, c) for c in range(hypotheses.size))
    if isinstance(hypotheses, str) and "=" in hypotheses:  # others are letters
        hypotheses = parse_class(hypotheses)
    if not isinstance(hypotheses, Iterable):
        raise BadParameter(f"hypotheses must be a class of concepts or a list: {hypotheses!r}")
    found = tuple(hypotheses)
    if not found:
        raise BadParameter("there must be at least one hypothesis")
    return found


def exact_number(name: str, value: Any) -> Fraction:
    """A number >= 0 as a fraction; a float stands for the decimal number that it prints as.

    >>> exact_number("prior", 0.1), exact_number("prior", "1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    number = fraction_of(int(value) if isinstance(value, bool) else value)
    if number is None or number < 0:
        raise BadParameter(f"{name} must be a number >= 0: {value!r}")
    return number


def prior_of(
    hypotheses: Sequence[Any], prior: Mapping[Any, Any] | Callable[[Any], Any] | Iterable[Any] | str | None
) -> tuple[Fraction, ...]:
    """P(h) of every hypothesis: uniform, by a mapping or a function of the hypothesis, or numbers in its order.

    >>> prior_of("ab", None), prior_of("ab", {"a": 0.3, "b": 0.7})
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 10), Fraction(7, 10)))
    """
    if prior is None or (isinstance(prior, str) and prior == "uniform"):
        return (Fraction(1, len(hypotheses)),) * len(hypotheses)
    if isinstance(prior, str):
        raise BadParameter(f"prior must be 'uniform', or numbers, a mapping or a function: {prior!r}")
    if isinstance(prior, Mapping):
        absent = [h for h in hypotheses if h not in prior]
        if absent:
            raise BadParameter(f"prior must have every hypothesis: {absent[0]} has none")
        values = [prior[h] for h in hypotheses]
    elif callable(prior):
        values = [prior(h) for h in hypotheses]
    elif not isinstance(prior, Iterable):
        raise BadParameter(f"prior must be 'uniform', or numbers, a mapping or a function: {prior!r}")
    else:
        values = list(prior)
        if len(values) != len(hypotheses):
            raise BadParameter(
                f"prior must be as many numbers as there are hypotheses, {len(hypotheses)}: {len(values)}"
            )
    numbers = [exact_number("prior", value) for value in values]
    total = sum(numbers, Fraction(0))
    rounded = any(isinstance(value, float) for value in values)
    if total != 1 and not (rounded and abs(total - 1) <= _ROUNDING):
        raise BadParameter(f"prior must sum to 1: {float(total):.12g}")
    return tuple(number / total for number in numbers)
