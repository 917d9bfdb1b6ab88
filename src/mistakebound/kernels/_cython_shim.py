"""What the kernels need of the `cython` module when they run uncompiled and Cython is not installed.

Annotations and decorators carry meaning for the compiler only; here they are inert.  `cast` and `declare` do
what C does, so that both worlds agree.  Arithmetic stays Python's: a kernel that wants wrap-around masks it.
Keep to the names that kernels use: a missing one should fail loudly.
"""

from __future__ import annotations

import builtins
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

compiled = False


class _Inert:
    """A type that nothing is converted to: memoryviews, fused types, void."""

    __slots__ = ()

    def __getitem__(self, item: object) -> _Inert:
        return self


class _Scalar:
    """A C number: `T[::1]` is a memoryview of it, `T[16]` a C array."""

    __slots__ = ("convert",)

    def __init__(self, convert: Callable[[Any], Any]) -> None:
        self.convert = convert

    def __getitem__(self, item: object) -> _Array | _Inert:
        return _Array(self, item) if isinstance(item, builtins.int) else _VIEW


class _Array:
    """A C array: `T[4][16]` is four arrays of sixteen, as in C."""

    __slots__ = ("item", "size")

    def __init__(self, item: _Scalar | _Array, size: builtins.int) -> None:
        self.item = item
        self.size = size

    def __getitem__(self, size: builtins.int) -> _Array:
        inner = self.item[size]
        assert isinstance(inner, _Array)
        return _Array(inner, self.size)

    def zeros(self) -> list[Any]:
        if isinstance(self.item, _Array):
            return [self.item.zeros() for _ in range(self.size)]
        return [self.item.convert(0)] * self.size


class _Const:
    __slots__ = ()

    def __getitem__(self, type_: object) -> object:
        return type_


class _NoGil:
    """Both `@cython.nogil` and `with cython.nogil`."""

    __slots__ = ()

    def __call__(self, f: Any) -> Any:
        return f

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        pass


def _integer(bits: builtins.int, signed: bool) -> _Scalar:
    mask = (1 << bits) - 1
    top = 1 << (bits - 1) if signed else 0

    def convert(value: Any) -> builtins.int:
        return ((builtins.int(value) + top) & mask) - top

    return _Scalar(convert)


def _single(value: Any) -> builtins.float:
    cell: array[builtins.float] = array("f", (value,))
    return cell[0]


def _same(f: Any) -> Any:
    return f


def exceptval(value: object = None, check: bool = True) -> Any:
    return _same


def returns(type_: object) -> Any:
    return _same


def fused_type(*types: object) -> _Inert:
    return _VIEW


def cast(type_: object, value: Any, typecheck: bool = False) -> Any:
    """The value as C would hold it: integers wrap to their width, floats lose their fraction."""
    return type_.convert(value) if isinstance(type_, _Scalar) else value


def declare(type_: object = None, value: Any = None, **names: object) -> Any:
    """An array full of zeros; any other type gives the value back, converted when it is a number's."""
    if isinstance(type_, _Array):
        return type_.zeros()
    return value if value is None else cast(type_, value)


_VIEW = void = _Inert()
cclass = cfunc = ccall = final = inline = with_gil = _same
nogil = _NoGil()
const = _Const()
schar, uchar = _integer(8, True), _integer(8, False)
short, ushort = _integer(16, True), _integer(16, False)
int, uint = _integer(32, True), _integer(32, False)
longlong, ulonglong = _integer(64, True), _integer(64, False)
ulong = ulonglong  # a thread's number, whatever its width
Py_ssize_t = longlong
bint = _Scalar(bool)
float, double = _Scalar(_single), _Scalar(builtins.float)
