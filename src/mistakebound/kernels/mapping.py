"""Attribute keys -> slots, for rows of any kind: large ids, names, explicit zeros.  See `attributes` for the table.

The slots go to a buffer of their own, without the entries whose value is 0, unless zeros are wanted.  Where `translate`
is not empty the keys are places in a block's list of names, and translate[place] is the key: an id, 2**63 + number for
a text name, or UNKNOWN for a text that is not in the table yet.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels._places import hash_of, place_of, shift_of
    from cython.cimports.mistakebound.kernels.attributes import twice
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
    from cython.cimports.mistakebound.kernels.texts import append_text, sort_texts
else:
    from mistakebound.kernels._places import hash_of, place_of, shift_of
    from mistakebound.kernels.attributes import twice
    from mistakebound.kernels.sorting import sort_keys
    from mistakebound.kernels.texts import append_text, sort_texts

# The statuses and the places in `state` of the kernel `attributes`.
_OK = cython.declare(cython.int, 0)
_GROW = cython.declare(cython.int, 1)
_BAD_LABEL = cython.declare(cython.int, 2)
_NOT_BINARY = cython.declare(cython.int, 3)
_DUPLICATE = cython.declare(cython.int, 4)
_BEYOND = cython.declare(cython.int, 5)
CAPACITY = 6
_CAPACITY = cython.declare(cython.int, CAPACITY)
_SIZE = cython.declare(cython.int, 0)
_EXTRA = cython.declare(cython.int, 1)
_PLACES = cython.declare(cython.int, 2)
_NEXT_ROW = cython.declare(cython.int, 3)
_ENTRIES = cython.declare(cython.int, 4)
_WHERE = cython.declare(cython.int, 5)
_TEXTS = cython.declare(cython.int, 7)
_BYTES = cython.declare(cython.int, 8)

_TEXT = cython.declare(cython.ulonglong, 0x8000000000000000)
_UNKNOWN = cython.declare(cython.ulonglong, 0xC000000000000000)
_ONE = cython.declare(cython.ulonglong, 1)
_AHEAD = cython.declare(cython.Py_ssize_t, 32)  # entries whose places are asked for before they are needed


def look_up(
    keys: cython.const[cython.ulonglong][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    bits: cython.const[cython.ulonglong][::1],
    extra_keys: cython.const[cython.ulonglong][::1],
    places: cython.Py_ssize_t,
    out: cython.uint[::1],
) -> cython.bint:
    """out[k] = the slot of the id keys[k] for first <= k < last, nobody's where it has none; false: outside a buffer.

    Another thread may be entering ids meanwhile: a slot that is found is right, one that is not may be there since.

    >>> from array import array
    >>> out = array("I", [0] * 3)
    >>> look_up(array("Q", [3, 5, 70]), 0, 3, array("Q", [1 << 5]), array("Q", [2**64 - 1, 0, 0, 0]), 4, out)
    True
    >>> out.tolist()
    [64, 5, 64]
    """
    k: cython.Py_ssize_t
    key: cython.ulonglong
    h: cython.ulonglong
    dense: cython.ulonglong = 64 * len(bits)
    mask: cython.ulonglong = places - 1
    shift: cython.int = shift_of(places)
    if first < 0 or last > len(keys) or last > len(out) or len(bits) == 0 or places < 2 or places & (places - 1):
        return False
    if places > len(extra_keys):
        return False
    with cython.nogil:
        for k in range(first, last):
            if cython.compiled:  # many look-ups then wait at once
                key = keys[k + _AHEAD if k + _AHEAD < last else k]
                mb_prefetch(cython.address(extra_keys[hash_of(key) >> shift]))
            key = keys[k]
            if key < dense:
                out[k] = cython.cast(cython.uint, key if (bits[key >> 6] >> (key & 63)) & 1 else dense)
            else:
                h = place_of(key, extra_keys, mask, shift)
                out[k] = cython.cast(cython.uint, dense + h if extra_keys[h] != 0 else dense)
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _known(
    looked_up: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    dense: cython.ulonglong,
    out_slots: cython.uint[::1],
    out: cython.Py_ssize_t,
) -> cython.bint:
    """The slots of a row that were looked up; false when one of its ids had none."""
    k: cython.Py_ssize_t
    missing: cython.bint = False
    for k in range(a, b):
        missing |= looked_up[k] == dense
        out_slots[out + k - a] = looked_up[k]
    return not missing


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_there(
    place: cython.Py_ssize_t,
    names: cython.const[cython.uchar][::1],
    name_ends: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Whether a name of the block lies within its buffers."""
    if place + 1 >= len(name_ends) or name_ends[place] < 0:
        return False
    return name_ends[place] <= name_ends[place + 1] <= len(names)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _room(
    new: cython.Py_ssize_t,
    scratch: cython.const[cython.ulonglong][::1],
    name_ends: cython.const[cython.longlong][::1],
    extra_keys: cython.const[cython.ulonglong][::1],
    order: cython.const[cython.uint][::1],
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    state: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Is there room for the new attributes of a row?"""
    k: cython.Py_ssize_t
    place: cython.Py_ssize_t
    texts: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = 0
    ids: cython.Py_ssize_t = 0
    if state[_SIZE] + new > len(order):
        return False
    for k in range(new):
        if scratch[k] >= _UNKNOWN:
            place = scratch[k] - _UNKNOWN
            texts += 1
            size += name_ends[place + 1] - name_ends[place]
        else:
            ids += 1
    if 2 * (state[_EXTRA] + ids) > state[_PLACES]:
        return False
    texts += state[_TEXTS]
    if texts > len(extra_keys) - state[_PLACES] or texts >= len(ends):
        return False
    return state[_BYTES] + size <= len(blob)


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
    distinct: cython.bint,
    add: cython.bint,
    binary: cython.bint,
    id_limit: cython.ulonglong,
    size_limit: cython.longlong,
    names: cython.const[cython.uchar][::1],
    name_ends: cython.const[cython.longlong][::1],
    translate: cython.ulonglong[::1],
    looked_up: cython.const[cython.uint][::1],
    bits: cython.ulonglong[::1],
    extra_keys: cython.ulonglong[::1],
    order: cython.uint[::1],
    blob: cython.uchar[::1],
    ends: cython.longlong[::1],
    stamps: cython.uint[::1],
    out_indptr: cython.longlong[::1],
    out_slots: cython.uint[::1],
    out_values: cython.double[::1],
    scratch: cython.ulonglong[::1],
    payload: cython.uint[::1],
    state: cython.longlong[::1],
    zeros: cython.bint,
) -> cython.int:
    real: cython.bint = len(values) > 0
    named: cython.bint = len(translate) > 0
    labelled: cython.bint = len(labels) > 0
    dense: cython.ulonglong = 64 * len(bits)
    out: cython.Py_ssize_t = state[_ENTRIES]
    start: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    new: cython.Py_ssize_t
    key: cython.ulonglong
    slot: cython.longlong
    ascending: cython.bint
    whole: cython.bint
    place: cython.Py_ssize_t
    h: cython.ulonglong
    count: cython.ulonglong
    end: cython.Py_ssize_t = indptr[last]
    texts: cython.ulonglong = dense + cython.cast(cython.ulonglong, state[_PLACES])  # the slot of the first text name
    mask: cython.ulonglong = state[_PLACES] - 1
    shift: cython.int = shift_of(state[_PLACES])
    for r in range(state[_NEXT_ROW], last):
        state[_NEXT_ROW] = r
        state[_ENTRIES] = out
        a = indptr[r]
        b = indptr[r + 1]
        if labelled and labels[r] < 0:
            return _BAD_LABEL
        if real and binary:
            for k in range(a, b):
                if values[k] != 1.0 and values[k] != 0.0:
                    state[_WHERE] = k
                    return _NOT_BINARY
        ascending = True
        if not in_order and not distinct:
            for k in range(a + 1, b):
                ascending &= keys[k - 1] < keys[k]
            if not ascending:
                k = twice(keys, a, b, stamps, scratch, payload, state)
                if k >= 0:
                    state[_WHERE] = k
                    return _DUPLICATE
        start = out
        if len(looked_up) > 0:
            whole = True
            if real:
                for k in range(a, b):
                    whole &= zeros or values[k] != 0.0
                    out_values[out + k - a] = values[k]
            if whole and _known(looked_up, a, b, dense, out_slots, out):
                out += b - a
                out_indptr[r - first + 1] = out
                continue
        count = state[_TEXTS]
        # Look every attribute up; those without a slot are set aside with their place in the row.
        new = 0
        for k in range(a, b):
            if real:
                if values[k] == 0.0 and not zeros:
                    continue
                out_values[out] = values[k]
            if named:
                if cython.compiled:
                    mb_prefetch(cython.address(translate[keys[k + _AHEAD if k + _AHEAD < end else k]]))
                key = translate[keys[k]]
                if (key ^ _TEXT) < count:
                    out_slots[out] = cython.cast(cython.uint, texts + (key ^ _TEXT))
                    out += 1
                    continue
            else:
                key = keys[k]
            if len(looked_up) > 0 and looked_up[k] != dense:
                slot = looked_up[k]
            elif key < dense:
                slot = cython.cast(cython.longlong, key) if (bits[key >> 6] >> (key & 63)) & 1 else -1
            elif key < _TEXT:
                h = place_of(key, extra_keys, mask, shift)
                slot = cython.cast(cython.longlong, dense + h) if extra_keys[h] != 0 else -1
            elif key < _UNKNOWN or not _is_there(keys[k], names, name_ends):
                return _CAPACITY
            else:
                slot = -1
            if slot < 0:
                if key < _TEXT and key > id_limit:
                    state[_WHERE] = k
                    return _BEYOND
                scratch[new] = key if key < _UNKNOWN else key + keys[k]
                payload[new] = cython.cast(cython.uint, out - start)
                new += 1
                slot = cython.cast(cython.longlong, dense)  # nobody's
            out_slots[out] = cython.cast(cython.uint, slot)
            out += 1
        if new > 0:
            if named or not ascending:
                sort_keys(scratch, payload, new)
            if named:
                k = new
                while k > 0 and scratch[k - 1] >= _UNKNOWN:
                    k -= 1
                sort_texts(names, name_ends, scratch, payload, k, new)
            if state[_SIZE] + new > size_limit:
                key = scratch[size_limit - state[_SIZE]]
                for k in range(a, b):
                    if named and key >= _UNKNOWN:
                        whole = keys[k] == key - _UNKNOWN
                    else:
                        whole = (translate[keys[k]] if named else keys[k]) == key
                    if whole:
                        state[_WHERE] = k
                return _BEYOND
            if add:
                if not _room(new, scratch, name_ends, extra_keys, order, blob, ends, state):
                    return _GROW
                for k in range(new):
                    key = scratch[k]
                    slot = cython.cast(cython.longlong, key)
                    if key < dense:
                        bits[key >> 6] |= _ONE << (key & 63)
                    elif key < _TEXT:
                        h = place_of(key, extra_keys, mask, shift)
                        extra_keys[h] = key
                        slot = cython.cast(cython.longlong, dense + h)
                        state[_EXTRA] += 1
                    else:
                        place = key - _UNKNOWN
                        append_text(names, name_ends[place], name_ends[place + 1], blob, ends, state[_TEXTS])
                        key = _TEXT + cython.cast(cython.ulonglong, state[_TEXTS])
                        translate[place] = key
                        slot = cython.cast(cython.longlong, texts) + state[_TEXTS]
                        extra_keys[state[_PLACES] + state[_TEXTS]] = key
                        state[_TEXTS] += 1
                        state[_BYTES] = ends[state[_TEXTS]]
                    order[state[_SIZE]] = cython.cast(cython.uint, slot)
                    state[_SIZE] += 1
                    out_slots[start + payload[k]] = cython.cast(cython.uint, slot)
        out_indptr[r - first + 1] = out
    state[_NEXT_ROW] = last
    state[_ENTRIES] = out
    return _OK


def resolve(entries, checks, naming, looked_up, table, out, work, zeros: cython.bint):
    # type: (tuple[Ints, Floats, Ints], tuple[Ints, int, int, bool, bool, bool, bool, int, int], tuple[Buffer, Ints, Ints], Ints, tuple[Ints, Ints, Ints, Buffer, Ints, Ints], tuple[Ints, Ints, Floats], tuple[Ints, Ints, Ints], bool) -> int
    """Give the entries of rows first .. last-1 their slots; stops before the first row that is not well.

    `entries`: keys, values, ends of rows; the values may be empty (all ones).  `checks`: labels (empty: nothing to
    check), first, last; `in_order` promises that the keys of every row ascend strictly, `distinct` that none stands
    there twice; whether to `add` new attributes, whether values must be 0 or 1, the largest id, the most attributes.
    `naming`: names with their ends, at the places where `translate` has UNKNOWN.  `looked_up` has what `look_up` found
    for these entries, if they are ids, or nothing.  `table`: bits, extra keys, order, texts with their ends, stamps;
    texts that are appended do not enter their hash.  `out`: ends of rows, slots, values.  `work`: two buffers as wide
    as a row, and `state`: work begins at row state[NEXT_ROW] and output at state[ENTRIES], which the caller sets to
    `first` and 0; after GROW it calls again with them as they are.  With `zeros` a 0 is a value like any other.
    """
    keys: cython.const[cython.ulonglong][::1] = entries[0]
    values: cython.const[cython.double][::1] = entries[1]
    indptr: cython.const[cython.longlong][::1] = entries[2]
    labels: cython.const[cython.schar][::1] = checks[0]
    first: cython.Py_ssize_t = checks[1]
    last: cython.Py_ssize_t = checks[2]
    in_order: cython.bint = checks[3]
    distinct: cython.bint = checks[4]
    add: cython.bint = checks[5]
    binary: cython.bint = checks[6]
    id_limit: cython.ulonglong = checks[7]
    size_limit: cython.longlong = checks[8]
    names: cython.const[cython.uchar][::1] = naming[0]
    name_ends: cython.const[cython.longlong][::1] = naming[1]
    translate: cython.ulonglong[::1] = naming[2]
    bits: cython.ulonglong[::1] = table[0]
    extra_keys: cython.ulonglong[::1] = table[1]
    order: cython.uint[::1] = table[2]
    blob: cython.uchar[::1] = table[3]
    ends: cython.longlong[::1] = table[4]
    stamps: cython.uint[::1] = table[5]
    out_indptr: cython.longlong[::1] = out[0]
    out_slots: cython.uint[::1] = out[1]
    out_values: cython.double[::1] = out[2]
    scratch: cython.ulonglong[::1] = work[0]
    payload: cython.uint[::1] = work[1]
    state: cython.longlong[::1] = work[2]
    found: cython.uint[::1] = looked_up
    status: cython.int
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    room: cython.Py_ssize_t
    widest: cython.Py_ssize_t = 0
    high: cython.ulonglong
    bad: cython.bint = False
    if first < 0 or last < first or len(indptr) <= last or len(state) < 10 or indptr[first] < 0:
        return CAPACITY
    for r in range(first, last):
        bad |= indptr[r + 1] < indptr[r]
        widest = max(widest, indptr[r + 1] - indptr[r])
    if bad or indptr[last] > len(keys) or (len(values) > 0 and indptr[last] > len(values)):
        return CAPACITY
    if (len(labels) > 0 and len(labels) < last) or len(scratch) < widest or len(payload) < widest:
        return CAPACITY
    room = indptr[last] - indptr[first]
    if len(out_indptr) < last - first + 1 or room > len(out_slots) or (len(values) > 0 and room > len(out_values)):
        return CAPACITY
    if state[_NEXT_ROW] < first or state[_NEXT_ROW] > last or state[_ENTRIES] < 0:
        return CAPACITY
    if state[_ENTRIES] > indptr[state[_NEXT_ROW]] - indptr[first]:
        return CAPACITY
    for k in (len(bits), state[_PLACES], len(stamps)):
        bad |= k <= 0 or k & (k - 1) != 0
    if bad or state[_PLACES] > len(extra_keys) or 2 * state[_EXTRA] > state[_PLACES] or extra_keys[0] == 0:
        return CAPACITY
    if len(bits) + len(extra_keys) // 64 >= 67108863:  # slots have 32 bits
        return CAPACITY
    if state[_SIZE] < 0 or state[_EXTRA] < 1 or state[_TEXTS] < 0 or len(ends) <= state[_TEXTS]:
        return CAPACITY
    if state[_TEXTS] > len(extra_keys) - state[_PLACES] or ends[state[_TEXTS]] != state[_BYTES]:
        return CAPACITY
    with cython.nogil:
        bad = 0 < len(found) < indptr[last]
        high = _TEXT if len(translate) == 0 else len(translate)
        for k in range(indptr[first], indptr[last]):
            bad |= keys[k] >= high
        if len(translate) > 0:
            bad |= len(name_ends) <= len(translate)
            bad = bad or name_ends[0] < 0 or name_ends[len(translate)] > len(names)
    if bad:
        return CAPACITY
    out_indptr[0] = 0
    with cython.nogil:
        status = _resolve(
            keys, values, indptr, labels, first, last, in_order, distinct, add, binary, id_limit, size_limit, names,
            name_ends, translate, found, bits, extra_keys, order, blob, ends, stamps, out_indptr, out_slots,
            out_values, scratch, payload, state, zeros,
        )  # fmt: skip
    return status
