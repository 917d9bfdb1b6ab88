"""A table from what people have in hand: a data frame, a file, a list of mappings, a mapping of columns, an array."""

from __future__ import annotations

import os
import sys
from glob import escape

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.schema import NOMINAL, NUMERIC, Schema, value_text
from mistakebound.core.table import MISSING, UNSEEN, CodedLabels, Column, Table
from mistakebound.io.frame_column import column_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

_SHOWN = 10


def split_label(X: Any, y: Any, **how: Any) -> tuple[Table, Any]:
    """The table and its labels; y is one label per row, or the name of a column of X.

    >>> table, y = split_label([{"sky": "sunny", "play": "yes"}, {"sky": None, "play": "no"}], "play")
    >>> table.names, table.column("sky").data, y
    (('sky',), array([ 0, -1], dtype=int32), ['yes', 'no'])
    """
    if not isinstance(y, str):
        return table_of(X, **how), y
    if isinstance(X, (str, os.PathLike)):
        return _from_file(X, y, **how)
    raw = _raw_columns(X)
    if y not in raw:
        raise BadParameter(f"y must be one label per row, or one of the columns {shown_names(raw)}: {y!r}")
    labels = raw.pop(y)
    like = how.pop("like", None)
    table = _table(raw, **how) if like is None else _like(raw or {name: [] for name in like.names}, like, (), None)
    return table, labels.to_pylist() if hasattr(labels, "to_pylist") else labels


def table_of(
    X: Any,
    *,
    like: Schema | None = None,
    declared: Mapping[str, Sequence[Any]] | None = None,
    nominal: Collection[str] = (),
    numeric: Collection[str] = (),
    spare: Collection[str] = (),
    asked: Collection[str] | None = None,
) -> Table:
    """X as a table: a pandas, polars or pyarrow table, the path of a CSV or TSV file, a list of mappings, a mapping of
    columns, or an array or a list of rows whose columns are x1, x2, ...

    Columns of numbers are numeric and all others nominal, unless `nominal`, `numeric` or `declared` (column to all its
    values) say otherwise.  None and NaN are missing.  With `like` the columns are found by their names and coded by
    those values, others as UNSEEN; of columns that it does not have only the `spare` ones may be there.  With `asked`,
    too, only these columns must be there: the others of `like` are missing where they are not, and any may stand beside
    them.  (A file must have the columns of the one that was learned.)

    >>> table_of([{"sky": "sunny", "degrees": 21}, {"sky": "rainy"}]).row(1)
    {'sky': 'rainy', 'degrees': None}
    """
    if isinstance(X, Table):
        return X if like is None else _alike(X, like, spare, asked=asked)
    if isinstance(X, (str, os.PathLike)):
        return _from_file(X, None, like=like, declared=declared, nominal=nominal, numeric=numeric, spare=spare)[0]
    raw = _raw_columns(X)
    if like is None:
        return _table(raw, declared=declared, nominal=nominal, numeric=numeric)
    if not raw and not (asked is not None and isinstance(X, (list, tuple, np.ndarray)) and len(X)):
        raw = {name: [] for name in like.names}  # no rows, of whatever columns
    return _like(raw, like, spare, asked, rows=0 if raw else len(X))


def _like(
    raw: dict[str, Any], like: Schema, spare: Collection[str], asked: Collection[str] | None, rows: int = 0
) -> Table:
    """Columns of a table that is to be like another; so many rows where there is no column."""
    _check_names(raw, like, spare, asked)
    columns = [
        column_of(name, raw[name], kind == NOMINAL, kind == NUMERIC) for name, kind, _ in like.columns if name in raw
    ]
    length = {len(column.data) for column in columns} or {len(cells) for cells in raw.values()} or {rows}
    _check_lengths(length)
    return _alike(Table(columns, rows=min(length)), like, (), asked=asked)


