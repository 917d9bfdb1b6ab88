"""The two elimination algorithms on sparse 0/1 rows: one byte an attribute (Balcan, lecture 4; Chan, section 1)."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

OK = 0
INCONSISTENT = 1  # row state[ROW] fits no hypothesis; nothing was changed for it, its prediction is written
CAPACITY = 2
_OK = cython.declare(cython.int, OK)
_INCONSISTENT = cython.declare(cython.int, INCONSISTENT)

# Places in `state`.
ROW = 0
STARTED = 1  # conjunctions: a positive example has been seen
ALIVE = 2  # conjunctions: unnegated literals still in the hypothesis, listed in `alive`
_ROW = cython.declare(cython.int, ROW)
_STARTED = cython.declare(cython.int, STARTED)
_ALIVE = cython.declare(cython.int, ALIVE)

# Bits of a conjunction's byte.  A new attribute has 0: it was off in every positive example so far.
PLAIN = 1  # the unnegated literal is in the hypothesis
NOT_NEGATED = 2  # the negated literal is not in it any more
MARK = 4  # scratch: on in the row at hand
_PLAIN = cython.declare(cython.uchar, PLAIN)
_NOT_NEGATED = cython.declare(cython.uchar, NOT_NEGATED)
_MARK = cython.declare(cython.uchar, MARK)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fits(
    slots: cython.const[cython.uint][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    learn: cython.bint,
    predictions: cython.const[cython.schar][::1],
) -> cython.bint:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    if first < 0 or last < first or len(indptr) <= last or len(predictions) < last or (learn and len(labels) < last):
        return False
    for r in range(first, last):
        bad |= indptr[r] > indptr[r + 1]
    if bad or indptr[first] < 0 or indptr[last] > len(slots):
        return False
    for k in range(indptr[first], indptr[last]):
        bad |= slots[k] >= cython.cast(cython.ulonglong, size)
    return not bad


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _disjunction(
    slots: cython.const[cython.uint][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    gone: cython.uchar[::1],
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    true: cython.Py_ssize_t
    for r in range(first, last):
        state[_ROW] = r
        true = 0
        for k in range(indptr[r], indptr[r + 1]):
            true += gone[slots[k]] == 0
        predictions[r] = true > 0
        if len(scores) > 0:
            scores[r] = true
        if learn and predictions[r] != labels[r]:
            if labels[r] == 1:
                return _INCONSISTENT
            for k in range(indptr[r], indptr[r + 1]):
                gone[slots[k]] = 1
    state[_ROW] = last
    return _OK


def disjunction(
    slots: cython.const[cython.uint][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    gone: cython.uchar[::1],
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Monotone disjunctions: h starts as all attributes; a negative example that h accepts removes its attributes.

    The score of a row is the number of its attributes that are still in h.

    >>> from array import array
    >>> gone, out = bytearray(3), array("b", bytes(2))
    >>> disjunction(
    ...     array("I", [0, 1, 1, 2]),
    ...     array("q", [0, 2, 4]),
    ...     array("b", [0, 1]),
    ...     0,
    ...     2,
    ...     gone,
    ...     True,
    ...     out,
    ...     array("d"),
    ...     array("q", [0]),
    ... )
    0
    >>> out.tolist(), list(gone)
    ([1, 1], [1, 1, 0])
    """
    status: cython.int = CAPACITY
    fits: cython.bint = _fits(slots, indptr, labels, first, last, len(gone), learn, predictions)
    if not fits or len(state) < 1 or (len(scores) > 0 and len(scores) < last):
        return status
    with cython.nogil:
        status = _disjunction(slots, indptr, labels, first, last, gone, learn, predictions, scores, state)
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _remove_false_literals(
    slots: cython.const[cython.uint][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    flags: cython.uchar[::1],
    alive: cython.uint[::1],
    state: cython.longlong[::1],
) -> cython.void:
    k: cython.Py_ssize_t
    kept: cython.Py_ssize_t = 0
    if state[_STARTED] == 0:
        # The first positive example leaves exactly the literals that it makes true.
        state[_STARTED] = 1
        for k in range(a, b):
            flags[slots[k]] = _PLAIN | _NOT_NEGATED
            alive[k - a] = slots[k]
        state[_ALIVE] = b - a
        return
    for k in range(a, b):
        flags[slots[k]] |= _MARK | _NOT_NEGATED
    for k in range(state[_ALIVE]):
        if flags[alive[k]] & _MARK:
            alive[kept] = alive[k]
            kept += 1
        else:
            flags[alive[k]] &= ~_PLAIN
    state[_ALIVE] = kept
    for k in range(a, b):
        flags[slots[k]] &= ~_MARK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _conjunction(
    slots: cython.const[cython.uint][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    flags: cython.uchar[::1],
    alive: cython.uint[::1],
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    false: cython.Py_ssize_t
    for r in range(first, last):
        state[_ROW] = r
        # How many literals of h the row makes false: unnegated ones that are off, negated ones that are on.
        false = state[_ALIVE]
        for k in range(indptr[r], indptr[r + 1]):
            false -= flags[slots[k]] & _PLAIN
            false += not (flags[slots[k]] & _NOT_NEGATED)
        predictions[r] = state[_STARTED] != 0 and false == 0
        if len(scores) > 0:
            scores[r] = -false if state[_STARTED] else -1
        if learn and predictions[r] != labels[r]:
            if labels[r] == 0:
                return _INCONSISTENT
            _remove_false_literals(slots, indptr[r], indptr[r + 1], flags, alive, state)
    state[_ROW] = last
    return _OK


def conjunction(
    slots: cython.const[cython.uint][::1],
    indptr: cython.const[cython.longlong][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    flags: cython.uchar[::1],
    alive: cython.uint[::1],
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Conjunctions: h starts as all 2n literals; a positive example that h rejects removes those that it makes false.

    The score of a row is minus the number of literals of h that it makes false (-1 before the first positive example,
    when h contradicts itself).

    >>> from array import array
    >>> flags, alive, state, out = bytearray(3), array("I", bytes(12)), array("q", [0, 0, 0]), array("b", bytes(2))
    >>> conjunction(
    ...     array("I", [0, 1, 0, 2]),
    ...     array("q", [0, 2, 4]),
    ...     array("b", [1, 1]),
    ...     0,
    ...     2,
    ...     flags,
    ...     alive,
    ...     True,
    ...     out,
    ...     array("d"),
    ...     state,
    ... )
    0
    >>> out.tolist(), state[ALIVE], alive[0]
    ([0, 0], 1, 0)
    """
    status: cython.int = CAPACITY
    r: cython.Py_ssize_t
    fits: cython.bint = _fits(slots, indptr, labels, first, last, len(flags), learn, predictions)
    if not fits or len(state) < 3 or (len(scores) > 0 and len(scores) < last):
        return status
    if state[_ALIVE] < 0 or state[_ALIVE] > len(alive):
        return status
    for r in range(first, last):
        if indptr[r + 1] - indptr[r] > len(alive):
            return status
    for r in range(state[_ALIVE]):
        if alive[r] >= cython.cast(cython.ulonglong, len(flags)):
            return status
    with cython.nogil:
        status = _conjunction(slots, indptr, labels, first, last, flags, alive, learn, predictions, scores, state)
    return status
