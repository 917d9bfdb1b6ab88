"""Which values speak most clearly for a class: how much likelier they are in it than in all others."""

from __future__ import annotations

from math import inf

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.bayes._cells import Floats
    from mistakebound.learners.bayes._smoothing import Smoothing


class Evidence:
    """`what` is `times` as likely in class `label` (`inside`) as in the others together (`outside`)."""

    __slots__ = ("count", "inside", "label", "outside", "what")

    def __init__(self, what: str, label: Any, inside: float, outside: float, count: float) -> None:
        self.what = what
        self.label = label
        self.inside = inside
        self.outside = outside
        self.count = count  # examples of the class with it

    @property
    def times(self) -> float:
        """With m = 0 it may be infinite: the value never came with another class."""
        return self.inside / self.outside if self.outside > 0 else inf

    def as_json(self) -> dict[str, Any]:
        times = self.times
        return {
            "value": self.what, "class": self.label, "times": times if times < inf else None,
            "probability": self.inside, "elsewhere": self.outside, "count": self.count,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<{self.what}: {self.times:.4g} times as likely in {self.label!r}>"


def strongest(
    cells: tuple[list[str], Floats, Floats, Floats], classes: tuple[Any, ...], smoothing: Smoothing, top: int | None
) -> list[Evidence]:
    """For every value the class that it speaks for most; the clearest first, of equal ones the more frequent."""
    names, counts, totals, sizes = cells
    if len(classes) < 2 or not names:
        return []
    inside = smoothing.plain(counts, totals, sizes)
    outside = smoothing.plain(
        counts.sum(axis=1, keepdims=True) - counts, totals.sum(axis=1, keepdims=True) - totals, sizes
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(inside > 0, inside / outside, 0.0)
    best = times.argmax(axis=1)
    rows = np.arange(len(names))
    order = np.lexsort((rows, -counts[rows, best], -times[rows, best]))
    order = order[times[order, best[order]] > 1][:top]
    return [
        Evidence(names[row], classes[best[row]], *(float(part[row, best[row]]) for part in (inside, outside, counts)))
        for row in order.tolist()
    ]
