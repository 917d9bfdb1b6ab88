"""Values in units of their own spread: (v - mean) / sd, with the mean and the sd of what an attribute has had so far.

For each attribute three numbers: how many values there were, their mean, the sum of their squared distances from it
(Welford 1962).  The value at hand counts among them, so that the first is 0 and none of m is beyond sqrt(m).  An
attribute that has only ever been 1 is a flag and stays 1.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import isfinite, sqrt
    from cython.cimports.mistakebound.kernels.key_rows import NewRows
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import isfinite, sqrt

    from mistakebound.kernels.key_rows import NewRows
    from mistakebound.kernels.row_batch import RowBatch

OK = 0
INFINITE = 1  # a value of row state[ROW] is too far from the others for the doubles
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_INFINITE = cython.declare(cython.int, INFINITE)
_CAPACITY = cython.declare(cython.int, CAPACITY)

# Places in `state`.
ROW = 0  # rows that are done
ENTRIES = 1  # what they gave
_ROW = cython.declare(cython.int, ROW)
_ENTRIES = cython.declare(cython.int, ENTRIES)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _take_back(
    slots: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    tally: cython.double[::1],
    before: cython.const[cython.double][::1],
) -> cython.bint:
    """The entries first .. last-1 never were; false, with nothing lost, when one is outside its buffer."""
    k: cython.Py_ssize_t = last
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    while k > first:
        k -= 1
        if slots[k] + base >= cython.cast(cython.ulonglong, len(numbers)):
            return False
        at = 3 * (cython.cast(cython.Py_ssize_t, numbers[slots[k] + base]) - 1)
        if at < 0 or at + 3 > len(tally) or 3 * k + 3 > len(before):
            return False
        for i in range(3):
            tally[at + i] = before[3 * k + i]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _standardize(
    rows: RowBatch,
    base: cython.ulonglong,
    numbers: cython.const[cython.uint][::1],
    learn: cython.bint,
    tally: cython.double[::1],
    before: cython.double[::1],
    out: NewRows,
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    number: cython.uint
    v: cython.double
    many: cython.double
    mean: cython.double
    squares: cython.double
    far: cython.double
    written: cython.Py_ssize_t = 0
    out.indptr[0] = 0
    state[_ROW] = 0
    for r in range(rows.rows):
        for k in range(rows.indptr[r], rows.indptr[r + 1]):
            if rows.slots[k] + base >= cython.cast(cython.ulonglong, len(numbers)):
                return _CAPACITY
            number = numbers[rows.slots[k] + base]
            if number == 0:
                if learn:
                    return _CAPACITY
                continue  # it has never appeared, and counts for nothing
            at = 3 * (cython.cast(cython.Py_ssize_t, number) - 1)
            if at + 3 > len(tally):
                return _CAPACITY
            v = rows.values[k] if rows.real else 1.0
            many = tally[at] + 1.0
            far = v - tally[at + 1]
            mean = tally[at + 1] + far / many
            squares = tally[at + 2] + far * (v - mean)
            if not isfinite(squares):
                if learn and not _take_back(rows.slots, base, rows.indptr[r], k, numbers, tally, before):
                    return _CAPACITY
                return _INFINITE
            if learn:
                before[3 * k] = tally[at]
                before[3 * k + 1] = tally[at + 1]
                before[3 * k + 2] = tally[at + 2]
                tally[at] = many
                tally[at + 1] = mean
                tally[at + 2] = squares
            out.short_keys[written] = number - 1
            if squares > 0.0:
                out.values[written] = (v - mean) / sqrt(squares / many)
            else:
                out.values[written] = 1.0 if v == 1.0 else 0.0
            written += 1
        out.indptr[r + 1] = written
        state[_ROW] = r + 1
        state[_ENTRIES] = written
    return _OK


def standardize(
    rows: RowBatch,
    base: cython.ulonglong,
    numbers: cython.const[cython.uint][::1],
    learn: cython.bint,
    tally: cython.double[::1],
    before: cython.double[::1],
    out: NewRows,
    state: cython.longlong[::1],
) -> cython.int:
    """Rows with standardised values, as far as they stay within the doubles: a status.

    Slot s + base is attribute numbers[s + base] - 1.  With `learn` the values enter `tally` (three numbers an
    attribute), and `before` (three an entry) holds what was there.

    >>> from array import array
    >>> from mistakebound.kernels.key_rows import NewRows
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> tally, before, values = array("d", bytes(24)), array("d", bytes(72)), array("d", bytes(24))
    >>> rows = RowBatch(array("I", [0, 0, 0]), array("d", [5, 7, 9]), array("q", [0, 1, 2, 3]), 3)
    >>> out = NewRows(array("q", bytes(32)), array("I", bytes(12)), values)
    >>> standardize(rows, 0, array("I", [1]), True, tally, before, out, array("q", [0, 0]))
    0
    >>> [round(z, 4) for z in values], tally.tolist()
    ([0.0, 1.0, 1.2247], [3.0, 7.0, 8.0])
    """
    status: cython.int = _CAPACITY
    end: cython.longlong = rows.indptr[rows.rows]
    if len(state) < 2 or (learn and len(before) < 3 * end):
        return status
    if not out.short or not out.has_room(rows.rows, end - rows.indptr[0], True):
        return status
    with cython.nogil:
        status = _standardize(rows, base, numbers, learn, tally, before, out, state)
    return status


def take_back(
    slots: cython.const[cython.uint][::1],
    base: cython.ulonglong,
    indptr: cython.const[cython.longlong][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    numbers: cython.const[cython.uint][::1],
    tally: cython.double[::1],
    before: cython.const[cython.double][::1],
) -> cython.bint:
    """The rows first .. last-1 of those that `standardize` took last never were; false when buffers do not fit."""
    if first < 0 or last < first or len(indptr) <= last or indptr[first] < 0 or indptr[last] > len(slots):
        return False
    return _take_back(slots, base, indptr[first], indptr[last], numbers, tally, before)
