"""Regions of space: every dichotomy with its region, counted by formula and by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, inf
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.concepts.regions.feasible import solve_or_refute
from mistakebound.concepts.regions.half_spaces import dot

CLASSES = ["half-spaces d=1", "half-spaces d=2", "half-spaces d=3", "rectangles d=1", "rectangles d=2", "circles",
           "convex-polygons"]  # fmt: skip


def random_points(seed: int, m: int, d: int, size: int) -> list[tuple[int, ...]]:
    draw, points = Random(seed), set()
    while len(points) < m:
        points.add(tuple(draw.randint(0, size) for _ in range(d)))
    return sorted(points)


@pytest.mark.parametrize("text", CLASSES)
def test_every_region_cuts_the_points_as_it_says(text: str, long: bool) -> None:
    C = mb.concepts.parse_class(text)
    for seed in range(4 if long else 2):
        points = random_points(seed, 6, C.n, 5 if C.n > 1 else 9)  # on a small grid: many on a line
        finite = C.finite(points)
        for c, region in enumerate(finite.concepts):
            assert finite.labels(c) == tuple(region(x) for x in points)
            assert region.evaluate_many(np.array(points)).tolist() == list(finite.labels(c))
            assert region in C
        assert len({finite.labels(c) for c in range(finite.size)}) == finite.size


@pytest.mark.parametrize("text", CLASSES)
def test_the_vc_dimension_and_no_more(text: str, long: bool) -> None:
    C = mb.concepts.parse_class(text)
    assert str(C) == text
    found = mb.theory.vc_dimension(text)
    assert found.value == C.vc
    assert found.verify()
    if C.vc == inf:
        assert mb.theory.shatters(C, C.shattered_points(7))
        return
    assert mb.theory.shatters(C, C.shattered_points(C.vc))
    for seed in range(6 if long else 3):  # one point more is never shattered, wherever the points are
        assert not mb.theory.shatters(C, random_points(seed, C.vc + 1, C.n, 20))
    with pytest.raises(mb.BadParameter, match=f"^m must be between 0 and {C.vc}, the VC dimension: {C.vc + 1}$"):
        C.shattered_points(C.vc + 1)


def in_general_position(seed: int, m: int) -> list[tuple[int, int]]:
    """No three on a line, no four on a circle: by the determinants."""
    draw, points = Random(seed), []
    while len(points) < m:
        new = draw.randint(0, 1000), draw.randint(0, 1000)
        lifted = [(1, x, y, x * x + y * y) for x, y in [*points, new]]
        good = all(np.linalg.det([[*a[:3]], [*b[:3]], [*lifted[-1][:3]]]) ** 2 > 0.25
                   for a, b in combinations(lifted[:-1], 2))  # fmt: skip
        if good and all(abs(np.linalg.det([*four, lifted[-1]])) > 1 for four in combinations(lifted[:-1], 3)):
            points.append(new)
    return points


@pytest.mark.parametrize("m", [3, 4, 5, 7])
def test_counts_in_general_position(m: int) -> None:
    """Half-planes: 2 sum of C(m-1, i), i <= 2 (Cover 1965); circles: sum of C(m, i), i <= 3 (order-k Voronoi cells)."""
    points = in_general_position(m, m)
    assert mb.concepts.HalfSpaces(2).finite(points).size == 2 * sum(comb(m - 1, i) for i in range(3))
    assert mb.concepts.Circles().finite(points).size == sum(comb(m, i) for i in range(4))


def test_rectangles_by_brute_force() -> None:
    for seed in range(5):
        points = random_points(seed, 7, 2, 4)
        ends = [sorted({p[j] for p in points}) for j in (0, 1)]
        cut = {(0,) * len(points)}
        for a, b, c, d in product(ends[0], ends[0], ends[1], ends[1]):
            cut.add(tuple(int(a <= x <= b and c <= y <= d) for x, y in points))
        assert mb.theory.dichotomies(mb.concepts.Rectangles(2), points) == cut


def test_half_spaces_and_polygons_against_the_solver(long: bool) -> None:
    """Separable by linear programming in doubles, and each outside point by itself for polygons."""
    for seed in range(2 if long else 1):
        points = random_points(seed, 5, 2, 2)
        lines, hulls = set(), set()
        for labels in product((0, 1), repeat=5):
            if mb.theory.linearly_separable(points, labels):
                lines.add(labels)
            inside = [p for p, label in zip(points, labels, strict=True) if label]
            outside = [p for p, label in zip(points, labels, strict=True) if not label]
            if all(not inside or mb.theory.linearly_separable([*inside, q], [1] * len(inside) + [0]) for q in outside):
                hulls.add(labels)
        assert mb.theory.dichotomies(mb.concepts.HalfSpaces(2), points) == lines
        assert mb.theory.dichotomies(mb.concepts.ConvexPolygons(), points) == hulls


numbers = st.integers(-4, 4).map(Fraction)


def systems(height: int) -> Any:
    lines = st.lists(numbers, min_size=height, max_size=height)
    return st.tuples(st.lists(lines, max_size=6), lines)


@given(st.integers(1, 4).flatmap(systems))
def test_either_a_solution_or_its_refutation(system: Any) -> None:
    columns, right = system
    x, y = solve_or_refute(columns, right)
    if x is not None:
        assert y is None
        assert min(x, default=0) >= 0
        assert [
            sum((s * c[i] for s, c in zip(x, columns, strict=True)), Fraction(0)) for i in range(len(right))
        ] == right
    else:
        assert all(dot(y, column) <= 0 for column in columns)
        assert dot(y, right) > 0


def test_measures_of_a_class_on_points() -> None:
    """The largest shattered subset of given points, opt, teaching: all of theory, on the points."""
    line = [(x,) for x in range(6)]
    intervals = mb.concepts.Rectangles(1).finite(line)
    assert intervals.size == 1 + comb(7, 2)
    assert mb.theory.vc_dimension(intervals).value == 2
    assert mb.opt(intervals).value == mb.opt(mb.concepts.Intervals(6)).value
    grid = list(product(range(3), (0, 1)))
    assert mb.theory.vc_dimension(mb.concepts.Circles().finite(grid)).value == 3
    assert len(mb.theory.vc_dimension(mb.concepts.ConvexPolygons().finite(grid)).shattered) == 4


def test_what_is_refused() -> None:
    C = mb.concepts.HalfSpaces(2)
    with pytest.raises(
        mb.BadParameter, match=r"^half-spaces have infinitely many concepts: finite\(points\) is the class"
    ):
        mb.opt(C)
    with pytest.raises(mb.BadParameter, match="infinitely many"):
        C.count()
    with pytest.raises(mb.BadData, match=r"^a point must have 2 finite numbers: \(1,\)$"):
        C.finite([[1]])
    with pytest.raises(mb.BadData, match="finite numbers"):
        C.region([(0, float("nan"))], [])


@pytest.mark.parametrize("text", CLASSES)
def test_samples_repeat(text: str) -> None:
    C = mb.concepts.parse_class(text)
    assert C.sample(3) == C.sample(3) != C.sample(4)
    assert C.sample(3) in C
