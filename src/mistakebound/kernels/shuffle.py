"""Rows in another order: a permutation that is a function of seed, pass and count alone, and the rows in that order.

Random numbers are splitmix64 (Steele, Lea and Flood 2014), the permutation is Fisher and Yates'.  A number below m is
the upper half of a 128-bit product with m: no one of them is likelier than another by more than m / 2**64.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels._intrin import mb_mulhi64
    from cython.cimports.mistakebound.kernels._splitmix import GAMMA, mixed
    from cython.cimports.mistakebound.kernels.key_rows import NewRows
else:
    from mistakebound.kernels._splitmix import GAMMA, mixed
    from mistakebound.kernels.key_rows import NewRows

BAD = -1  # the buffers do not fit together

_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)

Key = cython.fused_type(cython.uint, cython.ulonglong)
Item = cython.fused_type(cython.int, cython.longlong, cython.double)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _below(draw: cython.ulonglong, m: cython.ulonglong) -> cython.ulonglong:
    if cython.compiled:
        return mb_mulhi64(draw, m)
    return (draw * m) >> 64


def permute(
    order: cython.uint[::1], count: cython.Py_ssize_t, seed: cython.ulonglong, turn: cython.ulonglong
) -> cython.int:
    """The numbers 0 .. count-1 in the order of a seed and a turn (the number of the pass).

    >>> from array import array
    >>> order = array("I", bytes(4 * 6))
    >>> permute(order, 6, 1, 1), order.tolist(), permute(order, 6, 1, 2), order.tolist()
    (0, [3, 1, 0, 5, 2, 4], 0, [0, 3, 2, 1, 5, 4])
    """
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    held: cython.uint
    state: cython.ulonglong
    if count < 0 or len(order) < count:
        return BAD
    with cython.nogil:
        state = mixed((mixed((seed + GAMMA) & _ALL64) + turn) & _ALL64)
        for k in range(count):
            order[k] = cython.cast(cython.uint, k)
        for k in range(count - 1, 0, -1):
            state = (state + GAMMA) & _ALL64
            j = cython.cast(cython.Py_ssize_t, _below(mixed(state), cython.cast(cython.ulonglong, k + 1)))
            held = order[k]
            order[k] = order[j]
            order[j] = held
    return 0


def rows_within(
    order: cython.uint[::1], first: cython.Py_ssize_t, rows: cython.longlong[::1], most: cython.longlong
) -> cython.Py_ssize_t:
    """How many rows from order[first] on weigh at most so much, an entry 1 and a row 1: at least one, if there is one.

    Row r has the entries rows[r] .. rows[r + 1] - 1.
    """
    last: cython.Py_ssize_t = first
    row: cython.Py_ssize_t
    total: cython.longlong = 0
    if first < 0:
        return BAD
    while last < len(order):
        row = order[last]
        if row + 1 >= len(rows):
            return BAD
        total += rows[row + 1] - rows[row] + 1
        if total > most and last > first:
            break
        last += 1
    return last - first


def shift(
    values: cython.const[cython.longlong][::1], count: cython.Py_ssize_t, by: cython.longlong, out: cython.longlong[::1]
) -> cython.int:
    """out[k] = values[k] + by."""
    k: cython.Py_ssize_t
    if count < 0 or len(values) < count or len(out) < count:
        return BAD
    for k in range(count):
        out[k] = values[k] + by
    return 0


def renumber(
    keys: cython.const[cython.ulonglong][::1],
    count: cython.Py_ssize_t,
    table: cython.uint[::1],
    out: cython.ulonglong[::1],
) -> cython.int:
    """out[k] = table[keys[k]]."""
    k: cython.Py_ssize_t
    bad: cython.bint = False
    if count < 0 or len(keys) < count or len(out) < count:
        return BAD
    with cython.nogil:
        for k in range(count):
            if keys[k] >= cython.cast(cython.ulonglong, len(table)):
                bad = True
                break
            out[k] = table[keys[k]]
    return BAD if bad else 0


def renumber_tokens(
    tokens: cython.const[cython.int][::1], count: cython.Py_ssize_t, table: cython.int[::1], out: cython.int[::1]
) -> cython.int:
    """out[k] = table[tokens[k]]; a row without a label keeps its -1."""
    k: cython.Py_ssize_t
    if count < 0 or len(tokens) < count or len(out) < count:
        return BAD
    for k in range(count):
        if tokens[k] >= len(table):
            return BAD
        out[k] = table[tokens[k]] if tokens[k] >= 0 else -1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _within(
    order: cython.const[cython.uint][::1], count: cython.Py_ssize_t, items: cython.Py_ssize_t, room: cython.Py_ssize_t
) -> cython.bint:
    """Whether the first so many of the order are places of items, and there is room for them."""
    k: cython.Py_ssize_t
    if count < 0 or len(order) < count or room < count:
        return False
    for k in range(count):
        if cython.cast(cython.Py_ssize_t, order[k]) >= items:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gather(
    order: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    indptr: cython.const[cython.longlong][::1],
    keys: cython.const[Key][::1],
    values: cython.const[cython.double][::1],
    out: NewRows,
) -> cython.bint:
    k: cython.Py_ssize_t
    e: cython.longlong
    row: cython.Py_ssize_t
    at: cython.longlong = 0
    real: cython.bint = len(values) > 0
    out.indptr[0] = 0
    for k in range(count):
        row = order[k]
        if indptr[row] < 0 or indptr[row + 1] < indptr[row] or indptr[row + 1] > len(keys):
            return False
        if real and indptr[row + 1] > len(values):
            return False
        if not out.has_room(count, at + indptr[row + 1] - indptr[row], real):
            return False
        for e in range(indptr[row], indptr[row + 1]):
            out.keys[at] = keys[e]
            if real:
                out.values[at] = values[e]
            at += 1
        out.indptr[k + 1] = at
    return True


def gather(
    order: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    indptr: cython.const[cython.longlong][::1],
    keys: object,
    values: cython.const[cython.double][::1],
    out: NewRows,
) -> cython.int:
    """The entries of rows order[0], ..., order[count - 1]; without values where `values` is empty.

    The keys have four bytes or eight.

    >>> from array import array
    >>> from mistakebound.kernels.key_rows import NewRows
    >>> indptr, keys, none = array("q", [0] * 3), array("Q", [0] * 3), array("d")
    >>> out = NewRows(indptr, keys, none)
    >>> gather(array("I", [1, 0]), 2, array("q", [0, 1, 3]), array("I", [7, 8, 9]), none, out)
    0
    >>> indptr.tolist(), keys.tolist()
    ([0, 2, 3], [8, 9, 7])
    """
    short: cython.const[cython.uint][::1]
    whole: cython.const[cython.ulonglong][::1]
    fits: cython.bint = not out.short and _within(order, count, len(indptr) - 1, len(out.indptr) - 1)
    if fits and memoryview(keys).format == "I":
        short = keys
        with cython.nogil:
            fits = _gather(order, count, indptr, short, values, out)
    elif fits:
        whole = keys
        with cython.nogil:
            fits = _gather(order, count, indptr, whole, values, out)
    return 0 if fits else BAD


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _take(
    order: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    items: cython.const[Item][::1],
    out: Item[::1],
) -> cython.bint:
    k: cython.Py_ssize_t
    if not _within(order, count, len(items), len(out)):
        return False
    for k in range(count):
        out[k] = items[order[k]]
    return True


def take(order: cython.const[cython.uint][::1], count: cython.Py_ssize_t, items: object, out: object) -> cython.int:
    """out[k] = items[order[k]], one for each row: numbers of labels, lines or weights."""
    tokens: cython.const[cython.int][::1]
    lines: cython.const[cython.longlong][::1]
    weights: cython.const[cython.double][::1]
    out_tokens: cython.int[::1]
    out_lines: cython.longlong[::1]
    out_weights: cython.double[::1]
    fits: cython.bint
    code: str = memoryview(items).format
    if code == "i":
        tokens, out_tokens = items, out
        fits = _take(order, count, tokens, out_tokens)
    elif code == "d":
        weights, out_weights = items, out
        fits = _take(order, count, weights, out_weights)
    else:
        lines, out_lines = items, out
        fits = _take(order, count, lines, out_lines)
    return 0 if fits else BAD


def narrow(values: cython.const[cython.ulonglong][::1], count: cython.Py_ssize_t, out: cython.uint[::1]) -> cython.int:
    """out[k] = values[k]; BAD when one is 2**32 or more."""
    k: cython.Py_ssize_t
    bits: cython.ulonglong = 0
    if count < 0 or len(values) < count or len(out) < count:
        return BAD
    for k in range(count):
        bits |= values[k]
    if bits >> 32:
        return BAD
    for k in range(count):
        out[k] = cython.cast(cython.uint, values[k])
    return 0


def number(
    order: cython.const[cython.uint][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, out: cython.longlong[::1]
) -> cython.int:
    """out[k] = order[first + k] + 1."""
    k: cython.Py_ssize_t
    if first < 0 or last < first or len(order) < last or len(out) < last - first:
        return BAD
    for k in range(first, last):
        out[k - first] = cython.cast(cython.longlong, order[k]) + 1
    return 0


def localize(
    keys: cython.ulonglong[::1], count: cython.Py_ssize_t, places: cython.uint[::1], names: cython.uint[::1]
) -> cython.Py_ssize_t:
    """Number the names that occur in the order of their first appearance; how many there are.

    keys[k] becomes such a number; names[number] is what it was.  `places` is all zeros, before and after.

    >>> from array import array
    >>> keys, names = array("Q", [5, 2, 5]), array("I", [0] * 3)
    >>> localize(keys, 3, array("I", [0] * 6), names), keys.tolist(), names[:2].tolist()
    (2, [0, 1, 0], [5, 2])
    """
    k: cython.Py_ssize_t
    found: cython.Py_ssize_t = 0
    key: cython.ulonglong
    if count < 0 or len(keys) < count or len(names) < count:
        return BAD
    for k in range(count):
        if keys[k] >= cython.cast(cython.ulonglong, len(places)):
            return BAD
    with cython.nogil:
        for k in range(count):
            key = keys[k]
            if places[key] == 0:
                names[found] = cython.cast(cython.uint, key)
                found += 1
                places[key] = cython.cast(cython.uint, found)
            keys[k] = places[key] - 1
        for k in range(found):
            places[names[k]] = 0
    return found


def spell(
    names: cython.uint[::1],
    count: cython.Py_ssize_t,
    blob: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    out: cython.uchar[::1],
    out_ends: cython.longlong[::1],
) -> cython.int:
    """The texts of some names end to end, as in BlockNames."""
    k: cython.Py_ssize_t
    e: cython.longlong
    name: cython.Py_ssize_t
    at: cython.longlong = 0
    if count < 0 or len(names) < count or len(out_ends) < count + 1:
        return BAD
    out_ends[0] = 0
    for k in range(count):
        name = names[k]
        if name + 1 >= len(ends) or ends[name] < 0 or ends[name + 1] > len(blob):
            return BAD
        if at + ends[name + 1] - ends[name] > len(out):
            return BAD
        for e in range(ends[name], ends[name + 1]):
            out[at] = blob[e]
            at += 1
        out_ends[k + 1] = at
    return 0


def split(
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    number: cython.longlong,
    lines: cython.const[cython.longlong][::1],
    every: cython.longlong,
    held: cython.uint[::1],
    others: cython.uint[::1],
) -> cython.Py_ssize_t:
    """Rows first .. last-1 whose number is a multiple of `every`, and the others; how many the former are.

    The number of row r is number + r or, where `lines` are given, lines[r].

    >>> from array import array
    >>> held, others = array("I", [9] * 4), array("I", [9] * 4)
    >>> split(1, 5, 10, array("q"), 2, held, others), held.tolist(), others.tolist()
    (2, [2, 4, 9, 9], [1, 3, 9, 9])
    """
    r: cython.Py_ssize_t
    chosen: cython.Py_ssize_t = 0
    left: cython.Py_ssize_t = 0
    own: cython.bint = len(lines) > 0
    if first < 0 or last < first or every < 1 or len(held) < last - first or len(others) < last - first:
        return BAD
    if number < 0 or (own and len(lines) < last):
        return BAD
    for r in range(first, last):
        if (lines[r] if own else number + r) % every == 0:
            held[chosen] = cython.cast(cython.uint, r)
            chosen += 1
        else:
            others[left] = cython.cast(cython.uint, r)
            left += 1
    return chosen
