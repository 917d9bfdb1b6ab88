"""The columns of a table as inputs of a network: numbers by their distance from the mean, one input a nominal value."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.schema import NUMERIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table

    Floats = npt.NDArray[np.float64]


MOST_BYTES = 1 << 30  # of all inputs, where a column has many values
_MANY = 256  # values of a column


def check_size(table: Table) -> None:
    """BadData, before anything is made, when the values of a column would be inputs by the thousand for each row.

    Columns of numbers are one input each: of them there may be as many as memory holds.
    """
    inputs = sum(1 if column.kind == NUMERIC else len(column.values) for column in table.columns)
    nominal = [column for column in table.columns if column.kind != NUMERIC]
    widest = max(nominal, key=lambda column: len(column.values), default=None)
    size = 8 * table.rows * inputs
    if size <= MOST_BYTES or widest is None or len(widest.values) <= _MANY:
        return
    raise BadData(
        f"column {widest.name!r} has {len(widest.values):,} different values, each an input of the network: "
        f"{table.rows:,} rows of {inputs:,} inputs take {size / (1 << 30):.1f} GiB; leave the column out "
        "(--ignore), or take it as numbers (--numeric)",
        source=table.source,
    )


class Encoding:
    """Numbers: (x - mean) / (standard deviation), 0 where one is missing.  Names: 1 for the value, 0 for all others.

    A column of numbers that are all the same says nothing: its input is 0.  So are all inputs of a name that is missing
    or was never seen.
    """

    __slots__ = ("means", "names", "scales", "schema")

    def __init__(self, schema: Schema, means: Sequence[float], scales: Sequence[float]) -> None:
        numbers = sum(kind == NUMERIC for _, kind, _ in schema.columns)
        if len(means) != numbers or len(scales) != numbers:
            raise ValueError("expected one mean and one scale per column of numbers")
        if not np.isfinite([*means, *scales]).all() or not all(scale > 0 for scale in scales):
            raise ValueError("the means and scales are not finite numbers")
        self.schema = schema
        self.means = list(means)
        self.scales = list(scales)
        self.names = [
            name if kind == NUMERIC else f"{name}={value}"
            for name, kind, values in schema.columns
            for value in (("",) if kind == NUMERIC else values)
        ]

    @classmethod
    def of(cls, table: Table) -> Encoding:
        """The means and deviations of a table."""
        means, scales = [], []
        for column in table.columns:
            if column.kind == NUMERIC:
                known = np.asarray(column.data[~np.isnan(column.data)], np.float64)
                with np.errstate(over="ignore", invalid="ignore"):
                    mean = float(known.mean()) if len(known) else 0.0
                    scale = float(np.sqrt(np.mean((known - mean) ** 2))) if len(known) else 0.0
                if not np.isfinite([mean, scale]).all():
                    raise BadData(f"the numbers of column {column.name!r} are too large", source=table.source)
                means.append(mean)
                scales.append(scale if scale > 1e-12 * abs(mean) else 1.0)
        return cls(table.schema, means, scales)

    def inputs(self, table: Table) -> Floats:
        """One row per row of the table, one column per input."""
        found = np.zeros((table.rows, len(self.names)))
        numbers = iter(zip(self.means, self.scales, strict=True))
        place = 0
        for column in table.columns:
            if column.kind == NUMERIC:
                mean, scale = next(numbers)
                cells = np.asarray(column.data, np.float64)
                with np.errstate(over="ignore"):
                    found[:, place] = np.nan_to_num((cells - mean) / scale, nan=0.0)
                place += 1
            else:
                codes = np.asarray(column.data, np.int64)
                known = np.flatnonzero(codes >= 0)
                found[known, place + codes[known]] = 1.0
                place += len(column.values)
        return found
