"""Convex polygons of the plane: a class of infinite VC dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import ClassVar

from mistakebound.concepts.concept import generator
from mistakebound.concepts.regions.region_class import Point, Region, RegionClass, point_text


@dataclass(frozen=True, slots=True, repr=False)
class ConvexPolygon(Region):
    """A convex polygon with its inside; one corner is a point, two are a line, none is nothing.

    Parameters
    ----------
    corners : tuple of points
        Counter-clockwise; `convex_hull` makes them of any points.

    Examples
    --------
    >>> f = ConvexPolygon(convex_hull([(0, 0), (2, 0), (0, 2), (1, 1)]))
    >>> print(f, f([1, 1]), f([2, 1]))
    (0, 0) (2, 0) (0, 2) 1 0
    """

    corners: tuple[Point, ...]

    @property
    def d(self) -> int:
        return 2

    def holds_point(self, point: Point) -> bool:
        corners = self.corners
        if len(corners) < 3:
            ends = [(min(side), max(side)) for side in zip(*corners, strict=True)]
            within = all(low <= value <= high for (low, high), value in zip(ends, point, strict=False))
            return bool(corners) and within and (len(corners) < 2 or not turn(corners[0], corners[1], point))
        return all(turn(corners[i - 1], corner, point) >= 0 for i, corner in enumerate(corners))

    def __str__(self) -> str:
        return " ".join(map(point_text, self.corners)) or "no point"


@dataclass(frozen=True)
class ConvexPolygons(RegionClass):
    """Convex polygons of the plane with any number of corners.

    Notes
    -----
    VCdim is infinite: any number of points of a circle is shattered, because the hull of some of them has no other in
    it.  `shattered_points(m)` is the certificate, m points with rational coordinates on the unit circle.  The points
    inside are cut off by their own convex hull if by any polygon.

    Text: `convex-polygons`.

    Examples
    --------
    >>> C = ConvexPolygons()
    >>> print(C, C.vc, C.region([(0, 0), (2, 0), (0, 2)], [(2, 2)]), C.region([(0, 0), (2, 2)], [(1, 1)]))
    convex-polygons inf (0, 0) (2, 0) (0, 2) None
    """

    kind: ClassVar[str] = "convex-polygons"
    d: ClassVar[int] = 2  # type: ignore[misc]
    vc: ClassVar[float] = inf  # type: ignore[misc]

    def example(self, m: int) -> tuple[tuple[Fraction, ...], ...]:
        return tuple((Fraction(1 - t * t, 1 + t * t), Fraction(2 * t, 1 + t * t)) for t in range(m))

    def find(self, inside: Sequence[Point], outside: Sequence[Point]) -> ConvexPolygon | None:
        found = ConvexPolygon(convex_hull(inside))
        return None if any(found.holds_point(point) for point in outside) else found

    def sample(self, seed: int) -> ConvexPolygon:
        """The hull of 3 to 8 random points of the unit square."""
        draw = generator(seed)
        count = draw.randint(3, 8)
        return ConvexPolygon(
            convex_hull([tuple(Fraction(draw.randint(0, 1000), 1000) for _ in range(2)) for _ in range(count)])
        )

    @classmethod
    def _regions(cls) -> type[ConvexPolygon]:
        return ConvexPolygon


def turn(a: Sequence[Fraction], b: Sequence[Fraction], c: Sequence[Fraction]) -> Fraction:
    """Above 0 where the way from a over b to c turns left, below 0 where it turns right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def convex_hull(points: Sequence[Sequence[Fraction | int]]) -> tuple[Point, ...]:
    """The corners of the smallest convex polygon around points, counter-clockwise (Andrew 1979).

    >>> [tuple(map(int, corner)) for corner in convex_hull([(0, 0), (1, 1), (2, 2), (2, 0)])]
    [(0, 0), (2, 0), (2, 2)]
    """
    ordered = sorted({tuple(Fraction(value) for value in point) for point in points})
    if len(ordered) < 3:
        return tuple(ordered)
    halves = []
    for line in (ordered, ordered[::-1]):
        half: list[Point] = []
        for point in line:
            while len(half) > 1 and turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return tuple(halves[0] + halves[1])
