"""EM for Gaussians of one known variance: the E step of a run of points, and the sums that the M step divides.

Points go through in blocks of LANES, each turned so that a coordinate of all its points lies together: loops over the
points of a block (_blocks.pxd) run in vectors.  All sums are taken in the same order whatever the machine, so that the
same points give the same bits.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.mistakebound.kernels._blocks import c_add_sums, c_distances, c_divide, c_weigh
else:
    from math import log

    from mistakebound.kernels._blocks import add_sums, distances, divide, weigh

LANES = 128  # points of a block; a literal in the loops below, so that the compiler knows it
BAD = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _turn(
    points: cython.const[cython.double][::1],
    first: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    x: cython.double[::1],
) -> cython.void:
    """x[j * LANES + i] = coordinate j of point first + i; the last point again where there are no more."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(count):
        for j in range(d):
            x[j * 128 + i] = points[(first + i) * d + j]
    for i in range(count, 128):
        for j in range(d):
            x[j * 128 + i] = x[j * 128 + count - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(
    x: cython.double[::1],
    d: cython.Py_ssize_t,
    means: cython.const[cython.double][::1],
    k: cython.Py_ssize_t,
    scale: cython.double,
    z: cython.double[::1],
    least: cython.double[::1],
    total: cython.double[::1],
) -> cython.void:
    """z[m * LANES + i] = e^(scale (least squared distance of point i - that from mean m)); `total` sums it over m."""
    m: cython.Py_ssize_t
    if cython.compiled:
        for m in range(k):
            c_distances(cython.address(x[0]), cython.address(means[m * d]), d, cython.address(z[m * 128]))
        c_weigh(k, scale, cython.address(z[0]), cython.address(least[0]), cython.address(total[0]))
    else:
        for m in range(k):
            distances(x, means, m, d, z)
        weigh(k, scale, z, least, total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _log_likelihood(
    least: cython.const[cython.double][::1],
    total: cython.const[cython.double][::1],
    count: cython.Py_ssize_t,
    k: cython.Py_ssize_t,
    scale: cython.double,
) -> cython.double:
    """The sum over a block of log total - scale least: one logarithm for as many totals as cannot overflow together."""
    i: cython.Py_ssize_t
    limit: cython.double = 1e300 / k
    product: cython.double = 1.0
    far: cython.double = 0.0
    found: cython.double = 0.0
    for i in range(count):
        far += least[i]
        if product > limit:
            found += log(product)
            product = 1.0
        product *= total[i]
    return found + log(product) - scale * far


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sum_up(
    points: cython.const[cython.double][::1],
    d: cython.Py_ssize_t,
    means: cython.const[cython.double][::1],
    k: cython.Py_ssize_t,
    scale: cython.double,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    x: cython.double[::1],
    z: cython.double[::1],
    least: cython.double[::1],
    total: cython.double[::1],
    sums: cython.double[::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Points first .. last-1 into the row of sums that begins at `at`."""
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    count: cython.Py_ssize_t
    for i in range(at, at + 1 + k * (d + 1)):
        sums[i] = 0.0
    for start in range(first, last, 128):
        count = last - start if last - start < 128 else 128
        _turn(points, start, count, d, x)
        _weigh(x, d, means, k, scale, z, least, total)
        sums[at] += _log_likelihood(least, total, count, k, scale)
        # The responsibility of mean m for point i is z[m, i] / total[i]: the division is done to the point, once.
        if cython.compiled:
            c_divide(cython.address(x[0]), d, cython.address(total[0]), count)
            c_add_sums(cython.address(z[0]), k, cython.address(x[0]), d, cython.address(sums[at + 1]))
        else:
            divide(x, d, total, count)
            add_sums(z, k, x, d, sums, at + 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _misfit(
    points: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    means: cython.Py_ssize_t,
    k: cython.Py_ssize_t,
    work: cython.Py_ssize_t,
) -> cython.bint:
    """Whether buffers of these lengths cannot be points and means of d coordinates, and room for a block."""
    return d < 1 or k < 1 or points % d != 0 or means != k * d or work < 128 * (d + k + 3)


def room(d: int, k: int) -> int:
    """The length of the `work` that the functions below want.

    >>> room(1, 2)
    768
    """
    return 128 * (d + k + 3)


def expect(
    points: cython.const[cython.double][::1],
    d: cython.Py_ssize_t,
    means: cython.const[cython.double][::1],
    k: cython.Py_ssize_t,
    variance: cython.double,
    chunk: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    work: cython.double[::1],
    sums: cython.double[::1],
) -> cython.int:
    """The sums of chunks first .. last-1 of the points, each of `chunk` points (the last of all may be shorter).

    Row c of `sums`, of 1 + k (d + 1) numbers: the log-likelihood of chunk c without its constant, and then for each
    mean the sum of responsibility times point, d numbers, and the sum of the responsibilities.  0, or BAD.

    >>> from array import array
    >>> sums = array("d", bytes(40))
    >>> expect(
    ...     array("d", [-1, -1, 3]), 1, array("d", [-1, 3]), 2, 0.01, 128, 0, 1, array("d", bytes(8 * room(1, 2))), sums
    ... )
    0
    >>> [round(number, 6) for number in sums]
    [0.0, -2.0, 2.0, 3.0, 1.0]
    """
    c: cython.Py_ssize_t
    width: cython.Py_ssize_t = 1 + k * (d + 1)
    count: cython.Py_ssize_t
    if (
        _misfit(len(points), d, len(means), k, len(work))
        or not variance > 0.0
        or chunk < 1
        or first < 0
        or last < first
    ):
        return BAD
    count = len(points) // d
    if last > (count + chunk - 1) // chunk or last > len(sums) // width:
        return BAD
    x: cython.double[::1] = work[: 128 * (d + 1)]
    z: cython.double[::1] = work[128 * (d + 1) : 128 * (d + 1 + k)]
    least: cython.double[::1] = work[128 * (d + 1 + k) : 128 * (d + 2 + k)]
    total: cython.double[::1] = work[128 * (d + 2 + k) : 128 * (d + 3 + k)]
    with cython.nogil:
        for c in range(first, last):
            _sum_up(
                points, d, means, k, 0.5 / variance, c * chunk, (c + 1) * chunk if (c + 1) * chunk < count else count,
                x, z, least, total, sums, c * width,
            )  # fmt: skip
    return 0


def responsibilities(
    points: cython.const[cython.double][::1],
    d: cython.Py_ssize_t,
    means: cython.const[cython.double][::1],
    k: cython.Py_ssize_t,
    variance: cython.double,
    work: cython.double[::1],
    out: cython.double[::1],
) -> cython.int:
    """out[i * k + m] = the responsibility of mean m for point i.  0, or BAD.

    >>> from array import array
    >>> out = array("d", bytes(32))
    >>> responsibilities(array("d", [0, 1]), 1, array("d", [-1, 1]), 2, 1.0, array("d", bytes(8 * room(1, 2))), out)
    0
    >>> [round(number, 6) for number in out]
    [0.5, 0.5, 0.119203, 0.880797]
    """
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t
    start: cython.Py_ssize_t
    count: cython.Py_ssize_t
    here: cython.Py_ssize_t
    if _misfit(len(points), d, len(means), k, len(work)) or not variance > 0.0 or len(out) < len(points) // d * k:
        return BAD
    count = len(points) // d
    x: cython.double[::1] = work[: 128 * (d + 1)]
    z: cython.double[::1] = work[128 * (d + 1) : 128 * (d + 1 + k)]
    least: cython.double[::1] = work[128 * (d + 1 + k) : 128 * (d + 2 + k)]
    total: cython.double[::1] = work[128 * (d + 2 + k) : 128 * (d + 3 + k)]
    with cython.nogil:
        for start in range(0, count, 128):
            here = count - start if count - start < 128 else 128
            _turn(points, start, here, d, x)
            _weigh(x, d, means, k, 0.5 / variance, z, least, total)
            for m in range(k):
                for i in range(here):
                    out[(start + i) * k + m] = z[m * 128 + i] / total[i]
    return 0
