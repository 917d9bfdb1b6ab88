"""A form as one SQL query for SQLite: the label of every row of a table, and the probabilities."""

from __future__ import annotations

from textwrap import wrap

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import sql_name, sql_value, visible
from mistakebound.model.export.form import LinearForm, ListForm, TreeForm
from mistakebound.model.export.inputs import refuse_without_columns
from mistakebound.model.export.sql_sums import sum_parts
from mistakebound.model.export.sql_trees import list_parts, tree_parts
from mistakebound.model.export.tables import check_dates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.model.export.form import Form


def sql_source(form: Form, table: str) -> str:
    """The query: a row of the answer has the rowid, the label, its probability and that of each label."""
    refuse_without_columns(form.inputs, "SQL")
    check_dates(form, "SQL", ("ymd", "clock"))
    if isinstance(form, LinearForm):
        cells, steps, label, shares = sum_parts(form)
    elif isinstance(form, ListForm):
        cells, steps, label, shares = list_parts(form)
    elif isinstance(form, TreeForm):
        cells, steps, label, shares = tree_parts(form)
    else:
        raise BadParameter(f"a model of {form.what} cannot be exported to SQL")
    tables = [
        ("texts", f'{cells.row} AS "row", {_columns(cells.texts())}', f"{sql_name(table)} AS d"),
        ("cells", f'"row", {_columns(cells.cells())}', "texts"),
        ("parts", f'"row", {_columns(cells.parts())}', "cells"),
    ]
    before = "parts"
    for name, columns in steps:
        tables.append((name, f'"row", {_columns(columns)}', before))
        before = name
    answer = [f"CASE WHEN NOT bad THEN {label} END AS label"]
    if shares:
        answer += [f"CASE WHEN NOT bad THEN {share} END AS p{code}" for code, share in enumerate(shares)]
    tables.append(("answers", f'"row", {_columns(answer)}', before))
    with_ = ",\n".join(f"{name} AS MATERIALIZED (\n  SELECT {what}\n  FROM {of}\n)" for name, what, of in tables)
    out = ['"row"', "label"]
    if shares:
        each = " ".join(f"WHEN {sql_value(own)} THEN p{code}" for code, own in enumerate(form.labels))
        out.append(f"CASE label {each} END AS probability")
        out += [f"p{code} AS {sql_name(f'P({own})')}" for code, own in enumerate(form.labels)]
    return f'{_about(form)}WITH {with_}\nSELECT {", ".join(out)}\nFROM answers\nORDER BY "row";\n'


def _about(form: Form) -> str:
    said = [f"A model of {form.what}, written by mistakebound export, for SQLite 3.35 and later."]
    said.append("label is NULL where a cell is no number or no date, though its column has such.")
    said += [form.note] if form.note else []
    return "".join(f"-- {line}\n" for text in said for line in wrap(visible(text), 100))


def _columns(columns: list[str]) -> str:
    return ",\n    ".join(columns)
