"""Log loss, Brier score and the reliability diagram of rows, one at a time in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

UNIT = 2.0**40


def sums(rows: Sequence[tuple[Sequence[float], int]]) -> list[int]:
    """Of (probability of each label, number of the label): loss, squares, and of ten bins rows, told and true."""
    loss = squares = 0
    bins = [[0, 0, 0] for _ in range(10)]
    for shares, code in rows:
        loss += round(-log(max(shares[code], 2.0**-52)) * UNIT)
        place = 1 if len(shares) == 2 else max(range(len(shares)), key=lambda k: (shares[k], -k))
        missed = [share - (k == code) for k, share in enumerate(shares)]
        square = missed[1] ** 2 if len(shares) == 2 else sum(gap**2 for gap in missed)
        squares += round(square * UNIT)
        found = bins[min(int(shares[place] * 10), 9)]
        found[0] += 1
        found[1] += round(shares[place] * UNIT)
        found[2] += place == code
    return [loss, squares, *(number for found in bins for number in found)]
