"""A list of rules: what it predicts, and the rules as IF/THEN, as Python, as SQL and as data.

Names and values are quoted as each language wants it.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import sql_name, sql_value, visible
from mistakebound.io.frame import table_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table
    from mistakebound.learners.tree.rules import RuleTest, TreeRule

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


class TreeRuleList:
    """Rules in order: the first whose conditions a row meets says its class; `default` when none does."""

    def __init__(
        self, rules: tuple[TreeRule, ...], default: int, schema: Schema, classes: tuple[Any, ...], estimate: str
    ) -> None:
        self.rules = rules
        self.default = default
        self.schema = schema
        self.classes = classes
        self.estimate = estimate  # how the worth of rules was measured, in words
        self.label: str | None = None  # the column of labels, which may stand in a table to be predicted

    def __len__(self) -> int:
        return len(self.rules)

    def predict_many(self, X: Any) -> list[Any]:
        """The class of every row of a table."""
        spare = () if self.label is None else (self.label,)
        table = table_of(X, like=self.schema, spare=spare, asked=self.asked)
        return [self.classes[code] for code in self.codes(table).tolist()]

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that a rule tests."""
        tested = {condition.column for rule in self.rules for condition in rule.conditions}
        return tuple(name for place, name in enumerate(self.schema.names) if place in tested)

    def codes(self, table: Table) -> NDArray[np.int32]:
        """The number of the class of every row."""
        found = np.full(table.rows, -1, dtype=np.int32)
        for rule in self.rules:
            found[(found < 0) & rule.covers(table)] = rule.label
        return np.where(found < 0, np.int32(self.default), found)

    def __repr__(self) -> str:
        return f"<{len(self.rules)} rules, otherwise {self.classes[self.default]!r}>"

    def __str__(self) -> str:
        """IF and THEN: one rule a paragraph, with what it is worth."""
        lines = []
        for rule in self.rules:
            tests = "\n   AND ".join(visible(condition.text(self.schema)) for condition in rule.conditions)
            missed = f", {rule.errors:,} wrong" if rule.errors else ""
            share = f"{100 * rule.worth:.1f} %"
            lines.append(
                f"IF {tests}\n  THEN {visible(str(self.classes[rule.label]))}  ({rule.rows:,} rows{missed}; {share})"
            )
        lines.append(f"{'OTHERWISE ' if lines else ''}{visible(str(self.classes[self.default]))}")
        return "\n".join(lines)

    def python(self, name: str = "classify") -> str:
        """The source of a Python function of a row as a dict; a missing value is None or not there."""
        if not name.isidentifier() or iskeyword(name):
            raise BadParameter(f"name must be one that a Python function can have: {name!r}")
        nominal = {condition.kind == "in" for rule in self.rules for condition in rule.conditions}
        lines = [f"def {name}(row):\n", _TEXT if True in nominal else "", _NUMBER if False in nominal else ""]
        for rule in self.rules:
            tests = [_in_python(condition, self.schema) for condition in rule.conditions]
            joined = " and ".join(tests)
            if len(joined) > 100:
                joined = "(\n        " + "\n        and ".join(tests) + "\n    )"
            lines.append(f"    if {joined}:\n        return {self.classes[rule.label]!r}\n")
        lines.append(f"    return {self.classes[self.default]!r}\n")
        return "".join(lines)

    def sql(self) -> str:
        """An SQL expression, CASE WHEN ... END, names in double and texts in single quotes; NULL meets no condition."""
        default = sql_value(self.classes[self.default])
        if not self.rules:
            return default
        lines = ["CASE"]
        for rule in self.rules:
            tests = " AND ".join(_in_sql(condition, self.schema) for condition in rule.conditions)
            lines.append(f"  WHEN {tests} THEN {sql_value(self.classes[rule.label])}")
        return "\n".join([*lines, f"  ELSE {default}", "END"])

    def as_json(self) -> dict[str, Any]:
        """What a program wants to read: every rule with its conditions, counts and worth."""
        return {
            "estimate": self.estimate,
            "rules": [
                {
                    "if": [_as_data(condition, self.schema) for condition in rule.conditions],
                    "then": self.classes[rule.label],
                    "rows": rule.rows,
                    "errors": rule.errors,
                    "worth": rule.worth,
                }
                for rule in self.rules
            ],
            "default": self.classes[self.default],
        }


def _in_python(condition: RuleTest, schema: Schema) -> str:
    name, _, texts = schema.columns[condition.column]
    if condition.kind != "in":
        return f"number({name!r}) {condition.kind} {condition.number!r}"
    values = tuple(texts[code] for code in condition.codes)
    return f"text({name!r}) == {values[0]!r}" if len(values) == 1 else f"text({name!r}) in {values!r}"


def _in_sql(condition: RuleTest, schema: Schema) -> str:
    name, _, texts = schema.columns[condition.column]
    quoted = sql_name(name)
    if condition.kind != "in":
        return f"{quoted} {condition.kind} {condition.number!r}"
    values = [sql_value(texts[code]) for code in condition.codes]
    return f"{quoted} = {values[0]}" if len(values) == 1 else f"{quoted} IN ({', '.join(values)})"


def _as_data(condition: RuleTest, schema: Schema) -> dict[str, Any]:
    name, _, texts = schema.columns[condition.column]
    if condition.kind != "in":
        return {"column": name, "test": condition.kind, "number": condition.number}
    return {"column": name, "test": "in", "values": [texts[code] for code in condition.codes]}
