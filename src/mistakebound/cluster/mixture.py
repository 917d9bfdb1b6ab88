"""EM on a cluster: points stay where they were read, chunks of them are summed as on one machine, in file order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.learners.bayes.points import chunk_size, chunk_sums, points_in, points_of, summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.cluster.engine import Engine
    from mistakebound.io.ranges import FileRange
    from mistakebound.learners.bayes.points import Floats

    PointsRange = tuple[Floats, tuple[str, ...]]  # points, and the names of their columns


class ClusterPoints:
    """The points of some ranges, with the face of `PointThreads`.

    A range ends anywhere in a chunk, so its last chunk gets the rows that it lacks from the ranges behind it.
    """

    def __init__(self, engine: Engine, ranges: Sequence[FileRange], settings: dict[str, Any]) -> None:
        self._engine = engine
        self._parts = [engine.begin(points_range, part, settings) for part in ranges]
        found = engine.run(size_of, [(part,) for part in self._parts])
        self.columns: tuple[str, ...] = found[0][2]
        self.count, self.d = sum(rows for rows, _, _ in found), found[0][1]
        self._starts = np.cumsum([0, *(rows for rows, _, _ in found)]).tolist()
        self._aligned: list[Any] = []
        self.k, self.variance = 0, 1.0

    def fit(self, learner: Any, options: dict[str, Any]) -> tuple[int, tuple[str, ...]]:
        """Fit a learner of points; how many points there are, and their columns."""
        self.k, self.variance = learner.settings["k"], learner.settings["variance"]
        self._chunk = chunk_size(self.count)
        self._align()
        learner.fit_pool(self, self.take, **options)
        learner.columns = self.columns
        return self.count, self.columns

    def _align(self) -> None:
        """Of every range from the first chunk that begins in it to the next range's first: whole chunks."""
        begin, starts = self._engine.begin, self._starts
        firsts = [-(-start // self._chunk) * self._chunk for start in starts[:-1]]  # may lie behind the range
        heads = [
            begin(head_of, part, min(first, stop) - start)
            for part, first, start, stop in zip(self._parts, firsts, starts, starts[1:], strict=False)
        ]
        for number, first in enumerate(firsts):
            if first >= starts[number + 1]:
                continue
            following = []
            for other in range(number + 1, len(firsts)):
                following.append(heads[other])
                if firsts[other] < starts[other + 1]:
                    break
            self._aligned.append(begin(joined, self._parts[number], first - starts[number], *following))

    def sums(self, means: Floats) -> tuple[Floats, Floats, float]:
        """As of `PointThreads`."""
        tasks = [(part, means, self.variance, self._chunk) for part in self._aligned]
        return summed(np.concatenate(self._engine.run(chunk_sums, tasks)), self.k, self.d, self.count, self.variance)

    def take(self, places: Sequence[int]) -> Floats:
        """The points with these numbers."""
        homes = np.searchsorted(self._starts, places, side="right") - 1
        used = sorted({*homes.tolist()})
        local = {home: [place - self._starts[home] for place, at in zip(places, homes, strict=True) if at == home]
                 for home in used}  # fmt: skip
        found = dict(zip(used, self._engine.run(rows_at, [(self._parts[h], local[h]) for h in used]), strict=True))
        rows = {home: iter(found[home]) for home in used}
        return np.array([next(rows[int(home)]) for home in homes])

    def close(self) -> None:
        self._parts, self._aligned = [], []


# What workers do.


def points_range(part: FileRange, settings: dict[str, Any]) -> PointsRange:
    """The points of a range, and the names of their columns."""
    from mistakebound.io.table_file import read_table_file

    table = read_table_file([part], settings, unlabelled_ok=True).table
    names = tuple(column.name for column in table.columns if not column.nominal)
    if not table.rows:
        return np.empty((0, len(names))), names
    return points_of(points_in(table, names)), names


def size_of(found: PointsRange) -> tuple[int, int, tuple[str, ...]]:
    points, names = found
    return len(points), points.shape[1], names


def rows_at(found: PointsRange, places: list[int]) -> Floats:
    return found[0][places]


def head_of(found: PointsRange, count: int) -> Floats:
    return found[0][:count].copy()


def joined(found: PointsRange, first: int, *heads: Floats) -> Floats:
    return np.concatenate([found[0][first:], *heads])
