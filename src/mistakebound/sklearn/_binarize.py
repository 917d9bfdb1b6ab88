"""Flags from numbers, for learners that take the values 0 and 1 only."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mistakebound.core.errors import BadParameter

_ROWS = 1000  # the medians are those of so many rows, the first ones


class Flags:
    """What `binarize` makes of a matrix: a flag for each column, or for each side of its running median.

    Parameters
    ----------
    rule : "median", float or None
        "median": `x > m` and `x <= m`, m the median of the first 1,000 rows (of all rows until then).  A number t:
        the flag `x > t`.  None: the values must be 0 and 1.
    """

    def __init__(self, rule: Any) -> None:
        if not (rule is None or rule == "median" or _is_number(rule)):
            raise BadParameter(f"binarize must be 'median', a number or None: {rule!r}")
        self.rule = rule
        self.rows: Any = None  # what the medians are of, with their weights
        self.weights: Any = None
        self.cuts: Any = None

    def look_at(self, X: Any, weights: Any = None) -> None:
        """Takes rows into account that are about to be learned."""
        if self.rule != "median" or (self.rows is not None and len(self.rows) >= _ROWS):
            return
        weights = np.ones(len(X)) if weights is None else weights
        if self.rows is not None:
            X, weights = np.vstack([self.rows, X]), np.concatenate([self.weights, weights])
        self.rows, self.weights = X[:_ROWS], weights[:_ROWS]
        self.cuts = np.array([_median(column, self.weights) for column in self.rows.T])

    def names(self, columns: list[str] | None) -> list[str] | None:
        """The names of the flags."""
        if columns is None or self.rule is None:
            return columns
        if self.rule != "median":
            return [f"{column}>{self.rule:g}" for column in columns]
        return [f"{name}>median" for name in columns] + [f"{name}<=median" for name in columns]

    def transform(self, X: Any) -> Any:
        """The flags of a matrix."""
        if self.rule is None:
            return X
        if self.rule == "median":
            above = self.cuts < X
            return np.hstack([above, ~above]).astype(float)
        if not sparse.issparse(X):
            return (self.rule < X).astype(float)
        if self.rule < 0:
            raise BadParameter(f"binarize must be >= 0 for a sparse X, whose zeros are not stored: {self.rule}")
        return (X > self.rule).astype(float).tocsr()  # noqa: SIM300 - a method of the matrix


def _median(values: Any, weights: Any) -> Any:
    """The median of values with weights: that of the values repeated so often."""
    order = np.argsort(values, kind="stable")
    values, sums = values[order], np.cumsum(weights[order])
    low = values[np.searchsorted(sums, sums[-1] / 2, side="left")]
    high = values[min(np.searchsorted(sums, sums[-1] / 2, side="right"), len(values) - 1)]
    return (low + high) / 2


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
