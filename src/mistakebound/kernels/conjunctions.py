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
    from cython.cimports.mistakebound.kernels.key_rows import NewRows
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from array import array
    from math import isfinite

    from mistakebound.kernels.key_rows import NewRows
    from mistakebound.kernels.row_batch import RowBatch
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


@cython.cclass
class Expansion:
    """How rows of attributes become rows of conjunctions, and room to work in.

    A row of slots (`base` is still to be added) has the attributes numbers[slot] - 1; one that has none gets the next
    from `seen` on.
    """

    base: cython.ulonglong
    numbers: cython.const[cython.uint][::1]
    seen: cython.ulonglong
    sums: cython.const[cython.ulonglong][::1]
    known: cython.Py_ssize_t
    levels: cython.Py_ssize_t
    size: cython.Py_ssize_t
    limit: cython.longlong
    members: cython.ulonglong[::1]
    places: cython.uint[::1]
    bits: cython.ulonglong[::1]
    lowest: cython.const[cython.uchar][::1]
    member_values: cython.double[::1]
    short_lists: cython.uint[::1]  # one of the two is empty
    lists: cython.ulonglong[::1]
    list_values: cython.double[::1]
    ends: cython.longlong[::1]

    def __init__(self, base, numbers, seen):  # type: (int, Ints, int) -> None
        if base < 0 or base > len(numbers):
            raise AssertionError("the slots are outside their table")
        self.base = base
        self.numbers = numbers
        self.seen = seen
        self.lowest = LOWEST

    def take_space(self, sums, known, levels, size, limit):  # type: (Ints, int, int, int, int) -> None
        """Conjunctions of up to `levels` literals, at most `limit` a row; `sums` are those of `fill_sums`.

        They are there for `known` attributes and one more.  With `size`, the declared number of attributes, those that
        are absent give their negated literals.
        """
        if levels < 1 or not 0 <= limit <= MOST or not 0 <= size <= known <= len(sums) // (levels + 1):
            raise AssertionError("there are no sums for so many attributes")
        self.sums = sums
        self.known = known
        self.levels = levels
        self.size = size
        self.limit = limit

    def take_room(self, members, places, bits, member_values, lists, list_values, ends):
        # type: (Ints, Ints, Ints, Floats, Ints, Floats, Ints) -> None
        """For the literals of a row, and their conjunctions of fewer levels; `bits` are zero."""
        self.members = members
        self.places = places
        self.bits = bits
        self.member_values = member_values
        if not cython.compiled:  # compiled, a view that was not given has no items
            self.lists, self.short_lists = array("Q"), array("I")
        if memoryview(lists).format == "I":
            self.short_lists = lists
        else:
            self.lists = lists
        self.list_values = list_values
        self.ends = ends


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
    given: Expansion,
    k: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    turn: cython.Py_ssize_t,
    lists: cython.const[Key][::1],
    out: Key[::1],
    out_values: cython.double[::1],
    start: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The conjunctions of up to k members, from out[start] on, by those of up to k - 1; where they end.

    The latter are in the half of `lists` that it is not the turn of, and so are their `ends`: how many are of the first
    i members alone.  A member is twice its number, and one more where it is negated.  No values: `out_values` is empty.
    """
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    at: cython.Py_ssize_t = start
    place: cython.Py_ssize_t
    more: cython.Py_ssize_t
    below: cython.Py_ssize_t = (1 - turn) * (len(lists) // 2)
    ends_below: cython.Py_ssize_t = (1 - turn) * (len(given.ends) // 2)
    ends_start: cython.Py_ssize_t = turn * (len(given.ends) // 2)
    base: cython.ulonglong
    own: Key
    value: cython.double
    given.ends[ends_start] = 0
    for i in range(width):
        place = cython.cast(cython.Py_ssize_t, given.members[i] >> 1) * (given.levels + 1) + k
        base = given.sums[place]
        if given.members[i] & 1:
            base += 1 + given.sums[place - 1]
        more = given.ends[ends_below + i] if k > 1 else 0
        out[at] = base
        own = base + 1
        at += 1
        for t in range(more):
            out[at + t] = own + lists[below + t]
        if len(out_values) > 0:
            value = given.member_values[i]
            out_values[at - 1] = value
            for t in range(more):
                out_values[at + t] = value * given.list_values[below + t]
        at += more
        given.ends[ends_start + i + 1] = at - start
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _members(given: Expansion, rows: RowBatch, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.void:
    """The literals of a row in order; attributes that have not appeared get the numbers from `seen` on.

    With `size`, the declared number of attributes, each that is not in the row gives its negated literal.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.ulonglong
    seen: cython.ulonglong = given.seen
    for k in range(a, b):
        at = given.numbers[rows.slots[k] + given.base]
        if at == 0:
            seen += 1
            at = seen
        given.members[k - a] = 2 * (at - 1)
        given.places[k - a] = cython.cast(cython.uint, k - a)
    sort_keys(given.members, given.places, b - a)
    if rows.real:
        for k in range(b - a):
            given.member_values[k] = rows.values[a + given.places[k]]
    k = b - a - 1
    i = given.size - 1
    while i >= 0:  # from the last on: what is still to be read stands before what is written
        if k >= 0 and given.members[k] == 2 * cython.cast(cython.ulonglong, i):
            given.members[i] = given.members[k]
            if rows.real:
                given.member_values[i] = given.member_values[k]
            k -= 1
        else:
            given.members[i] = 2 * cython.cast(cython.ulonglong, i) + 1
            if rows.real:
                given.member_values[i] = 1.0
        i -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _members_by_bits(given: Expansion, rows: RowBatch, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
    """The same for a row of ones among few attributes: they sort themselves in a bitmap, which is zero again after it.

    False, and the bitmap as it was, when a number is not known.
    """
    k: cython.Py_ssize_t
    at: cython.ulonglong
    seen: cython.ulonglong = given.seen
    last: cython.Py_ssize_t = b
    width: cython.Py_ssize_t = 0
    words: cython.Py_ssize_t = (given.known + 63) >> 6
    w: cython.ulonglong
    all64: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    spread: cython.ulonglong = 0x03F79D71B4CB0A89
    for k in range(a, b):
        at = given.numbers[rows.slots[k] + given.base]
        if at == 0:
            seen += 1
            at = seen
        at -= 1
        if at >= cython.cast(cython.ulonglong, given.known):
            last = a
            break
        given.bits[at >> 6] |= _ONE << (at & 63)
    if last < b:
        for k in range(words):
            given.bits[k] = 0
        return False
    if given.size > 0:
        for k in range(given.size):
            given.members[k] = 2 * cython.cast(cython.ulonglong, k) + 1 - ((given.bits[k >> 6] >> (k & 63)) & 1)
        for k in range(words):
            given.bits[k] = 0
        return True
    for k in range(words):
        w = given.bits[k]
        given.bits[k] = 0
        while w != 0:
            # The lowest set bit, times a number whose every six bits differ: docs of the de Bruijn sequence.
            at = (((w & (~w + 1)) * spread) & all64) >> 58
            given.members[width] = 2 * (64 * cython.cast(cython.ulonglong, k) + given.lowest[at])
            width += 1
            w &= w - 1
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _room(
    given: Expansion, rows: RowBatch, r: cython.Py_ssize_t, lists: cython.Py_ssize_t, left: cython.Py_ssize_t
) -> cython.int:
    """Whether row r can be expanded, with `left` places for its conjunctions: a status, with its width in WIDTH."""
    k: cython.Py_ssize_t
    outside: cython.bint = False
    own: cython.Py_ssize_t = rows.indptr[r + 1] - rows.indptr[r]
    width: cython.Py_ssize_t = given.size if given.size > 0 else own
    wanted: cython.longlong
    for k in range(rows.indptr[r], rows.indptr[r + 1]):
        outside |= rows.slots[k] + given.base >= cython.cast(cython.ulonglong, len(given.numbers))
    if outside or own > given.size > 0:
        return _CAPACITY
    wanted = _count(width, given.levels, given.limit)
    if wanted > given.limit:
        return _LIMIT
    if wanted > left or (given.levels > 1 and _count(width, given.levels - 1, given.limit) > lists // 2):
        return _FULL
    if max(width, own) > min(len(given.members), len(given.places)) or width >= len(given.ends) // 2:
        return _FULL
    return _FULL if rows.real and max(width, own) > len(given.member_values) else _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _expand(
    given: Expansion, rows: RowBatch, lists: Key[::1], keys: Key[::1], out: NewRows, state: cython.longlong[::1]
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    start: cython.Py_ssize_t
    width: cython.Py_ssize_t
    first: cython.Py_ssize_t = state[_ROW]
    at: cython.Py_ssize_t = 0
    left: cython.Py_ssize_t = len(keys)
    whole: cython.bint
    turn: cython.Py_ssize_t
    status: cython.int
    list_values: cython.double[::1] = given.list_values
    out_values: cython.double[::1] = out.values
    if rows.real:
        left = min(left, len(out_values))
    else:
        list_values = list_values[:0]
        out_values = out_values[:0]
    out.indptr[0] = 0
    for r in range(first, rows.rows):
        state[_ROW] = r
        a = rows.indptr[r]
        b = rows.indptr[r + 1]
        width = given.size if given.size > 0 else b - a
        state[_WIDTH] = width
        status = _room(given, rows, r, len(lists), left - at)
        if status == _OK and r - first + 1 >= len(out.indptr):
            status = _FULL
        if status != _OK:
            return status
        if not rows.real and given.known <= 64 * len(given.bits) and (given.size > 0 or given.known <= 256 * (b - a)):
            if not _members_by_bits(given, rows, a, b):
                return _FAR
        else:
            _members(given, rows, a, b)
        if width > 0 and given.members[width - 1] >> 1 >= cython.cast(cython.ulonglong, given.known):
            return _FAR
        turn = 0
        for k in range(1, given.levels):
            _level(given, k, width, turn, lists, lists, list_values, turn * (len(lists) // 2))
            turn = 1 - turn
        start = at
        at = _level(given, given.levels, width, turn, lists, keys, out_values, start)
        if rows.real:
            whole = True
            for k in range(start, at):
                whole &= isfinite(out_values[k])
            if not whole:
                return _INFINITE
        out.indptr[r - first + 1] = at
    state[_ROW] = rows.rows
    return _OK


def expand(given: Expansion, rows: RowBatch, out: NewRows, state: cython.longlong[::1]) -> cython.int:
    """The rows from state[ROW] on as rows of conjunctions, while there is room: a status."""
    status: cython.int = _CAPACITY
    lists: cython.Py_ssize_t = len(given.short_lists) if out.short else len(given.lists)
    if len(state) < 2 or not 0 <= state[_ROW] <= rows.rows or len(out.indptr) < 1:
        return status
    if rows.widest >= _MOST or (rows.real and len(given.list_values) < lists):
        return status
    with cython.nogil:
        if out.short:
            status = _expand(given, rows, given.short_lists, out.short_keys, out, state)
        else:
            status = _expand(given, rows, given.lists, out.keys, out, state)
    return status
