"""AROW with a diagonal covariance on sparse rows (Crammer, Kulesza and Dredze 2009, figure 1 and section 4).

The number that is compared with 0 is the sum of weight * value in ascending order of keys, the bias last; so are the
variance of a row and all other sums.  A row is not sorted where rounding could neither change the prediction nor
whether there is an update.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import fabs

    from mistakebound.kernels.row_batch import RowBatch
    from mistakebound.kernels.sorting import key_order

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0

# What is kept for an attribute; four, so that no line of the processor's memory ends within them.
WEIGHT = 0
SPENT = 1
SUM = 2
WIDTH = 4

# Places in `scalars`.
BIAS = 0
BIAS_SPENT = 1
BIAS_SUM = 2
EXTRA = 3  # the importance of updates without a mistake, added up: their number where each is 1
LEAST = 4  # the smallest importance of a row that was a mistake; 0 before the first
MOST = 5  # the largest
_BIAS = cython.declare(cython.int, BIAS)
_BIAS_SPENT = cython.declare(cython.int, BIAS_SPENT)
_BIAS_SUM = cython.declare(cython.int, BIAS_SUM)
_EXTRA = cython.declare(cython.int, EXTRA)
_LEAST = cython.declare(cython.int, LEAST)
_MOST = cython.declare(cython.int, MOST)

_EPS = cython.declare(cython.double, 2.0**-52)
_HUGE = cython.declare(cython.double, 1e308)  # a sum above may be infinite in another order
_AHEAD = cython.declare(cython.Py_ssize_t, 96)  # entries between one that is added and one that is asked for


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _spending(x: cython.double, t: cython.double, variance: cython.double, r: cython.double) -> cython.double:
    """What is added to the inverse of a variance V when V becomes V - (V*x)^2/(variance + r); t = V*x.

    The others' part of the row's variance blurs what the row says of this attribute.
    """
    others: cython.double = variance - t * x
    return x * x / (r + (others if others > 0.0 else 0.0))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stays_finite(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    cells: cython.const[cython.double][::1],
    products: cython.const[cython.double][::1],
    step: cython.double,
    most: cython.double,
) -> cython.bint:
    """Whether all that an update changes stays finite; the products are in the order of the slots."""
    k: cython.Py_ssize_t
    t: cython.double
    finite: cython.bint = True
    for k in range(n):
        t = cells[4 * cython.cast(cython.Py_ssize_t, slots[a + k])] + step * products[k]
        finite &= t - t == 0.0
        t = cells[4 * cython.cast(cython.Py_ssize_t, slots[a + k]) + 1] + most
        finite &= t - t == 0.0
    return finite


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    ordered: cython.bint,
    places: cython.const[cython.uint][::1],
    y: cython.double,
    loss: cython.double,
    size: cython.double,
    c: cython.double,
    r: cython.double,
    biased: cython.bint,
    cells: cython.double[::1],
    scalars: cython.double[::1],
    products: cython.double[::1],
) -> cython.bint:
    """One step of a row of importance c; false, and nothing changed, when something would not stay finite.

    Sums are taken in the order that `places` says, if the row is not `ordered`.  No weight is larger than `size`, where
    all values are 1.
    """
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    n: cython.Py_ssize_t = b - a
    x: cython.double
    t: cython.double
    step: cython.double
    most: cython.double
    real: cython.bint = len(values) > 0
    variance: cython.double = 0.0
    squares: cython.double = n
    spent: cython.double = 0.0
    finite: cython.bint
    r /= c
    for k in range(n):
        t = 1.0 + cells[4 * cython.cast(cython.Py_ssize_t, slots[a + k]) + 1]
        spent = t if t > spent else spent
        products[k] = (values[a + k] if real else 1.0) / t
    if real:
        squares = 0.0
        for k in range(n):
            p = k if ordered else places[k]
            x = values[a + p]
            variance += products[p] * x
            squares += x * x
    elif ordered:
        for k in range(n):
            variance += products[k]
    else:
        for k in range(n):
            variance += products[places[k]]
    if biased:
        variance += 1.0 / (1.0 + scalars[_BIAS_SPENT])
        squares += 1.0
    step = y * (loss / (variance + r))
    most = squares / r  # no attribute spends more; where it is finite, no value can carry a sum beyond the doubles
    finite = not real and size + fabs(step) < _HUGE and spent + most < _HUGE
    if not finite and not _stays_finite(slots, a, n, cells, products, step, most):
        return False
    if biased:
        t = scalars[_BIAS] + step * (1.0 / (1.0 + scalars[_BIAS_SPENT]))
        if t - t != 0.0:
            return False
        t = scalars[_BIAS_SPENT] + most
        if t - t != 0.0:
            return False
    if c != 1.0:
        t = scalars[_EXTRA] + fabs(scalars[_BIAS_SUM]) + c
        finite = t - t == 0.0
        for k in range(n):
            x = values[a + k] if real else 1.0
            t = fabs(cells[4 * cython.cast(cython.Py_ssize_t, slots[a + k]) + 2]) + c * fabs(x)
            finite &= t - t == 0.0
        if not finite:
            return False
    for k in range(n):
        p = 4 * cython.cast(cython.Py_ssize_t, slots[a + k])
        x = values[a + k] if real else 1.0
        cells[p] += step * products[k]
        cells[p + 1] += _spending(x, products[k], variance, r)
        cells[p + 2] += y * c * x
    if biased:
        t = 1.0 / (1.0 + scalars[_BIAS_SPENT])
        scalars[_BIAS] += step * t
        scalars[_BIAS_SPENT] += _spending(1.0, t, variance, r)
        scalars[_BIAS_SUM] += y * c
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_rows(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    ordered: cython.bint,
    labels: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    cells: cython.double[::1],
    scalars: cython.double[::1],
    r: cython.double,
    biased: cython.bint,
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    products: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    p: cython.Py_ssize_t
    s: cython.double
    t: cython.double
    y: cython.double
    c: cython.double
    size: cython.double
    room: cython.double
    updates: cython.bint
    prediction: cython.int
    real: cython.bint = len(values) > 0
    last: cython.Py_ssize_t = indptr[rows] - _AHEAD if len(cells) > 65536 else -1
    for row in range(rows):
        a = indptr[row]
        b = indptr[row + 1]
        s = size = 0.0
        for k in range(a, b):
            if cython.compiled:
                if k < last:  # what is kept for an attribute of a later row is far away
                    mb_prefetch(cython.address(cells[4 * cython.cast(cython.Py_ssize_t, slots[k + _AHEAD])]))
            t = cells[4 * cython.cast(cython.Py_ssize_t, slots[k])]
            if real:
                t *= values[k]
            s += t
            size += fabs(t)
        if biased:
            s += scalars[_BIAS]
            size += fabs(scalars[_BIAS])
        y = 1.0 if learn and labels[row] == 1 else -1.0
        room = (size + 1.0) * (b - a + 8) * _EPS
        updates = learn and not (y * s > 1.0 + room and size < _HUGE)
        if not ordered and (updates or not (fabs(s) > room and size < _HUGE) or len(scores) > 0):
            key_order(slots, a, b, dense, extra_keys, keys, places)
            s = 0.0
            for k in range(b - a):
                p = a + places[k]
                t = cells[4 * cython.cast(cython.Py_ssize_t, slots[p])]
                s += t * values[p] if real else t
            if biased:
                s += scalars[_BIAS]
        if s - s != 0.0:
            state[0] = row
            return _OVERFLOW
        prediction = s > 0.0
        if len(scores) > 0:
            scores[row] = s
        if updates and y * s < 1.0:
            c = importance[row] if len(importance) > 0 else 1.0
            if not _update(
                slots, values, a, b, ordered, places, y, 1.0 - y * s, size, c, r, biased, cells, scalars, products
            ):
                state[0] = row
                return _OVERFLOW
            if prediction == labels[row]:
                scalars[_EXTRA] += c
            else:
                scalars[_LEAST] = c if scalars[_LEAST] == 0.0 or c < scalars[_LEAST] else scalars[_LEAST]
                scalars[_MOST] = c if c > scalars[_MOST] else scalars[_MOST]
        predictions[row] = prediction
    state[0] = rows
    return 0


def run(
    batch: RowBatch,
    cells: cython.double[::1],
    scalars: cython.double[::1],
    r: cython.double,
    biased: cython.bint,
    products: cython.double[::1],
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials, with a diagonal covariance.

    For each attribute there are WIDTH `cells`: its weight, what its variance 1 / (1 + spent) has spent, and the sum of
    importance times label times value over the updates, near each other because an update needs all.  The importance of
    a row divides its r.  `products` is scratch, as wide as the widest row.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> cells, scalars, out = array("d", bytes(2 * 8 * WIDTH)), array("d", bytes(48)), array("b", bytes(2))
    >>> batch = RowBatch(array("I", [0, 1, 0]), array("d"), array("q", [0, 1, 3]), 2)
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> batch.sort_by(True, 2, array("Q"), array("Q", bytes(16)), array("I", bytes(8)))
    >>> run(batch, cells, scalars, 1.0, False, array("d", bytes(16)))
    0
    >>> out.tolist(), [cells[column::WIDTH].tolist() for column in (WEIGHT, SPENT, SUM)]
    ([0, 1], [[0.2, -0.6], [1.5, 0.6666666666666666], [0.0, -1.0]])
    """
    status: cython.int = CAPACITY
    if len(scalars) < 6 or len(products) < batch.widest or len(cells) % WIDTH != 0:
        return status
    with cython.nogil:
        status = batch.check(len(cells) // 4, True)
        if status == 0:
            status = play_rows(
                batch.slots, batch.values, batch.indptr, batch.ordered, batch.labels, batch.importance, batch.rows,
                cells, scalars, r, biased, batch.learn, batch.predictions, batch.scores, batch.dense, batch.extra_keys,
                batch.keys, batch.places, products, batch.state,
            )  # fmt: skip
    return status


def energy(sums: cython.const[cython.double][::1], spent: cython.const[cython.double][::1]) -> cython.double:
    """The sum of squared sums times variances; -1 when there is not one of each.

    >>> from array import array
    >>> energy(array("d", [2, 1]), array("d", [1, 0]))
    3.0
    """
    k: cython.Py_ssize_t
    total: cython.double = 0.0
    if len(sums) != len(spent):
        return -1.0
    for k in range(len(sums)):
        total += sums[k] * sums[k] / (1.0 + spent[k])
    return total
