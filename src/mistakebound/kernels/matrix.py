"""Rows of a CSR matrix: are they well, and what are they like?

Their columns are copied, and only the copy is looked at: another thread may change the matrix meanwhile.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

OK = 0
BAD_COLUMN = 1  # in row state[ROW]
BAD_VALUE = 2  # in row state[ROW]: not finite
CAPACITY = 3

# Places in `state`.
ROW = 0
REAL = 1  # 1 when some value is not 1
ASCENDING = 2  # 1 when the columns of every row ascend strictly

_NEAR = cython.declare(cython.Py_ssize_t, 4096)  # entries that stay near at hand until all loops have seen them

Column = cython.fused_type(cython.int, cython.longlong)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_wild(value: cython.ulonglong) -> cython.bint:
    """Whether the double with these bits is not finite."""
    return (value >> 52) & 0x7FF == 0x7FF


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[Column][::1],
    data: cython.const[cython.ulonglong][::1],
    own: Column[::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    start: cython.Py_ssize_t = indptr[0]
    end: cython.Py_ssize_t = indptr[rows]
    top: cython.longlong = -1
    bottom: cython.longlong = 0
    one: cython.ulonglong = 0x3FF0000000000000
    unlike: cython.ulonglong = 0
    falls: cython.longlong = 0
    here: cython.uint
    wild: cython.bint = False
    while first < rows:
        last = first + 1
        while last < rows and indptr[last + 1] - indptr[first] <= _NEAR:
            last += 1
        a = indptr[first]
        b = indptr[last]
        # Loops without branches, which a compiler can do several steps at a time.
        for k in range(a, b):
            own[k] = columns[k]
            unlike |= data[k] ^ one
        here = 0
        for k in range(a + 1, b):
            here += own[k - 1] >= own[k]
        falls += here
        for r in range(first, last):
            a = indptr[r]
            b = indptr[r + 1]
            if b > a:  # from one row to the next they may fall; the ends of a row that ascends are its extremes
                falls -= a > indptr[first] and own[a - 1] >= own[a]
                bottom = min(bottom, own[a])
                top = max(top, own[b - 1])
        first = last
    if falls:
        for k in range(start, end):
            bottom = min(bottom, own[k])
            top = max(top, own[k])
    if unlike:
        for k in range(start, end):
            wild |= _is_wild(data[k])
    state[1] = unlike != 0
    state[2] = falls == 0
    if wild or bottom < 0 or (top >= 0 and cython.cast(cython.ulonglong, top) >= width):
        for r in range(rows):
            state[0] = r
            for k in range(indptr[r], indptr[r + 1]):
                if own[k] < 0 or cython.cast(cython.ulonglong, own[k]) >= width:
                    return 1
                if _is_wild(data[k]):
                    return 2
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _fits(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.Py_ssize_t,
    data: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    state: cython.Py_ssize_t,
) -> cython.bint:
    r: cython.Py_ssize_t
    bad: cython.bint = False
    if rows < 0 or len(indptr) <= rows or state < 3 or indptr[0] < 0:
        return False
    for r in range(rows):
        bad |= indptr[r] > indptr[r + 1]
    return not bad and indptr[rows] <= min(columns, data)


# Told apart by hand: the dispatcher that Cython writes for a `def` of fused types imports numpy.
def copy(
    indptr: cython.const[cython.longlong][::1],
    columns: object,
    data: cython.const[cython.ulonglong][::1],
    own: object,
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    state: cython.longlong[::1],
) -> cython.int:
    # type: (Ints, Ints, Ints, Ints, int, int, Ints) -> int
    """`own` becomes the columns, all of 32 or all of 64 bits, of `rows` rows.  Are they well, and what are they like?

    `data` are the bits of doubles: those are compared several at a time.

    >>> from array import array
    >>> own, state = array("i", bytes(12)), array("q", bytes(24))
    >>> data = memoryview(array("d", [1, 1, 2])).cast("B").cast("Q")
    >>> copy(array("q", [0, 2, 3]), array("i", [0, 4, 2]), data, own, 2, 5, state)
    0
    >>> own.tolist(), state[REAL], state[ASCENDING]
    ([0, 4, 2], 1, 1)
    """
    columns4: cython.const[cython.int][::1]
    columns8: cython.const[cython.longlong][::1]
    own4: cython.int[::1]
    own8: cython.longlong[::1]
    status: cython.int = CAPACITY
    if memoryview(own).itemsize == 4:
        columns4 = columns
        own4 = own
        if _fits(indptr, min(len(columns4), len(own4)), len(data), rows, len(state)):
            with cython.nogil:
                status = _copy(indptr, columns4, data, own4, rows, width, state)
    else:
        columns8 = columns
        own8 = own
        if _fits(indptr, min(len(columns8), len(own8)), len(data), rows, len(state)):
            with cython.nogil:
                status = _copy(indptr, columns8, data, own8, rows, width, state)
    return status
