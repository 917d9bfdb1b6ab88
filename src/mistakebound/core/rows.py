"""Rows over slots, which the learning kernels take."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.core.weights import ALL_ONE
from mistakebound.kernels import sorting
from mistakebound.kernels.row_batch import RowBatch
from mistakebound.kernels.slots import shift, without_zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints


_NO_VALUES = array("d")


class Rows:
    """`count` rows; row r has the entries indptr[r] .. indptr[r+1]-1 of `slots` and `values` (None: all ones)."""

    __slots__ = (
        "base",
        "count",
        "entering",
        "importance",
        "indptr",
        "named",
        "ordered",
        "slots",
        "table",
        "values",
        "zeros",
    )

    def __init__(
        self, count: int, indptr: Ints, slots: Ints, values: Floats | None, ordered: bool, table: AttributeTable
    ) -> None:
        self.count = count
        self.indptr = indptr  # 'q'
        self.slots = slots  # 'I'
        self.base = 0  # to be added to each slot
        self.values = values  # 'd'
        self.ordered = ordered  # true: the keys of every row are known to ascend
        self.table = table
        self.named = False  # slots and values may be sorted in place: the rows had names and no order of their own
        self.entering = False  # small ids in ascending order, some of which may still have to enter the table
        self.zeros = False  # some values may be 0, for learners that tell 0 from absent
        self.importance: Floats = ALL_ONE  # 'd': how much a row counts in learning; empty: 1 each

    @property
    def widest(self) -> int:
        """No row has more entries than this."""
        return self.indptr[self.count] - self.indptr[0]

    def batch(
        self, state: Ints, predictions: Ints, scores: Floats, labels: Ints | None, *, sorts: bool = True
    ) -> RowBatch:
        """These rows for a learning kernel, to be played as trials where there are labels.

        state[0] becomes the number of rows that were done.  A kernel that `sorts` takes sums in the order of keys.
        """
        if sorts:
            self.sort_named()
        batch = self.first_rows(self.count)
        batch.answer(predictions, scores, state)
        if labels is not None:
            batch.teach(labels, self.importance)
        if sorts:
            table = self.table
            batch.sort_by(self.ordered, table.dense, table.extra_keys, *table.scratch(self.widest))
        return batch

    def first_rows(self, count: int) -> RowBatch:
        """So many of these rows for a kernel that only reads them."""
        return RowBatch(self.slots, _NO_VALUES if self.values is None else self.values, self.indptr, count)

    def sort_named(self) -> None:
        """Put rows that had names in the order of their keys, for learners whose sums have that order."""
        if self.named and not self.ordered:
            table, values = self.table, _NO_VALUES if self.values is None else self.values
            texts, scratch = table.first_text, table.scratch(self.widest)
            sizes = table.dense, texts, table.extra_keys
            if not sorting.order_rows(self.indptr, self.slots, values, self.count, *sizes, scratch):
                raise AssertionError("buffers do not fit together")
            self.ordered = True

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
        """The same rows with `base` in their slots, for kernels that take no base."""
        if not self.base:
            return self
        count = self.indptr[self.count]
        slots = zeros("I", count)
        if not shift(self.slots, count, self.base, slots):
            raise AssertionError("rows have fewer slots than entries")
        rows = Rows(self.count, self.indptr, slots, self.values, self.ordered, self.table)
        rows.zeros, rows.importance = self.zeros, self.importance
        return rows

    def in_key_order(self) -> Rows:
        """Rows of ones whose keys ascend: sums over them do not depend on the order of the input."""
        self.sort_named()
        if self.ordered:
            return self
        if self.values is not None:
            raise ValueError("only rows of ones can be put in order")
        slots = zeros("I", self.indptr[self.count])
        table, scratch = self.table, self.table.scratch(self.widest)
        if sorting.sort_rows(self.indptr, self.slots, self.count, table.dense, table.extra_keys, *scratch, slots) < 0:
            raise AssertionError("buffers do not fit together")
        rows = Rows(self.count, self.indptr, slots, None, True, table)
        rows.base, rows.importance = self.base, self.importance
        return rows


def attributes_after(rows: Rows, played: int, before: int) -> int:
    """How many attributes had appeared after the first `played` rows, of `before` that had before them."""
    new = rows.table.slots()[before:]
    appeared = {rows.base + slot for slot in rows.slots[rows.indptr[0] : rows.indptr[played]]}
    return before + sum(1 for slot in new if slot in appeared)
