"""SciPy's sparse matrices, looked at before they are believed.  Imported only where arrays are.

SciPy checks the arrays of a matrix when it is made, not when somebody changes them, and its own loops trust them: an
index out of range is a crash there, or rows of somebody else's memory.  Every matrix comes in through this file.
"""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Ends = npt.NDArray[np.int64]

_PARTS = ("indptr", "indices", "data", "shape")
_NO_MATRIX = "X must be a matrix of real numbers in CSR form: convert it with .tocsr()"


class Csr:
    """A dense array as the three arrays of its nonzero entries, or with `zeros` of all."""

    __slots__ = ("data", "indices", "indptr", "shape")

    def __init__(self, dense: Any, zeros: bool = False) -> None:
        if zeros:
            height, width = dense.shape
            self.indices = np.tile(np.arange(width, dtype=np.int32), height)
            self.indptr = np.arange(height + 1, dtype=np.int64) * width
            self.data, self.shape = dense.reshape(-1), dense.shape
            return
        rows, self.indices = np.nonzero(dense)
        self.indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=dense.shape[0]))])
        self.data, self.shape = dense[rows, self.indices], dense.shape


def is_sparse(X: Any) -> bool:
    """Whether X is a SciPy matrix, or has the three arrays of one."""
    return hasattr(X, "tocsr") or all(hasattr(X, part) for part in _PARTS)


def as_csr(X: Any, zeros: bool = False) -> Any:
    """X in CSR form, a dense array with or without its zeros; BadData for what is no matrix of real numbers.

    Of a matrix that is in this form already the columns are not looked at: whoever goes through them does that.
    """
    if getattr(X, "format", "csr") != "csr" and hasattr(X, "tocsr"):
        X = _converted(X)  # a CSC matrix has the same three arrays and means another thing by them
    if all(hasattr(X, part) for part in _PARTS):
        if len(X.shape) != 2 or np.ndim(X.indptr) != 1 or len(X.indptr) != X.shape[0] + 1:
            raise BadData(_NO_MATRIX)
        if X.data.dtype.kind not in "biuf" or X.data.ndim != 1 or X.indices.ndim != 1:
            raise BadData(_NO_MATRIX)
        return X
    try:
        dense = np.asarray(X)
    except ValueError:
        raise BadData("X must be a SciPy CSR matrix or a 2-D array of numbers: its rows differ in length") from None
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise BadData(f"X must be a SciPy CSR matrix or a 2-D array of numbers, not {dense.ndim}-D of {dense.dtype}")
    return Csr(dense, zeros)


def row_ends(csr: Any) -> Ends:
    """A copy of the indptr of a matrix in CSR form, which ascends and stays within its entries; BadData for any other.

    It is a copy because another thread may change the matrix meanwhile.
    """
    ends: Ends = np.array(csr.indptr, dtype=np.int64)
    if csr.shape[0] and not _ascends(ends, min(len(csr.indices), len(csr.data))):
        down = np.flatnonzero(np.diff(ends) < 0)
        raise BadData(
            "X is not a CSR matrix: its indptr does not fit its entries", row=int(down[0]) if len(down) else None
        )
    return ends


def checked_csr(X: Any) -> Any:
    """As `as_csr`, and every column number is within the matrix; BadData with the row of the first that is not."""
    csr = as_csr(X)
    ends, width = row_ends(csr), csr.shape[1]
    columns = csr.indices[: ends[-1]]
    if not _within(columns, width):
        wrong = np.flatnonzero((columns < 0) | (columns >= width))
        if len(wrong):  # else another thread has changed them meanwhile
            row = max(0, int(np.searchsorted(ends, int(wrong[0]), side="right")) - 1)
            raise BadData(f"a column number is not within the {width} columns of X", row=row)
    return csr


def dense_rows(X: Any) -> npt.NDArray[np.float64]:
    """A SciPy matrix as a dense array of doubles; entries that stand twice are added, as SciPy does.

    Whatever happens to the matrix meanwhile, NumPy writes within the array.
    """
    csr = checked_csr(X)
    rows, width = csr.shape
    found = np.zeros((rows, width))
    ends = row_ends(csr)
    places = np.repeat(np.arange(rows, dtype=np.int64) * width, np.diff(ends))
    places += csr.indices[ends[0] : ends[0] + len(places)]
    values = csr.data[ends[0] : ends[0] + len(places)]
    if (places[1:] > places[:-1]).all():
        found.reshape(-1)[places] = values
    else:
        np.add.at(found.reshape(-1), places, values.astype(np.float64, copy=False))
    return found


def sparse_row(X: Any, row: int) -> npt.NDArray[np.float64]:
    """One row of a SciPy matrix, dense."""
    csr = checked_csr(X)
    start, stop = row_ends(csr)[row : row + 2]
    found = np.zeros(csr.shape[1])
    np.add.at(found, csr.indices[start:stop], csr.data[start:stop].astype(np.float64, copy=False))
    return found


def _ascends(ends: Any, most: int) -> bool:
    return bool(ends[0] >= 0 and ends[-1] <= most and (ends[1:] >= ends[:-1]).all())


def _within(numbers: Any, below: int) -> bool:
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < below)


def _converted(X: Any) -> Any:
    """A matrix in CSR form from one in another, whose arrays SciPy's own conversion would believe."""
    form = X.format
    try:
        if len(X.shape) != 2 or not _sound(X, form):
            raise BadData(f"X is not a {form.upper()} matrix: a number among its indices is not within its {_sides(X)}")
        return X.tocsr()
    except (ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
        if isinstance(error, BadData):
            raise
        raise BadData(f"X is not a {form.upper()} matrix: {error}") from None


def _sides(X: Any) -> str:
    return " x ".join(map(str, X.shape)) + " cells"


def _sound(X: Any, form: str) -> bool:
    rows, columns = X.shape
    if form == "coo":
        same = len(X.row) == len(X.col) == len(X.data)
        return same and _within(X.row, rows) and _within(X.col, columns)
    if form == "dia":
        return X.data.ndim == 2 and np.ndim(X.offsets) == 1 and len(X.offsets) == len(X.data)
    if form == "lil":
        lengths = len(X.rows) == len(X.data) == rows
        return lengths and all(len(row) == len(values) for row, values in zip(X.rows, X.data, strict=True))
    if form not in ("csc", "bsr"):
        return True
    lines, below = (columns, rows) if form == "csc" else (rows // X.blocksize[0], columns // X.blocksize[1])
    if X.data.ndim != (1 if form == "csc" else 3) or len(X.indptr) != lines + 1 or len(X.indices) != len(X.data):
        return False
    if form == "bsr" and tuple(X.data.shape[1:]) != tuple(X.blocksize):
        return False
    return _ascends(X.indptr, len(X.indices)) and _within(X.indices, below)
