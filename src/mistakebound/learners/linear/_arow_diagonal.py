"""AROW's state with a diagonal covariance: a weight, a variance and a sum of c*y*x for each attribute."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import InOrder, all_finite, columns_by_slot, taken_column, zeros
from mistakebound.kernels import arow as kernel
from mistakebound.kernels.slots import smallest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow

_SCALARS = 6


class Diagonal:
    """The variance of an attribute is 1 / (1 + spent); an update spends at most c*x^2/r."""

    log_det: float | None = None  # of a full matrix only

    def __init__(self, r: float, biased: bool) -> None:
        self._r, self._biased = r, biased
        self._cells: memoryview[float] = zeros("d", 0)  # see the kernel
        self._scalars, self.row = array("d", bytes(8 * _SCALARS)), array("q", [0])

    def run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> tuple[int, bool]:
        """The row at which it stopped, and whether that was for want of a place for an attribute."""
        batch = rows.batch(self.row, predictions, scores, labels if learn else None)
        cells, products = self._cells[kernel.WIDTH * rows.base :], rows.table.buffer("products", "d", rows.widest)
        status = kernel.run(batch, cells, self._scalars, self._r, self._biased, products)
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self.row[kernel.ROW], False

    def move(self, moved: Callable[..., memoryview[Any]]) -> list[Change]:
        return [(setattr, self, "_cells", moved(self._cells, width=kernel.WIDTH))]

    def single_row(self, owner: Any) -> SingleRow | None:
        from mistakebound.kernels.linear_single_row import SingleRowAROW

        return SingleRowAROW(owner, self._cells, self._scalars, self._biased, self._r)

    # What it has learned.

    @property
    def used(self) -> bool:
        return any(self._scalars) or any(self._cells[kernel.SPENT :: kernel.WIDTH])  # sums may come back to 0

    @property
    def bias(self) -> float:
        return self._scalars[kernel.BIAS]

    @property
    def importances(self) -> tuple[float, float, float]:
        """The sum over updates without a mistake; the smallest and the largest of a mistake, 0 before the first."""
        return self._scalars[kernel.EXTRA], self._scalars[kernel.LEAST], self._scalars[kernel.MOST]

    def weight(self, slot: int) -> float:
        return self._cells[kernel.WIDTH * slot + kernel.WEIGHT]

    def variance(self, slot: int) -> float:
        return 1.0 / (1.0 + self._cells[kernel.WIDTH * slot + kernel.SPENT])

    def weights_of(self, slots: Ints) -> Floats:
        return self._column(kernel.WEIGHT, slots)

    def _column(self, column: int, slots: Ints) -> memoryview[float]:
        return taken_column(self._cells, slots, kernel.WIDTH, column)

    def energy(self, attributes: AttributeTable) -> tuple[float, float]:
        """(s.s, s'(B^-1)s) for s the sum of c*y*x over the updates and B = r times the inverse of the covariance."""
        sums, spent = (array("d", self._column(column, attributes.slots())) for column in (kernel.SUM, kernel.SPENT))
        sums.append(self._scalars[kernel.BIAS_SUM])
        spent.append(self._scalars[kernel.BIAS_SPENT])
        return kernel.energy(sums, array("d", bytes(8 * len(sums)))), kernel.energy(sums, spent) / self._r

    def form(self, attributes: AttributeTable) -> Any:
        """A hashable value, equal for equal covariances whatever the order of the attributes."""
        spent = zip(attributes.names(), self._column(kernel.SPENT, attributes.slots()), strict=True)
        return self._scalars[kernel.BIAS_SPENT], frozenset((name, number) for name, number in spent if number)

    # Model files.

    def arrays(self, attributes: AttributeTable) -> dict[str, Any]:
        slots = attributes.slots()
        kept = {"weights": kernel.WEIGHT, "spent": kernel.SPENT, "sums": kernel.SUM}
        columns = {name: InOrder(self._cells, slots, column=(kernel.WIDTH, k)) for name, k in kept.items()}
        return columns | {"scalars": self._scalars}

    def restore(self, attributes: AttributeTable, arrays: dict[str, array[Any]]) -> None:
        kept = [arrays[name] for name in ("weights", "spent", "sums")]
        scalars = arrays["scalars"]
        if any(numbers.typecode != "d" for numbers in (*kept, scalars)) or len(scalars) != _SCALARS:
            raise ValueError("the weights are not doubles")
        if any(len(numbers) != len(attributes) for numbers in kept):
            raise ValueError("expected one weight per attribute")
        if not all_finite(*kept, scalars):
            raise ValueError("a weight is not a finite number")
        if smallest(kept[1]) < 0 or scalars[kernel.BIAS_SPENT] < 0:
            raise ValueError("a variance is larger than 1")
        if min(scalars[kernel.EXTRA], scalars[kernel.LEAST], scalars[kernel.MOST]) < 0:
            raise ValueError("the weights of updates are not numbers > 0")
        self._scalars = scalars
        self._cells = columns_by_slot(kept, attributes.slots(), kernel.WIDTH, attributes.capacity)
