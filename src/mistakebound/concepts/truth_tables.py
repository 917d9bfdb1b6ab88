"""Any Boolean function as its table; all functions, those of few attributes, those of shallow decision trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.concept import TABLE_LIMIT, Concept, ConceptClass, generator
from mistakebound.concepts.instance import Reader, bit, columns
from mistakebound.concepts.literals import Literal
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.names import attribute_order, write_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_COUNTED = 14  # attributes of all functions whose number is still worked out: 2^(2^14)
_MOST_LISTED = 1 << 20  # functions of decision trees


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TruthTable(Concept):
    """Any function of a few 0/1 attributes, by its table of values.

    Parameters
    ----------
    attributes : iterable of str
        The attributes; at most 20.
    values : str or iterable of 0 and 1
        2^m values: that of 0...0 first, the last attribute changing fastest.

    Notes
    -----
    Attributes on which the function does not depend are left out, the others are sorted.

    Text: `table x1, x3: 0110`; a constant is `table: 1`.

    Examples
    --------
    >>> f = TruthTable(["3", "1"], "0100")
    >>> print(f, f({"1"}), f({"1", "3"}), TruthTable(["1", "2"], "0011"))
    table x1, x3: 0010 1 0 table x1: 01
    """

    names: tuple[str, ...]
    values: str
    canonical: ClassVar[bool] = True

    def __init__(self, attributes: Iterable[str], values: str | Iterable[int]) -> None:
        names = [Literal(name).name for name in attributes]
        text = values if isinstance(values, str) else "".join(str(int(value)) for value in values)
        if len(names) > TABLE_LIMIT or len(set(names)) < len(names):
            raise BadParameter(f"attributes must be at most {TABLE_LIMIT} different ones: {len(names)}")
        if len(text) != 1 << len(names) or set(text) - {"0", "1"}:
            raise BadParameter(f"values must be {1 << len(names)} zeros and ones: {shown(text)}")
        ordered = sorted(names, key=attribute_order)
        table = 0
        m = len(names)
        for place in range(1 << m):  # the same table, its attributes in order
            on = {name for j, name in enumerate(ordered) if place >> (m - 1 - j) & 1}
            old = sum(1 << (m - 1 - j) for j, name in enumerate(names) if name in on)
            table |= int(text[old]) << place
        kept = list(range(m))
        for j in reversed(range(m)):
            shorter = _without(table, len(kept), j)
            if shorter is not None:
                table, kept = shorter, kept[:j] + kept[j + 1 :]
        object.__setattr__(self, "names", tuple(ordered[j] for j in kept))
        object.__setattr__(self, "values", "".join(str(table >> place & 1) for place in range(1 << len(kept))))

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(self.names)

    def value(self, read: Reader) -> int:
        place = 0
        for name in self.names:
            place = 2 * place + bit(name, read(name))
        return int(self.values[place])

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        part, found = columns(X, self.attributes, names)
        dense = part.toarray() if hasattr(part, "toarray") else np.asarray(part)
        place = np.zeros(dense.shape[0], dtype=np.int64)
        for name in self.names:
            column = dense[:, found.index(name)] if name in found else np.zeros(dense.shape[0])
            for wrong in column[(column != 0) & (column != 1)][:1]:
                bit(name, wrong)
            place = 2 * place + column.astype(np.int64)
        return np.array([int(value) for value in self.values], dtype=np.uint8)[place]

    def __str__(self) -> str:
        return f"table{' ' * bool(self.names)}{', '.join(map(write_name, self.names))}: {self.values}"


def _without(table: int, m: int, j: int) -> int | None:
    """The table of m attributes without the j-th, or None where the function depends on it."""
    found, step = 0, m - 1 - j
    for place in range(1 << (m - 1)):
        low = place & ((1 << step) - 1)
        zero = (place >> step) << (step + 1) | low
        if (table >> zero ^ table >> (zero | 1 << step)) & 1:
            return None
        found |= (table >> zero & 1) << place
    return found


def read_table(text: str) -> TruthTable:
    """The concept of a text such as `table x1, x3: 0110`."""
    head, colon, values = text.strip().removeprefix("table").partition(":")
    if not colon:
        raise BadParameter(
            f"a table must be attributes, a colon and values, such as 'table x1, x3: 0110': {shown(text)}"
        )
    from mistakebound.concepts.formula import parse

    names = [parse(word) for word in head.split(",") if word.strip()]
    if any(len(name.attributes) != 1 for name in names):
        raise BadParameter(f"a table must name its attributes, such as 'table x1, x3: 0110': {shown(text)}")
    return TruthTable([next(iter(name.attributes)) for name in names], values.strip())


class TableClass(ConceptClass):
    """A class of functions on {0,1}^n whose concepts are truth tables."""

    def concept(self, table: int) -> TruthTable:
        """The concept of a table of 2^n bits, that of the instance 0...0 being the lowest."""
        return TruthTable(self.attributes, [table >> place & 1 for place in range(1 << self.n)])

    def table_of(self, concept: Concept) -> int:
        """The table of a concept over the class's attributes."""
        return sum(int(label) << place for place, label in enumerate(concept.truth_table(self.attributes).tolist()))


