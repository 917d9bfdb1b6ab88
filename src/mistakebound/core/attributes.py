"""Attribute names and their slots: one table a learner, filled in the order of first appearance."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.core.names import IDS, id_of
from mistakebound.core.rows import Rows
from mistakebound.kernels import attributes as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.kernels._buffers import Ints

TEXT = IDS  # keys from here on are places in the list of text names
NO_SLOT = 0xFFFFFFFF
NO_LIMIT = (1 << 63) - 1
_ANY = "surrogatepass"  # a name may be any str
_NO_VALUES = array("d")
_NO_LABELS = array("b")


class AttributeTable:
    """Names <-> slots.

    >>> table = AttributeTable()
    >>> table.add("7"), table.add("free"), table.slot("7"), table.slot("8"), table.name(1)
    (0, 1, 0, -1, 'free')
    """

    __slots__ = (
        "_cache", "_direct", "_hash_keys", "_hash_slots", "_keys", "_out", "_stamps", "_state", "_texts",
        "generation",
    )  # fmt: skip

    def __init__(self) -> None:
        self._keys: memoryview[int] = zeros("Q", 256)
        self._stamps: memoryview[int] = zeros("I", 256)
        self._texts: list[str] = []
        self._cache: dict[str, int] = {}  # every text name, and the ids that somebody asked for by name
        self._direct: memoryview[int] = zeros("I", 1 << 12)
        self._hash_keys: memoryview[int] = zeros("Q", 1 << 8)
        self._hash_slots: memoryview[int] = zeros("I", 1 << 8)
        self._state = array("q", bytes(56))
        self._out: dict[str, memoryview[Any]] = {}
        self.generation = 0  # slots that were looked up in an earlier one may not be valid any more

    def __len__(self) -> int:
        return self._state[kernel.SIZE]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.slot(name) >= 0

    def slot(self, name: str) -> int:
        """The slot of a name, or -1."""
        slot = self._cache.get(name, -1)
        if slot < 0 and (number := id_of(name)) >= 0:
            slot = kernel.find(number, self._direct, self._hash_keys, self._hash_slots)
            if slot >= 0:
                self._cache[name] = slot
        return slot

    def name(self, slot: int) -> str:
        if not 0 <= slot < len(self):
            raise IndexError(slot)
        return self.name_of_key(self._keys[slot])

    def name_of_key(self, key: int) -> str:
        return self._texts[key - TEXT] if key >= TEXT else str(key)

    def names(self) -> list[str]:
        """All names in the order of their slots."""
        texts = self._texts
        return [texts[key - TEXT] if key >= TEXT else str(key) for key in self._keys[: len(self)]]

    def add(self, name: str) -> int:
        """The slot of a name, which it gets now if it has none."""
        slot = self.slot(name)
        if slot >= 0:
            return slot
        slot = len(self)
        self._make_room(1)
        self._state[kernel.SIZE] = slot + 1
        self._enter(name, slot)
        return slot

    def _enter(self, name: str, slot: int) -> None:
        key = id_of(name)
        if key < 0:
            self._texts.append(name)
            key = TEXT + len(self._texts) - 1
        else:
            self._state[kernel.USED] += kernel.insert(key, slot, self._direct, self._hash_keys, self._hash_slots)
        self._keys[slot] = key
        self._cache[name] = slot

    def truncate(self, size: int) -> None:
        """Forget the attributes from slot `size` on: they were numbered ahead of trials that never took place."""
        if size >= len(self):
            return
        self.generation += 1
        self._state[kernel.SIZE] = size
        slots = {key - TEXT: slot for slot, key in enumerate(self._keys[:size]) if key >= TEXT}
        del self._texts[len(slots) :]
        self._cache = {self._texts[place]: slot for place, slot in slots.items()}
        self._rebuild(0)

    def _make_room(self, new: int) -> None:
        """Room for `new` more attributes in every buffer."""
        size = len(self)
        if size + new > len(self._keys):
            keys = zeros("Q", max(2 * len(self._keys), size + new))
            keys[:size] = self._keys[:size]
            self._keys = keys
            self._stamps = zeros("I", len(keys))
            self._state[kernel.STAMP] = 0
        if 2 * (self._state[kernel.USED] + new) > len(self._hash_keys):
            self._rebuild(new)

    def _rebuild(self, new: int) -> None:
        """A fresh index.  Keys below eight times the attributes seen are looked up directly, the others hashed."""
        size = len(self)
        direct = 1 << max(12, (8 * (size + new)).bit_length())
        places = 1 << max(8, (4 * (self._state[kernel.USED] + new)).bit_length())
        while True:
            self._direct = zeros("I", direct)
            self._hash_keys, self._hash_slots = zeros("Q", places), zeros("I", places)
            used = kernel.rebuild(self._keys, size, self._direct, self._hash_keys, self._hash_slots)
            if used == kernel.TWICE:
                raise ValueError("an attribute stands twice in the table")
            if used >= 0 and 2 * (used + new) <= places:
                break
            places *= 2
        self._state[kernel.USED] = used

    def _buffer(self, name: str, code: str, count: int) -> memoryview[Any]:
        """An output buffer that is kept from call to call."""
        kept = self._out.get(name)
        if kept is None or len(kept) < count:
            kept = self._out[name] = zeros(code, max(64, count + count // 4))
        return kept

    def scratch(self, width: int) -> tuple[memoryview[Any], memoryview[Any]]:
        """Room for a kernel to sort a row of this width in."""
        return self._buffer("scratch", "Q", width), self._buffer("places", "I", width)

    def resolve(
        self,
        block: Block,
        first: int,
        labels: Ints | None = None,
        *,
        add: bool,
        binary: bool,
        n: int | None,
    ) -> tuple[Rows, int, int]:
        """Rows first, first+1, ... with their slots, as far as they are well: (rows, status, entry).

        With a status other than OK the row after those returned is not well, and `entry` says which entry of it.  The
        buffers of the returned rows are the table's own and good until the next call.
        """
        last, indptr = block.rows, block.indptr
        columns = [] if block.columns is None else block.columns.texts()
        entries = indptr[last] - indptr[first]
        values = block.values if block.values is not None else _NO_VALUES
        out_values = self._buffer("values", "d", entries) if block.values is not None else _NO_VALUES
        out_indptr, out_slots = self._buffer("indptr", "q", last - first + 1), self._buffer("slots", "I", entries)
        direct = self._direct if block.columns is None else self._column_slots(columns)
        limit = NO_LIMIT if n is None else min(n, NO_LIMIT)
        state = self._state
        state[kernel.NEXT_ROW], state[kernel.ENTRIES], state[kernel.UNKNOWN] = first, 0, 0
        if state[kernel.STAMP] + last - first >= NO_SLOT:
            self._stamps, state[kernel.STAMP] = zeros("I", len(self._keys)), 0
        while True:
            before = len(self)
            status = kernel.resolve(
                block.keys, values, indptr, labels if labels is not None else _NO_LABELS, first, last,
                block.ascending, add, binary, limit if block.columns is None else NO_LIMIT, limit,
                direct, self._hash_keys, self._hash_slots, self._keys, self._stamps,
                out_indptr, out_slots, out_values,
                *self.scratch(entries), state,
            )  # fmt: skip
            if block.columns is not None:
                self._adopt(before, columns)
            if status != kernel.GROW:
                break
            row = state[kernel.NEXT_ROW]
            self._make_room(indptr[row + 1] - indptr[row])
            if block.columns is None:
                direct = self._direct
        if status == kernel.CAPACITY:
            raise AssertionError("buffers of a block do not fit together")
        count = state[kernel.NEXT_ROW] - first
        kept = None if block.values is None or binary else out_values  # without its zeros a binary row is all ones
        rows = Rows(count, out_indptr, out_slots, kept, state[kernel.UNKNOWN], entries)
        return rows, status, state[kernel.WHERE]

    def _column_slots(self, columns: list[str]) -> memoryview[int]:
        """An index for keys that are places in a list of names."""
        direct: memoryview[int] = zeros("I", len(columns))
        for place, name in enumerate(columns):
            direct[place] = self.slot(name) + 1
        return direct

    def _adopt(self, before: int, columns: list[str]) -> None:
        """Slots that were given to places in a list of names: enter them under their own keys."""
        new = len(self) - before
        if 2 * (self._state[kernel.USED] + new) > len(self._hash_keys):
            self._state[kernel.SIZE] = before  # the others have no keys of their own yet
            self._rebuild(new)
            self._state[kernel.SIZE] = before + new
        for slot in range(before, before + new):
            self._enter(columns[self._keys[slot]], slot)

    def arrays(self) -> dict[str, Any]:
        """The table as the named arrays of a model file: 64-bit keys, and the text names in UTF-8 with their ends."""
        blob = "".join(self._texts).encode(errors=_ANY)
        ends, at = array("Q"), 0
        for text in self._texts:
            at += len(text.encode(errors=_ANY))
            ends.append(at)
        return {"attributes.keys": self._keys[: len(self)], "attributes.texts": blob, "attributes.ends": ends}

    @classmethod
    def restore(cls, keys: Ints, blob: bytes, ends: Ints) -> AttributeTable:
        """The table of a model file; ValueError when the arrays contradict each other."""
        table = cls()
        at = 0
        for end in ends:
            if not at <= end <= len(blob):
                raise ValueError("text names overlap")
            table._texts.append(blob[at:end].decode(errors=_ANY))
            at = end
        size = len(keys)
        table._keys = zeros("Q", max(256, size))
        table._keys[:size] = memoryview(keys)
        table._stamps = zeros("I", len(table._keys))
        table._state[kernel.SIZE] = size
        texts = table._texts or (size and max(keys) >= TEXT)
        places = {key - TEXT: slot for slot, key in enumerate(keys) if key >= TEXT} if texts else {}
        if list(places) != list(range(len(table._texts))):
            raise ValueError("attribute names and keys do not match")
        table._cache = {table._texts[place]: slot for place, slot in places.items()}
        if len(table._cache) != len(table._texts):
            raise ValueError("a text name stands twice")
        table._rebuild(0)
        return table
