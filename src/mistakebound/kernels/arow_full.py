"""AROW with a full covariance (Crammer, Kulesza and Dredze 2009, figure 1) on sparse rows of few attributes.

Everything is kept by coordinate: the bias is 0, attributes follow from 1 in the order in which they appeared.  Row i of
the covariance begins at i * width.  Sums over a row are taken in ascending order of keys, the bias last.  The matrix is
symmetric bit for bit, because (a * b) * c does not change when a and b change places.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import log1p
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import log1p

    from mistakebound.kernels.sorting import key_order

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
UNPLACED = 3  # row state[ROW]: an attribute that is no coordinate
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
_UNPLACED = cython.declare(cython.int, UNPLACED)
ROW = 0

# Places in `scalars`.
EXTRA = 0  # updates without a mistake
LOG_DET = 1  # the logarithm of the determinant of the covariance's inverse
_EXTRA = cython.declare(cython.int, EXTRA)
_LOG_DET = cython.declare(cython.int, LOG_DET)

_LEAST = cython.declare(cython.double, 2.0**-1022)  # a variance; 0 is that of an attribute without a place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.const[cython.uint][::1],
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    y: cython.double,
    loss: cython.double,
    r: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    sums: cython.double[::1],
    covariance: cython.double[::1],
    width: cython.Py_ssize_t,
    product: cython.double[::1],
    scalars: cython.double[::1],
) -> cython.bint:
    """One step; false, and nothing changed, when something would not stay finite."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    rank: cython.Py_ssize_t
    x: cython.double
    t: cython.double
    beta: cython.double
    step: cython.double
    variance: cython.double = 0.0
    squares: cython.double = 0.0
    for i in range(count):  # product = covariance * x
        product[i] = 0.0
    for k in range(b - a):
        x = values[a + places[k]] if len(values) > 0 else 1.0
        rank = ranks[slots[a + places[k]]]
        if x != 0.0:
            for i in range(count):
                product[i] += covariance[rank * width + i] * x
    if biased:
        for i in range(count):
            product[i] += covariance[i]
    for k in range(b - a):
        x = values[a + places[k]] if len(values) > 0 else 1.0
        rank = ranks[slots[a + places[k]]]
        if x != 0.0:
            variance += product[rank] * x
            squares += x * x  # where it is finite, no value can carry a sum beyond the doubles
    if biased:
        variance += product[0]
        squares += 1.0
    if variance < 0.0:  # by rounding: the matrix has no negative ones
        variance = 0.0
    beta = 1.0 / (variance + r)
    step = y * (loss * beta)
    t = squares / r
    if step - step != 0.0 or beta - beta != 0.0 or t - t != 0.0 or variance - variance != 0.0:
        return False
    for i in range(count):
        t = weights[i] + step * product[i]
        if t - t != 0.0:
            return False
        t = product[i] * product[i] * beta
        if t - t != 0.0:
            return False
    for i in range(count):
        weights[i] += step * product[i]
        if product[i] != 0.0:
            for j in range(count):
                covariance[i * width + j] -= (product[i] * product[j]) * beta
            if covariance[i * width + i] < _LEAST:  # by rounding, as above
                covariance[i * width + i] = _LEAST
    for k in range(a, b):
        x = values[k] if len(values) > 0 else 1.0
        if x != 0.0:
            sums[ranks[slots[k]]] += y * x
    if biased:
        sums[0] += y
    scalars[_LOG_DET] += log1p(variance / r)
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
    rows: cython.Py_ssize_t,
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    weights: cython.double[::1],
    sums: cython.double[::1],
    covariance: cython.double[::1],
    width: cython.Py_ssize_t,
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
    product: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    rank: cython.Py_ssize_t
    s: cython.double
    x: cython.double
    y: cython.double
    prediction: cython.int
    for row in range(rows):
        a = indptr[row]
        b = indptr[row + 1]
        state[0] = row
        if ordered:
            for k in range(b - a):
                places[k] = cython.cast(cython.uint, k)
        else:
            key_order(slots, a, b, dense, extra_keys, keys, places)
        s = 0.0
        for k in range(b - a):
            x = values[a + places[k]] if len(values) > 0 else 1.0
            rank = ranks[slots[a + places[k]]]
            if rank > 0 and x != 0.0:
                s += weights[rank] * x
            elif learn and x != 0.0:
                return _UNPLACED
        if biased:
            s += weights[0]
        if s - s != 0.0:
            return _OVERFLOW
        prediction = s > 0.0
        if len(scores) > 0:
            scores[row] = s
        y = 1.0 if learn and labels[row] == 1 else -1.0
        if learn and y * s < 1.0:
            if not _update(
                slots, values, a, b, places, ranks, count, y, 1.0 - y * s, r, biased, weights, sums, covariance,
                width, product, scalars,
            ):  # fmt: skip
                return _OVERFLOW
            if prediction == labels[row]:
                scalars[_EXTRA] += 1.0
        predictions[row] = prediction
    state[0] = rows
    return 0


def run(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    ordered: cython.bint,
    labels: cython.const[cython.schar][::1],
    rows: cython.Py_ssize_t,
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    weights: cython.double[::1],
    sums: cython.double[::1],
    covariance: cython.double[::1],
    width: cython.Py_ssize_t,
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
    product: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict the rows and, with `learn`, play them as trials.  Empty `values`: every value is 1.

    ranks[slot] is the coordinate of an attribute, 0 for one that has none, `count` how many coordinates are in use.
    The key of a slot from `dense` on is in `extra_keys`; `keys` and `places` are scratch, as wide as the widest row,
    and `product` as wide as the matrix.

    >>> from array import array
    >>> weights, sums, matrix = array("d", [0, 0]), array("d", [0, 0]), array("d", [1, 0, 0, 1])
    >>> rows = array("I", [0]), array("d"), array("q", [0, 1]), True, array("b", [1]), 1, array("I", [1]), 2
    >>> out, scratch = array("b", [0]), (array("Q", [0]), array("I", [0]), array("d", [0, 0]))
    >>> how = array("d", bytes(16)), 1.0, True, True, out, array("d"), 1, array("Q"), *scratch, array("q", [0])
    >>> run(*rows, weights, sums, matrix, 2, *how), weights.tolist(), sums.tolist(), matrix.tolist()[:2]
    (0, [0.3333333333333333, 0.3333333333333333], [1.0, 1.0], [0.6666666666666667, -0.3333333333333333])
    """
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.ulonglong = len(ranks)
    status: cython.int = CAPACITY
    if rows < 0 or len(indptr) <= rows or len(predictions) < rows or len(state) < 1 or len(scalars) < 2:
        return status
    if (learn and len(labels) < rows) or (len(scores) > 0 and len(scores) < rows):
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if size > dense + cython.cast(cython.ulonglong, len(extra_keys)):
        return status
    if count < 1 or count > width or width > 65535 or len(covariance) < width * width:
        return status
    if len(weights) < width or len(sums) < width or len(product) < width:
        return status
    with cython.nogil:
        for row in range(rows):
            bad |= indptr[row] > indptr[row + 1]
            bad |= indptr[row + 1] - indptr[row] > len(keys) or indptr[row + 1] - indptr[row] > len(places)
        if not bad:
            for k in range(indptr[0], indptr[rows]):
                bad |= slots[k] >= size
                if not bad:
                    bad |= ranks[slots[k]] >= count
        if not bad:
            status = _run(
                slots, values, indptr, ordered, labels, rows, ranks, count, weights, sums, covariance, width, scalars,
                r, biased, learn, predictions, scores, dense, extra_keys, keys, places, product, state,
            )  # fmt: skip
    return status
