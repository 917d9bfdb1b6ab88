"""Balanced Winnow on sparse rows (Littlestone 1989; Dagan, Karov and Roth 1997; EG+- of Kivinen and Warmuth 1997).

An attribute has the weights exp(z) and exp(-z), z = eta * votes, and its votes are the sum of label times value over
the rows that led to an update: whole numbers for rows of ones.  What a prediction needs is their difference, the gap
2 sinh(z), which is kept beside the votes.  The number that is compared with 0 is the sum of gap * value in ascending
order of keys, the bias last.  Where a gap or the sum is beyond the doubles, the same sum is taken with everything
divided by the largest weight and the largest value of the row, which changes no sign.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, fabs, log, sinh, sqrt
    from cython.cimports.mistakebound.kernels.row_batch import RowBatch
else:
    from math import exp, fabs, log, sqrt
    from math import sinh as _sinh

    from mistakebound.kernels.row_batch import RowBatch

    def sinh(z):
        """C's: infinite where the result is no double."""
        try:
            return _sinh(z)
        except OverflowError:
            return float("inf") if z > 0 else float("-inf")


OK = 0
OVERFLOW = 1  # row state[ROW]: votes would leave the finite doubles
CAPACITY = 2
_OVERFLOW = cython.declare(cython.int, OVERFLOW)
ROW = 0

# Places in `scalars`.
BIAS = 0  # the votes of the constant 1
LARGEST = 1  # the largest |value| of a row that led to an update
EXTRA = 2  # the importance of updates without a mistake, added up: their number where each is 1
LEAST = 3  # the smallest importance of a row that was a mistake; 0 before the first
MOST = 4  # the largest importance of a row that led to an update
_BIAS = cython.declare(cython.int, BIAS)
_LARGEST = cython.declare(cython.int, LARGEST)
_EXTRA = cython.declare(cython.int, EXTRA)
_LEAST = cython.declare(cython.int, LEAST)
_HEAVIEST = cython.declare(cython.int, MOST)

# Places in `sums`.
_SUM = cython.declare(cython.int, 0)
_SIZE = cython.declare(cython.int, 1)  # of |gap * value| or, where the thickness asks, (exp(z) + exp(-z)) * |value|