@dataclass(frozen=True)
class AllFunctions(TableClass):
    """All functions on {0,1}^n: 2^(2^n) of them.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.

    Notes
    -----
    Order: by their tables, read as numbers.  Text: `all-functions n=3`.

    Examples
    --------
    >>> C = AllFunctions(2)
    >>> print(C, C.count(), *list(C)[5:7], sep="; ")
    all-functions n=2; 16; table x2: 10; table x1, x2: 0110
    """

    n: int
    kind: ClassVar[str] = "all-functions"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)

    def holds(self, concept: Concept) -> bool:
        return True

    def count(self) -> int:
        if self.n > _MOST_COUNTED:
            raise BadParameter(f"n must be at most {_MOST_COUNTED} for all functions to be counted: {self.n}")
        return 1 << (1 << self.n)

    def __iter__(self) -> Iterator[TruthTable]:
        return map(self.concept, range(self.count()))

    def sample(self, seed: int) -> TruthTable:
        return self.concept(generator(seed).getrandbits(1 << self.n))


@dataclass(frozen=True)
class Juntas(TableClass):
    """The functions on {0,1}^n that depend on at most k attributes.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    k : int
        The most attributes of a function; between 0 and n.

    Notes
    -----
    Order: by the number of attributes, then by attributes, then by tables.  Text: `juntas n=4 k=2`.

    Examples
    --------
    >>> C = Juntas(3, 1)
    >>> print(C, C.count(), *list(C)[:3], sep="; ")
    juntas n=3 k=1; 8; table: 0; table: 1; table x1: 10
    """

    n: int
    k: int
    kind: ClassVar[str] = "juntas"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.set_integer("k", 0, self.n, "n")

    def holds(self, concept: Concept) -> bool:
        return len(TruthTable(self.attributes, concept.truth_table(self.attributes).tolist()).names) <= self.k

    def count(self) -> int:
        if self.k > _MOST_COUNTED:
            raise BadParameter(f"k must be at most {_MOST_COUNTED} for juntas to be counted: {self.k}")
        return sum(comb(self.n, size) * _depending(size) for size in range(self.k + 1))

    def __iter__(self) -> Iterator[TruthTable]:
        for size in range(self.k + 1):
            for names in combinations(self.attributes, size):
                for table in range(1 << (1 << size)):
                    found = TruthTable(names, [table >> place & 1 for place in range(1 << size)])
                    if len(found.names) == size:
                        yield found

    def sample(self, seed: int) -> TruthTable:
        draw = generator(seed)
        sizes = range(self.k + 1)
        place = draw.randrange(self.count())
        for size in sizes:
            share = comb(self.n, size) * _depending(size)
            if place < share:
                break
            place -= share
        names = sorted(draw.sample(self.attributes, size), key=attribute_order)
        while True:
            found = TruthTable(names, [draw.getrandbits(1) for _ in range(1 << size)])
            if len(found.names) == size:
                return found


def _depending(m: int) -> int:
    """How many functions of m attributes depend on all of them (inclusion and exclusion).

    >>> [_depending(m) for m in range(4)]
    [2, 2, 10, 218]
    """
    return sum((-1) ** (m - j) * comb(m, j) * (1 << (1 << j)) for j in range(m + 1))


@dataclass(frozen=True)
class DecisionTrees(TableClass):
    """The functions of decision trees over n attributes with at most `depth` tests on every path.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    depth : int
        The most tests on a path; between 0 and n.

    Notes
    -----
    Order: by their tables, read as numbers.  Text: `decision-trees n=3 depth=2`.

    Examples
    --------
    >>> C = DecisionTrees(3, 1)
    >>> print(C, C.count(), C.concept(0b11110000) in C, "x1 ^ x2" in map(str, C))
    decision-trees n=3 depth=1 8 True False
    """

    n: int
    depth: int
    kind: ClassVar[str] = "decision-trees"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.set_integer("depth", 0, self.n, "n")

    def holds(self, concept: Concept) -> bool:
        return self.table_of(concept) in _tree_tables(self.n, self.depth)

    def count(self) -> int:
        return len(_tree_tables(self.n, self.depth))

    def __iter__(self) -> Iterator[TruthTable]:
        return map(self.concept, sorted(_tree_tables(self.n, self.depth)))

    def sample(self, seed: int) -> TruthTable:
        tables = sorted(_tree_tables(self.n, self.depth))
        return self.concept(tables[generator(seed).randrange(len(tables))])


@lru_cache(maxsize=32)
def _tree_tables(n: int, depth: int) -> frozenset[int]:
    """The tables of 2^n bits: constants, or a test of one attribute and a tree with one test less on either side."""
    if n > 10:
        raise BadParameter(f"n must be at most 10 for decision trees to be listed: {n}")
    everywhere = (1 << (1 << n)) - 1
    if depth == 0:
        return frozenset([0, everywhere])
    below = _tree_tables(n, depth - 1)
    found = set(below)
    for j in range(n):
        on = sum(1 << place for place in range(1 << n) if place >> (n - 1 - j) & 1)
        sides = {table & on for table in below}, {table & ~on for table in below}
        if len(sides[0]) * len(sides[1]) > _MOST_LISTED:
            raise BadParameter(f"a class must have at most {_MOST_LISTED:,} decision trees to be listed")
        found |= {one | zero for one in sides[0] for zero in sides[1]}
    return frozenset(found)
