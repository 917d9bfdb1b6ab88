"""Figures of merit of a two-class model: rates from the four counts, the area under the ROC curve from the scores."""

from __future__ import annotations

from array import array

from mistakebound.core.certificate import certificate
from mistakebound.kernels import ranking as kernel
from mistakebound.report.table import columns, fields, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.report.reliability import Reliability

_PENDING = 1 << 16  # scores that wait before they are sorted


class Measures:
    """`counts`: negatives called negative, called positive, positives called negative, called positive.

    A rate over nothing is None.

    >>> m = Measures([5, 1, 2, 2], None)
    >>> m.error_rate, m.recall, round(m.precision, 3), round(m.f1, 3)
    (0.3, 0.5, 0.667, 0.571)
    """

    def __init__(
        self,
        counts: Sequence[int],
        auc: float | None,
        names: Sequence[str] = ("negative", "positive"),
        reliability: Reliability | None = None,
    ) -> None:
        self.reliability = reliability  # of the probabilities, where there are any
        self.counts = tuple(counts)
        self.names = tuple(names)
        self.auc = auc
        _, false_positives, false_negatives, hits = self.counts
        self.trials = sum(self.counts)
        self.mistakes = false_positives + false_negatives
        self.error_rate = _share(self.mistakes, self.trials)
        self.precision = _share(hits, hits + false_positives)
        self.recall = _share(hits, hits + false_negatives)
        self.f1 = _share(2 * hits, 2 * hits + self.mistakes)
        self.cost: float | None = None  # the weights of the mistakes, times the costs of their labels,
        self.weight: float | None = None  # and of all rows, where these are not all 1
        self.threshold: float | None = None  # another one than the learner's own

    def __repr__(self) -> str:
        return f"Measures(trials={self.trials}, mistakes={self.mistakes}, error_rate={self.error_rate})"

    def as_json(self) -> dict[str, Any]:
        names, (nn, np, pn, pp) = self.names, self.counts
        return {
            "trials": self.trials,
            "mistakes": self.mistakes,
            "error_rate": self.error_rate,
            "certificate": certificate(self.mistakes, self.trials).as_json(),
            "confusion": {names[0]: {names[0]: nn, names[1]: np}, names[1]: {names[0]: pn, names[1]: pp}},
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "auc": self.auc,
            "cost": self.cost,
            "weight": self.weight,
            "threshold": self.threshold,
            **({} if self.reliability is None else self.reliability.as_json()),
        }

    def lines(self, title: str, seconds: float) -> list[str]:
        def share(value: float | None) -> str:
            return "not defined here" if value is None else f"{value:.4f}"

        (negative, positive), (nn, np, pn, pp) = self.names, (f"{count:,}" for count in self.counts)
        said = [
            ("trials", f"{self.trials:,}"),
            ("mistakes", f"{self.mistakes:,}"),
            ("error rate", share(self.error_rate)),
            *on_new_rows(self.mistakes, self.trials),
            ("precision", share(self.precision)),
            ("recall", share(self.recall)),
            ("F1", share(self.f1)),
            *([] if self.cost is None else [("cost", f"{self.cost:.8g} of {self.weight:.8g}, by weight")]),
            *(
                []
                if self.threshold is None
                else [("threshold", f"{positive} where the score is above {self.threshold:.6g}")]
            ),
            ("AUC", share(self.auc)),
            *([] if self.reliability is None else self.reliability.fields()),
            ("time", f"{seconds:.2f} s, {self.trials / max(seconds, 1e-9):,.0f} rows a second"),
        ]
        heads = ("", f"predicted {negative}", f"predicted {positive}")
        rows = [heads, (f"label {negative}", nn, np), (f"label {positive}", pn, pp)]
        return [*wrap(title, rest="  "), *fields(said), "", *columns(rows, "<>>")]


def on_new_rows(errors: int, trials: int) -> list[tuple[str, str]]:
    """The line about the certificate of a model that has not learned these rows."""
    return [("certificate", f"{certificate(errors, trials)}, if the model has not seen these rows")] if trials else []


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class RankSums:
    """Area under the ROC curve of a stream of scores: the chance that a positive scores above a negative, ties half.

    Kept are the distinct scores with their counts, in runs of which each has less than half as many as the one before:
    together they are less than twice as many as there are, and each score is merged only a few times.

    >>> ranks = RankSums()
    >>> ranks.add(array("b", [0, 1, 0, 1]), array("d", [0.1, 0.4, 0.4, 0.8]))
    >>> ranks.area()
    0.875
    """

    def __init__(self) -> None:
        self._runs: list[tuple[array[int], array[int]]] = []  # keys of scores; negatives and positives
        self._codes, self._scores = array("b"), array("Q")  # that wait to be sorted, the scores as their bits

    def add(self, codes: Any, scores: Any) -> None:
        """Scores (doubles) of rows whose labels have these codes (bytes); the buffers may be used again afterwards."""
        self._codes.frombytes(memoryview(codes).tobytes())
        self._scores.frombytes(memoryview(scores).tobytes())
        if len(self._codes) >= _PENDING:
            self._sort()

    def merge(self, other: RankSums) -> None:
        """Add the scores of another stream."""
        other._sort()
        for run in other._runs:
            self._take(run)

    def _sort(self) -> None:
        """Make a run of the scores that wait."""
        rows = len(self._codes)
        scratch, keys, counts = array("Q", bytes(8)) * rows, array("Q", bytes(8)) * rows, array("q", bytes(16)) * rows
        found = kernel.distinct(self._scores, self._codes, scratch, keys, counts)
        if found < 0:
            raise AssertionError("scores and labels do not fit together")
        self._codes, self._scores = array("b"), array("Q")
        self._take((keys[:found], counts[: 2 * found]))

    def _take(self, run: tuple[array[int], array[int]]) -> None:
        while self._runs and len(self._runs[-1][0]) <= 2 * len(run[0]):
            run = _merged(self._runs.pop(), run)
        self._runs.append(run)

    def area(self) -> float | None:
        """Exact integers until the last division; None when one of the two classes is missing."""
        self._sort()
        while len(self._runs) > 1:
            self._runs.append(_merged(self._runs.pop(), self._runs.pop()))
        sums = array("q", bytes(32))
        if kernel.pairs(self._runs[0][1], sums) != 0:
            raise AssertionError("the counts of scores do not fit together")
        negatives, positives, high, low = sums
        return ((high << 24) + low) / (2 * negatives * positives) if negatives and positives else None


def _merged(one: tuple[array[int], array[int]], other: tuple[array[int], array[int]]) -> tuple[array[int], array[int]]:
    most = len(one[0]) + len(other[0])
    keys, counts = array("Q", bytes(8)) * most, array("q", bytes(16)) * most
    found = kernel.merge(*one, *other, keys, counts)
    if found < 0:
        raise AssertionError("the counts of scores do not fit together")
    return keys[:found], counts[: 2 * found]
