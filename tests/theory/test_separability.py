"""Separable or not, each with a witness that is checked in fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb


def test_xor_has_no_line() -> None:
    found = mb.theory.linearly_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert not found
    assert found.point == (Fraction(1, 2), Fraction(1, 2))
    assert found.shares == {row: Fraction(1, 2) for row in range(4)}
    assert found.verify()
    found.shares[0] = Fraction(1, 3)
    assert not found.verify()


@pytest.mark.parametrize(("n", "count"), [(2, 14), pytest.param(3, 104, marks=pytest.mark.long)])
def test_counts_of_the_threshold_functions(n: int, count: int) -> None:
    """So many functions of n attributes are linear threshold functions, the two constants among them."""
    cube = [list(map(float, bits)) for bits in product((0, 1), repeat=n)]
    separable = 0
    for labels in product((0, 1), repeat=2**n):
        found = mb.theory.linearly_separable(cube, labels)
        assert found.verify()
        separable += found.separable
    assert separable == count


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.booleans()), min_size=1, max_size=9),
)
@settings(max_examples=40)
def test_either_answer_is_proved(rows: list[tuple[int, int, bool]]) -> None:
    y = [side for _, _, side in rows]
    found = mb.theory.linearly_separable([[a, b] for a, b, _ in rows], y)
    assert found.verify()
    both = {(a, b) for a, b, side in rows if side} & {(a, b) for a, b, side in rows if not side}
    assert not (both and found.separable)


def test_weights_that_do_not_separate_are_found_out() -> None:
    found = mb.theory.linearly_separable([[0.0], [1.0]], ["a", "b"])
    assert found.verify()
    assert str(found).startswith("'b' is where ")
    found.weights = [1.0, 0.0]
    assert not found.verify()


def test_points_that_touch() -> None:
    """A point of one class on the segment between two of the other: no strict line, though one touches."""
    found = mb.theory.linearly_separable([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]], [1, 0, 1])
    assert not found.separable
    assert found.verify()


@pytest.mark.parametrize(
    ("label", "weight", "text"),
    [
        (1, 1, "1 is everywhere: 1 > 0"),
        (True, 1, "True is everywhere: 1 > 0"),
        ("a", 1, "'a' is everywhere: 1 > 0"),
        (7, 1, "7 is everywhere: 1 > 0"),
        (0, -1, "0 is everywhere: -1 < 0"),
        (-1, -1, "-1 is everywhere: -1 < 0"),
        (False, -1, "False is everywhere: -1 < 0"),
    ],
)
@pytest.mark.parametrize("X", [[[0, 3], [1, 3]], [[5, 5]], [[0.0, 0.0]] * 3])
def test_a_constant_is_a_threshold_function(X: Any, label: Any, weight: float, text: str) -> None:
    """One class needs no line: a constant alone has it on its side, 0, -1 and False on the negative one."""
    found = mb.theory.linearly_separable(X, [label] * len(X))
    assert found
    assert found.verify()
    assert found.weights == [weight, 0.0, 0.0]
    assert found.classes == (label,)
    assert str(found) == text
    found.weights[0] = -found.weights[0]
    assert not found.verify()


@pytest.mark.parametrize("X", [[], np.zeros((0, 2))])
def test_no_rows_are_separable(X: Any) -> None:
    found = mb.theory.linearly_separable(X, [])
    assert found
    assert found.verify()
    assert found.classes == ()
    assert str(found) == "there are no rows: 1 > 0"


def test_rows_without_columns() -> None:
    assert mb.theory.linearly_separable([[], []], [1, 1]).weights == [1.0]
    found = mb.theory.linearly_separable([[], []], [0, 1])
    assert not found
    assert found.verify()
    assert (found.point, found.shares) == ((), {0: 1, 1: 1})


def test_constant_columns() -> None:
    found = mb.theory.linearly_separable([[5, 1, 0], [5, 2, 0]], ["a", "b"])
    assert found
    assert found.verify()
    found = mb.theory.linearly_separable([[5, 5], [5, 5]], ["a", "b"])
    assert not found
    assert found.verify()


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-300, 1e300, 1.7e308])
def test_very_small_and_very_large_numbers(tiny: float) -> None:
    for rows in ([[tiny], [0.0]], [[tiny], [-tiny]]):
        found = mb.theory.linearly_separable(rows, [0, 1])
        assert found
        assert found.verify()


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1], [2]], [0], "y must have a label for each of the 2 rows of X: 1"),
        ([[1], [2]], [], "y must have a label for each of the 2 rows of X: 0"),
        ([[1], [2], [3]], [0, 1, 2], "y must have at most two classes: 0, 1, 2"),
        ([1, 2], [0, 1], "X must be rows of the same number of finite numbers"),
        ([[np.nan], [1]], [0, 1], "X must be rows of the same number of finite numbers"),
        ([["a"]], [0], "X must be rows of the same number of numbers"),
        ([[10**400], [1]], [0, 1], "X must be rows of the same number of numbers"),
    ],
)
def test_bad_data(X: Any, y: Any, message: str) -> None:
    with pytest.raises(mb.BadData, match=re.escape(message)):
        mb.theory.linearly_separable(X, y)
