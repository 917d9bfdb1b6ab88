"""Conjunctions: truth tables, counts by brute force, normal forms, conversions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from concepts.truth import and_of, cube, signed_sets
from mistakebound.concepts import (
    Conjunction,
    Conjunctions,
    Disjunction,
    LinearThreshold,
    Literal,
    MonotoneConjunctions,
    RofKThreshold,
)
from mistakebound.core.errors import BadParameter


def made(literals):
    return Conjunction(Literal(str(j), positive) for j, positive in literals)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_truth_tables_of_all(n):
    X = np.array(cube(n))
    for literals in signed_sets(n):
        f = made(literals)
        expected = [and_of(literals, x) for x in cube(n)]
        assert [f(x) for x in cube(n)] == expected
        assert f.evaluate_many(X).tolist() == expected
        threshold = f.to_linear_threshold()
        assert [threshold(x) for x in cube(n)] == expected


def test_normal_form_and_contradiction():
    clash = Conjunction(["1", Literal("1", False), "2"])
    assert clash == Conjunction(contradiction=True)
    assert clash.contradiction
    assert clash([1, 1]) == 0
    assert clash.evaluate_many(np.ones((2, 2))).tolist() == [0, 0]
    assert clash.to_linear_threshold()([1, 1]) == 0
    assert clash != Conjunction()
    assert Conjunction()({}) == 1
    assert Conjunction(["2", "1", "2"]) == Conjunction(["1", "2"])


def tables(concepts, n):
    return [tuple(f(x) for x in cube(n)) for f in concepts]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_signed_class_by_brute_force(n):
    expected = {tuple(and_of(literals, x) for x in cube(n)) for literals in signed_sets(n)}
    found = tables(Conjunctions(n), n)
    assert len(found) == len(set(found)) == Conjunctions(n).count() == 3**n
    assert set(found) == expected
    more = tables(Conjunctions(n, contradiction=True), n)
    assert len(set(more)) == len(more) == Conjunctions(n, contradiction=True).count() == 3**n + 1
    assert set(more) - expected == {(0,) * 2**n}


@pytest.mark.parametrize(("k", "exactly"), [(None, False), (0, False), (2, False), (2, True), (4, True)])
def test_monotone_class_by_brute_force(k, exactly):
    n = 4
    C = MonotoneConjunctions(n, k, exactly)
    sizes = range(k if exactly else 0, (n if k is None else k) + 1)
    sets = (s for size in sizes for s in combinations(range(1, n + 1), size))
    expected = {tuple(and_of([(j, True) for j in s], x) for x in cube(n)) for s in sets}
    found = tables(C, n)
    assert len(found) == len(set(found)) == C.count()
    assert set(found) == expected
    assert C.sample(3) in C


def test_membership_is_of_functions():
    C = Conjunctions(3)
    assert Disjunction([Literal("2", False)]) in C
    assert Disjunction(["1", "2"]) not in C
    assert Disjunction(tautology=True) in C  # the empty conjunction's function
    assert Disjunction() not in C
    assert Disjunction() in Conjunctions(3, contradiction=True)
    assert LinearThreshold({"1": 1, "2": -1}, 1) in C
    assert LinearThreshold({"1": 1, "2": -1}, 0) not in C
    assert RofKThreshold(3, ["1", "2", "3"]) in MonotoneConjunctions(3)
    assert RofKThreshold(2, ["1", "2", "3"]) not in MonotoneConjunctions(3)
    assert made([(1, False)]) not in MonotoneConjunctions(3)
    assert made([(1, True), (2, True)]) not in MonotoneConjunctions(3, 1)
    assert Conjunction(contradiction=True) not in MonotoneConjunctions(3)


def test_sample_is_uniform():
    C = Conjunctions(2, contradiction=True)
    seen = Counter(C.sample(seed) for seed in range(2000))
    assert set(seen) == set(C)
    assert all(130 < times < 280 for times in seen.values())


def test_bad_parameters():
    with pytest.raises(BadParameter, match="contradiction must be true or false: 2"):
        Conjunctions(3, 2)
    with pytest.raises(BadParameter, match="n must be >= 1: -3"):
        Conjunctions(-3)
