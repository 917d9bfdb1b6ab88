"""AROW with a full covariance (Crammer, Kulesza and Dredze 2009, figure 1) on sparse rows of few attributes.

Everything is kept by coordinate: the bias is 0, attributes follow from 1 in the order in which they appeared.  Of the
covariance its factors U D U' are kept, U with ones on its diagonal and zeros below, D diagonal: `factors` has U[i, j]
at j * width + i, i < j, and D[j] at j * width + j.  So it stays positive definite however far apart values are
(Bierman 1977, Factorization Methods for Discrete Sequential Estimation; taking differences of the covariance itself
loses all its digits at values of 1e8).  Scores are sums in ascending order of keys, the bias last.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, log1p
    from cython.cimports.mistakebound.kernels._factors import c_factor_steps, c_factors_small, c_next_columns
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import fabs, log1p

    from mistakebound.kernels.row_batch import RowBatch

OK = 0
OVERFLOW = 1  # row state[ROW]: a sum or what is kept would leave the finite doubles
CAPACITY = 2
UNPLACED = 3  # row state[ROW]: an attribute that is no coordinate
# Factors up to _LARGE, steps up to _STEP: a row's sums, up to _STEP ** 2 * _LARGE, surely stay finite.
_NORMAL = cython.declare(cython.double, 1e50)
_LARGE = cython.declare(cython.double, 1e150)
_STEP = cython.declare(cython.double, 1e60)
_NOT_SOUGHT = cython.declare(cython.double, 1e300)
_CAPACITY = cython.declare(cython.int, CAPACITY)
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


@cython.cclass
class FullCovariance:
    """What is learned: weights and factors by coordinate, each with room for `width` coordinates.

    `sums` are those of label times value over the updates.  `scratch`, which only trials need, has room for the matrix
    and two numbers more a coordinate.
    """

    weights: cython.double[::1]
    sums: cython.double[::1]
    factors: cython.double[::1]
    width: cython.Py_ssize_t
    scalars: cython.double[::1]
    scratch: cython.double[::1]
    r: cython.double
    biased: cython.bint
    bound: cython.double  # of factors off the diagonal; _NOT_SOUGHT before it is known, -1 where it is not used

    def __init__(self, weights, sums, factors, width, scalars, scratch, r, biased):
        # type: (Floats, Floats, Floats, int, Floats, Floats, float, bool) -> None
        if not 0 < width <= 65535 or len(factors) < width * width or len(scalars) < 4:
            raise AssertionError("the factors are not a square matrix")
        if len(weights) < width or len(sums) < width:
            raise AssertionError("there are fewer weights than coordinates")
        self.weights = weights
        self.sums = sums
        self.factors = factors
        self.width = width
        self.scalars = scalars
        self.scratch = scratch
        self.r = r
        self.biased = biased
        self.bound = -1.0


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

    The first `width` numbers are x itself, 0 where it has nothing; `places` become the coordinates that it has.  In
    their order, ascending, the sums are taken, the bias last.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    used: cython.Py_ssize_t = 0
    x: cython.double
    f: cython.double
    g: cython.double
    h: cython.double
    s: cython.double
    squares: cython.double = 0.0
    for j in range(count):
        scratch[j] = 0.0
    for k in range(b - a):
        x = values[a + places[k]] if len(values) > 0 else 1.0
        i = ranks[slots[a + places[k]]]
        if x != 0.0:
            scratch[i] = x
            squares += x * x
    if biased:
        scratch[0] = 1.0
        squares += 1.0
    for first in range(0, count, 4):  # four sums at once: none waits for another
        last = first + 4 if first + 4 <= count else count
        if last == first + 4:
            at = first * width
            f, g, h, s = scratch[first], scratch[first + 1], scratch[first + 2], scratch[first + 3]
            for k in range(used):
                i = places[k]
                x = scratch[i]
                f += factors[at + i] * x
                g += factors[at + width + i] * x
                h += factors[at + 2 * width + i] * x
                s += factors[at + 3 * width + i] * x
            scratch[width + first], scratch[width + first + 1] = f, g
            scratch[width + first + 2], scratch[width + first + 3] = h, s
            k = used
        else:
            for j in range(first, last):
                scratch[width + j] = scratch[j]
            k = 0
        for j in range(first, last):
            f = scratch[width + j]
            for m in range(k, used):
                i = places[m]
                f += factors[j * width + i] * scratch[i]
            if biased and j > 0:
                f += factors[j * width]
            scratch[width + j] = f
            if j > 0 and scratch[j] != 0.0:
                places[used] = cython.cast(cython.uint, j)
                used += 1
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
) -> cython.bint:
    """The factors after a row (Bierman 1977), which `scratch` has projected; whether they stay finite comes back.

    The first numbers of `scratch` become covariance * x.  The columns of factors that were changed are kept behind
    2 * width numbers, for `_restore`.
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
    return finite


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
def _refactor_at_once(
    count: cython.Py_ssize_t, kept: FullCovariance, step: cython.double, scratch: cython.double[::1]
) -> cython.bint:
    """As `_refactor`, in less time, where it is sure beforehand that everything stays finite: nothing is kept.

    False, and no factor changed, where it is not sure.  `scratch` has the gains, the row projected and the totals.
    """
    j: cython.Py_ssize_t
    width: cython.Py_ssize_t = kept.width
    shrink: cython.Py_ssize_t = 3 * width + 1
    gains: cython.double = 0.0
    longest: cython.double = 0.0
    if cython.compiled:
        if kept.bound > _LARGE:
            kept.bound = _NORMAL if c_factors_small(cython.address(kept.factors[0]), width, count, _NORMAL) else -1.0
        if kept.bound < 0.0 or not fabs(step) <= _STEP:
            return False
        if not c_factor_steps(
            cython.address(scratch[0]), cython.address(scratch[width]), cython.address(scratch[2 * width]),
            cython.address(scratch[shrink]), cython.address(kept.weights[0]), count, _STEP / 65536.0,
        ):  # fmt: skip
            return False
        for j in range(count):
            gains += fabs(scratch[j])
            longest = fabs(scratch[2 * width + j]) if fabs(scratch[2 * width + j]) > longest else longest
            kept.factors[j * width + j] *= scratch[shrink + j]
        c_next_columns(
            cython.address(kept.factors[0]), width, count, cython.address(scratch[0]), cython.address(scratch[width]),
            cython.address(scratch[2 * width]),
        )  # fmt: skip
        kept.bound += 1.01 * longest * gains * (kept.bound + 1.0)  # of |U + back * gain|; the rest is for rounding
        return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    batch: RowBatch,
    kept: FullCovariance,
    ranks: cython.const[cython.uint][::1],
    count: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    y: cython.double,
    loss: cython.double,
    c: cython.double,
) -> cython.bint:
    """One step of a row of importance c; false, and nothing changed, when something would not stay finite."""
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    weights: cython.double[::1] = kept.weights
    sums: cython.double[::1] = kept.sums
    factors: cython.double[::1] = kept.factors
    scratch: cython.double[::1] = kept.scratch
    width: cython.Py_ssize_t = kept.width
    a: cython.Py_ssize_t = batch.indptr[row]
    b: cython.Py_ssize_t = batch.indptr[row + 1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    f: cython.double
    v: cython.double
    x: cython.double
    t: cython.double
    step: cython.double
    r: cython.double = kept.r / c
    variance: cython.double = 0.0
    total: cython.double = r
    squares: cython.double = _project(
        slots, values, a, b, batch.places, ranks, count, kept.biased, factors, width, scratch
    )
    finite: cython.bint
    for j in range(count):
        f = scratch[width + j]
        v = factors[j * width + j] * f
        variance += v * f
        if kept.bound >= 0.0:
            scratch[j] = v
            scratch[2 * width + j] = total
        total += f * v
    step = y * (loss / total)
    t = squares / r  # where it is finite, no value can carry a sum beyond the doubles
    finite = total > 0.0 and total - total == 0.0 and step - step == 0.0 and t - t == 0.0
    if c != 1.0:
        t = kept.scalars[_EXTRA] + fabs(sums[0]) + c
        finite &= t - t == 0.0
        for k in range(a, b):
            x = values[k] if len(values) > 0 else 1.0
            t = fabs(sums[ranks[slots[k]]]) + c * fabs(x)
            finite &= t - t == 0.0
    if not finite:
        return False
    if kept.bound >= 0.0:
        scratch[2 * width + count] = total
    if kept.bound < 0.0 or not _refactor_at_once(count, kept, step, scratch):
        finite = _refactor(count, r, factors, width, scratch)
        for i in range(count):
            t = weights[i] + step * scratch[i]
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
    if kept.biased:
        sums[0] += y * c
    kept.scalars[_LOG_DET] += log1p(variance / r)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(
    batch: RowBatch, kept: FullCovariance, ranks: cython.const[cython.uint][::1], count: cython.Py_ssize_t
) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    places: cython.uint[::1] = batch.places
    weights: cython.double[::1] = kept.weights
    scalars: cython.double[::1] = kept.scalars
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
    for row in range(batch.rows):
        a = batch.indptr[row]
        b = batch.indptr[row + 1]
        batch.state[0] = row
        if batch.ordered:
            for k in range(b - a):
                places[k] = cython.cast(cython.uint, k)
        else:
            batch.sort_row(row)
        s = 0.0
        for k in range(b - a):
            x = values[a + places[k]] if batch.real else 1.0
            rank = ranks[slots[a + places[k]]]
            if rank > 0 and x != 0.0:
                s += weights[rank] * x
            elif batch.learn and x != 0.0:
                return _UNPLACED
        if kept.biased:
            s += weights[0]
        if s - s != 0.0:
            return _OVERFLOW
        prediction = s > 0.0
        if len(batch.scores) > 0:
            batch.scores[row] = s
        y = 1.0 if batch.learn and batch.labels[row] == 1 else -1.0
        if batch.learn and y * s < 1.0:
            c = batch.importance[row] if len(batch.importance) > 0 else 1.0
            if not _update(batch, kept, ranks, count, row, y, 1.0 - y * s, c):
                return _OVERFLOW
            if prediction == batch.labels[row]:
                scalars[_EXTRA] += c
            else:
                scalars[_LEAST] = c if scalars[_LEAST] == 0.0 or c < scalars[_LEAST] else scalars[_LEAST]
                scalars[_MOST] = c if c > scalars[_MOST] else scalars[_MOST]
        batch.predictions[row] = prediction
    batch.state[0] = batch.rows
    return 0


def run(
    batch: RowBatch, kept: FullCovariance, ranks: cython.const[cython.uint][::1], count: cython.Py_ssize_t
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials.

    The importance of a row divides its r.  ranks[slot] is the coordinate of an attribute, 0 for one that has none,
    `count` how many coordinates are in use.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> weights, sums, factors = array("d", [0, 0]), array("d", [0, 0]), array("d", [1, 0, 0, 1])
    >>> kept = FullCovariance(weights, sums, factors, 2, array("d", bytes(32)), array("d", bytes(64)), 1.0, True)
    >>> batch = RowBatch(array("I", [0]), array("d"), array("q", [0, 1]), 1)
    >>> batch.teach(array("b", [1]), array("d"))
    >>> batch.answer(array("b", [0]), array("d"), array("q", [0]))
    >>> batch.sort_by(True, 1, array("Q"), array("Q", [0]), array("I", [0]))
    >>> run(batch, kept, array("I", [1]), 2), weights.tolist(), sums.tolist(), factors.tolist()
    (0, [0.3333333333333333, 0.3333333333333333], [1.0, 1.0], [0.5, 0.0, -0.5, 0.6666666666666666])
    """
    k: cython.Py_ssize_t
    status: cython.int = CAPACITY
    if count < 1 or count > kept.width or (batch.learn and len(kept.scratch) < (2 + kept.width) * kept.width):
        return status
    with cython.nogil:
        status = batch.check(len(ranks), True)
        if status == 0:
            for k in range(batch.indptr[0], batch.indptr[batch.rows]):
                if ranks[batch.slots[k]] >= count:
                    status = _CAPACITY
        if status == 0:
            if cython.compiled and kept.width > 2 and batch.rows > 2:  # for few rows it does not pay to look at all
                kept.bound = _NOT_SOUGHT
            status = _run(batch, kept, ranks, count)
    return status
