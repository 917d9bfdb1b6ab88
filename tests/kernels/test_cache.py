"""The columns of a cached block, there and back."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import cache as kernel

WIDTHS = {1: 1 << 8, 2: 1 << 16, 3: 1 << 24, 4: 1 << 32, 8: 1 << 63}
AT = 16  # where a column starts in these tests
numbers = st.one_of(st.integers(0, 300), st.integers(0, 70_000), st.integers(0, 2**63 - 1))


def room(count: int, width: int) -> bytearray:
    size = (2 * count + 7) // 8 * 8 + count if width == 3 else width * count
    return bytearray(b"\xff" * (AT + size))


@given(st.lists(numbers, max_size=40))
def test_numbers(values: list[int]) -> None:
    given_, count = array("Q", values), len(values)
    largest = kernel.largest(given_, count)
    assert largest == max(values, default=0)
    for width, top in WIDTHS.items():
        if largest < top:
            column, out = room(count, width), array("Q", [9] * count)
            assert kernel.put_keys(given_, count, width, column, AT) == 0
            assert column[:AT] == b"\xff" * AT
            assert kernel.get_keys(column, AT, count, width, out) == 0
            assert out == given_
            if count:
                assert kernel.get_keys(column[:-1], AT, count, width, out) == kernel.BAD
                assert kernel.put_keys(given_, count, width, column[:-1], AT) == kernel.BAD


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
    column, out = room(count, 8), array("q", [0] * (count + 1))
    assert kernel.put_steps(values, count, 8, column, AT) == 0
    assert array("Q", bytes(column[AT:])).tolist() == steps
    assert kernel.get_steps(column, AT, count, 8, start, values[-1], out) == 0
    assert out == values
    assert kernel.get_steps(column, AT, count, 8, start, values[-1] + 1, out) == kernel.BAD, "it ends somewhere else"
    if values[-1] > start:
        assert kernel.get_steps(column, AT, count, 8, start, values[-1] - 1, out) == kernel.BAD


def test_steps_that_cannot_be() -> None:
    assert kernel.largest_step(array("q", [1, 5, 4]), 2) == kernel.BAD
    huge = array("Q", [1 << 63, 1 << 63]).tobytes()  # together 2**64: must not come round to where they should end
    assert kernel.get_steps(huge, 0, 2, 8, 0, 0, array("q", [0] * 3)) == kernel.BAD


@pytest.mark.parametrize("width", [1, 2, 4])
def test_tokens(width: int) -> None:
    column, out = room(4, width), array("i", [7] * 4)
    tokens = array("i", [1, -1, 0, 1])
    assert kernel.put_tokens(tokens, 4, width, column, AT) == 0
    assert kernel.get_tokens(column, AT, 4, width, 2, out) == 0
    assert out == tokens
    assert kernel.get_tokens(column, AT, 4, width, 1, out) == kernel.BAD, "there is no second label"


@given(st.lists(st.one_of(st.integers(-200, 200).map(float), st.floats(allow_nan=False, allow_infinity=False))))
def test_reals(values: list[float]) -> None:
    given_, count = array("d", values), len(values)
    width = kernel.width_of_reals(given_, count)
    small = all(v.is_integer() and -128 <= v <= 127 for v in values)
    single = all(array("f", [v])[0] == v for v in values if abs(v) < 3e38) and all(abs(v) < 3e38 for v in values)
    assert width == (1 if small else 4 if single else 8)
    column, out = room(count, width), array("d", [7.0] * count)
    assert kernel.put_reals(given_, count, width, column, AT) == 0
    assert kernel.get_reals(column, AT, count, width, out) == 0
    assert out == given_


def test_reals_that_are_not_finite() -> None:
    for value in (float("nan"), float("inf"), -float("inf")):
        for code, width in (("d", 8), ("f", 4)):
            column = array(code, [1.0, value]).tobytes()
            assert kernel.get_reals(column, 0, 2, width, array("d", [0.0] * 2)) == kernel.BAD
        assert kernel.width_of_reals(array("d", [value]), 1) == 8


def test_misuse() -> None:
    two, lines, tokens, reals = array("Q", [1, 2]), array("q", [1, 2, 4]), array("i", [0, 1]), array("d", [1.0, 2.0])
    place = {"count": 2, "width": 1, "out": array("B", [0, 0]), "at": 0}
    must_refuse(kernel.largest, {"values": two, "count": 2}, ["values"], -1)
    must_refuse(kernel.ascends, {"keys": two, "indptr": array("q", [0, 2]), "rows": 1}, ["keys", "indptr"], -1)
    must_refuse(kernel.largest_step, {"values": lines, "count": 2}, ["values"], -1)
    must_refuse(kernel.width_of_reals, {"values": reals, "count": 2}, ["values"], -1)
    for put, values in (
        (kernel.put_keys, two), (kernel.put_steps, lines), (kernel.put_tokens, tokens), (kernel.put_reals, reals)
    ):  # fmt: skip
        must_refuse(put, {"values": values, **place}, ["values", "out"], -1)
        for changes in ({"at": 1}, {"at": -1}, {"count": -1}, {"width": 5}, {"width": 0}, {"width": 4}):
            assert put(*({"values": values} | place | changes).values()) == -1, changes
    start = {"data": array("B", [1, 1]), "at": 0, "count": 2, "width": 1}
    more = {
        kernel.get_keys: {"out": array("Q", [0, 0])},
        kernel.get_steps: {"start": 1, "last": 3, "out": array("q", [0] * 3)},
        kernel.get_tokens: {"labels": 2, "out": array("i", [0, 0])},
        kernel.get_reals: {"out": array("d", [0, 0])},
    }
    for get, rest in more.items():
        assert get(*(start | rest).values()) == 0
        rest["out"] = rest["out"][:]
        must_refuse(get, start | rest, ["data", "out"], -1)
        for changes in ({"at": 1}, {"at": -1}, {"count": -1}, {"width": 5}, {"width": 0}, {"width": 4}):
            assert get(*(start | rest | changes).values()) == -1, changes
    assert kernel.get_steps(start["data"], 0, 2, 1, 5, 4, lines) == -1
