"""The steps of the search behind opt(C): splitting sets of concepts, and what is remembered of them."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from mistakebound.concepts.bits import places
from mistakebound.theory.interval import Deadline
from mistakebound.theory.states import Known, distinct_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.theory.symmetry import GroupTable, Symmetry

_STEP = 64  # bits of a column that are looked at in a step
_EXTRA = 8  # steps that a column costs however short it is
_LARGE = 128  # concepts of a set for which it pays to compute its key under symmetry
_SPARSE = 8  # a set is renumbered when fewer than 1/8 of its bits are 1,
_LONG = 2000  # and there are more of them than this


@lru_cache(maxsize=4096)
def most_concepts(instances: int, dimension: int) -> int:
    """How many concepts a class of a VC dimension can have on so many instances (Sauer's lemma)."""
    return sum(comb(instances, size) for size in range(dimension + 1))


class Budget(Exception):
    """The sets that may be split without symmetries have been."""


class Work:
    """What all parts of a search share."""

    def __init__(self, budget: int | None) -> None:
        self.deadline = Deadline()
        self.splits = 0
        self.steps = 0
        self.budget = budget
        self.symmetry: Symmetry | None = None
        self.table: GroupTable | None = None
        self.by_key: dict[int, Known] = {}

    def count(self, columns: int, size: int) -> None:
        """A set is about to be split. Counted in steps, not seconds: which tree is found must not depend on time."""
        self.splits += 1
        self.steps += columns * (size // _STEP + _EXTRA)
        if self.budget is not None and self.steps > self.budget:
            raise Budget
        self.deadline.check()


class Part:
    """The search among the concepts of one numbering: the whole class, or what is left of it, renumbered."""

    def __init__(self, columns: Sequence[int], origin: Sequence[int], concepts: Sequence[int], work: Work) -> None:
        self.columns = columns
        self.origin = origin  # which instance a column belongs to
        self.concepts = concepts  # which concept a bit belongs to
        self.size = len(concepts)
        self.every: Sequence[int] = range(len(columns))
        self.work = work
        self.known: dict[int, Known] = {}
        self.parts: dict[int, Part] = {}
        self.choices: dict[int, tuple[int, int]] = {}  # for a set, d and the column that shows K >= d

    def bounds(self, members: int) -> tuple[int, int]:
        size = members.bit_count()
        if size < 2:
            return size - 1, size - 1
        smaller = max(min(count, size - count) for count in ((c & members).bit_count() for c in self.columns))
        high = smaller.bit_length()  # one mistake, and then at most log2 of the smaller side
        if members + 1 == 1 << self.size:
            columns = len(distinct_columns(self.columns, members))
            low = next(d for d in range(1, high + 1) if d == high or size <= most_concepts(columns, d))
        else:
            low = 1
        known = self.known.get(members)
        return (max(low, known.low), min(known.high, high)) if known else (low, high)

    def at_least(self, members: int, d: int, active: Sequence[int], path: tuple[int, ...]) -> bool:
        """`active`: the columns that still split sets differently; `path`: the instances that led here."""
        size = members.bit_count()
        if d < 1:
            return size > 0 or d < 0
        if size < 1 << d:
            return False
        if d == 1:
            return True
        columns = self.columns
        if d == 2:  # two concepts can always be told apart
            return any(1 < (columns[j] & members).bit_count() < size - 1 for j in active)
        known = self.known.get(members)
        if known is None:
            known = self._meet(members, size)
        if d <= known.low or d > known.high:
            return d <= known.low
        if size > most_concepts(len(active), d - 1):
            known.low = d
            return True
        self.work.count(len(active), self.size)
        if self._is_sparse(members, size):
            part = self._renumbered(members, active)
            answer = part.at_least((1 << size) - 1, d, part.every, path)
        else:
            answer = self._split(members, size, d, active, path) is not None
        if answer:
            known.low = d
        else:
            known.high = d - 1
        return answer

    def _split(self, members: int, size: int, d: int, active: Sequence[int], path: tuple[int, ...]) -> int | None:
        """A column that splits the members into two sets with K >= d - 1."""
        need = 1 << (d - 1)
        lowest = members & -members
        seen = set()
        kept: list[int] = []
        tried: list[tuple[int, int, int]] = []
        for j in active:
            ones = self.columns[j] & members
            count = ones.bit_count()
            if not 0 < count < size:
                continue
            side = ones if ones & lowest else members ^ ones
            if side in seen:
                continue
            seen.add(side)
            kept.append(j)
            if need <= count <= size - need:
                tried.append((abs(2 * count - size), j, ones if 2 * count <= size else members ^ ones))
        tried.sort()
        # Sharing by orbits reads paths, and keys under symmetry read all columns.
        orbits = self.work.symmetry.orbits(path) if self.work.symmetry and tried else None
        rest = self.every if self.work.table else kept
        met = set()
        for _, j, smaller in tried:
            if orbits is not None:
                orbit = orbits[self.origin[j]]
                if orbit in met:
                    continue
                met.add(orbit)
            further = (*path, self.origin[j])
            if self.at_least(smaller, d - 1, rest, further) and self.at_least(members ^ smaller, d - 1, rest, further):
                self.choices[members] = d, j
                return j
        return None

    def _meet(self, members: int, size: int) -> Known:
        table = self.work.table
        known = Known(size)
        if table is not None and size >= _LARGE:
            known = self.work.by_key.setdefault(table.key(self.columns, members), known)
        self.known[members] = known
        return known

    def _is_sparse(self, members: int, size: int) -> bool:
        return self.size > _LONG and size * _SPARSE < self.size

    def _renumbered(self, members: int, active: Sequence[int]) -> Part:
        """The members with numbers of their own, from 0."""
        part = self.parts.get(members)
        if part is None:
            import numpy as np

            length = (self.size + 7) // 8
            raw = b"".join(self.columns[j].to_bytes(length, "little") for j in active)
            table = np.frombuffer(raw, np.uint8).reshape(len(active), length)
            chosen = places(members, self.size)
            cells = table[:, chosen >> 3] >> (chosen & 7).astype(np.uint8) & 1
            packed = np.packbits(cells, axis=1, bitorder="little")
            columns = [int.from_bytes(line.tobytes(), "little") for line in packed]
            origin, concepts = [self.origin[j] for j in active], [self.concepts[c] for c in chosen.tolist()]
            self.parts[members] = part = Part(columns, origin, concepts, self.work)
        return part

    def write_tree(
        self,
        members: int,
        active: Sequence[int],
        path: tuple[int, ...],
        node: int,
        nodes: list[int],
        leaves: list[int],
    ) -> None:
        """Write the tree for the members into place, from its root `node` downwards."""
        size = members.bit_count()
        d = len(leaves).bit_length() - (node + 1).bit_length()  # levels below the node
        if d == 0:
            leaves[node - len(nodes)] = self.concepts[(members & -members).bit_length() - 1]
            return
        if self._is_sparse(members, size):
            part = self._renumbered(members, active)
            part.write_tree((1 << size) - 1, part.every, path, node, nodes, leaves)
            return
        j = self._choice(members, size, d, active, path)
        nodes[node] = self.origin[j]
        ones = self.columns[j] & members
        rest = self.every
        if not self.work.table:
            rest = [i for i in active if 0 < (self.columns[i] & members).bit_count() < size]
        further = (*path, self.origin[j])
        self.write_tree(members ^ ones, rest, further, 2 * node + 1, nodes, leaves)
        self.write_tree(ones, rest, further, 2 * node + 2, nodes, leaves)

    def _choice(self, members: int, size: int, d: int, active: Sequence[int], path: tuple[int, ...]) -> int:
        if d <= 2:
            return next(j for j in active if d <= (self.columns[j] & members).bit_count() <= size - d)
        known, j = self.choices.get(members, (0, 0))
        found = j if known >= d else self._split(members, size, d, active, path)
        assert found is not None, "K of the set must be at least d"
        return found
