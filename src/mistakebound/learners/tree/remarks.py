"""Columns that are used as asked but should be looked at: identifiers and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mistakebound.core.table import Column, Table

_ROWS = 8  # below so many rows, different values everywhere are no sign of anything


def remarks(table: Table) -> list[str]:
    """What is to be said of the columns of a training table, in their order."""
    return [remark for column in table.columns if (remark := _remark(column, table.rows))]


def _remark(column: Column, rows: int) -> str:
    data = column.data[~column.missing]
    different = len(np.unique(data))
    if not different:
        return f"column {column.name!r} has no values: no test of it can help"
    if different == 1:
        return f"column {column.name!r} has one value only: no test of it can help"
    if different < rows or rows < _ROWS:
        return ""
    if column.nominal:
        return (
            f"column {column.name!r} has another value in every row, as an identifier has: "
            "information gain likes it, new rows will not have its values"
        )
    if np.all(data == np.floor(data)) and data.max() - data.min() == rows - 1:
        return f"column {column.name!r} numbers the rows, as an identifier does: new rows will have other numbers"
    return ""