_EPS = cython.declare(cython.double, 2.0**-52)
_HUGE = cython.declare(cython.double, 1e308)  # a sum above may be infinite in another order
_MOST = cython.declare(cython.double, 1.7976931348623157e308)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _both(gap: cython.double) -> cython.double:
    """exp(z) + exp(-z), of 2 sinh(z)."""
    return fabs(gap) if fabs(gap) > 1e9 else sqrt(gap * gap + 4.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.const[cython.uint][::1],
    sort: cython.bint,
    gaps: cython.const[cython.double][::1],
    constant: cython.double,
    biased: cython.bint,
    thick: cython.bint,
    sums: cython.double[::1],
) -> cython.void:
    """Both sums of a row, in the order that `places` says, or as it comes; `constant` is the gap of the bias."""
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    x: cython.double
    gap: cython.double
    s: cython.double = 0.0
    size: cython.double = 0.0
    for k in range(b - a):
        p = a + places[k] if sort else a + k
        x = values[p] if len(values) > 0 else 1.0
        gap = gaps[slots[p]]
        s += gap * x
        size += _both(gap) * fabs(x) if thick else fabs(gap * x)
    if biased:
        s += constant
        size += _both(constant) if thick else fabs(constant)
    sums[_SUM] = s
    sums[_SIZE] = size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_scaled(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    places: cython.const[cython.uint][::1],
    votes: cython.const[cython.double][::1],
    eta: cython.double,
    constant: cython.double,
    biased: cython.bint,
    sums: cython.double[::1],
) -> cython.void:
    """The sums of gap * value and (exp(z) + exp(-z)) * |value|, divided by exp(largest |z|) and the largest |value|."""
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    x: cython.double
    z: cython.double
    s: cython.double = 0.0
    size: cython.double = 0.0
    top: cython.double = fabs(eta * constant)
    unit: cython.double = 1.0 if biased else 0.0
    for k in range(a, b):
        x = fabs(values[k]) if len(values) > 0 else 1.0
        z = fabs(eta * votes[slots[k]])
        unit = x if x > unit else unit
        top = z if x > 0.0 and z > top else top
    for k in range(b - a):
        p = a + places[k]
        x = values[p] if len(values) > 0 else 1.0
        if x != 0.0:
            x /= unit
            z = eta * votes[slots[p]]
            s += (exp(z - top) - exp(-z - top)) * x
            size += (exp(z - top) + exp(-z - top)) * fabs(x)
    if biased:
        z = eta * constant
        s += (exp(z - top) - exp(-z - top)) / unit
        size += (exp(z - top) + exp(-z - top)) / unit
    sums[_SUM] = s
    sums[_SIZE] = size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _update(
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    y: cython.double,
    eta: cython.double,
    biased: cython.bint,
    votes: cython.double[::1],
    gaps: cython.double[::1],
    scalars: cython.double[::1],
) -> cython.bint:
    """votes += y * x, y the label times the importance; false, and nothing changed, when they would not stay finite."""
    k: cython.Py_ssize_t
    x: cython.double
    v: cython.double
    largest: cython.double = scalars[_LARGEST]
    if biased:
        v = eta * (scalars[_BIAS] + y)
        if v - v != 0.0:
            return False
        largest = largest if largest > 1.0 else 1.0
    for k in range(a, b):
        x = values[k] if len(values) > 0 else 1.0
        v = votes[slots[k]] + y * x
        v = v if v - v != 0.0 else eta * v
        if v - v != 0.0:
            return False
        largest = fabs(x) if fabs(x) > largest else largest
    for k in range(a, b):
        x = values[k] if len(values) > 0 else 1.0
        v = votes[slots[k]] + y * x
        votes[slots[k]] = v
        gaps[slots[k]] = 2.0 * sinh(eta * v)
    if biased:
        scalars[_BIAS] += y
    scalars[_LARGEST] = largest
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_rows(
    batch: RowBatch,
    votes: cython.double[::1],
    gaps: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    thickness: cython.double,
    biased: cython.bint,
    sums: cython.double[::1],
) -> cython.int:
    slots: cython.const[cython.uint][::1] = batch.slots
    values: cython.const[cython.double][::1] = batch.values
    places: cython.const[cython.uint][::1] = batch.places
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    s: cython.double
    y: cython.double
    c: cython.double
    room: cython.double
    reached: cython.bint
    unsure: cython.bint
    prediction: cython.int
    scored: cython.bint = len(batch.scores) > 0
    thick: cython.bint = batch.learn and thickness > 0.0
    constant: cython.double = 2.0 * sinh(eta * scalars[_BIAS]) if biased else 0.0
    far: cython.bint = len(gaps) > 65536
    for r in range(batch.rows):
        a = batch.indptr[r]
        b = batch.indptr[r + 1]
        if far:
            batch.ask_for(r + 1, gaps)
        _add(slots, values, a, b, places, False, gaps, constant, biased, thick, sums)
        y = 1.0 if batch.learn and batch.labels[r] == 1 else -1.0
        # Another order can only matter where rounding errors could outweigh what is decided by.
        room = sums[_SIZE] * (b - a + 8) * _EPS
        unsure = not (fabs(sums[_SUM]) > room and sums[_SIZE] < _HUGE) or scored
        if thick:
            unsure |= fabs(y * sums[_SUM] - thickness * sums[_SIZE]) <= room
        if unsure and not batch.ordered:
            batch.sort_row(r)
            _add(slots, values, a, b, places, True, gaps, constant, biased, thick, sums)
        s = sums[_SUM]
        prediction = s > 0.0
        reached = not thick or y * s >= thickness * sums[_SIZE]
        if s - s != 0.0 or (thick and sums[_SIZE] - sums[_SIZE] != 0.0):
            batch.sort_row(r)
            _add_scaled(slots, values, a, b, places, votes, eta, scalars[_BIAS], biased, sums)
            if s - s != 0.0:
                prediction = sums[_SUM] > 0.0
                s = _MOST if sums[_SUM] > 0.0 else -_MOST if sums[_SUM] < 0.0 else 0.0
            reached = not thick or y * sums[_SUM] >= thickness * sums[_SIZE]
        if scored:
            batch.scores[r] = s
        if batch.learn and (prediction != batch.labels[r] or not reached):
            c = batch.importance[r] if len(batch.importance) > 0 else 1.0
            room = eta * (scalars[_EXTRA] + c)
            if room - room != 0.0 or not _update(slots, values, a, b, y * c, eta, biased, votes, gaps, scalars):
                batch.state[0] = r
                return _OVERFLOW
            constant = 2.0 * sinh(eta * scalars[_BIAS]) if biased else 0.0
            if prediction == batch.labels[r]:
                scalars[_EXTRA] += c
            elif scalars[_LEAST] == 0.0 or c < scalars[_LEAST]:
                scalars[_LEAST] = c
            if c > scalars[_HEAVIEST]:
                scalars[_HEAVIEST] = c
        batch.predictions[r] = prediction
    batch.state[0] = batch.rows
    return 0


