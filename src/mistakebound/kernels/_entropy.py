"""The term of an entropy; the twin of _entropy.pxd."""

from __future__ import annotations

from math import log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.kernels._buffers import Floats


def x_log_x(x: float, table: Floats) -> float:
    """x log2 x, from the table where x is a whole number in it; with fractions the table is empty."""
    if x < len(table):
        return table[int(x)]
    return x * log2(x) if x > 0.0 else 0.0
