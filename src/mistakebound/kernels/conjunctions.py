"""Conjunctions of up to K of the literals that an instance makes true, as numbers (Littlestone 1988, section 4).

Attributes are numbered 0, 1, 2, ... as they appear.  S_k(j) counts the conjunctions of 1 to k literals of the first j
of them: S_k(j+1) = S_k(j) + f*(1 + S_(k-1)(j)), f literals an attribute (2 where there are negated ones, else 1).  The
number of a conjunction whose last attribute is j, negated or not (s = 1 or 0), with the others R before it:

    id_k(R + j) = S_k(j) + s*(1 + S_(k-1)(j)) + (0 where R is empty, else 1 + id_(k-1)(R))

So those of the first j attributes are the numbers below S_k(j), each once.  And the ascending list of an instance's
conjunctions is made by copying: for each of its literals, in order, S_k(j) + s*(...), then that number plus one plus
each of the list of one level less of the literals before it, which is where the list of all of them begins.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import isfinite
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from math import isfinite

    from mistakebound.kernels.sorting import sort_keys

OK = 0
FULL = 1  # there is no room for row state[ROW]: make some, or come again
LIMIT = 2  # row state[ROW] makes more conjunctions than are allowed
FAR = 3  # an attribute of row state[ROW] is beyond the sums
INFINITE = 4  # a product of values of row state[ROW] is beyond the doubles
CAPACITY = 5
_OK = cython.declare(cython.int, OK)
_FULL = cython.declare(cython.int, FULL)
_LIMIT = cython.declare(cython.int, LIMIT)
_FAR = cython.declare(cython.int, FAR)
_INFINITE = cython.declare(cython.int, INFINITE)
_CAPACITY = cython.declare(cython.int, CAPACITY)

# Places in `state`.
ROW = 0  # the next row
WIDTH = 1  # literals of that row, where the status is LIMIT or FULL
_ROW = cython.declare(cython.int, ROW)
_WIDTH = cython.declare(cython.int, WIDTH)

MOST = 1 << 24  # conjunctions of one row
_MOST = cython.declare(cython.longlong, MOST)
_IDS = cython.declare(cython.ulonglong, 1 << 63)
_ONE = cython.declare(cython.ulonglong, 1)
# By the upper six bits of a lone bit times a de Bruijn sequence: which bit it is.
LOWEST = bytes(
    bit for _, bit in sorted((((1 << bit) * 0x03F79D71B4CB0A89 % (1 << 64)) >> 58, bit) for bit in range(64))
)

Key = cython.fused_type(cython.uint, cython.ulonglong)


def fill_sums(
    sums: cython.ulonglong[::1], levels: cython.Py_ssize_t, first: cython.Py_ssize_t, factor: cython.ulonglong
) -> cython.Py_ssize_t:
    """sums[j*(levels+1) + k] = S_k(j) for j >= first, those before being there; how many j there are below 2^63.

    >>> from array import array
    >>> sums = array("Q", bytes(8 * 3 * 4))
    >>> fill_sums(sums, 2, 0, 1), sums[2::3].tolist()
    (4, [0, 1, 3, 6])
    """
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t
    step: cython.ulonglong
    if levels < 1 or first < 0 or factor < 1 or factor > 2:
        return -1
    count = len(sums) // (levels + 1)
    if first == 0 and count > 0:
        for k in range(levels + 1):
            sums[k] = 0
        first = 1
    for j in range(first, count):
        at = j * (levels + 1)
        sums[at] = 0
        for k in range(1, levels + 1):
            step = sums[at - levels - 1 + k - 1] + 1
            if step >= (_IDS - sums[at - levels - 1 + k]) // factor:
                return j
            sums[at + k] = sums[at - levels - 1 + k] + factor * step
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count(width: cython.longlong, levels: cython.Py_ssize_t, limit: cython.longlong) -> cython.longlong:
    """Conjunctions of 1 to `levels` of `width` literals; some number above `limit` when there are more than that."""
    i: cython.Py_ssize_t
    total: cython.longlong = 0
    term: cython.longlong = 1
    for i in range(1, min(levels, width) + 1):
        if term > limit:
            return limit + 1
        term = term * (width - i + 1) // i
        total += term
        if total > limit:
            return limit + 1
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _level(
    members: cython.const[cython.ulonglong][::1],
    width: cython.Py_ssize_t,
    values: cython.const[cython.double][::1],
    real: cython.bint,
    k: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    sums: cython.const[cython.ulonglong][::1],
    below: cython.const[Key][::1],
    below_values: cython.const[cython.double][::1],
    below_start: cython.Py_ssize_t,
    out: Key[::1],
    out_values: cython.double[::1],
    start: cython.Py_ssize_t,
    ends: cython.longlong[::1],
    ends_below: cython.Py_ssize_t,
    ends_start: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The conjunctions of up to k members, from out[start] on, by those of up to k - 1; where they end.

    ends[ends_start + i]: how many are of the first i members alone.  A member is twice its number, and one more where
    it is negated.
    """
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    at: cython.Py_ssize_t = start
    place: cython.Py_ssize_t
    more: cython.Py_ssize_t
    base: cython.ulonglong
    own: Key
    value: cython.double
    ends[ends_start] = 0
    for i in range(width):
        place = cython.cast(cython.Py_ssize_t, members[i] >> 1) * (levels + 1) + k
        base = sums[place]
        if members[i] & 1:
            base += 1 + sums[place - 1]
        more = ends[ends_below + i] if k > 1 else 0
        out[at] = base
        own = base + 1
        at += 1
        for t in range(more):
            out[at + t] = own + below[below_start + t]
        if real:
            value = values[i]
            out_values[at - 1] = value
            for t in range(more):
                out_values[at + t] = value * below_values[below_start + t]
        at += more
        ends[ends_start + i + 1] = at - start
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _members(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    numbers: cython.const[cython.uint][::1],
    seen: cython.ulonglong,
    size: cython.Py_ssize_t,
    members: cython.ulonglong[::1],
    places: cython.uint[::1],
    member_values: cython.double[::1],
) -> cython.void:
    """The literals of a row in order; attributes that have not appeared get the numbers from `seen` on.

    With `size`, the declared number of attributes, each that is not in the row gives its negated literal.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.ulonglong
    for k in range(a, b):
        at = numbers[slots[k] + base]
        if at == 0:
            seen += 1
            at = seen
        members[k - a] = 2 * (at - 1)
        places[k - a] = cython.cast(cython.uint, k - a)
    sort_keys(members, places, b - a)
    if len(values) > 0:
        for k in range(b - a):
            member_values[k] = values[a + places[k]]
    if size == 0:
        return
    k = b - a - 1
    i = size - 1
    while i >= 0:  # from the last on: what is still to be read stands before what is written
        if k >= 0 and members[k] == 2 * cython.cast(cython.ulonglong, i):
            members[i] = members[k]
            if len(values) > 0:
                member_values[i] = member_values[k]
            k -= 1
        else:
            members[i] = 2 * cython.cast(cython.ulonglong, i) + 1
            if len(values) > 0:
                member_values[i] = 1.0
        i -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _members_by_bits(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    base: cython.ulonglong,
    numbers: cython.const[cython.uint][::1],
    seen: cython.ulonglong,
    size: cython.Py_ssize_t,
    known: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    lowest: cython.const[cython.uchar][::1],
    members: cython.ulonglong[::1],
) -> cython.bint:
    """The same for a row of ones among few attributes: they sort themselves in a bitmap, which is zero again after it.

    False, and the bitmap as it was, when a number is not below `known`.
    """
    k: cython.Py_ssize_t
    at: cython.ulonglong
    last: cython.Py_ssize_t = b
    width: cython.Py_ssize_t = 0
    words: cython.Py_ssize_t = (known + 63) >> 6
    w: cython.ulonglong
    all64: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    spread: cython.ulonglong = 0x03F79D71B4CB0A89
    for k in range(a, b):
        at = numbers[slots[k] + base]
        if at == 0:
            seen += 1
            at = seen
        at -= 1
        if at >= cython.cast(cython.ulonglong, known):
            last = a
            break
        bits[at >> 6] |= _ONE << (at & 63)
    if last < b:
        for k in range(words):
            bits[k] = 0
        return False
    if size > 0:
        for k in range(size):
            members[k] = 2 * cython.cast(cython.ulonglong, k) + 1 - ((bits[k >> 6] >> (k & 63)) & 1)
        for k in range(words):
            bits[k] = 0
        return True
    for k in range(words):
        w = bits[k]
        bits[k] = 0
        while w != 0:
            # The lowest set bit, times a number whose every six bits differ: docs of the de Bruijn sequence.
            at = (((w & (~w + 1)) * spread) & all64) >> 58
            members[width] = 2 * (64 * cython.cast(cython.ulonglong, k) + lowest[at])
            width += 1
            w &= w - 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _expand(
    slots: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    seen: cython.ulonglong,
    size: cython.Py_ssize_t,
    sums: cython.const[cython.ulonglong][::1],
    known: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    limit: cython.longlong,
    members: cython.ulonglong[::1],
    places: cython.uint[::1],
    bits: cython.ulonglong[::1],
    lowest: cython.const[cython.uchar][::1],
    member_values: cython.double[::1],
    lists: Key[::1],
    list_values: cython.double[::1],
    ends: cython.longlong[::1],
    out_indptr: cython.longlong[::1],
    out: Key[::1],
    out_values: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    start: cython.Py_ssize_t
    width: cython.Py_ssize_t
    first: cython.Py_ssize_t = state[_ROW]
    at: cython.Py_ssize_t = 0
    half: cython.Py_ssize_t = len(lists) // 2
    real: cython.bint = len(values) > 0
    whole: cython.bint
    turn: cython.Py_ssize_t
    span: cython.Py_ssize_t = len(ends) // 2
    wanted: cython.longlong
    outside: cython.bint
    top: cython.ulonglong = len(numbers)
    out_indptr[0] = 0
    for r in range(first, last):
        state[_ROW] = r
        a = indptr[r]
        b = indptr[r + 1]
        if a < 0 or b < a or b > len(slots) or (real and b > len(values)) or b - a >= _MOST:
            return _CAPACITY
        outside = False
        for k in range(a, b):
            outside |= slots[k] + base >= top
        if outside or (b - a > size > 0):
            return _CAPACITY
        width = size if size > 0 else b - a
        state[_WIDTH] = width
        wanted = _count(width, levels, limit)
        if wanted > limit:
            return _LIMIT
        if wanted > len(out) - at or (levels > 1 and _count(width, levels - 1, limit) > half):
            return _FULL
        if max(width, b - a) > min(len(members), len(places)) or width >= span or r - first + 1 >= len(out_indptr):
            return _FULL
        if real and (max(width, b - a) > len(member_values) or wanted > len(out_values) - at):
            return _FULL
        if not real and known <= 64 * len(bits) and (size > 0 or known <= 256 * (b - a)):
            if not _members_by_bits(slots, a, b, base, numbers, seen, size, known, bits, lowest, members):
                return _FAR
        else:
            _members(slots, a, b, base, values, numbers, seen, size, members, places, member_values)
        if width > 0 and members[width - 1] >> 1 >= cython.cast(cython.ulonglong, known):
            return _FAR
        turn = 0
        for k in range(1, levels):
            _level(
                members, width, member_values, real, k, levels, sums, lists, list_values, (1 - turn) * half,
                lists, list_values, turn * half, ends, (1 - turn) * span, turn * span,
            )  # fmt: skip
            turn = 1 - turn
        start = at
        at = _level(
            members, width, member_values, real, levels, levels, sums, lists, list_values, (1 - turn) * half,
            out, out_values, start, ends, (1 - turn) * span, turn * span,
        )  # fmt: skip
        if real:
            whole = True
            for k in range(start, at):
                whole &= isfinite(out_values[k])
            if not whole:
                return _INFINITE
        out_indptr[r - first + 1] = at
    state[_ROW] = last
    return _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fits(
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    size: cython.Py_ssize_t,
    sums: cython.const[cython.ulonglong][::1],
    known: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    limit: cython.longlong,
    lists: cython.Py_ssize_t,
    list_values: cython.const[cython.double][::1],
    out_indptr: cython.const[cython.longlong][::1],
    state: cython.const[cython.longlong][::1],
) -> cython.bint:
    """Do the caller's buffers fit together?  Then, with what is looked at row by row, no index can leave its buffer."""
    if len(state) < 2 or len(out_indptr) < 1 or levels < 1 or limit < 0 or limit > _MOST or known < 0:
        return False
    if (
        known > len(sums) // (levels + 1)
        or size < 0
        or size > known
        or base > cython.cast(cython.ulonglong, len(numbers))
    ):
        return False
    if state[_ROW] < 0 or last < state[_ROW] or len(indptr) <= last:
        return False
    return len(values) == 0 or len(list_values) >= lists


