"""Points as one block of doubles, and one pass over them in threads: what GaussianMeans asks of its kernel."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from math import log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.kernels import gaussian_means as kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mistakebound.core.table import Table

    Floats = NDArray[np.float64]

_CHUNK = 4096  # points whose sums are taken alone; what follows from them must not depend on who takes them
_CHUNKS = 256  # at most
LARGEST = 1e150  # the square of a larger number could overflow


def points_of(X: Any, d: int | None = None) -> Floats:
    """X as a C-contiguous matrix of doubles, one point per row; a list of numbers is points on a line.

    >>> points_of([1, 2, 3]).shape
    (3, 1)
    """
    try:
        found = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadData(f"X must be points, all with as many numbers: {error}") from None
    if found.ndim == 1:
        found = found[:, None] if d is None or d == 1 or not len(found) else found[None, :]
    if found.ndim != 2:
        raise BadData(f"X must be points on a line or rows of numbers: {found.ndim} dimensions")
    if not found.size:
        raise BadData(f"X must have at least one point of at least one number: shape {found.shape}")
    if d is not None and found.shape[1] != d:
        raise BadData(f"X must have points of {d} numbers, as many as the means: {found.shape[1]}")
    bad = ~(np.abs(found) <= LARGEST)
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise BadData(
            f"X must have numbers between -{LARGEST:g} and {LARGEST:g}: {found[row, column]} in column {column}",
            row=row,
        )
    return found


def points_in(table: Table, names: Sequence[str]) -> Floats:
    """Columns of numbers of a table as points, one a row."""
    if not names:
        listed = ", ".join(table.names)
        raise BadData(f"a table must have a column of numbers, and {listed} are not", source=table.source)
    points = np.column_stack([table.column(name).data for name in names])
    missing = np.isnan(points)
    if missing.any():
        row, column = (int(place) for place in np.argwhere(missing)[0])
        raise table.complain(f"a point must have all its numbers: it has no {names[column]!r}", row)
    return points


class PointThreads:
    """Takes the sums of all points, in as many threads as wanted; the sums do not depend on their number."""

    def __init__(self, points: Floats, k: int, variance: float, threads: int | None) -> None:
        self.points = points
        self.count, self.d = points.shape
        self.k, self.variance = k, variance
        self._chunk = chunk_size(self.count)
        chunks = -(-self.count // self._chunk)
        self._sums = np.zeros((chunks, 1 + k * (self.d + 1)))
        workers = min(chunks, threads or _cores())
        step = -(-chunks // (4 * workers)) if workers > 1 else chunks
        self._shares = [(first, min(first + step, chunks)) for first in range(0, chunks, step)]
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def sums(self, means: Floats) -> tuple[Floats, Floats, float]:
        """Of every mean the sum of responsibility times point, and that of the responsibilities; the log-likelihood."""
        flat, points, sums = _flat(means), _flat(self.points), _flat(self._sums)

        def work(share: tuple[int, int]) -> int:
            given = kernel.GaussianPoints(points, self.d, flat, self.variance)
            return kernel.expect(given, self._chunk, *share, sums)

        worked: Iterable[int] = map(work, self._shares) if self._pool is None else self._pool.map(work, self._shares)
        done = set(worked)
        assert done == {kernel.OK}
        return summed(self._sums, self.k, self.d, self.count, self.variance)


def chunk_size(count: int) -> int:
    """How many of so many points are summed alone."""
    blocks = -(-count // (_CHUNKS * kernel.LANES))
    return max(_CHUNK, blocks * kernel.LANES)


def chunk_sums(points: Floats, means: Floats, variance: float, chunk: int) -> Floats:
    """A row of sums for every chunk of the points, as the kernel says."""
    k, d = means.shape
    sums = np.zeros((-(-len(points) // chunk), 1 + k * (d + 1)))
    given = kernel.GaussianPoints(_flat(points), d, _flat(means), variance)
    done = kernel.expect(given, chunk, 0, len(sums), _flat(sums))
    assert done == kernel.OK
    return sums


def summed(sums: Floats, k: int, d: int, count: int, variance: float) -> tuple[Floats, Floats, float]:
    """What the rows of all chunks, in order, come to: as of `PointThreads.sums`."""
    total = sums.sum(axis=0)
    table = total[1:].reshape(k, d + 1)
    constant = -count * (0.5 * d * log(2 * pi * variance) + log(k))
    return table[:, :-1], table[:, -1], float(total[0]) + constant


def responsibilities(points: Floats, means: Floats, variance: float) -> Floats:
    """One row per point, one column per mean."""
    k, d = means.shape
    out = np.empty((len(points), k))
    given = kernel.GaussianPoints(_flat(points), d, _flat(means), variance)
    done = kernel.responsibilities(given, _flat(out))
    assert done == kernel.OK
    return out


def _flat(numbers: Floats) -> memoryview[float]:
    """The numbers as kernels take them."""
    return memoryview(np.ascontiguousarray(numbers).reshape(-1))  # type: ignore[arg-type]  # an array is a buffer


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
