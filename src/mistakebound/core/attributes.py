"""Attribute names and their slots: one table per learner.

Small ids are their own slots, so that rows of them need no look-up; other ids and text names have extra slots behind
them: an id where it stands in a hash, a text name by its number.  Where the small ones end depends on how many have
appeared: when that changes, or the extra slots are used up, the table has a new `layout`, and whoever keeps arrays by
slot moves them (`move`).  What a model file holds is in the order of first appearance and knows nothing of slots.

Every method here changes the table whole or not at all (core/atomic.py).
"""

from __future__ import annotations

from array import array
from functools import partial
from operator import setitem

from mistakebound.core.atomic import commit
from mistakebound.core.block import ANY
from mistakebound.core.buffers import IN_ORDER, longer, moved, relaid, zeros
from mistakebound.core.names import IDS, id_of
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import texts
from mistakebound.kernels.slots import widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Ints
    from mistakebound.core.rows import Rows

TEXT = IDS  # keys from here on are numbers of text names
FIRST_DENSE = 1 << 16  # ids below are their own slots from the start: pages that nobody touches cost nothing
FIRST_PLACES = 1 << 12  # of the hash of other ids
_FAST_GROWTH = 1 << 20  # places up to which a hash grows fourfold, not twofold
FIRST_TEXTS = 1 << 13
# Small ids are those below a power of two, of which so many times more than half as many have appeared, up to so large.
_SPREAD = ((512, 1 << 20), (64, 1 << 22), (8, 1 << 30))
_WIDTHS = 34  # of ids in bits; the last for those that are wider
_STAMPS = 1 << 15
_NAMES = 1 << 14  # that are looked at together
_WRONG_NAMES = {texts.ID: "an id is among the text names", texts.SPLIT: "a text name ends within a character"}
_HELD = (
    "layout", "generation", "known", "_state", "_blob", "_ends", "_text_places", "_extra_keys", "_order", "_bits",
    "_moved_from", "_snapshot",
)  # fmt: skip
_FROM_NOTHING = (0, 0, array("I"))
_NOTHING: tuple[Ints, Ints, Ints] = (array("Q"), array("I"), array("q"))


