"""Rule post-pruning: one rule a path, each pruned by itself, sorted by worth, those gone that are not worth their bits.

The worth of a rule is its accuracy on the rows that it covers: as estimated pessimistically on the training rows
(C4.5's upper limit of the error, `_prune.py`), or as seen on a validation set. Conditions go one at a time, the one
first without which the rule is worth most, as long as the worth does not fall. The rules are sorted by their worth;
then those go that are not worth their description (as C4.5 sifts its rules), and one class is for the rows that no rule
is for. A missing value meets no condition. With `every_path` the rule of every path stays, only conditions go without
which a rule is worth more, and the last word is the commonest class of the rows that no rule is for, or of all rows.

Bits of a rule: log2(classes) for its class, log2(columns) for how many conditions it has; for every condition
log2(columns), and log2(values) for one value of a nominal column, values - 1 for a set of them, 1 + log2(thresholds)
for a number; less log2(k!) for k conditions, whose order says nothing. Bits of e exceptions among n rows: log2(n + 1),
log2 of (n choose e), and e log2(classes - 1) for their classes. The rules of one tree say much twice, so that a quarter
of their bits counts (C4.5 counts half, of rules that it chooses class by class).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.concepts.bits import pack_array
from mistakebound.learners.tree._prune import additional_errors_of_one, deviation
from mistakebound.learners.tree.rule_list import TreeRuleList
from mistakebound.learners.tree.table_text import number_text, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table
    from mistakebound.learners.tree.flat_tree import FlatTree

_CACHE = 1 << 28  # bytes of remembered conditions, at most
_COUNTS = 0.25  # of a rule's bits


@dataclass(frozen=True, slots=True)
class RuleTest:
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
class TreeRule:
    """IF all conditions THEN the class; how many rows it covers, on how many of them it errs, what it is worth."""

    conditions: tuple[RuleTest, ...]
    label: int
    rows: int
    errors: int
    worth: float

    def covers(self, table: Table) -> NDArray[np.bool_]:
        """For every row whether it meets all conditions."""
        rows = np.ones(table.rows, dtype=np.bool_)
        for condition in self.conditions:
            rows &= condition.holds(table)
        return rows


def paths(tree: FlatTree, schema: Schema) -> Iterator[tuple[tuple[RuleTest, ...], int]]:
    """The conditions and the class of every leaf that training rows came to, the first branch first."""
    waiting: list[tuple[int, tuple[RuleTest, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if tree.arity[node]:
            for branch in reversed(range(int(tree.arity[node]))):
                more = _condition(tree, node, branch, schema)
                waiting.append((int(tree.first[node]) + branch, _joined(conditions, more)))
        elif tree.counts[node].sum() > 0:
            yield conditions, int(tree.label[node])


def _condition(tree: FlatTree, node: int, branch: int, schema: Schema) -> RuleTest:
    column = int(tree.column[node])
    if schema.columns[column][1] == "numeric":
        return RuleTest(column, ("<=", ">")[branch], float(tree.threshold[node]))
    return RuleTest(column, "in", codes=values_of(tree, node, branch, schema))


def _joined(conditions: tuple[RuleTest, ...], more: RuleTest) -> tuple[RuleTest, ...]:
    """With one more condition; two of one kind on one column become one: age <= 40, then age <= 30."""
    same = next((known for known in conditions if (known.column, known.kind) == (more.column, more.kind)), None)
    if same is None:
        return (*conditions, more)
    if more.kind == "in":
        more = RuleTest(more.column, "in", codes=tuple(code for code in more.codes if code in same.codes))
    return (*(known for known in conditions if known is not same), more)


class Worth:
    """Counts the rows that sets of conditions cover, as bits, and says what rules are worth."""

    def __init__(self, table: Table, codes: NDArray[np.int32], classes: int, confidence: float | None) -> None:
        self.rows = table.rows
        self.confidence = confidence  # None: accuracy as it is seen
        self.of_class = [pack_array(codes == place) for place in range(classes)]
        self.everyone = (1 << table.rows) - 1
        remembered = max(64, _CACHE // max(1, table.rows // 8))
        self.bits = lru_cache(remembered)(lambda condition: pack_array(condition.holds(table)))

    def covered(self, conditions: Sequence[RuleTest]) -> int:
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

    def pruned(self, conditions: tuple[RuleTest, ...], label: int, *, only_better: bool = False) -> TreeRule:
        """The rule without the conditions that add nothing to its worth; with `only_better`, that take from it."""
        counts = self.count(self.covered(conditions), label)
        worth = self.of(*counts)
        while conditions and counts[0]:
            options = [self.count(rows, label) for rows in self._without(conditions)]
            values = [self.of(*option) for option in options]
            best = values.index(max(values))
            if values[best] < worth or (only_better and values[best] == worth):
                break
            conditions = conditions[:best] + conditions[best + 1 :]
            counts, worth = options[best], values[best]
        return TreeRule(conditions, label, *counts, worth)

    def _without(self, conditions: tuple[RuleTest, ...]) -> list[int]:
        """For each condition the rows that meet all others."""
        after = [self.everyone]
        for condition in reversed(conditions):
            after.append(after[-1] & self.bits(condition))
        before, found = self.everyone, []
        for place, condition in enumerate(conditions):
            found.append(before & after[len(conditions) - 1 - place])
            before &= self.bits(condition)
        return found


def post_pruned(
    tree: FlatTree,
    table: Table,
    codes: NDArray[np.int32],
    classes: tuple[Any, ...],
    *,
    confidence: float = 0.25,
    validation: tuple[Table, NDArray[np.int32]] | None = None,
    every_path: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> TreeRuleList:
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
    found: dict[Any, TreeRule] = {}
    for done, (conditions, label) in enumerate(paths(tree, schema)):
        if watch is not None:
            watch(done, tree.leaves)
        rule = worth.pruned(conditions, label, only_better=every_path)
        if rule.conditions or every_path:
            found.setdefault(done if every_path else (frozenset(rule.conditions), label), rule)
    ordered = sorted(found.values(), key=lambda rule: (-rule.worth, -rule.rows))
    if every_path:
        kept = tuple(ordered)
        left = TreeRuleList(kept, -1, schema, classes, estimate).codes(table) < 0
        default = int(np.bincount(codes[left] if left.any() else codes, minlength=len(classes)).argmax())
    else:
        kept, default = needed(ordered, table, codes, len(classes))
    return TreeRuleList(kept, default, schema, classes, estimate)


def needed(
    ordered: Sequence[TreeRule], table: Table, codes: NDArray[np.int32], classes: int
) -> tuple[tuple[TreeRule, ...], int]:
    """The rules that are worth their bits, and the class of rows that none of them is for.

    From the last to the first a rule goes unless the rows that come to it have so many more exceptions without it, by
    the rules behind it, that they cost more bits than the rule. So it is tried with every class as the last word; the
    fewest bits decide, then the fewest rules, then the order of classes.
    """
    covers = [np.flatnonzero(rule.covers(table)) for rule in ordered]
    comes = np.full(table.rows, len(ordered))  # the first rule for each row
    for place in reversed(range(len(ordered))):
        comes[covers[place]] = place
    by_rule = np.argsort(comes, kind="stable")
    ends = np.searchsorted(comes[by_rule], np.arange(len(ordered) + 1))
    coming = [by_rule[ends[place] : ends[place + 1]] for place in range(len(ordered))]
    right_by_rule = [
        int(np.count_nonzero(codes[rows] == rule.label)) for rows, rule in zip(coming, ordered, strict=True)
    ]
    bits = _rule_bits(ordered, table, classes)
    best: tuple[float, int, tuple[TreeRule, ...], int] | None = None
    for default in range(classes):
        right = codes == default
        errors = table.rows - sum(right_by_rule) - int(np.count_nonzero(right[by_rule[ends[-1] :]]))
        kept: list[TreeRule] = []
        spent = 0.0
        for place in reversed(range(len(ordered))):
            rule = ordered[place]
            more = right_by_rule[place] - int(np.count_nonzero(right[coming[place]]))
            saved = exception_bits(table.rows, errors + more, classes) - exception_bits(table.rows, errors, classes)
            if more > 0 and saved > bits[place]:
                kept.append(rule)
                spent += bits[place]
                right[covers[place]] = codes[covers[place]] == rule.label
            else:
                errors += more
        total = spent + exception_bits(table.rows, errors, classes)
        if best is None or (total, len(kept)) < best[:2]:
            best = total, len(kept), tuple(reversed(kept)), default
    assert best is not None
    return best[2], best[3]


def exception_bits(rows: int, errors: int, classes: int) -> float:
    """What it costs to say which rows a list of rules is wrong about, and what they are."""
    which = (lgamma(rows + 1) - lgamma(errors + 1) - lgamma(rows - errors + 1)) / log(2)
    return log2(rows + 1) + which + errors * log2(max(1, classes - 1))


def _rule_bits(rules: Sequence[TreeRule], table: Table, classes: int) -> list[float]:
    """What each rule costs, the quarter that counts."""
    columns = log2(len(table.columns))
    thresholds = {
        place: log2(max(1, len(np.unique(column.data[~column.missing])) - 1))
        for place, column in enumerate(table.columns)
        if not column.nominal
    }
    found = []
    for rule in rules:
        bits = log2(classes) + columns - lgamma(len(rule.conditions) + 1) / log(2)
        for condition in rule.conditions:
            values = len(table.columns[condition.column].values)
            if condition.kind != "in":
                bits += columns + 1 + thresholds[condition.column]
            else:
                bits += columns + (log2(values) if len(condition.codes) == 1 else values - 1)
        found.append(_COUNTS * max(0.0, bits))
    return found
