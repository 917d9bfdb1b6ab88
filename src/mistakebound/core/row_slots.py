"""The rows of a block and the slots of their attributes: what stands between a reader and the learning kernels."""

from __future__ import annotations

from array import array

from mistakebound.core.names import IDS
from mistakebound.core.rows import Rows
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import slots as slot_lists
from mistakebound.kernels import texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Ints

NO_LIMIT = (1 << 63) - 1
FEW = 16  # rows that are taken after an invalid one; four times as many after each batch without one
_NO_VALUES = array("d")
_NO_LABELS = array("b")
_NOT_LOOKED_UP = array("I")
_NO_NAMES: tuple[Any, ...] = (b"", array("q", [0]), array("Q"))


def _all_labelled(labels: Ints | None, first: int, last: int) -> bool:
    """Whether no row has the code -1, of a label that is not of the pair."""
    return labels is None or b"\xff" not in memoryview(labels)[first:last].tobytes()


class RowSlots:
    """Gives the rows of one block their slots, batch by batch, and enters new attributes into their table.

    A batch is the whole block when all its rows are valid.  After an invalid row only a few rows are looked
    at, and then more and more: bad rows cost what they are, not what comes after them.
    """

    __slots__ = (
        "_add", "_batch", "_binary", "_block", "_end", "_limit", "_looked_up", "_named_at", "_naming",
        "_short", "_table", "_wide", "_zeros", "entered_later",
    )  # fmt: skip

    def __init__(
        self,
        table: AttributeTable,
        block: Block,
        *,
        add: bool,
        binary: bool,
        n: int | None,
        entered_later: bool = False,
        zeros: bool = False,
    ) -> None:
        """With `entered_later` whoever asks enters new small ids (`entering`): then plain rows come back unread.

        `zeros` says whether the values 0 of dense rows are wanted.
        """
        self._table, self._block = table, block
        self._add, self._binary = add, binary
        self._limit = NO_LIMIT if n is None else min(n, NO_LIMIT)
        self._batch = block.rows
        self._end = 0  # of the rows that were given last
        self._naming: tuple[Any, ...] | None = None
        self._looked_up = -1, 0, 0  # generation of the table and entries that were looked up in it
        self._named_at = 0, 0  # generation and texts of the table when that was up to date
        self._wide: Ints | None = None  # the keys in 64 bits, once they were wanted
        self._zeros = zeros and block.dense and block.values is not None
        self._short = None if block.columns is not None or self._zeros else self._short_keys()
        plain = block.ascending and block.values is None and self._short is not None and n is None
        self.entered_later = entered_later and plain

    def _short_keys(self) -> Ints | None:
        """The block's ids in 32 bits; None when one needs more."""
        block = self._block
        if memoryview(block.keys).format == "I":
            return block.keys
        end = block.indptr[block.rows]
        keys = self._table.buffer("short", "I", end)
        return keys if slot_lists.narrow(block.keys, block.indptr[0], end, keys) else None

    def rows(self, first: int, labels: Ints | None = None) -> tuple[Rows, int, int]:
        """Rows first, first+1, ... with their slots, as far as they are well and of one kind: (rows, status, entry).

        With a status other than OK the row after those returned is invalid, and `entry` says which entry of it.  The
        buffers of the returned rows are the block's or the table's own and good until the next call.
        """
        if first < self._end:  # the last rows were not all played
            self._batch = FEW
        last = min(self._block.rows, first + self._batch)
        found, status, entry = self._given(first, last, labels)
        if status != kernel.OK:
            self._batch = FEW
        elif found.count == last - first:
            self._batch *= 4
        self._end = first + found.count
        return found, status, entry

    def _given(self, first: int, last: int, labels: Ints | None) -> tuple[Rows, int, int]:
        table, block, state = self._table, self._block, self._table.state
        table.count_stamps(last - first)
        if self.entered_later and self._short is not None:
            rows = Rows(last - first, block.indptr[first:], self._short, None, True, table)
            rows.entering, rows.base = True, block.base
            if _all_labelled(labels, first, last):
                return rows, kernel.OK, 0
        if block.columns is None and self._short is None and block.ascending and block.values is None:
            known = self._all_known(first, last)
            if known is not None and _all_labelled(labels, first, last):
                return known, kernel.OK, 0
        checks = (
            labels if labels is not None else _NO_LABELS, first, last, block.ascending, self._add, self._binary,
            self._limit, self._limit,
        )  # fmt: skip
        while True:
            state[kernel.NEXT_ROW], state[kernel.ENTRIES] = first, 0
            if self._short is not None:
                status = self._resolve_small(self._short, checks)
                count = state[kernel.NEXT_ROW] - first
                if status != kernel.OTHER or count:
                    values = None if self._binary else block.values  # ones, or they would not be here
                    rows = Rows(count, block.indptr[first:], self._short, values, block.ascending, table)
                    rows.base = block.base
                    return rows, kernel.OK if status == kernel.OTHER else status, state[kernel.WHERE]
            found = self._resolve_any(first, last, checks)
            if found is not None:
                return found

    def _resolve_small(self, keys: Ints, checks: tuple[Any, ...]) -> int:
        table, block, state = self._table, self._block, self._table.state
        _, first, last, *_ = checks
        values, indptr = block.values if block.values is not None else _NO_VALUES, block.indptr
        while True:
            work = *table.scratch(indptr[last] - indptr[first]), state
            status = kernel.resolve_dense((keys, values, indptr), block.base, checks, table.small_parts, work)
            if status == kernel.CAPACITY:
                raise AssertionError("buffers of a block do not fit together")
            if status != kernel.GROW:
                return status
            row = state[kernel.NEXT_ROW]
            table.make_room(indptr[row + 1] - indptr[row], 0)

    def _resolve_any(self, first: int, last: int, checks: tuple[Any, ...]) -> tuple[Rows, int, int] | None:
        """The general way; None when the layout had to change first."""
        from mistakebound.kernels import mapping  # plain rows of small ids do without

        table, block, state = self._table, self._block, self._table.state
        indptr, real = block.indptr, block.values is not None
        values = block.values if block.values is not None else _NO_VALUES
        entries = indptr[last] - indptr[first]
        out_values = table.buffer("values", "d", entries) if real else _NO_VALUES
        out_indptr, out_slots = table.buffer("indptr", "q", last - first + 1), table.buffer("slots", "I", entries)
        if self._wide is None:
            self._wide = block.wide_keys()
        naming, keys = self._names(), self._wide
        checks = *checks[:4], block.distinct, *checks[4:]
        known = self._known(keys, indptr[first], indptr[last])
        while True:
            status = mapping.resolve(
                (keys, values, indptr), checks, naming, known, table.parts, (out_indptr, out_slots, out_values),
                (*table.scratch(entries), state), self._zeros,
            )  # fmt: skip
            if status == mapping.CAPACITY:
                raise AssertionError("buffers of a block do not fit together")
            if status != kernel.GROW:
                break
            row = state[kernel.NEXT_ROW]
            ids, new_texts = self._new_in(row, naming)
            if table.lacks(ids, new_texts):
                if row > first:  # the rows so far have the slots of the present layout
                    status = kernel.OK
                    break
                table.lay_out(ids, new_texts)
                return None
            table.make_room(ids + new_texts, len(naming[0]))
        self._named_at = table.generation, state[kernel.TEXTS]
        count = state[kernel.NEXT_ROW] - first
        kept = out_values if real and (self._zeros or not self._binary) else None  # without zeros it is all ones
        rows = Rows(count, out_indptr, out_slots, kept, block.ascending and block.columns is None, table)
        rows.named = block.columns is not None
        rows.zeros = self._zeros
        return rows, status, state[kernel.WHERE]

    def _all_known(self, first: int, last: int) -> Rows | None:
        """Rows of ones whose ids all have their slots: those that were looked up are theirs."""
        table, indptr = self._table, self._block.indptr
        known = self._known(self._block.keys, indptr[first], indptr[last])
        if slot_lists.found(known, indptr[first], indptr[last], table.unseen):
            return None
        return Rows(last - first, indptr[first:], known, None, True, table)

    def _known(self, keys: Ints, first: int, last: int) -> Ints:
        """The slots of these entries, as far as they are known: looked up while the block was read, or now."""
        table, known = self._table, self._block.known
        if self._block.columns is not None:  # the kernel looks them up
            return _NOT_LOOKED_UP
        if known is not None and known[0] == table.generation:
            return known[1]
        slots = table.buffer("known", "I", last)
        if self._looked_up != (table.generation, first, last):
            self._looked_up = table.look_up(keys, first, last, slots), first, last
        return slots

    def _new_in(self, row: int, naming: tuple[Any, ...]) -> tuple[int, int]:
        """How many ids and text names a row can add to the table, at most."""
        places = self._block.keys[self._block.indptr[row] : self._block.indptr[row + 1]]
        if self._block.columns is None:
            return len(places), 0
        keys = [naming[2][place] for place in places]
        return sum(1 for key in keys if key < IDS), keys.count(texts.UNKNOWN)

    def _names(self) -> tuple[Any, ...]:
        """The block's names with their ends, and the key of each name.

        The kernel keeps the keys up to date as it enters names, so that they are looked up once a block; again when the
        table has changed in another way.
        """
        columns, table = self._block.columns, self._table
        if columns is None:
            return _NO_NAMES
        if self._naming is not None and self._named_at == (table.generation, table.state[kernel.TEXTS]):
            return self._naming
        count = columns.count
        names, ends = memoryview(columns.blob)[: columns.ends[count]], memoryview(columns.ends)[: count + 1]
        keys = columns.keys_in(table)
        self._naming, self._named_at = (names, ends, keys), (table.generation, table.state[kernel.TEXTS])
        return self._naming
