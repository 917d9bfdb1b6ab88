"""Disjunctions: truth tables, counts by brute force, normal forms, conversions."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from concepts.truth import cube, or_of, signed_sets
from mistakebound.concepts import (
    Conjunction,
    Disjunction,
    Disjunctions,
    LinearThreshold,
    Literal,
    MonotoneDisjunctions,
    RofKThreshold,
)
from mistakebound.core.errors import BadParameter


def made(literals):
    return Disjunction(Literal(str(j), positive) for j, positive in literals)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_truth_tables_of_all(n):
    X = np.array(cube(n))
    for literals in signed_sets(n):
        f = made(literals)
        expected = [or_of(literals, x) for x in cube(n)]
        assert [f(x) for x in cube(n)] == expected
        assert f.evaluate_many(X).tolist() == expected
        assert f.truth_table([str(j) for j in range(1, n + 1)]).tolist() == expected
        threshold = f.to_linear_threshold()
        assert [threshold(x) for x in cube(n)] == expected


def test_conversions_of_the_specification():
    assert str(made([(1, True), (2, True), (3, False)]).to_linear_threshold()) == "x1 + x2 + -x3 >= 0"
    assert str(made([(1, True), (4, True)]).to_linear_threshold()) == "x1 + x4 >= 1/2"
    assert str(Disjunction(tautology=True).to_linear_threshold()) == "0 >= 0"
    assert str(Disjunction().to_linear_threshold()) == "0 >= 1/2"


def test_normal_form():
    f = Disjunction(["10", "9", "b", "9", Literal("a", positive=False)])
    assert [str(literal) for literal in f.literals] == ["x9", "x10", "~a", "b"]
    assert f.attributes == {"9", "10", "a", "b"}
    assert f == Disjunction(["b", "9", Literal("a", False), "10"])
    assert hash(f) == hash(Disjunction(["b", "9", Literal("a", False), "10"]))
    clash = Disjunction(["1", "2", Literal("1", False)])
    assert clash == Disjunction(tautology=True)
    assert clash.tautology
    assert clash.literals == ()
    assert clash({}) == clash([1]) == 1
    assert clash.evaluate_many(np.zeros((2, 1))).tolist() == [1, 1]
    assert clash != Disjunction()
    assert Disjunction(["1"]) != Conjunction(["1"])


def test_immutable():
    f = Disjunction(["1"])
    with pytest.raises((AttributeError, TypeError)):
        f.literals = ()
    with pytest.raises((AttributeError, TypeError)):
        f.other = 1


def test_refused():
    for bad in ("12", Literal("1")):
        with pytest.raises(BadParameter, match="as a list"):
            Disjunction(bad)
    with pytest.raises(BadParameter, match="name must be text: 1"):
        Disjunction([1])


def test_separation():
    assert Disjunction(["1", "4"]).separation() == (Fraction(1), {"1": Fraction(1), "4": Fraction(1)})
    assert Disjunction().separation() == (Fraction(1), {})
    for bad in (made([(1, False)]), Disjunction(tautology=True)):
        with pytest.raises(BadParameter, match="monotone"):
            bad.separation()


def tables(concepts, n):
    return [tuple(f(x) for x in cube(n)) for f in concepts]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_signed_class_by_brute_force(n):
    expected = {tuple(or_of(literals, x) for x in cube(n)) for literals in signed_sets(n)}
    found = tables(Disjunctions(n), n)
    assert len(found) == len(set(found)) == Disjunctions(n).count() == 3**n
    assert set(found) == expected
    more = tables(Disjunctions(n, tautology=True), n)
    assert len(set(more)) == len(more) == Disjunctions(n, tautology=True).count() == 3**n + 1
    assert set(more) - expected == {(1,) * 2**n}


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_monotone_class_by_brute_force(n):
    def functions(sizes):
        sets = (s for size in sizes for s in combinations(range(1, n + 1), size))
        return {tuple(or_of([(j, True) for j in s], x) for x in cube(n)) for s in sets}

    for k in [None, *range(n + 1)]:
        for exactly in (False, True):
            if exactly and k is None:
                continue
            C = MonotoneDisjunctions(n, k, exactly)
            found = tables(C, n)
            sizes = range(k if exactly else 0, (n if k is None else k) + 1)
            assert len(found) == len(set(found)) == C.count()
            assert set(found) == functions(sizes)
            assert all(f in C for f in C)


def test_counts_and_bits():
    assert MonotoneDisjunctions(8, 2).count() == 1 + 8 + 28
    assert MonotoneDisjunctions(8, 2, exactly=True).count() == 28
    assert MonotoneDisjunctions(1000).count() == 2**1000
    assert MonotoneDisjunctions(1000).bits == 1000.0
    assert math.isclose(Disjunctions(5000).bits, 5000 * math.log2(3), rel_tol=1e-15)


def test_order_is_fixed():
    assert [str(f) for f in MonotoneDisjunctions(3, 2)] == [
        "false", "x1", "x2", "x3", "x1 | x2", "x1 | x3", "x2 | x3",
    ]  # fmt: skip
    assert [str(f) for f in Disjunctions(2, tautology=True)] == [
        "false", "x1", "~x1", "x2", "~x2", "x1 | x2", "x1 | ~x2", "~x1 | x2", "~x1 | ~x2", "any of (true)",
    ]  # fmt: skip
    lazy = iter(Disjunctions(200))
    assert str(next(lazy)) == "false"


def test_membership_is_of_functions():
    C = MonotoneDisjunctions(5, 2)
    assert Disjunction(["1", "5"]) in C
    assert Disjunction(["1", "6"]) not in C
    assert Disjunction(["1", "a"]) not in C
    assert Disjunction(["0"]) not in C
    assert Disjunction(["1", "2", "3"]) not in C
    assert made([(1, True), (2, False)]) not in C
    assert Conjunction(["3"]) in C
    assert Conjunction(["3", "4"]) not in C
    assert Conjunction(contradiction=True) in C
    assert LinearThreshold({"1": 2, "2": 3}, 2) in C
    assert LinearThreshold({"1": 2, "2": 3}, 3) in C  # x2
    assert LinearThreshold({"1": 2, "2": 3}, 4) not in C
    assert RofKThreshold(1, ["1", "2"]) in C
    assert RofKThreshold(1, ["1", "2", "3"]) not in C
    assert Disjunction(["1"]) not in MonotoneDisjunctions(5, 2, exactly=True)
    assert Disjunction(tautology=True) not in C
    assert "x1" not in C
    assert Conjunction() not in Disjunctions(3)
    assert Conjunction() in Disjunctions(3, tautology=True)
    assert LinearThreshold({"1": -1, "2": 1}, 0) in Disjunctions(2)
    assert Conjunction([Literal("1", False)]) in Disjunctions(2)
    assert Conjunction([Literal("1", False), "2"]) not in Disjunctions(2)


def test_sample_is_uniform_and_seeded():
    for C in (MonotoneDisjunctions(3), MonotoneDisjunctions(4, 2), Disjunctions(2, tautology=True)):
        seen = Counter(C.sample(seed) for seed in range(200 * C.count()))
        assert set(seen) == set(C)
        assert all(130 < times < 280 for times in seen.values())  # 200 expected, more than 4 sigma away
        assert C.sample(7) == C.sample(7)
    assert len(MonotoneDisjunctions(10**6, 10, exactly=True).sample(1).literals) == 10
    assert Disjunctions(3).sample(5) in Disjunctions(3)
    with pytest.raises(BadParameter, match="seed must be an integer: None"):
        Disjunctions(3).sample(None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 9), "k must be between 0 and n = 5: 9"),
        ((5, -1), "k must be between 0 and n = 5: -1"),
        ((0,), "n must be >= 1: 0"),
        ((2.5,), "n must be an integer: 2.5"),
        ((True,), "n must be an integer: True"),
        ((5, None, True), "exactly needs k: None"),
        ((5, 2, 1), "exactly must be true or false: 1"),
    ],
)
def test_bad_parameters(arguments, message):
    with pytest.raises(BadParameter) as caught:
        MonotoneDisjunctions(*arguments)
    assert str(caught.value) == message


def test_attributes_and_instances():
    C = Disjunctions(2)
    assert C.attributes == ("1", "2")
    assert list(C.domain()) == [(0, 0), (0, 1), (1, 0), (1, 1)]
