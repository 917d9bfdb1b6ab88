"""What a search remembers of the sets of concepts that labels leave of a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from mistakebound.theory.symmetry import find_symmetry

if TYPE_CHECKING:
    from mistakebound.concepts.finite import FiniteClass

Record = TypeVar("Record")
_LARGE = 16  # concepts of a class, and of a set, for which symmetries pay


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
                zeros, ones = [], []
                for j, column in enumerate(self._columns):
                    common = column & members
                    if not common:
                        zeros.append(j)
                    elif common == members:
                        ones.append(j)
                key = self._table.key(zeros, ones)
                record = self._of_key.get(key)
                if record is None:
                    record = self._of_key[key] = self._make(members.bit_count())
            else:
                record = self._make(members.bit_count())
            self._of_set[members] = record
        return record