def _from_file(
    path: str | os.PathLike[str],
    label: str | None,
    *,
    like: Schema | None = None,
    declared: Mapping[str, Sequence[Any]] | None = None,
    nominal: Collection[str] = (),
    numeric: Collection[str] = (),
    spare: Collection[str] = (),
) -> tuple[Table, CodedLabels | None]:
    from mistakebound.io.table_file import read_table_file

    settings: dict[str, Any] = {"label": label} if label is not None else {}
    if like is not None:  # as of a file that was read before
        settings["columns"] = [*like.names, *([] if label is None else [label])]
        settings["kinds"] = {name: kind for name, kind, _ in like.columns}
        settings["ignore"] = [escape(name) for name in spare]
    else:
        settings["nominal"] = [*nominal, *(name for name in declared or () if name not in nominal)]
        settings["numeric"] = list(numeric)
    read = read_table_file(path, settings, unlabelled_ok=label is None)
    table = read.table
    if declared:
        table = _alike(table, _declared(table.schema, declared), (), new_is="bad")
    return table if like is None else _alike(table, like, spare), read.labels


def _raw_columns(X: Any) -> dict[str, Any]:
    """Columns by name, each a list, a NumPy or an Arrow array."""
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "column_names"):
        return _from_arrow(X)
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            raise BadData(f"an array must have rows and columns: it has {X.ndim} dimensions")
        return {f"x{j + 1}": X[:, j] for j in range(X.shape[1])}
    if hasattr(X, "tocsr"):
        raise BadParameter(f"X must be a table or a dense array, not a sparse matrix: {type(X).__name__}; X.toarray()")
    if hasattr(X, "keys"):
        return {str(name): v if isinstance(v, np.ndarray) else _as_list(v) for name, v in X.items()}
    rows = _as_list(X)
    if all(hasattr(row, "keys") for row in rows):
        names: dict[Any, None] = {}
        for row in rows:
            names.update(dict.fromkeys(row))
        return {str(name): [row.get(name) for row in rows] for name in names}
    if all(isinstance(row, (list, tuple)) for row in rows):
        if len({len(row) for row in rows}) > 1:
            raise BadData(f"rows must have the same number of cells: {', '.join(map(str, sorted({*map(len, rows)})))}")
        return {f"x{j + 1}": list(column) for j, column in enumerate(zip(*rows, strict=True))}
    raise BadParameter(f"X must be a table, a path, a list of mappings or rows, or an array: {type(X).__name__}")


def _as_list(values: Any) -> list[Any]:
    values = plain_values(values)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise BadParameter(f"X must be a table, a path, a list of mappings or rows, or an array: {values!r}")
    return list(values)


def arrow_table(X: Any) -> Any:
    """A frame of pandas or polars, or a table of Arrow, as one of Arrow."""
    import pyarrow as pa

    if library_of(X) == "pandas":
        named = X.rename(columns=str)
        if not named.columns.is_unique:
            raise BadData(f"two columns have one name: {shown_names(named.columns)}")
        try:
            return pa.Table.from_pandas(named, preserve_index=False)  # an index is no column
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise BadData(f"a column has cells of several kinds: {'; '.join(map(str, error.args))}") from None
    try:
        return pa.table(X)
    except (pa.ArrowInvalid, TypeError) as error:
        raise BadData(f"a {type(X).__name__} is no table: {error}") from None


def library_of(X: Any) -> str | None:
    """Whose data frame X is: pandas, polars or pyarrow; None for anything else."""
    bases = {base.__module__.partition(".")[0] for base in type(X).__mro__}
    return next((name for name in ("pandas", "polars", "pyarrow") if name in bases), None)


def column_like(frame: Any, cells: list[Any], name: str | None, possible: Sequence[Any]) -> Any:
    """Cells as a column for a frame: a Series of its library with its index, an array of Arrow, or else the list.

    Its type is that of all values that are possible, so it does not depend on the rows.

    >>> import pyarrow as pa
    >>> column_like(pa.table({"age": [60, 18]}), ["yes", "no"], "rich", ("no", "yes")).to_pylist()
    ['yes', 'no']
    """
    library = library_of(frame)
    if library is None:
        return cells
    count, every = len(possible), [*possible, *cells]
    package: Any = sys.modules[library]  # it has made the frame
    if library == "pandas":
        return package.Series(every, name=name).iloc[count:].set_axis(frame.index)
    if len({float if type(value) is int else type(value) for value in possible}) > 1:  # a column has one type
        every = [None if value is None else value_text(value) for value in every]
    if library == "polars":
        return package.Series(name or "", every, strict=False)[count:]
    return package.array(every)[count:]


