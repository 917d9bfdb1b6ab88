"""The few largest of many numbers."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import ranking as kernel


@given(st.lists(st.sampled_from([-5.0, 5.0, -2.0, 2.0, 0.0, 1.5]), max_size=30), st.integers(0, 8))
def test_largest(values: list[float], wanted: int) -> None:
    """By size, and of equal ones the first."""
    out = array("I", [0] * wanted)
    found = kernel.largest(array("d", values), len(values), wanted, out)
    assert out[:found].tolist() == sorted(range(len(values)), key=lambda k: -abs(values[k]))[:wanted]


def test_misuse() -> None:
    call = {"values": array("d", [1.0, 2.0]), "count": 2, "wanted": 2, "out": array("I", [0, 0])}
    must_refuse(kernel.largest, call, ["values", "out"], -1)
