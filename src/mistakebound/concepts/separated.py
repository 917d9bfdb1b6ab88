"""The delta-separated class F(X, delta) of Littlestone 1988 (L §5): row C5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import ClassVar

from mistakebound.concepts.concept import Concept, ConceptClass, check_integer, generator
from mistakebound.concepts.disjunctions import Disjunction
from mistakebound.concepts.instance import Exact, exact_parameter
from mistakebound.concepts.linear_thresholds import LIMIT, TEST_LIMIT, arrangements, patterns
from mistakebound.concepts.margin import Separation, widest_gap
from mistakebound.concepts.thresholds import LinearThreshold, RofKThreshold
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name

Row = tuple[int, ...]


@dataclass(frozen=True, init=False)
class Separated(ConceptClass):
    """Functions f with weights mu, every mu_i >= 0, such that for all x in X the sum of mu_i x_i is >= 1
    where f(x) = 1 and <= 1 - delta where f(x) = 0; 0 < delta <= 1, and X is {0,1}^n or the rows given. delta and
    mu are ints, fractions, texts such as "1/2", or floats at their exact value.

    With X given, two functions that agree on X are one. Counted and enumerated for n <= 5, as threshold
    functions in the order of `LinearThresholds`. Beyond, a sample is not uniform: it is an r-of-k threshold
    with r <= 1/delta, and r, k and the attributes are uniform.

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
