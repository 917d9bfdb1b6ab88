"""Shares and standard deviations of attributes over a sample of rows, written out (see kernels/spread.py)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

FIRST = 1024


def weight(row: int) -> int:
    """How often a row counts; 0: it is not in the sample."""
    group = 1
    while FIRST * group <= row:
        group *= 2
    if group == 1:
        return 1
    start = row // group * group
    chosen = start + (row // group * 0x9E3779B97F4A7C15 % 2**64) * group // 2**64
    return group if row == chosen else 0


def spreads(rows: Sequence[dict[str, float]], names: Sequence[str]) -> tuple[list[float], list[float]]:
    """(share, deviation) of each name."""
    weights = [weight(row) for row in range(len(rows))]
    shares, deviations = [], []
    for name in names:
        count, mean, squares = 0, 0.0, 0.0
        for w, x in zip(weights, rows, strict=True):
            if w and name in x:
                count += w
                apart = x[name] - mean
                mean += apart * w / count
                squares += w * apart * (x[name] - mean)
        p = min(1.0, count / len(rows))
        square = squares / len(rows) + p * (1 - p) * mean**2
        shares.append(p)
        deviations.append(sqrt(square) if square < inf else inf)
    return shares, deviations
