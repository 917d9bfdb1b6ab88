"""Classes for the tests of exact theory: random ones, and those of golden/theory.json."""

from __future__ import annotations

import random
from itertools import combinations, product

from concepts.truth import cube
from mistakebound.concepts import FiniteClass


def rows_of(finite):
    return [finite.labels(c) for c in range(finite.size)]


def random_class(seed, concepts=24, instances=8):
    """Some rows, not too many, some of them drawn near each other so that columns are not balanced."""
    draw = random.Random(seed)
    width = draw.randint(1, instances)
    density = draw.choice((0.5, 0.5, 0.2, 0.8))
    return FiniteClass([[int(draw.random() < density) for _ in range(width)] for _ in range(draw.randint(1, concepts))])


def all_classes_over_three_points():
    """The 255 that are not empty."""
    functions = list(product((0, 1), repeat=3))
    for size in range(1, 9):
        for chosen in combinations(functions, size):
            yield FiniteClass(chosen)


def random_cube_class(seed, n=3):
    """A union of orbits under exchanges of attributes, sometimes also under negations and complements."""
    draw = random.Random(seed)
    points = cube(n)
    place = {x: j for j, x in enumerate(points)}
    generators = [lambda x: (x[1], x[0], *x[2:]), lambda x: (*x[1:], x[0])]
    if draw.random() < 0.5:
        generators.append(lambda x: (1 - x[0], *x[1:]))
    maps = [[place[move(x)] for x in points] for move in generators]
    complement = draw.random() < 0.3
    rows = set()
    waiting = [tuple(draw.getrandbits(1) for _ in points) for _ in range(draw.randint(1, 3))]
    while waiting:
        row = waiting.pop()
        if row not in rows:
            rows.add(row)
            waiting += [tuple(row[j] for j in images) for images in maps]
            waiting += [tuple(1 - label for label in row)] * complement
    return FiniteClass([dict(zip(points, row, strict=True)).__getitem__ for row in sorted(rows)], points)
