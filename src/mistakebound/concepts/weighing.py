"""Weighted sums of many rows against a threshold, decided as exact arithmetic would.

Where weights, values and sums are integers below 2^53, the sums in doubles are exact. Elsewhere a bound on
the rounding error tells which rows the doubles decide; the others are weighed again in fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.instance import Exact, columns
from mistakebound.core.errors import BadData

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_EXACT = 2.0**53
_SMALL, _LARGE = 1e-250, 1e250  # weights beyond these could under- or overflow in doubles


def exceeds(
    X: Any, weights: Mapping[str, Exact], threshold: Exact, rule: str, names: Sequence[str] | None
) -> NDArray[np.uint8]:
    """For every row of X, 1 where the weighted sum is >= (or >) the threshold."""
    import numpy as np

    part, found = columns(X, weights, names)
    chosen = [weights[name] for name in found]
    values = part.astype(np.float64)
    entries = values.data if hasattr(values, "tocsr") else values
    if not np.isfinite(entries).all():
        raise BadData("a matrix of instances must hold finite numbers")
    largest = float(abs(entries).max()) if entries.size else 0.0
    scale = lcm(*(number.denominator for number in (*chosen, threshold)))
    whole = [int(weight * scale) for weight in chosen]
    goal = int(threshold * scale)
    size = sum(map(abs, whole))
    if max(size, abs(goal)) < _EXACT and size * largest < _EXACT and bool((entries == np.floor(entries)).all()):
        sums: NDArray[np.float64] = values @ np.array(whole, dtype=np.float64)
        return (sums >= goal if rule == ">=" else sums > goal).astype(np.uint8)
    labels, doubtful = _rounded(values, chosen, threshold)
    for row in np.flatnonzero(doubtful):
        total = _exact_sum(part, int(row), chosen)
        labels[row] = total >= threshold if rule == ">=" else total > threshold
    return labels


def _rounded(values: Any, weights: list[Exact], threshold: Exact) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The labels that doubles give, and the rows where rounding could have changed them."""
    import numpy as np

    rows = values.shape[0]
    sizes = [abs(Fraction(number)) for number in (*weights, threshold)]
    if not all(size == 0 or _SMALL < size < _LARGE for size in sizes):
        return np.zeros(rows, dtype=np.uint8), np.ones(rows, dtype=np.bool_)
    vector, goal = np.array([float(weight) for weight in weights]), float(threshold)
    with np.errstate(all="ignore"):  # an overflow makes the row doubtful
        sums = values @ vector
        # Reading a weight, reading a value, the product and each of the additions may be off by 2^-53 of what
        # they give; half of the bound is to spare. The last term covers products that underflow.
        spread = abs(values) @ abs(vector) + abs(goal)
        error = (len(weights) + 8) * (2.0**-52 * spread + 1e-300)
        doubtful = ~(abs(sums - goal) > error)
    return (sums > goal).astype(np.uint8), doubtful


def _exact_sum(part: Any, row: int, weights: list[Exact]) -> Exact:
    if hasattr(part, "tocsr"):
        span = slice(part.indptr[row], part.indptr[row + 1])
        cells = zip(part.indices[span].tolist(), part.data[span].tolist(), strict=True)
    else:
        cells = enumerate(part[row].tolist())  # type: ignore[assignment]
    return sum((weights[column] * Fraction(value) for column, value in cells), Fraction(0))
