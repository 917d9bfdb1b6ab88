"""What naive Bayes has counted of words (Mitchell, table 6.2): how often each stood in the documents of each class.

n is the number of words in the documents of a class, and the vocabulary are the values that a word can have.
"""

from __future__ import annotations

from array import array

import numpy as np

from mistakebound.learners.bayes._sparse import Entries, SparseCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.learners.bayes._cells import Floats
    from mistakebound.learners.bayes._smoothing import Smoothing
    from mistakebound.learners.bayes._sparse import Codes, SparseRow


class WordCounts(SparseCounts):
    form = "words"
    rule = "a number of times, finite and >= 0"

    def _good(self, values: Floats) -> npt.NDArray[np.bool_]:
        good: npt.NDArray[np.bool_] = np.isfinite(values) & (values >= 0)
        return good

    def learn_one(self, x: SparseRow, label: int, weight: float) -> None:
        self.enter(x.names)
        room, classes = self.cells.flat, self.classes
        for slot, value in zip(self.slots_of(x.names), x.values, strict=True):
            room[slot * classes + label] += value * weight
        self.totals[label] += sum(x.values) * weight
        self._logs = None

    def learn_many(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        """Count all rows; nothing is counted of a matrix with a number that cannot be."""
        entries = Entries(X)
        self.check_values(entries, names)
        self.count(entries, self.column_slots(entries.width, names, enter=True), labels, weights)
        self.totals = self.cells.counts.sum(axis=0)

    def add_scores(self, x: SparseRow, smoothing: Smoothing, scores: Any) -> None:
        """What a row adds to the log of each class; a word that was never seen adds nothing."""
        found = [(s, v) for s, v in zip(self.slots_of(x.names), x.values, strict=True) if s >= 0]
        if found:
            found.sort()
            slots = [slot for slot, _ in found]
            logs = self._estimates(smoothing, self.cells.counts[slots]) if self._logs is None else self._logs[slots]
            counts = array("d", [value for _, value in found])
            self.add_entries((array("q", [0, len(found)]), array("i", range(len(found))), counts), 1, logs, scores)

    def add_many_scores(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        """As `add_scores` for every row."""
        entries = Entries(X)
        self.check_values(entries, names)
        columns = self.slotted(entries, self.column_slots(entries.width, names, enter=False))
        if self._logs is None:
            self._logs = self._estimates(smoothing, np.ascontiguousarray(self.cells.counts))
        self.add_entries((entries.indptr, columns, entries.values), entries.rows, self._logs, scores.reshape(-1))

    def _estimates(self, smoothing: Smoothing, counts: Floats) -> Floats:
        logs = np.empty(counts.shape)
        if counts.size:
            smoothing.estimate(counts.reshape(-1), self.totals, self.classes, len(self.slots), logs.reshape(-1))
        return logs

    def zeros(self, x: SparseRow) -> Iterator[tuple[int, str]]:
        """(class, word) for the words of x that never came with the class, though they came with another."""
        for name, value, slot in zip(x.names, x.values, self.slots_of(x.names), strict=True):
            if value and slot >= 0:
                for label in np.flatnonzero(self.cells.counts[slot] == 0).tolist():
                    yield label, name

    def zero_estimates(self) -> int:
        return int(((self.cells.counts == 0) & (self.totals > 0)).sum())

    def evidence(self) -> tuple[list[str], Floats, Floats, Floats]:
        """By word: its name, its counts by class, the words of each class, words in the vocabulary."""
        counts = self.cells.counts
        sizes = np.full(len(self.slots), float(len(self.slots)))
        return list(self.slots), counts, np.broadcast_to(self.totals, counts.shape), sizes
