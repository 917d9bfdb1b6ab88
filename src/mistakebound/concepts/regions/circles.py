"""Circles of the plane, with what is inside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from mistakebound.concepts.concept import generator
from mistakebound.concepts.regions.half_spaces import dot, parting
from mistakebound.concepts.regions.region_class import Point, Region, RegionClass, point_text


@dataclass(frozen=True, slots=True, repr=False)
class Circle(Region):
    """A circle and what is inside it.

    Parameters
    ----------
    centre : tuple of Fraction
    square : Fraction
        The square of the radius; where it is negative, no point is inside.

    Examples
    --------
    >>> f = Circle((Fraction(0), Fraction(1)), Fraction(4))
    >>> print(f, f([0, 3]), f([1, 3]))
    centre (0, 1), radius sqrt(4) 1 0
    """

    centre: Point
    square: Fraction

    @property
    def d(self) -> int:
        return len(self.centre)

    def holds_point(self, point: Point) -> bool:
        away = [a - b for a, b in zip(point, self.centre, strict=True)]
        return dot(away, away) <= self.square

    def __str__(self) -> str:
        return "no point" if self.square < 0 else f"centre {point_text(self.centre)}, radius sqrt({self.square})"


@dataclass(frozen=True)
class Circles(RegionClass):
    """Circles of the plane, with what is inside them.

    Notes
    -----
    VCdim = 3: any three points that are not on a line are shattered.  A circle is a half-space of the paraboloid
    (x, |x|^2), one that opens downwards; so it is found as a half-space is, and four points that circles shattered
    would have two circles whose difference parts two hulls that meet (Radon 1921).

    Text: `circles`.

    Examples
    --------
    >>> C = Circles()
    >>> print(C, C.vc, C.region([(0, 0)], [(2, 0), (0, 2)]))
    circles 3 centre (-1/2, -1/2), radius sqrt(1)
    >>> C.region([(0, 0), (2, 0)], [(1, 0)]) is None
    True
    """

    kind: ClassVar[str] = "circles"
    d: ClassVar[int] = 2  # type: ignore[misc]
    vc: ClassVar[int] = 3  # type: ignore[misc]

    def example(self, m: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 0), (1, 0), (0, 1))[:m]

    def find(self, inside: Sequence[Point], outside: Sequence[Point]) -> Circle | None:
        if not inside:
            return Circle((Fraction(0),) * 2, Fraction(-1))
        if not outside:
            far = max(dot(point, point) for point in inside)
            return Circle((Fraction(0),) * 2, far)
        up = (Fraction(0), Fraction(0), Fraction(1))
        found = parting([_lifted(p) for p in inside], [_lifted(q) for q in outside], up)
        if found is None:
            return None
        (*u, down), threshold = found
        if not down:  # a line parts them strictly: a circle that is large enough does too
            near = min(dot(u, p) for p in inside) - threshold
            down = -near / (2 * max(dot(p, p) for p in inside) + 1)
        centre = tuple(value / (-2 * down) for value in u)  # u . x + down |x|^2 >= t
        return Circle(centre, dot(centre, centre) + threshold / down)

    def sample(self, seed: int) -> Circle:
        """A random circle with its centre in the unit square and a radius of at most 1."""
        draw = generator(seed)
        centre = tuple(Fraction(draw.randint(0, 1000), 1000) for _ in range(2))
        return Circle(centre, Fraction(draw.randint(0, 1000), 1000) ** 2)

    @classmethod
    def _regions(cls) -> type[Circle]:
        return Circle


def _lifted(point: Point) -> Point:
    return (*point, dot(point, point))
