"""AROW's state with a diagonal covariance: a weight, a variance and a sum of c*y*x for each attribute."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import InOrder, all_finite, taken, zeros
from mistakebound.kernels import arow as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

_NO_VALUES = array("d")
_SCALARS = 6


class Diagonal:
    """The variance of an attribute is 1 / (1 + spent); an update spends at most c*x^2/r."""

    log_det: float | None = None  # of a full matrix only

    def __init__(self, r: float, biased: bool) -> None:
        self._r, self._biased = r, biased
        self._weights: memoryview[float]
        self._spent: memoryview[float]
        self._weights, self._spent, self._sums = (zeros("d", 0) for _ in range(3))
        self._scalars, self.row = array("d", bytes(8 * _SCALARS)), array("q", [0])

    def run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> tuple[int, bool]:
        """The row at which it stopped, and whether that was for want of a place for an attribute."""
        table, base = rows.table, rows.base
        status = kernel.run(
            rows.slots, rows.values if rows.values is not None else _NO_VALUES, rows.indptr, rows.ordered, labels,
            rows.importance, rows.count, self._weights[base:], self._spent[base:], self._sums[base:], self._scalars,
            self._r, self._biased, learn, predictions, scores, table.dense, table.extra_keys,
            *table.scratch(rows.widest), table.buffer("products", "d", rows.widest), self.row,
        )  # fmt: skip
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self.row[kernel.ROW], False

    def move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return [(setattr, self, name, moved(getattr(self, name))) for name in ("_weights", "_spent", "_sums")]

    # What it has learned.

    @property
    def used(self) -> bool:
        return any(self._scalars) or any(self._spent)  # sums may come back to 0

    @property
    def bias(self) -> float:
        return self._scalars[kernel.BIAS]

    @property
    def extra(self) -> float:
        return self._scalars[kernel.EXTRA]

    @property
    def weights_of_mistakes(self) -> tuple[float, float]:
        """The smallest and the largest; 1 where there was no mistake."""
        return self._scalars[kernel.LEAST] or 1.0, self._scalars[kernel.MOST] or 1.0

    def weight(self, slot: int) -> float:
        return self._weights[slot]

    def variance(self, slot: int) -> float:
        return 1.0 / (1.0 + self._spent[slot])

    def weights_of(self, slots: Ints) -> Floats:
        return taken(self._weights, slots)

    def energy(self, attributes: AttributeTable) -> tuple[float, float]:
        """(s.s, s'(B^-1)s) for s the sum of c*y*x over the updates and B = r times the inverse of the covariance."""
        sums, spent = array("d", attributes.in_order(self._sums)), array("d", attributes.in_order(self._spent))
        sums.append(self._scalars[kernel.BIAS_SUM])
        spent.append(self._scalars[kernel.BIAS_SPENT])
        return kernel.energy(sums, array("d", bytes(8 * len(sums)))), kernel.energy(sums, spent) / self._r

    def form(self, attributes: AttributeTable) -> Any:
        """A hashable value, equal for equal covariances whatever the order of the attributes."""
        spent = zip(attributes.names(), attributes.in_order(self._spent), strict=True)
        return self._scalars[kernel.BIAS_SPENT], frozenset((name, number) for name, number in spent if number)

    # Model files.

    def arrays(self, attributes: AttributeTable) -> dict[str, Any]:
        slots = attributes.slots()
        kept = {"weights": self._weights, "spent": self._spent, "sums": self._sums}
        return {name: InOrder(numbers, slots) for name, numbers in kept.items()} | {"scalars": self._scalars}

    def restore(self, attributes: AttributeTable, arrays: dict[str, array[Any]]) -> None:
        kept = [arrays[name] for name in ("weights", "spent", "sums")]
        scalars = arrays["scalars"]
        if any(numbers.typecode != "d" for numbers in (*kept, scalars)) or len(scalars) != _SCALARS:
            raise ValueError("the weights are not doubles")
        if any(len(numbers) != len(attributes) for numbers in kept):
            raise ValueError("expected one weight per attribute")
        if not all_finite(*kept, scalars):
            raise ValueError("a weight is not a finite number")
        if min(kept[1], default=0.0) < 0 or scalars[kernel.BIAS_SPENT] < 0:
            raise ValueError("a variance is larger than 1")
        if min(scalars[kernel.EXTRA], scalars[kernel.LEAST], scalars[kernel.MOST]) < 0:
            raise ValueError("the weights of updates are not weights")
        self._scalars = scalars
        self._weights, self._spent, self._sums = map(attributes.by_slot, kept)
