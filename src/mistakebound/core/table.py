"""A table in memory: columns of nominal codes or of numbers, and the classes of its rows."""

from __future__ import annotations

from math import isfinite

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.schema import NOMINAL, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

MISSING = -1  # the code of a nominal cell that is missing; a number that is missing is NaN
UNSEEN = -2  # the code of a value that the schema does not have


class Column:
    """One column: `data` are codes of `values` (32 bits) or numbers (doubles)."""

    __slots__ = ("data", "kind", "name", "values")

    def __init__(self, name: str, kind: str, values: Sequence[str], data: npt.NDArray[Any]) -> None:
        self.name = name
        self.kind = kind
        self.values = tuple(values)
        self.data = np.ascontiguousarray(data, np.int32 if kind == NOMINAL else np.float64)

    @property
    def nominal(self) -> bool:
        return self.kind == NOMINAL

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Which cells are."""
        found: npt.NDArray[np.bool_] = self.data == MISSING if self.nominal else np.isnan(self.data)
        return found

    def cell(self, row: int) -> str | float | None:
        """A value, or None where it is missing; one that the schema does not have is None too."""
        value = self.data[row]
        if self.nominal:
            return self.values[value] if value >= 0 else None
        return None if np.isnan(value) else float(value)


class Table:
    """Columns of the same length.  `source` and `lines` say where its rows stand, if they come from a file.

    `weights` is how much each row counts, if they do not all count 1.

    >>> sky = Column("sky", "nominal", ["sunny", "rainy"], np.array([0, 1, -1]))
    >>> table = Table([sky, Column("degrees", "numeric", [], np.array([21.0, float("nan"), 3.5]))])
    >>> [table.row(row) for row in range(table.rows)]
    [{'sky': 'sunny', 'degrees': 21.0}, {'sky': 'rainy', 'degrees': None}, {'sky': None, 'degrees': 3.5}]
    """

    __slots__ = ("columns", "lines", "rows", "source", "weights")

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        rows: int | None = None,
        source: str | None = None,
        lines: npt.NDArray[np.int64] | None = None,
        weights: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.columns = tuple(columns)
        self.rows = len(self.columns[0].data) if rows is None and self.columns else rows or 0
        self.source = source
        self.lines = lines
        self.weights = weights
        for column in self.columns:
            if len(column.data) != self.rows:
                raise BadData(f"column {column.name!r} has {len(column.data)} cells, the table has {self.rows} rows")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def schema(self) -> Schema:
        return Schema([(column.name, column.kind, column.values) for column in self.columns])

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise BadParameter(f"column must be one of {', '.join(map(repr, self.names))}: {name!r}")

    def take(self, rows: Any) -> Table:
        """The rows with these numbers, or where a mask is true."""
        columns = [Column(c.name, c.kind, c.values, c.data[rows]) for c in self.columns]
        lines, weights = (None if part is None else part[rows] for part in (self.lines, self.weights))
        count = None if columns else len(np.arange(self.rows)[rows])
        return Table(columns, rows=count, source=self.source, lines=lines, weights=weights)

    def cell(self, row: int, column: int) -> str | float | None:
        return self.columns[column].cell(row)

    def row(self, row: int) -> dict[str, str | float | None]:
        return {column.name: column.cell(row) for column in self.columns}

    def complain(self, message: str, row: int) -> BadData:
        """An error that says where a row stands."""
        if self.source is None:
            return BadData(message, row=row)
        return BadData(message, source=self.source, line=None if self.lines is None else int(self.lines[row]))


def named_row(x: Any, names: Sequence[str] | None) -> Any:
    """A row of values by the names of its columns, where these are given.

    >>> named_row(("sunny", 3), ["sky", "wind"])
    {'sky': 'sunny', 'wind': 3}
    """
    if names is None:
        return x
    values = list(x)
    if len(values) != len(names):
        raise BadData(f"there are {len(names)} names for {len(values)} values")
    return dict(zip(names, values, strict=True))


class CodedLabels:
    """Labels as a reader gives them: the distinct ones, and the place of each row's among them (-1: it has none)."""

    __slots__ = ("codes", "values")

    def __init__(self, values: Sequence[Any], codes: npt.NDArray[np.int32]) -> None:
        self.values = tuple(values)
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)


def label_codes(
    y: Any, classes: Sequence[Any] | None = None, table: Table | None = None
) -> tuple[tuple[Any, ...], npt.NDArray[np.int32]]:
    """The classes, and the number of each row's.  Without `classes`: those in y, numbers by value, then texts.

    >>> label_codes(["yes", "no", "yes"])
    (('no', 'yes'), array([1, 0, 1], dtype=int32))
    >>> label_codes(["yes", "maybe"], ("no", "yes"))
    Traceback (most recent call last):
    mistakebound.core.errors.BadData: row 1: label 'maybe' is not one of 'no', 'yes'
    """
    coded = y if isinstance(y, CodedLabels) else _distinct(y)
    if table is not None and len(coded) != table.rows:
        raise BadData(f"there are {len(coded)} labels for {table.rows} rows")
    rows = table or Table((), rows=len(coded))
    unlabelled = np.flatnonzero(coded.codes < 0)
    if len(unlabelled):
        raise rows.complain("the row has no label", int(unlabelled[0]))
    used = np.flatnonzero(np.bincount(coded.codes, minlength=len(coded.values)))
    known = tuple(classes) if classes is not None else tuple(sorted((coded.values[k] for k in used), key=_key))
    places = {_key(value): place for place, value in enumerate(known)}
    moved = np.array([places.get(_key(value), -1) for value in coded.values] or [-1], np.int32)
    codes = moved[coded.codes]
    strange = np.flatnonzero(codes < 0)
    if len(strange):
        row = int(strange[0])
        pair = ", ".join(map(repr, known))
        raise rows.complain(f"label {coded.values[coded.codes[row]]!r} is not one of {pair}", row)
    return known, codes


def _distinct(y: Any) -> CodedLabels:
    if isinstance(y, (str, bytes)) or not hasattr(y, "__len__"):
        raise BadParameter(f"y must be one label per row, or the name of a column: {y!r}")
    y = plain_values(y)
    try:
        code_of: dict[Any, int] = dict.fromkeys(y, -1)  # 1, 1.0 and True are one key here too
    except TypeError:
        raise BadData("a label must be a text, a number or a truth value, not a list or an array") from None
    values: list[Any] = []
    for value in code_of:
        if value is None or value != value:
            continue
        if not isinstance(value, (str, bool, int, float)) or (isinstance(value, float) and not isfinite(value)):
            raise BadData(f"a label must be a text, a number or a truth value: {value!r}")
        code_of[value] = len(values)
        values.append(value)
    return CodedLabels(values, np.fromiter(map(code_of.__getitem__, y), np.int32, len(y)))


def _key(value: Any) -> Any:
    """Labels that mean the same are one class: 1, 1.0 and True are, the text '1' is not.  It also sorts them."""
    return (isinstance(value, str), value)


def check_weights(weights: Any, rows: int) -> npt.NDArray[np.float64]:
    """How much each row counts; empty when all count 1."""
    if weights is None:
        return np.empty(0)
    try:
        numbers = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadData("weights must be numbers > 0, one per row") from None
    if numbers.shape != (rows,) or not (np.isfinite(numbers) & (numbers > 0)).all():
        raise BadData("weights must be numbers > 0, one per row")
    return numbers