class AttributeTable(texts.TextTable):
    """Names <-> slots.

    >>> table = AttributeTable()
    >>> table.add("7"), table.add("free"), table.slot("8"), table.names(), "free" in table
    (7, 69632, -1, ['7', 'free'], True)
    """

    __slots__ = ("_bits", "_moved_from", "_out", "_snapshot", "_stamps")

    derived = False  # the keys are made by a transform (transforms/)
    unit = "attribute"  # what a key stands for

    def __init__(self) -> None:
        super().__init__()
        self._bits: memoryview[int] = zeros("Q", FIRST_DENSE // 64)
        self._extra_keys = _extras(FIRST_PLACES, FIRST_TEXTS)
        self._order = zeros("I", FIRST_TEXTS)
        self._blob = zeros("B", 4 * FIRST_TEXTS)
        self._ends = zeros("q", FIRST_TEXTS + 1)
        self._text_places = zeros("Q", 4 * FIRST_TEXTS)
        self._stamps: memoryview[int] = zeros("I", _STAMPS)
        self._state = array("q", [0, 1, FIRST_PLACES, *[0] * 7])
        self._out: dict[str, memoryview[Any]] = {}
        # Since the arrays by slot were moved last: where small ids ended, how many attributes there were, and the new
        # slots of those that had extra ones (None: they stay).
        self._moved_from: tuple[int, int, Ints | None] | None = _FROM_NOTHING
        # What other threads may look at: one object, which they get at once.
        self._snapshot = 0, self._bits, self._extra_keys, FIRST_PLACES

    def __len__(self) -> int:
        return self._state[kernel.SIZE]

    @property
    def all_named(self) -> bool:
        """Whether there are attributes, and none is called by a number."""
        return 0 < len(self) == self._state[kernel.TEXTS]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.slot(name) >= 0

    @property
    def dense(self) -> int:
        """Ids below are their own slots."""
        return 64 * len(self._bits)

    @property
    def first_text(self) -> int:
        """The slot of the first text name."""
        return self.dense + self._state[kernel.PLACES]

    @property
    def capacity(self) -> int:
        """Every slot is below this."""
        return self.dense + len(self._extra_keys)

    @property
    def unseen(self) -> int:
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
                slot = kernel.find(number, self._bits, self._extra_keys, self._state)
            else:
                text = texts.find(name.encode(errors=ANY), *self.text_parts)
                slot = self.dense + self._state[kernel.PLACES] + text if text >= 0 else -1
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
            raise AssertionError("an index is outside the table")
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

    def move(self) -> Callable[[Any], memoryview[Any]]:
        """A function that moves an array by slot from the layout at the last `moved` to the present one."""
        dense, count, new_slots = self._moved_from or (self.dense, len(self), None)
        used = self._state[kernel.PLACES] + count if new_slots is None else len(new_slots)
        extras = used, new_slots
        return partial(relaid, order=self._order, count=count, dense=dense, extras=extras, capacity=self.capacity)

    def moved(self) -> list[Change]:
        """For `commit`: all arrays by slot have been moved."""
        return [(setattr, self, "_moved_from", None)]

    def held(self) -> dict[str, Any]:
        """All that changes when attributes enter, by the names of attributes of this object: for who puts it back."""
        return {name: getattr(self, name) for name in _HELD}

    # Entering and forgetting.

    def add(self, name: str) -> int:
        """The slot of a name, which it gets now if it has none."""
        slot = self.slot(name)
        if slot >= 0:
            return slot
        key = id_of(name)
        if key < 0:
            self.lay_out(0, 1)
            return self.add_texts([name])
        self.make_room(1, 0)
        self.lay_out(int(key >= self.dense), 0)
        self._enter(array("Q", [key]))
        return self._order[len(self) - 1]

    def add_texts(self, names: list[str]) -> int:
        """New text names, which are sorted, get their slots; the first of these, which follow each other.

        -1, and nothing done, when the layout has to change first.
        """
        if not self.room_for_texts(names):
            return -1
        first = self.enter_names(names, self.dense)
        if first < 0:
            raise AssertionError("the table of texts is full")
        return first

    def room_for_texts(self, names: list[str]) -> bool:
        """Whether there is room for new text names, which is made but in the extra slots."""
        if self.lacks(0, len(names)):
            return False
        self.make_room(len(names), texts.WIDEST * sum(map(len, names)))
        self._hash_texts(self._state[kernel.TEXTS] + len(names))
        return True

    def _enter(self, keys: Ints) -> None:
        status = kernel.enter(keys, len(keys), self._bits, self._extra_keys, self._order, self._state)
        if status == kernel.TWICE:
            raise ValueError("an attribute appears twice in the table")
        if status:
            raise AssertionError("the table of attributes is full")

    def truncate(self, size: int) -> None:
        """Forget all but the first `size` attributes: the others were entered ahead of trials that never took place."""
        if size >= len(self):
            return
        moved_from = self._moved_from
        if moved_from is not None:
            dense, count, new_slots = moved_from
            moved_from = dense, min(count, size), new_slots
        self.known.clear()
        forget = kernel.forget, size, self._bits, self._extra_keys, self._order, self._state, *self.text_parts
        commit([forget, *self._changed(self._bits, self._extra_keys, moved_from, new_layout=False)])
        if len(self) > size:
            raise AssertionError("the table of attributes is broken")

    def entering(self, rows: Rows) -> tuple[Ints, Ints, Ints]:
        """Bits, order and state for a kernel that enters the new ids of `rows`; empty ones when there is nothing to."""
        if not rows.entering:
            return _NOTHING
        room = len(self) + rows.widest
        if room > len(self._order):
            self._order = longer(self._order, room, len(self))
        return self._bits, self._order, self._state

    def make_room(self, new: int, size: int) -> None:
        """Room for `new` more attributes, whose names have `size` bytes together, but not in extra slots and hash."""
        state = self._state
        if len(self) + new > len(self._order):
            self._order = longer(self._order, len(self) + new, len(self))
        count = state[kernel.TEXTS] + new
        if count >= len(self._ends):
            self._ends = longer(self._ends, count + 1, state[kernel.TEXTS] + 1)
        if state[kernel.BYTES] + size > len(self._blob):
            self._blob = longer(self._blob, state[kernel.BYTES] + size, state[kernel.BYTES])

    def _hash_texts(self, room: int) -> None:
        """See to it that all text names are in their hash, and that it has room for so many."""
        count = self._state[kernel.TEXTS]
        if 4 * room > len(self._text_places):
            places = zeros("Q", 1 << (4 * max(64, room)).bit_length())
            status = texts.rebuild(self._blob, self._ends, count, places)
            if status:
                raise ValueError("a text name appears twice" if status == texts.TWICE else "text names overlap")
            commit([(setattr, self, "_text_places", places), (setitem, self._state, kernel.HASHED, count)])
        elif self._state[kernel.HASHED] < count and texts.catch_up(
            self._blob, self._ends, self._text_places, self._state
        ):
            raise AssertionError("the table of texts is broken")

    # The layout of the slots.

    def lacks(self, ids: int, new_texts: int) -> bool:
        """Whether there are too few extra slots for so many ids and texts more."""
        places = self._state[kernel.PLACES]
        return 2 * (self._state[kernel.EXTRA] + ids) > places or (
            places + self._state[kernel.TEXTS] + new_texts > len(self._extra_keys)
        )

    def expect(self, ids: int, largest: int) -> None:
        """So many ids, none above `largest`, may come to a new table: the layout that suits them spares it others."""
        dense = self.dense
        while dense <= largest:
            dense *= 2
        if dense > self.dense and not self.generation and not len(self) and _pays(dense, ids):
            changed = self._changed(zeros("Q", dense // 64), self._extra_keys, _FROM_NOTHING)
            # Room for the order of them all and a block more: growing it step by step would take longer than to learn.
            commit([(setattr, self, "_order", zeros("I", 2 * dense)), *changed])

    def lay_out(self, ids: int, new_texts: int) -> None:
        """See to it that there are extra slots for so many ids and texts more; if need be all get new slots."""
        if not self.lacks(ids, new_texts):
            return
        state, dense, size = self._state, self.dense, len(self)
        places, room = state[kernel.PLACES], len(self._extra_keys) - state[kernel.PLACES]
        while room < state[kernel.TEXTS] + new_texts:
            room *= 4
        if 2 * (state[kernel.EXTRA] + ids) <= places:  # every slot stays what it is
            moved_from = (dense, size, None) if self._moved_from is None else self._moved_from
            longer_keys = longer(self._extra_keys, places + room, places + state[kernel.TEXTS])
            commit(self._changed(self._bits, longer_keys, moved_from, new_slots=False))
            return
        keys, new_slots = self._extra_keys, zeros("I", len(self._extra_keys))
        widths = _widths(keys[:places])
        best, extras = _widest(dense, size - state[kernel.TEXTS] - sum(widths), widths)
        bits, order, new_state = zeros("Q", best // 64), zeros("I", len(self._order)), state[:]
        bits[: len(self._bits)] = self._bits
        order[:size] = self._order[:size]
        # A third more than that, or ids that were forgotten would soon be in the way again.
        new_state[kernel.PLACES] = _places_for(4 * (extras + ids + 1) // 3, places)
        new_state[kernel.EXTRA] = 1
        extra_keys = _extras(new_state[kernel.PLACES], room)
        if not kernel.relocate(keys, places, bits, extra_keys, new_slots, new_state):
            raise AssertionError("the table of attributes is broken")
        if not kernel.renumber(order, size, dense, new_slots):
            raise AssertionError("an index is outside the table")
        self.known.clear()
        commit([
            (setitem, state, kernel.PLACES, new_state[kernel.PLACES]),
            (setitem, state, kernel.EXTRA, new_state[kernel.EXTRA]),
            (setattr, self, "_order", order),
            *self._changed(bits, extra_keys, self._moved_on(dense, new_slots), new_state[kernel.PLACES]),
        ])  # fmt: skip

    def _moved_on(self, dense: int, new_slots: Ints) -> tuple[int, int, Ints]:
        """What `_moved_from` is after one more move."""
        if self._moved_from is None:
            return dense, len(self), new_slots
        first_dense, count, earlier = self._moved_from
        if earlier is not None:
            so_far = zeros("I", len(earlier))
            so_far[:] = memoryview(earlier)
            if not kernel.renumber(so_far, len(so_far), dense, new_slots):
                raise AssertionError("an index is outside the table")
            new_slots = so_far
        return first_dense, count, new_slots

    def _changed(
        self,
        bits: memoryview[int],
        extra_keys: memoryview[int],
        moved_from: tuple[int, int, Ints | None] | None,
        places: int | None = None,
        *,
        new_layout: bool = True,
        new_slots: bool = True,
    ) -> list[Change]:
        """For `commit`: these parts, and numbers that say that the layout is new, or that some slots are."""
        generation = self.generation + new_slots
        shown = generation, bits, extra_keys, self._state[kernel.PLACES] if places is None else places
        return [
            (setattr, self, "_bits", bits),
            (setattr, self, "_extra_keys", extra_keys),
            (setattr, self, "_moved_from", moved_from),
            (setattr, self, "layout", self.layout + new_layout),
            (setattr, self, "generation", generation),
            (setattr, self, "_snapshot", shown),
        ]

    # Looking ids up while another thread enters some.

    def look_up(self, keys: Ints, first: int, last: int, out: memoryview[int]) -> int:
        """out[k] = the slot of the id keys[k], nobody's where it has none; the generation in which that holds.

        Any thread may call this at any time.  Ids do not move within a generation: a slot that was found in it is still
        the right one as long as it lasts.
        """
        from mistakebound.kernels import mapping  # small ids are their own slots and do without

        generation, bits, extra_keys, places = self._snapshot
        if not mapping.look_up(keys, first, last, bits, extra_keys, places, out):
            raise AssertionError("buffers of a block do not fit together")
        return generation

    # What kernels work on.

    @property
    def state(self) -> array[int]:
        return self._state

    @property
    def small_parts(self) -> tuple[Ints, Ints]:
        """What the kernel `attributes` takes for rows of small ids."""
        return self._bits, self._order

    @property
    def parts(self) -> tuple[Ints, Ints, Ints, memoryview[int], Ints, Ints]:
        """What the kernel `mapping` takes."""
        return (
            self._bits, self._extra_keys, self._order, self._blob, self._ends, self._stamps
        )  # fmt: skip

    @property
    def text_parts(self) -> tuple[memoryview[int], Ints, Ints]:
        """What the kernel `texts` takes; all names are in the hash then."""
        self._hash_texts(self._state[kernel.TEXTS])
        return self._blob, self._ends, self._text_places

    def count_stamps(self, rows: int) -> None:
        """So many rows are to be searched for an attribute that appears twice: their numbers have 32 bits."""
        if self._state[kernel.STAMP] + rows >= 1 << 32:
            self._stamps, self._state[kernel.STAMP] = zeros("I", _STAMPS), 0

    def buffer(self, name: str, code: str, count: int) -> memoryview[Any]:
        """An output buffer that is kept from call to call."""
        kept = self._out.get(name)
        if kept is None or len(kept) < count:
            kept = self._out[name] = zeros(code, max(64, count + count // 4))
        return kept

    def scratch(self, width: int) -> tuple[memoryview[Any], memoryview[Any]]:
        """Room for a kernel to sort a row of this width in."""
        return self.buffer("scratch", "Q", width), self.buffer("payload", "I", width)

    # Model files.

    def _short_keys(self) -> Ints:
        """The keys, in 32 bits where that is enough: what a file holds does not depend on the layout."""
        if self._state[kernel.TEXTS]:
            return self.keys()
        if self._state[kernel.EXTRA] == 1:
            return self.slots()
        keys, wide = self.keys(), _widths(self._extra_keys)[-1]
        return keys if wide else array("I", keys)

    def arrays(self) -> dict[str, Any]:
        """The table as the named arrays of a model file: its keys, and the text names in UTF-8 with their ends.

        They are good until the table changes.
        """
        count, size = self._state[kernel.TEXTS], self._state[kernel.BYTES]
        return {
            "attributes.keys": self._short_keys(),
            "attributes.texts": self._blob[:size],
            "attributes.ends": self._ends[1 : count + 1].cast("B").cast("Q") if count else array("Q"),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy and pickle: buffers that a kernel writes to are not taken apart."""
        arrays = self.arrays()
        keys, blob, ends = array("Q", self.keys()), bytes(arrays["attributes.texts"]), array("Q")
        ends.frombytes(bytes(arrays["attributes.ends"]))
        return type(self).restore, (keys, blob, ends)

    @classmethod
    def restore(cls, keys: Ints, blob: Any, ends: Ints) -> AttributeTable:
        """The table of a model file; ValueError when the arrays contradict each other."""
        table = cls()
        keys, count, size = _wide(keys), len(ends), len(blob)
        if memoryview(blob).format != "B" or memoryview(ends).format != "Q":
            raise ValueError("the text names are not bytes with their ends")
        if texts.numbered(keys) != count:
            raise ValueError("attribute names and keys do not match")
        table._order = zeros("I", max(FIRST_TEXTS, len(keys)))
        table._ends = zeros("q", max(FIRST_TEXTS, count) + 1)
        status = texts.adopt(ends, blob, size, table._ends)
        if status:
            raise ValueError(_WRONG_NAMES.get(status, "text names overlap"))
        if isinstance(blob, array) and size:  # of a model file: nobody else has it
            table._blob = memoryview(blob)
        else:
            table._blob = zeros("B", max(4 * FIRST_TEXTS, size))
            table._blob[:size] = blob
        _check_utf8(table._blob, table._ends, count)
        table._state[kernel.TEXTS], table._state[kernel.BYTES] = count, size
        table._text_places = zeros("Q", 1 << max(4 * FIRST_TEXTS, 4 * count - 1).bit_length())
        status = texts.rebuild(table._blob, table._ends, count, table._text_places)
        if status:
            raise ValueError("a text name appears twice" if status == texts.TWICE else "text names overlap")
        table._state[kernel.HASHED] = count
        dense, extras = _widest(table.dense, 0, _widths(keys))
        table._bits = zeros("Q", dense // 64)
        table._state[kernel.PLACES] = _places_for(extras + 1, FIRST_PLACES)
        table._extra_keys = _extras(table._state[kernel.PLACES], max(count, FIRST_TEXTS))
        table._enter(keys)
        table._snapshot = table.generation, table._bits, table._extra_keys, table._state[kernel.PLACES]
        return table


def _wide(keys: Ints) -> Ints:
    """The keys of a model file in 64 bits."""
    format = memoryview(keys).format
    if format not in ("I", "Q"):
        raise ValueError("the keys are not whole numbers")
    if format == "Q":
        return keys
    wide = zeros("Q", len(keys))
    if not widen(keys, len(keys), 0, wide):
        raise AssertionError("the keys do not fit")
    return wide


def _check_utf8(blob: memoryview[int], ends: memoryview[int], count: int) -> None:
    """ValueError when names are not UTF-8: many at a time, because none ends within a character."""
    for first in range(0, count, _NAMES):
        str(blob[ends[first] : ends[min(first + _NAMES, count)]], "utf-8", ANY)


def _widest(dense: int, small: int, widths: list[int]) -> tuple[int, int]:
    """Where small ids are to end, when so many are below `dense` and these are the widths of the others.

    How many of the others are still not small comes back too.
    """
    best = dense
    below = small + sum(widths[: dense.bit_length()])
    outside = sum(widths[dense.bit_length() :])
    while dense < _SPREAD[-1][1]:
        below += widths[dense.bit_length()]
        dense *= 2
        if _pays(dense, below):
            best, outside = dense, sum(widths[dense.bit_length() :])
    return best, outside


def _pays(dense: int, ids: int) -> bool:
    """Whether the ids below `dense` are to be their own slots when so many of them have appeared."""
    return any(dense <= most and dense < 2 * times * ids for times, most in _SPREAD)


def _extras(places: int, room: int) -> memoryview[int]:
    """The keys of extra slots that have none yet: a hash, and room for so many texts."""
    keys = zeros("Q", places + room)
    keys[0] = kernel.NOBODY
    return keys


def _places_for(extras: int, places: int) -> int:
    """The size of a hash that has room for so many, nobody's among them; at least the given size."""
    while 2 * extras > places:
        places *= 4 if places < _FAST_GROWTH else 2
    return places


def _widths(keys: Ints) -> list[int]:
    """How many ids of 0, 1, 2, ... bits there are among some keys, without 0."""
    found = array("q", bytes(8 * _WIDTHS))
    if not kernel.count_widths(keys, found):
        raise AssertionError("there are more widths than expected")
    return [0, *found[1:]]
