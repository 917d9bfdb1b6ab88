"""A form as the source of a Python module that needs nothing but Python."""

from __future__ import annotations

from textwrap import fill

from mistakebound.core.errors import BadParameter
from mistakebound.io.bins import bin_names
from mistakebound.io.dressed import PATTERNS
from mistakebound.io.json_chunk import LEFT_OUT, NUMERIC
from mistakebound.io.moments import MOMENT
from mistakebound.model.export import python_parts as parts
from mistakebound.model.export.form import Cut, LinearForm, ListForm, Scale, Standardize, TreeForm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.model.export.form import Form, Inputs

_WORDS = r"\w+(?:['’]\w+)*"
_MODULES = ("bisect", "datetime", "fnmatch", "itertools", "math", "re")


def python_source(form: Form) -> str:
    """The module: `predict(row)` and, where the model has probabilities, `predict_proba(row)`."""
    data, code = _input_parts(form.inputs)
    data = {"LABELS": form.labels} | data
    if isinstance(form, LinearForm):
        more, functions = _linear_parts(form)
    elif isinstance(form, ListForm):
        more, functions = _list_parts(form)
    elif isinstance(form, TreeForm):
        nodes = [
            (n.label, n.shares, n.column, n.threshold, n.branch, n.children, n.otherwise, n.parts) for n in form.nodes
        ]
        more, functions = {"FRACTIONS": form.fractions, "NODES": nodes}, [parts.TREE]
        code = [part for part in code if part is not parts.TABLE_ATTRIBUTES]
        data.pop("BINNED", None)
    else:
        raise BadParameter(f"a model of {form.what} cannot be exported to Python")
    body = "".join([*code, *functions])
    constants = "".join(f"{name} = {_literal(value)}\n" for name, value in (data | more).items())
    used = [name for name in _MODULES if f"{name}." in body or f"{name}." in constants]
    imports = "".join(f"import {name}\n" for name in used)
    return f'"""{_about(form)}"""\n\n{imports}\n{constants}{body}'


def _about(form: Form) -> str:
    what = {
        "table": "a mapping from columns to cells", "attributes": "a mapping from attributes to numbers",
        "json": "a JSON object as a mapping", "text": "a text",
    }[form.inputs.kind]  # fmt: skip
    first = f"A model of {form.what}, written by mistakebound export: predict(row), where row is {what}."
    text = "\n\n".join(fill(line, 100) for line in (first, form.note) if line)
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _literal(value: Any) -> str:
    """A value in the source, an entry a line of what has many."""
    if isinstance(value, float):
        return repr(value).replace("inf", "1e999")  # a literal of infinity
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        entries = [f"{_literal(key)}: {_literal(own)}" for key, own in value.items()]
        return "{" + _listed(entries) + "}"
    if isinstance(value, list):
        return f"[{_listed([_literal(own) for own in value])}]"
    return repr(value)


def _listed(entries: list[str]) -> str:
    short = ", ".join(entries)
    return short if len(short) < 90 else "\n" + "".join(f"    {entry},\n" for entry in entries)


def _input_parts(inputs: Inputs) -> tuple[dict[str, Any], list[str]]:
    if inputs.kind == "text":
        own = inputs.settings
        pattern = _WORDS + (r"|[^\w\s]" if own.get("punctuation") else "")
        data: dict[str, Any] = {
            "PATTERN": pattern,
            "KEEP_CASE": bool(own.get("case")),
            "NGRAMS": own.get("ngrams") or 1,
        }
        return data, [parts.TEXT_ATTRIBUTES]
    if inputs.kind == "json":
        own = inputs.settings
        bins = {name: (cuts, bin_names(name, cuts)) for name, cuts in (own.get("bins") or {}).items()}
        members: dict[str, str] = own.get("members") or {}
        dates = {name: kind.partition(":")[2] for name, kind in members.items() if kind.startswith(MOMENT)}
        numeric = [*(own.get("numeric") or ()), *(name for name, kind in members.items() if kind == NUMERIC)]
        data = {
            "LEFT_OUT": [own[role] for role in ("label", "weights") if own.get(role)]
            + [name for name, kind in members.items() if kind == LEFT_OUT],
            "BINS": bins, "NOMINAL": list(own.get("nominal") or ()), "NUMERIC": numeric,
            "IGNORED": list(own.get("ignore") or ()), "DATES": dates,
        }  # fmt: skip
        return data, [parts.MOMENTS, parts.JSON_ATTRIBUTES] if dates else [parts.JSON_ATTRIBUTES]
    if inputs.kind == "attributes":
        return {}, [parts.PLAIN_ATTRIBUTES]
    columns: list[tuple[str, str, Any]] = []
    code = [parts.CELLS]
    for column in inputs.columns:
        if column.kind == "moment":
            columns.append((column.name, "moment", column.order))
        elif column.cuts:
            columns.append((column.name, "bins", (column.cuts, bin_names(column.name, column.cuts), column.mark)))
        else:
            columns.append((column.name, column.kind, column.mark))
    marks: dict[str, str] = {}
    if any(column.mark for column in inputs.columns):
        code.append(parts.UNDRESSED)
        marks = {mark: PATTERNS[mark] for mark in sorted({column.mark for column in inputs.columns} - {""})}
    if any(column.kind == "moment" for column in inputs.columns):
        code.append(parts.MOMENTS)
    binned = [column.name for column in inputs.columns if column.cuts]
    data = {"COLUMNS": columns, "MISSING": list(inputs.missing), "BINNED": binned}
    if marks:
        data["DRESSED"] = marks
    return data, [*code, parts.TABLE_ATTRIBUTES]


