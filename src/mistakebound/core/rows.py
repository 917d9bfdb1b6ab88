"""Rows whose attributes have their slots: what the learning kernels take."""

from __future__ import annotations

from array import array

from mistakebound.kernels import sorting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.kernels._buffers import Floats, Ints


class Rows:
    """`count` rows; row r has the entries indptr[r] .. indptr[r+1]-1 of `slots` and `values` (None: all ones).

    `unknown` counts the entries without a slot (attributes never seen; only where nothing is to be learned).
    """

    __slots__ = ("count", "indptr", "slots", "unknown", "values", "widest")

    def __init__(self, count: int, indptr: Ints, slots: Ints, values: Floats | None, unknown: int, widest: int) -> None:
        self.count = count
        self.indptr = indptr  # 'q'
        self.slots = slots  # 'I'
        self.values = values  # 'd'
        self.unknown = unknown
        self.widest = widest  # no row has more entries than this

    def in_slot_order(self) -> Rows:
        """A copy of rows of ones whose slots ascend: sums over it do not depend on the order of the input."""
        if self.values is not None:
            raise ValueError("only rows of ones can be put in order")
        end = self.indptr[self.count]
        slots = array("I", self.slots[:end])
        scratch = array("Q", bytes(8 * self.widest)), array("I", bytes(4 * self.widest))
        if sorting.sort_rows(self.indptr, slots, self.count, *scratch) < 0:
            raise AssertionError("buffers do not fit together")
        return Rows(self.count, self.indptr, slots, None, self.unknown, self.widest)
