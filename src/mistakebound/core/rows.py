"""Rows whose attributes have their slots, which the learning kernels take; and how much each row counts.

That is its example weight times the cost of its label.
"""

from __future__ import annotations

from array import array
from math import isfinite

from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import meaning
from mistakebound.kernels import sorting, tally
from mistakebound.kernels.slots import shift, without_zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.labels import Labels


ALL_ONE = array("d")
NO_COSTS = 1.0, 1.0


class Rows:
    """`count` rows; row r has the entries indptr[r] .. indptr[r+1]-1 of `slots` and `values` (None: all ones)."""

    __slots__ = ("base", "count", "entering", "importance", "indptr", "ordered", "slots", "table", "values", "zeros")

    def __init__(
        self, count: int, indptr: Ints, slots: Ints, values: Floats | None, ordered: bool, table: AttributeTable
    ) -> None:
        self.count = count
        self.indptr = indptr  # 'q'
        self.slots = slots  # 'I'
        self.base = 0  # what is still to be added to each of them
        self.values = values  # 'd'
        self.ordered = ordered  # true: the keys of every row are known to ascend
        self.table = table
        self.entering = False  # small ids in ascending order, some of which may still have to enter the table
        self.zeros = False  # some values may be 0, for learners that have a use for it
        self.importance: Floats = ALL_ONE  # 'd': how much a row counts in learning; empty: 1 each

    @property
    def widest(self) -> int:
        """No row has more entries than this."""
        return self.indptr[self.count] - self.indptr[0]

    def without_zeros(self) -> Rows:
        """The same rows for a learner to which a 0 is an absent attribute."""
        if not self.zeros or self.values is None:
            return self
        entries = self.indptr[self.count] - self.indptr[0]
        out: tuple[Any, Any, Any] = zeros("q", self.count + 1), zeros("I", entries), zeros("d", entries)
        if not without_zeros(self.indptr, self.slots, self.values, self.count, *out):
            raise AssertionError("rows have fewer values than entries")
        indptr, slots, values = out
        ones = values[: indptr[self.count]].tolist().count(1.0) == indptr[self.count]
        rows = Rows(self.count, indptr, slots, None if ones else values, self.ordered, self.table)
        rows.base, rows.importance = self.base, self.importance
        return rows

    def absolute(self) -> Rows:
        """The same rows with `base` in their slots, for kernels that know nothing of it."""
        if not self.base:
            return self
        count = self.indptr[self.count]
        slots = zeros("I", count)
        if not shift(self.slots, count, self.base, slots):
            raise AssertionError("rows have fewer slots than entries")
        rows = Rows(self.count, self.indptr, slots, self.values, self.ordered, self.table)
        rows.zeros = self.zeros
        return rows

    def in_key_order(self) -> Rows:
        """Rows of ones whose keys ascend: sums over them do not depend on the order of the input."""
        if self.ordered:
            return self
        if self.values is not None:
            raise ValueError("only rows of ones can be put in order")
        slots = zeros("I", self.indptr[self.count])
        table, scratch = self.table, self.table.scratch(self.widest)
        if sorting.sort_rows(self.indptr, self.slots, self.count, table.dense, table.extra_keys, *scratch, slots) < 0:
            raise AssertionError("buffers do not fit together")
        rows = Rows(self.count, self.indptr, slots, None, True, table)
        rows.base = self.base
        return rows


def attributes_after(rows: Rows, played: int, before: int) -> int:
    """How many attributes had appeared after the first `played` rows, of `before` that had before them."""
    new = rows.table.slots()[before:]
    appeared = {rows.base + slot for slot in rows.slots[rows.indptr[0] : rows.indptr[played]]}
    return before + sum(1 for slot in new if slot in appeared)


def check_costs(costs: Mapping[Any, Any] | None) -> dict[Any, float]:
    """Label -> cost, as given; BadParameter for what is no cost.

    >>> check_costs({"spam": 5})
    {'spam': 5.0}
    """
    checked = {}
    for label, cost in (costs or {}).items():
        number = _positive(cost)
        if number is None:
            raise BadParameter(f"the cost of {label!r} must be a number > 0: {cost!r}")
        checked[label] = number
    return checked


def costs_by_code(costs: dict[Any, float], labels: Labels) -> tuple[float, float]:
    """(cost of the negative label, of the positive one); once both are known, BadData for the cost of a third."""
    by_code = [1.0, 1.0]
    negative, positive = meaning(labels.values[0]), meaning(labels.values[1])
    for label, cost in costs.items():
        if meaning(label) in (negative, positive):
            by_code[meaning(label) == positive] = cost
        elif labels.settled:
            raise BadData(
                f"there is a cost for the label {label!r}: the labels are {labels.text(0)} and {labels.text(1)}"
            )
    return by_code[0], by_code[1]


def importance_of(weights: Floats | None, codes: Ints, first: int, count: int, costs: tuple[float, float]) -> Floats:
    """How much the rows first, first+1, ... count; empty when all count 1."""
    if weights is None and costs == NO_COSTS:
        return ALL_ONE
    out = array("d", bytes(8 * count))
    part: Any = ALL_ONE if weights is None else memoryview(weights)[first : first + count]
    if tally.importance(part, memoryview(codes)[first : first + count], costs[0], costs[1], out) < 0:
        raise AssertionError("buffers do not fit together")
    return out


def refuse_weights(given: Floats, rows: int, codes: Ints) -> None:
    """For a learner that gives weights no meaning: rows with another weight than 1 become bad ones (code -1)."""
    weights: Any = memoryview(given)[:rows]
    if weights.tolist().count(1.0) < rows:
        for row, weight in enumerate(weights):
            if weight != 1.0:
                codes[row] = -1


def check_weight(weight: Any) -> float:
    number = _positive(weight)
    if number is None:
        raise BadParameter(f"weight must be a number > 0: {weight!r}")
    return number


def _positive(value: Any) -> float | None:
    """A number above 0 as a float: Python's, a fraction, a decimal number, NumPy's; None for anything else."""
    if isinstance(value, (str, bytes)) or type(value).__name__ in ("bool", "bool_") or getattr(value, "ndim", None):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number > 0 and isfinite(number) else None


def no_meaning(taker: str, weight: Any) -> str:
    return f"{taker} does not support a weight other than 1: {weight!r}"
