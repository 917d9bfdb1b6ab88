"""Rule post-pruning (M §3.2, Theorem 3.4; row R8): one rule a path, each pruned by itself, sorted by what it is worth.

The worth of a rule is its accuracy on the rows that it covers: as estimated pessimistically on the training rows
(C4.5's upper limit of the error, `_pessimistic.py`), or as seen on a validation set. Conditions go one at a time, the
one first without which the rule is worth most, as long as the worth does not fall. The rules are sorted by their worth;
then those go that are not worth their description (`_sift.py`), and one class is for the rows that no rule is for. A
missing value meets no condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.learners.tree._pessimistic import additional_errors_of_one, deviation
from mistakebound.learners.tree._rule_selection import needed
from mistakebound.learners.tree.rule_words import number_text, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mistakebound.core.table import Schema, Table
    from mistakebound.learners.tree.flat_tree import FlatTree

_CACHE = 1 << 28  # bytes of remembered conditions, at most


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of one column: "<=" or ">" a number, or "in" some of a nominal column's values."""

    column: int
    kind: str
    number: float = 0.0
    codes: tuple[int, ...] = ()

    def holds(self, table: Table) -> NDArray[np.bool_]:
        """For every row whether it meets the condition."""
        data: NDArray[Any] = table.columns[self.column].data
        if self.kind == "<=":
            return np.asarray(data <= self.number)
        if self.kind == ">":
            return np.asarray(data > self.number)
        return np.asarray(data == self.codes[0]) if len(self.codes) == 1 else np.isin(data, self.codes)

    def text(self, schema: Schema) -> str:
        name, _, texts = schema.columns[self.column]
        if self.kind != "in":
            return f"{name} {self.kind} {number_text(self.number)}"
        if len(self.codes) == 1:
            return f"{name} = {texts[self.codes[0]]}"
        return f"{name} in ({', '.join(texts[code] for code in self.codes)})"


@dataclass(frozen=True, slots=True)
class Rule:
    """IF all conditions THEN the class; how many rows it covers, on how many of them it errs, what it is worth."""

    conditions: tuple[Condition, ...]
    label: int
    rows: int
    errors: int
    worth: float


def paths(tree: FlatTree, schema: Schema) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """The conditions and the class of every leaf that training rows came to, the first branch first."""
    waiting: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if tree.arity[node]:
            for branch in reversed(range(int(tree.arity[node]))):
                more = _condition(tree, node, branch, schema)
                waiting.append((int(tree.first[node]) + branch, _joined(conditions, more)))
        elif tree.counts[node].sum() > 0:
            yield conditions, int(tree.label[node])


def _condition(tree: FlatTree, node: int, branch: int, schema: Schema) -> Condition:
    column = int(tree.column[node])
    if schema.columns[column][1] == "numeric":
        return Condition(column, ("<=", ">")[branch], float(tree.threshold[node]))
    return Condition(column, "in", codes=values_of(tree, node, branch, schema))


def _joined(conditions: tuple[Condition, ...], more: Condition) -> tuple[Condition, ...]:
    """With one more condition; two of one kind on one column become one: age <= 40, then age <= 30."""
    same = next((known for known in conditions if (known.column, known.kind) == (more.column, more.kind)), None)
    if same is None:
        return (*conditions, more)
    if more.kind == "in":
        more = Condition(more.column, "in", codes=tuple(code for code in more.codes if code in same.codes))
    return (*(known for known in conditions if known is not same), more)


