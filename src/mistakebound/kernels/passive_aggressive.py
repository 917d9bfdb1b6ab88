"""Passive-aggressive updates on sparse rows (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, section 3).

The step depends on the sum of weight * value, not only on its sign, so the sum of a row that is learned from is taken
in ascending order of keys, the bias last.  Before that a row is added up in whatever order it came in: where rounding
could change neither the sign nor whether the margin of 1 is reached, that decides.
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
OVERFLOW = 1  # row state[ROW]: a weight, a sum or a length would leave the finite doubles
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0
_ROW = cython.declare(cython.int, ROW)

# Places in `scalars`.
BIAS = 0
RADIUS_SQUARED = 1  # the largest |x~|^2 of a row that was a mistake: the theorems need no other
SHORTEST_SQUARED = 2  # the smallest |x~|^2 of a row that was learned from; 0 before the first
LEAST = 3  # the smallest importance of a row that was a mistake; 0 before the first
_BIAS = cython.declare(cython.int, BIAS)
_RADIUS_SQUARED = cython.declare(cython.int, RADIUS_SQUARED)
_SHORTEST_SQUARED = cython.declare(cython.int, SHORTEST_SQUARED)
_LEAST = cython.declare(cython.int, LEAST)

_EPS = cython.declare(cython.double, 2.0**-52)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _step(
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    loss: cython.double,
    mistake: cython.bint,
    most: cython.double,
    slack: cython.double,
    biased: cython.bint,
    scalars: cython.double[::1],
    places: cython.const[cython.uint][::1],
    learned: cython.double[::1],
) -> cython.double:
    """tau = min(most, loss/(|x~|^2 + slack)); below 0: there is no such double.

    learned[0], learned[1]: what the radius and the shortest are, once the row has been learned from.  A row without a
    value has a step of 0: no weights tell it from another.
    """
    k: cython.Py_ssize_t
    value: cython.double
    norm: cython.double = b - a
    empty: cython.bint = b == a
    tau: cython.double
    if len(values) > 0:
        norm = 0.0
        empty = True
        for k in range(b - a):
            value = values[a + places[k]]
            norm += value * value
            empty &= value == 0.0
    if biased:
        norm += 1.0
        empty = False
    learned[0] = scalars[_RADIUS_SQUARED]
    learned[1] = scalars[_SHORTEST_SQUARED]
    if empty:
        return 0.0
    if norm - norm != 0.0:
        return -1.0
    tau = most
    if norm + slack > 0.0:
        tau = min(most, loss / (norm + slack))
    if tau - tau != 0.0:  # a row so short that the step is no double
        return -1.0
    if mistake and norm > learned[0]:
        learned[0] = norm
    if learned[1] == 0.0 or norm < learned[1]:
        learned[1] = norm
    return tau


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    step: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    scalars: cython.double[::1],
) -> cython.bint:
    """w += step * x~; false, and nothing changed, when a weight would not stay finite."""
    k: cython.Py_ssize_t
    real: cython.bint = len(values) > 0
    w: cython.double
    bad: cython.bint = False
    if biased:
        w = scalars[_BIAS] + step
        bad = w - w != 0.0
    for k in range(a, b):
        w = weights[slots[k]] + (step * values[k] if real else step)
        bad |= w - w != 0.0
    if bad:
        return False
    for k in range(a, b):
        weights[slots[k]] += step * values[k] if real else step
    if biased:
        scalars[_BIAS] += step
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_rows(
    batch: RowBatch,
    weights: cython.double[::1],
    scalars: cython.double[::1],
    most: cython.double,
    slack: cython.double,
    biased: cython.bint,
    learned: cython.double[::1],
) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    indptr: cython.const[cython.longlong][::1] = batch.indptr
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    t: cython.double
    u: cython.double
    s: cython.double
    s1: cython.double
    size: cython.double
    size1: cython.double
    error: cython.double
    y: cython.double = 0.0
    tau: cython.double
    c: cython.double
    mistake: cython.bint
    scored: cython.bint = len(batch.scores) > 0
    real: cython.bint = batch.real
    far: cython.bint = len(weights) > 65536
    for r in range(batch.rows):
        a = indptr[r]
        b = indptr[r + 1]
        if far:
            batch.ask_for(r + 1, weights)
        # Two sums at once, which do not wait for each other.
        s = s1 = size = size1 = 0.0
        k = a
        while k + 2 <= b:
            t = weights[slots[k]] * values[k] if real else weights[slots[k]]
            u = weights[slots[k + 1]] * values[k + 1] if real else weights[slots[k + 1]]
            s += t
            s1 += u
            size += fabs(t)
            size1 += fabs(u)
            k += 2
        if k < b:
            t = weights[slots[k]] * values[k] if real else weights[slots[k]]
            s += t
            size += fabs(t)
        s += s1
        size += size1
        if biased:
            s += scalars[_BIAS]
            size += fabs(scalars[_BIAS])
        error = size * (b - a + 4) * _EPS
        if batch.learn:
            y = 1.0 if batch.labels[r] == 1 else -1.0
        # True too where the sum is no number.
        if scored or not (fabs(s) > error or size == 0.0) or (batch.learn and not y * s - error > 1.0):
            s = batch.ordered_sum(r, weights)
            if biased:
                s += scalars[_BIAS]
            if scored:
                batch.scores[r] = s
            if s - s != 0.0:
                batch.state[_ROW] = r
                return _OVERFLOW
            if batch.learn and y * s < 1.0:
                c = batch.importance[r] if len(batch.importance) > 0 else 1.0
                mistake = (s > 0.0) != (y > 0.0)
                tau = _step(
                    values, a, b, 1.0 - y * s, mistake, most * c, slack / c, biased, scalars, batch.places, learned
                )
                if tau < 0.0 or (tau > 0.0 and not _update(slots, values, a, b, y * tau, biased, weights, scalars)):
                    batch.state[_ROW] = r
                    return _OVERFLOW
                scalars[_RADIUS_SQUARED] = learned[0]
                scalars[_SHORTEST_SQUARED] = learned[1]
                if mistake and (scalars[_LEAST] == 0.0 or c < scalars[_LEAST]):
                    scalars[_LEAST] = c
        batch.predictions[r] = s > 0.0
    batch.state[_ROW] = batch.rows
    return _OK


def run(
    batch: RowBatch,
    weights: cython.double[::1],
    scalars: cython.double[::1],
    most: cython.double,
    slack: cython.double,
    biased: cython.bint,
    learned: cython.double[::1],
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials.

    A step is min(most, loss/(|x~|^2 + slack)): most = C in PA-I and infinite else, slack = 1/(2C) in PA-II and 0 else.
    The importance of a row is a factor of its C.  `learned` is scratch for two numbers.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> weights, scalars, out = array("d", [0, 0]), array("d", [0, 0, 0, 0]), array("b", bytes(2))
    >>> batch = RowBatch(array("I", [0, 1]), array("d", [2.0, 1.0]), array("q", [0, 1, 2]), 2)
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> batch.sort_by(True, 2, array("Q"), array("Q", bytes(16)), array("I", bytes(8)))
    >>> run(batch, weights, scalars, float("inf"), 0.0, False, array("d", bytes(16)))
    0
    >>> out.tolist(), weights.tolist(), scalars.tolist()
    ([0, 0], [0.5, -1.0], [0.0, 4.0, 1.0, 1.0])
    """
    status: cython.int = CAPACITY
    if len(scalars) < 4 or len(learned) < 2:
        return status
    with cython.nogil:
        status = batch.check(len(weights), True)
        if status == 0:
            status = play_rows(batch, weights, scalars, most, slack, biased, learned)
    return status
