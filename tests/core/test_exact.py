"""Numbers at their exact value, however they are given."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.core.exact import fraction_of, fraction_of_text

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    "value",
    [
        "1/2",
        " 0.5 ",
        "5e-1",
        ".5",
        "2 / 4",
        "0.25/.5",
        "1_000/2_000",
        HALF,
        Decimal("0.5"),
        0.5,
        np.float32(0.5),
        np.array(0.5),
    ],
)
def test_a_half(value: Any) -> None:
    assert fraction_of(value) == HALF
    assert type(fraction_of(value)) is Fraction


def test_floats_stand_for_what_they_print_as_or_for_themselves() -> None:
    assert fraction_of(0.1) == fraction_of(np.float64(0.1)) == fraction_of(np.float32(0.1)) == Fraction(1, 10)
    assert fraction_of(0.1, printed=False) == Fraction(0.1)
    assert fraction_of(np.float32(0.1), printed=False) == Fraction(float(np.float32(0.1)))


@pytest.mark.parametrize(
    "value",
    [
        "", "x", "1/0", "1//2", "1/2/3", "0x10", "nan", "inf", "1 2", "1__0", "_1", "٣", "1e999999999",
        "1e-99999999999999999999999", "1e99999999999999999999999", "1e-999999999",
        "9" * 5000, Decimal("1e-999999999"), Decimal("nan"), Decimal("inf"), float("nan"), float("inf"), True,
        np.True_, None, 1j, b"1", [1], np.array([1.0]), object(),
    ],
)  # fmt: skip
def test_what_is_no_number(value: Any) -> None:
    """Nor one whose powers of ten would fill the memory: that is said at once."""
    assert fraction_of(value) is None


@given(st.fractions())
def test_a_fraction_is_read_as_it_is_written(number: Fraction) -> None:
    assert fraction_of_text(str(number)) == number
