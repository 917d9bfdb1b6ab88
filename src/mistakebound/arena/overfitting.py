"""Over-fitting grows with the attributes and shrinks with the data: decision trees on a noisy target, measured."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from mistakebound.core.errors import BadParameter
from mistakebound.learners.tree.decision_tree import DecisionTree

if TYPE_CHECKING:
    from collections.abc import Iterable


class OverfittingPoint(NamedTuple):
    """A tree of `rows` examples with `attributes` attributes: accuracy on them, and on fresh ones."""

    attributes: int
    rows: int
    training: float
    fresh: float

    @property
    def gap(self) -> float:
        """How much better the tree looks than it is."""
        return self.training - self.fresh


@dataclass(frozen=True)
class Overfitting:
    """The measured grid; `at(attributes, rows)` is one point of it."""

    points: tuple[OverfittingPoint, ...]

    def at(self, attributes: int, rows: int) -> OverfittingPoint:
        return next(p for p in self.points if (p.attributes, p.rows) == (attributes, rows))

    def __str__(self) -> str:
        rows = list(dict.fromkeys(p.rows for p in self.points))
        lines = ["gap between training and fresh accuracy", "attributes" + "".join(f"{r:>9} rows" for r in rows)]
        widths = dict.fromkeys(p.attributes for p in self.points)
        lines += [f"{a:>10}" + "".join(f"{self.at(a, r).gap:>14.3f}" for r in rows) for a in widths]
        return "\n".join(lines)


def overfitting_experiment(
    attributes: Iterable[int] = (3, 10, 30),
    rows: Iterable[int] = (30, 100, 300),
    *,
    noise: float = 0.1,
    repeats: int = 3,
    seed: int = 0,
) -> Overfitting:
    """Grows full decision trees on a noisy target with more and more irrelevant attributes, and more and more rows.

    Parameters
    ----------
    attributes : iterable of int, default (3, 10, 30)
        Numbers of 0/1 attributes; the target is a majority of the first three.  >= 3.
    rows : iterable of int, default (30, 100, 300)
        Numbers of examples; >= 2.
    noise : float, default 0.1
        Share of wrong labels; >= 0 and < 0.5.
    repeats : int, default 3
        Draws that are averaged; >= 1.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Overfitting
        `points`, with `training` and `fresh` accuracy; `str` is a table of their differences.

    References
    ----------
    Ma 2019, CS3244 notes, section 3.2.  Mitchell 1997, Machine Learning, section 3.7.1.

    Examples
    --------
    >>> found = overfitting_experiment([3, 12], [40, 200], repeats=2)
    >>> found.at(12, 40).gap > found.at(3, 200).gap
    True
    """
    attributes, rows = list(attributes), list(rows)
    if min(attributes, default=0) < 3 or min(rows, default=0) < 2 or not 0 <= noise < 0.5 or repeats < 1:
        raise BadParameter("there must be 3 attributes, 2 rows and 1 repeat at least, and noise between 0 and 0.5")
    points = []
    for width in attributes:
        for count in rows:
            sums = [0.0, 0.0]
            for repeat in range(repeats):
                draw = Random(f"{seed} {width} {count} {repeat}")
                training, fresh = (_draw(draw, width, size, noise) for size in (count, 1000))
                tree = DecisionTree(min_leaf=1, prune=None).fit(*training)
                for place, (X, y) in enumerate((training, fresh)):
                    said = tree.predict_many(X)
                    sums[place] += sum(a == b for a, b in zip(said, y, strict=True)) / len(y) / repeats
            points.append(OverfittingPoint(width, count, *sums))
    return Overfitting(tuple(points))


def _draw(draw: Random, width: int, count: int, noise: float) -> tuple[dict[str, list[str]], list[str]]:
    rows = [[draw.getrandbits(1) for _ in range(width)] for _ in range(count)]
    labels = [str(int(sum(row[:3]) >= 2) ^ int(draw.random() < noise)) for row in rows]
    return {f"x{j + 1}": [str(row[j]) for row in rows] for j in range(width)}, labels
