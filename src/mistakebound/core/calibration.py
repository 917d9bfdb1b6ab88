"""Probabilities of a learner that has only scores: how often each size of score was followed by which label.

The table is part of the count of a run: every row of the first pass adds the score that was made before its label was
heard.  Rows of later passes add nothing, because they have been learned before.
"""

from __future__ import annotations

from array import array
from math import exp, fsum

from mistakebound.core.fields import Fields
from mistakebound.core.persistence import Independent
from mistakebound.kernels import calibration as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints

CELLS = kernel.CELLS
MOST_LABELS = 1000  # of more there are no probabilities: every row would cost a table each
_PRIOR = 2.0  # rows that each cell has had before the first
_STEEP = 2.0  # what these say of z: the logistic function of so many times z


def _prior(cell: int) -> float:
    place = (cell - 16) / 16
    if abs(place) == 1:
        return 1 / 1024 if place < 0 else 1023 / 1024
    return 1 / (1 + exp(-max(-6.0, min(6.0, _STEEP * place / (1 - abs(place))))))


_BEFORE = [_prior(cell) for cell in range(CELLS)]


class CalibrationTable(Independent):
    """Of one question, "is it this label?": 33 cells of scores, each with its rows and those that were answered yes.

    >>> table = CalibrationTable()
    >>> for score, label in ((2.0, 1), (1.0, 1), (-1.0, 0), (1.0, 0), (2.0, 1)) * 20:
    ...     table.count(array("d", [score]), array("b", [label]), 0, 1)
    >>> [round(p, 2) for p in table.probabilities([2.0, 1.0, -1.0], 0.0)]
    [0.99, 0.54, 0.1]
    """

    __slots__ = ("_curve", "cells", "means")

    def __init__(self) -> None:
        self.cells = array("q", bytes(16 * CELLS))
        self.means = array("d", (0.0, 0.0))  # of the size of a score, and over how many rows
        self._curve: array[float] | None = None

    def copy(self) -> CalibrationTable:
        other = CalibrationTable()
        other.cells, other.means = self.cells[:], self.means[:]
        return other

    def count(self, scores: Floats, labels: Ints, first: int, last: int, theta: float = 0.0) -> None:
        """Rows first .. last-1, whose labels are 1 or others."""
        if kernel.count(scores, labels, first, last, theta, self.cells, self.means) != kernel.OK:
            raise AssertionError("scores and labels do not fit together")
        self._curve = None

    def merge(self, other: CalibrationTable) -> None:
        """Add the rows of another table; the mean size of a score is that of all rows."""
        rows = self.means[1] + other.means[1]
        if rows:
            self.means[0] += (other.means[0] - self.means[0]) * (other.means[1] / rows)
        self.means[1] = rows
        self.cells = array("q", [own + more for own, more in zip(self.cells, other.cells, strict=True)])
        self._curve = None

    @property
    def curve(self) -> array[float]:
        """The probability in the middle of each cell, ascending: shares of yes, made monotone (pool adjacent
        violators), each cell with two rows beforehand that follow a logistic curve."""
        if self._curve is None:
            rows = [no + yes + _PRIOR for no, yes in zip(self.cells[::2], self.cells[1::2], strict=True)]
            told = [yes + _PRIOR * share for yes, share in zip(self.cells[1::2], _BEFORE, strict=True)]
            self._curve = array("d", monotone(told, rows))
        return self._curve

    def probabilities(self, scores: Iterable[float], theta: float) -> array[float]:
        """Of each score the probability that the label is this one."""
        found = scores if isinstance(scores, array) else array("d", scores)
        out = array("d", bytes(8 * len(found)))
        if kernel.probabilities(found, theta, self.means[0], self.curve, out) != kernel.OK:
            raise AssertionError("the curve is not one of this table")
        return out

    def state(self) -> list[Any]:
        """As JSON: mean size and rows, then [cell, no, yes] of each cell that has rows."""
        counted = zip(range(CELLS), self.cells[::2], self.cells[1::2], strict=True)
        return [self.means[0], [[cell, no, yes] for cell, no, yes in counted if no or yes]]

    @classmethod
    def restore(cls, state: Any) -> CalibrationTable:
        """The inverse of `state`; ValueError when it makes no sense."""
        mean, counted = state if isinstance(state, list) and len(state) == 2 else (None, None)
        table, before = cls(), -1
        saved = Fields({"mean": mean, "cells": counted}, "the calibration")
        for entry in saved.values("cells"):
            cell, no, yes = Fields({"cell": entry}, "the calibration").wholes("cell", 3)
            if not before < cell < CELLS or no + yes == 0:
                raise ValueError(f"the calibration has no such cell: {entry}")
            before, table.cells[2 * cell], table.cells[2 * cell + 1] = cell, no, yes
        table.means[0], table.means[1] = saved.number("mean", 0), float(sum(table.cells))
        return table


