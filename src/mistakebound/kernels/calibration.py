"""From scores to probabilities: a table of 33 cells that counts labels by the size of the score before them.

A score s, less the threshold, is divided by the mean m of the absolute values so far: z = s/m.  Its place is
z/(1 + |z|), between -1 and 1, in 33 cells of equal width: narrow ones around 0, wide ones where scores are large.
It is computed as s/(m + |s|), because z may leave the doubles.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
else:
    from math import fabs

OK, CAPACITY = 0, -1
CELLS = 33
_CELLS = cython.declare(cython.int, CELLS)
_HALF = cython.declare(cython.double, 16.0)  # cells on either side of the middle one
_MOST = cython.declare(cython.double, 1e300)  # of the size of a score: sums may leave the doubles, means may not


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_of(s: cython.double, mean: cython.double) -> cython.double:
    """Between 0 and 32, the middle of a cell at each whole number."""
    if not mean > 0.0:
        return _HALF
    return _HALF + _HALF * (s / (mean + fabs(s)))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _kept(s: cython.double) -> cython.double:
    """A margin that is no infinity; one that is no number is 0."""
    if s > _MOST:
        return _MOST
    if s < -_MOST:
        return -_MOST
    return s if s == s else 0.0


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
            s = _kept(scores[r] - theta)
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
            at = place_of(_kept(scores[r] - theta), mean)
            cell = cython.cast(cython.int, at)
            if cell >= _CELLS - 1:
                out[r] = curve[_CELLS - 1]
            else:
                out[r] = curve[cell] + (at - cell) * (curve[cell + 1] - curve[cell])
    return OK
