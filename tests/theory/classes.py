"""Classes for the tests of exact theory: random ones, and those of golden/theory.json."""

from __future__ import annotations

import random
from itertools import combinations, product

from concepts.truth import cube
from mistakebound.concepts import (
    DNF,
    Conjunctions,
    DecisionLists,
    Disjunctions,
    FiniteClass,
    Intervals,
    LinearThresholds,
    MonotoneConjunctions,
    MonotoneDisjunctions,
    Parities,
    RofK,
    RofKThreshold,
    Singletons,
    Thresholds,
)


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


def golden_class(record):
    """The class of a record of golden/theory.json, by its description."""
    name, n, k = record["cls"], record["n"], record["k"]
    for start, make in GOLDEN.items():
        if name.startswith(start):
            return make(n, k, name)
    raise AssertionError(f"no class is known by this description: {name}")


def _r_of_at_most_k(n, k, _):
    functions = [RofKThreshold(r, names) for size in range(1, k + 1) for r in range(1, size + 1)
                 for names in combinations(map(str, range(1, n + 1)), size)]  # fmt: skip
    return FiniteClass(functions, cube(n))


def _monotone_dnf(n, k, name):
    terms = int(name.split("l=")[1][0])
    return DNF(n, terms, k, at_most="at most" in name)


GOLDEN = {
    "C_k: ": lambda n, k, _: MonotoneDisjunctions(n, k),
    "C_k+: ": lambda n, k, _: FiniteClass([f for f in MonotoneDisjunctions(n, k) if f.literals], cube(n)),
    "C~_k: ": lambda n, k, _: MonotoneDisjunctions(n, k, exactly=True),
    "all monotone disjunctions": lambda n, k, _: MonotoneDisjunctions(n),
    "all monotone conjunctions": lambda n, k, _: MonotoneConjunctions(n),
    "conjunctions of literals, consistent": lambda n, k, _: Conjunctions(n),
    "conjunctions of literals plus": lambda n, k, _: Conjunctions(n, contradiction=True),
    "disjunctions of literals incl": lambda n, k, _: Disjunctions(n),
    "disjunctions of literals plus": lambda n, k, _: Disjunctions(n, tautology=True),
    "1-decision lists": lambda n, k, _: DecisionLists(n),
    "all linear threshold": lambda n, k, _: LinearThresholds(n),
    "r-of-k thresholds, exactly k variables, r=2": lambda n, k, _: RofK(n, 2, k),
    "r-of-k thresholds, all": _r_of_at_most_k,
    "monotone 2-DNF": _monotone_dnf,
    "singletons plus": lambda n, k, _: Singletons(n, empty=True),
    "thresholds: ": lambda n, k, _: Thresholds(n),
    "intervals over": lambda n, k, _: Intervals(n),
    "parity functions": lambda n, k, _: Parities(n),
    "all Boolean functions": lambda n, k, _: FiniteClass(product((0, 1), repeat=n)),
    "unions of at most l=2 subcubes": lambda n, k, _: DNF(n, 2, n, monotone=False, at_most=True),
}
