"""Separable or not, each with a witness that is checked in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb


def test_xor_has_no_line() -> None:
    found = mb.linearly_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert not found
    assert found.point == (Fraction(1, 2), Fraction(1, 2))
    assert found.shares == {row: Fraction(1, 2) for row in range(4)}
    assert found.verify()
    found.shares[0] = Fraction(1, 3)
    assert not found.verify()


@pytest.mark.parametrize(("n", "count"), [(2, 14), pytest.param(3, 104, marks=pytest.mark.long)])
def test_counts_of_the_threshold_functions(n: int, count: int) -> None:
    """So many functions of n attributes are linear threshold functions (row C5), the two constants among them."""
    cube = [list(map(float, bits)) for bits in product((0, 1), repeat=n)]
    separable = 2
    for labels in product((0, 1), repeat=2**n):
        if 0 < sum(labels) < 2**n:
            found = mb.linearly_separable(cube, labels)
            assert found.verify()
            separable += found.separable
    assert separable == count


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.booleans()), min_size=2, max_size=9),
)
@settings(max_examples=40)
def test_either_answer_is_proved(rows: list[tuple[int, int, bool]]) -> None:
    y = [side for _, _, side in rows]
    if len(set(y)) < 2:
        return
    found = mb.linearly_separable([[a, b] for a, b, _ in rows], y)
    assert found.verify()
    both = {(a, b) for a, b, side in rows if side} & {(a, b) for a, b, side in rows if not side}
    assert not (both and found.separable)


def test_weights_that_do_not_separate_are_found_out() -> None:
    found = mb.linearly_separable([[0.0], [1.0]], ["a", "b"])
    assert found.verify()
    assert str(found).startswith("'b' is where ")
    found.weights = [1.0, 0.0]
    assert not found.verify()


def test_points_that_touch() -> None:
    """A point of one class on the segment between two of the other: no strict line, though one touches."""
    found = mb.linearly_separable([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]], [1, 0, 1])
    assert not found.separable
    assert found.verify()


@pytest.mark.parametrize(
    ("X", "y"), [([[1], [2]], [1, 1]), ([[1], [2]], [0]), ([1, 2], [0, 1]), ([[np.nan], [1]], [0, 1]), ([["a"]], [0])]
)
def test_bad_data(X: Any, y: Any) -> None:
    with pytest.raises(mb.BadData):
        mb.linearly_separable(X, y)
