"""One column of a data frame, a list or an array: codes of texts, or numbers."""

from __future__ import annotations

from math import isfinite

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.fields import plain_value
from mistakebound.core.schema import NOMINAL, NUMERIC, value_text
from mistakebound.core.table import MISSING, Column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt


def column_of(name: str, cells: Any, nominal: bool, numeric: bool) -> Column:
    """A list, a NumPy or an Arrow array as a column; numbers are numeric unless it is to be nominal."""
    if not name:
        raise BadData("a column has no name")
    if isinstance(cells, np.ndarray):
        if cells.ndim != 1:
            raise BadData(f"column {name!r} must be a list of cells: it has {cells.ndim} dimensions")
        if cells.dtype.kind in "iuf" and not nominal:
            return _numeric(name, cells.astype(np.float64))
        cells = cells.tolist()
    elif not isinstance(cells, list):
        column = _arrow_column(name, cells, nominal)
        if column is not None and not (numeric and column.nominal):
            return column
        cells = cells.to_pylist()
    cells = [None if cell is None or cell != cell else cell for cell in map(plain_value, cells)]
    found = [cell for cell in cells if cell is not None]
    if numeric or (not nominal and found and all(type(cell) in (int, float) for cell in found)):
        return Column(name, NUMERIC, (), np.array([_number(name, row, cell) for row, cell in enumerate(cells)], float))
    places: dict[str, int] = {}
    codes = [
        MISSING if cell is None else places.setdefault(_text(name, row, cell), len(places))
        for row, cell in enumerate(cells)
    ]
    return Column(name, NOMINAL, tuple(places), np.array(codes, np.int32))


def _numeric(name: str, values: npt.NDArray[np.float64]) -> Column:
    endless = np.flatnonzero(np.isinf(values))
    if len(endless):
        raise BadData(f"{values[endless[0]]} in column {name!r} is not a finite number", row=int(endless[0]))
    return Column(name, NUMERIC, (), values)


def _number(name: str, row: int, cell: Any) -> float:
    if cell is None:
        return float("nan")
    try:
        number = float(cell)
    except (TypeError, ValueError):
        number = float("inf")
    if not isfinite(number):
        raise BadData(f"{cell!r} in the numeric column {name!r} is not a finite number", row=row)
    return number


def _text(name: str, row: int, cell: Any) -> str:
    if isinstance(cell, (str, bool, int, float)):
        return value_text(cell)
    raise BadData(f"a cell of column {name!r} is neither a text nor a number: {type(cell).__name__}", row=row)


def _arrow_column(name: str, cells: Any, nominal: bool) -> Column | None:
    """A column of an Arrow table; None if its cells have to be looked at one by one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = cells.type
    numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if numbers and not nominal:
        return _numeric(name, cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    if numbers or pa.types.is_boolean(kind):
        return None
    if pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type):
        coded = cells
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view":
        coded = pc.dictionary_encode(cells.cast(pa.string()))
    elif pa.types.is_null(kind):
        return Column(name, NOMINAL, (), np.full(len(cells), MISSING, np.int32))
    else:
        return None if pa.types.is_dictionary(kind) else _refuse(name, kind)
    codes = coded.indices.cast(pa.int32()).fill_null(MISSING).to_numpy(zero_copy_only=False)
    return Column(name, NOMINAL, coded.dictionary.to_pylist(), codes)


def _refuse(name: str, kind: Any) -> Column:
    raise BadData(f"column {name!r} holds neither texts nor numbers: {kind}")
