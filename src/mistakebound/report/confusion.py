"""How often each class was taken for each other: the measures of a classifier of any number of classes."""

from __future__ import annotations

import numpy as np

from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt


class Confusion:
    """Counts by label (rows) and prediction (columns).

    >>> found = Confusion(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    >>> found.mistakes, found.error_rate
    (1, 0.25)
    >>> found.counts.tolist()
    [[1, 1], [0, 2]]
    """

    def __init__(
        self,
        classes: Sequence[Any],
        labels: npt.NDArray[Any],
        predictions: npt.NDArray[Any],
        unknown: int | None = None,
    ) -> None:
        self.classes = tuple(classes)
        self.unknown = unknown  # the place of the class that is no answer: said, it is no mistake
        self.counts: npt.NDArray[np.int64] = np.zeros((len(self.classes), len(self.classes)), np.int64)
        self.add(labels, predictions)

    def add(self, labels: npt.NDArray[Any], predictions: npt.NDArray[Any]) -> None:
        """More rows, as places of their classes."""
        many = len(self.classes)
        cells = np.asarray(labels, np.int64) * many + predictions
        self.counts += np.bincount(cells, minlength=many * many).reshape(many, many)

    @property
    def trials(self) -> int:
        return int(self.counts.sum())

    @property
    def mistakes(self) -> int:
        return self.trials - int(np.trace(self.counts)) - self.refused

    @property
    def refused(self) -> int:
        """How often no answer was given."""
        return 0 if self.unknown is None else int(self.counts[:, self.unknown].sum())

    @property
    def error_rate(self) -> float | None:
        """Mistakes and refusals by the trials."""
        return (self.mistakes + self.refused) / self.trials if self.trials else None

    def precision(self, place: int) -> float | None:
        """Of what was said to be of a class, the share that is; None where nothing was."""
        said = int(self.counts[:, place].sum())
        return int(self.counts[place, place]) / said if said else None

    def recall(self, place: int) -> float | None:
        """Of what is of a class, the share that was found; None where nothing is."""
        there = int(self.counts[place].sum())
        return int(self.counts[place, place]) / there if there else None

    def as_json(self) -> dict[str, Any]:
        return {
            "trials": self.trials,
            "mistakes": self.mistakes,
            **({} if self.unknown is None else {"refused": self.refused}),
            "error_rate": self.error_rate,
            "classes": [
                {
                    "label": label,
                    "count": int(self.counts[place].sum()),
                    "precision": self.precision(place),
                    "recall": self.recall(place),
                    "predicted_as": {
                        str(other): int(count) for other, count in zip(self.classes, self.counts[place], strict=True)
                    },
                }
                for place, label in enumerate(self.classes)
            ],
        }

    def lines(self, title: str, seconds: float) -> list[str]:
        def share(value: float | None) -> str:
            return "-" if value is None else f"{value:.4f}"

        names = [str(label) for label in self.classes]
        heads = ("label", *(f"said {name}" for name in names), "precision", "recall")
        shares = [(share(self.precision(place)), share(self.recall(place))) for place in range(len(names))]
        counted = [[f"{count:,}" for count in row] for row in self.counts]
        rows = [(name, *row, *both) for name, row, both in zip(names, counted, shares, strict=True)]
        said = [
            ("rows", f"{self.trials:,}"),
            ("mistakes", f"{self.mistakes:,}"),
            *([] if self.unknown is None else [("don't know", f"{self.refused:,}")]),
            ("error rate", share(self.error_rate)),
            ("time", f"{seconds:.2f} s, {self.trials / max(seconds, 1e-9):,.0f} rows a second"),
        ]
        return [title, *fields(said), "", *columns([heads, *rows], "<" + ">" * (len(names) + 2))]
