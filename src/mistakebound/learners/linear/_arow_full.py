"""AROW's state with a full covariance, by coordinate: the bias, then the attributes in the order they appeared in."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import all_finite, zeros
from mistakebound.kernels import arow_full as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

MOST_ATTRIBUTES = 500  # an update takes as many steps as there are numbers in the matrix: 250,000 then
_SCALARS = 4


class Full:
    """The factors of the covariance (see the kernel) have room for `width` coordinates; those not in use are new."""

    def __init__(self, r: float, biased: bool) -> None:
        self._r, self._biased = r, biased
        self._width = 0
        self._weights: memoryview[float]
        self._factors: memoryview[float]
        self._weights, self._sums, self._factors, self._scratch = (zeros("d", 0) for _ in range(4))
        self._make_room(1)
        self._ranks = zeros("I", 0)  # by slot
        self._placed = 0, 0  # generation of the table and how many of its attributes have their coordinates
        self._scalars, self.row = array("d", bytes(8 * _SCALARS)), array("q", [0])

    def _make_room(self, count: int) -> None:
        if count <= self._width:
            return
        old, width = self._width, max(8, 2 * self._width, count)
        factors = zeros("d", width * width)
        for row in range(old):
            factors[row * width : row * width + old] = self._factors[row * old : (row + 1) * old]
        for row in range(old, width):
            factors[row * (width + 1)] = 1.0
        weights, sums, scratch = zeros("d", width), zeros("d", width), zeros("d", (2 + width) * width)
        weights[:old], sums[:old] = self._weights, self._sums
        self._weights = weights
        self._sums = sums
        self._factors = factors
        self._scratch = scratch
        self._width = width

    def _place(self, table: AttributeTable) -> None:
        """Give coordinates to the attributes that have none; those beyond the limit get none."""
        generation, placed = self._placed
        if generation == table.generation and placed == len(table):
            return
        ranks = self._ranks
        if generation != table.generation or placed > len(table):  # some were forgotten, or all moved
            placed = 0
            ranks = zeros("I", table.capacity)
        count = min(len(table), MOST_ATTRIBUTES)
        self._make_room(1 + count)
        for rank, slot in enumerate(table.slots()[placed:count], placed + 1):
            ranks[slot] = rank
        now = table.generation, len(table)
        self._ranks = ranks
        self._placed = now

    def run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> tuple[int, bool]:
        """The row at which it stopped, and whether that was for want of a place for an attribute."""
        table = rows.table
        self._place(table)
        kept = kernel.FullCovariance(
            self._weights, self._sums, self._factors, self._width, self._scalars, self._scratch, self._r, self._biased
        )
        batch = rows.batch(self.row, predictions, scores, labels if learn else None)
        status = kernel.run(batch, kept, self._ranks[rows.base :], 1 + min(len(table), MOST_ATTRIBUTES))
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self.row[kernel.ROW], status == kernel.UNPLACED

    def single_row(self, owner: Any) -> None:
        """Rows of a full covariance take their time anyway."""

    def move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return [(setattr, self, "_ranks", moved(self._ranks)), (setattr, self, "_placed", (-1, 0))]

    # What it has learned.

    @property
    def used(self) -> bool:
        return any(self._scalars) or any(self._sums)

    @property
    def bias(self) -> float:
        return self._weights[0]

    @property
    def importances(self) -> tuple[float, float, float]:
        """The sum over updates without a mistake; the smallest and the largest of a mistake, 0 before the first."""
        return self._scalars[kernel.EXTRA], self._scalars[kernel.LEAST], self._scalars[kernel.MOST]

    @property
    def log_det(self) -> float | None:
        return self._scalars[kernel.LOG_DET]

    def weight(self, slot: int) -> float:
        return float(self._weights[self._ranks[slot]])

    def variance(self, slot: int) -> float:
        rank, width = self._ranks[slot], self._width
        total = float(self._factors[rank * (width + 1)])
        for later in range(rank + 1, width):
            total += self._factors[later * width + rank] ** 2 * self._factors[later * (width + 1)]
        return total

    def weights_of(self, slots: Ints) -> Floats:
        return array("d", [self._weights[self._ranks[slot]] for slot in slots])

    def energy(self, attributes: AttributeTable) -> tuple[float, float]:
        """(s.s, s'(B^-1)s) for s the sum of c*y*x over the updates and B = r times the inverse of the covariance.

        The covariance is U D U', so that the second is the sum of D times the squares of U's, over r.
        """
        from mistakebound.core.plain_sum import plain_sum

        count, width, energy = 1 + len(attributes), self._width, 0.0
        sums = self._sums[:count]
        for row in range(count):
            at = row * width
            seen = sums[row] + plain_sum(u * s for u, s in zip(self._factors[at : at + row], sums[:row], strict=True))
            energy += self._factors[at + row] * seen * seen
        return plain_sum(s * s for s in sums), energy / self._r

    def form(self, attributes: AttributeTable) -> Any:
        """A hashable value, equal for equal factors; attributes that are in none do not count."""
        names, width = [None, *attributes.names()], self._width
        return frozenset(
            (name, names[other], self._factors[row * width + other])
            for row, name in enumerate(names)
            for other in range(row + 1)
            if self._factors[row * width + other] != (row == other)
        )

    # Model files.

    def arrays(self, attributes: AttributeTable) -> dict[str, Any]:
        """The factors row by row, each with D at its end."""
        count, width = 1 + len(attributes), self._width
        triangle = array("d")
        for row in range(count):
            triangle.extend(self._factors[row * width : row * width + row + 1])
        return {
            "weights": array("d", self._weights[:count]), "sums": array("d", self._sums[:count]),
            "factors": triangle, "scalars": self._scalars,
        }  # fmt: skip

    def restore(self, attributes: AttributeTable, arrays: dict[str, array[Any]]) -> None:
        weights, sums, triangle, scalars = (arrays[name] for name in ("weights", "sums", "factors", "scalars"))
        count = 1 + len(attributes)
        if len(attributes) > MOST_ATTRIBUTES:
            raise ValueError("there are more attributes than a full covariance may have")
        if any(part.typecode != "d" for part in (weights, sums, triangle, scalars)) or len(scalars) != _SCALARS:
            raise ValueError("the weights are not doubles")
        if len(weights) != count or len(sums) != count or len(triangle) != count * (count + 1) // 2:
            raise ValueError("the covariance is not one of these attributes")
        if not all_finite(weights, sums, triangle, scalars):
            raise ValueError("a weight is not a finite number")
        if min(scalars) < 0:
            raise ValueError("the weights of updates are not numbers > 0")
        self._make_room(count)
        self._weights[:count], self._sums[:count] = weights, sums
        width, start = self._width, 0
        for row in range(count):
            part = triangle[start : start + row + 1]
            if not 0 <= part[row] <= 1:
                raise ValueError("a variance is negative, or larger than 1")
            self._factors[row * width : row * width + row + 1] = part
            start += row + 1
        self._scalars = scalars
        self._place(attributes)
