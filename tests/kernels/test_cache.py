"""The columns of a cached block, there and back."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import cache as kernel

WHOLE = {"B": 1 << 8, "H": 1 << 16, "I": 1 << 32, "Q": 1 << 63}
numbers = st.one_of(st.integers(0, 300), st.integers(0, 70_000), st.integers(0, 2**63 - 1))


@given(st.lists(numbers, max_size=40))
def test_numbers(values: list[int]) -> None:
    given_, count = array("Q", values), len(values)
    largest = kernel.largest(given_, count)
    assert largest == max(values, default=0)
    for code, top in WHOLE.items():
        if largest < top:
            packed, out = array(code, [0] * count), array("Q", [9] * count)
            assert kernel.narrow(given_, count, packed) == 0
            assert packed.tolist() == values
            assert kernel.widen(packed, count, out) == 0
            assert out == given_
    if largest < 1 << 24:
        low, high, out = array("H", [0] * count), array("B", [0] * count), array("Q", [9] * count)
        assert kernel.narrow_24(given_, count, low, high) == kernel.widen_24(low, high, count, out) == 0
        assert out == given_


def test_numbers_beyond() -> None:
    assert kernel.largest(array("Q", [1, 1 << 63]), 2) == kernel.BAD
    assert kernel.largest(array("Q", [(1 << 63) - 1]), 1) == (1 << 63) - 1


@given(st.lists(st.integers(0, 2**40), max_size=30), st.integers(0, 2**40))
def test_steps(steps: list[int], start: int) -> None:
    values = array("q", [start])
    for step in steps:
        values.append(values[-1] + step)
    count = len(steps)
    assert kernel.largest_step(values, count) == max(steps, default=0)
    packed, out = array("Q", [0] * count), array("q", [0] * (count + 1))
    assert kernel.narrow_steps(values, count, packed) == 0
    assert packed.tolist() == steps
    assert kernel.add_steps(packed, count, start, values[-1], out) == 0
    assert out == values
    assert kernel.add_steps(packed, count, start, values[-1] + 1, out) == kernel.BAD, "it ends somewhere else"
    if values[-1] > start:
        assert kernel.add_steps(packed, count, start, values[-1] - 1, out) == kernel.BAD


def test_steps_that_cannot_be() -> None:
    assert kernel.largest_step(array("q", [1, 5, 4]), 2) == kernel.BAD
    huge = array("Q", [1 << 63, 1 << 63])  # together 2**64: must not come round to where they should end
    assert kernel.add_steps(huge, 2, 0, 0, array("q", [0] * 3)) == kernel.BAD


@pytest.mark.parametrize("code", ["B", "H", "I"])
def test_tokens(code: str) -> None:
    packed, out = array(code, [0] * 4), array("i", [7] * 4)
    tokens = array("i", [1, -1, 0, 1])
    assert kernel.narrow_tokens(tokens, 4, packed) == 0
    assert kernel.widen_tokens(packed, 4, 2, out) == 0
    assert out == tokens
    assert kernel.widen_tokens(packed, 4, 1, out) == kernel.BAD, "there is no second label"


@given(st.lists(st.one_of(st.integers(-200, 200).map(float), st.floats(allow_nan=False, allow_infinity=False))))
def test_reals(values: list[float]) -> None:
    given_, count = array("d", values), len(values)
    width = kernel.width_of_reals(given_, count)
    small = all(v.is_integer() and -128 <= v <= 127 for v in values)
    assert (width == 1) == small
    out = array("d", [7.0] * count)
    if width == 1:
        packed = array("b", [0] * max(1, count))
        assert kernel.narrow_reals(given_, count, packed, array("f")) == 0
    elif width == 4:
        packed = array("f", [0.0] * count)
        assert kernel.narrow_reals(given_, count, array("b"), packed) == 0
    else:
        packed = given_
    assert kernel.widen_reals(packed, count, out) == 0
    assert out == given_


def test_reals_that_are_not_finite() -> None:
    for value in (float("nan"), float("inf"), -float("inf")):
        assert kernel.widen_reals(array("d", [1.0, value]), 2, array("d", [0.0] * 2)) == kernel.BAD
        assert kernel.width_of_reals(array("d", [value]), 1) == 8


def test_misuse() -> None:
    two = array("Q", [1, 2])
    must_refuse(kernel.largest, {"values": two, "count": 2}, ["values"], -1)
    must_refuse(kernel.narrow, {"values": two, "count": 2, "out": array("B", [0, 0])}, ["values", "out"], -1)
    must_refuse(kernel.widen, {"packed": array("H", [1, 2]), "count": 2, "out": two}, ["packed", "out"], -1)
    parts = {"low": array("H", [1, 2]), "high": array("B", [0, 0])}
    must_refuse(kernel.narrow_24, {"values": two, "count": 2, **parts}, ["values", "low", "high"], -1)
    must_refuse(kernel.widen_24, {**parts, "count": 2, "out": two}, ["low", "high", "out"], -1)
    lines = array("q", [1, 2, 4])
    must_refuse(kernel.largest_step, {"values": lines, "count": 2}, ["values"], -1)
    must_refuse(kernel.narrow_steps, {"values": lines, "count": 2, "out": array("B", [0, 0])}, ["values", "out"], -1)
    steps = {"packed": array("B", [1, 2]), "count": 2, "start": 1, "last": 4, "out": array("q", [0] * 3)}
    must_refuse(kernel.add_steps, steps, ["packed", "out"], -1)
    tokens = array("i", [0, 1])
    must_refuse(kernel.narrow_tokens, {"tokens": tokens, "count": 2, "out": array("B", [0, 0])}, ["tokens", "out"], -1)
    packed = {"packed": array("B", [1, 2]), "count": 2, "labels": 2, "out": tokens}
    must_refuse(kernel.widen_tokens, packed, ["packed", "out"], -1)
    reals = array("d", [1.0, 2.0])
    must_refuse(kernel.width_of_reals, {"values": reals, "count": 2}, ["values"], -1)
    narrow = {"values": reals, "count": 2, "small": array("b", [0, 0]), "single": array("f")}
    must_refuse(kernel.narrow_reals, narrow, ["values", "small"], -1)
    must_refuse(kernel.widen_reals, {"packed": array("b", [1, 2]), "count": 2, "out": reals}, ["packed", "out"], -1)
    assert kernel.largest(two, -1) == kernel.narrow(two, -1, two) == kernel.add_steps(two, 1, 5, 4, lines) == -1
