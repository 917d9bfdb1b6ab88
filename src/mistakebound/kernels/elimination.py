"""The two elimination algorithms on sparse 0/1 rows: one byte an attribute (Balcan, lecture 4; Chan, section 1)."""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from mistakebound.kernels.row_batch import RowBatch

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
def _disjunction(batch: RowBatch, gone: cython.uchar[::1]) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    indptr: cython.const[cython.longlong][::1] = batch.indptr
    predictions: cython.schar[::1] = batch.predictions
    state: cython.longlong[::1] = batch.state
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    true: cython.Py_ssize_t
    for r in range(batch.rows):
        state[_ROW] = r
        true = 0
        for k in range(indptr[r], indptr[r + 1]):
            true += gone[slots[k]] == 0
        predictions[r] = true > 0
        if len(batch.scores) > 0:
            batch.scores[r] = true
        if batch.learn and predictions[r] != batch.labels[r]:
            if batch.labels[r] == 1:
                return _INCONSISTENT
            for k in range(indptr[r], indptr[r + 1]):
                gone[slots[k]] = 1
    state[_ROW] = batch.rows
    return _OK


def disjunction(batch: RowBatch, gone: cython.uchar[::1]) -> cython.int:
    """Monotone disjunctions: h starts as all attributes; a negative example that h accepts removes its attributes.

    The score of a row is the number of its attributes that are still in h.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> gone, out = bytearray(3), array("b", bytes(2))
    >>> batch = RowBatch(array("I", [0, 1, 1, 2]), array("d"), array("q", [0, 2, 4]), 2)
    >>> batch.teach(array("b", [0, 1]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> disjunction(batch, gone), out.tolist(), list(gone)
    (0, [1, 1], [1, 1, 0])
    """
    status: cython.int
    with cython.nogil:
        status = batch.check(len(gone), False)
        if status == 0:
            status = _disjunction(batch, gone)
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
def _conjunction(batch: RowBatch, flags: cython.uchar[::1], alive: cython.uint[::1]) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    indptr: cython.const[cython.longlong][::1] = batch.indptr
    predictions: cython.schar[::1] = batch.predictions
    state: cython.longlong[::1] = batch.state
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    false: cython.Py_ssize_t
    for r in range(batch.rows):
        state[_ROW] = r
        # How many literals of h the row makes false: unnegated ones that are off, negated ones that are on.
        false = state[_ALIVE]
        for k in range(indptr[r], indptr[r + 1]):
            false -= flags[slots[k]] & _PLAIN
            false += not (flags[slots[k]] & _NOT_NEGATED)
        predictions[r] = state[_STARTED] != 0 and false == 0
        if len(batch.scores) > 0:
            batch.scores[r] = -false if state[_STARTED] else -1
        if batch.learn and predictions[r] != batch.labels[r]:
            if batch.labels[r] == 0:
                return _INCONSISTENT
            _remove_false_literals(slots, indptr[r], indptr[r + 1], flags, alive, state)
    state[_ROW] = batch.rows
    return _OK


def conjunction(batch: RowBatch, flags: cython.uchar[::1], alive: cython.uint[::1]) -> cython.int:
    """Conjunctions: h starts as all 2n literals; a positive example that h rejects removes those that it makes false.

    The score of a row is minus the number of literals of h that it makes false (-1 before the first positive example,
    when h contradicts itself).

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> flags, alive, state, out = bytearray(3), array("I", bytes(12)), array("q", [0, 0, 0]), array("b", bytes(2))
    >>> batch = RowBatch(array("I", [0, 1, 0, 2]), array("d"), array("q", [0, 2, 4]), 2)
    >>> batch.teach(array("b", [1, 1]), array("d"))
    >>> batch.answer(out, array("d"), state)
    >>> conjunction(batch, flags, alive), out.tolist(), state[ALIVE], alive[0]
    (0, [0, 0], 1, 0)
    """
    status: cython.int = CAPACITY
    k: cython.Py_ssize_t
    if len(batch.state) < 3 or len(alive) < batch.widest:
        return status
    if batch.state[_ALIVE] < 0 or batch.state[_ALIVE] > len(alive):
        return status
    for k in range(batch.state[_ALIVE]):
        if alive[k] >= cython.cast(cython.ulonglong, len(flags)):
            return status
    with cython.nogil:
        status = batch.check(len(flags), False)
        if status == 0:
            status = _conjunction(batch, flags, alive)
    return status
