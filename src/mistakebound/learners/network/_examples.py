"""Numbers in: rows of inputs, rows of targets; anything else is refused by its place."""

from __future__ import annotations

import numpy as np

from mistakebound.core.csr import dense_rows, is_sparse
from mistakebound.core.errors import BadData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]


def matrix_of(X: Any, what: str = "X", width: int | None = None) -> Matrix:
    """Rows of finite numbers, side by side in memory.

    >>> matrix_of([[1, 2], [3, float("nan")]])
    Traceback (most recent call last):
    mistakebound.core.errors.BadData: row 1: X must have finite numbers only: nan in column 2
    """
    if is_sparse(X):
        X = dense_rows(X)
    try:
        if getattr(getattr(X, "dtype", None), "kind", "f") in "Mmc":
            raise TypeError("dates and complex numbers are not supported")
        found = np.ascontiguousarray(X, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadData(f"{what} must be rows of the same number of numbers: {_kind(X)}") from None
    if found.ndim != 2:
        raise BadData(f"{what} must have rows and columns: it has {found.ndim} dimension{'s' * (found.ndim != 1)}")
    if not found.shape[1]:
        raise BadData(f"{what} must have at least one column")
    if width is not None and found.shape[1] != width:
        raise BadData(f"{what} must have {width} column{'s' * (width != 1)}: it has {found.shape[1]}")
    bad = np.argwhere(~np.isfinite(found))
    if len(bad):
        row, column = map(int, bad[0])
        raise BadData(f"{what} must have finite numbers only: {found[row, column]} in column {column + 1}", row=row)
    return found


def row_of(x: Any, width: int) -> Matrix:
    """One instance: a row of numbers, or a mapping from the names "1", "2", ... to numbers, 0 where one is left out."""
    if hasattr(x, "items"):
        row = np.zeros(width)
        for name, value in x.items():
            place = int(name) if str(name).isdecimal() else 0
            if not 1 <= place <= width:
                raise BadData(f"an instance must have the attributes 1 to {width}: {name!r}")
            row[place - 1] = _number(value)
        x = row
    try:
        found = np.ascontiguousarray(x, np.float64).reshape(1, -1)
    except (TypeError, ValueError, OverflowError):
        raise BadData(f"an instance must be {width} numbers: {_kind(x)}") from None
    if found.shape[1] != width or np.ndim(x) != 1:
        raise BadData(f"an instance must be {width} numbers: {np.size(x)} in {np.ndim(x)} dimensions")
    if not np.isfinite(found).all():
        column = int(np.argmax(~np.isfinite(found[0])))
        raise BadData(f"an instance must have finite numbers only: {found[0, column]} in column {column + 1}")
    return found


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise BadData(f"an instance must have finite numbers only: {value!r}") from None


def _kind(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else type(value).__name__


def numbers_of(y: Any, rows: int) -> Matrix:
    """A target a row, for a unit whose output is a number."""
    try:
        found = np.asarray(y, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadData(f"y must be one number per row: {_kind(y)}") from None
    if found.ndim not in (1, 2) or (found.ndim == 2 and found.shape[1] != 1):
        raise BadData(f"y must be one number per row: it has the shape {found.shape}")
    found = matrix_of(found.reshape(-1, 1), "y")
    check_rows(rows, len(found))
    return found


def dimensions(y: Any) -> int:
    """Of what is given as targets; rows of different lengths are refused."""
    try:
        return int(np.ndim(y))
    except ValueError:
        raise BadData(f"y must be one label per row, or rows of the same number of numbers: {_kind(y)}") from None


def check_rows(rows: int, labels: int, whose: str = "") -> None:
    if rows != labels:
        raise BadData(f"{whose}X has {rows} rows and y {labels} labels")
    if not rows:
        raise BadData(f"{whose}there are no examples to learn from")


def one_hot(codes: Sequence[int] | npt.NDArray[Any], outputs: int) -> Matrix:
    """Targets of 0 and 1: one column per class, or one column for two classes."""
    chosen = np.asarray(codes, np.int64)
    if outputs == 1:
        return np.ascontiguousarray(chosen.reshape(-1, 1), np.float64)
    targets = np.zeros((len(chosen), outputs))
    targets[np.arange(len(chosen)), chosen] = 1.0
    return targets
