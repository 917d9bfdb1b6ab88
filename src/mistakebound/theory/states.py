"""Sets of concepts that labels leave of a class: how instances split them, and what a search remembers of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from mistakebound.theory.symmetry import find_symmetry

if TYPE_CHECKING:
    from mistakebound.concepts.finite import FiniteClass

_LARGE = 16  # concepts of a class, and of a set, for which symmetries pay


def distinct_columns(columns: Sequence[int], everyone: int) -> list[int]:
    """The numbers of columns that split the class, one of those that split it alike."""
    lowest = everyone & -everyone
    seen: set[int] = set()
    kept = []
    for j, column in enumerate(columns):
        side = column if column & lowest else everyone ^ column
        if side != everyone and side not in seen:
            seen.add(side)
            kept.append(j)
    return kept


def splits(columns: Sequence[int], active: Sequence[int], members: int) -> list[tuple[int, int, int]]:
    """For each column that splits the members, and differently: the size of the smaller side, the column, the members
    that it labels 1. The most even splits come first.
    """
    size = members.bit_count()
    lowest = members & -members
    seen: set[int] = set()
    found = []
    for j in active:
        ones = columns[j] & members
        count = ones.bit_count()
        if 0 < count < size:
            side = ones if ones & lowest else members ^ ones
            if side not in seen:
                seen.add(side)
                found.append((min(count, size - count), j, ones))
    found.sort(key=lambda split: (-split[0], split[1]))
    return found


Record = TypeVar("Record")


class Known:
    """A number of a set is between low and high, as far as it is known; as many as halving makes of it, at first."""

    __slots__ = ("high", "low")

    def __init__(self, size: int) -> None:
        self.low, self.high = 0, size.bit_length() - 1


class States(Generic[Record]):
    """One record for each set, or for each set up to symmetry where the class has a small group of symmetries.

    The sets must be all that some labels leave of the class. `labels_swap`: whether what is remembered stays the
    same when all labels are exchanged.
    """

    def __init__(self, finite: FiniteClass, make: Callable[[int], Record], labels_swap: bool) -> None:
        self._columns, self._make = finite.columns, make
        symmetry = find_symmetry(finite) if finite.size >= _LARGE else None
        if symmetry is not None:
            symmetry.swaps &= labels_swap
        self._table = None if symmetry is None else symmetry.table()
        self._symmetry = symmetry if self._table is None else None
        self._of_set: dict[int, Record] = {}
        self._of_key: dict[int, Record] = {}

    def __len__(self) -> int:
        return len(self._of_set)

    def orbits(self, path: Sequence[int]) -> list[int] | None:
        """The orbits of the instances under a group too large to be listed (`Symmetry.orbits`); None without one."""
        return None if self._symmetry is None else self._symmetry.orbits(path)

    def of(self, members: int) -> Record:
        """What is remembered of a set: something new where there is nothing."""
        record = self._of_set.get(members)
        if record is None:
            if self._table is not None and members.bit_count() >= _LARGE:
                key = self._table.key(self._columns, members)
                record = self._of_key.get(key)
                if record is None:
                    record = self._of_key[key] = self._make(members.bit_count())
            else:
                record = self._make(members.bit_count())
            self._of_set[members] = record
        return record
