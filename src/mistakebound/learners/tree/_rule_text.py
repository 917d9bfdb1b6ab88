"""A list of rules as IF/THEN, as Python, as SQL and as data. Names and values are quoted as each language wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.core.errors import BadParameter
from mistakebound.core.visible import visible

if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.table import Schema
    from mistakebound.learners.tree.rules import Condition, RuleList

_NUMBER = """\
    def number(name):
        value = row.get(name)
        return float("nan") if value is None else value

"""
_TEXT = """\
    def text(name):
        value = row.get(name)
        return None if value is None else str(value)

"""


def as_text(rules: RuleList) -> str:
    """One rule a paragraph, with what it is worth."""
    lines = []
    for rule in rules.rules:
        tests = "\n   AND ".join(visible(condition.text(rules.schema)) for condition in rule.conditions)
        missed = f", {rule.errors:,} wrong" if rule.errors else ""
        share = f"{100 * rule.worth:.1f} %"
        lines.append(
            f"IF {tests}\n  THEN {visible(str(rules.classes[rule.label]))}  ({rule.rows:,} rows{missed}; {share})"
        )
    lines.append(f"{'OTHERWISE ' if lines else ''}{visible(str(rules.classes[rules.default]))}")
    return "\n".join(lines)


def as_python(rules: RuleList, name: str) -> str:
    """A function of a row as a dict; a missing value is None or not there."""
    from keyword import iskeyword

    if not name.isidentifier() or iskeyword(name):
        raise BadParameter(f"name must be one that a Python function can have: {name!r}")
    nominal = {condition.kind == "in" for rule in rules.rules for condition in rule.conditions}
    lines = [f"def {name}(row):\n", _TEXT if True in nominal else "", _NUMBER if False in nominal else ""]
    for rule in rules.rules:
        tests = [_in_python(condition, rules.schema) for condition in rule.conditions]
        joined = " and ".join(tests)
        if len(joined) > 100:
            joined = "(\n        " + "\n        and ".join(tests) + "\n    )"
        lines.append(f"    if {joined}:\n        return {rules.classes[rule.label]!r}\n")
    lines.append(f"    return {rules.classes[rules.default]!r}\n")
    return "".join(lines)


def _in_python(condition: Condition, schema: Schema) -> str:
    name, _, texts = schema.columns[condition.column]
    if condition.kind != "in":
        return f"number({name!r}) {condition.kind} {condition.number!r}"
    values = tuple(texts[code] for code in condition.codes)
    return f"text({name!r}) == {values[0]!r}" if len(values) == 1 else f"text({name!r}) in {values!r}"


def as_sql(rules: RuleList) -> str:
    """A CASE expression in standard SQL: names in double quotes, texts in single ones. NULL meets no condition."""
    default = _sql_value(rules.classes[rules.default])
    if not rules.rules:
        return default
    lines = ["CASE"]
    for rule in rules.rules:
        tests = " AND ".join(_in_sql(condition, rules.schema) for condition in rule.conditions)
        lines.append(f"  WHEN {tests} THEN {_sql_value(rules.classes[rule.label])}")
    return "\n".join([*lines, f"  ELSE {default}", "END"])


def _in_sql(condition: Condition, schema: Schema) -> str:
    name, _, texts = schema.columns[condition.column]
    quoted = '"' + name.replace('"', '""') + '"'
    if condition.kind != "in":
        return f"{quoted} {condition.kind} {condition.number!r}"
    values = [_sql_value(texts[code]) for code in condition.codes]
    return f"{quoted} = {values[0]}" if len(values) == 1 else f"{quoted} IN ({', '.join(values)})"


def _sql_value(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def as_json(rules: RuleList) -> dict[str, Any]:
    """What a program wants to read: every rule with its conditions, counts and worth."""
    return {
        "estimate": rules.estimate,
        "rules": [
            {
                "if": [_as_data(condition, rules.schema) for condition in rule.conditions],
                "then": rules.classes[rule.label],
                "rows": rule.rows,
                "errors": rule.errors,
                "worth": rule.worth,
            }
            for rule in rules.rules
        ],
        "default": rules.classes[rules.default],
    }


def _as_data(condition: Condition, schema: Schema) -> dict[str, Any]:
    name, _, texts = schema.columns[condition.column]
    if condition.kind != "in":
        return {"column": name, "test": condition.kind, "number": condition.number}
    return {"column": name, "test": "in", "values": [texts[code] for code in condition.codes]}
