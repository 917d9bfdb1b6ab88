"""What every class of regions knows: the dichotomies of any points, each with a region that cuts them so."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from mistakebound.concepts.concept import Concept, ConceptClass
from mistakebound.concepts.finite import LIMIT, FiniteClass, check_cells
from mistakebound.concepts.instance import Reader, columns, exact, real
from mistakebound.core.errors import BadData, BadParameter, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point: TypeAlias = tuple[Fraction, ...]


class Region(Concept):
    """A region of space as a concept: 1 inside and on the border; attribute "1" is the first coordinate."""

    __slots__ = ()

    @property
    @abstractmethod
    def d(self) -> int:
        """The number of coordinates."""

    @abstractmethod
    def holds_point(self, point: Point) -> bool:
        """Whether a point is in the region, in fractions."""

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(str(j) for j in range(1, self.d + 1))

    def value(self, read: Reader) -> int:
        names = [str(j) for j in range(1, self.d + 1)]
        return int(self.holds_point(tuple(Fraction(real(name, read(name))) for name in names)))

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        part, found = columns(X, self.attributes, names)
        dense = part.toarray() if hasattr(part, "toarray") else part
        rows = [dict(zip(found, row, strict=True)) for row in np.asarray(dense).tolist()]
        return np.array([self({name: row.get(name, 0) for name in self.attributes}) for row in rows], dtype=np.uint8)


class RegionClass(ConceptClass):
    """A class of regions of d-dimensional space: it has infinitely many concepts, and finitely many on any points.

    `region(inside, outside)` finds one that cuts points so; `finite(points)` has one for every dichotomy, so that
    `mb.theory` can measure the class on these points.
    """

    d: int  # the number of coordinates of a point
    vc: float  # the VC dimension on the whole space

    @property
    def n(self) -> int:  # type: ignore[override]
        """The number of attributes: one a coordinate."""
        return self.d

    @abstractmethod
    def find(self, inside: Sequence[Point], outside: Sequence[Point]) -> Region | None:
        """A region with `inside` in it and `outside` not; None if the class has no such region."""

    @abstractmethod
    def example(self, m: int) -> tuple[tuple[Fraction | int, ...], ...]:
        """m points that the class shatters, for m up to its VC dimension."""

    def shattered_points(self, m: int) -> tuple[tuple[Fraction | int, ...], ...]:
        """m points that the class shatters; m is at most the VC dimension."""
        if not 0 <= m <= self.vc:
            rule = ">= 0" if self.vc == inf else f"between 0 and {self.vc}, the VC dimension"
            raise BadParameter(f"m must be {rule}: {shown(m)}")
        return self.example(m)

    def region(self, inside: Iterable[Any], outside: Iterable[Any]) -> Region | None:
        """A region with `inside` in it and `outside` not; None if the class has no such region."""
        return self.find([self._point(x) for x in inside], [self._point(x) for x in outside])

    def _point(self, x: Any) -> Point:
        values = tuple(exact(value) for value in x) if hasattr(x, "__iter__") and not isinstance(x, str) else ()
        if len(values) != self.d or None in values:
            raise BadData(f"a point must have {self.d} finite numbers: {shown(x)}")
        return tuple(Fraction(value) for value in values if value is not None)

    def finite(self, instances: Iterable[Any] | None = None, *, limit: int = LIMIT) -> FiniteClass:
        """The class on the given points, one region for each dichotomy."""
        if instances is None:
            raise self._infinite("finite(points) is the class on some points")
        points = [tuple(x) if hasattr(x, "__iter__") else x for x in instances]
        exact_points = [self._point(x) for x in points]
        found: list[tuple[int, Region]] = [(0, self._certain([], []))]
        for j, point in enumerate(exact_points):
            more = []
            for bits, region in found:
                said = region.holds_point(point)
                more.append((bits | said << j, region))
                sides: tuple[list[Point], list[Point]] = ([], [])
                for i in range(j):
                    sides[1 - (bits >> i & 1)].append(exact_points[i])
                sides[int(said)].append(point)  # on the other side than this region has it
                other = self.find(*sides)
                if other is not None:
                    more.append((bits | (not said) << j, other))
            found = more
            check_cells(len(found), len(points), limit)
        found.sort(key=lambda pair: [pair[0] >> j & 1 for j in range(len(points))])
        columns = [sum((bits >> j & 1) << c for c, (bits, _) in enumerate(found)) for j in range(len(points))]
        regions = [region for _, region in found]
        return FiniteClass.from_columns(columns, len(found), points, lambda: regions, distinct=True)

    def _certain(self, inside: Sequence[Point], outside: Sequence[Point]) -> Region:
        region = self.find(inside, outside)
        assert region is not None
        return region

    def _infinite(self, instead: str) -> BadParameter:
        return BadParameter(f"{self.kind} have infinitely many concepts: {instead}")

    def count(self) -> int:
        raise self._infinite("there is no count of them")

    def __iter__(self) -> Iterator[Concept]:
        raise self._infinite("they cannot be listed")

    def domain(self) -> Iterator[Any]:
        raise self._infinite("their domain is all of space")

    def domain_size(self) -> int:
        raise self._infinite("their domain is all of space")

    def holds(self, concept: Concept) -> bool:
        return isinstance(concept, self._regions()) and concept.d == self.d

    @classmethod
    @abstractmethod
    def _regions(cls) -> type[Region]:
        """The type of its concepts."""


def point_text(point: Iterable[Fraction]) -> str:
    return f"({', '.join(map(str, point))})"
