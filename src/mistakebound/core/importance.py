"""How much a row counts: its example weight times the cost of its label."""

from __future__ import annotations

from array import array
from math import isfinite

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import meaning
from mistakebound.kernels import tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.labels import Labels

ALL_ONE = array("d")
NO_COSTS = 1.0, 1.0


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


def refuse_weights(block: Block, codes: Ints) -> None:
    """For a learner that gives weights no meaning: rows with another weight than 1 become bad ones (code -1)."""
    if block.weights is None:
        return
    weights: Any = memoryview(block.weights)[: block.rows]
    if weights.tolist().count(1.0) < block.rows:
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
    return f"weight must be 1, {taker} gives no meaning to another: {weight!r}"
