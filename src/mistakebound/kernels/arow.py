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
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import fabs

    from mistakebound.kernels.sorting import key_order

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0

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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _in_order(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    ordered: cython.bint,
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.void:
    k: cython.Py_ssize_t
    if not ordered:
        key_order(slots, a, b, dense, extra_keys, keys, places)
        return
    for k in range(b - a):
        places[k] = cython.cast(cython.uint, k)


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
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.const[cython.uint][::1],
    y: cython.double,
    loss: cython.double,
    c: cython.double,
    r: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    spent: cython.double[::1],
    sums: cython.double[::1],
    scalars: cython.double[::1],
    products: cython.double[::1],
) -> cython.bint:
    """One step of a row of importance c; false, and nothing changed, when something would not stay finite."""
    k: cython.Py_ssize_t
    p: cython.uint
    x: cython.double
    t: cython.double
    step: cython.double
    most: cython.double
    finite: cython.bint = True
    variance: cython.double = 0.0
    squares: cython.double = 0.0
    r /= c
    for k in range(b - a):
        x = values[a + places[k]] if len(values) > 0 else 1.0
        t = x / (1.0 + spent[slots[a + places[k]]])
        products[k] = t
        variance += t * x
        squares += x * x
    if biased:
        variance += 1.0 / (1.0 + scalars[_BIAS_SPENT])
        squares += 1.0
    step = y * (loss / (variance + r))
    most = squares / r  # no attribute spends more; where it is finite, no value can carry a sum beyond the doubles
    for k in range(b - a):
        p = slots[a + places[k]]
        t = weights[p] + step * products[k]
        finite &= t - t == 0.0
        t = spent[p] + most
        finite &= t - t == 0.0
    if biased:
        t = scalars[_BIAS] + step * (1.0 / (1.0 + scalars[_BIAS_SPENT]))
        finite &= t - t == 0.0
        t = scalars[_BIAS_SPENT] + most
        finite &= t - t == 0.0
    if c != 1.0:
        t = scalars[_EXTRA] + fabs(scalars[_BIAS_SUM]) + c
        finite &= t - t == 0.0
        for k in range(b - a):
            x = values[a + places[k]] if len(values) > 0 else 1.0
            t = fabs(sums[slots[a + places[k]]]) + c * fabs(x)
            finite &= t - t == 0.0
    if not finite:
        return False
    for k in range(b - a):
        p = slots[a + places[k]]
        x = values[a + places[k]] if len(values) > 0 else 1.0
        weights[p] += step * products[k]
        spent[p] += _spending(x, products[k], variance, r)
        sums[p] += y * c * x
    if biased:
        t = 1.0 / (1.0 + scalars[_BIAS_SPENT])
        scalars[_BIAS] += step * t
        scalars[_BIAS_SPENT] += _spending(1.0, t, variance, r)
        scalars[_BIAS_SUM] += y * c
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    ordered: cython.bint,
    labels: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    weights: cython.double[::1],
    spent: cython.double[::1],
    sums: cython.double[::1],
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
    s: cython.double
    t: cython.double
    y: cython.double
    c: cython.double
    size: cython.double
    room: cython.double
    updates: cython.bint = False
    prediction: cython.int
    far: cython.bint = len(weights) > 65536
    for row in range(rows):
        a = indptr[row]
        b = indptr[row + 1]
        if cython.compiled:
            if far and row + 1 < rows:  # ask for the weights of the next row; one update seldom comes alone
                for k in range(b, indptr[row + 2]):
                    mb_prefetch(cython.address(weights[slots[k]]))
                    if updates:
                        mb_prefetch(cython.address(spent[slots[k]]))
                        mb_prefetch(cython.address(sums[slots[k]]))
        s = size = 0.0
        for k in range(a, b):
            t = weights[slots[k]] * values[k] if len(values) > 0 else weights[slots[k]]
            s += t
            size += fabs(t)
        if biased:
            s += scalars[_BIAS]
            size += fabs(scalars[_BIAS])
        y = 1.0 if learn and labels[row] == 1 else -1.0
        room = (size + 1.0) * (b - a + 8) * _EPS
        updates = learn and not (y * s > 1.0 + room and size < _HUGE)
        if updates or not (fabs(s) > room and size < _HUGE) or len(scores) > 0:
            _in_order(slots, a, b, ordered, dense, extra_keys, keys, places)
            s = 0.0
            for k in range(b - a):
                t = weights[slots[a + places[k]]]
                s += t * values[a + places[k]] if len(values) > 0 else t
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
                slots, values, a, b, places, y, 1.0 - y * s, c, r, biased, weights, spent, sums, scalars,
                products,
            ):  # fmt: skip
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
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    ordered: cython.bint,
    labels: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    weights: cython.double[::1],
    spent: cython.double[::1],
    sums: cython.double[::1],
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
    """Predict the rows and, with `learn`, play them as trials, with a diagonal covariance.

    The variance of an attribute is 1 / (1 + spent), its sum that of importance times label times value over the
    updates.  The importance of a row (empty: 1) divides its r.  Empty `values`: every value is 1.  The key of a slot
    from `dense` on is in `extra_keys`; `keys`, `places` and `products` are scratch, as wide as the widest row.

    >>> from array import array
    >>> kept = [array("d", [0, 0]) for _ in range(3)] + [array("d", bytes(48))]
    >>> rows = array("I", [0, 1, 0]), array("d"), array("q", [0, 1, 3]), True, array("b", [1, 0]), array("d"), 2
    >>> out, scratch = array("b", bytes(2)), (array("Q", bytes(16)), array("I", bytes(8)), array("d", bytes(16)))
    >>> run(*rows, *kept, 1.0, False, True, out, array("d"), 2, array("Q"), *scratch, array("q", [0]))
    0
    >>> out.tolist(), [numbers.tolist() for numbers in kept[:3]]
    ([0, 1], [[0.2, -0.6], [1.5, 0.6666666666666666], [0.0, -1.0]])
    """
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.ulonglong = len(weights)
    status: cython.int = CAPACITY
    if rows < 0 or len(indptr) <= rows or len(predictions) < rows or len(state) < 1 or len(scalars) < 6:
        return status
    if (learn and len(labels) < rows) or (len(scores) > 0 and len(scores) < rows):
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if len(importance) > 0 and len(importance) < rows:
        return status
    if (
        len(spent) != len(weights)
        or len(sums) != len(weights)
        or size > dense + cython.cast(cython.ulonglong, len(extra_keys))
    ):
        return status
    with cython.nogil:
        for row in range(rows):
            bad |= indptr[row] > indptr[row + 1]
            bad |= indptr[row + 1] - indptr[row] > len(keys) or indptr[row + 1] - indptr[row] > len(places)
            bad |= indptr[row + 1] - indptr[row] > len(products)
        if not bad:
            for k in range(indptr[0], indptr[rows]):
                bad |= slots[k] >= size
        if not bad:
            status = _run(
                slots, values, indptr, ordered, labels, importance, rows, weights, spent, sums, scalars, r, biased,
                learn, predictions, scores, dense, extra_keys, keys, places, products, state,
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
