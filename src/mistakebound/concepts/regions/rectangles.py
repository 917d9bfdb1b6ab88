"""Rectangles whose sides are parallel to the axes; in one dimension intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from mistakebound.concepts.concept import generator
from mistakebound.concepts.regions.region_class import Point, Region, RegionClass, point_text


@dataclass(frozen=True, slots=True, repr=False)
class Rectangle(Region):
    """A rectangle with sides parallel to the axes: 1 where each coordinate is between its two ends, both included.

    Parameters
    ----------
    low, high : tuple of Fraction
        The corners.  Where one end of `low` is above that of `high`, no point is inside.

    Examples
    --------
    >>> f = Rectangle((Fraction(0), Fraction(1)), (Fraction(2), Fraction(3)))
    >>> print(f, f([2, 1]), f([2, 4]))
    (0, 1) to (2, 3) 1 0
    """

    low: Point
    high: Point

    @property
    def d(self) -> int:
        return len(self.low)

    def holds_point(self, point: Point) -> bool:
        return all(low <= value <= high for low, value, high in zip(self.low, point, self.high, strict=True))

    def __str__(self) -> str:
        if any(low > high for low, high in zip(self.low, self.high, strict=True)):
            return "no point"
        return f"{point_text(self.low)} to {point_text(self.high)}"


@dataclass(frozen=True)
class Rectangles(RegionClass):
    """Rectangles with sides parallel to the axes, in d dimensions; with d=1 the intervals of the line.

    Parameters
    ----------
    d : int, default 2
        Coordinates of a point; >= 1.

    Notes
    -----
    VCdim = 2d: the 2d points +-e_i are shattered; of 2d + 1 points one is within the smallest rectangle around a lowest
    and a highest one of each coordinate, and cannot be left out.  The points inside are cut off by their own smallest
    rectangle if by any.

    Text: `rectangles d=2`.

    Examples
    --------
    >>> C = Rectangles(1)
    >>> print(C, C.vc, C.region([[1], [3]], [[4]]), C.region([[1], [3]], [[2]]))
    rectangles d=1 2 (1) to (3) None
    """

    kind: ClassVar[str] = "rectangles"
    d: int = 2

    def __post_init__(self) -> None:
        self.set_integer("d", 1)

    @property
    def vc(self) -> int:  # type: ignore[override]
        """2d."""
        return 2 * self.d

    def example(self, m: int) -> tuple[tuple[int, ...], ...]:
        rows = [tuple(sign * (i == j) for i in range(self.d)) for j in range(self.d) for sign in (1, -1)]
        return tuple(rows[:m])

    def find(self, inside: Sequence[Point], outside: Sequence[Point]) -> Rectangle | None:
        if not inside:
            return Rectangle((Fraction(1),) * self.d, (Fraction(0),) * self.d)
        sides = list(zip(*inside, strict=True))
        found = Rectangle(tuple(min(side) for side in sides), tuple(max(side) for side in sides))
        return None if any(found.holds_point(point) for point in outside) else found

    def sample(self, seed: int) -> Rectangle:
        """A random rectangle in the unit cube."""
        draw = generator(seed)
        ends = [sorted(Fraction(draw.randint(0, 1000), 1000) for _ in range(2)) for _ in range(self.d)]
        return Rectangle(tuple(low for low, _ in ends), tuple(high for _, high in ends))

    @classmethod
    def _regions(cls) -> type[Rectangle]:
        return Rectangle