def expand4(
    slots: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    seen: cython.ulonglong,
    size: cython.Py_ssize_t,
    sums: cython.const[cython.ulonglong][::1],
    known: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    limit: cython.longlong,
    members: cython.ulonglong[::1],
    places: cython.uint[::1],
    bits: cython.ulonglong[::1],
    lowest: cython.const[cython.uchar][::1],
    member_values: cython.double[::1],
    lists: cython.uint[::1],
    list_values: cython.double[::1],
    ends: cython.longlong[::1],
    out_indptr: cython.longlong[::1],
    out: cython.uint[::1],
    out_values: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """The rows from state[ROW] on as rows of conjunctions of up to `levels` literals, while there is room: a status.

    A row of slots (`base` is still to be added) has the attributes numbers[slot] - 1; one that has none gets the next
    from `seen` on.  `sums` are those of `fill_sums` for `known` attributes and one more.  With `size`, the declared
    number of attributes, those that are absent give their negated literals.  `bits` are zero, and `lowest` is LOWEST.
    Keys of four bytes.
    """
    status: cython.int = _CAPACITY
    with cython.nogil:
        if len(lowest) >= 64 and _fits(
            base, values, indptr, last, numbers, size, sums, known, levels, limit, len(lists), list_values, out_indptr,
            state,
        ):  # fmt: skip
            status = _expand(
                slots, base, values, indptr, last, numbers, seen, size, sums, known, levels, limit, members, places,
                bits, lowest, member_values, lists, list_values, ends, out_indptr, out, out_values, state,
            )  # fmt: skip
    return status


def expand8(
    slots: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    seen: cython.ulonglong,
    size: cython.Py_ssize_t,
    sums: cython.const[cython.ulonglong][::1],
    known: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    limit: cython.longlong,
    members: cython.ulonglong[::1],
    places: cython.uint[::1],
    bits: cython.ulonglong[::1],
    lowest: cython.const[cython.uchar][::1],
    member_values: cython.double[::1],
    lists: cython.ulonglong[::1],
    list_values: cython.double[::1],
    ends: cython.longlong[::1],
    out_indptr: cython.longlong[::1],
    out: cython.ulonglong[::1],
    out_values: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """As expand4, keys of eight bytes."""
    status: cython.int = _CAPACITY
    with cython.nogil:
        if len(lowest) >= 64 and _fits(
            base, values, indptr, last, numbers, size, sums, known, levels, limit, len(lists), list_values, out_indptr,
            state,
        ):  # fmt: skip
            status = _expand(
                slots, base, values, indptr, last, numbers, seen, size, sums, known, levels, limit, members, places,
                bits, lowest, member_values, lists, list_values, ends, out_indptr, out, out_values, state,
            )  # fmt: skip
    return status
