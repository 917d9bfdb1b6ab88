"""The average of a perceptron's weights over its trials (Freund and Schapire 1999, figure 1), kept lazily.

After T trials the weights have been w_1, ..., w_T, and their sum is T*w_T - u, where u has the sum of c*step*x over the
mistakes, c the number of trials before each: nothing is done at a trial without a mistake.  What is kept of u is
u / 2**64: it is T times the difference between the weights and their average, so that stays a double, however large
weights become.  Whole numbers are exact, and so are sums of them.  All are in units of eta, as the perceptron's are.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import fabs

    from mistakebound.kernels.row_batch import RowBatch

OK = 0
OVERFLOW = 1  # row state[ROW]: its sum would leave the finite doubles
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0
_ROW = cython.declare(cython.int, ROW)

_EPS = cython.declare(cython.double, 2.0**-52)
_DOWN = cython.declare(cython.double, 2.0**-64)
_UP = cython.declare(cython.double, 2.0**64)
_TINY = cython.declare(cython.double, 1e-250)  # below it roundings may be larger than a share of the number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_rows(
    batch: RowBatch,
    rows: cython.Py_ssize_t,
    trials: cython.longlong,
    biased: cython.bint,
    sums: cython.double[::1],
    bias: cython.double[::1],
) -> cython.void:
    slots: cython.const[cython.uint][::1] = batch.slots
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.double
    step: cython.double
    for r in range(rows):
        if batch.predictions[r] == batch.labels[r]:
            continue
        c = (trials + r) * _DOWN
        step = batch.importance[r] if len(batch.importance) > 0 else 1.0
        if batch.labels[r] != 1:
            step = -step
        for k in range(batch.indptr[r], batch.indptr[r + 1]):
            sums[slots[k]] += c * (step * batch.values[k] if batch.real else step)
        if biased:
            bias[0] += c * step


def note(
    batch: RowBatch,
    rows: cython.Py_ssize_t,
    trials: cython.longlong[::1],
    biased: cython.bint,
    sums: cython.double[::1],
    bias: cython.double[::1],
) -> cython.int:
    """Add to u what the perceptron added to its weights in the first rows, each times the trials before it.

    trials[0] are those before the first row; the rows are added to it.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> sums, bias, trials = array("d", [0, 0]), array("d", [0]), array("q", [5])
    >>> batch = RowBatch(array("I", [0, 1]), array("d"), array("q", [0, 1, 2]), 2)
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.answer(array("b", [0, 1]), array("d"), array("q", [2]))
    >>> note(batch, 2, trials, True, sums, bias)
    0
    >>> [u * 2.0**64 for u in (*sums, *bias)], trials[0]
    ([5.0, -6.0, -1.0], 7)
    """
    status: cython.int = CAPACITY
    if rows < 0 or rows > batch.rows or not batch.learn or len(bias) < 1 or len(trials) < 1 or trials[0] < 0:
        return status
    with cython.nogil:
        status = batch.check(len(sums), False)
        if status == 0:
            note_rows(batch, rows, trials[0], biased, sums, bias)
            trials[0] += rows
    return status


def average(
    weights: cython.const[cython.double][::1],
    sums: cython.const[cython.double][::1],
    trials: cython.longlong,
    out: cython.double[::1],
) -> cython.int:
    """out: the average of each weight over so many trials.

    >>> from array import array
    >>> out = array("d", [0, 0])
    >>> average(array("d", [1, -2]), array("d", [2.0**-64, 0]), 3, out), out.tolist()
    (0, [0.6666666666666666, -2.0])
    """
    k: cython.Py_ssize_t
    scale: cython.double = trials * _DOWN
    status: cython.int = CAPACITY
    if trials < 1 or len(sums) < len(weights) or len(out) < len(weights):
        return status
    for k in range(len(weights)):
        out[k] = (weights[k] * scale - sums[k]) / trials * _UP
    status = OK
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _score(
    batch: RowBatch,
    weights: cython.const[cython.double][::1],
    sums: cython.const[cython.double][::1],
    bias: cython.double,
    trials: cython.longlong,
    scale: cython.double,
) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    t: cython.double
    s: cython.double
    size: cython.double
    times: cython.double = trials * _DOWN
    real: cython.bint = batch.real
    for r in range(batch.rows):
        a = batch.indptr[r]
        b = batch.indptr[r + 1]
        s = size = 0.0
        for k in range(a, b):
            t = weights[slots[k]] * times - sums[slots[k]]
            if real:
                t *= values[k]
            s += t
            size += fabs(t)
        s += bias
        size += fabs(bias)
        # True too where the sum is no number; of all terms 0 every order is 0.
        if len(batch.scores) > 0 or (size != 0.0 and not fabs(s) > size * (b - a + 4) * _EPS + _TINY):
            batch.sort_row(r)
            s = 0.0
            for k in range(b - a):
                p = a + batch.places[k]
                t = weights[slots[p]] * times - sums[slots[p]]
                s += t * values[p] if real else t
            s += bias
        s = s / trials * _UP
        if len(batch.scores) > 0:
            batch.scores[r] = s
        t = s * scale
        if t - t != 0.0:
            batch.state[_ROW] = r
            return _OVERFLOW
        batch.predictions[r] = s > 0.0
    batch.state[_ROW] = batch.rows
    return _OK


def score(
    batch: RowBatch,
    weights: cython.const[cython.double][::1],
    sums: cython.const[cython.double][::1],
    bias: cython.double,
    bias_sum: cython.double,
    trials: cython.longlong,
    scale: cython.double,
) -> cython.int:
    """Predict the rows by the average over so many trials.

    A sum is that of (T*w - u) * value in ascending order of keys, the bias last, over T.  Times `scale` it must be
    finite.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> out, scores = array("b", [0]), array("d", [0])
    >>> batch = RowBatch(array("I", [0, 1]), array("d"), array("q", [0, 2]), 1)
    >>> batch.answer(out, scores, array("q", [0]))
    >>> batch.sort_by(True, 2, array("Q"), array("Q", bytes(16)), array("I", bytes(8)))
    >>> score(batch, array("d", [1, -2]), array("d", [2.0**-64, 0]), 4.0, 2.0**-64, 3, 1.0)
    0
    >>> out.tolist(), scores.tolist()
    ([1], [2.3333333333333335])
    """
    status: cython.int = CAPACITY
    if trials < 1 or len(sums) != len(weights):
        return status
    with cython.nogil:
        status = batch.check(len(weights), True)
        if status == 0:
            status = _score(batch, weights, sums, bias * (trials * _DOWN) - bias_sum, trials, scale)
    return status
