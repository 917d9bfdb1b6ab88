"""The perceptron on sparse rows (Chandola, lecture 6, section 3.2; Rosenblatt 1958).

The number that is compared with 0 is the sum of weight * value in ascending order of keys, the bias last.  Rows come
in any order, and adding in another order can only change the sign of a sum that rounding errors could outweigh: only
such rows are sorted, the others are decided by whatever order they came in.  Where weights and values are whole
numbers, as they are with rows of ones, no order matters.

Weights, sums and scores are in units of eta: what eta is changes no prediction.  `scale` is 1 or eta, whichever is
larger: times it every weight and every sum stays finite, so that a person can be shown them times eta.

A weight of 0 is -0.0 once its attribute has appeared in rows that enter it here: one with all bits clear may be new.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, floor
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import fabs, floor

    from mistakebound.kernels.row_batch import RowBatch

OK = 0
OTHER = 3  # rows that are still to enter their table have an attribute that is not its own slot: nothing was done
OVERFLOW = 1  # row state[ROW]: a weight or a sum would leave the finite doubles
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0
_ROW = cython.declare(cython.int, ROW)

# Places in `scalars`.
BIAS = 0
RADIUS_SQUARED = 1  # the largest |x~|^2 of a row that was a mistake: the theorem needs no other
_BIAS = cython.declare(cython.int, BIAS)
LEAST = 2  # the smallest and the largest importance of a row that was a mistake; 0 before the first
MOST = 3
_RADIUS_SQUARED = cython.declare(cython.int, RADIUS_SQUARED)
_LEAST = cython.declare(cython.int, LEAST)
_MOST = cython.declare(cython.int, MOST)
REACH = 4  # no weight is larger than this, and all are whole numbers; infinite when that is not so
_REACH = cython.declare(cython.int, REACH)

_ONE = cython.declare(cython.ulonglong, 1)
_INF = cython.declare(cython.double, float("inf"))
_EXACT = cython.declare(cython.double, 9007199254740992.0)  # whole numbers below are doubles, and so are their sums
_EPS = cython.declare(cython.double, 2.0**-52)
_SMALLEST = cython.declare(cython.double, 5e-324)
_AHEAD = cython.declare(cython.Py_ssize_t, 64)  # entries between one that is added and one that is asked for
_NEAR = cython.declare(cython.Py_ssize_t, 131072)  # so many weights are near at hand without being asked for


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _norm_squared(
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.const[cython.uint][::1],
) -> cython.double:
    """|x|^2 of the row, added in the order that `places` says."""
    k: cython.Py_ssize_t
    s: cython.double = 0.0
    for k in range(b - a):
        s += values[a + places[k]] * values[a + places[k]]
    return s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    batch: RowBatch,
    r: cython.Py_ssize_t,
    step: cython.double,
    scale: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    scalars: cython.double[::1],
) -> cython.bint:
    """w += step * x~; false, and nothing changed, when a weight would not stay finite."""
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    a: cython.Py_ssize_t = batch.indptr[r]
    b: cython.Py_ssize_t = batch.indptr[r + 1]
    k: cython.Py_ssize_t
    real: cython.bint = batch.real
    w: cython.double
    norm: cython.double = b - a
    if real:
        batch.sort_row(r)
        norm = _norm_squared(values, a, b, batch.places)
    if biased:
        norm += 1.0
        w = (scalars[_BIAS] + step) * scale
        if w - w != 0.0:
            return False
    for k in range(a, b):
        w = (weights[slots[k]] + (step * values[k] if real else step)) * scale
        if w - w != 0.0:
            return False
    for k in range(a, b):
        w = weights[slots[k]] + (step * values[k] if real else step)
        weights[slots[k]] = -0.0 if w == 0.0 else w
    if biased:
        scalars[_BIAS] += step
    if real or step != floor(step):
        scalars[_REACH] = _INF
    else:
        scalars[_REACH] += fabs(step)
    if norm > scalars[_RADIUS_SQUARED]:
        scalars[_RADIUS_SQUARED] = norm
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enter(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    weights: cython.double[::1],
    words: cython.const[cython.ulonglong][::1],
    base: cython.uint,
    bits: cython.ulonglong[::1],
    order: cython.uint[::1],
    table: cython.longlong[::1],
) -> cython.void:
    """Enter the new ones among small ids in ascending order into their table (see the kernel `attributes`)."""
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t = table[0]
    new: cython.ulonglong = 0
    more: cython.ulonglong
    known: cython.ulonglong = 0  # attributes that entered in another way and have a weight of 0 with all bits clear
    id: cython.uint
    for k in range(a, b):  # without a branch, which nobody could predict
        id = slots[k] + base
        order[size + new] = id
        more = (~(bits[id >> 6] >> (id & 63))) & _ONE
        new += more
        known |= (words[slots[k]] == 0) & ~more
    for k in range(size, size + cython.cast(cython.Py_ssize_t, new)):  # no other weight is written to
        id = order[k]
        bits[id >> 6] |= _ONE << (id & 63)
        if weights[id - base] == 0.0:
            weights[id - base] = -0.0
    table[0] = size + new
    if known:
        for k in range(a, b):
            if weights[slots[k]] == 0.0:
                weights[slots[k]] = -0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _whole(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    weights: cython.double[::1],
    bias: cython.double,
) -> cython.bint:
    """Are all terms of the sum whole numbers?  While it is below 2**53 it is then exact, in whatever order."""
    k: cython.Py_ssize_t
    t: cython.double
    whole: cython.bint = bias == floor(bias)
    for k in range(a, b):
        t = weights[slots[k]] * values[k] if len(values) > 0 else weights[slots[k]]
        whole &= t == floor(t)
    return whole


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ask(slots: cython.const[cython.uint][::1], k: cython.Py_ssize_t, weights: cython.double[::1]) -> cython.void:
    """Have the weights of two entries brought from memory while others are added up."""
    if cython.compiled:
        mb_prefetch(cython.address(weights[slots[k]]))
        mb_prefetch(cython.address(weights[slots[k + 1]]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _play(
    batch: RowBatch,
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    predictions: cython.schar[::1],
    weights: cython.double[::1],
    words: cython.const[cython.ulonglong][::1],
    scalars: cython.double[::1],
    scale: cython.double,
    biased: cython.bint,
) -> cython.int:
    """The views of the batch come by value: the compiler keeps them in registers."""
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
    step: cython.double
    prediction: cython.int
    unseen: cython.bint
    exact: cython.bint  # whole numbers, whose sum is the same in any order
    learn: cython.bint = batch.learn
    entering: cython.bint = len(batch.order) > 0
    rows: cython.Py_ssize_t = batch.rows
    scored: cython.bint = len(batch.scores) > 0
    real: cython.bint = batch.real
    far: cython.bint
    last: cython.Py_ssize_t = indptr[rows] - _AHEAD if len(weights) > _NEAR else -1
    unseen = False
    for r in range(rows):
        a = indptr[r]
        b = indptr[r + 1]
        far = b <= last
        if cython.compiled:
            if unseen and entering and far and r + 1 < rows:  # after new ids come new ids
                for k in range(b, indptr[r + 2]):
                    mb_prefetch(cython.address(batch.bits[(slots[k] + batch.base) >> 6]))
        # Two sums at once, which do not wait for each other.
        s = s1 = size = size1 = 0.0
        unseen = real
        exact = not real and (b - a + 1) * scalars[_REACH] < _EXACT
        k = a
        if real:
            while k + 2 <= b:
                if far:
                    _ask(slots, k + _AHEAD, weights)
                t = weights[slots[k]] * values[k]
                u = weights[slots[k + 1]] * values[k + 1]
                s += t
                s1 += u
                size += fabs(t)
                size1 += fabs(u)
                k += 2
            if k < b:
                t = weights[slots[k]] * values[k]
                s += t
                size += fabs(t)
        elif exact:
            t = u = 0.0
            while k + 4 <= b:
                if far:
                    _ask(slots, k + _AHEAD, weights)
                    _ask(slots, k + _AHEAD + 2, weights)
                s += weights[slots[k]]
                s1 += weights[slots[k + 1]]
                t += weights[slots[k + 2]]
                u += weights[slots[k + 3]]
                unseen |= (words[slots[k]] == 0) | (words[slots[k + 1]] == 0)
                unseen |= (words[slots[k + 2]] == 0) | (words[slots[k + 3]] == 0)
                k += 4
            while k < b:
                s += weights[slots[k]]
                unseen |= words[slots[k]] == 0
                k += 1
            s1 += t + u
        else:
            while k + 2 <= b:
                if far:
                    _ask(slots, k + _AHEAD, weights)
                t = weights[slots[k]]
                u = weights[slots[k + 1]]
                s += t
                s1 += u
                size += fabs(t)
                size1 += fabs(u)
                unseen |= (words[slots[k]] == 0) | (words[slots[k + 1]] == 0)
                k += 2
            if k < b:
                t = weights[slots[k]]
                s += t
                size += fabs(t)
                unseen |= words[slots[k]] == 0
        s += s1
        size += size1
        if biased:
            s += scalars[_BIAS]
            size += fabs(scalars[_BIAS])
        t = s * scale
        if (
            (scored and not exact)
            or t - t != 0.0
            or (
                size > 0.0
                and fabs(s) <= size * (b - a + 4) * _EPS
                and not (size < _EXACT and _whole(slots, values, a, b, weights, scalars[_BIAS]))
            )
        ):
            s = batch.ordered_sum(r, weights)
            if biased:
                s += scalars[_BIAS]
            t = s * scale
        if scored:
            batch.scores[r] = s
        if t - t != 0.0:
            batch.state[_ROW] = r
            return _OVERFLOW
        prediction = s > 0.0
        if learn and prediction != labels[r]:
            step = batch.importance[r] if len(batch.importance) > 0 else 1.0
            if not _update(batch, r, step if labels[r] == 1 else -step, scale, biased, weights, scalars):
                batch.state[_ROW] = r
                return _OVERFLOW
            _note_importance(step, scalars)
        if unseen and entering:
            _enter(slots, a, b, weights, words, batch.base, batch.bits, batch.order, batch.table)
        predictions[r] = prediction
    batch.state[_ROW] = rows
    return _OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_rows(
    batch: RowBatch,
    weights: cython.double[::1],
    words: cython.const[cython.ulonglong][::1],
    scalars: cython.double[::1],
    scale: cython.double,
    biased: cython.bint,
) -> cython.int:
    return _play(
        batch, batch.slots, batch.values, batch.indptr, batch.labels, batch.predictions, weights, words, scalars, scale,
        biased,
    )  # fmt: skip


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _note_importance(importance: cython.double, scalars: cython.double[::1]) -> cython.void:
    if scalars[_LEAST] == 0.0 or importance < scalars[_LEAST]:
        scalars[_LEAST] = importance
    if importance > scalars[_MOST]:
        scalars[_MOST] = importance


def run(
    batch: RowBatch,
    weights: cython.double[::1],
    words: cython.const[cython.ulonglong][::1],
    scalars: cython.double[::1],
    scale: cython.double,
    biased: cython.bint,
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials.

    An update adds the row times its importance.  `words` are the bits of `weights`.  New small ids are entered into
    their table, if the batch has one.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> weights, scalars, out = array("d", [0, 0]), array("d", [0, 0, 0, 0, 0]), array("b", bytes(2))
    >>> batch = RowBatch(array("I", [0, 1]), array("d"), array("q", [0, 1, 2]), 2)
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> batch.sort_by(True, 2, array("Q"), array("Q", bytes(16)), array("I", bytes(8)))
    >>> run(batch, weights, memoryview(weights).cast("B").cast("Q"), scalars, 1.0, True)
    0
    >>> out.tolist(), weights.tolist(), scalars.tolist()
    ([0, 1], [1.0, -1.0], [0.0, 2.0, 1.0, 1.0, 2.0])
    """
    status: cython.int = CAPACITY
    if len(scalars) < 5 or len(words) != len(weights):
        return status
    with cython.nogil:
        status = batch.check(len(weights), True)
        if status == 0:
            status = play_rows(batch, weights, words, scalars, scale, biased)
    return status


