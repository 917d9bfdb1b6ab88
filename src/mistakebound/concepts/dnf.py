"""Disjunctions of terms, a term being a conjunction of literals (disjunctive normal form)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from mistakebound.concepts.bits import pack, transpose
from mistakebound.concepts.concept import Concept, ConceptClass, choices, generator
from mistakebound.concepts.instance import Reader
from mistakebound.concepts.literal_sets import Conjunction, Disjunction
from mistakebound.concepts.literals import Literal, literal_order
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIMIT = 2_000_000  # sets of terms that are gone through at most
_ATTRIBUTES = 10  # at which different formulas are told apart by their labels on the whole cube

Term: TypeAlias = tuple[Literal, ...]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DNFFormula(Concept):
    """A formula in disjunctive normal form: 1 where at least one of its terms holds.

    Parameters
    ----------
    terms : iterable of iterables of Literal or str
        Two or more terms, one of them of several literals; simpler formulas are disjunctions or conjunctions.

    Notes
    -----
    Text: `x4 | (x1 & x2)`.  Normal form: terms sorted by length, then by literals; none that another makes superfluous.
    `disjunction_of_terms` gives the simplest form that fits.

    Examples
    --------
    >>> f = DNFFormula([["1", "2"], ["4"], ["7", Literal("3", positive=False)], ["1", "2", "5"]])
    >>> print(f, f({"1", "2"}), f({"3", "7"}))
    x4 | (x1 & x2) | (~x3 & x7) 1 0
    """

    terms: tuple[Term, ...]

    def __init__(self, terms: Iterable[Iterable[Literal | str]]) -> None:
        found = disjunction_of_terms(terms)
        if not isinstance(found, DNFFormula):
            raise BadParameter(f"a DNF formula must have two terms, one of them of several literals: {found}")
        object.__setattr__(self, "terms", found.terms)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(literal.name for term in self.terms for literal in term)

    def value(self, read: Reader) -> int:
        return max([Conjunction(term).value(read) for term in self.terms])  # all are read: a bad value is an error

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        labels = Conjunction(self.terms[0]).evaluate_many(X, names)
        for term in self.terms[1:]:
            labels |= Conjunction(term).evaluate_many(X, names)
        return labels

    def __str__(self) -> str:
        return " | ".join(f"({' & '.join(map(str, term))})" if len(term) > 1 else str(term[0]) for term in self.terms)


def disjunction_of_terms(terms: Iterable[Iterable[Literal | str | bool]]) -> Concept:
    """The disjunction of terms in the simplest form: a disjunction, a conjunction, or a DNF formula.

    >>> disjunction_of_terms([["1"], ["2"]]), disjunction_of_terms([["1", "2"], ["1"], ["2", "3"]])
    (<Disjunction x1 | x2>, <DNFFormula x1 | (x2 & x3)>)
    """
    sets = []
    for term in terms:
        operands = list(term)
        literals = [operand for operand in operands if not isinstance(operand, bool)]
        conjunction = Conjunction(literals, contradiction=False in operands)
        if not conjunction.contradiction:
            sets.append(conjunction.literals)
    ordered = sorted({*sets}, key=_term_order)
    kept: list[Term] = []
    for literals_of in ordered:  # the shorter come first
        if not any(frozenset(short) <= frozenset(literals_of) for short in kept):
            kept.append(literals_of)
    if all(len(term) == 1 for term in kept):
        return Disjunction(term[0] for term in kept)
    if len(kept) == 1:
        return Conjunction(kept[0])
    made = object.__new__(DNFFormula)
    object.__setattr__(made, "terms", tuple(kept))
    return made


def _term_order(term: Term) -> tuple[int, list[tuple[tuple[int, int, str], bool]]]:
    return len(term), [literal_order(literal) for literal in term]


@dataclass(frozen=True)
class DNF(ConceptClass):
    """The DNF formulas over n attributes with a given number of terms and of literals.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    terms : int
        Number of distinct terms; >= 1.
    literals : int
        Number of distinct attributes of each term; between 1 and n.
    monotone : bool, default True
        No attribute is negated.
    at_most : bool, default False
        0 to `terms` terms of 1 to `literals` attributes each.

    Notes
    -----
    Counted in closed form for monotone formulas of exact size, otherwise by going through the sets of terms, at most
    2,000,000 of them (and n <= 10 where attributes may be negated).  Order: by the number of terms, then by terms, the
    shorter first.  Beyond these limits a sample is not uniform: its numbers of terms and of literals are.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound (l-term monotone k-DNF).

    Examples
    --------
    >>> C = DNF(4, terms=2, literals=2)
    >>> print(C, C.count(), next(iter(C)), sep="; ")
    dnf n=4 terms=2 literals=2; 15; (x1 & x2) | (x1 & x3)
    """

    n: int
    terms: int
    literals: int
    monotone: bool = True
    at_most: bool = False
    kind: ClassVar[str] = "dnf"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.set_integer("literals", 1, self.n, "n")
        self.check_flag("monotone")
        self.check_flag("at_most")
        top = None if self.at_most else self._candidates()
        self.set_integer("terms", 1, top, "the number of different terms")

    def _sizes(self) -> range:
        """How many literals a term may have."""
        return range(1 if self.at_most else self.literals, self.literals + 1)

    def _candidates(self) -> int:
        """How many terms there are to choose from."""
        choices(self.n, min(self.literals, self.n // 2))  # the largest one first
        return sum(choices(self.n, size) << (0 if self.monotone else size) for size in self._sizes())

    def _all_terms(self) -> list[Term]:
        signs = (True,) if self.monotone else (True, False)
        return [
            tuple(map(Literal, names, chosen))
            for size in self._sizes()
            for names in combinations(self.attributes, size)
            for chosen in product(signs, repeat=size)
        ]

    def _counts(self) -> range:
        """How many terms a member may have."""
        return range(0 if self.at_most else self.terms, min(self.terms, self._candidates()) + 1)

    def _enumerable(self) -> bool:
        candidates = self._candidates()
        choices(candidates, min(self.terms, candidates // 2))
        sets = sum(choices(candidates, size) for size in self._counts())
        return sets <= LIMIT and (self.monotone or self.n <= _ATTRIBUTES)

    def _members(self) -> Iterator[tuple[Term, ...]]:
        """The terms of one formula for each distinct function."""
        if not self._enumerable():
            raise BadParameter(
                f"a class must have at most {LIMIT} sets of terms (and n <= {_ATTRIBUTES} unless monotone) "
                f"to be gone through: {self}"
            )
        terms = self._all_terms()
        if self.monotone:
            for size in self._counts():
                yield from (chosen for chosen in combinations(terms, size) if _is_antichain(chosen))
            return
        tables = self._tables(terms, list(self.domain()))
        met = set()
        for size in self._counts():
            for chosen in combinations(range(len(terms)), size):
                line = 0
                for term in chosen:
                    line |= tables[term]
                if line not in met:
                    met.add(line)
                    yield tuple(terms[term] for term in chosen)

    @staticmethod
    def _tables(terms: Iterable[Term], instances: Sequence[tuple[int, ...]]) -> list[int]:
        """For each term the instances in which it holds, as bits."""
        every = (1 << len(instances)) - 1
        columns = [pack(column) for column in zip(*instances, strict=True)]
        tables = []
        for term in terms:
            table = every
            for literal in term:
                column = columns[int(literal.name) - 1]
                table &= column if literal.positive else ~column
            tables.append(table)
        return tables

    def holds(self, concept: Concept) -> bool:
        if not self.monotone:
            return _code(concept.truth_table(self.attributes)) in _codes(self)
        names = sorted(concept.attributes, key=attribute_order)
        table = concept.truth_table(names).tolist()
        m = len(names)
        # A monotone function has one shortest formula: a term for every minimal instance that it labels 1.
        minimal = []
        for x, label in enumerate(table):
            below = [table[x ^ 1 << i] for i in range(m) if x >> i & 1]
            if label < max(below, default=0):
                return False
            if label and not any(below):
                minimal.append(x.bit_count())
        return len(minimal) in self._counts() and all(size in self._sizes() for size in minimal)

    def count(self) -> int:
        if self.monotone and not self.at_most:
            return choices(self._candidates(), self.terms)
        return _count(self)

    def __iter__(self) -> Iterator[Concept]:
        return map(disjunction_of_terms, self._members())

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        if not all(isinstance(x, tuple) and len(x) == self.n and {*x} <= {0, 1} for x in instances):
            return None
        terms = self._all_terms()
        tables = dict(zip(terms, self._tables(terms, instances), strict=True))
        lines = []
        for chosen in self._members():
            line = 0
            for term in chosen:
                line |= tables[term]
            lines.append(line)
        return transpose(lines, len(instances))

    def sample(self, seed: int) -> Concept:
        rng = generator(seed)
        if (self.at_most or not self.monotone) and self._enumerable():
            return disjunction_of_terms(next(islice(self._members(), rng.randrange(self.count()), None)))
        chosen: set[Term] = set()
        counts = self._counts()
        for _ in range(rng.randint(counts[0], counts[-1])):
            while (term := self._drawn_term(rng)) in chosen:
                pass
            chosen.add(term)
        return disjunction_of_terms(chosen)

    def _drawn_term(self, rng: Random) -> Term:
        sizes = self._sizes()
        names = sorted(rng.sample(range(1, self.n + 1), rng.randint(sizes[0], sizes[-1])))
        return tuple(Literal(str(name), self.monotone or bool(rng.getrandbits(1))) for name in names)


def _is_antichain(terms: tuple[Term, ...]) -> bool:
    return not any(frozenset(short) < frozenset(long) for short, long in combinations(terms, 2))


@lru_cache(maxsize=16)
def _count(concept_class: DNF) -> int:
    return sum(1 for _ in concept_class._members())


@lru_cache(maxsize=4)
def _codes(concept_class: DNF) -> frozenset[int]:
    """The labels of all members on the whole cube."""
    finite = concept_class.finite()
    return frozenset(finite.rows)


def _code(table: NDArray[np.uint8]) -> int:
    return pack(table.tolist())
