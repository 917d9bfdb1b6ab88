"""Figures of merit of a two-class model: rates from the four counts, the area under the ROC curve from the scores."""

from __future__ import annotations

from mistakebound.core.certificate import certificate
from mistakebound.report.table import columns, fields, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.report.reliability import Reliability

_PENDING = 1 << 18  # scores that wait before they are merged
_CHUNK = 1 << 16


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

    Kept are the distinct scores with their counts; new ones wait until they are as many, so each is sorted only a few
    times.

    >>> from array import array
    >>> ranks = RankSums()
    >>> ranks.add(array("b", [0, 1, 0, 1]), array("d", [0.1, 0.4, 0.4, 0.8]))
    >>> ranks.area()
    0.875
    """

    def __init__(self) -> None:
        import numpy as np

        self._scores = np.empty(0)
        self._counts = np.empty((0, 2), dtype=np.int64)  # negatives, positives
        self._waiting: list[Any] = []
        self._many = 0

    def add(self, codes: Any, scores: Any) -> None:
        """Scores of rows whose labels have these codes; the buffers may be used again afterwards."""
        import numpy as np

        values, ones = np.array(scores, dtype=np.float64), np.array(codes, dtype=np.int64)
        self._waiting.append((values, np.stack([1 - ones, ones], axis=1)))
        self._many += len(values)
        if self._many > max(_PENDING, len(self._scores)):
            self._merge()

    def merge(self, other: RankSums) -> None:
        """Add the scores of another stream."""
        other._merge()
        self._waiting.append((other._scores, other._counts))
        self._merge()

    def _merge(self) -> None:
        import numpy as np

        scores = np.concatenate([self._scores, *(values for values, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(counts for _, counts in self._waiting)])
        self._waiting, self._many = [], 0
        order = np.argsort(scores, kind="stable")
        scores, counts = scores[order], counts[order]
        first = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]])) if len(scores) else order
        self._scores = scores[first]
        self._counts = np.add.reduceat(counts, first, axis=0) if len(scores) else counts

    def area(self) -> float | None:
        """Exact integers until the last division; None when one of the two classes is missing."""
        import numpy as np

        self._merge()
        negatives, positives = self._counts[:, 0], self._counts[:, 1]
        whole = int(negatives.sum()) * int(positives.sum())
        if not whole:
            return None
        doubled = 2 * (np.cumsum(negatives) - negatives) + negatives  # below, and half of the ties
        wins = sum(
            int(np.dot(positives[at : at + _CHUNK], doubled[at : at + _CHUNK]))
            for at in range(0, len(positives), _CHUNK)
        )
        return wins / (2 * whole)
