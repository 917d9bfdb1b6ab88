"""Decision lists as separated functions of the 2n literals: what Winnow2 wants to know of them (row W4)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from mistakebound.concepts.decision_lists import DecisionList
from mistakebound.concepts.literals import Literal
from mistakebound.core.errors import BadParameter

_MOST_RULES = 1000


class ListSeparation(NamedTuple):
    """The sum of mu over the literals that hold is >= 1 where the list says 1, and <= 1 - delta where it says 0."""

    delta: Fraction
    mu: dict[Literal, Fraction]
    total: int  # T, by which the powers of two were divided; 0 for a list that always says 1


def list_separation(
    rules: DecisionList | Iterable[tuple[Literal | str, int]], default: int = 0, *, first: str = "1"
) -> ListSeparation:
    """mu and delta of the list A1 -> B1, ..., Am -> Bm, else the default, as it is written.

    T is the sum of 2^(m-i) over the rules that say 0, and 1 more when the default is 0.  mu of the literal Ai is
    2^(m-i)/T where Bi = 1, mu of its negation is that where Bi = 0, and delta = 1/T.  With T = 0 the list always says
    1: then mu is 1 for the attribute `first` and for its negation, one of which holds, and delta is 1.

    >>> found = list_separation([("1", 0), ("2", 1)], default=0)
    >>> found.delta, {str(literal): str(weight) for literal, weight in found.mu.items()}
    (Fraction(1, 3), {'~x1': '2/3', 'x2': '1/3'})
    """
    if isinstance(rules, DecisionList):
        return list_separation(rules.rules, rules.default, first=first)
    given = [(item if isinstance(item, Literal) else Literal(item), _label(label)) for item, label in rules]
    powers = [1 << step for step in reversed(range(len(given)))]
    total = sum(power for power, (_, label) in zip(powers, given, strict=True) if not label) + (not _label(default))
    if not total:
        return ListSeparation(Fraction(1), {Literal(first): Fraction(1), ~Literal(first): Fraction(1)}, 0)
    mu: dict[Literal, Fraction] = {}
    for power, (literal, label) in zip(powers, given, strict=True):
        holds = literal if label else ~literal
        mu[holds] = mu.get(holds, Fraction(0)) + Fraction(power, total)
    return ListSeparation(Fraction(1, total), mu, total)


def any_list(rules: int) -> tuple[Fraction, Fraction]:
    """A delta, and a sum of mu, that suffice for every decision list of at most so many rules (docs/expand.md).

    T is at most 2^rules - 1, or the list always says 0.  Where it is less, the attribute x1 and its negation, one of
    which holds, get the difference as weight: then delta is 1/(2^rules - 1) for all lists, and the sum of mu below 3.

    >>> any_list(3)
    (Fraction(1, 7), Fraction(19, 7))
    """
    if not 0 <= rules <= _MOST_RULES:
        raise BadParameter(f"rules must be a whole number from 0 to {_MOST_RULES}: {rules}")
    largest = max(1, (1 << rules) - 1)
    return Fraction(1, largest), max(Fraction(2), 3 - Fraction(2, largest))


def _label(label: object) -> int:
    if isinstance(label, str) or not (label == 0 or label == 1):
        raise BadParameter(f"a rule's label must be 0 or 1: {label!r}")
    return int(label == 1)
