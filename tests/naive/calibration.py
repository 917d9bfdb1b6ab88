"""The calibration table, one row at a time in plain Python; isotonic regression by its max-min formula."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp

CELLS = 33


class Table:
    def __init__(self, prior: float = 2.0, steep: float = 2.0) -> None:
        self.prior, self.steep = prior, steep
        self.mean, self.rows = 0.0, 0.0
        self.no, self.yes = [0.0] * CELLS, [0.0] * CELLS

    def place(self, score: float) -> float:
        if self.mean <= 0:
            return 16.0
        return 16.0 + 16.0 * (score / (self.mean + abs(score)))

    def count(self, score: float, label: int, weight: float = 1.0) -> None:
        self.rows += weight
        self.mean += (abs(score) - self.mean) * weight / self.rows
        counts = self.yes if label == 1 else self.no
        counts[int(self.place(score) + 0.5)] += weight

    def curve(self) -> list[float]:
        rows = [no + yes + self.prior for no, yes in zip(self.no, self.yes, strict=True)]
        told = [yes + self.prior * before(cell, self.steep) for cell, yes in enumerate(self.yes)]
        return isotonic(told, rows)

    def probability(self, score: float) -> float:
        curve, at = self.curve(), self.place(score)
        cell = int(at)
        return curve[-1] if cell >= CELLS - 1 else curve[cell] + (at - cell) * (curve[cell + 1] - curve[cell])


def before(cell: int, steep: float = 2.0) -> float:
    """What is believed of a cell before the first row."""
    place = (cell - 16) / 16
    if abs(place) == 1:
        return 1 / 1024 if place < 0 else 1023 / 1024
    return 1 / (1 + exp(-max(-6.0, min(6.0, steep * place / (1 - abs(place))))))


def isotonic(told: Sequence[float], rows: Sequence[float]) -> list[float]:
    """The largest over all beginnings of the smallest over all ends of the mean in between."""
    size, above, below = len(rows), [0.0, *accumulate(told)], [0.0, *accumulate(rows)]

    def mean(first: int, last: int) -> float:
        return (above[last + 1] - above[first]) / (below[last + 1] - below[first])

    return [max(min(mean(i, j) for j in range(at, size)) for i in range(at + 1)) for at in range(size)]
