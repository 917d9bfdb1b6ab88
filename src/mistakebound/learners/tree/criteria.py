"""How much a test tells of the class: entropy, gain, split information, gain ratio (Mitchell 1997, 3.4 and 3.7).

Each takes counts, or a table, the name of a column and the labels.  Counts: one row per branch, one entry per class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def entropy(counts: Any) -> float:
    """The entropy of a distribution of classes, in bits.

    Parameters
    ----------
    counts : sequence of numbers
        Count of each class; >= 0.

    Returns
    -------
    float
        H = -sum of p * log2(p), p the shares of the classes; 0 for no rows.

    References
    ----------
    Mitchell 1997, Machine Learning, section 3.4.1.

    Examples
    --------
    >>> round(entropy([9, 5]), 4)
    0.9403
    """
    weights = _weights(counts, 1)
    return _bits(weights)


def information_gain(X: Any, column: str | None = None, y: Any = None, *, threshold: float | None = None) -> float:
    """The information gain of a test: the entropy of the classes less the average entropy within the branches, in bits.

    Parameters
    ----------
    X : sequence of sequences, or table
        Counts, one line per branch and one entry per class; or a table, with `column` and `y`.
    column : str or None, default None
        The column that is tested.  Rows without a value are left out.
    y : sequence, str or None, default None
        The labels, or the name of their column.
    threshold : float or None, default None
        For a numeric column the test is "value <= threshold".  None: the threshold of most gain.

    Returns
    -------
    float
        The gain; >= 0.

    References
    ----------
    Quinlan 1986, Induction of decision trees.  Mitchell 1997, Machine Learning, section 3.4.1.

    Examples
    --------
    >>> round(information_gain([[2, 3], [4, 0], [3, 2]]), 5)  # PlayTennis by Outlook: yes and no, one line per value
    0.24675
    """
    branches = _branches(X, column, y, threshold)
    return _gain(branches)


def split_information(X: Any, column: str | None = None, y: Any = None, *, threshold: float | None = None) -> float:
    """The split information of a test: the entropy of its branches themselves, in bits.

    Parameters
    ----------
    X, column, y, threshold
        As of `information_gain`.

    Returns
    -------
    float
        -sum of p * log2(p), p the shares of the rows that go to each branch.

    References
    ----------
    Quinlan 1986, Induction of decision trees.  Mitchell 1997, Machine Learning, section 3.7.3.

    Examples
    --------
    >>> round(split_information([[2, 3], [4, 0], [3, 2]]), 5)
    1.57741
    """
    return _bits(_branches(X, column, y, threshold).sum(axis=1))


def gain_ratio(X: Any, column: str | None = None, y: Any = None, *, threshold: float | None = None) -> float:
    """The gain ratio of a test: information gain over split information.

    Parameters
    ----------
    X, column, y, threshold
        As of `information_gain`.

    Returns
    -------
    float
        The ratio; 0 where all rows go one way.

    References
    ----------
    Quinlan 1986, Induction of decision trees.  Mitchell 1997, Machine Learning, section 3.7.3.

    Examples
    --------
    >>> round(gain_ratio([[2, 3], [4, 0], [3, 2]]), 5)
    0.15643
    """
    branches = _branches(X, column, y, threshold)
    parts = _bits(branches.sum(axis=1))
    return _gain(branches) / parts if parts > 0 else 0.0


def _bits(weights: NDArray[np.float64]) -> float:
    some = weights[weights > 0]
    if len(some) < 2:
        return 0.0
    shares = some / some.sum()
    return float(-(shares * np.log2(shares)).sum())


def _gain(branches: NDArray[np.float64]) -> float:
    total = branches.sum()
    if not total > 0:
        return 0.0
    left = sum(float(branch.sum()) * _bits(branch) for branch in branches) / float(total)
    return max(0.0, _bits(branches.sum(axis=0)) - left)


def _weights(counts: Any, dimensions: int) -> NDArray[np.float64]:
    try:
        weights = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadParameter(f"counts must be numbers: {counts!r}") from None
    if weights.ndim != dimensions or not np.all(np.isfinite(weights)) or np.any(weights < 0):
        rule = "one count >= 0 per class" if dimensions == 1 else "one row per branch, with one count >= 0 per class"
        raise BadParameter(f"counts must be {rule}: {counts!r}")
    return weights


def _branches(X: Any, column: str | None, y: Any, threshold: float | None) -> NDArray[np.float64]:
    if column is None:
        return _weights(X, 2)
    from mistakebound.core.table import label_codes
    from mistakebound.io.frame import split_label

    table, labels = split_label(X, y)
    classes, codes = label_codes(labels, table=table)
    tested = table.column(column)
    if tested.nominal:
        if threshold is not None:
            raise BadParameter(f"threshold must be none for a nominal column: {threshold!r}")
        return _counted(tested.data, codes, len(tested.values), len(classes))
    known = ~np.isnan(tested.data)
    numbers, codes = tested.data[known], codes[known]
    if threshold is not None:
        return _counted(numbers > threshold, codes, 2, len(classes))
    values = np.unique(numbers)
    tests = [_counted(numbers > low, codes, 2, len(classes)) for low in values[:-1]]
    return max(tests, key=_gain) if tests else _counted(numbers > np.inf, codes, 2, len(classes))


def _counted(branch: NDArray[Any], codes: NDArray[np.int32], branches: int, classes: int) -> NDArray[np.float64]:
    some = branch >= 0
    cells = np.bincount(branch[some].astype(np.int64) * classes + codes[some], minlength=branches * classes)
    return cells.reshape(branches, classes).astype(np.float64)
