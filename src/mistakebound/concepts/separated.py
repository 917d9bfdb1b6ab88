"""The delta-separated class F(X, delta) of Littlestone 1988."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import ClassVar, NamedTuple

from mistakebound.concepts.concept import Concept, ConceptClass, check_integer, generator
from mistakebound.concepts.decision_lists import DecisionList, checked_label
from mistakebound.concepts.instance import Exact, exact_parameter
from mistakebound.concepts.linear_thresholds import LIMIT, TEST_LIMIT, arrangements, patterns
from mistakebound.concepts.literal_sets import Disjunction
from mistakebound.concepts.literals import Literal
from mistakebound.concepts.thresholds import LinearThreshold, RofKThreshold
from mistakebound.concepts.weighing import Separation, widest_gap
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name

Row = tuple[int, ...]
_MOST_RULES = 1000


@dataclass(frozen=True, init=False)
class Separated(ConceptClass):
    """The delta-separated class F(X, delta): functions that some weights mu >= 0 separate with a gap of delta.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    delta : number
        > 0 and <= 1: an int, a fraction, a text such as "1/2", or a float at its exact value.
    X : iterable of rows or None, default None
        The instances, rows of n zeros and ones.  None: all of {0,1}^n.

    Notes
    -----
    f is in the class if there are mu_i >= 0 such that for all x in X the sum of mu_i * x_i is >= 1 where f(x) = 1 and
    <= 1 - delta where f(x) = 0.  With X given, two functions that agree on X are one.  Counted and enumerated for n <=
    5,
    as threshold functions in the order of `LinearThresholds`.  Beyond, a sample is not uniform: it is an r-of-k
    threshold
    with r <= 1/delta, and r, k and the attributes are uniform.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound (Winnow2, Theorem 9).

    Examples
    --------
    >>> C = Separated(3, "1/2")
    >>> f = RofKThreshold(2, ["1", "2", "3"])
    >>> print(C, C.count(), f in C, C.violation(f, f.separation().mu), C.violation(f, [1, 1, 1]), sep="; ")
    separated n=3 delta=1/2; 15; True; None; x = (0, 0, 1): the sum must be <= 1/2 where f(x) = 0: 1
    """

    n: int
    delta: Fraction
    X: tuple[Row, ...] | None = None
    kind: ClassVar[str] = "separated"

    def __init__(self, n: int, delta: object, X: Iterable[Sequence[int]] | None = None) -> None:
        n = check_integer("n", n, 1)
        number = exact_parameter(delta)
        if number is None or not 0 < number <= 1:
            raise BadParameter(f"delta must be > 0 and <= 1: {delta}")
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "delta", Fraction(number))
        object.__setattr__(self, "X", None if X is None else _checked_rows(n, X))

    def domain(self) -> Iterator[Row]:
        """The rows of X, in ascending order."""
        return super().domain() if self.X is None else iter(self.X)

    def domain_size(self) -> int:
        return super().domain_size() if self.X is None else len(self.X)

    def violation(self, concept: Concept, mu: Mapping[str, object] | Sequence[object]) -> str | None:
        """What keeps mu from being a witness that the concept is in the class, or None where it is one.

        mu maps names to weights, or is a row of n weights. All of X is checked, in fractions; on {0,1}^n the
        attributes that neither mu nor the concept mentions make no difference: of others at most 20 may be.
        """
        weights = self._weights(mu)
        for name, weight in weights.items():
            if weight < 0:
                return f"mu of {write_name(name)} must be >= 0: {weight}"
        foreign = [name for name in concept.attributes if not self.over([name])]
        if foreign:
            first = min(foreign, key=attribute_order)
            return f"attributes must be between x1 and x{self.n}: {write_name(first)}"
        names, codes, sums, labels = self._weighed(concept, weights)
        for code, total, label in zip(codes, sums, labels, strict=True):
            if total < 1 if label else total > 1 - self.delta:
                rule = ">= 1 where f(x) = 1" if label else f"<= {1 - self.delta} where f(x) = 0"
                return f"x = {self._instance(names, code)}: the sum must be {rule}: {total}"
        return None

    def is_witness(self, concept: Concept, mu: Mapping[str, object] | Sequence[object]) -> bool:
        """Whether mu shows that the concept is in the class."""
        return self.violation(concept, mu) is None

    def witness(self, concept: Concept) -> Separation | None:
        """The largest delta for which the concept is separated on X, and its mu; None outside the class."""
        if not self.over(concept.attributes):
            return None
        best = (self._known(concept) if self.X is None else None) or self._solve(concept)
        return best if best is not None and best.delta >= self.delta else None

    @staticmethod
    def _known(concept: Concept) -> Separation | None:
        """On the whole cube nothing is better than 1 for a disjunction and 1/r for an r-of-k threshold."""
        if isinstance(concept, RofKThreshold) or (isinstance(concept, Disjunction) and concept.monotone):
            return concept.separation()
        return None

    def holds(self, concept: Concept) -> bool:
        return self.witness(concept) is not None

    def count(self) -> int:
        if self.X is not None:
            return sum(1 for _ in self)
        return sum(len(arrangements(weights)) for weights, _ in self._members())

    def __iter__(self) -> Iterator[LinearThreshold]:
        seen: set[tuple[int, ...]] = set()
        for weights, threshold in self._members():
            for arranged in arrangements(weights):
                concept = _threshold(arranged, threshold)
                if self.X is not None:
                    labels = tuple(concept(x) for x in self.X)
                    if labels in seen:
                        continue
                    seen.add(labels)
                    if not self.holds(concept):
                        continue
                yield concept

    def sample(self, seed: int) -> Concept:
        rng = generator(seed)
        if self.n <= LIMIT:
            members = list(self)
            return members[rng.randrange(len(members))]
        r = rng.randint(1, min(self.n, int(1 / self.delta)))
        k = rng.randint(r, self.n)
        return RofKThreshold(r, map(str, rng.sample(range(1, self.n + 1), k)))

    def _members(self) -> Iterator[tuple[Row, int]]:
        """Weights and threshold of the members on the whole cube, or of all candidates on a given X, up to
        arrangement. Since mu >= 0, a member agrees on X with a threshold function without negative weights.
        """
        if self.n > LIMIT:
            raise BadParameter(f"n must be at most {LIMIT} to count or enumerate {self.kind}: {self.n}")
        for weights, threshold in patterns(self.n):
            if self.X is not None or self.holds(_threshold(weights, threshold)):
                yield weights, threshold

    def _solve(self, concept: Concept) -> Separation | None:
        names = sorted(concept.attributes, key=attribute_order) if self.X is None else list(self.attributes)
        if len(names) > TEST_LIMIT:
            raise BadParameter(f"attributes must be at most {TEST_LIMIT} to find a witness: {len(names)}")
        if self.X is None:
            labelled = enumerate(concept.truth_table(names).tolist())
        else:
            labelled = ((_code(x), concept(x)) for x in self.X)  # type: ignore[assignment]
        sides: tuple[list[int], list[int]] = ([], [])
        for code, label in labelled:
            sides[label].append(code)
        gap = widest_gap(len(names), sides[1], sides[0])
        # Codes are read from the left: the last name is bit 0.
        return gap and Separation(gap[0], dict(zip(names, reversed(gap[1]), strict=True)))

    def _weights(self, mu: Mapping[str, object] | Sequence[object]) -> dict[str, Exact]:
        if not isinstance(mu, Mapping):
            if len(mu) != self.n:
                raise BadParameter(f"mu must have n = {self.n} weights: {len(mu)}")
            mu = dict(zip(self.attributes, mu, strict=True))
        weights = {}
        for name, value in mu.items():
            number = exact_parameter(value)
            if number is None or not self.over([name]):
                raise BadParameter(f"mu must map x1 to x{self.n} to finite numbers: {name!r}: {value!r}")
            weights[name] = number
        return weights

    def _weighed(
        self, concept: Concept, weights: dict[str, Exact]
    ) -> tuple[list[str], Iterable[int], list[Exact], list[int]]:
        """The attributes that matter; the instances of X over them, as codes; their sums; their labels."""
        if self.X is not None:
            every = list(self.attributes)
            sums = [sum((weights.get(name, 0) for name in compress(every, x)), Fraction(0)) for x in self.X]
            return every, map(_code, self.X), list(sums), [concept(x) for x in self.X]
        names = sorted({*filter(weights.get, weights), *concept.attributes}, key=attribute_order)
        labels = concept.truth_table(names).tolist()
        totals: list[Exact] = [0]
        for name in names:
            totals = [total + step for total in totals for step in (0, weights.get(name, 0))]
        return names, range(len(totals)), totals, labels

    def _instance(self, names: list[str], code: int) -> Row:
        on = {name for j, name in enumerate(reversed(names)) if code >> j & 1}
        return tuple(int(name in on) for name in self.attributes)


def _code(x: Row) -> int:
    """A row as a number in base two; the last attribute is bit 0."""
    return int("".join(map(str, x)), 2)


def _checked_rows(n: int, X: Iterable[Sequence[int]]) -> tuple[Row, ...]:
    rows = {tuple(x) for x in X}
    for row in rows:
        if len(row) != n or any(value not in (0, 1) for value in row):
            raise BadParameter(f"X must hold rows of n = {n} zeros and ones: {row}")
    return tuple(sorted(tuple(int(value) for value in row) for row in rows))


def _threshold(weights: Row, threshold: int) -> LinearThreshold:
    return LinearThreshold({str(j): weight for j, weight in enumerate(weights, 1)}, threshold)


class ListSeparation(NamedTuple):
    """The separation of a decision list: what `list_separation` returns.

    The sum of `mu` over the literals that hold is >= 1 where the list says 1, and <= 1 - `delta` where it says 0.

    Parameters
    ----------
    delta : Fraction
        The separation.
    mu : mapping
        Literal to weight.
    total : int
        T, by which the powers of two were divided; 0 for a list that always says 1.

    Examples
    --------
    >>> list_separation([("1", 1)]).total
    1
    """

    delta: Fraction
    mu: dict[Literal, Fraction]
    total: int  # T, by which the powers of two were divided; 0 for a list that always says 1


def list_separation(
    rules: DecisionList | Iterable[tuple[Literal | str, int]], default: int = 0, *, first: str = "1"
) -> ListSeparation:
    """Weights mu and a delta that separate a decision list, so that Winnow2 can learn it.

    Parameters
    ----------
    rules : DecisionList or iterable of (Literal or str, label)
        The rules A1 -> B1, ..., Am -> Bm in order, as they are written.
    default : {0, 1}, default 0
        The label where no rule fires.
    first : str, default "1"
        The attribute that gets the weight where the list always says 1.

    Returns
    -------
    ListSeparation
        `delta`, `mu` (literal to weight) and `total`.

    Notes
    -----
    T is the sum of 2^(m-i) over the rules that say 0, and 1 more when the default is 0.  mu of the literal Ai is
    2^(m-i)/T
    where Bi = 1, mu of its negation is that where Bi = 0, and delta = 1/T.  With T = 0 the list always says 1: then mu
    is 1
    for the attribute `first` and for its negation, one of which holds, and delta is 1.  docs/expand.md has the proof.

    Examples
    --------
    >>> found = list_separation([("1", 0), ("2", 1)], default=0)
    >>> found.delta, {str(literal): str(weight) for literal, weight in found.mu.items()}
    (Fraction(1, 3), {'~x1': '2/3', 'x2': '1/3'})
    """
    if isinstance(rules, DecisionList):
        return list_separation(rules.rules, rules.default, first=first)
    given = [(item if isinstance(item, Literal) else Literal(item), checked_label(label)) for item, label in rules]
    powers = [1 << step for step in reversed(range(len(given)))]
    total = sum(power for power, (_, label) in zip(powers, given, strict=True) if not label) + (
        not checked_label(default)
    )
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
