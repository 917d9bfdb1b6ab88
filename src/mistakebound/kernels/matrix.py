"""Rows of a CSR matrix as rows over attribute keys: one pass that copies, checks and notes what the rows are like."""

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
def _convert(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[Column][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    first_key: cython.ulonglong,
    keys: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    real: cython.bint = False
    ascending: cython.bint = True
    strange: cython.bint = False
    wild: cython.bint = False
    for r in range(rows):
        a = indptr[r]
        b = indptr[r + 1]
        for k in range(a, b):
            # A negative column becomes a huge key.
            keys[k] = cython.cast(cython.ulonglong, cython.cast(cython.longlong, columns[k])) + first_key
            strange |= columns[k] < 0 or cython.cast(cython.ulonglong, columns[k]) >= width
            real |= data[k] != 1.0
        for k in range(a + 1, b):
            ascending &= columns[k - 1] < columns[k]
    if real:
        for k in range(indptr[0], indptr[rows]):
            wild |= data[k] - data[k] != 0.0
    state[1] = real
    state[2] = ascending
    if strange or wild:
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
    keys: cython.Py_ssize_t,
    state: cython.Py_ssize_t,
) -> cython.bint:
    r: cython.Py_ssize_t
    bad: cython.bint = False
    if rows < 0 or len(indptr) <= rows or state < 3 or indptr[0] < 0:
        return False
    for r in range(rows):
        bad |= indptr[r] > indptr[r + 1]
    return not bad and indptr[rows] <= min(columns, data, keys)


def convert32(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    first_key: cython.ulonglong,
    keys: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """keys[k] = columns[k] + first_key for the entries of `rows` rows; columns of 32 bits.  A status comes back.

    >>> from array import array
    >>> keys, state = array("Q", bytes(24)), array("q", bytes(24))
    >>> convert32(array("q", [0, 2, 3]), array("i", [0, 4, 2]), array("d", [1, 1, 2]), 2, 5, 1, keys, state)
    0
    >>> keys.tolist(), state[REAL], state[ASCENDING]
    ([1, 5, 3], 1, 1)
    """
    if not _fits(indptr, len(columns), len(data), rows, len(keys), len(state)):
        return CAPACITY
    with cython.nogil:
        rows = _convert(indptr, columns, data, rows, width, first_key, keys, state)
    return rows


def convert64(
    indptr: cython.const[cython.longlong][::1],
    columns: cython.const[cython.longlong][::1],
    data: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    width: cython.ulonglong,
    first_key: cython.ulonglong,
    keys: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """As convert32, columns of 64 bits."""
    if not _fits(indptr, len(columns), len(data), rows, len(keys), len(state)):
        return CAPACITY
    with cython.nogil:
        rows = _convert(indptr, columns, data, rows, width, first_key, keys, state)
    return rows