def _linear_parts(form: LinearForm) -> tuple[dict[str, Any], list[str]]:
    data: dict[str, Any] = {"ZEROS": form.inputs.zeros}
    code, steps = [], ""
    if form.inputs.settings.get("ignore"):
        data["IGNORED"] = list(form.inputs.settings["ignore"])
        steps += (
            "    x = {name: v for name, v in x.items() if not any(fnmatch.fnmatchcase(name, p) for p in IGNORED)}\n"
        )
    if form.inputs.hash is not None:
        data["HASH"] = form.inputs.hash
        code.append(parts.HASHED)
        steps += "    x = _hashed(x)\n"
    for step in form.steps:
        if isinstance(step, Standardize):
            data["TALLIES"] = step.tallies
            code.append(parts.STANDARDIZED)
            steps += "    x = _standardized(x)\n"
        elif isinstance(step, Cut):
            data["CUTS"] = step.numbers
            code.append(parts.CUT)
            steps += "    x = _cut(x)\n"
        elif isinstance(step, Scale):
            data["SCALES"] = step.numbers
            code.append(parts.SCALED)
            steps += "    x = _scaled(x)\n"
        else:
            data |= {"CROSS": step.cross, "NEGATED": list(step.negated)}
            code.append(parts.EXPANDED)
            steps += "    x = _expanded(x)\n"
    start = ""
    if form.start is not None:
        data["START"], start = form.start.unit, parts.START_FIXED
        if form.start.appeared is not None:
            data["APPEARED"], start = form.start.appeared, parts.START_SHRINKING
    # Logs are added one after the other, as naive Bayes does: what ties there ties here.
    total = "_plain_sum" if form.softmax else "math.fsum"
    if form.softmax:
        code.append(parts.PLAIN_SUM)
    code.append(parts.SCORES.replace("{steps}", steps).replace("{start}", start).replace("{total}", total))
    data |= {"BIASES": form.biases, "WEIGHTS": form.weights}
    pair = form.outputs == (1,) and len(form.labels) == 2 and not form.softmax
    if pair:
        data["THRESHOLD"] = form.theta
    else:
        data["OUTPUTS"] = form.outputs
    return data | _curves(form), code + _answers(form, pair)


def _answers(form: LinearForm | ListForm, pair: bool) -> list[str]:
    rule = form.rule if isinstance(form, LinearForm) else ">"
    code = [parts.PAIR.format(rule=rule) if pair else parts.MANY]
    if isinstance(form, LinearForm) and form.softmax:
        code.append(parts.SOFTMAX)
    elif form.curves is not None:
        code += [parts.CURVES, parts.PAIR_PROBABILITY if pair else parts.MANY_PROBABILITY]
    return code


def _curves(form: LinearForm | ListForm) -> dict[str, Any]:
    if form.curves is None:
        return {}
    return {"CURVES": [(curve.mean, curve.theta, curve.cells) for curve in form.curves]}


def _list_parts(form: ListForm) -> tuple[dict[str, Any], list[str]]:
    data = {"RULES": list(form.steps), "DEFAULT": form.default, "THRESHOLD": 0.0} | _curves(form)
    return data, [parts.LIST, *_answers(form, True)]
