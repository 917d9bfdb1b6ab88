"""Attribute ids -> slots, for rows whose ids are all small.

An id below `dense` = 64 * len(bits) is its own slot, and bits[] says which of them have appeared.  Every other
attribute has an extra slot, dense + e, in the order of first appearance (e = 0 is nobody's: attributes never seen are
sent there).  `places` is the open-addressing hash of the larger ids: pairs (id, e), e = 0 where it is free.  `order`
lists the slots in the order of first appearance.

A row is taken whole or not at all: everything that can be wrong with it is found before its new attributes get
their slots, and these appear in ascending order of their ids, whatever their order in the row.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._places import home_of, place_of
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from mistakebound.kernels._places import home_of, place_of
    from mistakebound.kernels.sorting import sort_keys

OK = 0
GROW = 1  # room for the new attributes of row state[NEXT_ROW] is needed
BAD_LABEL = 2
NOT_BINARY = 3
DUPLICATE = 4
BEYOND = 5
CAPACITY = 6  # the caller's buffers do not fit together
OTHER = 7  # row state[NEXT_ROW] has a large id or an explicit zero: it takes the general way

FULL = -1  # enter: the hash or the extra slots are used up
TWICE = -2  # enter: a key stands twice

# Places in `state`.
SIZE = 0  # attributes that have a slot
EXTRA = 1  # extra slots in use, with nobody's
HASHED = 2  # ids in the hash
NEXT_ROW = 3
ENTRIES = 4  # written to out_slots
WHERE = 5  # the entry (index into keys) that a problem is about
STAMP = 6  # counts rows, to notice an attribute that stands twice in one
TEXTS = 7  # text names
BYTES = 8  # of their blob

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
_NEXT_ROW = cython.declare(cython.int, NEXT_ROW)
_WHERE = cython.declare(cython.int, WHERE)
_STAMP = cython.declare(cython.int, STAMP)

_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place(key: cython.ulonglong, places: cython.const[cython.ulonglong][::1]) -> cython.ulonglong:
    """Where a key is in the hash, or the free place where it would be."""
    mask: cython.ulonglong = len(places) // 2 - 1
    if cython.compiled:
        return place_of(key, cython.address(places[0]), mask)
    return place_of(key, places, mask)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _find(
    key: cython.ulonglong, bits: cython.const[cython.ulonglong][::1], places: cython.const[cython.ulonglong][::1]
) -> cython.longlong:
    """The slot of an id, or -1."""
    h: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    if key < dense:
        if (bits[key >> 6] >> (key & 63)) & 1:
            return cython.cast(cython.longlong, key)
        return -1
    h = _place(key, places)
    return cython.cast(cython.longlong, dense + places[2 * h + 1]) if places[2 * h + 1] != 0 else -1


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
        h = home_of(keys[k], mask)
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


def resolve_dense(
    keys: cython.const[cython.uint][::1],
    base: cython.ulonglong,
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
    bits: cython.ulonglong[::1],
    order: cython.uint[::1],
    scratch: cython.ulonglong[::1],
    payload: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Check rows first .. last-1 and, with `add`, enter their new ids; stops before the first row that is not well.

    Their keys, keys[k] + base, are their slots: nothing is written out.  `values` may be empty (all ones), and so may
    `labels` (nothing to check).  `in_order` promises that the keys of every row ascend strictly.  Work begins at row state[NEXT_ROW]: the
    caller sets it to `first`, and after GROW calls again with it as it is.
    """
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
    if first < 0 or last < first or len(indptr) <= last or len(state) < 9 or indptr[first] < 0:
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


def find(key: cython.ulonglong, bits: cython.ulonglong[::1], places: cython.ulonglong[::1]) -> cython.longlong:
    """The slot of one id, or -1."""
    return _find(key, bits, places)