def _from_arrow(X: Any) -> dict[str, Any]:
    arrow = arrow_table(X)
    if len(set(arrow.column_names)) < len(arrow.column_names):
        raise BadData(f"two columns have one name: {shown_names(arrow.column_names)}")
    return {name: arrow.column(name).combine_chunks() for name in arrow.column_names}


def _table(
    raw: dict[str, Any],
    *,
    declared: Mapping[str, Sequence[Any]] | None = None,
    nominal: Collection[str] = (),
    numeric: Collection[str] = (),
) -> Table:
    for name in (*nominal, *numeric, *(declared or ())):
        if name not in raw:
            raise BadParameter(f"nominal, numeric and declared must name columns ({shown_names(raw)}): {name!r}")
    as_nominal = {*nominal, *(declared or ())}
    columns = [column_of(name, cells, name in as_nominal, name in numeric) for name, cells in raw.items()]
    _check_lengths({len(column.data) for column in columns})
    table = Table(columns)
    return table if not declared else _alike(table, _declared(table.schema, declared), (), new_is="bad")


def _check_lengths(lengths: Collection[int]) -> None:
    if len(lengths) > 1:
        raise BadData(f"columns must have the same number of cells: {', '.join(map(str, sorted(lengths)))}")


def _declared(schema: Schema, declared: Mapping[str, Sequence[Any]]) -> Schema:
    for name in declared:
        if name not in schema.names:
            raise BadParameter(f"declared must name columns ({shown_names(schema.names)}): {name!r}")
    return Schema(
        [
            (name, kind, [value_text(value) for value in declared[name]] if name in declared else values)
            for name, kind, values in schema.columns
        ]
    )


def _check_names(
    names: Collection[str], like: Schema, spare: Collection[str], asked: Collection[str] | None = None
) -> None:
    missing = [name for name in like.names if name not in names and (asked is None or name in asked)]
    if asked is not None and not missing:
        return
    new = [name for name in names if name not in like.names and name not in spare]
    parts = [f"it lacks {shown_names(missing)}"] if missing else []
    parts += [f"it has {shown_names(new)} beside them"] if new else []
    if parts:
        raise BadData(f"the table has other columns than expected: {', '.join(parts)}")


def _alike(
    table: Table,
    like: Schema,
    spare: Collection[str],
    new_is: str = "unseen",
    asked: Collection[str] | None = None,
) -> Table:
    """The table with the columns and codes of a schema."""
    if table.schema == like:
        return table
    _check_names(table.names, like, spare, asked)
    columns, there = [], set(table.names)
    for name, kind, values in like.columns:
        if name not in there:
            empty = np.full(table.rows, np.nan) if kind == NUMERIC else np.full(table.rows, MISSING, np.int32)
            columns.append(Column(name, kind, values, empty))
            continue
        column = table.column(name)
        if column.kind != kind and not column.missing.all():
            raise BadData(f"column {name!r} must be {kind}: it is {column.kind}", source=table.source)
        if kind == NUMERIC:
            data = column.data if column.kind == kind else np.full(table.rows, np.nan)
        elif column.values == values or column.kind != kind:
            data = column.data if column.kind == kind else np.full(table.rows, MISSING, np.int32)
        else:
            places = {value: place for place, value in enumerate(values)}
            # Codes below 0 count from the end: UNSEEN and MISSING stay what they are.
            moved = np.array([*(places.get(value, UNSEEN) for value in column.values), UNSEEN, MISSING], np.int32)
            data = moved[column.data]
            if new_is == "bad" and (data == UNSEEN).any():
                row = int(np.flatnonzero(data == UNSEEN)[0])
                value = column.cell(row)
                raise table.complain(f"{value!r} is not a declared value of {name!r}: {shown_names(values)}", row)
        columns.append(Column(name, kind, values, data))
    return Table(columns, rows=table.rows, source=table.source, lines=table.lines)


def shown_names(names: Collection[str]) -> str:
    some = ", ".join(repr(name) for name in list(names)[:_SHOWN])
    return f"{some} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else some or "none"
