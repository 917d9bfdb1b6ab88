"""Theorems as data."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from mistakebound.core.errors import BadParameter
from mistakebound.core.facts import check_fact
from mistakebound.core.theorem import Condition, Theorem, best_bound

SQUARE = Theorem(
    "square", source="here", statement="k^2", assumes="k is {k}", needs=("k",), formula=lambda f: f["k"] ** 2,
    conditions=(Condition("k <= m", ("k", "m"), lambda f: f["k"] <= f["m"]),),
)  # fmt: skip
DOUBLE = Theorem("double", source="here", statement="2k", assumes="", needs=("k",), formula=lambda f: 2 * f["k"])


def test_the_smallest_bound_that_applies() -> None:
    assert best_bound((SQUARE, DOUBLE), {"k": 1, "m": 9}).theorem is SQUARE
    assert best_bound((SQUARE, DOUBLE), {"k": 5, "m": 9}).theorem is DOUBLE
    assert best_bound((SQUARE, DOUBLE), {"k": 1, "m": 0}).theorem is DOUBLE
    bound = SQUARE.bound({"k": 2, "m": 2})
    assert (float(bound), bound.mistakes, bound.assumption) == (4.0, 4, "k is 2")


def test_what_keeps_a_theorem_from_applying() -> None:
    assert SQUARE.failing({}) == "k must be given"
    assert SQUARE.failing({"k": 1}) == "m must be given for: k <= m"
    assert SQUARE.failing({"k": 3, "m": 2}) == "k <= m fails (k = 3, m = 2)"
    none = best_bound((SQUARE,), {"k": 3, "m": 2})
    assert none.value is none.mistakes is none.as_json() is None
    assert "square: k <= m fails" in none.failed
    with pytest.raises(ValueError, match="k <= m fails"):
        float(none)
    assert best_bound((), {}).failed == "no theorem is known for this learner"


def test_no_finite_number() -> None:
    for formula in (lambda f: 1e200**2, lambda f: float("inf")):
        theorem = Theorem("t", source="", statement="", assumes="", needs=(), formula=formula)
        assert theorem.bound({}).failed == "t: the formula gives no finite number here"


def test_facts() -> None:
    assert [check_fact("k", 3.0), check_fact("margin", 0.5), check_fact("relevant", {"b", "a"})] == [3, 0.5, ("a", "b")]
    forms = ("1/2", "0.5", Fraction(1, 2), Decimal("0.5"), np.float32(0.5))
    assert [check_fact("margin", value) for value in forms] == [0.5] * len(forms)
    assert [check_fact("k", value) for value in ("3", "3.0", "6/2", np.int64(3), Fraction(3))] == [3] * 5
    for name, value in [
        ("k", 1.5),
        ("k", -1),
        ("k", None),
        ("margin", "x"),
        ("k", "1/2"),
        ("margin", "1/0"),
        ("margin", b"1"),
        ("margin", float("inf")),
        ("relevant", 1),
    ]:
        with pytest.raises(BadParameter, match=rf"^{name} must be .+: "):
            check_fact(name, value)