def run(
    batch: RowBatch,
    votes: cython.double[::1],
    gaps: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    thickness: cython.double,
    biased: cython.bint,
    sums: cython.double[::1],
) -> cython.int:
    """Predict the rows and, if they have labels, play them as trials.

    An update adds the row times its importance to the votes.  `sums` is scratch for two numbers.

    >>> from array import array
    >>> from mistakebound.kernels.row_batch import RowBatch
    >>> votes, gaps, scalars = array("d", [0, 0]), array("d", [0, 0]), array("d", bytes(40))
    >>> batch, out = RowBatch(array("I", [0, 1, 0]), array("d"), array("q", [0, 1, 3]), 2), array("b", bytes(2))
    >>> batch.teach(array("b", [1, 0]), array("d"))
    >>> batch.answer(out, array("d"), array("q", [0]))
    >>> batch.sort_by(True, 2, array("Q"), array("Q", bytes(16)), array("I", bytes(8)))
    >>> run(batch, votes, gaps, scalars, 0.5, 0.0, True, array("d", bytes(16)))
    0
    >>> out.tolist(), votes.tolist(), scalars.tolist()
    ([0, 1], [0.0, -1.0], [0.0, 1.0, 0.0, 1.0, 1.0])
    """
    status: cython.int = CAPACITY
    if len(scalars) < 5 or len(votes) != len(gaps) or len(sums) < 2:
        return status
    with cython.nogil:
        status = batch.check(len(gaps), True)
        if status == 0:
            status = play_rows(batch, votes, gaps, scalars, eta, thickness, biased, sums)
    return status


def open_gaps(votes: cython.const[cython.double][::1], eta: cython.double, gaps: cython.double[::1]) -> cython.int:
    """gaps[k] = 2 sinh(eta * votes[k]); 0, or -1 when there is not one a vote."""
    k: cython.Py_ssize_t
    if len(gaps) != len(votes):
        return -1
    for k in range(len(votes)):
        gaps[k] = 2.0 * sinh(eta * votes[k])
    return 0


def log_total(votes: cython.const[cython.double][::1], eta: cython.double) -> cython.double:
    """The natural logarithm of the sum of all weights, exp(z) + exp(-z) for each of the votes.

    >>> from array import array
    >>> round(log_total(array("d", [0, 0]), 0.1), 6), log_total(array("d", [1000]), 9.0)
    (1.386294, 9000.0)
    """
    k: cython.Py_ssize_t
    top: cython.double = 0.0
    total: cython.double = 0.0
    for k in range(len(votes)):
        top = fabs(eta * votes[k]) if fabs(eta * votes[k]) > top else top
    for k in range(len(votes)):
        total += exp(eta * votes[k] - top) + exp(-eta * votes[k] - top)
    return top + log(total) if len(votes) > 0 else 0.0