def show(numbers: cython.double[::1], eta: cython.double) -> None:
    """Weights or scores in units of eta become what they are; the smallest double stands for what is no 0.

    >>> from array import array
    >>> shown = array("d", [3.0, -2.0, 0.0])
    >>> show(shown, 0.5)
    >>> shown.tolist()
    [1.5, -1.0, 0.0]
    >>> show(shown, 5e-324)
    >>> shown.tolist()
    [1e-323, -5e-324, 0.0]
    """
    k: cython.Py_ssize_t
    t: cython.double
    with cython.nogil:
        for k in range(len(numbers)):
            t = numbers[k] * eta
            if t == 0.0 and numbers[k] != 0.0:
                t = _SMALLEST if numbers[k] > 0.0 else -_SMALLEST
            numbers[k] = t


def sign_zeros(weights: cython.double[::1], zero: cython.double) -> None:
    """Every weight of 0 becomes `zero`, 0.0 or -0.0."""
    k: cython.Py_ssize_t
    for k in range(len(weights)):
        if weights[k] == 0.0:
            weights[k] = zero


def reach(weights: cython.const[cython.double][::1], bias: cython.double) -> cython.double:
    """The largest weight by size, when all are whole numbers; else infinite.

    >>> from array import array
    >>> reach(array("d", [1.0, -3.0]), 2.0), reach(array("d", [0.5]), 0.0)
    (3.0, inf)
    """
    k: cython.Py_ssize_t
    whole: cython.bint = bias == floor(bias)
    most: cython.double = fabs(bias)
    for k in range(len(weights)):
        whole &= weights[k] == floor(weights[k])
        most = max(most, fabs(weights[k]))
    return most if whole else _INF
