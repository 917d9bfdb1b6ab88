"""Which rules of a sorted list are needed (as C4.5 sifts its rules, by description length), and the class of the rest.

Bits of a rule: log2(classes) for its class, log2(columns) for how many conditions it has; for every condition
log2(columns), and log2(values) for one value of a nominal column, values - 1 for a set of them, 1 + log2(thresholds)
for a number; less log2(k!) for k conditions, whose order says nothing. Bits of e exceptions among n rows: log2(n + 1),
log2 of (n choose e), and e log2(classes - 1) for their classes. The rules of one tree say much twice, so that a quarter
of their bits counts (C4.5 counts half, of rules that it chooses class by class).
"""

from __future__ import annotations

from math import lgamma, log, log2
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mistakebound.core.table import Table
    from mistakebound.learners.tree.rules import Rule

_COUNTS = 0.25  # of a rule's bits


def needed(
    ordered: Sequence[Rule], table: Table, codes: NDArray[np.int32], classes: int
) -> tuple[tuple[Rule, ...], int]:
    """The rules that are worth their bits, and the class of rows that none of them is for.

    From the last to the first a rule goes unless the rows that come to it have so many more exceptions without it, by
    the rules behind it, that they cost more bits than the rule. So it is tried with every class as the last word; the
    fewest bits decide, then the fewest rules, then the order of classes.
    """
    covers = [_covered(rule, table) for rule in ordered]
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
    best: tuple[float, int, tuple[Rule, ...], int] | None = None
    for default in range(classes):
        right = codes == default
        errors = table.rows - sum(right_by_rule) - int(np.count_nonzero(right[by_rule[ends[-1] :]]))
        kept: list[Rule] = []
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


def _rule_bits(rules: Sequence[Rule], table: Table, classes: int) -> list[float]:
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


def _covered(rule: Rule, table: Table) -> NDArray[np.intp]:
    """The numbers of the rows that meet all conditions."""
    rows = np.ones(table.rows, dtype=np.bool_)
    for condition in rule.conditions:
        rows &= condition.holds(table)
    return np.flatnonzero(rows)
