"""A line between two classes of points of the plane, or a point that lies between points of both; in fractions.

`theory.linearly_separable` answers for any dimension, and needs SciPy; of the few points of a page the plain simplex
method is as fast, and runs in a browser too.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from mistakebound.concepts.regions.feasible import solve_or_refute

Point: TypeAlias = tuple[float, float]


def part(inside: list[Point], outside: list[Point]) -> tuple[float, ...]:
    """(w1, w2, b) with w.x + b above 0 inside and below 0 outside, as far from both as can be; or the point (x, y).

    >>> part([(0, 1), (1, 1)], [(0, 0), (1, -3)])
    (0.0, 1.0, -0.5)
    >>> part([(0, 0), (1, 1)], [(0, 1), (1, 0)])
    (0.5, 0.5)
    """
    one, zero = Fraction(1), Fraction(0)
    columns = [(Fraction(x), Fraction(y), one, zero) for x, y in inside]
    columns += [(-Fraction(x), -Fraction(y), zero, one) for x, y in outside]
    shares, proof = solve_or_refute(columns, [zero, zero, one, one])
    if shares is not None:  # both averages are the same point
        own = list(zip(shares, inside, strict=False))
        return tuple(float(sum((share * Fraction(p[j]) for share, p in own), zero)) for j in (0, 1))
    near, far = min(_closest(inside, outside), _closest(outside, inside, turned=True))[1:]
    w = near[0] - far[0], near[1] - far[1]
    b = -(w[0] * (near[0] + far[0]) + w[1] * (near[1] + far[1])) / 2
    if _parts(inside, outside, w, b):
        return *w, b
    assert proof is not None  # points that nearly touch: the exact line, which rounding must not turn
    return float(-proof[0]), float(-proof[1]), float((proof[3] - proof[2]) / 2)


def _closest(corners: list[Point], others: list[Point], turned: bool = False) -> tuple[float, Point, Point]:
    """Of hulls that do not meet: the least distance, squared, of a corner from a side of the other, and its ends."""
    sides = [*combinations(others, 2), *((q, q) for q in others)]
    found = []
    for p in corners:
        for q, r in sides:
            along = r[0] - q[0], r[1] - q[1]
            length = along[0] ** 2 + along[1] ** 2
            share = ((p[0] - q[0]) * along[0] + (p[1] - q[1]) * along[1]) / length if length else 0.0
            share = min(1.0, max(0.0, share))
            foot = q[0] + share * along[0], q[1] + share * along[1]
            ends = (foot, p) if turned else (p, foot)
            found.append(((p[0] - foot[0]) ** 2 + (p[1] - foot[1]) ** 2, *ends))
    return min(found)


def _parts(inside: list[Point], outside: list[Point], w: Point, b: float) -> bool:
    """Whether the line has every point strictly on its side."""
    sums = [[w[0] * x + w[1] * y + b for x, y in points] for points in (inside, outside)]
    return min(sums[0]) > 0 > max(sums[1])
