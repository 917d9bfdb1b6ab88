"""How much an example counts: its own weight times the cost of a mistake on its label.

This is the one place where weights and costs become a number for each row, the importance of the row.  What a learner
does with it is said in its docstring and proved in docs/theorems.md; the ledger adds it up beside its counts.
"""

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

    from mistakebound.core.buffers import Floats, Ints

ALL_ONE = array("d")
NO_COSTS = array("d")
_LARGEST_WHOLE = 1 << 20  # of a weight that must be a whole number: sums of them stay exact


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


def set_costs(learner: Any, costs: Mapping[Any, Any] | None, option: str = "cost") -> Any:
    """The learner, which is new, with costs of mistakes on labels; BadParameter where it cannot have them.

    >>> import mistakebound as mb
    >>> set_costs(mb.AROW(), {"spam": 5}).costs
    {'spam': 5.0}
    """
    checked = check_costs(costs)
    if checked:
        said = ", ".join(f"{label}={cost:g}" for label, cost in checked.items())
        if not learner.weighted or learner.takes != "rows":
            raise BadParameter(f"{learner.name} does not support {option}: {said}")
        if learner.whole_weights:
            for label, cost in checked.items():
                if not is_whole(cost):
                    raise BadParameter(f"{learner.name} takes whole costs up to {_LARGEST_WHOLE:,}: {label}={cost:g}")
        learner.costs = checked
    return learner


def costs_by_code(costs: dict[Any, float], labels: Any) -> array[float]:
    """The cost of each label by its code; once all labels are known, BadData for the cost of another."""
    values = labels.values
    by_code = array("d", (1.0,)) * len(values)
    codes = {meaning(label): code for code, label in enumerate(values)}
    for label, cost in costs.items():
        code = codes.get(meaning(label))
        if code is not None:
            by_code[code] = cost
        elif labels.settled:
            from mistakebound.core.many_labels import listed

            raise BadData(f"cost is given for {label!r}, which is not a label; the labels are {listed(labels)}")
    return by_code


def importance_of(weights: Floats | None, codes: Ints, first: int, count: int, costs: array[float]) -> Floats:
    """How much the rows first, first+1, ... count; empty when all count 1."""
    part: Any = ALL_ONE if weights is None else memoryview(weights)[first : first + count]
    if not len(costs):
        return part  # type: ignore[no-any-return]
    out = array("d", bytes(8 * count))
    labels = array("i", memoryview(codes)[first : first + count].tolist())
    if tally.importance(part, labels, costs, out) < 0:
        raise AssertionError("buffers do not fit together")
    return out


def importance_of_one(learner: Any, label: Any, weight: float) -> float:
    """How much one example counts.

    >>> import mistakebound as mb
    >>> importance_of_one(mb.AROW(costs={"spam": 5}), "spam", 2.0)
    10.0
    """
    said = meaning(label)
    return weight * next((cost for other, cost in learner.costs.items() if meaning(other) == said), 1.0)


def refuse_weights(learner: Any, given: Floats, rows: int, codes: Ints) -> None:
    """Rows with a weight that the learner gives no meaning become bad ones (code -1)."""
    weights: list[float] = memoryview(given)[:rows].tolist()  # type: ignore[assignment]
    if weights.count(1.0) < rows:
        for row, weight in enumerate(weights):
            if weight != 1.0 and not takes(learner, weight):
                codes[row] = -1


def takes(learner: Any, weight: float) -> bool:
    """Whether a weight > 0 has a meaning for a learner."""
    return weight == 1.0 or (learner.weighted and (not learner.whole_weights or is_whole(weight)))


def is_whole(weight: float) -> bool:
    return weight.is_integer() and weight <= _LARGEST_WHOLE


def check_weight(learner: Any, weight: Any) -> float:
    """The weight of an example as a float; BadParameter for an invalid one, or one that the learner cannot take."""
    number = _positive(weight)
    if number is None and learner.weighted:
        raise BadParameter(f"weight must be a number > 0: {weight!r}")
    if number is None or not takes(learner, number):
        raise BadParameter(no_meaning(learner, weight))
    return number


def no_meaning(learner: Any, weight: Any) -> str:
    if learner.weighted:
        return f"{learner.name} takes whole weights up to {_LARGEST_WHOLE:,}: {weight!r}"
    return f"{learner.name} does not support a weight other than 1: {weight!r}"


def _positive(value: Any) -> float | None:
    """A number above 0 as a float: Python's, a fraction, a decimal number, NumPy's; None for anything else."""
    if isinstance(value, (str, bytes)) or type(value).__name__ in ("bool", "bool_") or getattr(value, "ndim", None):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number > 0 and isfinite(number) else None
