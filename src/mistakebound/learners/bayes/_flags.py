"""What naive Bayes has counted of attributes that are 0 or 1: an attribute that is not in an instance is 0.

Every example says something about every flag.  The log of a class is a sum over all flags as if each were 0, which is
done once, and for each flag that is 1 the difference.  Where an estimate is 0 (m = 0) zeros are counted apart.
"""

from __future__ import annotations

from array import array

import numpy as np

from mistakebound.core.atomic import commit
from mistakebound.core.errors import BadData
from mistakebound.core.instance import column_names
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.kernels import naive_bayes_rows as row_kernel
from mistakebound.learners.bayes._cells import Cells
from mistakebound.learners.bayes._sparse import SOME_ZERO, SparseCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Self

    from mistakebound.core.atomic import Change
    from mistakebound.learners.bayes._cells import Floats, Smoothing
    from mistakebound.learners.bayes._sparse import Codes, SparseRow

_VALUES = 2
_MISSING = 2  # beside 0 and 1, to the kernel
_GOOD = {0, 1}
_CELLS = 1 << 16  # that stay near at hand
_NO_TOTALS = array("d")


class FlagCounts(SparseCounts):
    form = "flags"
    rule = "0 or 1"

    def __init__(self, classes: int, declared: Sequence[str] | None = None) -> None:
        self.missing = Cells(classes)  # by cell: examples in which it was missing
        super().__init__(classes, declared)

    def add_class(self, place: int) -> None:
        super().add_class(place)
        self.missing.add_class(place)

    def detached(self) -> Self:
        twin = super().detached()
        twin.missing = self.missing.detached()
        return twin

    def forget(self, mark: int) -> None:
        super().forget(mark)
        self.missing.rows = mark

    def _more_cells(self, count: int) -> None:
        super()._more_cells(count)
        self.missing.add(count)

    most = 1.0
    worst = SOME_ZERO

    def good(self, number: float) -> bool:
        return number in (0, 1)

    def all_good(self, numbers: list[float]) -> bool:
        return {*numbers} <= _GOOD

    def learn_one(self, x: SparseRow, label: int, weight: float, done: array[int]) -> None:
        slots, absent = self.entered(x.names), self.entered(x.missing)
        if absent:
            missing, ones, apart = self.missing.detached(), array("d", [1.0]) * len(absent), array("q", (0,))
            words = row_kernel.Words(absent, ones)
            if row_kernel.count_words(words, label, weight, self.classes, missing.flat, _NO_TOTALS, False, apart):
                raise AssertionError("flags do not fit the counts")
            counting = self._counting(slots, array("d", x.values), label, weight, done)
            commit([counting, (setattr, self, "missing", missing)])
            if not done[0]:
                raise AssertionError("flags do not fit the counts")
        else:
            self._learn(slots, array("d", x.values), label, weight, done)

    def ordinary(self, numbers: array[float]) -> bool:
        return {*numbers} <= _GOOD

    def _learn(self, slots: array[int], values: array[float], label: int, weight: float, done: array[int]) -> None:
        count, *what = self._counting(slots, values, label, weight, done)
        if count(*what):
            raise AssertionError("flags do not fit the counts")

    def _counting(self, slots: array[int], values: array[float], label: int, weight: float, done: array[int]) -> Change:
        self._logs = None
        words, counts = row_kernel.Words(slots, values), self.cells.flat
        return row_kernel.count_words, words, label, weight, self.classes, counts, self.totals, False, done

    def learn_many(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        """Count all rows; nothing is counted of a matrix with a number that is not 0 or 1."""
        if isinstance(X, np.ndarray):
            self._learn_dense(X, names, labels, weights)
        else:
            self.count(X, names, labels, weights)
        self.totals += np.bincount(labels, weights if len(weights) else None, self.classes)
        self._logs = None

    def _learn_dense(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        width = X.shape[1]
        counts = np.zeros((width, _VALUES + 1, self.classes))
        for first, last, codes in _code_blocks(X, names):
            part = weights[first:last] if len(weights) else weights
            told = kernel.LabelledRows(labels[first:last], part, self.classes)
            if width and last - first != kernel.count_codes(codes, width, -1, _VALUES, told, counts.reshape(-1)):
                raise AssertionError("codes do not fit the columns")
        slots = self._all_slots(width, names, enter=True)
        self.missing.counts[slots] += counts[:, 0]
        self.cells.counts[slots] += counts[:, 2]

    def _all_slots(self, width: int, names: Sequence[str] | None, enter: bool) -> Codes:
        slots = self.column_slots(width, names, enter=enter)
        return np.arange(width, dtype=np.int32) if slots is None else slots

    def add_scores(self, x: SparseRow, smoothing: Smoothing, scores: Any) -> None:
        """What a row adds to the log of each class; a flag that was never seen adds nothing."""
        marks = bytearray(len(self.slots))
        for slot, value in zip(map(self.slots.get, x.names), x.values, strict=True):
            if value and slot is not None:
                marks[slot] = 1
        for slot in self.slots_of(x.missing):
            if slot >= 0:
                marks[slot] = _MISSING
        self._score(marks, smoothing, scores)

    def score_quick(self, x: Any, smoothing: Smoothing, scores: Any) -> bool:
        """As `read` and `add_scores`, for a mapping with nothing unusual about it; false for any other."""
        found = self.quick(x, True)
        if found is None:
            return False
        marks = bytearray(self.cells.rows)
        for slot, value in zip(*found, strict=True):
            if value:
                marks[slot] = 1
        self._score(marks, smoothing, scores)
        return True

    def _score(self, marks: bytearray, smoothing: Smoothing, scores: Any) -> None:
        ones, missing, totals = self.cells.flat, self.missing.flat, self.totals
        if row_kernel.score_flags(marks, self.classes, ones, missing, totals, smoothing.m, smoothing.p, scores):
            raise AssertionError("flags do not fit the counts")

    def add_many_scores(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        """As `add_scores` for every row."""
        if isinstance(X, np.ndarray):
            self._add_dense(X, names, smoothing, scores)
            return
        add_entries = self.scorer(X, names)
        self._add(smoothing, scores, lambda on, off, out: add_entries(on, out))

    def _add_dense(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        width = X.shape[1]
        slots = self._all_slots(width, names, enter=False)
        known = np.flatnonzero(slots >= 0)

        def add(on: Floats, off: Floats, out: Floats) -> None:
            table = np.zeros((width, _VALUES + 1, self.classes))
            table[known, 0] = -off[slots[known]]
            table[known, 2] = on[slots[known]]
            for first, last, codes in _code_blocks(X, names):
                part = out[first:last].reshape(-1)
                flat = table.reshape(-1)
                if width and kernel.add_codes(codes, width, last - first, _VALUES, self.classes, flat, part):
                    raise AssertionError("codes do not fit the columns")

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
        """Logs of the probabilities of 1 and of 0, one row per flag."""
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

    def terms(self, x: SparseRow, smoothing: Smoothing) -> Iterator[tuple[str, Floats]]:
        """(flag with its value, the logs that it adds, by class) for all flags that are not missing in x."""
        flagged = {name for name, value in zip(x.names, x.values, strict=True) if value}
        on, off = self.estimates(smoothing)
        for name, slot in self.slots.items():
            if name not in x.missing:
                yield f"{name}={int(name in flagged)}", (on if name in flagged else off)[slot]

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


def _code_blocks(X: Any, names: Sequence[str] | None) -> Iterator[tuple[int, int, Codes]]:
    """(first row, row behind the last, codes 0, 1 and -1 for NaN) of some rows at a time, near at hand."""
    step = max(1, _CELLS // max(1, X.shape[1]))
    for first in range(0, len(X), step):
        block = X[first : first + step]
        if X.dtype.kind == "f":
            numbers = np.ascontiguousarray(block, dtype=np.float64).reshape(-1)
            codes = np.empty(block.size, np.int32)
            good = kernel.flag_codes(numbers.view(np.uint64).data, codes) == 0
            if not good:  # of a zero with a sign, too
                good = bool(((numbers == 0) | (numbers == 1) | (numbers != numbers)).all())
                codes[:] = np.where(numbers != numbers, -1, numbers == 1)
        else:
            good = X.dtype.kind == "b" or block.size == 0 or (block.min() >= 0 and block.max() < _VALUES)
            codes = np.ascontiguousarray(block, dtype=np.int32).reshape(-1)
        if not good:
            row, column = (int(place[0]) for place in np.nonzero(~((block == 0) | (block == 1) | (block != block))))
            name = column_names(X.shape[1], names)[column]
            message = f"{name!r} has the value {block[row, column]:g}, but these attributes are flags: 0 or 1"
            raise BadData(message, row=first + row)
        yield first, first + len(block), codes
