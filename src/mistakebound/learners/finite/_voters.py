"""The concepts of a class as voters: which of them say 1 to an instance, as bits, worked out when it is shown.

No table of all instances is made: disjunctions and conjunctions vote by the sets of concepts that hold each literal,
a class that is a table votes by its columns, and of any other class those concepts are asked that are still wanted.
"""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones, transpose
from mistakebound.concepts.finite import FiniteClass
from mistakebound.concepts.literals import MonotoneSets, SignedSets
from mistakebound.core.errors import BadData, BadParameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mistakebound.concepts.concept import ConceptClass

MOST = 1 << 24  # concepts: 2 megabytes for a set of them
_TABLE = 1 << 22  # cells of a class that is rather made a table than asked concept by concept


class Voters:
    """The concepts of a class, numbered in its order; a set of them is a Python integer."""

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts = concepts
        self.size = concepts.count()
        if not 1 <= self.size <= MOST:
            raise BadParameter(f"concepts must be a class of between 1 and {MOST} concepts: {self.size} in {concepts}")
        self.everyone = (1 << self.size) - 1

    def yes(self, x: Any, among: int) -> int:
        """Those of a set of concepts that label x with 1."""
        raise NotImplementedError

    def some(self, chosen: int, count: int) -> list[Any]:
        """The first few concepts of a set."""
        wanted = list(islice(ones(chosen), count))
        return list(_at(self.concepts, wanted))


def voters_of(concepts: ConceptClass) -> Voters:
    """The fastest way that there is for the class."""
    if isinstance(concepts, (MonotoneSets, SignedSets)):
        return LiteralVoters(concepts)
    if isinstance(concepts, FiniteClass) or concepts.count() * concepts.domain_size() <= _TABLE:
        return TableVoters(concepts)
    return ConceptVoters(concepts)


class TableVoters(Voters):
    """A class on the instances that it is given with."""

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self.finite = concepts.finite()

    def yes(self, x: Any, among: int) -> int:
        try:
            return self.finite.columns[self.finite.position(x)] & among
        except BadParameter as error:
            raise BadData(str(error)) from None

    def some(self, chosen: int, count: int) -> list[Any]:
        return [self.finite.concepts[c] for c in islice(ones(chosen), count)]


class LiteralVoters(Voters):
    """Disjunctions and conjunctions: a literal decides for all concepts that hold it, at once."""

    def __init__(self, concepts: MonotoneSets | SignedSets) -> None:
        super().__init__(concepts)
        self._unit = concepts.make(()).unit
        self._holders = transpose(list(_literals(concepts)), 2 * concepts.n + 1)

    def yes(self, x: Any, among: int) -> int:
        # A literal decides a disjunction where it holds, and a conjunction where it does not.
        n, decided = len(x), self._holders[-1]
        for j, value in enumerate(x):
            decided |= self._holders[j if value != self._unit else n + j]
        return decided & among if self._unit == 0 else among & ~decided


def _literals(concepts: MonotoneSets | SignedSets) -> Iterator[int]:
    """Each concept as the set of its literals, in the order of the class: attribute j is bit j, its negation bit n + j.

    The one with a literal and its negation is bit 2n, which always decides.
    """
    n = concepts.n
    if isinstance(concepts, MonotoneSets):
        for size in concepts.sizes:
            yield from map(sum, combinations([1 << j for j in range(n)], size))
        return
    for size in range(n + 1):
        for pairs in combinations([(1 << j, 1 << n + j) for j in range(n)], size):
            yield from map(sum, product(*pairs))
    if concepts.with_clash:
        yield 1 << 2 * n


class ConceptVoters(Voters):
    """Any class: those concepts are asked that are still wanted.  The others are forgotten."""

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self._made: dict[int, Any] = dict(enumerate(concepts))

    def yes(self, x: Any, among: int) -> int:
        votes = bytearray((self.size + 7) // 8)
        made = self._made
        for c in _places(among, self.size):
            if made[c](x):
                votes[c >> 3] |= 1 << (c & 7)
        return int.from_bytes(votes, "little")

    def some(self, chosen: int, count: int) -> list[Any]:
        return [self._made[c] for c in islice(ones(chosen), count)]


def _places(chosen: int, size: int) -> Any:
    """The places of the bits that are 1: for many of them at once faster than one by one."""
    import numpy as np

    raw = np.frombuffer(chosen.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()


def _at(concepts: ConceptClass, places: list[int]) -> Iterator[Any]:
    """The concepts at some ascending places of the class's order."""
    made, at = iter(concepts), 0
    for place in places:
        yield next(islice(made, place - at, None))
        at = place + 1
