"""EM for Gaussians of one known variance (row Y7): the E step of a run of points, and the sums that the M step divides.

Points go through in blocks of LANES, each turned so that a coordinate of all its points lies together: what is written
here as a loop over the points of a block, the C compiler makes a loop over vectors.  All sums are taken in the same
order whatever the machine, so that the same points give the same bits.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.mistakebound.kernels._powers_of_two import power_of_two
else:
    from math import log

    from mistakebound.kernels._powers_of_two import power_of_two

LANES = 128  # points of a block; a literal in the loops below, so that the compiler knows it
BAD = -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _exp(x: cython.double) -> cython.double:
    """e^x for -708 <= x <= 0, to 4e-16 of it.

    x = e ln 2 + r, |r| <= ln 2 / 2; e^r by a polynomial whose coefficients Remez's algorithm gave (error 3e-18).
    """
    shifted: cython.double = x * 1.4426950408889634 + 6755399441056767.0
    e: cython.double = shifted - 6755399441056767.0
    # ln 2 in two parts, the first so short that its product with e is exact.
    r: cython.double = (x - e * 6.93147180369123816490e-01) - e * 1.90821492927058770002e-10
    p: cython.double = 2.4994293345730463e-08
    p = p * r + 2.7632308224452543e-07
    p = p * r + 2.7557622652024487e-06
    p = p * r + 2.48014864812835e-05
    p = p * r + 0.00019841269432434438
    p = p * r + 0.0013888888951261204
    p = p * r + 0.008333333333559451
    p = p * r + 0.04166666666649263
    p = p * r + 0.1666666666666617
    p = p * r + 0.5000000000000018
    p = p * r + 1.0
    p = p * r + 1.0
    return p * power_of_two(shifted)


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
def _distances(
    x: cython.const[cython.double][::1],
    means: cython.const[cython.double][::1],
    m: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    z: cython.double[::1],
) -> cython.void:
    """z[m * LANES + i] = the squared distance of point i from mean m."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    at: cython.Py_ssize_t = m * 128
    a: cython.double
    b: cython.double
    centre: cython.double = means[m * d]
    other: cython.double
    for i in range(128):
        a = x[i] - centre
        z[at + i] = a * a
    for j in range(1, d - 1, 2):
        centre = means[m * d + j]
        other = means[m * d + j + 1]
        for i in range(128):
            a = x[j * 128 + i] - centre
            b = x[(j + 1) * 128 + i] - other
            z[at + i] += a * a + b * b
    if d % 2 == 0:
        centre = means[m * d + d - 1]
        for i in range(128):
            a = x[(d - 1) * 128 + i] - centre
            z[at + i] += a * a


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(
    k: cython.Py_ssize_t,
    scale: cython.double,
    z: cython.double[::1],
    least: cython.double[::1],
    total: cython.double[::1],
) -> cython.void:
    """Squared distances z become e^(scale (least - z)), at least e^-708; the `total` of these is between 1 and k."""
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t
    e: cython.double
    for i in range(128):
        least[i] = z[i]
        total[i] = 0.0
    for m in range(1, k):
        for i in range(128):
            least[i] = z[m * 128 + i] if z[m * 128 + i] < least[i] else least[i]
    for m in range(k):
        for i in range(128):  # a loop of its own: with this choice in the next one, the compiler makes no vectors of it
            e = (least[i] - z[m * 128 + i]) * scale
            z[m * 128 + i] = e if e > -708.0 else -708.0
        for i in range(128):
            e = _exp(z[m * 128 + i])
            z[m * 128 + i] = e
            total[i] += e


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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _dot(
    z: cython.const[cython.double][::1],
    m: cython.Py_ssize_t,
    x: cython.const[cython.double][::1],
    j: cython.Py_ssize_t,
) -> cython.double:
    """The sum over a block of row m of z times row j of x, as eight sums side by side."""
    i: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    s = cython.declare(cython.double[8])
    for lane in range(8):
        s[lane] = 0.0
    for i in range(0, 128, 8):
        for lane in range(8):
            s[lane] += z[m * 128 + i + lane] * x[j * 128 + i + lane]
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))


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
    j: cython.Py_ssize_t
    m: cython.Py_ssize_t
    start: cython.Py_ssize_t
    count: cython.Py_ssize_t
    for i in range(at, at + 1 + k * (d + 1)):
        sums[i] = 0.0
    for start in range(first, last, 128):
        count = last - start if last - start < 128 else 128
        _turn(points, start, count, d, x)
        for m in range(k):
            _distances(x, means, m, d, z)
        _weigh(k, scale, z, least, total)
        sums[at] += _log_likelihood(least, total, count, k, scale)
        # The responsibility of mean m for point i is z[m, i] / total[i]: the division is done to the point, once.
        for i in range(128):
            x[d * 128 + i] = 1.0 / total[i] if i < count else 0.0
        for j in range(d):
            for i in range(128):
                x[j * 128 + i] *= x[d * 128 + i]
        for m in range(k):
            for j in range(d + 1):
                sums[at + 1 + m * (d + 1) + j] += _dot(z, m, x, j)


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
            for m in range(k):
                _distances(x, means, m, d, z)
            _weigh(k, 0.5 / variance, z, least, total)
            for m in range(k):
                for i in range(here):
                    out[(start + i) * k + m] = z[m * 128 + i] / total[i]
    return 0
