"""The perceptron on sparse rows (Chandola, lecture 6, section 3.2; Rosenblatt 1958).

The number that is compared with 0 is the sum of weight * value in ascending order of slots, the bias last.  Rows come
in any order, and adding in another order can only change the sign of a sum that rounding errors could outweigh: only
such rows are sorted, the others are decided by whatever order they came in.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.sorting import sort_keys
else:
    from mistakebound.kernels.sorting import sort_keys

OK = 0
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
_RADIUS_SQUARED = cython.declare(cython.int, RADIUS_SQUARED)

_EPS = cython.declare(cython.double, 2.0**-52)
_NONE = cython.declare(cython.uint, 0xFFFFFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.void:
    """places[:b-a]: the entries of the row in ascending order of slots."""
    k: cython.Py_ssize_t
    for k in range(b - a):
        keys[k] = slots[a + k]
        places[k] = cython.cast(cython.uint, k)
    sort_keys(keys, places, b - a)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ordered_sum(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    weights: cython.double[::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.double:
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    s: cython.double = 0.0
    _order(slots, a, b, keys, places)
    for k in range(b - a):
        p = a + places[k]
        if slots[p] != _NONE:
            s += weights[slots[p]] * values[p] if len(values) > 0 else weights[slots[p]]
    return s


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
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    step: cython.double,
    biased: cython.bint,
    weights: cython.double[::1],
    scalars: cython.double[::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
) -> cython.bint:
    """w += step * x~; false, and nothing changed, when a weight would not stay finite."""
    k: cython.Py_ssize_t
    real: cython.bint = len(values) > 0
    w: cython.double
    norm: cython.double = b - a
    if real:
        _order(slots, a, b, keys, places)
        norm = _norm_squared(values, a, b, places)
    if biased:
        norm += 1.0
        w = scalars[_BIAS] + step
        if w - w != 0.0:
            return False
    for k in range(a, b):
        w = weights[slots[k]] + (step * values[k] if real else step)
        if w - w != 0.0:
            return False
    for k in range(a, b):
        weights[slots[k]] += step * values[k] if real else step
    if biased:
        scalars[_BIAS] += step
    if norm > scalars[_RADIUS_SQUARED]:
        scalars[_RADIUS_SQUARED] = norm
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _run(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    weights: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    biased: cython.bint,
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    t: cython.double
    s: cython.double
    size: cython.double
    prediction: cython.int
    real: cython.bint = len(values) > 0
    for r in range(first, last):
        state[_ROW] = r
        a = indptr[r]
        b = indptr[r + 1]
        s = 0.0
        size = 0.0
        for k in range(a, b):
            if slots[k] != _NONE:
                t = weights[slots[k]] * values[k] if real else weights[slots[k]]
                s += t
                size += t if t >= 0.0 else -t
        if biased:
            s += scalars[_BIAS]
            size += scalars[_BIAS] if scalars[_BIAS] >= 0.0 else -scalars[_BIAS]
        if len(scores) > 0 or (size > 0.0 and (s if s >= 0.0 else -s) <= size * (b - a + 4) * _EPS):
            s = _ordered_sum(slots, values, a, b, weights, keys, places)
            if biased:
                s += scalars[_BIAS]
            if len(scores) > 0:
                scores[r] = s
        if s - s != 0.0:
            return _OVERFLOW
        prediction = s > 0.0
        if learn and prediction != labels[r]:
            if not _update(
                slots, values, a, b, eta if labels[r] == 1 else -eta, biased, weights, scalars, keys, places
            ):
                return _OVERFLOW
        predictions[r] = prediction
    state[_ROW] = last
    return _OK


def run(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    weights: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    biased: cython.bint,
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict rows first .. last-1 and, with `learn`, play them as trials.  Empty `values`: every value is 1.

    Slots of 2**32 - 1 are attributes never seen (weight 0; only without `learn`).  With `scores` not empty the sums,
    in ascending order of slots, go there.  `keys` and `places` are scratch, as wide as the widest row.

    >>> from array import array
    >>> weights, scalars = array("d", [0, 0]), array("d", [0, 0])
    >>> out, scratch = array("b", bytes(2)), (array("Q", bytes(16)), array("I", bytes(8)))
    >>> run(
    ...     array("I", [0, 1]),
    ...     array("d"),
    ...     array("q", [0, 1, 2]),
    ...     array("b", [1, 0]),
    ...     0,
    ...     2,
    ...     weights,
    ...     scalars,
    ...     1.0,
    ...     True,
    ...     True,
    ...     out,
    ...     array("d"),
    ...     *scratch,
    ...     array("q", [0]),
    ... )
    0
    >>> out.tolist(), weights.tolist(), scalars.tolist()
    ([0, 1], [1.0, -1.0], [0.0, 2.0])
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    size: cython.Py_ssize_t = len(weights)
    status: cython.int = CAPACITY
    if first < 0 or last < first or len(indptr) <= last or len(predictions) < last or len(state) < 1:
        return status
    if (learn and len(labels) < last) or (len(scores) > 0 and len(scores) < last) or len(scalars) < 2:
        return status
    if indptr[first] < 0 or indptr[last] > len(slots) or (len(values) > 0 and indptr[last] > len(values)):
        return status
    with cython.nogil:
        for r in range(first, last):
            bad |= indptr[r] > indptr[r + 1]
            bad |= indptr[r + 1] - indptr[r] > len(keys) or indptr[r + 1] - indptr[r] > len(places)
        if not bad:
            for k in range(indptr[first], indptr[last]):
                bad |= slots[k] >= size and (learn or slots[k] != _NONE)
            if not bad:
                status = _run(
                    slots, values, indptr, labels, first, last, weights, scalars, eta, biased, learn, predictions,
                    scores, keys, places, state,
                )  # fmt: skip
    return status
