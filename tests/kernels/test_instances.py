"""One instance at a time: what is sure is right, and nothing else is said to be sure."""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.kernels import instances as kernel
from mistakebound.learners.linear._exponents import HALF
from mistakebound.learners.linear._powers import PowerTable, bias_of

numbers = st.one_of(st.floats(-10, 10), st.sampled_from([0.1, -0.1, 0.3, 1e16, -1e16, 1.0, 1e308]))


@pytest.mark.parametrize("value", [0, 2, 0.5, None, "1", 1j, Fraction(1), False])
def test_only_plain_ones_are_looked_up(value: Any) -> None:
    assert kernel.look_up({"a": 1, "b": value}, {"a": 1, "b": 2}, array("I", [0, 0])) == -1


def test_look_up() -> None:
    slots = array("I", [9, 9, 9])
    assert kernel.look_up({"a": True, "b": 1, "c": 1.0}, {"c": 5, "b": 2**31, "a": 0}, slots) == 3
    assert slots.tolist() == [0, 2**31, 5]
    assert kernel.look_up({"a": 1, "b": 1}, {"a": 1, "b": 2}, array("I", [0])) == -1
    assert kernel.look_up({3: 1}, {"3": 1}, slots) == -1
    assert kernel.look_up({}, {}, array("I")) == 0


@given(st.lists(numbers, min_size=1, max_size=9), numbers)
def test_a_sign_that_is_sure_is_that_of_the_exact_sum(weights: list[float], bias: float) -> None:
    said = kernel.sure_sign(array("I", range(len(weights))), array("d", weights), bias)
    exact = sum(map(Fraction, weights)) + Fraction(bias)
    assert said in (-1, int(exact > 0))
    if abs(exact) > sum(map(abs, map(Fraction, [*weights, bias]))) / 10**6 and max(map(abs, [*weights, bias])) < 1e300:
        assert said >= 0


def test_signs_at_the_edge() -> None:
    assert kernel.sure_sign(array("I", [0]), array("d", [0.0]), 0.0) == 0
    assert kernel.sure_sign(array("I", [1]), array("d", [1.0]), 0.0) == -1
    assert kernel.sure_sign(array("I", [0, 1]), array("d", [1.7e308, 1.7e308]), 0.0) == -1
    assert kernel.sure_sign(array("I", [0, 1, 2]), array("d", [0.1, 0.2, -0.3]), 0.0) == -1


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 40)), min_size=1, max_size=9), st.floats(1e-6, 1e6))
def test_a_sum_that_is_sure_is_on_the_side_of_the_exact_one(terms: list[tuple[int, int]], theta: float) -> None:
    table = PowerTable(1.5, 8, -64, 64)
    cells = array("H", [s << 8 | e + bias_of(8) for e, s in terms])
    slots = array("I", range(len(cells)))
    said = kernel.sure_sum2(slots, cells, 8, table.power, HALF, theta)
    exact = sum(Fraction(3, 2) ** e / 2**s for e, s in terms)
    assert said in (-1, int(exact > Fraction(theta)))
    if abs(exact - Fraction(theta)) > exact / 10**6:
        assert said >= 0


def test_sums_at_the_edge() -> None:
    table, bias = PowerTable(2.0, 8, -64, 64), bias_of(8)
    cells = array("B", [bias, bias, 0, 1])

    def sure(slots: list[int], theta: float) -> int:
        return kernel.sure_sum1(array("I", slots), cells, 8, table.power, HALF, theta)

    assert [sure([0], 0.5), sure([0, 1], 3.0), sure([0, 1], 2.0)] == [1, 0, -1]
    assert sure([0, 2], 0.5) == -1, "an attribute that has not appeared"
    assert sure([0, 3], 0.5) == 1, "an eliminated weight"
    assert sure([4], 0.5) == -1, "outside the weights"
    assert kernel.sure_sum1(array("I", [0]), cells, 8, table.power[:200], HALF, 0.5) == -1
    assert kernel.sure_sum1(array("I", [0]), cells, 8, table.power, HALF[:200], 0.5) == -1
    wide = PowerTable(2.0, 16, -64, 64)
    assert kernel.sure_sum2(array("I", [0]), array("H", [bias_of(16)]), 16, wide.power, HALF, 0.5) == 1
