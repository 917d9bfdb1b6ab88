"""The columns of a table as inputs of a network: numbers by their distance from the mean, one input a nominal value."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.table import NUMERIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from mistakebound.core.table import Schema, Table

    Floats = npt.NDArray[np.float64]


class Encoding:
    """Numbers: (x - mean) / (standard deviation), 0 where one is missing.  Names: 1 for the value, 0 for all others.

    A column of numbers that are all the same says nothing: its input is 0.  So are all inputs of a name that is missing
    or was never seen.
    """

    __slots__ = ("means", "names", "scales", "schema")

    def __init__(self, schema: Schema, means: Sequence[float], scales: Sequence[float]) -> None:
        numbers = sum(kind == NUMERIC for _, kind, _ in schema.columns)
        if len(means) != numbers or len(scales) != numbers:
            raise ValueError("there is not one mean and one scale a column of numbers")
        if not np.isfinite([*means, *scales]).all() or not all(scale > 0 for scale in scales):
            raise ValueError("the means and scales are no finite numbers")
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
        """A row a row of the table, a column an input."""
        parts: list[Floats] = []
        numbers = iter(zip(self.means, self.scales, strict=True))
        for column in table.columns:
            if column.kind == NUMERIC:
                mean, scale = next(numbers)
                cells = np.asarray(column.data, np.float64)
                with np.errstate(over="ignore"):
                    parts.append(np.nan_to_num((cells - mean) / scale, nan=0.0)[:, None])
            else:
                parts.append((column.data[:, None] == np.arange(len(column.values))[None, :]).astype(np.float64))
        return np.ascontiguousarray(np.hstack(parts)) if parts else np.zeros((table.rows, 0))
