"""The hypothesis of least squared error, by definition: what maximum likelihood is under Gaussian noise (row Y3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mistakebound.theory.bayes.likelihood import squared_error
from mistakebound.theory.bayes.prior import hypotheses_of


def least_squares(hypotheses: Iterable[Any], data: Iterable[tuple[Any, Any]]) -> Any:
    """The first hypothesis that makes the sum of (t - h(x))^2 smallest.

    >>> lines = [lambda x, slope=slope: slope * x for slope in (1, 2, 3)]
    >>> least_squares(lines, [(1, 1.8), (2, 4.1), (3, 6.3)]) is lines[1]
    True
    """
    shown = tuple(data)
    return min(hypotheses_of(hypotheses), key=lambda h: squared_error(h, shown))
