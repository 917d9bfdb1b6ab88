"""Attribute keys -> slots.  A slot is the number of an attribute in the order of first appearance.

Three buffers make the index: `direct[key]` for small keys, an open-addressing hash for the others (both hold
slot + 1, so that zero pages mean "absent"), and `slot_keys[slot]` the way back.  Keys of 2**63 and more stand for
text names, which the caller keeps: they are in neither index.

A row is taken whole or not at all: everything that can be wrong with it is found before its new attributes get
their slots, and these are numbered in ascending order of their keys, whatever their order in the row.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from mistakebound.kernels.sorting import sort_keys

OK = 0
GROW = 1  # room for the new attributes of row state[NEXT_ROW] is needed
BAD_LABEL = 2
NOT_BINARY = 3
DUPLICATE = 4
BEYOND = 5
CAPACITY = 6  # the caller's buffers do not fit together

FULL = -1  # rebuild: the hash is too small
TWICE = -2  # rebuild: a key stands twice

# Places in `state`.
SIZE = 0  # attributes that have a slot
USED = 1  # of them in the hash
NEXT_ROW = 2
ENTRIES = 3  # written to out_slots
WHERE = 4  # the entry (index into keys) that a problem is about
UNKNOWN = 5  # entries without a slot (only when nothing is added)
STAMP = 6  # counts rows, to notice an attribute that stands twice in one

# The same for the inside of the kernels, where a Python object would need the interpreter.
_OK = cython.declare(cython.int, OK)
_GROW = cython.declare(cython.int, GROW)
_BAD_LABEL = cython.declare(cython.int, BAD_LABEL)
_NOT_BINARY = cython.declare(cython.int, NOT_BINARY)
_DUPLICATE = cython.declare(cython.int, DUPLICATE)
_BEYOND = cython.declare(cython.int, BEYOND)
_FULL = cython.declare(cython.int, FULL)
_TWICE = cython.declare(cython.int, TWICE)
_SIZE = cython.declare(cython.int, SIZE)
_USED = cython.declare(cython.int, USED)
_NEXT_ROW = cython.declare(cython.int, NEXT_ROW)
_ENTRIES = cython.declare(cython.int, ENTRIES)
_WHERE = cython.declare(cython.int, WHERE)
_UNKNOWN = cython.declare(cython.int, UNKNOWN)
_STAMP = cython.declare(cython.int, STAMP)

_GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_NONE = cython.declare(cython.uint, 0xFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _find(
    key: cython.ulonglong,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
) -> cython.uint:
    """slot + 1, or 0."""
    h: cython.ulonglong
    mask: cython.ulonglong = len(hash_keys) - 1
    if key < cython.cast(cython.ulonglong, len(direct)):
        return direct[key]
    h = (((key * _GOLDEN) & _ALL64) >> 20) & mask
    while hash_slots[h] != 0:
        if hash_keys[h] == key:
            return hash_slots[h]
        h = (h + 1) & mask
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _insert(
    key: cython.ulonglong,
    slot: cython.uint,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
) -> cython.int:
    """How many places of the hash it took: 0 or 1."""
    h: cython.ulonglong
    mask: cython.ulonglong = len(hash_keys) - 1
    if key < cython.cast(cython.ulonglong, len(direct)):
        direct[key] = slot + 1
        return 0
    h = (((key * _GOLDEN) & _ALL64) >> 20) & mask
    while hash_slots[h] != 0:
        h = (h + 1) & mask
    hash_keys[h] = key
    hash_slots[h] = slot + 1
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _twice(
    keys: cython.const[cython.ulonglong][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.Py_ssize_t:
    """The entry at which a key of keys[a:b] stands for the second time, or -1."""
    k: cython.Py_ssize_t
    for k in range(b - a):
        scratch[k] = keys[a + k]
        places[k] = cython.cast(cython.uint, k)
    sort_keys(scratch, places, b - a)
    for k in range(1, b - a):
        if scratch[k] == scratch[k - 1]:
            return a + (places[k] if places[k] > places[k - 1] else places[k - 1])
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _resolve(
    keys: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    in_order: cython.bint,
    add: cython.bint,
    binary: cython.bint,
    id_limit: cython.ulonglong,
    size_limit: cython.longlong,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
    slot_keys: cython.ulonglong[::1],
    stamps: cython.uint[::1],
    out_indptr: cython.longlong[::1],
    out_slots: cython.uint[::1],
    out_values: cython.double[::1],
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    real: cython.bint = len(values) > 0
    size: cython.longlong = state[_SIZE]
    used: cython.longlong = state[_USED]
    out: cython.Py_ssize_t = state[_ENTRIES]
    start: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    new: cython.Py_ssize_t
    key: cython.ulonglong
    slot: cython.uint
    stamp: cython.uint
    v: cython.double
    ascending: cython.bint
    zeros: cython.bint
    room: cython.longlong
    for r in range(state[_NEXT_ROW], last):
        state[_NEXT_ROW] = r
        state[_ENTRIES] = out
        a = indptr[r]
        b = indptr[r + 1]
        if len(labels) > 0 and labels[r] < 0:
            return _BAD_LABEL
        ascending = True
        if not in_order:
            for k in range(a + 1, b):
                ascending &= keys[k - 1] < keys[k]
        if real:
            zeros = False
            for k in range(a, b):
                v = values[k]
                zeros |= v == 0.0
                if binary and v != 1.0 and v != 0.0:
                    state[_WHERE] = k
                    return _NOT_BINARY
            if zeros and not ascending:
                k = _twice(keys, a, b, scratch, places)
                if k >= 0:
                    state[_WHERE] = k
                    return _DUPLICATE
        # Pass one: look every attribute up; those without a slot are set aside with their place in the row.
        state[_STAMP] += 1
        stamp = cython.cast(cython.uint, state[_STAMP])
        start = out
        new = 0
        for k in range(a, b):
            if real and values[k] == 0.0:
                continue
            key = keys[k]
            slot = _find(key, direct, hash_keys, hash_slots)
            if slot == 0:
                if key > id_limit:
                    state[_WHERE] = k
                    return _BEYOND
                scratch[new] = key
                places[new] = cython.cast(cython.uint, out - start)
                new += 1
                slot = _NONE
            else:
                slot -= 1
                if not ascending:
                    if stamps[slot] == stamp:
                        state[_WHERE] = k
                        return _DUPLICATE
                    stamps[slot] = stamp
            out_slots[out] = slot
            if real:
                out_values[out] = values[k]
            out += 1
        if new > 0:
            if not ascending:
                sort_keys(scratch, places, new)
                for k in range(1, new):
                    if scratch[k] == scratch[k - 1]:
                        state[_WHERE] = _twice(keys, a, b, scratch, places)
                        return _DUPLICATE
            if size + new > size_limit:
                key = scratch[size_limit - size]
                for k in range(a, b):
                    if keys[k] == key:
                        state[_WHERE] = k
                return _BEYOND
            if add:
                room = len(hash_keys) // 2 - used
                if size + new > len(slot_keys) or new > room:
                    return _GROW
                for k in range(new):
                    slot = cython.cast(cython.uint, size + k)
                    slot_keys[slot] = scratch[k]
                    used += _insert(scratch[k], slot, direct, hash_keys, hash_slots)
                    out_slots[start + places[k]] = slot
                size += new
                state[_SIZE] = size
                state[_USED] = used
            else:
                state[_UNKNOWN] += new
        out_indptr[r - first + 1] = out
    state[_NEXT_ROW] = last
    state[_ENTRIES] = out
    return _OK


def resolve(
    keys: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    in_order: cython.bint,
    add: cython.bint,
    binary: cython.bint,
    id_limit: cython.ulonglong,
    size_limit: cython.longlong,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
    slot_keys: cython.ulonglong[::1],
    stamps: cython.uint[::1],
    out_indptr: cython.longlong[::1],
    out_slots: cython.uint[::1],
    out_values: cython.double[::1],
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Give the entries of rows first .. last-1 their slots; stops before the first row that is not well.

    `values` may be empty (all ones), and so may `labels` (nothing to check).  `in_order` promises that the keys of
    every row ascend strictly, as the caller knows.  Work begins at row state[NEXT_ROW], and
    output at state[ENTRIES]: the caller sets them to `first` and 0, and after GROW calls again with them as they are.
    """
    status: cython.int
    r: cython.Py_ssize_t
    widest: cython.Py_ssize_t = 0
    if first < 0 or last < first or len(indptr) <= last or len(state) < 7 or indptr[first] < 0:
        return CAPACITY
    for r in range(first, last):
        if indptr[r + 1] < indptr[r]:
            return CAPACITY
        widest = max(widest, indptr[r + 1] - indptr[r])
    if indptr[last] > len(keys) or (len(values) > 0 and indptr[last] > len(values)):
        return CAPACITY
    if len(labels) > 0 and len(labels) < last:
        return CAPACITY
    if len(scratch) < widest or len(places) < widest or len(out_indptr) < last - first + 1:
        return CAPACITY
    room: cython.Py_ssize_t = indptr[last] - indptr[first]
    if room > len(out_slots) or (len(values) > 0 and room > len(out_values)):
        return CAPACITY
    if state[_NEXT_ROW] < first or state[_NEXT_ROW] > last or state[_ENTRIES] < 0:
        return CAPACITY
    if state[_ENTRIES] > indptr[state[_NEXT_ROW]] - indptr[first]:
        return CAPACITY
    if len(hash_keys) == 0 or len(hash_keys) & (len(hash_keys) - 1) or len(hash_slots) < len(hash_keys):
        return CAPACITY
    if (
        state[_SIZE] < 0
        or state[_SIZE] > len(slot_keys)
        or len(stamps) < len(slot_keys)
        or len(slot_keys) >= 4294967295
    ):
        return CAPACITY
    out_indptr[0] = 0
    with cython.nogil:
        status = _resolve(
            keys, values, indptr, labels, first, last, in_order, add, binary, id_limit, size_limit, direct, hash_keys,
            hash_slots, slot_keys, stamps, out_indptr, out_slots, out_values, scratch, places, state,
        )  # fmt: skip
    return status


