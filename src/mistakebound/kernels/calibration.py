"""From scores to probabilities, by a table of 33 cells that counts labels by the size of the score before them; and how
far probabilities can be trusted.

A score s, less the threshold, is divided by the mean m of the absolute values so far: z = s/m.  Its place is
z/(1 + |z|), between -1 and 1, in 33 cells of equal width: narrow ones around 0, wide ones where scores are large.
It is computed as s/(m + |s|), because z may leave the doubles.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, log, rint
    from cython.cimports.mistakebound.kernels._limits import limited
else:
    from math import fabs, log

    from mistakebound.kernels._limits import limited

    rint = round

OK, CAPACITY = 0, -1
CELLS = 33
_CELLS = cython.declare(cython.int, CELLS)
_HALF = cython.declare(cython.double, 16.0)  # cells on either side of the middle one
_MOST = cython.declare(cython.double, 1e300)  # of the size of a score: sums may leave the doubles, means may not
BINS = 10  # of probabilities, each a tenth wide
_BINS = cython.declare(cython.int, BINS)
UNIT = 2.0**40  # sums are whole multiples of 1 / UNIT, and so do not depend on the order of the rows
_UNIT = cython.declare(cython.double, UNIT)
_LEAST = cython.declare(cython.double, 2.0**-52)  # no label that comes true was ruled out: its loss would be infinite
_LARGE = cython.declare(cython.double, 2.0)  # no probability is, whatever the rounding
MOST_ROWS = 1 << 16  # of a call of `reliability`: their sums have less than 63 bits
_MOST_ROWS = cython.declare(cython.Py_ssize_t, MOST_ROWS)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_of(s: cython.double, mean: cython.double) -> cython.double:
    """Between 0 and 32, the middle of a cell at each whole number."""
    if not mean > 0.0:
        return _HALF
    return _HALF + _HALF * (s / (mean + fabs(s)))


def count(
    scores: cython.const[cython.double][::1],
    labels: cython.const[cython.schar][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    theta: cython.double,
    cells: cython.longlong[::1],
    means: cython.double[::1],
) -> cython.int:
    """Count rows first .. last-1: cells[2 * cell + (label is 1)]; means are (mean size, rows).  OK, or CAPACITY.

    >>> from array import array
    >>> cells, means = array("q", bytes(16 * CELLS)), array("d", [0.0, 0.0])
    >>> count(array("d", [1.0, -1.0]), array("b", [1, 0]), 0, 2, 0.0, cells, means), means.tolist()
    (0, [1.0, 2.0])
    >>> [place for place, times in enumerate(cells) if times]
    [16, 49]
    """
    r: cython.Py_ssize_t
    s: cython.double
    cell: cython.int
    if first < 0 or last < first or len(scores) < last or len(labels) < last:
        return CAPACITY
    if len(cells) != 2 * _CELLS or len(means) < 2:
        return CAPACITY
    with cython.nogil:
        for r in range(first, last):
            s = limited(scores[r] - theta, _MOST)
            means[1] += 1.0
            means[0] += (fabs(s) - means[0]) / means[1]
            cell = cython.cast(cython.int, place_of(s, means[0]) + 0.5)
            cells[2 * cell + (labels[r] == 1)] += 1
    return OK


def probabilities(
    scores: cython.const[cython.double][::1],
    theta: cython.double,
    mean: cython.double,
    curve: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> cython.int:
    """out[r]: the probability of a score by the curve, linear between the middles of cells.  OK, or CAPACITY.

    >>> from array import array
    >>> curve, out = array("d", [cell / 32 for cell in range(CELLS)]), array("d", bytes(24))
    >>> probabilities(array("d", [-3.0, 0.0, 1.0]), 0.0, 1.0, curve, out), out.tolist()
    (0, [0.125, 0.5, 0.75])
    """
    r: cython.Py_ssize_t
    at: cython.double
    cell: cython.int
    if len(curve) != _CELLS or len(out) < len(scores):
        return CAPACITY
    with cython.nogil:
        for r in range(len(scores)):
            at = place_of(limited(scores[r] - theta, _MOST), mean)
            cell = cython.cast(cython.int, at)
            if cell >= _CELLS - 1:
                out[r] = curve[_CELLS - 1]
            else:
                out[r] = curve[cell] + (at - cell) * (curve[cell + 1] - curve[cell])
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _probable(shares: cython.const[cython.double][::1]) -> cython.bint:
    """Whether all are probabilities; rounding may have made them a little more than 1."""
    k: cython.Py_ssize_t
    good: cython.bint = True
    for k in range(len(shares)):
        good &= fabs(shares[k]) < _LARGE
    return good


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _rely(
    own: cython.double, said: cython.double, true: cython.bint, square: cython.double, sums: cython.longlong[::1]
) -> cython.void:
    """Count a row: the probability that its label had, that which was told, whether it came true, what was missed."""
    at: cython.Py_ssize_t = 2 + 3 * cython.cast(cython.Py_ssize_t, said * _BINS if said > 0.0 else 0.0)
    if at > 3 * _BINS - 1:
        at = 3 * _BINS - 1
    sums[0] += cython.cast(cython.longlong, rint(-log(own if own > _LEAST else _LEAST) * _UNIT))
    sums[1] += cython.cast(cython.longlong, rint(square * _UNIT))
    sums[at] += 1
    sums[at + 1] += cython.cast(cython.longlong, rint(said * _UNIT))
    sums[at + 2] += true


def pair_reliability(
    shares: cython.const[cython.double][::1], codes: cython.const[cython.schar][::1], sums: cython.longlong[::1]
) -> cython.int:
    """As `reliability`, of two labels: the probability of the second alone, which has the code 1.

    >>> from array import array
    >>> sums = array("q", bytes(8 * (2 + 3 * BINS)))
    >>> pair_reliability(array("d", [0.25, 0.75]), array("b", [0, 0]), sums), sums[1] / UNIT
    (0, 0.625)
    >>> sums[8], sums[9] / UNIT, sums[10], sums[23], sums[25]
    (1, 0.25, 0, 1, 0)
    """
    r: cython.Py_ssize_t
    said: cython.double
    true: cython.bint
    good: cython.bint
    if len(shares) != len(codes) or len(codes) > _MOST_ROWS or len(sums) != 2 + 3 * _BINS:
        return CAPACITY
    with cython.nogil:
        good = _probable(shares)
        for r in range(len(codes) if good else 0):
            said = shares[r]
            true = codes[r] == 1
            _rely(said if true else 1.0 - said, said, true, (said - true) * (said - true), sums)
    return OK if good else CAPACITY


def reliability(
    shares: cython.const[cython.double][::1],
    labels: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    sums: cython.longlong[::1],
) -> cython.int:
    """Count rows by the probability that was told: of two labels that of the second, of more that of the likeliest.

    `shares` has one number for each label of a row.  sums[0] grows by the logarithmic loss and sums[1] by the square of
    what was missed, in units of 1 / UNIT.  From sums[2] on, each bin has the number of its rows, the sum of what was
    told, in the same units, and the rows in which it came true.  OK, or CAPACITY: the buffers do not fit together, or
    have other numbers than probabilities and codes.

    >>> from array import array
    >>> sums = array("q", bytes(8 * (2 + 3 * BINS)))
    >>> reliability(array("d", [0.25, 0.5, 0.25]), 3, array("i", [1]), sums), sums[1] / UNIT, sums[17:20].tolist()
    (0, 0.375, [1, 549755813888, 1])
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    at: cython.Py_ssize_t
    own: cython.double
    square: cython.double
    good: cython.bint
    if labels < 1 or len(shares) != labels * len(codes) or len(codes) > _MOST_ROWS or len(sums) != 2 + 3 * _BINS:
        return CAPACITY
    with cython.nogil:
        good = _probable(shares)
        for r in range(len(codes)):
            good &= 0 <= codes[r] < labels
        for r in range(len(codes) if good else 0):
            first = labels * r
            own = shares[first + codes[r]]
            if labels == 2:
                at = first + 1
                square = (shares[at] - codes[r]) * (shares[at] - codes[r])
            else:
                at = first
                square = (1.0 - own) * (1.0 - own) - own * own
                for k in range(first, first + labels):
                    square += shares[k] * shares[k]
                    if shares[k] > shares[at]:
                        at = k
            _rely(own, shares[at], at == first + codes[r], square, sums)
    return OK if good else CAPACITY
