"""EM for Gaussians of one known variance: the E step of a run of points, and the sums that the M step divides.

Points go through in blocks of LANES, each turned so that a coordinate of all its points lies together: loops over the
points of a block (_blocks.pxd) run in vectors.  All sums are taken in the same order whatever the machine, so that the
same points give the same bits.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.mistakebound.kernels._blocks import c_add_sums, c_distances, c_divide, c_weigh
else:
    from math import log

    from mistakebound.kernels._blocks import add_sums, distances, divide, weigh

LANES = 128  # points of a block; a literal in the loops below, so that the compiler knows it
OK, BAD = 0, -1


@cython.cclass
class GaussianPoints:
    """Points of d coordinates, the k means of Gaussians of one variance, and room for a block of points."""

    points: cython.const[cython.double][::1]
    means: cython.const[cython.double][::1]
    d: cython.Py_ssize_t
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t
    scale: cython.double
    x: cython.double[::1]
    z: cython.double[::1]
    least: cython.double[::1]
    total: cython.double[::1]

    def __init__(self, points, d, means, variance):  # type: (Floats, int, Floats, float) -> None
        if d < 1 or len(points) % d or len(means) % d or not len(means) or not variance > 0.0:
            raise AssertionError("these are not points and means of as many coordinates")
        self.points = points
        self.means = means
        self.d = d
        self.k = len(means) // d
        self.count = len(points) // d
        self.scale = 0.5 / variance
        self.x = array("d", bytes(8 * 128 * (d + 1)))
        self.z = array("d", bytes(8 * 128 * self.k))
        self.least = array("d", bytes(8 * 128))
        self.total = array("d", bytes(8 * 128))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _turn(given: GaussianPoints, first: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
    """x[j * LANES + i] = coordinate j of point first + i; the last point again where there are no more."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    d: cython.Py_ssize_t = given.d
    points: cython.const[cython.double][::1] = given.points
    x: cython.double[::1] = given.x
    for i in range(count):
        for j in range(d):
            x[j * 128 + i] = points[(first + i) * d + j]
    for i in range(count, 128):
        for j in range(d):
            x[j * 128 + i] = x[j * 128 + count - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(given: GaussianPoints) -> cython.void:
    """z[m * LANES + i] = e^(scale (least squared distance of point i - that from mean m)); `total` sums it over m."""
    m: cython.Py_ssize_t
    if cython.compiled:
        for m in range(given.k):
            c_distances(
                cython.address(given.x[0]), cython.address(given.means[m * given.d]), given.d,
                cython.address(given.z[m * 128]),
            )  # fmt: skip
        c_weigh(
            given.k, given.scale, cython.address(given.z[0]), cython.address(given.least[0]),
            cython.address(given.total[0]),
        )  # fmt: skip
    else:
        for m in range(given.k):
            distances(given.x, given.means, m, given.d, given.z)
        weigh(given.k, given.scale, given.z, given.least, given.total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _log_likelihood(given: GaussianPoints, count: cython.Py_ssize_t) -> cython.double:
    """The sum over a block of log total - scale least: one logarithm for as many totals as cannot overflow together."""
    i: cython.Py_ssize_t
    limit: cython.double = 1e300 / given.k
    product: cython.double = 1.0
    far: cython.double = 0.0
    found: cython.double = 0.0
    for i in range(count):
        far += given.least[i]
        if product > limit:
            found += log(product)
            product = 1.0
        product *= given.total[i]
    return found + log(product) - given.scale * far


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sum_up(
    given: GaussianPoints,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    sums: cython.double[::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Points first .. last-1 into the row of sums that begins at `at`."""
    d: cython.Py_ssize_t = given.d
    k: cython.Py_ssize_t = given.k
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    count: cython.Py_ssize_t
    for i in range(at, at + 1 + k * (d + 1)):
        sums[i] = 0.0
    for start in range(first, last, 128):
        count = last - start if last - start < 128 else 128
        _turn(given, start, count)
        _weigh(given)
        sums[at] += _log_likelihood(given, count)
        # The responsibility of mean m for point i is z[m, i] / total[i]: the division is done to the point, once.
        if cython.compiled:
            c_divide(cython.address(given.x[0]), d, cython.address(given.total[0]), count)
            c_add_sums(cython.address(given.z[0]), k, cython.address(given.x[0]), d, cython.address(sums[at + 1]))
        else:
            divide(given.x, d, given.total, count)
            add_sums(given.z, k, given.x, d, sums, at + 1)


def expect(
    given: GaussianPoints,
    chunk: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    sums: cython.double[::1],
) -> cython.int:
    """The sums of chunks first .. last-1 of the points, each of `chunk` points (the last of all may be shorter).

    Row c of `sums`, of 1 + k (d + 1) numbers: the log-likelihood of chunk c without its constant, and then for each
    mean the sum of responsibility times point, d numbers, and the sum of the responsibilities.  OK, or BAD.

    >>> from array import array
    >>> sums = array("d", bytes(40))
    >>> expect(GaussianPoints(array("d", [-1, -1, 3]), 1, array("d", [-1, 3]), 0.01), 128, 0, 1, sums)
    0
    >>> [round(number, 6) for number in sums]
    [0.0, -2.0, 2.0, 3.0, 1.0]
    """
    c: cython.Py_ssize_t
    count: cython.Py_ssize_t = given.count
    width: cython.Py_ssize_t = 1 + given.k * (given.d + 1)
    if chunk < 1 or first < 0 or last < first or last > (count + chunk - 1) // chunk or last > len(sums) // width:
        return BAD
    with cython.nogil:
        for c in range(first, last):
            _sum_up(given, c * chunk, (c + 1) * chunk if (c + 1) * chunk < count else count, sums, c * width)
    return OK


def responsibilities(given: GaussianPoints, out: cython.double[::1]) -> cython.int:
    """out[i * k + m] = the responsibility of mean m for point i.  OK, or BAD.

    >>> from array import array
    >>> out = array("d", bytes(32))
    >>> responsibilities(GaussianPoints(array("d", [0, 1]), 1, array("d", [-1, 1]), 1.0), out)
    0
    >>> [round(number, 6) for number in out]
    [0.5, 0.5, 0.119203, 0.880797]
    """
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t
    k: cython.Py_ssize_t = given.k
    start: cython.Py_ssize_t
    here: cython.Py_ssize_t
    if len(out) < given.count * k:
        return BAD
    with cython.nogil:
        for start in range(0, given.count, 128):
            here = given.count - start if given.count - start < 128 else 128
            _turn(given, start, here)
            _weigh(given)
            for m in range(k):
                for i in range(here):
                    out[(start + i) * k + m] = given.z[m * 128 + i] / given.total[i]
    return OK