class Calibration(Independent):
    """The tables of a run: of two labels one for the positive label, of more one for each."""

    __slots__ = ("tables",)

    def __init__(self) -> None:
        self.tables: dict[int, CalibrationTable] = {}

    def counted(self, parts: Iterable[tuple[int, Floats, Ints, int]], theta: float) -> dict[int, CalibrationTable]:
        """The tables with more rows: (code, scores, labels, first row that counts) for each of some labels."""
        tables = dict(self.tables)
        for code, scores, labels, first in parts:
            if first < len(scores) and (code in tables or len(tables) < MOST_LABELS):
                tables[code] = tables[code].copy() if code in tables else CalibrationTable()
                tables[code].count(scores, labels, first, len(scores), theta)
        return tables

    def merge(self, other: Calibration) -> None:
        """Add the rows of another run."""
        for code, table in other.tables.items():
            if code in self.tables:
                self.tables[code].merge(table)
            elif len(self.tables) < MOST_LABELS:
                self.tables[code] = table.copy()

    def of_pair(self, scores: Iterable[float], theta: float) -> array[float]:
        """Of each score the probability of the positive label."""
        return self.tables.get(1, CalibrationTable()).probabilities(scores, theta)

    def of_many(self, scores: dict[int, array[float]], theta: float) -> dict[int, array[float]]:
        """Of the scores that each label has for some rows, by its code, its probabilities; of a row they sum to 1."""
        found = {
            code: self.tables.get(code, CalibrationTable()).probabilities(own, theta) for code, own in scores.items()
        }
        wholes = [fsum(shares) for shares in zip(*found.values(), strict=True)]
        return {
            code: array("d", [share / whole for share, whole in zip(shares, wholes, strict=True)])
            for code, shares in found.items()
        }

    def state(self) -> dict[str, Any]:
        return {str(code): table.state() for code, table in self.tables.items()}

    @classmethod
    def restore(cls, state: dict[str, Any], labels: int) -> Calibration:
        made = cls()
        for code, table in state.items():
            if not code.isdecimal() or int(code) >= labels:
                raise ValueError(f"the calibration is not of a label: {code[:20]!r}")
            made.tables[int(code)] = CalibrationTable.restore(table)
        return made


def monotone(told: Sequence[float], rows: Sequence[float]) -> list[float]:
    """The ascending sequence nearest to told/rows, each cell weighing as its rows: pool adjacent violators.

    >>> monotone([1.0, 0.0, 3.0], [2.0, 2.0, 4.0])
    [0.25, 0.25, 0.75]
    """
    pools: list[tuple[float, float, int]] = []
    for part, whole in zip(told, rows, strict=True):
        pool = part, whole, 1
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            last = pools.pop()
            pool = last[0] + pool[0], last[1] + pool[1], last[2] + pool[2]
        pools.append(pool)
    return [part / whole for part, whole, cells in pools for _ in range(cells)]
