"""The spread of each attribute in a stream: the standard deviation of its values, where absent is 0.

A weight says how much one unit of an attribute changes the score; weight times spread says how much the attribute
changes it from row to row, and that is what `explain` ranks by.  The spread is estimated from a sample of the rows
(kernels/spread.py).
"""

from __future__ import annotations

from array import array
from math import inf, sqrt

from mistakebound.core.attribute_numbers import AttributeNumbers
from mistakebound.core.persistence import Independent
from mistakebound.kernels import spread as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.rows import Rows

_STATE = 2
_MOST = (1 << 32) - 1  # counts have 32 bits


class FeatureMoments:
    """Of a feature: the share of the rows that have it, and there the mean and the variance of its values."""

    __slots__ = ("mean", "share", "variance")

    def __init__(self, share: float, mean: float, variance: float) -> None:
        self.share = share
        self.mean = mean
        self.variance = variance

    @property
    def deviation(self) -> float:
        """The standard deviation over all rows, where an absent feature is 0.

        >>> FeatureMoments(0.5, 1.0, 0.0).deviation
        0.5
        """
        p = self.share
        square = p * self.variance + p * (1 - p) * self.mean * self.mean
        return sqrt(square) if 0 <= square < inf else inf


class Spread(Independent):
    """Counts of a run over one table of attributes, in the order in which these appeared.

    >>> from mistakebound.core.attributes import AttributeTable
    >>> from mistakebound.core.instance import read_instance
    >>> spread, table = Spread(), AttributeTable()
    >>> for trial, x in enumerate(({"free": 1}, {"price": 4.0}, {"free": 1}, {"price": 8.0})):
    ...     spread.add(read_instance(x, None).rows(table, add=True), 1, trial)
    >>> table.names(), [round(number, 3) for number in spread.deviations()], spread.shares()
    (['free', 'price'], [0.5, 3.317], [0.5, 0.5])
    """

    __slots__ = ("_counts", "_moments", "_numbers", "_size", "_state")

    def __init__(self) -> None:
        self._counts = array("I")
        self._moments = array("d")  # mean and squares of each attribute; empty while all values are 1
        self._state = array("q", bytes(8 * _STATE))
        self._size = 0  # attributes that have appeared
        self._numbers = AttributeNumbers()

    def new(self) -> Spread:
        """One that has counted nothing, for another table."""
        return Spread()

    @property
    def rows(self) -> int:
        return self._state[kernel.ROWS]

    def add(self, rows: Rows, played: int, trial: int) -> None:
        """The first `played` of these rows were learned, after so many trials; a second call for them does nothing."""
        if not played or self._state[kernel.MARK] > trial:
            return
        table, counts = rows.table, self._counts
        if len(counts) < len(table):
            counts.frombytes(bytes(4 * (len(table) + len(table) // 4 - len(counts))))
        if self._moments or rows.values is not None:
            self._make_moments()
        self._size = len(table)
        numbers, batch = self._numbers.of(table), rows.first_rows(played)
        if not kernel.add(batch, rows.base, numbers, counts, self._moments, self._state, trial + played):
            raise AssertionError("buffers do not fit together")

    def merge(self, other: Spread, places: Sequence[int], size: int) -> None:
        """Add the rows of another run: its attribute k is attribute places[k] here, of `size` in all."""
        self._counts.frombytes(bytes(4 * max(0, size - len(self._counts))))
        self._size = max(self._size, size)
        if self._moments or other._moments:
            self._make_moments()
        for k, place in enumerate(places):
            mine, theirs = self._counts[place], other._counts[k]
            self._counts[place] = min(mine + theirs, _MOST)
            if self._moments and theirs:  # Chan, Golub and LeVeque 1983
                mean, squares = other._moments[2 * k : 2 * k + 2] if other._moments else (1.0, 0.0)
                apart, total = mean - self._moments[2 * place], mine + theirs
                self._moments[2 * place] += apart * theirs / total
                self._moments[2 * place + 1] += squares + apart * apart * mine * theirs / total
        self._state[kernel.ROWS] += other._state[kernel.ROWS]
        self._state[kernel.MARK] = self._state[kernel.ROWS]

    def _make_moments(self) -> None:
        """Room for every attribute; the values of those that have none so far were 1."""
        made = len(self._moments) // 2
        for count in self._counts[made:] if not made else ():
            self._moments.extend((1.0 if count else 0.0, 0.0))
        self._moments.frombytes(bytes(8 * (2 * len(self._counts) - len(self._moments))))

    def shares(self) -> list[float]:
        """Of each attribute: in which share of the rows it was."""
        rows = max(1, self.rows)
        return [count / rows if count < rows else 1.0 for count in self._counts[: self._size]]

    def feature_moments(self) -> list[FeatureMoments]:
        """Those of each attribute."""
        moments, counts = self._moments, self._counts
        if not moments:
            return [FeatureMoments(p, 1.0, 0.0) for p in self.shares()]
        return [
            FeatureMoments(p, moments[2 * k], moments[2 * k + 1] / max(1, counts[k]))
            for k, p in enumerate(self.shares())
        ]

    def deviations(self) -> list[float]:
        """Of each attribute: the standard deviation of its values, 0 where it was absent.

        With mean m and sum of squares s of the values of a share p of N rows: sqrt(s/N + p*(1 - p)*m*m).
        """
        shares, moments = self.shares(), self._moments
        if not moments:
            return [sqrt(p * (1 - p)) for p in shares]
        rows = max(1, self.rows)
        squares = (
            moments[2 * k + 1] / rows + p * (1 - p) * moments[2 * k] * moments[2 * k] for k, p in enumerate(shares)
        )
        return [sqrt(square) if 0 <= square < inf else inf for square in squares]

    def _has_numbers(self) -> bool:
        """Whether there was a value other than 1."""
        moments, counts = self._moments, self._counts
        plain = all(mean == (1.0 if count else 0.0) for mean, count in zip(moments[::2], counts, strict=False))
        return not plain or any(moments[1::2])

    # Model files, copies and pickles.

    def arrays(self) -> dict[str, Any]:
        """As named arrays of a model file, if anything was counted."""
        if not self.rows:
            return {}
        found = {"spread.counts": self._counts[: self._size], "spread.rows": self._state}
        return found | ({"spread.moments": self._moments[: 2 * self._size]} if self._has_numbers() else {})

    @classmethod
    def restore(cls, arrays: dict[str, Any], attributes: int) -> Spread:
        """The inverse, for a table of so many attributes; ValueError when the arrays make no sense."""
        spread = cls()
        spread._counts, spread._state = arrays["spread.counts"], arrays["spread.rows"]
        spread._moments = arrays.get("spread.moments", spread._moments)
        kept = spread._counts.typecode, spread._state.typecode, spread._moments.typecode
        if kept != ("I", "q", "d") or len(spread._state) != _STATE or min(spread._state) < 0:
            raise ValueError("the spread of the attributes is not made of counts")
        spread._size = len(spread._counts)
        if spread._size > attributes or len(spread._moments) not in (0, 2 * spread._size):
            raise ValueError("expected one count per attribute")
        return spread

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (self._counts, self._moments, self._state, self._size)


def _copied(counts: array[int], moments: array[float], state: array[int], size: int) -> Spread:
    spread = Spread()
    spread._counts, spread._moments, spread._state, spread._size = counts[:], moments[:], state[:], size
    return spread
