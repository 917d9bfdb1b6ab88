"""What one layer of units does: what _layers.pxd says in C, for kernels that run uncompiled.

A block of numbers is a buffer and where it begins.  Additions come in the order of the C code: the same bits.
"""

from __future__ import annotations

from math import isnan, ldexp
from math import log as natural_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.kernels._buffers import Floats

__all__ = ["add_outer", "add_rows", "add_step", "go_back", "natural_log", "sigmoids"]

_SHIFT = 6755399441055744.0  # 1.5 * 2**52: added to a number, it leaves the nearest whole one in the lowest bits


def add_rows(w: Floats, c: int, n: int, m: int, values: Floats, a: int, b: int) -> None:
    """values[b + j] += the sum of values[a + i] * w[c + i*m + j]; no four rows whose inputs are all 0."""
    for i in range(n):
        group = range(i - i % 4, i - i % 4 + 4)
        if group.stop <= n and all(values[a + k] == 0 for k in group):
            continue
        x = values[a + i]
        for j in range(m):
            values[b + j] = values[b + j] + x * w[c + i * m + j]


def sigmoids(values: Floats, b: int, m: int) -> None:
    """values[b + j] = 1 / (1 + exp(-values[b + j])).

    >>> from array import array
    >>> values = array("d", [0.0, 1.0, -1000.0])
    >>> sigmoids(values, 0, 3)
    >>> values[0], values[1], 0 < values[2] < 1e-300
    (0.5, 0.7310585786300049, True)
    """
    for j in range(b, b + m):
        y = -values[j]
        y = 708.0 if isnan(y) else max(-708.0, min(708.0, y))
        t = y * 1.4426950408889634 + _SHIFT
        n = t - _SHIFT
        r = (y - n * 0.6931471803691238) - n * 1.9082149292705877e-10
        r2 = r * r
        r4 = r2 * r2
        p = (
            (2.7557319223985893e-06 * r + 2.48015873015873e-05)
            + (2.505210838544172e-08 * r + 2.755731922398589e-07) * r2
        ) + 2.08767569878681e-09 * r4
        p = (
            (0.008333333333333333 * r + 0.041666666666666664) + (0.0001984126984126984 * r + 0.001388888888888889) * r2
        ) + p * r4
        p = ((r + 1.0) + (0.16666666666666666 * r + 0.5) * r2) + p * r4
        values[j] = 1.0 / (1.0 + p * ldexp(1.0, int(n)))


def _product(w: Floats, c: int, d: Floats, b: int, m: int) -> float:
    """The sum of w[c + j] * d[b + j], in four sums."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for j in range(m):
        place = j % 4 if j < m - m % 4 else 0
        sums[place] = sums[place] + w[c + j] * d[b + j]
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


def go_back(w: Floats, c: int, n: int, m: int, values: Floats, a: int, deltas: Floats, b: int) -> None:
    """deltas[a + i] = x (1 - x) times the error that comes back through row i of the weights, x being values[a + i]."""
    for i in range(n):
        x = values[a + i]
        deltas[a + i] = x * (1.0 - x) * _product(w, c + i * m, deltas, b, m)


def add_outer(w: Floats, c: int, n: int, m: int, values: Floats, a: int, g: Floats, b: int) -> None:
    """w[c + i*m + j] += values[a + i] * g[b + j]."""
    for i in range(n):
        x = values[a + i]
        if x != 0:
            for j in range(m):
                w[c + i * m + j] = w[c + i * m + j] + g[b + j] * x


def add_step(w: Floats, last: Floats, c: int, m: int, x: float, g: Floats, momentum: float, shrink: float) -> None:
    """The same for one row, w[c:c+m], with what is left of the last step, and less of the weight itself."""
    for j in range(m):
        step = (g[j] * x - shrink * w[c + j]) + momentum * last[c + j]
        last[c + j] = step
        w[c + j] = w[c + j] + step
