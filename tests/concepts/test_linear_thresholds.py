"""All linear threshold functions for small n, against brute force and the published counts."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from concepts.truth import cube
from mistakebound.concepts import Conjunction, Disjunction, LinearThreshold, LinearThresholds, RofKThreshold
from mistakebound.concepts.concept import Concept
from mistakebound.concepts.linear_thresholds import find_linear_threshold, patterns
from mistakebound.core.errors import BadParameter

COUNTS = {1: 4, 2: 14, 3: 104, 4: 1882, 5: 94572}  # OEIS A000609


class Table(Concept):
    """Any Boolean function, by its labels on the cube."""

    def __init__(self, n, labels):
        self.n, self.labels = n, labels

    @property
    def attributes(self):
        return frozenset(str(j) for j in range(1, self.n + 1))

    def value(self, read):
        return self.labels[int("".join(str(int(read(str(j)))) for j in range(1, self.n + 1)), 2)]

    def evaluate_many(self, X, names=None):
        return np.array([self(dict(zip(names, row, strict=True))) for row in X.tolist()])

    def __str__(self):
        return f"table {self.labels}"


@pytest.mark.parametrize("n", COUNTS)
def test_counts(n):
    assert LinearThresholds(n).count() == COUNTS[n]


def test_classes_under_renaming_and_negation():
    assert [len(patterns(n)) for n in COUNTS] == [3, 5, 10, 27, 119]  # OEIS A000617


def distinct_tables(n):
    X = np.array(cube(n))
    return [f.evaluate_many(X).tobytes() for f in LinearThresholds(n)]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_enumeration_has_every_function_once(n):
    found = distinct_tables(n)
    assert len(found) == len(set(found)) == COUNTS[n]


@pytest.mark.long
def test_enumeration_of_five_attributes():
    found = distinct_tables(5)
    assert len(found) == len(set(found)) == COUNTS[5]


def brute_force(n, largest):
    """The labels of all functions with small integer weights."""
    found = set()
    for weights in product(range(-largest, largest + 1), repeat=n):
        sums = [sum(w for w, value in zip(weights, x, strict=True) if value) for x in cube(n)]
        for threshold in {*sums, max(sums) + 1}:
            found.add(tuple(int(total >= threshold) for total in sums))
    return found


@pytest.mark.parametrize(("n", "largest"), [(1, 1), (2, 1), (3, 2)])
def test_the_functions_are_those_of_small_weights(n, largest):
    expected = brute_force(n, largest)
    assert len(expected) == COUNTS[n]
    assert {tuple(f(x) for x in cube(n)) for f in LinearThresholds(n)} == expected


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_boolean_function_is_rightly_in_or_out(n):
    linear = brute_force(n, 2)
    for labels in product((0, 1), repeat=2**n):
        f = Table(n, labels)
        assert (f in LinearThresholds(n)) == (labels in linear)
        weights = find_linear_threshold(f)
        if weights is not None:
            assert tuple(weights(x) for x in cube(n)) == labels


def test_a_monotone_function_that_is_none():
    labels = tuple((x[0] & x[1]) | (x[2] & x[3]) for x in cube(4))  # x1 x2 | x3 x4: both sides have one mean
    assert Table(4, labels) not in LinearThresholds(4)
    assert Table(4, tuple((x[0] & x[1]) | (x[0] & x[3]) for x in cube(4))) in LinearThresholds(4)


def test_conversion_of_what_is_no_threshold_function():
    parity = Table(2, (0, 1, 1, 0))
    with pytest.raises(BadParameter, match="must be a linear threshold function"):
        parity.to_linear_threshold()
    with pytest.raises(BadParameter, match="at most 10 attributes to look for weights: 11"):
        find_linear_threshold(Table(11, ()))


def test_membership():
    C = LinearThresholds(30)
    assert Disjunction([str(j) for j in range(1, 31)]) in C
    assert Conjunction(["1", "30"]) in C
    assert RofKThreshold(2, ["1", "2", "3"]) in C
    assert LinearThreshold({"31": 1}, 0) not in C
    assert LinearThreshold({"ham": 1}, 0) not in C


def test_order_is_fixed():
    assert [str(f) for f in LinearThresholds(1)] == ["0 >= 0", "0 >= 1", "x1 >= 1", "-x1 >= 0"]
    assert [str(f) for f in LinearThresholds(2)] == [
        "0 >= 0", "0 >= 1", "x1 >= 1", "-x1 >= 0", "x2 >= 1", "-x2 >= 0",
        "x1 + x2 >= 1", "x1 + -x2 >= 0", "-x1 + x2 >= 0", "-x1 + -x2 >= -1",
        "x1 + x2 >= 2", "x1 + -x2 >= 1", "-x1 + x2 >= 1", "-x1 + -x2 >= 0",
    ]  # fmt: skip


def test_sample():
    C = LinearThresholds(2)
    seen = Counter(C.sample(seed) for seed in range(14 * 200))
    assert set(seen) == set(C)
    assert all(130 < times < 280 for times in seen.values())
    large = LinearThresholds(50)
    assert large.sample(4) == large.sample(4) != large.sample(5)
    assert large.sample(4) in large


def test_the_limit_is_stated():
    C = LinearThresholds(6)
    for use in (C.count, lambda: next(iter(C)), lambda: C.bits):
        with pytest.raises(BadParameter, match="n must be at most 5 to count or enumerate linear-thresholds: 6"):
            use()
    with pytest.raises(BadParameter, match="n must be >= 1: 0"):
        LinearThresholds(0)
