"""How often each class was taken for each other: the measures of a classifier of any number of classes."""

from __future__ import annotations

import sys

import numpy as np

from mistakebound.core.certificate import certificate
from mistakebound.core.text_table import WIDTH, aligned
from mistakebound.report.measures import on_new_rows
from mistakebound.report.table import columns, fields, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.report.reliability import Reliability

FEW = 20  # classes that fit into a table of all against all; of more, so many lines are printed
LISTED = 1000  # classes, and pairs of them, in JSON


class Confusion:
    """Counts by label (rows) and prediction (columns); only pairs that occurred take room.

    >>> found = Confusion(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    >>> found.mistakes, found.error_rate
    (1, 0.25)
    >>> found.counts.tolist(), found.confused()
    ([[1, 1], [0, 2]], [('no', 'yes', 1)])
    """

    def __init__(
        self,
        classes: Sequence[Any],
        labels: npt.NDArray[Any],
        predictions: npt.NDArray[Any],
        unknown: int | None = None,
        reliability: Reliability | None = None,
    ) -> None:
        self.reliability = reliability  # of the probabilities, where there are any
        self.classes = tuple(classes)
        self.unknown = unknown  # the place of the class that is no answer: said, it is no mistake
        self._cells: npt.NDArray[np.int64] = np.empty(0, np.int64)  # classes * label + prediction, ascending
        self._times: npt.NDArray[np.int64] = np.empty(0, np.int64)  # how often each of them occurred
        self.add(labels, predictions)

    def add(self, labels: npt.NDArray[Any], predictions: npt.NDArray[Any]) -> None:
        """More rows, as places of their classes."""
        self._add(*np.unique(np.asarray(labels, np.int64) * len(self.classes) + predictions, return_counts=True))

    def merge(self, other: Confusion) -> None:
        """Add the rows of another of the same classes, and of its probabilities."""
        self._add(other._cells, other._times)
        if self.reliability is not None and other.reliability is not None:
            self.reliability.merge(other.reliability)
        else:
            self.reliability = self.reliability or other.reliability

    def _add(self, cells: npt.NDArray[np.int64], times: npt.NDArray[np.int64]) -> None:
        self._cells, places = np.unique(np.concatenate([self._cells, cells]), return_inverse=True)
        all_times = np.concatenate([self._times, times])
        self._times = np.zeros(len(self._cells), np.int64)
        np.add.at(self._times, places, all_times)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The table of all classes against all: its size is the square of their number."""
        table = np.zeros(len(self.classes) ** 2, np.int64)
        table[self._cells] = self._times
        return table.reshape(len(self.classes), len(self.classes))

    def _sums(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How often each class occurred, where these are the classes of the pairs."""
        sums = np.zeros(len(self.classes), np.int64)
        np.add.at(sums, places, self._times)
        return sums

    @property
    def _there(self) -> npt.NDArray[np.int64]:
        return self._sums(self._cells // max(1, len(self.classes)))

    @property
    def _said(self) -> npt.NDArray[np.int64]:
        return self._sums(self._cells % max(1, len(self.classes)))

    @property
    def _right(self) -> npt.NDArray[np.int64]:
        labels, predictions = np.divmod(self._cells, max(1, len(self.classes)))
        right = np.zeros(len(self.classes), np.int64)
        right[labels[labels == predictions]] = self._times[labels == predictions]
        return right

    @property
    def trials(self) -> int:
        return int(self._times.sum())

    @property
    def mistakes(self) -> int:
        return self.trials - int(self._right.sum()) - self.refused

    @property
    def refused(self) -> int:
        """How often no answer was given."""
        return 0 if self.unknown is None else int(self._said[self.unknown])

    @property
    def error_rate(self) -> float | None:
        """Mistakes and refusals by the trials."""
        return (self.mistakes + self.refused) / self.trials if self.trials else None

    def precision(self, place: int) -> float | None:
        """Of what was said to be of a class, the share that is; None where nothing was."""
        return _share(self._right[place], self._said[place])

    def recall(self, place: int) -> float | None:
        """Of what is of a class, the share that was found; None where nothing is."""
        return _share(self._right[place], self._there[place])

    def confused(self) -> list[tuple[Any, Any, int]]:
        """(label, prediction, times) of wrong predictions, the most frequent first."""
        labels, predictions = np.divmod(self._cells, max(1, len(self.classes)))
        wrong = np.flatnonzero(labels != predictions)
        wrong = wrong[np.argsort(-self._times[wrong], kind="stable")]
        names = self.classes
        return [(names[labels[k]], names[predictions[k]], int(self._times[k])) for k in wrong.tolist()]

    def most_frequent(self, count: int) -> list[int]:
        """The places of so many classes, the most frequent ones, in their order; all where there are no more."""
        if len(self.classes) <= count:
            return [*range(len(self.classes))]
        return sorted(np.argsort(-self._there, kind="stable")[:count].tolist())

    def __repr__(self) -> str:
        return f"Confusion(trials={self.trials}, mistakes={self.mistakes}, error_rate={self.error_rate})"

    def as_json(self) -> dict[str, Any]:
        """Of more than 1,000 classes the most frequent; predictions that never occurred only of up to 20."""
        there, said, right = self._there.tolist(), self._said.tolist(), self._right.tolist()
        shown = self.most_frequent(LISTED)
        many = len(self.classes) > FEW
        confused = self.confused() if many else []
        return {
            "trials": self.trials,
            "mistakes": self.mistakes,
            **({} if self.unknown is None else {"refused": self.refused}),
            "error_rate": self.error_rate,
            "certificate": certificate(self.mistakes + self.refused, self.trials).as_json(),
            **({} if self.reliability is None else self.reliability.as_json()),
            "classes": [
                {
                    "label": self.classes[place],
                    "count": there[place],
                    "precision": _share(right[place], said[place]),
                    "recall": _share(right[place], there[place]),
                    "predicted_as": self._predicted_as(place, many),
                }
                for place in shown
            ],
            **({"classes_left_out": len(self.classes) - len(shown)} if many else {}),
            **({"confused": confused[:LISTED], "confused_left_out": max(0, len(confused) - LISTED)} if many else {}),
        }

    def _predicted_as(self, place: int, many: bool) -> dict[str, int]:
        size = len(self.classes)
        first, last = np.searchsorted(self._cells, [place * size, place * size + size]).tolist()
        found = {} if many else dict.fromkeys(map(str, self.classes), 0)
        for cell, count in zip(self._cells[first:last].tolist(), self._times[first:last].tolist(), strict=True):
            found[str(self.classes[cell - place * size])] = count
        return found

    def lines(self, title: str, seconds: float) -> list[str]:
        said = [
            ("rows", f"{self.trials:,}"),
            ("mistakes", f"{self.mistakes:,}"),
            *([] if self.unknown is None else [("don't know", f"{self.refused:,}")]),
            ("error rate", _share_text(self.error_rate)),
            *on_new_rows(self.mistakes + self.refused, self.trials),
            *([] if self.reliability is None else self.reliability.fields()),
            ("time", f"{seconds:.2f} s, {self.trials / max(seconds, 1e-9):,.0f} rows a second"),
        ]
        table = self._whole_table() if len(self.classes) <= FEW else []
        if not table or max(map(len, table)) > WIDTH:
            table = self._long_table()
        return [*wrap(title, rest="  "), *fields(said), "", *table]

    def _whole_table(self) -> list[str]:
        names = [str(label) for label in self.classes]
        heads = ("label", *(f"said {name}" for name in names), "precision", "recall")
        shares = [(_share_text(self.precision(k)), _share_text(self.recall(k))) for k in range(len(names))]
        counted = [[f"{count:,}" for count in row] for row in self.counts]
        rows = [(name, *row, *both) for name, row, both in zip(names, counted, shares, strict=True)]
        whole = aligned([heads, *rows], "<" + ">" * (len(names) + 2), sys.maxsize)  # a matrix is not folded
        return [f"  {line}" for line in whole]

    def _long_table(self) -> list[str]:
        """The most frequent labels, and those most often taken for each other."""
        there, said, right = self._there, self._said, self._right
        rows = [("label", "rows", "right", "precision", "recall")]
        for k in np.argsort(-there, kind="stable")[:FEW].tolist():
            shares = _share_text(_share(right[k], said[k])), _share_text(_share(right[k], there[k]))
            rows.append((str(self.classes[k]), f"{there[k]:,}", f"{right[k]:,}", *shares))
        more = [f"  and {len(self.classes) - FEW:,} more labels"] if len(self.classes) > FEW else []
        lines = [*columns(rows, "<>>>>"), *more]
        confused = self.confused()
        if confused:
            pairs = [(str(label), str(guess), f"{times:,}") for label, guess, times in confused[:FEW]]
            lines += ["", *columns([("label", "said", "times"), *pairs], "<<>")]
        return [*lines, f"  and {len(confused) - FEW:,} more pairs"] if len(confused) > FEW else lines


def _share(part: Any, whole: Any) -> float | None:
    return int(part) / int(whole) if whole else None


def _share_text(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
