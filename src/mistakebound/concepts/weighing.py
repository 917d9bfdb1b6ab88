"""Weighted sums, exactly: many rows against a threshold, and how far apart a sum can hold two sets of instances.

Where weights, values and sums are integers below 2^53, the sums in doubles are exact. Elsewhere a bound on the rounding
error tells which rows the doubles decide; the others are weighed again in fractions.

Littlestone's F(X, delta) asks for mu >= 0 with mu.x >= 1 where f = 1 and <= 1 - delta where f = 0.
The largest delta is 1 - t for the least t in

    minimise t   subject to   mu.x >= 1 (x positive),   mu.x <= t (x negative),   mu >= 0, t >= 0.

Its dual has a row for each attribute and one more, and starts feasible at 0; the simplex method with Bland's
rule solves it in fractions, and the multipliers of its rows are mu and t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Separation(NamedTuple):
    """The separation of a concept: it is `delta`-separated, and `mu` is the witness.

    Parameters
    ----------
    delta : Fraction
        The separation.
    mu : mapping
        Attribute to weight; those that it does not name have weight 0.

    Examples
    --------
    >>> from mistakebound.concepts import RofKThreshold
    >>> RofKThreshold(2, ["1", "2", "3"]).separation().delta
    Fraction(1, 2)
    """

    delta: Fraction
    mu: dict[str, Fraction]


def widest_gap(
    width: int, positives: Iterable[int], negatives: Iterable[int]
) -> tuple[Fraction, list[Fraction]] | None:
    """The largest delta (it may be <= 0) and a mu for it; None where an all-zero instance is positive.

    Instances are bit masks over `width` attributes, attribute j being bit j.
    """
    # Since mu >= 0, only the smallest positive and the largest negative instances matter.
    above = _extreme(positives, lambda a, b: a & b == b)
    below = _extreme(negatives, lambda a, b: a | b == b)
    if 0 in above:
        return None
    # Columns: a multiplier for each instance, then a slack for each row; then the right-hand side.
    rows = [[Fraction(x >> j & 1) for x in above] + [Fraction(-(x >> j & 1)) for x in below] for j in range(width)]
    rows.append([Fraction(0)] * len(above) + [Fraction(1)] * len(below))
    for i, row in enumerate(rows):
        row += [Fraction(i == j) for j in range(width + 1)] + [Fraction(i == width)]
    costs = [Fraction(-1)] * len(above) + [Fraction(0)] * (len(below) + width + 2)
    _simplex(rows, costs, first_slack=len(above) + len(below))
    multipliers = costs[len(above) + len(below) : -1]
    return 1 - multipliers[width], multipliers[:width]


def _extreme(masks: Iterable[int], covers: Callable[[int, int], bool]) -> list[int]:
    distinct = sorted(set(masks))
    return [a for a in distinct if not any(a != b and covers(a, b) for b in distinct)]


def _simplex(rows: list[list[Fraction]], costs: list[Fraction], first_slack: int) -> None:
    """Pivot in place until no cost is negative. Bland's rule, the lowest index first, makes it end."""
    basis = [first_slack + i for i in range(len(rows))]
    while (enter := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        # Bounded: every positive instance has an attribute, so t = the width is enough for the dual.
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(rows) if row[enter] > 0]
        leave = min(ratios)[2]
        basis[leave] = enter
        pivot = rows[leave]
        scale = pivot[enter]
        pivot[:] = [entry / scale if entry else entry for entry in pivot]
        for row in (*rows[:leave], *rows[leave + 1 :], costs):
            if factor := row[enter]:
                row[:] = [entry - factor * p if p else entry for entry, p in zip(row, pivot, strict=True)]
