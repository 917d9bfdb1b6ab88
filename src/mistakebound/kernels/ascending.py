"""Rows whose ids stand in any order -> rows in ascending order, in place, their values with them.

A row is sorted by ranks: the place of an id is the number of smaller ids in its row.  That takes a square of steps, but
none of them is a branch that could be guessed wrong, and ids of 32 bits are compared four at a time.  Ranks also tell
whether an id stands twice: only then is their sum less than 0 + 1 + ... + (n - 1).  Long rows and large ids go to
`sort_keys`.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from mistakebound.kernels.sorting import sort_keys

MOST_RANKED = 256  # entries of a row from which on the squares are too many

_MOST_RANKED = cython.declare(cython.Py_ssize_t, MOST_RANKED)
_SIGN = cython.declare(cython.longlong, 0x80000000)  # so much less, a number of 32 bits has a sign: quick to compare

Key = cython.fused_type(cython.uint, cython.ulonglong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _by_ranks(
    keys: Key[::1], values: cython.double[::1], a: cython.Py_ssize_t, n: cython.Py_ssize_t, real: cython.bint
) -> cython.bint:
    """Sort the n <= MOST_RANKED entries from a on, ids below 2**32; false, and nothing done: an id is there twice."""
    low = cython.declare(cython.int[256])
    ranks = cython.declare(cython.int[256])
    kept = cython.declare(cython.double[256])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    whole: cython.Py_ssize_t = (n + 3) & ~3
    total: cython.longlong = 0
    p: cython.int
    q: cython.int
    r: cython.int
    s: cython.int
    x: cython.int
    for i in range(n):
        low[i] = cython.cast(cython.int, cython.cast(cython.longlong, keys[a + i]) - _SIGN)
    for i in range(n, whole):
        low[i] = 2147483647  # less than nothing: it adds to no rank
    for i in range(whole):
        ranks[i] = 0
    j = 0
    while j < whole:
        p = low[j]
        q = low[j + 1]
        r = low[j + 2]
        s = low[j + 3]
        for i in range(whole):
            x = low[i]
            ranks[i] += (p < x) + (q < x) + (r < x) + (s < x)
        j += 4
    for i in range(n):
        total += ranks[i]
    if total != n * (n - 1) // 2:
        return False
    for i in range(n):
        keys[a + ranks[i]] = cython.cast(cython.uint, cython.cast(cython.longlong, low[i]) + _SIGN)
    if real:
        for i in range(n):
            kept[i] = values[a + i]
        for i in range(n):
            values[a + ranks[i]] = kept[i]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _by_heap(
    keys: Key[::1],
    values: cython.double[::1],
    a: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    real: cython.bint,
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
    kept: cython.double[::1],
) -> cython.bint:
    """The same for any row."""
    i: cython.Py_ssize_t
    for i in range(n):
        scratch[i] = keys[a + i]
        places[i] = cython.cast(cython.uint, i)
    sort_keys(scratch, places, n)
    for i in range(1, n):
        if scratch[i - 1] == scratch[i]:
            return False
    for i in range(n):
        keys[a + i] = scratch[i]
    if real:
        for i in range(n):
            kept[i] = values[a + i]
        for i in range(n):
            values[a + i] = kept[places[i]]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(
    indptr: cython.const[cython.longlong][::1],
    keys: Key[::1],
    values: cython.double[::1],
    rows: cython.Py_ssize_t,
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
    kept: cython.double[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    n: cython.Py_ssize_t
    real: cython.bint = len(values) > 0
    ascending: cython.bint
    high: cython.ulonglong
    twice: cython.bint = False
    for r in range(rows):
        a = indptr[r]
        n = indptr[r + 1] - a
        ascending = True
        high = 0
        for k in range(a + 1, a + n):
            ascending &= keys[k - 1] < keys[k]
            high |= keys[k]
        if ascending:
            continue
        high |= keys[a]
        if n <= _MOST_RANKED and high >> 32 == 0:
            twice |= not _by_ranks(keys, values, a, n, real)
        else:
            twice |= not _by_heap(keys, values, a, n, real, scratch, places, kept)
    return 0 if twice else 1


@cython.cfunc
@cython.exceptval(check=False)
def _fits(
    indptr: cython.const[cython.longlong][::1],
    keys: cython.Py_ssize_t,
    values: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    scratch: cython.Py_ssize_t,
    places: cython.Py_ssize_t,
    kept: cython.Py_ssize_t,
) -> cython.bint:
    r: cython.Py_ssize_t
    width: cython.Py_ssize_t = min(scratch, places)
    if rows < 0 or len(indptr) <= rows or indptr[0] < 0 or indptr[rows] > keys:
        return False
    if values > 0:
        width = min(width, kept)
        if indptr[rows] > values:
            return False
    for r in range(rows):
        if indptr[r + 1] < indptr[r] or indptr[r + 1] - indptr[r] > width:
            return False
    return True


# Told apart by hand: the dispatcher that Cython writes for a `def` of fused types imports numpy.
def sort(
    indptr: cython.const[cython.longlong][::1],
    keys: object,
    values: cython.double[::1],
    rows: cython.Py_ssize_t,
    scratch: cython.ulonglong[::1],
    places: cython.uint[::1],
    kept: cython.double[::1],
) -> cython.int:
    # type: (Ints, Ints, Floats, int, Ints, Ints, Floats) -> int
    """Sort the entries of every row by key, in place: 1, or 0 when a row has a key twice (that row is left as it is).

    Keys have 32 or 64 bits; `values` may be empty.  Scratch is as wide as the widest row (`kept` only where there are
    values); -1: a misfit.

    >>> from array import array
    >>> keys, values = array("Q", [9, 2, 5, 7, 7]), array("d", [0.9, 0.2, 0.5, 1, 2])
    >>> scratch = array("Q", bytes(24)), array("I", bytes(12)), array("d", bytes(24))
    >>> sort(array("q", [0, 3]), keys, values, 1, *scratch), keys.tolist(), values.tolist()
    (1, [2, 5, 9, 7, 7], [0.2, 0.5, 0.9, 1.0, 2.0])
    >>> sort(array("q", [0, 3, 5]), keys, values, 2, *scratch)
    0
    """
    status: cython.int = -1
    keys4: cython.uint[::1]
    keys8: cython.ulonglong[::1]
    if memoryview(keys).itemsize == 4:
        keys4 = keys
        if _fits(indptr, len(keys4), len(values), rows, len(scratch), len(places), len(kept)):
            with cython.nogil:
                status = _sort(indptr, keys4, values, rows, scratch, places, kept)
    else:
        keys8 = keys
        if _fits(indptr, len(keys8), len(values), rows, len(scratch), len(places), len(kept)):
            with cython.nogil:
                status = _sort(indptr, keys8, values, rows, scratch, places, kept)
    return status
