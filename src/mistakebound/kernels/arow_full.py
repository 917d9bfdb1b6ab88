"""AROW with a full covariance (Crammer, Kulesza and Dredze 2009, figure 1) on sparse rows of few attributes.

Everything is kept by coordinate: the bias is 0, attributes follow from 1 in the order in which they appeared.  Of the
covariance its factors U D U' are kept, U with ones on its diagonal and zeros below, D diagonal: `factors` has U[i, j]
at j * width + i, i < j, and D[j] at j * width + j.  So it stays positive definite however far apart values are
(Bierman 1977, Factorization Methods for Discrete Sequential Estimation; taking differences of the covariance itself
loses all its digits at values of 1e8).  Sums over a row are taken in ascending order of keys, the bias last.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, log1p
    from cython.cimports.mistakebound.kernels._factors import c_next_column
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import fabs, log1p

    from mistakebound.kernels.sorting import key_order

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
UNPLACED = 3  # row state[ROW]: an attribute that is no coordinate
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
_UNPLACED = cython.declare(cython.int, UNPLACED)
ROW = 0

# Places in `scalars`.
EXTRA = 0  # the importance of updates without a mistake, added up: their number where each is 1
LOG_DET = 1  # the logarithm of the determinant of the covariance's inverse
LEAST = 2  # the smallest importance of a row that was a mistake; 0 before the first
MOST = 3  # the largest
_EXTRA = cython.declare(cython.int, EXTRA)
_LOG_DET = cython.declare(cython.int, LOG_DET)
_LEAST = cython.declare(cython.int, LEAST)
_MOST = cython.declare(cython.int, MOST)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _project(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.uint[::1],
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    biased: cython.bint,
    factors: cython.const[cython.double][::1],
    width: cython.Py_ssize_t,
    scratch: cython.double[::1],
) -> cython.double:
    """The row in the coordinates of the factors, x + the sum of U[i, j] * x[i], behind `width` numbers; x.x comes back.

    The first `width` numbers are x itself, 0 where it has nothing; `places` become the coordinates that it has.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    used: cython.Py_ssize_t = 0
    x: cython.double
    f: cython.double
    u: cython.double
    squares: cython.double = 0.0
    for j in range(count):
        scratch[j] = 0.0
    for k in range(b - a):
        x = values[a + places[k]] if len(values) > 0 else 1.0
        i = ranks[slots[a + places[k]]]
        if x != 0.0:
            scratch[i] = x
            squares += x * x
            if i > 0:
                places[used] = cython.cast(cython.uint, i)
                used += 1
    if biased:
        scratch[0] = 1.0
        squares += 1.0
    for j in range(count):
        f = scratch[j]
        for k in range(used):
            i = places[k]
            u = factors[j * width + i] if i < j else 0.0  # no branch; f is never -0.0, which 0.0 would change
            f += u * scratch[i]
        if biased and j > 0:
            f += factors[j * width]
        scratch[width + j] = f
    return squares


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refactor(
    count: cython.Py_ssize_t,
    r: cython.double,
    factors: cython.double[::1],
    width: cython.Py_ssize_t,
    scratch: cython.double[::1],
) -> cython.double:
    """The factors after a row (Bierman 1977), which `scratch` has projected; r + the row's variance comes back.

    The first numbers of `scratch` become covariance * x.  What comes back is below 0 where a factor did not stay
    finite.  The columns of factors that were changed are kept behind 2 * width numbers, for `_restore`.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    f: cython.double
    v: cython.double
    u: cython.double
    t: cython.double
    back: cython.double
    more: cython.double
    at: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    finite: cython.bint = True
    total: cython.double = r
    for j in range(count):
        at = j * width
        kept = (2 + j) * width
        f = scratch[width + j]
        v = factors[j * width + j] * f
        more = total + f * v
        scratch[j] = v
        if f != 0.0:
            back = -f / total
            if cython.compiled:
                finite &= c_next_column(
                    cython.address(factors[at]), cython.address(scratch[0]), cython.address(scratch[kept]), j, back, v
                )
            else:
                for i in range(j):
                    u = factors[at + i]
                    t = u + back * scratch[i]
                    finite &= t - t == 0.0
                    scratch[i] += v * u
                    scratch[kept + i] = u
                    factors[at + i] = t
            scratch[kept + j] = factors[at + j]
            factors[at + j] *= total / more
        total = more
    return total if finite and total - total == 0.0 else -1.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _restore(
    count: cython.Py_ssize_t,
    factors: cython.double[::1],
    width: cython.Py_ssize_t,
    scratch: cython.const[cython.double][::1],
) -> cython.void:
    """The factors as they were before `_refactor`."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for j in range(count):
        if scratch[width + j] != 0.0:
            for i in range(j + 1):
                factors[j * width + i] = scratch[(2 + j) * width + i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.uint[::1],
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    y: cython.double,
    loss: cython.double,
    c: cython.double,
    r: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    sums: cython.double[::1],
    factors: cython.double[::1],
    width: cython.Py_ssize_t,
    scratch: cython.double[::1],
    scalars: cython.double[::1],
) -> cython.bint:
    """One step of a row of importance c; false, and nothing changed, when something would not stay finite."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    x: cython.double
    t: cython.double
    step: cython.double
    variance: cython.double = 0.0
    squares: cython.double = _project(slots, values, a, b, places, ranks, count, biased, factors, width, scratch)
    total: cython.double
    finite: cython.bint
    r /= c
    for j in range(count):
        x = scratch[width + j]
        variance += factors[j * width + j] * x * x
    total = _refactor(count, r, factors, width, scratch)
    step = y * (loss / total)
    t = squares / r  # where it is finite, no value can carry a sum beyond the doubles
    finite = total > 0.0 and step - step == 0.0 and t - t == 0.0
    for i in range(count):
        t = weights[i] + step * scratch[i]
        finite &= t - t == 0.0
    if c != 1.0:
        t = scalars[_EXTRA] + fabs(sums[0]) + c
        finite &= t - t == 0.0
        for k in range(a, b):
            x = values[k] if len(values) > 0 else 1.0
            t = fabs(sums[ranks[slots[k]]]) + c * fabs(x)
            finite &= t - t == 0.0
    if not finite:
        _restore(count, factors, width, scratch)
        return False
    for i in range(count):
        weights[i] += step * scratch[i]
    for k in range(a, b):
        x = values[k] if len(values) > 0 else 1.0
        if x != 0.0:
            sums[ranks[slots[k]]] += y * c * x
    if biased:
        sums[0] += y * c
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
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    weights: cython.double[::1],
    sums: cython.double[::1],
    factors: cython.double[::1],
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
    scratch: cython.double[::1],
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
    c: cython.double
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
            c = importance[row] if len(importance) > 0 else 1.0
            if not _update(
                slots, values, a, b, places, ranks, count, y, 1.0 - y * s, c, r, biased, weights, sums, factors,
                width, scratch, scalars,
            ):  # fmt: skip
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
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    weights: cython.double[::1],
    sums: cython.double[::1],
    factors: cython.double[::1],
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
    scratch: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict the rows and, with `learn`, play them as trials.  Empty `values`: every value is 1.

    The importance of a row (empty: 1) divides its r.
    ranks[slot] is the coordinate of an attribute, 0 for one that has none, `count` how many coordinates are in use.
    The key of a slot from `dense` on is in `extra_keys`; `keys` and `places` are scratch, as wide as the widest row,
    and `scratch`, which only trials need, has room for the matrix and two numbers more a coordinate.

    >>> from array import array
    >>> weights, sums, factors = array("d", [0, 0]), array("d", [0, 0]), array("d", [1, 0, 0, 1])
    >>> rows = array("I", [0]), array("d"), array("q", [0, 1]), True, array("b", [1]), array("d"), 1, array("I", [1]), 2
    >>> out, scratch = array("b", [0]), (array("Q", [0]), array("I", [0]), array("d", bytes(64)))
    >>> how = array("d", bytes(32)), 1.0, True, True, out, array("d"), 1, array("Q"), *scratch, array("q", [0])
    >>> run(*rows, weights, sums, factors, 2, *how), weights.tolist(), sums.tolist(), factors.tolist()
    (0, [0.3333333333333333, 0.3333333333333333], [1.0, 1.0], [0.5, 0.0, -0.5, 0.6666666666666666])
    """
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.ulonglong = len(ranks)
    status: cython.int = CAPACITY
    if rows < 0 or len(indptr) <= rows or len(predictions) < rows or len(state) < 1 or len(scalars) < 4:
        return status
    if (learn and len(labels) < rows) or (len(scores) > 0 and len(scores) < rows):
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if len(importance) > 0 and len(importance) < rows:
        return status
    if size > dense + cython.cast(cython.ulonglong, len(extra_keys)):
        return status
    if count < 1 or count > width or width > 65535 or len(factors) < width * width:
        return status
    if len(weights) < width or len(sums) < width or (learn and len(scratch) < (2 + width) * width):
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
                slots, values, indptr, ordered, labels, importance, rows, ranks, count, weights, sums, factors, width,
                scalars, r, biased, learn, predictions, scores, dense, extra_keys, keys, places, scratch, state,
            )  # fmt: skip
    return status
