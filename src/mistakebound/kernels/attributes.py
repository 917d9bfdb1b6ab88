"""Attribute ids -> slots, for rows whose ids are all small.

An id below `dense` = 64 * len(bits) is its own slot, and bits[] says which of them have appeared.  Every other
attribute has an extra slot, dense + e, and extra_keys[e] is its key.  The first state[PLACES] of the extra slots are an
open-addressing hash of the larger ids, at most half full: where an id is found, there is its slot.  e = 0 is nobody's
(attributes never seen are sent there), a free place has the key 0.  Behind them text name t has the slot
dense + state[PLACES] + t and the key TEXT + t.  `order` lists the slots in the order of first appearance.

A row is taken whole or not at all: everything that can be wrong with it is found before its new attributes get
their slots, and these appear in ascending order of their ids, whatever their order in the row.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._places import hash_of, place_of, shift_of
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
    from cython.cimports.mistakebound.kernels.texts import drop_texts
else:
    from mistakebound.kernels._places import hash_of, place_of, shift_of
    from mistakebound.kernels.sorting import sort_keys
    from mistakebound.kernels.texts import drop_texts

OK = 0
GROW = 1  # room for the new attributes of row state[NEXT_ROW] is needed
BAD_LABEL = 2
NOT_BINARY = 3
DUPLICATE = 4
BEYOND = 5
CAPACITY = 6  # the caller's buffers do not fit together
OTHER = 7  # row state[NEXT_ROW] has a large id or an explicit zero: it takes the general way

FULL = -1  # enter: there is no room
TWICE = -2  # enter: a key stands twice

# Places in `state`.
SIZE = 0  # attributes that have a slot
EXTRA = 1  # places of the hash in use, with nobody's and those of ids that were forgotten
PLACES = 2  # of the hash: a power of two
NEXT_ROW = 3
ENTRIES = 4  # written to out_slots
WHERE = 5  # the entry (index into keys) that a problem is about
STAMP = 6  # counts rows, to notice an attribute that stands twice in one
TEXTS = 7  # text names
BYTES = 8  # of their blob
HASHED = 9  # text names, the first ones, that are in their hash: the others are entered when somebody looks for a name

NOBODY = 0xFFFFFFFFFFFFFFFF  # the key at the place that is nobody's
GONE = 0xFFFFFFFFFFFFFFFE  # the key at a place that had an id which was forgotten, when others may be behind it

# The same for the inside of the kernels, where a Python object would need the interpreter.
_OK = cython.declare(cython.int, OK)
_GROW = cython.declare(cython.int, GROW)
_BAD_LABEL = cython.declare(cython.int, BAD_LABEL)
_NOT_BINARY = cython.declare(cython.int, NOT_BINARY)
_DUPLICATE = cython.declare(cython.int, DUPLICATE)
_BEYOND = cython.declare(cython.int, BEYOND)
_OTHER = cython.declare(cython.int, OTHER)
_FULL = cython.declare(cython.int, FULL)
_TWICE = cython.declare(cython.int, TWICE)
_SIZE = cython.declare(cython.int, SIZE)
_EXTRA = cython.declare(cython.int, EXTRA)
_PLACES = cython.declare(cython.int, PLACES)
_TEXTS = cython.declare(cython.int, TEXTS)
_BYTES = cython.declare(cython.int, BYTES)
_HASHED = cython.declare(cython.int, HASHED)
_NEXT_ROW = cython.declare(cython.int, NEXT_ROW)
_WHERE = cython.declare(cython.int, WHERE)
_STAMP = cython.declare(cython.int, STAMP)

_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_ONE = cython.declare(cython.ulonglong, 1)
_TEXT = cython.declare(cython.ulonglong, 0x8000000000000000)
_GONE = cython.declare(cython.ulonglong, GONE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _find(
    key: cython.ulonglong,
    bits: cython.const[cython.ulonglong][::1],
    extra_keys: cython.const[cython.ulonglong][::1],
    places: cython.Py_ssize_t,
    shift: cython.int,
) -> cython.longlong:
    """The slot of an id, or -1."""
    h: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    if key < dense:
        if (bits[key >> 6] >> (key & 63)) & 1:
            return cython.cast(cython.longlong, key)
        return -1
    h = place_of(key, extra_keys, cython.cast(cython.ulonglong, places - 1), shift)
    return cython.cast(cython.longlong, dense + h) if extra_keys[h] != 0 else -1


@cython.cfunc
@cython.exceptval(check=False)
def _whole(
    bits: cython.const[cython.ulonglong][::1],
    extra_keys: cython.const[cython.ulonglong][::1],
    state: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Do the buffers of a table fit together?"""
    places: cython.Py_ssize_t
    if len(state) < 10 or len(bits) == 0 or len(bits) & (len(bits) - 1):
        return False
    places = state[_PLACES]
    if places < 2 or places & (places - 1) or places > len(extra_keys) or extra_keys[0] == 0:
        return False
    return state[_SIZE] >= 0 and state[_EXTRA] >= 1 and 2 * state[_EXTRA] <= places and state[_TEXTS] >= 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def twice(
    keys: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    stamps: cython.uint[::1],
    scratch: cython.ulonglong[::1],
    payload: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """The entry at which a key of keys[a:b], in any order, stands for the second time, or -1.

    Every key leaves the number of the row at its place among the stamps: only a row in which two meet is sorted.
    """
    k: cython.Py_ssize_t
    h: cython.ulonglong
    mask: cython.ulonglong = len(stamps) - 1
    stamp: cython.uint
    met: cython.bint = False
    state[_STAMP] += 1
    stamp = cython.cast(cython.uint, state[_STAMP])
    for k in range(a, b):
        h = (hash_of(keys[k]) >> 32) & mask
        met |= stamps[h] == stamp
        stamps[h] = stamp
    if not met:
        return -1
    for k in range(b - a):
        scratch[k] = keys[a + k]
        payload[k] = cython.cast(cython.uint, k)
    sort_keys(scratch, payload, b - a)
    for k in range(1, b - a):
        if scratch[k] == scratch[k - 1]:
            return a + (payload[k] if payload[k] > payload[k - 1] else payload[k - 1])
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _resolve(
    keys: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    last: cython.Py_ssize_t,
    in_order: cython.bint,
    add: cython.bint,
    binary: cython.bint,
    id_limit: cython.ulonglong,
    size_limit: cython.longlong,
    bits: cython.ulonglong[::1],
    order: cython.uint[::1],
    scratch: cython.ulonglong[::1],
    payload: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    new: cython.Py_ssize_t
    key: cython.ulonglong
    high: cython.ulonglong
    missing: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    words: cython.ulonglong = len(bits) - 1
    size: cython.longlong = state[_SIZE]
    real: cython.bint = len(values) > 0
    labelled: cython.bint = len(labels) > 0
    reading: cython.bint = in_order and not add and dense <= id_limit  # what a row has that is new is of no interest
    ascending: cython.bint
    odd: cython.bint
    for r in range(state[_NEXT_ROW], last):
        state[_NEXT_ROW] = r
        a = indptr[r]
        b = indptr[r + 1]
        if labelled and labels[r] < 0:
            return _BAD_LABEL
        if real:
            odd = False
            for k in range(a, b):
                odd |= values[k] == 0.0 or (binary and values[k] != 1.0)
            if odd:
                return _OTHER
        if reading and b - a <= size_limit - size:
            if b > a and keys[b - 1] + base >= dense:
                return _OTHER
            continue
        high = 0
        missing = 0
        for k in range(a, b):
            key = keys[k] + base
            high |= key
            missing |= ~(bits[(key >> 6) & words] >> (key & 63))
        if high >= dense:
            return _OTHER
        if not in_order:
            ascending = True
            for k in range(a + 1, b):
                ascending &= keys[k - 1] < keys[k]
            if not ascending:
                for k in range(a, b):
                    scratch[k - a] = keys[k] + base
                    payload[k - a] = cython.cast(cython.uint, k - a)
                sort_keys(scratch, payload, b - a)
                for k in range(1, b - a):
                    if scratch[k] == scratch[k - 1]:
                        state[_WHERE] = a + max(payload[k - 1], payload[k])
                        return _DUPLICATE
        if (missing & _ONE) == 0:
            continue
        new = 0
        for k in range(a, b):  # without a branch, which nobody could predict
            key = keys[k] + base
            scratch[new] = key
            payload[new] = cython.cast(cython.uint, k - a)
            new += (~(bits[key >> 6] >> (key & 63))) & _ONE
        if high > id_limit:
            for k in range(new):
                if scratch[k] > id_limit:
                    state[_WHERE] = a + payload[k]
                    return _BEYOND
        if not in_order:
            sort_keys(scratch, payload, new)
        if size + new > size_limit:
            state[_WHERE] = a + payload[size_limit - size]
            return _BEYOND
        if add:
            if size + new > len(order):
                return _GROW
            for k in range(new):
                key = scratch[k]
                bits[key >> 6] |= _ONE << (key & 63)
                order[size + k] = cython.cast(cython.uint, key)
            size += new
            state[_SIZE] = size
    state[_NEXT_ROW] = last
    return _OK


def resolve_dense(entries, base: cython.ulonglong, checks, table, work):
    # type: (tuple[Ints, Floats, Ints], int, tuple[Ints, int, int, bool, bool, bool, int, int], tuple[Ints, Ints], tuple[Ints, Ints, Ints]) -> int
    """Check rows first .. last-1 and, with `add`, enter their new ids; stops before the first row that is not well.

    `entries`: keys, values, ends of rows; keys[k] + base are the slots, and nothing is written out; the values may be
    empty (all ones).  `checks`: labels (empty: nothing to check), first, last; `in_order` promises that the keys of
    every row ascend strictly; whether to `add` new ids, whether values must be 0 or 1, the largest id, the most
    attributes.  `table`: bits, order.  `work`: two buffers as wide as a row, and `state`: work begins at row
    state[NEXT_ROW], which the caller sets to `first`; after GROW it calls again with it as it is.
    """
    keys: cython.const[cython.uint][::1] = entries[0]
    values: cython.const[cython.double][::1] = entries[1]
    indptr: cython.const[cython.longlong][::1] = entries[2]
    labels: cython.const[cython.schar][::1] = checks[0]
    first: cython.Py_ssize_t = checks[1]
    last: cython.Py_ssize_t = checks[2]
    in_order: cython.bint = checks[3]
    add: cython.bint = checks[4]
    binary: cython.bint = checks[5]
    id_limit: cython.ulonglong = checks[6]
    size_limit: cython.longlong = checks[7]
    bits: cython.ulonglong[::1] = table[0]
    order: cython.uint[::1] = table[1]
    scratch: cython.ulonglong[::1] = work[0]
    payload: cython.uint[::1] = work[1]
    state: cython.longlong[::1] = work[2]
    status: cython.int
    if not _fits(keys, values, indptr, labels, first, last, bits, scratch, payload, state):
        return CAPACITY
    if state[_SIZE] < 0 or state[_SIZE] > len(order):
        return CAPACITY
    with cython.nogil:
        status = _resolve(
            keys, base, values, indptr, labels, last, in_order, add, binary, id_limit, size_limit, bits, order,
            scratch, payload, state,
        )  # fmt: skip
    return status


@cython.cfunc
@cython.exceptval(check=False)
def _fits(
    keys: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    bits: cython.const[cython.ulonglong][::1],
    scratch: cython.const[cython.ulonglong][::1],
    payload: cython.const[cython.uint][::1],
    state: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Do the caller's buffers fit together?  Then no index can leave its buffer."""
    r: cython.Py_ssize_t
    widest: cython.Py_ssize_t = 0
    if first < 0 or last < first or len(indptr) <= last or len(state) < 10 or indptr[first] < 0:
        return False
    for r in range(first, last):
        if indptr[r + 1] < indptr[r]:
            return False
        widest = max(widest, indptr[r + 1] - indptr[r])
    if indptr[last] > len(keys) or (len(values) > 0 and indptr[last] > len(values)):
        return False
    if (len(labels) > 0 and len(labels) < last) or len(scratch) < widest or len(payload) < widest:
        return False
    if state[_NEXT_ROW] < first or state[_NEXT_ROW] > last:
        return False
    return len(bits) > 0 and not len(bits) & (len(bits) - 1) and len(bits) < 67108864  # slots have 32 bits


def find(
    key: cython.ulonglong, bits: cython.ulonglong[::1], extra_keys: cython.ulonglong[::1], state: cython.longlong[::1]
) -> cython.longlong:
    """The slot of one id, or -1."""
    if key >= _TEXT or not _whole(bits, extra_keys, state):
        return -1
    return _find(key, bits, extra_keys, state[_PLACES], shift_of(state[_PLACES]))


def enter(
    keys: cython.const[cython.ulonglong][::1],
    count: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    extra_keys: cython.ulonglong[::1],
    order: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.longlong:
    """Give `count` keys (ids, or TEXT + number for text names) their slots, in their order; 0, FULL or TWICE.

    >>> from array import array
    >>> bits, extra_keys, order = array("Q", [0]), array("Q", [NOBODY, *[0] * 4]), array("I", [0] * 3)
    >>> state = array("q", [0, 1, 4, *[0] * 7])
    >>> enter(array("Q", [3, 10**18, 2**63]), 3, bits, extra_keys, order, state), order.tolist()
    (0, [3, 66, 68])
    >>> [find(key, bits, extra_keys, state) for key in (3, 10**18, 2)]
    [3, 66, -1]
    """
    k: cython.Py_ssize_t
    key: cython.ulonglong
    h: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    places: cython.Py_ssize_t
    shift: cython.int
    status: cython.int = 0
    if not _whole(bits, extra_keys, state) or count > len(keys) or state[_SIZE] + count > len(order):
        return FULL
    places = state[_PLACES]
    shift = shift_of(places)
    with cython.nogil:
        for k in range(count):
            key = keys[k]
            if key < _TEXT and _find(key, bits, extra_keys, places, shift) >= 0:
                status = _TWICE
                break
            if key < dense:
                bits[key >> 6] |= _ONE << (key & 63)
                h = key
            elif key < _TEXT:
                if 2 * (state[_EXTRA] + 1) > places:
                    status = _FULL
                    break
                h = place_of(key, extra_keys, cython.cast(cython.ulonglong, places - 1), shift)
                extra_keys[h] = key
                state[_EXTRA] += 1
                h += dense
            else:
                h = key - _TEXT
                if h >= cython.cast(cython.ulonglong, len(extra_keys) - places):
                    status = _FULL
                    break
                h += cython.cast(cython.ulonglong, places)
                extra_keys[h] = key
                h += dense
            order[state[_SIZE]] = cython.cast(cython.uint, h)
            state[_SIZE] += 1
    return status


def keys_in_order(
    order: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    out: cython.ulonglong[::1],
) -> cython.bint:
    """out[i] = the key of the i-th attribute that appeared; false when a slot is outside the table."""
    i: cython.Py_ssize_t
    if count < 0 or count > len(order) or count > len(out):
        return False
    for i in range(count):
        if order[i] < dense:
            out[i] = order[i]
        elif order[i] - dense < cython.cast(cython.ulonglong, len(extra_keys)):
            out[i] = extra_keys[order[i] - dense]
        else:
            return False
    return True


def count_widths(keys: cython.const[cython.ulonglong][::1], out: cython.longlong[::1]) -> cython.bint:
    """out[b] = how many ids of b bits there are among some keys, without 0; out[33]: of more than 32.

    False when `out` is too short.

    >>> from array import array
    >>> out = array("q", bytes(8 * 34))
    >>> count_widths(array("Q", [0, 1, 5, 7, 2**62, 2**63]), out), out[:4].tolist(), out[33]
    (True, [0, 1, 0, 2], 1)
    """
    k: cython.Py_ssize_t
    b: cython.int
    wide: cython.ulonglong = 0x100000000
    if len(out) < 34:
        return False
    with cython.nogil:
        for b in range(34):
            out[b] = 0
        for k in range(len(keys)):  # free places and wide ids without a branch: nobody could predict which comes next
            out[33] += (keys[k] >> 32 != 0) & (keys[k] < _TEXT)
            if (keys[k] - 1) & _ALL64 < wide - 1:
                b = (keys[k] >> 16 != 0) << 4
                b += (keys[k] >> (b + 8) != 0) << 3
                b += (keys[k] >> (b + 4) != 0) << 2
                b += (keys[k] >> (b + 2) != 0) << 1
                b += keys[k] >> (b + 1) != 0
                out[b + 1] += 1
    return True


def relocate(
    old_keys: cython.const[cython.ulonglong][::1],
    old_places: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    extra_keys: cython.ulonglong[::1],
    new_slots: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.bint:
    """Enter what had extra slots into a new layout, and say where it is: new_slots[e] for every e, nobody's for no key.

    `bits` has the small ids of the old layout and as many more words as the new one wants; `extra_keys` is zero but for
    its first, and state[PLACES] of them are a hash.  False when there is no room.
    """
    e: cython.Py_ssize_t
    key: cython.ulonglong
    h: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    places: cython.Py_ssize_t
    shift: cython.int
    room: cython.bint = True
    if not _whole(bits, extra_keys, state) or old_places < 0 or old_places + state[_TEXTS] > len(old_keys):
        return False
    places = state[_PLACES]
    if len(new_slots) < len(old_keys) or len(extra_keys) - places < state[_TEXTS] or state[_EXTRA] != 1:
        return False
    shift = shift_of(places)
    with cython.nogil:
        for e in range(old_places):
            key = old_keys[e]
            new_slots[e] = cython.cast(cython.uint, dense)
            if key == 0 or key >= _TEXT:
                continue
            if key < dense:
                bits[key >> 6] |= _ONE << (key & 63)
                new_slots[e] = cython.cast(cython.uint, key)
                continue
            if 2 * (state[_EXTRA] + 1) > places:
                room = False
                break
            h = place_of(key, extra_keys, cython.cast(cython.ulonglong, places - 1), shift)
            extra_keys[h] = key
            state[_EXTRA] += 1
            new_slots[e] = cython.cast(cython.uint, dense + h)
        for e in range(len(old_keys) - old_places):
            new_slots[old_places + e] = cython.cast(cython.uint, dense)
            if e < state[_TEXTS]:
                extra_keys[places + e] = old_keys[old_places + e]
                new_slots[old_places + e] += cython.cast(cython.uint, places + e)
    return room


def renumber(
    slots: cython.uint[::1],
    count: cython.Py_ssize_t,
    old_dense: cython.ulonglong,
    new_slots: cython.const[cython.uint][::1],
) -> cython.bint:
    """Replace every slot dense + e by new_slots[e]; false when one is outside.

    >>> from array import array
    >>> slots = array("I", [3, 65, 64])
    >>> renumber(slots, 3, 64, array("I", [128, 131])), slots.tolist()
    (True, [3, 131, 128])
    """
    i: cython.Py_ssize_t
    top: cython.ulonglong = old_dense + cython.cast(cython.ulonglong, len(new_slots))
    if count < 0 or count > len(slots):
        return False
    for i in range(count):
        if slots[i] >= top:
            return False
        if slots[i] >= old_dense:
            slots[i] = new_slots[slots[i] - old_dense]
    return True


def forget(
    size: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    extra_keys: cython.ulonglong[::1],
    order: cython.const[cython.uint][::1],
    state: cython.longlong[::1],
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    text_places: cython.ulonglong[::1],
) -> cython.longlong:
    """Take out all but the first `size` attributes; how many text names are left, or FULL for a table that is broken.

    An id that is looked up beyond the place of one that is gone must still be found: such a place stays taken.
    """
    e: cython.ulonglong
    i: cython.Py_ssize_t
    dense: cython.ulonglong = 64 * len(bits)
    texts: cython.longlong
    places: cython.ulonglong
    if size < 0 or not _whole(bits, extra_keys, state) or state[_SIZE] > len(order):
        return FULL
    texts = state[_TEXTS]
    places = state[_PLACES]
    if texts >= len(ends) or len(text_places) < 2 or ends[texts] > len(blob) or state[_HASHED] > texts:
        return FULL
    for i in range(size, state[_SIZE]):
        e = order[i]
        if e >= dense:
            e -= dense
            if e == 0 or e >= cython.cast(cython.ulonglong, len(extra_keys)):
                return FULL
            texts -= e >= places
    if texts < 0:
        return FULL
    drop_texts(state[_HASHED], texts, blob, ends, text_places)
    i = state[_SIZE]
    while i > size:
        i -= 1
        e = order[i]
        if e < dense:
            bits[e >> 6] &= ~(_ONE << (e & 63)) & _ALL64
            continue
        e -= dense
        if e >= places:
            extra_keys[e] = 0
        elif extra_keys[(e + 1) & (places - 1)] != 0:
            extra_keys[e] = _GONE
        else:
            extra_keys[e] = 0
            state[_EXTRA] -= 1
    state[_SIZE] = min(state[_SIZE], size)
    state[_TEXTS] = texts
    state[_BYTES] = ends[texts]
    state[_HASHED] = min(state[_HASHED], texts)
    return texts
