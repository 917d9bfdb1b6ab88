"""Sets of points on a line: thresholds, intervals, singletons over m points, the textbook examples.

A point is an instance with one attribute, its place: the row (3,), or {"1": 3}.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.bits import SMALL, pack, pack_columns
from mistakebound.concepts.concept import Concept, ConceptClass, generator
from mistakebound.concepts.instance import Exact, Reader, columns, exact_parameter, real
from mistakebound.concepts.literals import Literal
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.names import write_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Between(Concept):
    """An interval: 1 where an attribute is between two numbers, both included.

    Parameters
    ----------
    low, high : number
        The ends.  Where nothing is between them the function is the constant 0.
    name : str, default "1"
        The attribute.

    Notes
    -----
    Text: `3 <= x1 <= 5`; the constant 0 is written `x1 in {}`.

    Examples
    --------
    >>> f = Between(3, 5)
    >>> print(f, f([3]), f({"1": 5}), f([6]), Between(4, 3))
    3 <= x1 <= 5 1 1 0 x1 in {}
    """

    low: Exact
    high: Exact
    name: str

    def __init__(self, low: object, high: object, name: str = "1") -> None:
        first, last = exact_parameter(low), exact_parameter(high)
        if first is None or last is None:
            raise BadParameter(f"both ends must be finite numbers: {low!r}, {high!r}")
        empty = first > last
        object.__setattr__(self, "low", 1 if empty else first)
        object.__setattr__(self, "high", 0 if empty else last)
        object.__setattr__(self, "name", Literal(name).name)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset([self.name])

    def value(self, read: Reader) -> int:
        return int(self.low <= real(self.name, read(self.name)) <= self.high)

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        part, found = columns(X, self.attributes, names)
        dense = part.toarray() if hasattr(part, "toarray") else part
        places = dense[:, 0].tolist() if found else [0] * dense.shape[0]
        return np.array([self.low <= real(self.name, place) <= self.high for place in places], dtype=np.uint8)

    def __str__(self) -> str:
        if self.low > self.high:
            return f"{write_name(self.name)} in {{}}"
        return f"{self.low} <= {write_name(self.name)} <= {self.high}"


class PointSets(ConceptClass):
    """Classes of intervals over the points 1 to m."""

    m: int
    n = 1

    def __post_init__(self) -> None:
        self.set_integer("m", 1)

    @abstractmethod
    def count(self) -> int: ...

    @abstractmethod
    def ends_of(self, rank: int) -> tuple[int, int]:
        """The first and last point of a member, by its number from 0; 1, 0 for the empty set."""

    def ends(self) -> Iterator[tuple[int, int]]:
        """Those of every member, in order."""
        return map(self.ends_of, range(self.count()))

    def member(self, rank: int) -> Between:
        """The member of this number, from 0."""
        return Between(*self.ends_of(rank))

    @abstractmethod
    def has(self, low: int, high: int) -> bool:
        """Whether an interval of points is a member."""

    def domain(self) -> Iterator[tuple[int]]:
        """The points 1 to m, each as a row of one number."""
        return ((point,) for point in range(1, self.m + 1))

    def domain_size(self) -> int:
        return self.m

    def holds(self, concept: Concept) -> bool:
        try:
            inside = [point for (point,) in self.domain() if concept((point,))]
        except BadData:  # a concept of zeros and ones
            return False
        if not inside:
            return self.has(1, 0)
        return inside[-1] - inside[0] + 1 == len(inside) and self.has(inside[0], inside[-1])

    def __iter__(self) -> Iterator[Between]:
        return (Between(low, high) for low, high in self.ends())

    def sample(self, seed: int) -> Between:
        return self.member(generator(seed).randrange(self.count()))

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        if not all(isinstance(x, tuple) and len(x) == 1 and isinstance(x[0], int) for x in instances):
            return None
        if self.count() * len(instances) <= SMALL:
            return [pack([low <= x[0] <= high for low, high in self.ends()]) for x in instances]
        import numpy as np

        lows, highs = (np.array(side) for side in zip(*self.ends(), strict=True))
        return [pack_columns(((lows <= x[0]) & (x[0] <= highs))[:, None])[0] for x in instances]


@dataclass(frozen=True)
class Thresholds(PointSets):
    """The initial segments of m points, from the empty one: m + 1 concepts.

    Parameters
    ----------
    m : int
        Number of points; >= 1.

    Examples
    --------
    >>> print(Thresholds(2), *Thresholds(2), sep="; ")
    thresholds m=2; x1 in {}; 1 <= x1 <= 1; 1 <= x1 <= 2
    """

    m: int
    kind: ClassVar[str] = "thresholds"

    def count(self) -> int:
        return self.m + 1

    def ends_of(self, rank: int) -> tuple[int, int]:
        return 1, rank

    def has(self, low: int, high: int) -> bool:
        return low == 1


@dataclass(frozen=True)
class Intervals(PointSets):
    """The intervals of m points, the empty one first: m(m + 1)/2 + 1 concepts.

    Parameters
    ----------
    m : int
        Number of points; >= 1.

    Examples
    --------
    >>> print(Intervals(2), *Intervals(2), sep="; ")
    intervals m=2; x1 in {}; 1 <= x1 <= 1; 1 <= x1 <= 2; 2 <= x1 <= 2
    """

    m: int
    kind: ClassVar[str] = "intervals"

    def count(self) -> int:
        return self.m * (self.m + 1) // 2 + 1

    def ends_of(self, rank: int) -> tuple[int, int]:
        if rank == 0:
            return 1, 0
        # Counted from the end there is one interval that begins at m, two that begin at m - 1, and so on.
        left = self.count() - rank  # this one among them
        begins = (isqrt(8 * left + 1) - 1) // 2  # points at which only later intervals begin
        begins += begins * (begins + 1) // 2 < left
        return self.m - begins + 1, self.m - (left - begins * (begins - 1) // 2) + 1

    def has(self, low: int, high: int) -> bool:
        return True


@dataclass(frozen=True)
class Singletons(PointSets):
    """The sets of one of m points: m concepts.

    Parameters
    ----------
    m : int
        Number of points; >= 1.
    empty : bool, default False
        With the empty set, which is then the first.

    Examples
    --------
    >>> print(Singletons(2, empty=True), *Singletons(2, empty=True), sep="; ")
    singletons m=2 empty; x1 in {}; 1 <= x1 <= 1; 2 <= x1 <= 2
    """

    m: int
    empty: bool = False
    kind: ClassVar[str] = "singletons"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_flag("empty")

    def count(self) -> int:
        return self.m + self.empty

    def ends_of(self, rank: int) -> tuple[int, int]:
        point = rank + 1 - self.empty
        return (point, point) if point else (1, 0)

    def has(self, low: int, high: int) -> bool:
        return low == high or (low > high and self.empty)
