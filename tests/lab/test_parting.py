"""A line between points of two classes: it exists when it should, parts them, and no other is further away."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import cos, hypot, pi, sin

import pytest

from mistakebound.lab.parting import Point, part


def side(p: Point, q: Point, r: Point) -> int:
    """Whether r is on the left of p to q: 1, 0 or -1; exactly."""
    (a, b), (c, d), (e, f) = [(Fraction(x), Fraction(y)) for x, y in (p, q, r)]
    turn = (c - a) * (f - b) - (d - b) * (e - a)
    return (turn > 0) - (turn < 0)


def between(p: Point, q: Point, r: Point) -> bool:
    return side(p, q, r) == 0 and min(p, q) <= r <= max(p, q)


def meet(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Whether two segments have a point in common."""
    if any(between(p, q, one) for one in (r, s)) or any(between(r, s, one) for one in (p, q)):
        return True
    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def within(triangle: tuple[Point, ...], x: Point) -> bool:
    p, q, r = triangle
    return abs(side(p, q, x) + side(q, r, x) + side(r, p, x)) == 3


def hulls_meet(one: list[Point], other: list[Point]) -> bool:
    """Sides cross, or a point of one class lies within three of the other."""
    sides = [[*combinations(points, 2), *((p, p) for p in points)] for points in (one, other)]
    if any(meet(*a, *b) for a in sides[0] for b in sides[1]):
        return True
    return any(
        within(triangle, x)
        for points, others in ((one, other), (other, one))
        for triangle in combinations(points, 3)
        for x in others
    )


def margin(w: Point, b: float, inside: list[Point], outside: list[Point]) -> float:
    signed = [w[0] * x + w[1] * y + b for x, y in inside] + [-(w[0] * x + w[1] * y + b) for x, y in outside]
    return min(signed) / hypot(*w)


@pytest.mark.parametrize("seed", range(60))
def test_a_line_or_a_common_point(seed: int) -> None:
    draw = random.Random(seed)
    grid = draw.choice((1, 2, 4))  # halves and quarters are exact, so that ties are ties
    points = {(draw.randrange(-2 * grid, 2 * grid + 1) / grid, draw.randrange(-2 * grid, 2 * grid + 1) / grid)
              for _ in range(draw.randrange(2, 9))}  # fmt: skip
    ordered = sorted(points)
    count = draw.randrange(1, len(ordered)) if len(ordered) > 1 else 0
    inside = ordered[:count] if seed % 2 else draw.sample(ordered, count)
    outside = [p for p in ordered if p not in inside]
    if not inside or not outside:
        pytest.skip("one class alone")
    found = part(inside, outside)
    assert (len(found) == 2) == hulls_meet(inside, outside)
    if len(found) == 3:
        own = margin(found[:2], found[2], inside, outside)  # type: ignore[arg-type]
        assert own > 0
        for turn in range(720):  # no other direction has a wider strip
            w = cos(turn * pi / 360), sin(turn * pi / 360)
            low = min(w[0] * x + w[1] * y for x, y in inside)
            high = max(w[0] * x + w[1] * y for x, y in outside)
            assert (low - high) / 2 <= own + 1e-12
    else:
        x, y = found
        assert all(not (all(px < x for px, _ in side) or all(py < y for _, py in side)) for side in (inside, outside))


def test_a_point_on_the_other_class() -> None:
    assert part([(0.5, 0.5)], [(0.5, 0.5), (1, 1)]) == (0.5, 0.5)
