"""The m-estimate (Mitchell, section 6.9.1.1): (n_c + m p)/(n + m), m examples that are imagined beside those seen."""

from __future__ import annotations

import numpy as np

from mistakebound.kernels import naive_bayes_rows as row_kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.bayes._cells import Floats

LAPLACE, UNIFORM = "laplace", "uniform"


class Smoothing:
    """m and p as the kernels take them: below 0 what depends on the number of values, m = values and p = 1/values."""

    __slots__ = ("m", "p")

    def __init__(self, m: Any, p: Any) -> None:
        self.m: float = -1.0 if m == LAPLACE else m
        self.p: float = -1.0 if p == UNIFORM else p

    @property
    def none(self) -> bool:
        """Whether an estimate can be 0."""
        return self.m == 0.0

    def of_absence(self) -> Smoothing:
        """The same for an attribute that is 0 or 1: the prior of the 0."""
        other = Smoothing(0.0, 0.0)
        other.m, other.p = self.m, self.p if self.p < 0 else 1.0 - self.p
        return other

    def plain(self, counts: Floats, totals: Floats, sizes: Floats) -> Floats:
        """The estimates themselves, one row a value, which is one of so many."""
        sizes = sizes[:, None]
        m = sizes if self.m < 0 else self.m
        p = 1 / sizes if self.p < 0 else self.p
        among = totals + m
        found: Floats = np.where(among > 0, (counts + m * p) / np.where(among > 0, among, 1.0), p)
        return found

    def estimate(self, counts: Any, totals: Any, classes: int, size: int, out: Any) -> None:
        """out = the logs of the estimates of the counts; totals: one a class, or one for each of the counts."""
        if row_kernel.estimate(counts, totals, classes, self.m, self.p, size, out):
            raise AssertionError("buffers do not fit together")
