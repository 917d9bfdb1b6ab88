"""How often each attribute was in a row, and how its values were spread, from a sample of the rows.

The first FIRST rows count once each; of the next FIRST one of every 2 counts twice, of the next 2*FIRST one of every 4
four times, and so on.  Which one of a group is a matter of its number alone.  So the sample does not depend on blocks,
grows with the logarithm of the rows, and is right on average (Horvitz and Thompson 1952).
counts[k] is how many rows attribute k was in.  moments[2k] and moments[2k+1] are the mean of its values
there and the sum of their squared differences from it (Welford 1962, with weights); no moments: all values were 1.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from mistakebound.kernels.row_batch import RowBatch

FIRST = 1 << 10
ROWS = 0  # places in the state: rows so far, in the sample or not,
MARK = 1  # and what the last call said to put there

_FIRST = cython.declare(cython.longlong, FIRST)
_ROWS = cython.declare(cython.int, ROWS)
_MARK = cython.declare(cython.int, MARK)
_MOST = cython.declare(cython.longlong, 1 << 31)  # rows that are counted: counts have 32 bits
_ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _doublings(row: cython.longlong) -> cython.int:
    """log2 of the size of a row's group."""
    count: cython.int = 0
    while (row // _FIRST) >> count:
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next(row: cython.longlong) -> cython.longlong:
    """The first row of the sample from `row` on."""
    chosen: cython.longlong
    mixed: cython.ulonglong
    bits: cython.int
    if row < _FIRST:
        return row
    while True:
        bits = _doublings(row)
        mixed = (cython.cast(cython.ulonglong, row >> bits) * _STEP) & _ALL64
        chosen = ((row >> bits) << bits) + cython.cast(cython.longlong, mixed >> (64 - bits))
        if chosen >= row:
            return chosen
        row = ((row >> bits) + 1) << bits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(
    rows: RowBatch,
    base: cython.longlong,
    numbers: cython.const[cython.uint][::1],
    counts: cython.uint[::1],
    moments: cython.double[::1],
    start: cython.longlong,
) -> cython.bint:
    k: cython.longlong
    place: cython.longlong
    row: cython.longlong = _next(start)
    end: cython.longlong = min(start + rows.rows, _MOST)
    weight: cython.longlong
    one: cython.longlong = 1
    real: cython.bint = len(moments) > 0
    value: cython.double
    apart: cython.double
    while row < end:  # all of them are looked at before anything is written
        for k in range(rows.indptr[row - start], rows.indptr[row - start + 1]):
            place = base + rows.slots[k]
            if place >= len(numbers) or numbers[place] > cython.cast(cython.ulonglong, len(counts)):
                return False
        row = _next(row + 1)
    row = _next(start)
    while row < end:
        weight = one << _doublings(row)
        for k in range(rows.indptr[row - start], rows.indptr[row - start + 1]):
            place = cython.cast(cython.longlong, numbers[base + rows.slots[k]]) - 1
            if place < 0:
                continue
            counts[place] += cython.cast(cython.uint, weight)
            if real:
                value = rows.values[k] if rows.real else 1.0
                apart = value - moments[2 * place]
                moments[2 * place] += apart * weight / counts[place]
                moments[2 * place + 1] += weight * apart * (value - moments[2 * place])
        row = _next(row + 1)
    return True


def add(
    rows: RowBatch,
    base: cython.longlong,
    numbers: cython.const[cython.uint][::1],
    counts: cython.uint[::1],
    moments: cython.double[::1],
    state: cython.longlong[::1],
    mark: cython.longlong,
) -> cython.bint:
    """Count some rows; numbers[base + slot] - 1 is the place of an attribute.  False when the buffers do not fit.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> counts, moments, state = array("I", [0, 0]), array("d", [0] * 4), array("q", [0, 0])
    >>> rows = RowBatch(array("I", [5, 7, 5]), array("d", [1, 1, 3]), array("q", [0, 2, 3]), 2)
    >>> add(rows, 0, array("I", [0] * 5 + [1, 0, 2]), counts, moments, state, 2)
    True
    >>> counts.tolist(), moments.tolist(), state.tolist()
    ([2, 1], [2.0, 2.0, 1.0, 0.0], [2, 2])
    """
    fits: cython.bint
    if len(state) < 2 or base < 0 or 0 < len(moments) < 2 * len(counts):
        return False
    with cython.nogil:
        fits = _add(rows, base, numbers, counts, moments, state[_ROWS])
    if fits:
        state[_ROWS] += rows.rows
        state[_MARK] = mark
    return fits
