"""Attribute names and their slots: one table a learner.

Small ids are their own slots, so that rows of them need no look-up; other ids and text names have extra slots behind
them.  Where the small ones end depends on how many have appeared: when that changes, or the extra slots are used up,
the table has a new `layout`, and whoever keeps arrays by slot moves them (`take_move`).  What a model file holds is in
the order of first appearance and knows nothing of slots.
"""

from __future__ import annotations

from array import array

from mistakebound.core.block_names import ANY
from mistakebound.core.buffers import longer, zeros
from mistakebound.core.names import IDS, attribute_order, id_of
from mistakebound.core.rows import Rows
from mistakebound.core.slot_arrays import IN_ORDER, moved
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import mapping, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.block_names import BlockNames
    from mistakebound.kernels._buffers import Ints

TEXT = IDS  # keys from here on are numbers of text names
NO_LIMIT = (1 << 63) - 1
FIRST_DENSE = 1 << 16  # ids below are their own slots from the start: pages that nobody touches cost nothing
FIRST_EXTRAS = 1 << 13  # and there is room for so many other attributes
# Small ids are those below so many times the number of ids that have appeared, up to so large an id.
_SPREAD = ((512, 1 << 20), (64, 1 << 22), (8, 1 << 30))
_STAMPS = 1 << 15
_NO_VALUES = array("d")
_NO_LABELS = array("b")
_NO_PLACES = array("I")
_NO_KEYS = array("Q")
_NO_STATE = array("q")
_NO_NAMES: tuple[Any, ...] = (b"", array("q", [0]), _NO_PLACES, array("Q"))


