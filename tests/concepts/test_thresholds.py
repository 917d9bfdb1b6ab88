"""Linear thresholds in exact arithmetic, r-of-k thresholds."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

from concepts.truth import cube
from mistakebound.concepts import Conjunction, Disjunction, LinearThreshold, Literal, RofK, RofKThreshold
from mistakebound.core.errors import BadData, BadParameter

finite = st.floats(allow_nan=False, allow_infinity=False)
number = st.one_of(st.integers(-4, 4), st.fractions(-3, 3, max_denominator=6), finite)


def test_normal_form():
    f = LinearThreshold({"b": 1, "10": 0.5, "9": Fraction(4, 2), "7": 0, "8": Decimal("0.1")}, 1.0)
    assert f.terms == (("8", Fraction(1, 10)), ("9", 2), ("10", Fraction(1, 2)), ("b", 1))
    assert f.weights == dict(f.terms)
    assert f.attributes == {"8", "9", "10", "b"}
    assert type(f.weights["9"]) is int
    assert type(f.threshold) is int
    assert f == LinearThreshold({"8": Fraction(1, 10), "9": 2, "10": Fraction(1, 2), "b": 1}, 1)
    assert f != LinearThreshold(f.weights, 1, ">")
    assert LinearThreshold({"1": np.int64(2), "2": np.float32(0.5)}, 0) == LinearThreshold({"1": 2, "2": 0.5}, 0)
    assert hash(LinearThreshold({"1": 1.0}, 2)) == hash(LinearThreshold({"1": 1}, Fraction(2)))


def test_evaluation_is_exact():
    tenths = LinearThreshold({str(j): 0.1 for j in range(1, 11)}, 1)
    # ten times the double 0.1 is above 1; ten times 1/10 is 1
    ones = [1] * 10
    assert tenths(ones) == 1
    assert LinearThreshold(tenths.weights, 1, ">")(ones) == 1
    assert tenths.evaluate_many(np.ones((1, 10))).tolist() == [1]
    exact = LinearThreshold({str(j): Fraction(1, 10) for j in range(1, 11)}, 1, ">")
    assert exact(ones) == 0
    assert exact.evaluate_many(np.ones((1, 10))).tolist() == [0]
    assert LinearThreshold({"1": 10**30, "2": 1}, 10**30, ">").evaluate_many(
        np.array([[1, 0], [1, 1], [0, 1]])
    ).tolist() == [0, 1, 0]
    assert LinearThreshold({"1": 1}, 2**53, ">").evaluate_many(np.array([[2**53 + 1], [2**53]])).tolist() == [
        1,
        0,
    ]
    assert LinearThreshold({"1": Fraction(1, 10**400)}, 0, ">").evaluate_many(np.array([[1.0], [0.0]])).tolist() == [
        1,
        0,
    ]


def test_real_values_one_by_one():
    f = LinearThreshold({"1": 2, "2": -1}, Fraction(1, 2))
    assert f({"1": 0.25}) == 1
    assert f({"1": Fraction(1, 4), "2": 1e-300}) == 0
    assert f([0.5, 0.5]) == 1
    assert f({"1"}) == 1
    assert f(np.array([0.25, 0.0], dtype=np.float32)) == 1
    for bad in (float("inf"), "1", None):
        with pytest.raises(BadData, match="attribute '1' must be a finite number"):
            f({"1": bad})


def naive(weights, threshold, rule, row):
    total = Fraction(0)
    for weight, value in zip(weights, row, strict=True):
        total += Fraction(weight) * Fraction(value)
    return int(total > Fraction(threshold) or (rule == ">=" and total == Fraction(threshold)))


@given(
    st.lists(number, min_size=3, max_size=3),
    number,
    st.sampled_from([">", ">="]),
    st.lists(st.lists(st.one_of(st.integers(-2, 2).map(float), finite), min_size=3, max_size=3), min_size=1),
)
@example([1, 1, 1e-200], 1, ">", [[1.0, 0.0, 1e-200], [1.0, 0.0, 0.0]])
@example([1e300, 1e300, 1], 0, ">", [[1e300, -1e300, 1.0]])
@example([0.1, 0.2, 0.3], 0.6, ">=", [[1.0, 1.0, 1.0]])
@example([1e-200, 1, 1], 0, ">", [[1e-200, 0.0, 0.0], [-1e-200, 0.0, 0.0]])
def test_many_rows_equal_exact_arithmetic(weights, threshold, rule, rows):
    f = LinearThreshold({str(j): weight for j, weight in enumerate(weights, 1)}, threshold, rule)
    expected = [naive(weights, threshold, rule, row) for row in rows]
    assert f.evaluate_many(np.array(rows)).tolist() == expected
    assert f.evaluate_many(sparse.csr_matrix(np.array(rows))).tolist() == expected
    assert [f(row) for row in rows] == expected


def test_refused():
    for weights, threshold, rule, message in (
        ({"1": float("nan")}, 0, ">=", "a weight must be a finite number: nan"),
        ({"1": 1}, float("inf"), ">=", "the threshold must be a finite number: inf"),
        ({"1": "two"}, 0, ">=", "a weight must be a finite number: 'two'"),
        ({1: 2}, 0, ">=", "name must be text: 1"),
        ({"1": 1}, 0, "<", "rule must be"),
    ):
        with pytest.raises(BadParameter, match=message):
            LinearThreshold(weights, threshold, rule)


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 6) for k in range(1, n + 1)])
def test_r_of_k_by_brute_force(n, k):
    for r in range(1, k + 1):
        C = RofK(n, r, k)
        expected = [tuple(int(sum(x[j] for j in chosen) >= r) for x in cube(n)) for chosen in combinations(range(n), k)]
        assert [tuple(f(x) for x in cube(n)) for f in C] == expected
        assert [tuple(f.evaluate_many(np.array(cube(n))).tolist()) for f in C] == expected
        assert [tuple(f.to_linear_threshold()(x) for x in cube(n)) for f in C] == expected
        assert C.count() == len(set(expected)) == len(expected)
        assert all(f in C for f in C)


def test_r_of_k_separation():
    f = RofKThreshold(3, ["1", "2", "3", "4"])
    assert f.separation() == (Fraction(1, 3), {name: Fraction(1, 3) for name in "1234"})
    assert RofKThreshold(1, ["7"]).separation() == (1, {"7": 1})


def test_r_of_k_membership_is_of_functions():
    C = RofK(4, 1, 2)
    assert Disjunction(["1", "2"]) in C
    assert Disjunction(["1"]) not in C
    assert Disjunction(["1", Literal("2", False)]) not in C
    assert Conjunction(["1", "2"]) not in C
    assert Conjunction(["1", "2"]) in RofK(4, 2, 2)
    assert LinearThreshold({"1": 3, "2": 2, "3": 2}, 4) in RofK(4, 2, 3)
    assert LinearThreshold({"1": 9, "2": 9, "3": 1}, 9) in C  # x3 makes no difference
    assert LinearThreshold({"1": 3, "2": 2, "3": 2}, 5) not in RofK(4, 2, 3)
    assert RofKThreshold(1, ["1", "5"]) not in C
    assert RofKThreshold(2, ["1", "2"]) not in C


def test_r_of_k_sample_is_uniform():
    C = RofK(4, 2, 3)
    seen = Counter(C.sample(seed) for seed in range(800))
    assert set(seen) == set(C)
    assert all(130 < times < 280 for times in seen.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0, 3), "r must be between 1 and k = 3: 0"),
        ((5, 4, 3), "r must be between 1 and k = 3: 4"),
        ((5, 1, 0), "k must be between 1 and n = 5: 0"),
        ((5, 1, 6), "k must be between 1 and n = 5: 6"),
        ((0, 1, 1), "n must be >= 1: 0"),
    ],
)
def test_bad_parameters(arguments, message):
    with pytest.raises(BadParameter) as caught:
        RofK(*arguments)
    assert str(caught.value) == message


def test_bad_r_of_k():
    with pytest.raises(BadParameter, match="r must be between 1 and k = 2: 3"):
        RofKThreshold(3, ["1", "2", "1"])
    with pytest.raises(BadParameter, match="k must be >= 1: 0"):
        RofKThreshold(1, [])
    with pytest.raises(BadParameter, match="as a list"):
        RofKThreshold(1, "12")


@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix])
def test_ties_that_doubles_cannot_decide(make):
    weights = {name: Fraction(1, 3) for name in "123"}
    ties = make([[1.5, 1.0, 0.5], [1.5, 1.0, 0.5 - 2**-40], [1.5, 1.0, 0.5 + 2**-40]])
    assert LinearThreshold(weights, 1).evaluate_many(ties).tolist() == [1, 0, 1]
    assert LinearThreshold(weights, 1, ">").evaluate_many(ties).tolist() == [0, 0, 1]
    large = make([[2.0**53, 1.0, -(2.0**53)], [2.0**53, 0.0, -(2.0**53)]])
    assert LinearThreshold(dict.fromkeys("123", 1), 1).evaluate_many(large).tolist() == [1, 0]
