"""Models as code for other places: a Python module without dependencies, an SQL query, an ONNX graph."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.model.model import of_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from mistakebound.model.export.form import Form
    from mistakebound.model.model import Model

LANGUAGES = ("python", "sql", "onnx")


def export(
    model: Model,
    to: str,
    path: str | os.PathLike[str] | None = None,
    *,
    table: str = "data",
    rows: Any = None,
) -> str | bytes:
    """A model in another language; see `Model.export`."""
    made = written(form_of(model, rows, to), to, table)
    if path is not None:
        save(made, to, path)
    return made


def written(form: Form, to: str, table: str = "data") -> str | bytes:
    """A form in a language."""
    if to == "python":
        from mistakebound.model.export.python_source import python_source

        return python_source(form)
    if to == "sql":
        from mistakebound.model.export.sql_source import sql_source

        return sql_source(form, table)
    from mistakebound.model.export.onnx_graph import onnx_bytes

    return onnx_bytes(form)


def save(made: str | bytes, to: str, path: str | os.PathLike[str]) -> None:
    """Write it whole or not at all, over a file of its own kind at most."""
    from mistakebound.core.whole_file import WholeFile

    with WholeFile(path, sync=False, kind=to) as file:
        file.write(made.encode() if isinstance(made, str) else made)


def form_of(model: Model, rows: Any = None, to: str = "python") -> Form:
    """What is to be written; BadParameter for a model that cannot be exported, or for no such language."""
    if to not in LANGUAGES:
        raise BadParameter(f"to must be one of {', '.join(LANGUAGES)}: {to!r}")
    base = model.learner.base_learner if model.learner.ensemble == "labels" else model.learner
    if base.readable != "mixture" and rows is not None:
        raise BadParameter(f"rows are for auto alone: an export of {model.learner.name} is exact")
    from mistakebound.model.export import linear, tables

    learner = model.learner
    if learner.name == "decision-tree" and learner.tree is not None:
        return tables.tree_form(model)
    if learner.name == "naive-bayes" and learner.fitted:
        return tables.bayes_form(model)
    if of_table(learner) or learner.takes != "rows":
        raise BadParameter(f"a model of {learner.name} cannot be exported")
    if learner.readable == "list":
        return linear.list_form(model)
    if learner.readable == "mixture":
        from mistakebound.model.export.approximation import approximate_form

        return approximate_form(model, rows)
    return linear.linear_form(model)
