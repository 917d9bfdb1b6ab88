"""What naive Bayes has counted of words (Mitchell, table 6.2): how often each stood in the documents of each class.

n is the number of words in the documents of a class, and the vocabulary are the values that a word can have.
"""

from __future__ import annotations

from array import array
from math import inf

import numpy as np

from mistakebound.kernels import naive_bayes_rows as row_kernel
from mistakebound.learners.bayes._sparse import COUNTS, SparseCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.learners.bayes._cells import Floats, Smoothing
    from mistakebound.learners.bayes._sparse import Codes, SparseRow


class WordCounts(SparseCounts):
    form = "words"
    rule = "a number of times, finite and >= 0"

    most = 1.7976931348623157e308
    worst = COUNTS

    def good(self, number: float) -> bool:
        return 0 <= number < inf

    def all_good(self, numbers: list[float]) -> bool:
        return not numbers or (min(numbers) >= 0 and sum(numbers) < inf)

    def learn_one(self, x: SparseRow, label: int, weight: float, done: array[int]) -> None:
        self._learn(self.entered(x.names), array("d", x.values), label, weight, done)

    def _learn(self, slots: array[int], values: array[float], label: int, weight: float, done: array[int]) -> None:
        self._logs = None
        words, counts = row_kernel.Words(slots, values), self.cells.flat
        status = row_kernel.count_words(words, label, weight, self.classes, counts, self.totals, True, done)
        if status != row_kernel.OK:
            raise AssertionError("words do not fit the counts")

    def learn_many(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        self.count(X, names, labels, weights)
        self.totals = self.cells.counts.sum(axis=0)

    def add_scores(self, x: SparseRow, smoothing: Smoothing, scores: Any) -> None:
        """What a row adds to the log of each class; a word that was never seen adds nothing."""
        pairs = sorted((s, v) for s, v in zip(map(self.slots.get, x.names), x.values, strict=True) if s is not None)
        self._score(array("i", [s for s, _ in pairs]), array("d", [v for _, v in pairs]), smoothing, scores)

    def score_quick(self, x: Any, smoothing: Smoothing, scores: Any) -> bool:
        """As `read` and `add_scores`, for a mapping with nothing unusual about it; false for any other."""
        found = self.quick(x, True)
        if found is None:
            return False
        self._score(*found, smoothing, scores)
        return True

    def _score(self, slots: array[int], values: array[float], smoothing: Smoothing, scores: Any) -> None:
        words, counts, size = row_kernel.Words(slots, values), self.cells.flat, self.cells.rows
        if slots and row_kernel.score_words(
            words, self.classes, counts, self.totals, smoothing.m, smoothing.p, size, scores
        ):
            raise AssertionError("words do not fit the counts")

    def add_many_scores(self, X: Any, names: Sequence[str] | None, smoothing: Smoothing, scores: Floats) -> None:
        """As `add_scores` for every row."""
        if self._logs is None:
            self._logs = self._estimates(smoothing, np.ascontiguousarray(self.cells.counts))
        self.scorer(X, names)(self._logs, scores)

    def _estimates(self, smoothing: Smoothing, counts: Floats) -> Floats:
        logs = np.empty(counts.shape)
        if counts.size:
            smoothing.estimate(counts.reshape(-1), self.totals, self.classes, self.cells.rows, logs.reshape(-1))
        return logs

    def zeros(self, x: SparseRow) -> Iterator[tuple[int, str]]:
        """(class, word) for the words of x that never came with the class, though they came with another."""
        for name, value, slot in zip(x.names, x.values, self.slots_of(x.names), strict=True):
            if value and slot >= 0:
                for label in np.flatnonzero((self.cells.counts[slot] == 0) & (self.totals > 0)).tolist():
                    yield label, name

    def terms(self, x: SparseRow, smoothing: Smoothing) -> Iterator[tuple[str, Floats]]:
        """(word, the logs that it adds, by class) for the words of x that were seen."""
        for name, value, slot in zip(x.names, x.values, self.slots_of(x.names), strict=True):
            if value and slot >= 0:
                once = self._estimates(smoothing, self.cells.counts[[slot]])[0]
                yield name if value == 1 else f"{name} ({value:g} times)", once * value

    def zero_estimates(self) -> int:
        return int(((self.cells.counts == 0) & (self.totals > 0)).sum())

    def evidence(self) -> tuple[list[str], Floats, Floats, Floats]:
        """By word: its name, its counts by class, the words of each class, words in the vocabulary."""
        counts = self.cells.counts
        sizes = np.full(self.cells.rows, float(self.cells.rows))
        return list(self.slots), counts, np.broadcast_to(self.totals, counts.shape), sizes
