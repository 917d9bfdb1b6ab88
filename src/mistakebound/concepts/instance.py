"""What an instance may be, one at a time and as the rows of a matrix.

One rule for all forms: an attribute that the instance does not mention has the value 0. Only the attributes
that a concept mentions are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeAlias

from mistakebound.core.errors import BadData
from mistakebound.core.exact import POWER, fraction_of_text
from mistakebound.core.fields import plain_value
from mistakebound.core.names import attribute_order, is_id

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Instance: TypeAlias = Any  # mapping of names to values | iterable of active names | row of numbers
Exact: TypeAlias = int | Fraction
Reader: TypeAlias = Callable[[str], object]


def reader(x: Instance) -> Reader:
    """A function from attribute names to the values that the instance x gives them."""
    if isinstance(x, str | bytes | bytearray):
        raise BadData(f"an instance must be a mapping, a set of names or a row, not one text: {x!r}")
    if isinstance(x, Mapping):
        return _mapping_reader(x)
    if hasattr(x, "ndim"):
        if x.ndim != 1:
            raise BadData(f"an instance must be one row (evaluate_many takes a matrix): {x.ndim} dimensions")
        return _row_reader(x) if x.dtype.kind not in "USO" else reader(x.tolist())
    if isinstance(x, Sequence):
        return _active_reader(x) if len(x) and isinstance(x[0], str) else _row_reader(x)
    if isinstance(x, Iterable):
        return _active_reader(x)
    raise BadData(f"an instance must be a mapping, a set of names or a row: {x!r}")


def _mapping_reader(x: Mapping[Any, object]) -> Reader:
    for name in x:
        if not isinstance(name, str):
            raise BadData(f"an attribute's name must be text: {name!r}")
    return lambda name: x.get(name, 0)


def _active_reader(x: Iterable[object]) -> Reader:
    active = frozenset(x)
    for name in active:
        if not isinstance(name, str):
            raise BadData(f"an active attribute's name must be text: {name!r}")
    return lambda name: 1 if name in active else 0


def _row_reader(row: Sequence[object]) -> Reader:
    width = len(row)

    def value(name: str) -> object:
        column = int(name) - 1 if is_id(name) else -1
        return row[column] if 0 <= column < width else 0

    return value


def bit(name: str, value: object) -> int:
    """The value as 0 or 1, or an error that names the attribute."""
    if isinstance(value, str) or not (value == 0 or value == 1):
        raise BadData(f"attribute {name!r} must be 0 or 1: {value!r}")
    return int(value == 1)


def exact(value: object) -> Exact | None:
    """A number at its exact value, as an int where it is one; None for what is not a finite number."""
    if type(value) is int:
        return value
    value = plain_value(value)
    try:
        if isinstance(value, Rational):
            fraction = Fraction(int(value.numerator), int(value.denominator))
        elif isinstance(value, str) or (isinstance(value, Decimal) and abs(value.adjusted()) > POWER):
            return None
        else:
            fraction = Fraction(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return fraction.numerator if fraction.denominator == 1 else fraction


def exact_parameter(value: object) -> Exact | None:
    """A number that a person gives, at its exact value: also a text such as "1/2", as formulas and commands have it."""
    if not isinstance(value, str):
        return exact(value)
    number = fraction_of_text(value)
    # One that Python would refuse to write out again is no text form.
    return None if number is None or max(map(abs, number.as_integer_ratio())) >> 13_000 else exact(number)


def real(name: str, value: object) -> Exact:
    """The value as an exact number, or an error that names the attribute."""
    number = exact(value)
    if number is None:
        raise BadData(f"attribute {name!r} must be a finite number: {value!r}")
    return number


def columns(X: Any, attributes: Iterable[str], names: Sequence[str] | None) -> tuple[Any, list[str]]:
    """The columns of X that belong to the attributes, and which attribute each of them is.

    X is a 2-D array or a SciPy sparse matrix; what comes back is a new array or CSR matrix. Attributes
    without a column are left out: they are 0 in every row.
    """
    import numpy as np

    from mistakebound.core.csr import checked_csr

    sparse = hasattr(X, "tocsr")
    matrix: Any = checked_csr(X) if sparse else np.asarray(X)
    if matrix.ndim != 2:
        raise BadData(f"a matrix of instances must have 2 dimensions: {matrix.ndim}")
    if matrix.dtype.kind not in "biuf" or matrix.dtype.itemsize > 8:
        raise BadData(f"a matrix of instances must hold numbers of at most 64 bits: {matrix.dtype}")
    width = matrix.shape[1]
    if names is None:
        found = [(name, int(name) - 1) for name in attributes if is_id(name) and 1 <= int(name) <= width]
    else:
        column_of = {name: column for column, name in enumerate(names)}
        if len(names) != width or len(column_of) != width:
            raise BadData(f"names must be {width} different names, one per column: {len(column_of)}")
        found = [(name, column_of[name]) for name in attributes if name in column_of]
    found.sort(key=lambda pair: attribute_order(pair[0]))
    part = matrix[:, [column for _, column in found]]
    if sparse:
        part.sum_duplicates()
    return part, [name for name, _ in found]


def signed_count(X: Any, signs: Mapping[str, int], names: Sequence[str] | None) -> NDArray[np.int64]:
    """For every row of a 0/1 matrix the sum of sign * value over the attributes, as exact integers."""
    import numpy as np

    part, found = columns(X, signs, names)
    sparse = hasattr(part, "tocsr")
    entries = part.data if sparse else part
    wrong = (entries != 0) & (entries != 1)
    if wrong.any():
        if sparse:
            at = int(np.flatnonzero(wrong)[0])
            row, column = int(np.searchsorted(part.indptr, at, side="right")) - 1, int(part.indices[at])
        else:
            row, column = (int(index) for index in np.argwhere(wrong)[0])
        raise BadData(f"attribute {found[column]!r} must be 0 or 1: {part[row, column].item()!r}", row=row)
    vector = np.array([signs[name] for name in found], dtype=np.int64)
    count: NDArray[np.int64] = part.astype(np.int64) @ vector
    return count