class AttributeTable(texts.TextTable):
    """Names <-> slots.

    >>> table = AttributeTable()
    >>> table.add("7"), table.add("free"), table.slot("8"), table.names(), "free" in table
    (7, 65537, -1, ['7', 'free'], True)
    """

    __slots__ = ("_bits", "_moved_from", "_out", "_places", "_stamps")

    def __init__(self) -> None:
        super().__init__()
        self._bits: memoryview[int] = zeros("Q", FIRST_DENSE // 64)
        self._places: memoryview[int] = zeros("Q", 1 << 9)
        self._extra_keys = zeros("Q", FIRST_EXTRAS)
        self._order = zeros("I", FIRST_EXTRAS)
        self._blob = zeros("B", 4 * FIRST_EXTRAS)
        self._ends = zeros("q", FIRST_EXTRAS + 1)
        self._text_places = zeros("Q", 4 * FIRST_EXTRAS)
        self._text_extras = zeros("I", FIRST_EXTRAS)
        self._stamps: memoryview[int] = zeros("I", _STAMPS)
        self._state = array("q", [0, 1, *[0] * 7])
        self._out: dict[str, memoryview[Any]] = {}
        self._moved_from: tuple[memoryview[int], int] | None = (self._order, 0)

    def __len__(self) -> int:
        return self._state[kernel.SIZE]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.slot(name) >= 0

    @property
    def dense(self) -> int:
        """Ids below are their own slots."""
        return 64 * len(self._bits)

    @property
    def capacity(self) -> int:
        """Every slot is below this."""
        return self.dense + len(self._extra_keys)

    @property
    def nobody(self) -> int:
        """The slot of attributes that have not appeared; no array has anything but its zero there."""
        return self.dense

    @property
    def extra_keys(self) -> memoryview[int]:
        """The keys of the slots from `dense` on."""
        return self._extra_keys

    def slot(self, name: str) -> int:
        """The slot of a name, or -1."""
        slot = self.known.get(name, -1)
        if slot < 0:
            if (number := id_of(name)) >= 0:
                slot = kernel.find(number, self._bits, self._places)
            else:
                text = texts.find(name.encode(errors=ANY), self._blob, self._ends, self._text_places)
                slot = self.dense + self._text_extras[text] if text >= 0 else -1
            if slot >= 0:
                self.known[name] = slot
        return slot

    def slots_of(self, names: list[str]) -> list[int]:
        """The slots of some names, -1 for one that has not appeared."""
        known = [*map(self.known.get, names)]
        if None in known:
            return [self.slot(name) for name in names]
        return known  # type: ignore[return-value]

    def slots(self) -> memoryview[int]:
        """The slots of all attributes, in the order of their first appearance."""
        return self._order[: len(self)]

    def key(self, slot: int) -> int:
        return slot if slot < self.dense else self._extra_keys[slot - self.dense]

    def name(self, slot: int) -> str:
        return self.name_of_key(self.key(slot))

    def name_of_key(self, key: int) -> str:
        if key < TEXT:
            return str(key)
        start, end = self._ends[key - TEXT : key - TEXT + 2]
        return self._blob[start:end].tobytes().decode(errors=ANY)

    def keys(self) -> memoryview[int]:
        """The keys of all attributes, in the order of their first appearance."""
        keys = zeros("Q", len(self))
        if not kernel.keys_in_order(self._order, len(self), self.dense, self._extra_keys, keys):
            raise AssertionError("a slot is outside the table")
        return keys

    def names(self) -> list[str]:
        """All names in the order of their first appearance."""
        return [str(key) if key < TEXT else self.name_of_key(key) for key in self.keys()]

    def in_order(self, numbers: Any) -> memoryview[Any]:
        """What an array by slot has for each attribute, in the order of their first appearance."""
        return moved(numbers, self._order, IN_ORDER, len(self), len(self))

    def by_slot(self, numbers: Any) -> memoryview[Any]:
        """The inverse of `in_order`."""
        return moved(numbers, IN_ORDER, self._order, len(self), self.capacity)

    def take_move(self) -> Callable[[Any], memoryview[Any]]:
        """A function that moves an array by slot from the layout at the last call to the present one."""
        old, count = self._moved_from or (self._order, len(self))
        self._moved_from = None
        new, capacity = self._order, self.capacity
        return lambda numbers: moved(numbers, old, new, count, capacity)

    # Entering and forgetting.

    def add(self, name: str) -> int:
        """The slot of a name, which it gets now if it has none."""
        slot = self.slot(name)
        if slot >= 0:
            return slot
        key = id_of(name)
        text = b"" if key >= 0 else name.encode(errors=ANY)
        self._make_room(1, len(text))
        if self._extras_lack(1):
            self._lay_out(2 * len(self._extra_keys))
        if key < 0:
            number = self._state[kernel.TEXTS]
            if texts.enter(text, self._blob, self._ends, self._text_places, number):
                raise AssertionError("the table of texts is full")
            self._state[kernel.TEXTS], self._state[kernel.BYTES] = number + 1, self._ends[number + 1]
            key = TEXT + number
        self._enter(array("Q", [key]))
        return self._order[len(self) - 1]

    def add_texts(self, names: list[str]) -> int:
        """New text names, which are sorted, get their slots; the first of these, which follow each other.

        -1, and nothing done, when the layout has to change first.
        """
        if self._extras_lack(len(names)):
            return -1
        self._make_room(len(names), texts.WIDEST * sum(map(len, names)))
        first = self.enter_names(names, self.dense)
        if first < 0:
            raise AssertionError("the table of texts is full")
        return first

    def _enter(self, keys: Ints) -> None:
        status = kernel.enter(
            keys, len(keys), self._bits, self._places, self._extra_keys, self._text_extras, self._order, self._state
        )
        if status == kernel.TWICE:
            raise ValueError("an attribute stands twice in the table")
        if status:
            raise AssertionError("the table of attributes is full")

    def truncate(self, size: int) -> None:
        """Forget all but the first `size` attributes: the others were entered ahead of trials that never took place."""
        if size >= len(self):
            return
        kept = kernel.forget(size, self._bits, self._places, self._extra_keys, self._order, self._state)
        if kept < 0 or texts.forget(self._state[kernel.TEXTS], kept, self._blob, self._ends, self._text_places):
            raise AssertionError("the table of attributes is broken")
        self._state[kernel.TEXTS], self._state[kernel.BYTES] = kept, self._ends[kept]
        if self._moved_from is not None:
            self._moved_from = self._moved_from[0], min(self._moved_from[1], size)
        self.known.clear()
        self.generation += 1

    def entering(self, rows: Rows) -> tuple[Ints, Ints, Ints]:
        """Bits, order and state for a kernel that enters the new ids of `rows`; empty ones when there is nothing to."""
        if not rows.entering:
            return _NO_KEYS, _NO_PLACES, _NO_STATE
        room = len(self) + rows.widest
        if room > len(self._order):
            self._order = longer(self._order, room)
        return self._bits, self._order, self._state

    def _make_room(self, new: int, size: int) -> None:
        """Room for `new` more attributes, whose names have `size` bytes together, everywhere but in the extra slots."""
        state = self._state
        if len(self) + new > len(self._order):
            self._order = longer(self._order, len(self) + new)
        if 4 * (state[kernel.HASHED] + new) > len(self._places):
            self._places = zeros("Q", 1 << (8 * (state[kernel.EXTRA] + new)).bit_length())
            if kernel.rehash(self._extra_keys, state[kernel.EXTRA], self._places) != state[kernel.HASHED]:
                raise AssertionError("the table of attributes is broken")
        count = state[kernel.TEXTS] + new
        if count >= len(self._text_extras):
            self._text_extras = longer(self._text_extras, count + 1)
            self._ends = longer(self._ends, len(self._text_extras) + 1)
        if state[kernel.BYTES] + size > len(self._blob):
            self._blob = longer(self._blob, state[kernel.BYTES] + size)
        if 4 * count > len(self._text_places):
            self._index_texts(state[kernel.TEXTS], count)

    def _extras_lack(self, new: int) -> bool:
        return self._state[kernel.EXTRA] + new > len(self._extra_keys)

    def _index_texts(self, count: int, room: int) -> None:
        self._text_places = zeros("Q", 1 << (8 * max(64, room)).bit_length())
        status = texts.rebuild(self._blob, self._ends, count, self._text_places)
        if status:
            raise ValueError("a text name stands twice" if status == texts.TWICE else "text names overlap")

    def _lay_out(self, extras: int) -> None:
        """New slots for all: room for so many extra ones, and small ids their own where that is not too wide."""
        dense = self._dense_for(len(self) - self._state[kernel.TEXTS])
        if self._moved_from is None:
            self._moved_from = self._order, len(self)
        if dense == self.dense:  # every slot stays what it is
            self._extra_keys = longer(self._extra_keys, extras)
            self.layout += 1
            return
        keys = self.keys()
        self.layout += 1
        self.generation += 1
        self.known.clear()
        self._place_all(keys, extras)

    def _dense_for(self, ids: int) -> int:
        """How many small ids are to be their own slots when so many ids have appeared."""
        dense = self.dense
        for times, most in _SPREAD:
            while dense < min(times * ids, most):
                dense *= 2
        return dense

    def _place_all(self, keys: Ints, extras: int) -> None:
        """Enter these keys, in their order, into fresh buffers."""
        state = self._state
        dense = self._dense_for(len(keys) - state[kernel.TEXTS])
        self._bits, self._extra_keys = zeros("Q", dense // 64), zeros("Q", extras)
        self._order, self._places = zeros("I", len(self._order)), zeros("Q", len(self._places))
        state[kernel.SIZE], state[kernel.EXTRA], state[kernel.HASHED] = 0, 1, 0
        self._enter(keys)

    # Rows.

    def _buffer(self, name: str, code: str, count: int) -> memoryview[Any]:
        """An output buffer that is kept from call to call."""
        kept = self._out.get(name)
        if kept is None or len(kept) < count:
            kept = self._out[name] = zeros(code, max(64, count + count // 4))
        return kept

    def scratch(self, width: int) -> tuple[memoryview[Any], memoryview[Any]]:
        """Room for a kernel to sort a row of this width in."""
        return self._buffer("scratch", "Q", width), self._buffer("payload", "I", width)

    def resolve(
        self,
        block: Block,
        first: int,
        labels: Ints | None = None,
        *,
        add: bool,
        binary: bool,
        n: int | None,
        entered_later: bool = False,
    ) -> tuple[Rows, int, int]:
        """Rows first, first+1, ... with their slots, as far as they are well and of one kind: (rows, status, entry).

        With a status other than OK the row after those returned is not well, and `entry` says which entry of it.  The
        buffers of the returned rows are the block's or the table's own and good until the next call.

        With `entered_later` whoever asks enters new small ids (`entering`): then plain rows come back unread.
        """
        state, limit = self._state, NO_LIMIT if n is None else min(n, NO_LIMIT)
        if state[kernel.STAMP] + block.rows - first >= 1 << 32:
            self._stamps, state[kernel.STAMP] = zeros("I", _STAMPS), 0
        if entered_later and block.ascending and block.values is None and block.columns is None and n is None:
            rows = Rows(block.rows - first, block.indptr[first:], block.keys, None, True, self)
            rows.entering = True
            if labels is None or b"\xff" not in memoryview(labels)[first : block.rows].tobytes():
                return rows, kernel.OK, 0
        checks = labels if labels is not None else _NO_LABELS, first, block.rows, block.ascending, add, binary, limit
        while True:
            state[kernel.NEXT_ROW], state[kernel.ENTRIES] = first, 0
            if block.columns is None:
                status = self._resolve_dense(block, checks)
                count = state[kernel.NEXT_ROW] - first
                if status != kernel.OTHER or count:
                    rows = Rows(count, block.indptr[first:], block.keys, block.values, block.ascending, self)
                    return rows, kernel.OK if status == kernel.OTHER else status, state[kernel.WHERE]
            found = self._resolve_any(block, first, checks, add or n is not None)
            if found is not None:
                return found

    def _resolve_dense(self, block: Block, checks: tuple[Any, ...]) -> int:
        state = self._state
        labels, first, last, ascending, add, binary, limit = checks
        values, indptr = block.values if block.values is not None else _NO_VALUES, block.indptr
        while True:
            status = kernel.resolve_dense(
                block.keys, values, indptr, labels, first, last, ascending, add, binary, limit, limit,
                self._bits, self._order, self._stamps, *self.scratch(indptr[last] - indptr[first]), state,
            )  # fmt: skip
            if status == kernel.CAPACITY:
                raise AssertionError("buffers of a block do not fit together")
            if status != kernel.GROW:
                return status
            row = state[kernel.NEXT_ROW]
            self._make_room(indptr[row + 1] - indptr[row], 0)

    def _resolve_any(
        self, block: Block, first: int, checks: tuple[Any, ...], rank: bool
    ) -> tuple[Rows, int, int] | None:
        """The general way; None when the layout had to change first."""
        state, indptr, last = self._state, block.indptr, block.rows
        labels, _, _, ascending, add, binary, limit = checks
        entries = indptr[last] - indptr[first]
        values = block.values if block.values is not None else _NO_VALUES
        out_values = self._buffer("values", "d", entries) if block.values is not None else _NO_VALUES
        out_indptr, out_slots = self._buffer("indptr", "q", last - first + 1), self._buffer("slots", "Q", entries)
        naming = self._naming(block.columns, rank) if block.columns is not None else _NO_NAMES
        while True:
            status = mapping.resolve(  # type: ignore[call-arg]  # names come in fours
                block.keys, values, indptr, labels, first, last, ascending, add, binary, limit, limit, *naming,
                self._bits, self._places, self._extra_keys, self._order,
                self._blob, self._ends, self._text_places, self._text_extras, self._stamps,
                out_indptr, out_slots, out_values, *self.scratch(entries), state,
            )  # fmt: skip
            if status == mapping.CAPACITY:
                raise AssertionError("buffers of a block do not fit together")
            if status != kernel.GROW:
                break
            row = state[kernel.NEXT_ROW]
            new = indptr[row + 1] - indptr[row]
            if self._extras_lack(new):
                if row > first:  # the rows so far have the slots of the present layout
                    status = kernel.OK
                    break
                self._lay_out(max(2 * len(self._extra_keys), self._state[kernel.EXTRA] + new))
                return None
            self._make_room(new, len(naming[0]))
        count = state[kernel.NEXT_ROW] - first
        kept = None if block.values is None or binary else out_values  # without its zeros a binary row is all ones
        in_order = ascending and block.columns is None
        return Rows(count, out_indptr, out_slots, kept, in_order, self), status, state[kernel.WHERE]

    def _naming(self, columns: BlockNames, rank: bool) -> tuple[Any, ...]:
        """A block's names with their ends, the new texts among them in canonical order, and the key of each name."""
        count = columns.count
        names, ends = memoryview(columns.blob)[: columns.ends[count]], memoryview(columns.ends)[: count + 1]
        keys = self._buffer("translate", "Q", max(1, count))[: max(1, count)]
        keys[0] = 0  # without names the one place in it is still what the last block left there
        unknown = texts.translate(names, ends, count, self._blob, self._ends, self._text_places, keys)
        if unknown < 0:
            raise AssertionError("names of a block do not fit together")
        ranked = _NO_PLACES
        if unknown and rank:
            places = [place for place in range(count) if keys[place] == texts.UNKNOWN]
            ranked = array("I", sorted(places, key=lambda place: attribute_order(columns.name(place))))
            for number, place in enumerate(ranked):
                keys[place] = texts.UNKNOWN + number
        elif unknown:
            ranked = array("I", [0])
        return names, ends, ranked, keys

    # Model files.

    def _short_keys(self) -> Ints:
        """The keys, in 32 bits where that is enough: what a file holds does not depend on the layout."""
        if self._state[kernel.EXTRA] == 1:
            return self.slots()
        keys = self.keys()
        return keys if self._state[kernel.TEXTS] or max(keys) >> 32 else array("I", keys)

    def arrays(self) -> dict[str, Any]:
        """The table as the named arrays of a model file: its keys, and the text names in UTF-8 with their ends."""
        count, size = self._state[kernel.TEXTS], self._state[kernel.BYTES]
        ends = array("Q", self._ends[1 : count + 1])
        return {
            "attributes.keys": self._short_keys(),
            "attributes.texts": self._blob[:size].tobytes(),
            "attributes.ends": ends,
        }

    @classmethod
    def restore(cls, keys: Ints, blob: bytes, ends: Ints) -> AttributeTable:
        """The table of a model file; ValueError when the arrays contradict each other."""
        table = cls()
        count, size = len(ends), len(keys)
        if memoryview(keys).format not in ("I", "Q"):
            raise ValueError("the keys are no whole numbers")
        keys = keys if memoryview(keys).format == "Q" else array("Q", keys)
        if list(ends) != sorted(ends) or (ends[-1] if count else 0) != len(blob):
            raise ValueError("text names overlap")
        numbers = [key - TEXT for key in keys if key >= TEXT] if count or (size and max(keys) >= TEXT) else []
        if numbers != list(range(count)):
            raise ValueError("attribute names and keys do not match")
        table._make_room(max(size, count), len(blob))
        table._blob[: len(blob)] = blob
        table._ends[1 : count + 1] = array("q", ends)
        table._state[kernel.TEXTS], table._state[kernel.BYTES] = count, len(blob)
        for number in range(count):
            if id_of(table.name_of_key(TEXT + number)) >= 0:
                raise ValueError("an id stands among the text names")
        table._index_texts(count, count)
        table._place_all(keys, max(size + 1, len(table._extra_keys)))
        return table
