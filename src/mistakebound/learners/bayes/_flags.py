"""What naive Bayes has counted of attributes that are 0 or 1: an attribute that is not in an instance is 0.

Every example says something about every flag.  The log of a class is a sum over all flags as if each were 0, which is
done once, and for each flag that is 1 the difference.  Where an estimate is 0 (m = 0) zeros are counted apart.
"""

from __future__ import annotations

from array import array

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.instance import column_names
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.learners.bayes._cells import Cells
from mistakebound.learners.bayes._sparse import Entries, SparseCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.learners.bayes._cells import Floats
    from mistakebound.learners.bayes._smoothing import Smoothing
    from mistakebound.learners.bayes._sparse import Codes, SparseRow

_VALUES = 2


class FlagCounts(SparseCounts):
    form = "flags"
    rule = "0 or 1"

    def __init__(self, classes: int, declared: Sequence[str] | None = None) -> None:
        self.missing = Cells(classes)  # by cell: examples in which it was missing
        super().__init__(classes, declared)

    def add_class(self, place: int) -> None:
        super().add_class(place)
        self.missing.add_class(place)

    def drop_class(self, place: int) -> None:
        super().drop_class(place)
        self.missing.drop_class(place)

    def _more_cells(self, count: int) -> None:
        super()._more_cells(count)
        self.missing.add(count)

    def _good(self, values: Floats) -> npt.NDArray[np.bool_]:
        good: npt.NDArray[np.bool_] = (values == 0) | (values == 1)
        return good

    def learn_one(self, x: SparseRow, label: int, weight: float) -> None:
        self.enter(x.names)
        self.enter(x.missing)
        ones, missing, classes = self.cells.flat, self.missing.flat, self.classes
        for slot, value in zip(self.slots_of(x.names), x.values, strict=True):
            ones[slot * classes + label] += value * weight
        for slot in self.slots_of(x.missing):
            missing[slot * classes + label] += weight
        self.totals[label] += weight
        self._logs = None

    def learn_many(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        """Count all rows; nothing is counted of a matrix with a number that is not 0 or 1."""
        if isinstance(X, np.ndarray):
            self._learn_dense(X, names, labels, weights)
        else:
            entries = Entries(X)
            self.check_values(entries, names)
            self.count(entries, self.column_slots(entries.width, names, enter=True), labels, weights)
        self.totals += np.bincount(labels, weights if len(weights) else None, self.classes)
        self._logs = None

    def _learn_dense(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        cells, wide = dense_codes(X, self.form)
        rows, width = X.shape
        count = kernel.count64 if wide else kernel.count32
        counts = np.zeros((width, _VALUES + 1, self.classes))
        if width:
            done = count(cells, width, rows, -1, _VALUES, labels, weights, self.classes, counts.reshape(-1))
            if done != rows:
                self._refuse(X, done, names)
        slots = self.column_slots(width, names, enter=True)
        self.missing.counts[slots] += counts[:, 0]
        self.cells.counts[slots] += counts[:, 2]

    def _refuse(self, X: Any, row: int, names: Sequence[str] | None) -> None:
        column = int(np.flatnonzero(~self._good(X[row]) & (X[row] == X[row]))[0])
        name = column_names(X.shape[1], names)[column]
        raise BadData(f"{name!r} has the value {X[row, column]:g}, but these attributes are flags: 0 or 1", row=row)

    def add_scores(self, x: SparseRow, smoothing: Smoothing, scores: Any) -> None:
        """What a row adds to the log of each class; a flag that was never seen adds nothing."""
        slots = [s for s, v in zip(self.slots_of(x.names), x.values, strict=True) if s >= 0 and v]
        absent = [slot for slot in self.slots_of(x.missing) if slot >= 0]
        slots.sort()
        entries = array("q", [0, len(slots)]), array("i", slots), array("d")

        def add(on: Floats, off: Floats, out: Floats) -> None:
            self.add_entries(entries, 1, on, out.reshape(-1))
            for slot in absent:
                out -= off[slot]

        self._add(smoothing, np.asarray(scores).reshape(1, -1), add)

    def add_many_scores(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        """As `add_scores` for every row."""
        if isinstance(X, np.ndarray):
            self._add_dense(X, names, smoothing, scores)
            return
        entries = Entries(X)
        self.check_values(entries, names)
        columns = self.slotted(entries, self.column_slots(entries.width, names, enter=False))

        def add(on: Floats, off: Floats, out: Floats) -> None:
            self.add_entries((entries.indptr, columns, entries.values), entries.rows, on, out.reshape(-1))

        self._add(smoothing, scores, add)

    def _add_dense(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        cells, wide = dense_codes(X, self.form)
        rows, width = X.shape
        good = (cells >= -1) & (cells < _VALUES)
        if not good.all():
            self._refuse(X, int(np.flatnonzero(~good)[0]) // width, names)
        slots = self.column_slots(width, names, enter=False)
        known = np.flatnonzero(slots >= 0)
        add_codes = kernel.add64 if wide else kernel.add32

        def add(on: Floats, off: Floats, out: Floats) -> None:
            table = np.zeros((width, _VALUES + 1, self.classes))
            table[known, 0] = -off[slots[known]]
            table[known, 2] = on[slots[known]]
            if width and add_codes(cells, width, rows, _VALUES, self.classes, table.reshape(-1), out.reshape(-1)):
                raise AssertionError("buffers do not fit together")

        self._add(smoothing, scores, add)

    def _add(self, smoothing: Smoothing, scores: Floats, add: Callable[[Floats, Floats, Floats], None]) -> None:
        """add(what a 1 adds to a 0, what a 0 adds, sums) for the logs, and for numbers of zeros where there are any."""
        if self._logs is None:
            self._logs = self._tables(smoothing)
        for place, (on, off) in enumerate(self._logs):
            sums = scores if place == 0 else np.zeros(scores.shape)
            sums += off.sum(axis=0)
            add(on - off, off, sums)
            if place:
                scores[sums > 0.5] = -np.inf

    def _tables(self, smoothing: Smoothing) -> list[tuple[Floats, Floats]]:
        on, off = self.estimates(smoothing)
        never = [np.isneginf(logs) for logs in (on, off)]
        if not never[0].any() and not never[1].any():
            return [(on, off)]
        finite = [np.where(zero, 0.0, logs) for zero, logs in zip(never, (on, off), strict=True)]
        return [(finite[0], finite[1]), (never[0].astype(np.float64), never[1].astype(np.float64))]

    def estimates(self, smoothing: Smoothing) -> tuple[Floats, Floats]:
        """Logs of the probabilities of 1 and of 0, a row a flag."""
        ones = np.ascontiguousarray(self.cells.counts)
        among = self.totals - self.missing.counts
        on, off = np.empty(ones.shape), np.empty(ones.shape)
        if ones.size:
            for how, counts, out in ((smoothing, ones, on), (smoothing.of_absence(), among - ones, off)):
                how.estimate(counts.reshape(-1), among.reshape(-1), self.classes, _VALUES, out.reshape(-1))
        return on, off

    def zeros(self, x: SparseRow) -> Iterator[tuple[int, str]]:
        """(class, flag with its value) for what never came with the class, though it came with another."""
        on = {name for name, value in zip(x.names, x.values, strict=True) if value}
        for name, slot in self.slots.items():
            if name not in x.missing:
                among = self.totals - self.missing.counts[slot]
                ones = self.cells.counts[slot]
                never = (ones if name in on else among - ones) == 0
                for label in np.flatnonzero(never & (among > 0)).tolist():
                    yield label, f"{name}={int(name in on)}"

    def zero_estimates(self) -> int:
        among, ones = self.totals - self.missing.counts, self.cells.counts
        return int((((ones == 0) | (ones == among)) & (among > 0)).sum())

    def evidence(self) -> tuple[list[str], Floats, Floats, Floats]:
        """By flag: its name, its ones by class, the examples of each class in which it is not missing, 2."""
        counts = self.cells.counts
        sizes = np.full(len(self.slots), float(_VALUES))
        return list(self.slots), counts, self.totals - self.missing.counts, sizes

    def _merge_cells(self, slots: list[int], other: Any) -> None:
        super()._merge_cells(slots, other)
        self.missing.counts[slots] += other.missing.counts

    def arrays(self) -> dict[str, Any]:
        return super().arrays() | {"missing": self.missing.saved()}

    def _restore_cells(self, arrays: Any) -> None:
        super()._restore_cells(arrays)
        self.missing = Cells.restore(arrays["missing"], len(self.slots), self.classes)
        if (self.missing.counts + self.cells.counts > self.totals).any():
            raise ValueError("a flag was there more often than there were examples")


def dense_codes(X: Any, form: str) -> tuple[Any, bool]:
    """A 2-D array of whole numbers as one buffer, and whether its numbers have 64 bits; NaN becomes -1."""
    if X.dtype.kind == "f":
        whole = np.where(np.isnan(X), -1, X).astype(np.int64)
        wrong = (whole != X) & ~np.isnan(X)
        if wrong.any():
            row, column = (int(place[0]) for place in np.nonzero(wrong))
            raise BadData(f"{X[row, column]:g} in column {column + 1} is no value of {form}", row=row)
        return whole.reshape(-1), True
    if X.dtype.kind == "i" and X.size and X.min() < 0:
        row, column = (int(place[0]) for place in np.nonzero(X < 0))
        raise BadData(f"{X[row, column]:g} in column {column + 1} is no value of {form}", row=row)
    if X.dtype.itemsize < 4 or X.dtype == np.int32:
        return np.ascontiguousarray(X, dtype=np.int32).reshape(-1), False
    return np.ascontiguousarray(X, dtype=np.int64).reshape(-1), True
