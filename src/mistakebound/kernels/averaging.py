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
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import fabs

    from mistakebound.kernels.sorting import key_order

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
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    predictions: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    trials: cython.longlong,
    biased: cython.bint,
    sums: cython.double[::1],
    bias: cython.double[::1],
) -> cython.void:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.double
    step: cython.double
    for r in range(rows):
        if predictions[r] == labels[r]:
            continue
        c = (trials + r) * _DOWN
        step = importance[r] if len(importance) > 0 else 1.0
        if labels[r] != 1:
            step = -step
        if len(values) > 0:
            for k in range(indptr[r], indptr[r + 1]):
                sums[slots[k]] += c * (step * values[k])
        else:
            for k in range(indptr[r], indptr[r + 1]):
                sums[slots[k]] += c * step
        if biased:
            bias[0] += c * step


def note(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    predictions: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    trials: cython.longlong[::1],
    biased: cython.bint,
    sums: cython.double[::1],
    bias: cython.double[::1],
) -> cython.int:
    """Add to u what the perceptron added to its weights in the first rows, each times the trials before it.

    trials[0] are those before the first row; the rows are added to it.  Empty `values`: every value is 1; empty
    `importance`: so is every row's.

    >>> from array import array
    >>> sums, bias = array("d", [0, 0]), array("d", [0])
    >>> rows = array("I", [0, 1]), array("d"), array("q", [0, 1, 2]), array("b", [1, 0]), array("b", [0, 1])
    >>> trials = array("q", [5])
    >>> note(*rows, array("d"), 2, trials, True, sums, bias)
    0
    >>> [u * 2.0**64 for u in (*sums, *bias)], trials[0]
    ([5.0, -6.0, -1.0], 7)
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.ulonglong = len(sums)
    status: cython.int = CAPACITY
    if rows < 0 or len(indptr) <= rows or len(labels) < rows or len(predictions) < rows or len(bias) < 1:
        return status
    if len(trials) < 1 or trials[0] < 0:
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if len(importance) > 0 and len(importance) < rows:
        return status
    with cython.nogil:
        for r in range(rows):
            bad |= indptr[r] > indptr[r + 1]
        if not bad:
            for k in range(indptr[0], indptr[rows]):
                bad |= slots[k] >= size
        if not bad:
            note_rows(slots, values, indptr, labels, predictions, importance, rows, trials[0], biased, sums, bias)
            trials[0] += rows
            status = _OK
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
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    rows: cython.Py_ssize_t,
    weights: cython.const[cython.double][::1],
    sums: cython.const[cython.double][::1],
    bias: cython.double,
    trials: cython.longlong,
    scale: cython.double,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    t: cython.double
    s: cython.double
    size: cython.double
    times: cython.double = trials * _DOWN
    real: cython.bint = len(values) > 0
    for r in range(rows):
        a = indptr[r]
        b = indptr[r + 1]
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
        if len(scores) > 0 or (size != 0.0 and not fabs(s) > size * (b - a + 4) * _EPS + _TINY):
            key_order(slots, a, b, dense, extra_keys, keys, places)
            s = 0.0
            for k in range(b - a):
                p = a + places[k]
                t = weights[slots[p]] * times - sums[slots[p]]
                s += t * values[p] if real else t
            s += bias
        s = s / trials * _UP
        if len(scores) > 0:
            scores[r] = s
        t = s * scale
        if t - t != 0.0:
            state[_ROW] = r
            return _OVERFLOW
        predictions[r] = s > 0.0
    state[_ROW] = rows
    return _OK


def score(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    rows: cython.Py_ssize_t,
    weights: cython.const[cython.double][::1],
    sums: cython.const[cython.double][::1],
    bias: cython.double,
    bias_sum: cython.double,
    trials: cython.longlong,
    scale: cython.double,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict the first rows by the average over so many trials; with `scores` not empty the sums go there.

    A sum is that of (T*w - u) * value in ascending order of keys, the bias last, over T.  The key of a slot from
    `dense` on is in `extra_keys`; `keys` and `places` are scratch, as wide as the widest row.  Times `scale` a sum must
    be finite.

    >>> from array import array
    >>> out, scores, scratch = array("b", [0]), array("d", [0]), (array("Q", bytes(16)), array("I", bytes(8)))
    >>> rows = array("I", [0, 1]), array("d"), array("q", [0, 2]), 1
    >>> state = array("d", [1, -2]), array("d", [2.0**-64, 0]), 4.0, 2.0**-64, 3, 1.0
    >>> score(*rows, *state, out, scores, 2, array("Q"), *scratch, array("q", [0]))
    0
    >>> out.tolist(), scores.tolist()
    ([1], [2.3333333333333335])
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.ulonglong = len(weights)
    status: cython.int = CAPACITY
    if rows < 0 or trials < 1 or len(indptr) <= rows or len(predictions) < rows or len(state) < 1:
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if (
        len(sums) != len(weights)
        or (len(scores) > 0 and len(scores) < rows)
        or size > dense + cython.cast(cython.ulonglong, len(extra_keys))
    ):
        return status
    with cython.nogil:
        for r in range(rows):
            bad |= indptr[r] > indptr[r + 1]
            bad |= indptr[r + 1] - indptr[r] > len(keys) or indptr[r + 1] - indptr[r] > len(places)
        if not bad:
            for k in range(indptr[0], indptr[rows]):
                bad |= slots[k] >= size
        if not bad:
            status = _score(
                slots, values, indptr, rows, weights, sums, bias * (trials * _DOWN) - bias_sum, trials, scale,
                predictions, scores, dense, extra_keys, keys, places, state,
            )  # fmt: skip
    return status
