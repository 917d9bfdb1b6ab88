"""True errors by brute force, Clopper-Pearson by its definition, exhaustion exactly at its edge."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.concepts import parse

CUBE = list(product((0, 1), repeat=3))
H = list(mb.concepts.Conjunctions(3))


@given(st.sampled_from(H), st.sampled_from(H), st.lists(st.integers(0, 5), min_size=8, max_size=8).filter(any))
def test_true_error_is_the_weight_of_the_difference(h, target, weights) -> None:
    different = [x for x in CUBE if h(x) != target(x)]
    total = sum(weights)
    expected = Fraction(sum(weight for x, weight in zip(CUBE, weights, strict=True) if x in different), total)
    assert mb.theory.true_error(h, target, dict(zip(CUBE, weights, strict=True))) == expected
    assert mb.theory.true_error(h, target, CUBE) == Fraction(len(different), 8)


def test_training_error() -> None:
    h = mb.concepts.parse("x1")
    assert mb.theory.training_error(h, [((1, 0), 1), ((1, 1), 0), ((0, 0), 0)]) == Fraction(1, 3)
    assert mb.theory.training_error(h, []) == 0


def test_bad_distributions() -> None:
    h = H[0]
    for distribution in ({}, {CUBE[0]: 0}, {CUBE[0]: 2, CUBE[1]: -1}, {CUBE[0]: "a"}, []):
        with pytest.raises(mb.BadParameter, match="a distribution must"):
            mb.theory.true_error(h, h, distribution)


@pytest.mark.parametrize(("wrong", "of"), [(0, 1), (1, 1), (0, 20), (3, 20), (10, 20), (20, 20), (7, 1000)])
def test_clopper_and_pearson(wrong: int, of: int) -> None:
    """At the lower end so many errors or more have probability 2.5 %, at the upper end so many or fewer."""

    def tail(p: float, numbers: range) -> float:
        return sum(comb(of, j) * p**j * (1 - p) ** (of - j) for j in numbers)

    low, high = mb.theory.error_interval(wrong, of)
    assert (low == 0) == (wrong == 0)
    assert (high == 1) == (wrong == of)
    if wrong:
        assert tail(low, range(wrong, of + 1)) == pytest.approx(0.025)
    if wrong < of:
        assert tail(high, range(wrong + 1)) == pytest.approx(0.025)
    assert mb.theory.error_interval(wrong, of, 0.5)[0] >= low
    for bad in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(mb.BadParameter, match="wrong must be between 0"):
            mb.theory.error_interval(*bad)


@given(st.sampled_from(H), st.lists(st.sampled_from(CUBE), max_size=6), st.integers(1, 7))
def test_exhaustion_is_the_largest_error_of_the_version_space(target, sample, eighths: int) -> None:
    space = [h for h in H if all(h(x) == target(x) for x in sample)]
    worst = max(mb.theory.true_error(h, target, CUBE) for h in space)
    found = mb.theory.is_epsilon_exhausted(H, target, sample, CUBE, Fraction(eighths, 8))
    assert (found.consistent, found.worst) == (len(space), worst)
    assert bool(found) == (worst < Fraction(eighths, 8))  # an error of exactly epsilon is not below it
    if found:
        assert found.witness is None
    else:
        assert found.witness in space
        assert mb.theory.true_error(found.witness, target, CUBE) == worst


def test_weights_in_any_form() -> None:
    for weights in (
        {(0,): 0.1, (1,): 0.9},
        {(0,): "1/10", (1,): "9/10"},
        {(0,): Decimal("0.1"), (1,): np.float32(0.9)},
    ):
        assert mb.theory.true_error(parse("x1"), parse("false"), weights) == Fraction(9, 10)
    for bad in ("1/0", None, "x"):
        with pytest.raises(mb.BadParameter, match="is not a number"):
            mb.theory.true_error(parse("x1"), parse("false"), {(0,): bad})


def test_an_interval_of_what_is_no_count() -> None:
    assert mb.theory.error_interval(np.int64(1), 10.0, "0.95") == mb.theory.error_interval(1, 10)
    for wrong, of in ((1.5, 10), (1, "x"), (True, 10), (None, 10)):
        with pytest.raises(mb.BadParameter, match="wrong and of must be whole numbers"):
            mb.theory.error_interval(wrong, of)


def test_no_consistent_hypothesis() -> None:
    found = mb.theory.is_epsilon_exhausted("finite rows=", lambda x: 1, [], [0], "1/10")
    assert found
    assert repr(found) == "<exhausted: no hypothesis is consistent with the sample, epsilon 1/10>"