class Worth:
    """Counts the rows that sets of conditions cover, as bits, and says what rules are worth."""

    def __init__(self, table: Table, codes: NDArray[np.int32], classes: int, confidence: float | None) -> None:
        self.rows = table.rows
        self.confidence = confidence  # None: accuracy as it is seen
        self.of_class = [_bits(codes == place) for place in range(classes)]
        self.everyone = (1 << table.rows) - 1
        remembered = max(64, _CACHE // max(1, table.rows // 8))
        self.bits = lru_cache(remembered)(lambda condition: _bits(condition.holds(table)))

    def covered(self, conditions: Sequence[Condition]) -> int:
        rows = self.everyone
        for condition in conditions:
            rows &= self.bits(condition)
        return rows

    def count(self, rows: int, label: int) -> tuple[int, int]:
        """How many rows these bits are, and how many of them are of another class."""
        covered = rows.bit_count()
        return covered, covered - (rows & self.of_class[label]).bit_count()

    def of(self, rows: int, errors: int) -> float:
        """What a rule is worth that covers so many rows and errs on so many of them; nothing where it covers none."""
        if not rows:
            return 0.0
        added = 0.0 if self.confidence is None else additional_errors_of_one(rows, errors, self.confidence)
        return 1 - (errors + added) / rows

    def pruned(self, conditions: tuple[Condition, ...], label: int) -> Rule:
        """The rule without the conditions that do not make it worth more."""
        counts = self.count(self.covered(conditions), label)
        worth = self.of(*counts)
        while conditions and counts[0]:
            options = [self.count(rows, label) for rows in self._without(conditions)]
            values = [self.of(*option) for option in options]
            best = values.index(max(values))
            if values[best] < worth:
                break
            conditions = conditions[:best] + conditions[best + 1 :]
            counts, worth = options[best], values[best]
        return Rule(conditions, label, *counts, worth)

    def _without(self, conditions: tuple[Condition, ...]) -> list[int]:
        """For each condition the rows that meet all others."""
        after = [self.everyone]
        for condition in reversed(conditions):
            after.append(after[-1] & self.bits(condition))
        before, found = self.everyone, []
        for place, condition in enumerate(conditions):
            found.append(before & after[len(conditions) - 1 - place])
            before &= self.bits(condition)
        return found


def _bits(rows: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")


class RuleList:
    """Rules in order: the first whose conditions a row meets says its class; `default` when none does."""

    def __init__(
        self, rules: tuple[Rule, ...], default: int, schema: Schema, classes: tuple[Any, ...], estimate: str
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
        from mistakebound.io.frame import table_of

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
            meets = found < 0
            for condition in rule.conditions:
                meets &= condition.holds(table)
            found[meets] = rule.label
        return np.where(found < 0, np.int32(self.default), found)

    def __str__(self) -> str:
        from mistakebound.learners.tree._rule_text import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return f"<{len(self.rules)} rules, otherwise {self.classes[self.default]!r}>"

    def python(self, name: str = "classify") -> str:
        """The rules as the source of a Python function that takes a row as a dict."""
        from mistakebound.learners.tree._rule_text import as_python

        return as_python(self, name)

    def sql(self) -> str:
        """The rules as an SQL expression, CASE WHEN ... END, over columns of the same names."""
        from mistakebound.learners.tree._rule_text import as_sql

        return as_sql(self)

    def as_json(self) -> dict[str, Any]:
        """The rules as data."""
        from mistakebound.learners.tree._rule_text import as_json

        return as_json(self)


def post_pruned(
    tree: FlatTree,
    table: Table,
    codes: NDArray[np.int32],
    classes: tuple[Any, ...],
    *,
    confidence: float = 0.25,
    validation: tuple[Table, NDArray[np.int32]] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> RuleList:
    """The rules of a tree, pruned and sorted, on its training rows; by a validation set where one is given.

    `watch(done, of)` hears how many paths have become rules.
    """
    schema = table.schema
    if validation is None:
        worth = Worth(table, codes, len(classes), confidence)
        estimate = f"pessimistic, confidence {confidence:g} (z = {deviation(confidence):.4g})"
    else:
        worth = Worth(*validation, len(classes), None)
        estimate = f"accuracy on {validation[0].rows:,} validation rows"
    found: dict[tuple[frozenset[Condition], int], Rule] = {}
    for done, (conditions, label) in enumerate(paths(tree, schema)):
        if watch is not None:
            watch(done, tree.leaves)
        rule = worth.pruned(conditions, label)
        if rule.conditions:
            found.setdefault((frozenset(rule.conditions), label), rule)
    ordered = sorted(found.values(), key=lambda rule: (-rule.worth, -rule.rows))
    kept, default = needed(ordered, table, codes, len(classes))
    return RuleList(kept, default, schema, classes, estimate)
