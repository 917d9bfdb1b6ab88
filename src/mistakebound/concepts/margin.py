"""How far apart a sum with weights mu >= 0 can hold two sets of 0/1 instances: an exact linear program.

Littlestone's F(X, delta) (L §5) asks for mu >= 0 with mu.x >= 1 where f = 1 and <= 1 - delta where f = 0.
The largest delta is 1 - t for the least t in

    minimise t   subject to   mu.x >= 1 (x positive),   mu.x <= t (x negative),   mu >= 0, t >= 0.

Its dual has a row for each attribute and one more, and starts feasible at 0; the simplex method with Bland's
rule solves it in fractions, and the multipliers of its rows are mu and t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple


class Separation(NamedTuple):
    """f is delta-separated, and mu is the witness; attributes that mu does not name have weight 0."""

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
