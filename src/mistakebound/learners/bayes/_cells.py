"""Counts by cell and class: a cell is a value of an attribute, or a word; both cells and classes may be added."""

from __future__ import annotations

from array import array

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_FEW = 16


class Cells:
    """`rows` counts a class, with room for more; `flat` is what the kernels take."""

    __slots__ = ("_room", "rows")

    def __init__(self, classes: int) -> None:
        self.rows = 0
        self._room: Floats = np.zeros((_FEW, classes))

    @property
    def counts(self) -> Floats:
        """One row a cell, one column a class: a view, to be read and added to."""
        return self._room[: self.rows]

    @property
    def flat(self) -> Floats:
        return self._room.reshape(-1)

    def add(self, count: int = 1) -> int:
        """So many more cells, of zeros; the number of the first."""
        first, rows = self.rows, self.rows + count
        if rows > len(self._room):
            grown = np.zeros((max(rows, 2 * len(self._room)), self._room.shape[1]))
            grown[:first] = self._room[:first]
            self._room = grown
        self.rows = rows
        return first

    def add_class(self, place: int) -> None:
        """One more class, before the one that is now at `place`."""
        self._room = np.ascontiguousarray(np.insert(self._room, place, 0.0, axis=1))

    def detached(self) -> Cells:
        """The same counts, which can be changed without these."""
        twin = object.__new__(Cells)
        twin.rows, twin._room = self.rows, self._room.copy()
        return twin

    def saved(self) -> Any:
        """The counts as an array of a model file."""
        flat = np.ascontiguousarray(self.counts).reshape(-1)
        return flat if flat.size else array("d")

    @classmethod
    def restore(cls, values: Any, rows: int, classes: int) -> Cells:
        """From the numbers of a model file; ValueError when they are not so many, or not counts."""
        counts = np.array(values, dtype=np.float64)
        if counts.size != rows * classes or not (np.isfinite(counts) & (counts >= 0)).all():
            raise ValueError("counts must be numbers >= 0, one a cell and class")
        cells = cls(classes)
        cells.add(rows)
        cells.counts[:] = counts.reshape(rows, classes)
        return cells
