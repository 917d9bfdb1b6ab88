"""Literals, and what disjunctions and conjunctions share: both are sets of literals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, ClassVar, TypeVar

from mistakebound.concepts.bits import transpose
from mistakebound.concepts.concept import Concept, ConceptClass, choices, generator, power
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name


@dataclass(frozen=True, slots=True)
class Literal:
    """An attribute or its negation.

    Parameters
    ----------
    name : str
        Name of the attribute; "3" is written x3.
    positive : bool, default True
        False: the negation.

    Examples
    --------
    >>> print(~Literal("3"))
    ~x3
    """

    name: str
    positive: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise BadParameter(f"an attribute's name must be text: {self.name!r}")

    def __invert__(self) -> Literal:
        return Literal(self.name, not self.positive)

    def __str__(self) -> str:
        return write_name(self.name) if self.positive else "~" + write_name(self.name)


def literal_order(literal: Literal) -> tuple[tuple[int, int, str], bool]:
    """The sort key of literals: canonical order of attributes, the attribute before its negation."""
    return attribute_order(literal.name), not literal.positive


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LiteralSet(Concept):
    """A disjunction or conjunction in normal form: literals sorted, each once.

    A set with a literal and its negation is the same function as every other such set (`clash`): its normal
    form has no literals. The empty set is the opposite constant.
    """

    literals: tuple[Literal, ...]
    clash: bool
    canonical: ClassVar[bool] = True
    unit: ClassVar[int]  # the label of the empty set: 0 for disjunctions, 1 for conjunctions

    def __init__(self, literals: Iterable[Literal | str] = (), *, clash: bool = False) -> None:
        if isinstance(literals, str | Literal):
            raise BadParameter(f"literals must be given as a list: {literals!r}")
        distinct = {item if isinstance(item, Literal) else Literal(item) for item in literals}
        clash = clash or any(~literal in distinct for literal in distinct)
        object.__setattr__(self, "literals", () if clash else tuple(sorted(distinct, key=literal_order)))
        object.__setattr__(self, "clash", clash)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(literal.name for literal in self.literals)

    @property
    def monotone(self) -> bool:
        """Whether no attribute is negated and the function is not a clash."""
        return not self.clash and all(literal.positive for literal in self.literals)

    @property
    def signs(self) -> dict[str, int]:
        """+1 for an attribute, -1 for a negated one."""
        return {literal.name: 1 if literal.positive else -1 for literal in self.literals}

    @property
    def negated(self) -> int:
        """How many of the literals are negated attributes."""
        return sum(not literal.positive for literal in self.literals)


AnyLiteralSet = TypeVar("AnyLiteralSet", bound=LiteralSet)


def rewritten(kind: type[AnyLiteralSet], concept: Concept) -> AnyLiteralSet | None:
    """The concept as a literal set of the given kind, or None where no such set has its function.

    A disjunction is 0, a conjunction 1 (the unit) only where no literal decides. At any such instance,
    flipping an attribute changes the label exactly when the attribute has a literal: that gives the one
    candidate.
    """
    if isinstance(concept, kind):
        return concept
    names = sorted(concept.attributes, key=attribute_order)
    table = concept.truth_table(names).tolist()
    m = len(names)
    if kind.unit not in table:
        return kind([Literal("1"), ~Literal("1")])
    at = table.index(kind.unit)
    literals = []
    for j, name in enumerate(names):
        mask = 1 << (m - 1 - j)
        if table[at ^ mask] != kind.unit:
            # Where the label is the unit, a literal of a conjunction holds and one of a disjunction does not.
            literals.append(Literal(name, bool(at & mask) == bool(kind.unit)))
    candidate = kind(literals)
    return candidate if candidate.truth_table(names).tolist() == table else None


class LiteralHolders:
    """For each literal the set of a class's members that hold it: by them all members label an instance at once.

    A literal decides where it holds in a disjunction, where it does not hold in a conjunction; bit 2n of a member
    decides everywhere.
    """

    def __init__(self, concepts: MonotoneSets | SignedSets) -> None:
        self.n, self.unit = concepts.n, concepts.make(()).unit
        members = list(concepts.literal_bits())
        self.everyone = (1 << len(members)) - 1
        width = self.n if isinstance(concepts, MonotoneSets) else 2 * self.n + 1
        self._holders = transpose(members, width) + [0] * (2 * self.n + 1 - width)

    def yes(self, x: Sequence[int]) -> int:
        """The members that label a row of zeros and ones with 1."""
        decided = self._holders[2 * self.n]
        for j, value in enumerate(x):
            decided |= self._holders[j if value != self.unit else self.n + j]
        return decided if self.unit == 0 else self.everyone & ~decided

    def columns(self, instances: Sequence[Any]) -> list[int] | None:
        """The members that label each instance with 1; None unless all are rows of n zeros and ones."""
        if not all(isinstance(x, tuple) and len(x) == self.n and {*x} <= {0, 1} for x in instances):
            return None
        return [self.yes(x) for x in instances]


@dataclass(frozen=True)
class MonotoneSets(ConceptClass):
    """Sets of attributes: any number of them, at most k, or exactly k.

    Order: by the number of attributes, then lexicographically.
    """

    n: int
    k: int | None = None
    exactly: bool = False

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        if self.k is not None:
            self.set_integer("k", 0, self.n, "n")
        self.check_flag("exactly")
        if self.exactly and self.k is None:
            raise BadParameter("exactly needs k: None")

    @abstractmethod
    def make(self, literals: Iterable[Literal | str]) -> LiteralSet: ...

    @property
    def sizes(self) -> range:
        """The numbers of attributes that a member may have."""
        if self.k is None:
            return range(self.n + 1)
        return range(self.k if self.exactly else 0, self.k + 1)

    def holds(self, concept: Concept) -> bool:
        member = rewritten(type(self.make(())), concept)
        return member is not None and member.monotone and len(member.literals) in self.sizes

    def count(self) -> int:
        if self.k is None:
            return power(2, self.n)
        choices(self.n, min(self.k, self.n // 2))  # the largest one first
        return sum(choices(self.n, size) for size in self.sizes)

    def __iter__(self) -> Iterator[LiteralSet]:
        for size in self.sizes:
            for names in combinations(self.attributes, size):
                yield self.make(names)

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        return LiteralHolders(self).columns(instances)

    def literal_bits(self) -> Iterator[int]:
        """Each member as the set of its literals, in order: attribute j is bit j, its negation bit n + j."""
        masks = [1 << j for j in range(self.n)]
        return (sum(chosen) for size in self.sizes for chosen in combinations(masks, size))

    def sample(self, seed: int) -> LiteralSet:
        rng = generator(seed)
        if self.k is None:  # every set of attributes is a member: toss a coin for each
            coins = rng.getrandbits(self.n)
            return self.make(str(j + 1) for j in range(self.n) if coins >> j & 1)
        rank = rng.randrange(self.count())
        size = self.sizes[0]
        while rank >= choices(self.n, size):
            rank -= choices(self.n, size)
            size += 1
        return self.make(str(j) for j in rng.sample(range(1, self.n + 1), size))


class SignedSets(ConceptClass):
    """Sets of attributes and negated attributes, none with both; with the clash on request.

    Order: by the number of literals, then lexicographically by attributes, then by signs, positive first; the
    clash comes last.
    """

    @abstractmethod
    def make(self, literals: Iterable[Literal | str], *, clash: bool = False) -> LiteralSet: ...

    @property
    @abstractmethod
    def with_clash(self) -> bool: ...

    def holds(self, concept: Concept) -> bool:
        member = rewritten(type(self.make(())), concept)
        return member is not None and (self.with_clash or not member.clash)

    def count(self) -> int:
        return power(3, self.n) + self.with_clash

    def __iter__(self) -> Iterator[LiteralSet]:
        for size in range(self.n + 1):
            for names in combinations(self.attributes, size):
                for signs in product((True, False), repeat=size):
                    yield self.make(map(Literal, names, signs))
        if self.with_clash:
            yield self.make((), clash=True)

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        return LiteralHolders(self).columns(instances)

    def literal_bits(self) -> Iterator[int]:
        """Each member as the set of its literals, in order; the clash is bit 2n."""
        pairs = [(1 << j, 1 << self.n + j) for j in range(self.n)]
        for size in range(self.n + 1):
            for attributes in combinations(pairs, size):
                yield from map(sum, product(*attributes))
        if self.with_clash:
            yield 1 << 2 * self.n

    def sample(self, seed: int) -> LiteralSet:
        rng = generator(seed)
        if self.with_clash and rng.randrange(self.count()) == 0:
            return self.make((), clash=True)
        draws = ((name, rng.randrange(3)) for name in self.attributes)
        return self.make(Literal(name, draw == 1) for name, draw in draws if draw)