def find(
    key: cython.ulonglong,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
) -> cython.longlong:
    """The slot of one key, or -1."""
    return cython.cast(cython.longlong, _find(key, direct, hash_keys, hash_slots)) - 1


def insert(
    key: cython.ulonglong,
    slot: cython.uint,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
) -> cython.int:
    """Enter one key that is not there yet (the caller has seen to room); the places of the hash it took."""
    return _insert(key, slot, direct, hash_keys, hash_slots)


def rebuild(
    slot_keys: cython.const[cython.ulonglong][::1],
    size: cython.Py_ssize_t,
    direct: cython.uint[::1],
    hash_keys: cython.ulonglong[::1],
    hash_slots: cython.uint[::1],
) -> cython.longlong:
    """Fill an empty (zeroed) index with the slots 0 .. size-1; places used in the hash, FULL or TWICE.

    >>> from array import array
    >>> direct, keys, slots = array("I", bytes(16)), array("Q", bytes(64)), array("I", bytes(32))
    >>> rebuild(array("Q", [3, 10**18]), 2, direct, keys, slots)
    1
    >>> [find(key, direct, keys, slots) for key in (3, 10**18, 2)]
    [0, 1, -1]
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    text: cython.ulonglong = 0x8000000000000000
    if size > len(slot_keys) or len(hash_slots) < len(hash_keys) or len(hash_keys) & (len(hash_keys) - 1):
        return FULL
    with cython.nogil:
        for k in range(size):
            if slot_keys[k] < text:
                if used * 2 >= len(hash_keys):
                    used = _FULL
                    break
                if _find(slot_keys[k], direct, hash_keys, hash_slots) != 0:
                    used = _TWICE
                    break
                used += _insert(slot_keys[k], cython.cast(cython.uint, k), direct, hash_keys, hash_slots)
    return used
