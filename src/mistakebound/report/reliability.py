"""How far probabilities can be trusted: log loss, Brier score, calibration error and the reliability diagram.

Sums are kept as whole multiples of 2^-40, so that they do not depend on how the rows are cut into blocks.
"""

from __future__ import annotations

from array import array

from mistakebound.core.names import visible
from mistakebound.kernels import calibration as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_SUMS = 2 + 3 * kernel.BINS


class Reliability:
    """Counts rows by the probability that was told; of two labels that of the second, of more that of the likeliest.

    >>> found = Reliability(2)
    >>> found.add(array("d", [0.9, 0.1, 0.2, 0.8]), array("i", [0, 1]))
    >>> round(found.log_loss, 4), round(found.brier, 4), round(found.calibration_error, 4)
    (0.1643, 0.025, 0.15)
    """

    def __init__(self, labels: int) -> None:
        self.labels = labels
        self.rows = 0
        self._sums = [0] * _SUMS  # loss, squares, and of every bin: rows, what was told, rows in which it came true

    def add(self, shares: Any, codes: Any) -> None:
        """More rows: the probabilities of all labels, row after row, and the code of each row's label (integers)."""
        labels = self.labels
        self._add(shares, labels, codes, lambda told, known, sums: kernel.reliability(told, labels, known, sums))

    def add_pair(self, shares: Any, codes: Any) -> None:
        """More rows of two labels: the probability of the second, and the code of each row's label (bytes)."""
        self._add(shares, 1, codes, kernel.pair_reliability)

    def _add(self, shares: Any, width: int, codes: Any, count: Callable[[Any, Any, Any], int]) -> None:
        told, known, most = memoryview(shares), memoryview(codes), kernel.MOST_ROWS
        if len(told) != width * len(known):
            raise AssertionError("probabilities and labels do not fit together")
        for first in range(0, len(known), most):
            part, sums = known[first : first + most], array("q", bytes(8 * _SUMS))
            if count(told[first * width : (first + most) * width], part, sums) != kernel.OK:
                raise AssertionError("these are not probabilities and labels")
            self._count(len(part), sums)

    def merge(self, other: Reliability) -> None:
        """Add the rows of another."""
        self._count(other.rows, other._sums)

    def _count(self, rows: int, sums: Sequence[int]) -> None:
        self.rows += rows
        self._sums = [mine + more for mine, more in zip(self._sums, sums, strict=True)]

    @property
    def log_loss(self) -> float:
        """The mean of -ln of the probability that the label had."""
        return self._sums[0] / kernel.UNIT / self.rows

    @property
    def brier(self) -> float:
        """The mean square of what probabilities missed; of more than two labels the sum over all of them."""
        return self._sums[1] / kernel.UNIT / self.rows

    @property
    def calibration_error(self) -> float:
        """The mean difference, over the rows, between what was told and how often it came true in bins of a tenth."""
        gap = sum(abs(told - (true << 40)) for told, true in zip(self._sums[3::3], self._sums[4::3], strict=True))
        return gap / kernel.UNIT / self.rows

    def bins(self) -> list[tuple[int, float, float]]:
        """(rows, mean of what was told, share that came true) of every bin that has rows."""
        counted = zip(self._sums[2::3], self._sums[3::3], self._sums[4::3], strict=True)
        return [(count, told / kernel.UNIT / count, true / count) for count, told, true in counted if count]

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
