"""A finite joint distribution, and the rules of probability as identities that are checked on it, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

from mistakebound.concepts.instance import exact
from mistakebound.core.errors import BadParameter, shown

Event: TypeAlias = Mapping[str, Any] | Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Identity:
    """Two sides of a rule, computed apart: `left` as a probability, `right` as the rule says, from its `terms`."""

    left: Fraction
    right: Fraction
    terms: tuple[Fraction, ...]

    @property
    def holds(self) -> bool:
        """Whether both sides are equal, exactly."""
        return self.left == self.right

    def __str__(self) -> str:
        return f"{self.left} {'=' if self.holds else '!='} {self.right}"


class JointTable:
    """A joint distribution of some variables with finitely many values, and the rules of probability on it.

    Parameters
    ----------
    names : sequence of str
        The variables.
    table : mapping
        A tuple of values (one per variable) to its probability or its count; >= 0.  They are divided by their sum.

    Notes
    -----
    An event is a mapping from variables to values ({"rain": 1}) or a function of such a mapping.  Numbers are
    fractions: doubles count as the fractions that they are.

    References
    ----------
    Ma 2019, CS3244 notes, Theorem 5.2.  Mitchell 1997, Machine Learning, table 6.1.

    Examples
    --------
    >>> T = JointTable(["rain", "wet"], {(0, 0): 6, (0, 1): 1, (1, 0): 1, (1, 1): 4})
    >>> str(T.probability({"wet": 1})), str(T.probability({"rain": 1}, given={"wet": 1}))
    ('5/12', '4/5')
    >>> print(T.product_rule({"rain": 1}, {"wet": 1}))
    1/3 = 1/3
    >>> print(T.sum_rule([{"rain": 1}, {"wet": 1}]), T.total_probability({"wet": 1}, "rain").terms[0])
    1/2 = 1/2 1/12
    """

    def __init__(self, names: Sequence[str], table: Mapping[tuple[Any, ...], Any]) -> None:
        self.names = tuple(names)
        weights: dict[tuple[Any, ...], Fraction] = {}
        for values, weight in table.items():
            number = exact(weight)
            if len(values) != len(self.names):
                raise BadParameter(f"a row must have {len(self.names)} values: {shown(values)}")
            if number is None or number < 0:
                raise BadParameter(f"a weight must be a number >= 0: {shown(weight)}")
            weights[tuple(values)] = Fraction(number)
        total = sum(weights.values(), Fraction(0))
        if not total:
            raise BadParameter("a table must have a weight above 0")
        self.table = {values: weight / total for values, weight in weights.items()}

    def values(self, name: str) -> list[Any]:
        """The values of a variable, in the order in which the table has them."""
        place = self._place(name)
        return list(dict.fromkeys(values[place] for values in self.table))

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise BadParameter(f"a variable must be one of {', '.join(self.names)}: {shown(name)}")
        return self.names.index(name)

    def _rows(self, events: Iterable[Event]) -> list[tuple[Any, ...]]:
        """The rows of the table in which all events happen."""
        rows = list(self.table)
        for event in events:
            if callable(event):
                rows = [row for row in rows if event(dict(zip(self.names, row, strict=True)))]
            else:
                wanted = [(self._place(name), value) for name, value in event.items()]
                rows = [row for row in rows if all(row[place] == value for place, value in wanted)]
        return rows

    def probability(self, *events: Event, given: Event | None = None) -> Fraction:
        """P(all events), or P(all events | given)."""
        if given is None:
            return sum((self.table[row] for row in self._rows(events)), Fraction(0))
        condition = self.probability(given)
        if not condition:
            raise BadParameter("given must be an event with a probability above 0")
        return self.probability(*events, given) / condition

    def product_rule(self, a: Event, b: Event) -> Identity:
        """P(a and b) = P(a | b) P(b)."""
        terms = self.probability(a, given=b), self.probability(b)
        return Identity(self.probability(a, b), terms[0] * terms[1], terms)

    def sum_rule(self, events: Sequence[Event]) -> Identity:
        """P(one at least) by inclusion and exclusion: the sum over all sets of events, with alternating signs."""
        rows = {row for event in events for row in self._rows([event])}
        left = sum((self.table[row] for row in rows), Fraction(0))
        terms = tuple(
            (-1) ** (size + 1) * self.probability(*chosen)
            for size in range(1, len(events) + 1)
            for chosen in combinations(events, size)
        )
        return Identity(left, sum(terms, Fraction(0)), terms)

    def chain_rule(self, events: Sequence[Event]) -> Identity:
        """P(all) = P(first) P(second | first) P(third | first and second) ..."""
        product, terms = Fraction(1), []
        for place, event in enumerate(events):
            before = list(events[:place])
            rows = self._rows(before)
            condition = sum((self.table[row] for row in rows), Fraction(0))
            if not condition:
                break  # nothing of probability 0 has to be conditioned on: the product is 0 already
            terms.append(self.probability(*before, event) / condition)
            product *= terms[-1]
        return Identity(self.probability(*events), product, tuple(terms))

    def total_probability(self, event: Event, variable: str) -> Identity:
        """P(event) = the sum over the values v of P(event | variable = v) P(variable = v)."""
        terms = []
        for value in self.values(variable):
            share = self.probability({variable: value})
            terms.append(self.probability(event, given={variable: value}) * share if share else Fraction(0))
        return Identity(self.probability(event), sum(terms, Fraction(0)), tuple(terms))

    def bayes_rule(self, h: Event, d: Event) -> Identity:
        """P(h | d) = P(d | h) P(h) / P(d)."""
        terms = self.probability(d, given=h), self.probability(h), self.probability(d)
        return Identity(self.probability(h, given=d), terms[0] * terms[1] / terms[2], terms)

    def independent(self, a: Sequence[str], b: Sequence[str], given: Sequence[str] = ()) -> bool:
        """Whether the variables in a are independent of those in b, for all values of the given ones."""
        places = [[self._place(name) for name in part] for part in (a, b, given)]

        def share(row: tuple[Any, ...], parts: Sequence[int]) -> Fraction:
            chosen = [place for part in parts for place in places[part]]
            return self.probability(lambda other: all(other[self.names[k]] == row[k] for k in chosen))

        cells = {tuple(row[k] for part in places for k in part): row for row in self._everything()}
        return all(share(r, (0, 1, 2)) * share(r, (2,)) == share(r, (0, 2)) * share(r, (1, 2)) for r in cells.values())

    def _everything(self) -> list[tuple[Any, ...]]:
        from itertools import product

        return list(product(*(self.values(name) for name in self.names)))
