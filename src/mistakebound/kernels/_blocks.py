"""A block of 128 points against the means: what _blocks.pxd says in C, for kernels that run uncompiled.

Row j of x is coordinate j of all points of the block, row m of z what mean m has to do with them.  Additions come in
the order of the C code: the same bits.
"""

from __future__ import annotations

from math import ldexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.kernels._buffers import Floats

__all__ = ["add_sums", "distances", "divide", "weigh"]

_SHIFT = 1.5 * 2.0**52 + 1023  # added to a number, it leaves the nearest whole one in the lowest bits
# Of e^r, |r| <= ln 2 / 2, the highest power first: what Remez's algorithm gave (error 3e-18).
_SERIES = (
    2.4994293345730463e-08, 2.7632308224452543e-07, 2.7557622652024487e-06, 2.48014864812835e-05,
    0.00019841269432434438, 0.0013888888951261204, 0.008333333333559451, 0.04166666666649263, 0.1666666666666617,
    0.5000000000000018, 1.0, 1.0,
)  # fmt: skip


def distances(x: Floats, means: Floats, m: int, d: int, z: Floats) -> None:
    """z[m * 128 + i] = the squared distance of point i from mean m; coordinates by two after the first."""
    for i in range(128):
        apart = [x[j * 128 + i] - means[m * d + j] for j in range(d)]
        squares = [a * a for a in apart]  # a power is not always rounded as a product is
        total = squares[0]
        for j in range(1, d, 2):
            total += squares[j] + squares[j + 1] if j + 1 < d else squares[j]
        z[m * 128 + i] = total


def exp(x: float) -> float:
    """e^x for -708 <= x <= 0, to 4e-16 of it.

    >>> exp(0.0), exp(-1.0)
    (1.0, 0.36787944117144233)
    """
    shifted = x * 1.4426950408889634 + _SHIFT
    e = shifted - _SHIFT
    r = (x - e * 6.93147180369123816490e-01) - e * 1.90821492927058770002e-10
    p = _SERIES[0]
    for coefficient in _SERIES[1:]:
        p = p * r + coefficient
    return p * ldexp(1.0, int(e))


def weigh(k: int, scale: float, z: Floats, least: Floats, total: Floats) -> None:
    """Squared distances z become e^(scale (least - z)), at least e^-708; the `total` of these is between 1 and k."""
    for i in range(128):
        least[i] = min(z[m * 128 + i] for m in range(k))
        total[i] = 0.0
        for m in range(k):
            z[m * 128 + i] = exp(max((least[i] - z[m * 128 + i]) * scale, -708.0))
            total[i] += z[m * 128 + i]


def divide(x: Floats, d: int, total: Floats, count: int) -> None:
    """Every coordinate by the point's total, and row d is 1 by it; what is behind `count` points becomes 0."""
    for i in range(128):
        x[d * 128 + i] = 1.0 / total[i] if i < count else 0.0
        for j in range(d):
            x[j * 128 + i] *= x[d * 128 + i]


def add_sums(z: Floats, k: int, x: Floats, d: int, sums: Floats, at: int) -> None:
    """sums[at + m (d + 1) + j] += the sum over the block of row m of z times row j of x, as eight sums side by side."""
    for m in range(k):
        for j in range(d + 1):
            s = [0.0] * 8
            for i in range(128):
                s[i % 8] += z[m * 128 + i] * x[j * 128 + i]
            sums[at + m * (d + 1) + j] += ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
