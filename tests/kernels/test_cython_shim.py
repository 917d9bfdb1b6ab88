"""The stand-in for the `cython` module: casts and arrays as in C, everything else inert."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.kernels import _cython_shim as cython

C_TYPES = {
    "schar": ctypes.c_int8,
    "uchar": ctypes.c_uint8,
    "short": ctypes.c_int16,
    "ushort": ctypes.c_uint16,
    "int": ctypes.c_int32,
    "uint": ctypes.c_uint32,
    "longlong": ctypes.c_int64,
    "ulonglong": ctypes.c_uint64,
    "Py_ssize_t": ctypes.c_ssize_t,
}


@given(value=st.integers(-(2**70), 2**70), name=st.sampled_from(sorted(C_TYPES)))
def test_integers_wrap_to_their_width(value: int, name: str) -> None:
    assert cython.cast(getattr(cython, name), value) == C_TYPES[name](value).value


@pytest.mark.parametrize(("value", "expected"), [(2.9, 2), (-2.9, -2), (True, 1)])
def test_floats_lose_their_fraction(value: float, expected: int) -> None:
    assert cython.cast(cython.longlong, value) == expected


@given(value=st.floats(allow_nan=False))
def test_floats(value: float) -> None:
    assert cython.cast(cython.float, value) == ctypes.c_float(value).value
    assert cython.cast(cython.double, value) == value


def test_double_of_an_integer_is_rounded() -> None:
    number = cython.cast(cython.double, 2**53 + 1)
    assert (type(number), number) == (float, 2.0**53)
    assert math.isinf(cython.cast(cython.float, 1e300))


def test_bint_is_a_truth_value() -> None:
    assert [cython.cast(cython.bint, v) for v in (0, 2, -1)] == [False, True, True]


def test_views_and_fused_types_pass_through() -> None:
    data = bytearray(3)
    number = cython.fused_type(cython.float, cython.double)
    for type_ in (cython.uchar[::1], cython.const[cython.uchar][::1], number, number[::1]):
        assert cython.declare(type_, data) is data
        assert cython.cast(type_, data) is data


def test_arrays_start_at_zero() -> None:
    assert cython.declare(cython.uint[3]) == [0, 0, 0]
    assert [type(v) for v in cython.declare(cython.double[2])] == [float, float]
    table = cython.declare(cython.int[2][3])
    table[0][1] = 7
    assert table == [[0, 7, 0], [0, 0, 0]]


def test_declare_converts_like_an_assignment() -> None:
    assert cython.declare(cython.uint, -1) == 4294967295
    assert cython.declare(cython.uint) is None


def test_decorators_keep_the_function() -> None:
    def f(x: Any) -> Any:
        return x

    plain = [cython.cfunc, cython.inline, cython.with_gil, cython.nogil]
    for decorate in (*plain, cython.exceptval(-1), cython.returns(cython.void)):
        assert decorate(f) is f
    with cython.nogil:
        assert not cython.compiled


def test_a_name_that_no_kernel_uses_is_missing() -> None:
    assert not hasattr(cython, "parallel")
