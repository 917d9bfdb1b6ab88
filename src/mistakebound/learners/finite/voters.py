"""The concepts of a class as voters: which of them say 1 to an instance, as bits, worked out when it is shown.

No table of all instances is made: disjunctions and conjunctions vote by the sets of concepts that hold each literal,
a class that is a table votes by its columns, and of any other class those concepts are asked that are still wanted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import Any

from mistakebound.concepts.bits import ones, pack_array, places
from mistakebound.concepts.concept import ConceptClass
from mistakebound.concepts.finite import FiniteClass
from mistakebound.concepts.instance import reader
from mistakebound.concepts.literals import Literal, LiteralHolders, MonotoneSets, SignedSets
from mistakebound.concepts.thresholds import RofK
from mistakebound.core.errors import BadData, BadParameter

MOST = 1 << 24  # concepts: 2 megabytes for a set of them
_SHORT = 4096  # concepts whose bits are gone through one by one
_KEPT = 256  # columns of a class that knows a fast way to them
_TABLE = 1 << 22  # cells of a class that is rather made a table than asked concept by concept


class Voters(ABC):
    """The concepts of a class, numbered in its order; a set of them is a Python integer."""

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts = concepts
        self.size = concepts.count()
        self.everyone = (1 << self.size) - 1

    @abstractmethod
    def yes(self, x: Any, among: int) -> int:
        """Those of a set of concepts that label x with 1."""

    def some(self, chosen: int, count: int) -> list[Any]:
        """The first few concepts of a set."""
        return list(_at(self.concepts, self._first(chosen, count)))

    def _first(self, chosen: int, count: int) -> list[int]:
        if self.size < _SHORT:
            return list(islice(ones(chosen), count))
        return [int(place) for place in places(chosen, self.size)[:count]]


def check_size(concepts: ConceptClass) -> None:
    """A class that would not fit into memory is refused before anything is made of it."""
    size = concepts.count()
    if not 1 <= size <= MOST:
        raise BadParameter(f"concepts must be a class of between 1 and {MOST} concepts: {size} in {concepts}")


def voters_of(concepts: ConceptClass) -> Voters:
    """The fastest way that there is for the class."""
    if isinstance(concepts, (MonotoneSets, SignedSets)):
        return LiteralVoters(concepts)
    if isinstance(concepts, FiniteClass) or concepts.count() * concepts.domain_size() <= _TABLE:
        return TableVoters(concepts)
    if isinstance(concepts, RofK):
        return CountVoters(concepts)
    if type(concepts).label_columns is not ConceptClass.label_columns:
        return ColumnVoters(concepts)
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
        return [self.finite.concepts[c] for c in self._first(chosen, count)]


class LiteralVoters(Voters):
    """Disjunctions and conjunctions: a literal decides for all concepts that hold it, at once."""

    def __init__(self, concepts: MonotoneSets | SignedSets) -> None:
        super().__init__(concepts)
        self._class = concepts
        self._holders = LiteralHolders(concepts)

    def yes(self, x: Any, among: int) -> int:
        return self._holders.yes(x) & among

    def some(self, chosen: int, count: int) -> list[Any]:
        n, found = self._class.n, []
        for held in _at(self._class.literal_bits(), self._first(chosen, count)):
            literals = [Literal(str(j % n + 1), j < n) for j in ones(held) if j < 2 * n]
            clash = held >> 2 * n == 1
            found.append(self._class.make(literals, clash=True) if clash else self._class.make(literals))  # type: ignore[call-arg]
        return found


class CountVoters(Voters):
    """r-of-k thresholds: all sums at once."""

    def __init__(self, concepts: RofK) -> None:
        import numpy as np

        super().__init__(concepts)
        self._r = concepts.r
        members = chain.from_iterable(combinations(range(concepts.n), concepts.k))
        self._places = np.fromiter(members, np.uint16, self.size * concepts.k).reshape(self.size, concepts.k)

    def yes(self, x: Any, among: int) -> int:
        import numpy as np

        sums = np.array(x, np.uint16)[self._places].sum(axis=1)
        return pack_array(sums >= self._r) & among


class ColumnVoters(Voters):
    """A class that knows a fast way to all labels of an instance."""

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self._columns = lru_cache(maxsize=_KEPT)(self._column)

    def _column(self, x: Any) -> int:
        found = self.concepts.label_columns([x])
        if found is None:
            raise BadData(f"an instance must be one that the class can label: {x!r}")
        return found[0]

    def yes(self, x: Any, among: int) -> int:
        return self._columns(x) & among


class ConceptVoters(Voters):
    """Any class of rows: those concepts are asked that are still wanted, one by one."""

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self._made = list(concepts)

    def yes(self, x: Any, among: int) -> int:
        votes = bytearray((self.size + 7) // 8)
        made, read = self._made, reader(x)
        for c in places(among, self.size).tolist():
            if made[c].value(read):
                votes[c >> 3] |= 1 << (c & 7)
        return int.from_bytes(votes, "little")

    def some(self, chosen: int, count: int) -> list[Any]:
        return [self._made[c] for c in self._first(chosen, count)]


def _at(concepts: Iterable[Any], places: list[int]) -> Iterator[Any]:
    """What stands at some ascending places."""
    made, at = iter(concepts), 0
    for place in places:
        yield next(islice(made, place - at, None))
        at = place + 1
