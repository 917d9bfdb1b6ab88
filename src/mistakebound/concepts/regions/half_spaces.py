"""Half-spaces: what linear threshold functions are over the real numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from mistakebound.concepts.concept import generator
from mistakebound.concepts.regions.feasible import solve_or_refute
from mistakebound.concepts.regions.region_class import Point, Region, RegionClass


@dataclass(frozen=True, slots=True, repr=False)
class HalfSpace(Region):
    """A half-space: 1 where the weighted sum of the coordinates is at least the threshold.

    Parameters
    ----------
    weights : tuple of Fraction
        One per coordinate.
    threshold : Fraction

    Examples
    --------
    >>> f = HalfSpace((Fraction(1), Fraction(-2)), Fraction(3))
    >>> print(f, f([5, 1]), f([4, 1]))
    x1 - 2*x2 >= 3 1 0
    """

    weights: Point
    threshold: Fraction

    @property
    def d(self) -> int:
        return len(self.weights)

    def holds_point(self, point: Point) -> bool:
        return dot(self.weights, point) >= self.threshold

    def __str__(self) -> str:
        text = ""
        for j, weight in enumerate(self.weights, 1):
            if weight:
                size = "" if abs(weight) == 1 else f"{abs(weight)}*"
                sign = ("-" if weight < 0 else "") if not text else (" - " if weight < 0 else " + ")
                text += f"{sign}{size}x{j}"
        return f"{text or '0'} >= {self.threshold}"


@dataclass(frozen=True)
class HalfSpaces(RegionClass):
    """Half-spaces of d-dimensional space: where a weighted sum of the coordinates is at least a threshold.

    Parameters
    ----------
    d : int
        Coordinates of a point; >= 1.

    Notes
    -----
    VCdim = d + 1: the origin and the d unit vectors are shattered; any d + 2 points have two parts whose convex hulls
    meet (Radon 1921), and no half-space parts these.

    Text: `half-spaces d=2`.

    Examples
    --------
    >>> C = HalfSpaces(2)
    >>> print(C, C.vc, C.region([(0, 0)], [(1, 0), (0, 1)]))
    half-spaces d=2 3 -x1 - x2 >= -1/2
    >>> C.region([(0, 0), (1, 1)], [(1, 0), (0, 1)]) is None
    True
    """

    kind: ClassVar[str] = "half-spaces"
    d: int

    def __post_init__(self) -> None:
        self.set_integer("d", 1)

    @property
    def vc(self) -> int:  # type: ignore[override]
        """d + 1."""
        return self.d + 1

    def example(self, m: int) -> tuple[tuple[int, ...], ...]:
        rows = [tuple(0 for _ in range(self.d))]
        rows += [tuple(int(i == j) for i in range(self.d)) for j in range(self.d)]
        return tuple(rows[:m])

    def find(self, inside: Sequence[Point], outside: Sequence[Point]) -> HalfSpace | None:
        if not inside or not outside:
            weights = (Fraction(1), *[Fraction(0)] * (self.d - 1))
            ends = [point[0] for point in (*inside, *outside)] or [Fraction(0)]
            return HalfSpace(weights, min(ends) if inside else max(ends) + 1)
        found = parting(inside, outside)
        return None if found is None else HalfSpace(*found)

    def sample(self, seed: int) -> HalfSpace:
        """A random half-space whose border goes through the unit cube; weights are whole numbers from -100 to 100."""
        draw = generator(seed)
        weights = [0] * self.d
        while not any(weights):
            weights = [draw.randint(-100, 100) for _ in range(self.d)]
        border = [Fraction(draw.randint(0, 1000), 1000) for _ in range(self.d)]
        whole = tuple(Fraction(weight) for weight in weights)
        return HalfSpace(whole, dot(whole, border))

    @classmethod
    def _regions(cls) -> type[HalfSpace]:
        return HalfSpace


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def parting(
    inside: Sequence[Point], outside: Sequence[Point], *rays: Point
) -> tuple[tuple[Fraction, ...], Fraction] | None:
    """(w, t) with w . p > t for the points inside and w . q < t for those outside, w . ray <= 0; None if none has.

    Either there is one, or the hulls of both sides meet (up to a sum of rays): then fractions of points are the proof,
    which `solve_or_refute` has found.
    """
    one, zero = Fraction(1), Fraction(0)
    columns = [(*point, one, zero) for point in inside]
    columns += [(*(-value for value in point), zero, one) for point in outside]
    columns += [(*(-value for value in ray), zero, zero) for ray in rays]
    width = len((inside or outside)[0])
    _, proof = solve_or_refute(columns, [*[zero] * width, one, one])
    if proof is None:
        return None
    *minus, s, t = proof
    return tuple(-value for value in minus), (s - t) / 2
