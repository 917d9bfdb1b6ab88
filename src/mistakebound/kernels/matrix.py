"""Rows of a CSR matrix: are they well, and what are they like?  Nothing is copied."""

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

Column = cython.fused_type(cython.int, cython.longlong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[Column][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    start: cython.Py_ssize_t = indptr[0]
    end: cython.Py_ssize_t = indptr[rows]
    top: cython.longlong = -1
    bottom: cython.longlong = 0
    unlike: cython.int = 0
    falling: cython.int = 0
    wild: cython.bint = False
    # Loops without branches, which a compiler can do several steps at a time.
    for k in range(start, end):
        unlike |= data[k] != 1.0
    for r in range(rows):
        a = indptr[r]
        b = indptr[r + 1]
        for k in range(a + 1, b):
            falling |= columns[k - 1] >= columns[k]
        if b > a:  # the ends of a row that ascends are its extremes
            bottom = min(bottom, columns[a])
            top = max(top, columns[b - 1])
    if falling:
        for k in range(start, end):
            bottom = min(bottom, columns[k])
            top = max(top, columns[k])
    if unlike:
        for k in range(start, end):
            wild |= data[k] - data[k] != 0.0
    state[1] = unlike != 0
    state[2] = falling == 0
    if wild or bottom < 0 or (top >= 0 and cython.cast(cython.ulonglong, top) >= width):
        for r in range(rows):
            state[0] = r
            for k in range(indptr[r], indptr[r + 1]):
                if columns[k] < 0 or cython.cast(cython.ulonglong, columns[k]) >= width:
                    return 1
                if data[k] - data[k] != 0.0:
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


def look32(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    state: cython.longlong[::1],
) -> cython.int:
    """Are `rows` rows well, and what are they like?  Columns of 32 bits.  A status comes back.

    >>> from array import array
    >>> state = array("q", bytes(24))
    >>> look32(array("q", [0, 2, 3]), array("i", [0, 4, 2]), array("d", [1, 1, 2]), 2, 5, state)
    0
    >>> state[REAL], state[ASCENDING]
    (1, 1)
    """
    if not _fits(indptr, len(columns), len(data), rows, len(state)):
        return CAPACITY
    with cython.nogil:
        rows = _look(indptr, columns, data, rows, width, state)
    return rows


def look64(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.longlong][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    state: cython.longlong[::1],
) -> cython.int:
    """As look32, columns of 64 bits."""
    if not _fits(indptr, len(columns), len(data), rows, len(state)):
        return CAPACITY
    with cython.nogil:
        rows = _look(indptr, columns, data, rows, width, state)
    return rows
