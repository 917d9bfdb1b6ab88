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
    from cython.cimports.mistakebound.kernels._intrin import mb_prefetch
    from cython.cimports.mistakebound.kernels.sorting import key_order
else:
    from math import exp, fabs, log, sqrt
    from math import sinh as _sinh

    from mistakebound.kernels.sorting import key_order

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
    slots: cython.const[cython.uint][::1],
    values: cython.const[cython.double][::1],
    indptr: cython.const[cython.longlong][::1],
    ordered: cython.bint,
    labels: cython.const[cython.schar][::1],
    importance: cython.const[cython.double][::1],
    rows: cython.Py_ssize_t,
    votes: cython.double[::1],
    gaps: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    thickness: cython.double,
    biased: cython.bint,
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    sums: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    s: cython.double
    y: cython.double
    c: cython.double
    room: cython.double
    reached: cython.bint
    unsure: cython.bint
    prediction: cython.int
    thick: cython.bint = learn and thickness > 0.0
    constant: cython.double = 2.0 * sinh(eta * scalars[_BIAS]) if biased else 0.0
    far: cython.bint = len(gaps) > 65536
    for r in range(rows):
        a = indptr[r]
        b = indptr[r + 1]
        if cython.compiled:
            if far and r + 1 < rows:  # ask for the gaps of the next row
                for k in range(b, indptr[r + 2]):
                    mb_prefetch(cython.address(gaps[slots[k]]))
        _add(slots, values, a, b, places, False, gaps, constant, biased, thick, sums)
        y = 1.0 if learn and labels[r] == 1 else -1.0
        # Another order can only matter where rounding errors could outweigh what is decided by.
        room = sums[_SIZE] * (b - a + 8) * _EPS
        unsure = not (fabs(sums[_SUM]) > room and sums[_SIZE] < _HUGE) or len(scores) > 0
        if thick:
            unsure |= fabs(y * sums[_SUM] - thickness * sums[_SIZE]) <= room
        if unsure and not ordered:
            key_order(slots, a, b, dense, extra_keys, keys, places)
            _add(slots, values, a, b, places, True, gaps, constant, biased, thick, sums)
        s = sums[_SUM]
        prediction = s > 0.0
        reached = not thick or y * s >= thickness * sums[_SIZE]
        if s - s != 0.0 or (thick and sums[_SIZE] - sums[_SIZE] != 0.0):
            key_order(slots, a, b, dense, extra_keys, keys, places)
            _add_scaled(slots, values, a, b, places, votes, eta, scalars[_BIAS], biased, sums)
            if s - s != 0.0:
                prediction = sums[_SUM] > 0.0
                s = _MOST if sums[_SUM] > 0.0 else -_MOST if sums[_SUM] < 0.0 else 0.0
            reached = not thick or y * sums[_SUM] >= thickness * sums[_SIZE]
        if len(scores) > 0:
            scores[r] = s
        if learn and (prediction != labels[r] or not reached):
            c = importance[r] if len(importance) > 0 else 1.0
            room = eta * (scalars[_EXTRA] + c)
            if room - room != 0.0 or not _update(slots, values, a, b, y * c, eta, biased, votes, gaps, scalars):
                state[0] = r
                return _OVERFLOW
            constant = 2.0 * sinh(eta * scalars[_BIAS]) if biased else 0.0
            if prediction == labels[r]:
                scalars[_EXTRA] += c
            elif scalars[_LEAST] == 0.0 or c < scalars[_LEAST]:
                scalars[_LEAST] = c
            if c > scalars[_HEAVIEST]:
                scalars[_HEAVIEST] = c
        predictions[r] = prediction
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
    votes: cython.double[::1],
    gaps: cython.double[::1],
    scalars: cython.double[::1],
    eta: cython.double,
    thickness: cython.double,
    biased: cython.bint,
    learn: cython.bint,
    predictions: cython.schar[::1],
    scores: cython.double[::1],
    dense: cython.ulonglong,
    extra_keys: cython.const[cython.ulonglong][::1],
    keys: cython.ulonglong[::1],
    places: cython.uint[::1],
    sums: cython.double[::1],
    state: cython.longlong[::1],
) -> cython.int:
    """Predict the rows and, with `learn`, play them as trials.  Empty `values`: every value is 1.

    An update adds the row times its importance (empty: 1) to the votes.  With `scores` not empty the sums, in
    ascending order of keys, go there; the key of a slot from `dense` on is in `extra_keys`.  `keys` and `places` are
    scratch, as wide as the widest row; `sums` has room for two numbers.

    >>> from array import array
    >>> votes, gaps, scalars = array("d", [0, 0]), array("d", [0, 0]), array("d", bytes(40))
    >>> rows = array("I", [0, 1, 0]), array("d"), array("q", [0, 1, 3]), True, array("b", [1, 0]), array("d"), 2
    >>> out, scratch = array("b", bytes(2)), (array("Q", bytes(16)), array("I", bytes(8)), array("d", bytes(16)))
    >>> how = 0.5, 0.0, True, True, out, array("d"), 2, array("Q"), *scratch, array("q", [0])
    >>> run(*rows, votes, gaps, scalars, *how), out.tolist(), votes.tolist(), scalars.tolist()
    (0, [0, 1], [0.0, -1.0], [0.0, 1.0, 0.0, 1.0, 1.0])
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bad: cython.bint = False
    status: cython.int = CAPACITY
    if rows < 0 or len(indptr) <= rows or len(predictions) < rows or len(state) < 1 or len(sums) < 2:
        return status
    if (learn and len(labels) < rows) or (len(scores) > 0 and len(scores) < rows) or len(scalars) < 5:
        return status
    if indptr[0] < 0 or indptr[rows] > len(slots) or (len(values) > 0 and indptr[rows] > len(values)):
        return status
    if len(importance) > 0 and len(importance) < rows:
        return status
    if len(votes) != len(gaps) or len(gaps) > dense + cython.cast(cython.ulonglong, len(extra_keys)):
        return status
    with cython.nogil:
        for r in range(rows):
            bad |= indptr[r] > indptr[r + 1]
            bad |= indptr[r + 1] - indptr[r] > len(keys) or indptr[r + 1] - indptr[r] > len(places)
        if not bad:
            for k in range(indptr[0], indptr[rows]):
                bad |= slots[k] >= cython.cast(cython.ulonglong, len(gaps))
        if not bad:
            status = play_rows(
                slots, values, indptr, ordered, labels, importance, rows, votes, gaps, scalars, eta, thickness, biased,
                learn, predictions, scores, dense, extra_keys, keys, places, sums, state,
            )  # fmt: skip
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