def enter(
    keys: cython.const[cython.ulonglong][::1],
    count: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    places: cython.ulonglong[::1],
    extra_keys: cython.ulonglong[::1],
    text_extras: cython.uint[::1],
    order: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.longlong:
    """Give `count` keys (ids, or 2**63 + number for text names) their slots, in their order; 0, FULL or TWICE.

    >>> from array import array
    >>> bits, places, extra_keys, order = (
    ...     array("Q", [0]),
    ...     array("Q", bytes(64)),
    ...     array("Q", bytes(24)),
    ...     array("I", [0, 0]),
    ... )
    >>> state = array("q", [0, 1, *[0] * 7])
    >>> enter(array("Q", [3, 10**18]), 2, bits, places, extra_keys, array("I"), order, state), order.tolist()
    (0, [3, 65])
    >>> [find(key, bits, places) for key in (3, 10**18, 2)]
    [3, 65, -1]
    """
    k: cython.Py_ssize_t
    key: cython.ulonglong
    h: cython.ulonglong
    text: cython.ulonglong = 0x8000000000000000
    dense: cython.ulonglong = 64 * len(bits)
    size: cython.Py_ssize_t = state[0]
    extra: cython.Py_ssize_t = state[1]
    hashed: cython.Py_ssize_t = state[2]
    status: cython.int = 0
    if count > len(keys) or size < 0 or size + count > len(order) or extra < 1 or len(state) < 9:
        return FULL
    if len(places) < 2 or len(places) & (len(places) - 1) or len(bits) == 0 or len(bits) & (len(bits) - 1):
        return FULL
    with cython.nogil:
        for k in range(count):
            key = keys[k]
            if key < text and _find(key, bits, places) >= 0:
                status = _TWICE
                break
            if key < dense:
                bits[key >> 6] |= _ONE << (key & 63)
                order[size] = cython.cast(cython.uint, key)
            else:
                if extra >= len(extra_keys):
                    status = _FULL
                    break
                if key < text:
                    if 4 * (hashed + 1) > len(places):
                        status = _FULL
                        break
                    h = _place(key, places)
                    places[2 * h] = key
                    places[2 * h + 1] = extra
                    hashed += 1
                elif key - text < cython.cast(cython.ulonglong, len(text_extras)):
                    text_extras[key - text] = cython.cast(cython.uint, extra)
                else:
                    status = _FULL
                    break
                extra_keys[extra] = key
                order[size] = cython.cast(cython.uint, dense + extra)
                extra += 1
            size += 1
    state[0] = size
    state[1] = extra
    state[2] = hashed
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


def rehash(
    extra_keys: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t, places: cython.ulonglong[::1]
) -> cython.longlong:
    """Fill an empty (zeroed) hash with the ids among the extra slots 1 .. count-1; how many they are, or FULL."""
    e: cython.Py_ssize_t
    h: cython.ulonglong
    text: cython.ulonglong = 0x8000000000000000
    hashed: cython.longlong = 0
    if count > len(extra_keys) or 4 * count > len(places) or len(places) < 2 or len(places) & (len(places) - 1):
        return FULL
    with cython.nogil:
        for e in range(1, count):
            if extra_keys[e] < text:
                h = _place(extra_keys[e], places)
                places[2 * h] = extra_keys[e]
                places[2 * h + 1] = e
                hashed += 1
    return hashed


def forget(
    size: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    places: cython.ulonglong[::1],
    extra_keys: cython.const[cython.ulonglong][::1],
    order: cython.const[cython.uint][::1],
    state: cython.longlong[::1],
) -> cython.longlong:
    """Take out all but the first `size` attributes; how many text names are left, or FULL for a table that is broken.

    The last one in is the first one out: nothing in the hash was put where it is because of one that came later.
    """
    slot: cython.ulonglong
    key: cython.ulonglong
    i: cython.Py_ssize_t = state[0]
    text: cython.ulonglong = 0x8000000000000000
    dense: cython.ulonglong = 64 * len(bits)
    texts: cython.longlong = state[7]
    if size < 0 or i > len(order) or state[1] > len(extra_keys) or len(places) < 2:
        return FULL
    while i > size:
        i -= 1
        slot = order[i]
        if slot < dense:
            bits[slot >> 6] &= ~(_ONE << (slot & 63)) & _ALL64
            continue
        state[1] -= 1
        if cython.cast(cython.longlong, slot - dense) != state[1]:
            return FULL
        key = extra_keys[slot - dense]
        if key >= text:
            texts -= 1
            continue
        places[2 * _place(key, places) + 1] = 0
        state[2] -= 1
    state[0] = min(state[0], size)
    return texts
