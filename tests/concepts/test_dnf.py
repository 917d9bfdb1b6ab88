"""Disjunctions of terms."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from concepts.truth import and_of, cube
from mistakebound.concepts import DNF, Conjunction, Disjunction, DNFFormula, Literal, parse
from mistakebound.core.errors import BadParameter


def by_definition(n, terms, literals, monotone, at_most):
    """The tables of the class, straight from its description."""
    sizes = range(1, literals + 1) if at_most else [literals]
    signs = [True] if monotone else [True, False]
    candidates = [
        list(zip(names, chosen, strict=True))
        for size in sizes
        for names in combinations(range(1, n + 1), size)
        for chosen in product(signs, repeat=size)
    ]
    for count in range(terms + 1) if at_most else [terms]:
        for chosen in combinations(candidates, count):
            yield tuple(max((and_of(term, x) for term in chosen), default=0) for x in cube(n))


@pytest.mark.parametrize(
    "settings",
    [
        (3, 2, 2, True, False),
        (4, 2, 2, True, True),
        (3, 3, 3, True, True),
        (3, 2, 2, False, False),
        (2, 2, 2, False, True),
    ],
)
def test_all_functions_and_no_other(settings):
    C = DNF(*settings)
    finite = C.finite()
    assert {finite.labels(c) for c in range(finite.size)} == set(by_definition(*settings))
    assert C.count() == finite.size


def test_counts():
    assert DNF(100, 3, 5).count() == comb(comb(100, 5), 3)
    assert [DNF(n, 2, 2, at_most=True).count() for n in (3, 4, 5, 6)] == [16, 44, 101, 202]
    assert DNF(6, 3, 2, at_most=True).count() == 1037
    assert DNF(2, 2, 2, monotone=False, at_most=True).count() == 16
    with pytest.raises(BadParameter, match="must have at most 2000000 sets of terms"):
        DNF(30, 5, 3, at_most=True).count()


def test_the_example_of_the_lecture():
    f = parse("(x1 & x2) | x4 | (x7 & ~x3)")
    assert str(f) == "x4 | (x1 & x2) | (~x3 & x7)"
    assert f in DNF(7, 3, 2, monotone=False, at_most=True)
    assert parse("(x1 & x2) | x4") in DNF(5, 2, 2, monotone=False, at_most=True)
    assert f not in DNF(7, 3, 2, at_most=True)
    assert parse("(x1 & x2) | x4 | (x7 & x3)") in DNF(7, 3, 2, at_most=True)


def test_normal_form():
    assert parse("x1 | (x1 & x2)") == Disjunction(["1"])
    assert parse("(x1 & x2) | (x2 & x1)") == Conjunction(["1", "2"])
    assert parse("(x1 & ~x1) | x2 | (x2 & x3 & true)") == Disjunction(["2"])
    assert parse("(x1 & x2) | (true & true)") == Conjunction()
    assert parse("(x1 & x2) | ((x3 & x4) | x5)") == DNFFormula([["5"], ["1", "2"], ["3", "4"]])
    with pytest.raises(BadParameter, match="a DNF formula must have two terms"):
        DNFFormula([["1"], ["2"]])
    two = DNFFormula([["1", "2"], [Literal("3", False)]])
    assert two.evaluate_many(np.array(cube(3))).tolist() == [two(x) for x in cube(3)]


def test_beyond_enumeration():
    C = DNF(50, 4, 3, monotone=False, at_most=True)
    assert C.sample(1) == C.sample(1)
    assert len({str(C.sample(seed)) for seed in range(20)}) > 15
    assert str(DNF(1000, 2, 3).sample(0)) == str(DNF(1000, 2, 3).sample(0))


def test_refused():
    with pytest.raises(BadParameter, match="terms must be between 1 and the number of different terms = 3: 4"):
        DNF(3, 4, 2)
    with pytest.raises(BadParameter, match="literals must be between 1 and n = 3: 4"):
        DNF(3, 1, 4)
    with pytest.raises(BadParameter, match="monotone must be true or false: 1"):
        DNF(3, 1, 2, monotone=1)
