"""How far probabilities can be trusted: log loss, Brier score, calibration error and the reliability diagram.

Sums are kept as whole multiples of 2^-40, so that they do not depend on how the rows are cut into blocks.
"""

from __future__ import annotations

import numpy as np

from mistakebound.core.names import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

BINS = 10
_UNIT = 2.0**40
_LEAST = 2.0**-52  # no label that comes true has been ruled out: the logarithm would have no end


class Reliability:
    """Counts rows by the probability that was told; of two labels that of the second, of more that of the likeliest.

    >>> found = Reliability(2)
    >>> found.add(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1]))
    >>> round(found.log_loss, 4), round(found.brier, 4), round(found.calibration_error, 4)
    (0.1643, 0.025, 0.15)
    """

    def __init__(self, labels: int) -> None:
        self.labels = labels
        self.rows = 0
        self._loss = self._squares = 0
        self._count = [0] * BINS
        self._told = [0] * BINS  # sum of the probabilities
        self._true = [0] * BINS  # rows in which it came true

    def add(self, shares: npt.NDArray[np.float64], codes: npt.NDArray[Any]) -> None:
        """More rows: the probabilities of all labels, and the label of each as its column."""
        rows = np.arange(len(codes))
        own = shares[rows, codes]
        self.rows += len(codes)
        self._loss += _units(-np.log(np.maximum(own, _LEAST)))
        if self.labels == 2:
            said, true = shares[:, 1], codes == 1
            self._squares += _units((said - true) ** 2)
        else:
            likeliest = shares.argmax(axis=1)
            said, true = shares[rows, likeliest], codes == likeliest
            self._squares += _units((shares**2).sum(axis=1) - own**2 + (1 - own) ** 2)
        bins = np.minimum((said * BINS).astype(np.int64), BINS - 1)
        for place in np.unique(bins).tolist():
            here = bins == place
            self._count[place] += int(here.sum())
            self._told[place] += _units(said[here])
            self._true[place] += int(true[here].sum())

    def merge(self, other: Reliability) -> None:
        """Add the rows of another."""
        self.rows += other.rows
        self._loss += other._loss
        self._squares += other._squares
        for own, more in ((self._count, other._count), (self._told, other._told), (self._true, other._true)):
            own[:] = [mine + theirs for mine, theirs in zip(own, more, strict=True)]

    @property
    def log_loss(self) -> float:
        """The mean of -ln of the probability that the label had."""
        return self._loss / _UNIT / self.rows

    @property
    def brier(self) -> float:
        """The mean square of what probabilities missed; of more than two labels the sum over all of them."""
        return self._squares / _UNIT / self.rows

    @property
    def calibration_error(self) -> float:
        """The mean difference, over the rows, between what was told and how often it came true in bins of a tenth."""
        gaps = (abs(told / _UNIT - true) for told, true in zip(self._told, self._true, strict=True))
        return float(np.sum(np.fromiter(gaps, np.float64))) / self.rows

    def bins(self) -> list[tuple[int, float, float]]:
        """(rows, mean of what was told, share that came true) of every bin that has rows."""
        counted = zip(self._count, self._told, self._true, strict=True)
        return [(count, told / _UNIT / count, true / count) for count, told, true in counted if count]

    def as_json(self) -> dict[str, Any]:
        return {
            "log_loss": self.log_loss, "brier": self.brier, "calibration_error": self.calibration_error,
            "reliability": [{"rows": rows, "probability": told, "share": true} for rows, told, true in self.bins()],
        }  # fmt: skip

    def fields(self) -> list[tuple[str, str]]:
        return [
            ("log loss", f"{self.log_loss:.4f}"),
            ("Brier score", f"{self.brier:.4f}"),
            ("calibration", f"error {self.calibration_error:.4f}"),
        ]


def _units(terms: npt.NDArray[np.float64]) -> int:
    return int(np.rint(terms * _UNIT).astype(np.int64).sum())


def draw_reliability(path: str, found: Reliability, *, title: str, label: str | None) -> None:
    """The reliability diagram, PNG or SVG by the ending of its name: how often what was told came true.

    `label` is the one whose probability was told; None: the likeliest of each row.
    """
    from mistakebound.report.plots import COLOURS, FAINT, INK, clean_axes, picture, set_title

    with picture(path, 6.4, 6.0) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        set_title(above, title)
        rows, told, true = zip(*found.bins(), strict=True)
        above.plot((0, 1), (0, 1), color=FAINT, linewidth=1.5)
        above.plot(told, true, color=COLOURS[0], marker="o", linewidth=1.6)
        what = "the likeliest label" if label is None else visible(label)
        above.set_ylabel(f"share of {what}" if label is not None else f"share in which {what} was right", color=INK)
        above.set_ylim(-0.02, 1.02)
        said = f"log loss {found.log_loss:.4f}, calibration error {found.calibration_error:.4f}"
        above.annotate(said, (0.02, 0.98), xycoords="axes fraction", va="top", color=INK)
        below.bar(told, rows, width=0.06, color=COLOURS[0])
        below.set_xlabel(f"probability of {what}", color=INK)
        below.set_ylabel("rows", color=INK)
        for axes in (above, below):
            clean_axes(axes)
            axes.set_xlim(-0.02, 1.02)
