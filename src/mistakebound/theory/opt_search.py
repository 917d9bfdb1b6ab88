"""The search behind opt(C): is K(S) >= d, for a set S of concepts given as bits?  (Littlestone 1988, section 3)

K(S) >= d when |S| >= 2^d and some instance splits S into two sets with K >= d - 1. What is known of a set is
remembered; splits into equal halves come first; instances that split S alike are tried once. A set too large for its
instances to have a smaller VC dimension than d (Sauer's lemma) has K >= d without a search. Sets that have become
small are renumbered, so that the numbers stay short. Where this takes long, symmetries of the class are looked for:
a small group serves to remember sets up to symmetry, a large one to try one instance of each orbit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.theory.opt_parts import Budget, Part, Work
from mistakebound.theory.symmetry import cost_of_finding, find_symmetry

if TYPE_CHECKING:
    from mistakebound.concepts.finite import FiniteClass
    from mistakebound.theory.interval import Deadline

_PLAIN = 1_000_000  # steps before symmetries are looked for, and twice as many as that would take


class OptSearch:
    """K of a class and of its subsets; what it finds out about one set serves for the others.

    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> search = OptSearch(MonotoneDisjunctions(5, 2).finite())
    >>> search.value(), search.value(0b111), search.value(0)
    (3, 1, -1)
    """

    def __init__(self, finite: FiniteClass, deadline: Deadline | None = None) -> None:
        self.finite = finite
        self._work = Work(_PLAIN + 2 * cost_of_finding(finite))
        self._part = self._whole(self._work)
        self._plain: Part | None = None
        if deadline is not None:
            self.deadline(deadline)

    def _whole(self, work: Work) -> Part:
        columns = self.finite.columns
        return Part(columns, range(len(columns)), range(self.finite.size), work)

    @property
    def splits(self) -> int:
        """How many sets have been split so far: the size of the search."""
        return self._work.splits

    def deadline(self, deadline: Deadline) -> None:
        """Give up with OutOfTime when it has passed."""
        self._work.deadline = deadline

    def value(self, concepts: int | None = None) -> int:
        """K of a set of concepts, all of them unless told otherwise; -1 for the empty set."""
        low, high = self.bounds(concepts)
        while low < high:
            low, high = (low + 1, high) if self.at_least(low + 1, concepts) else (low, low)
        return low

    def bounds(self, concepts: int | None = None) -> tuple[int, int]:
        """What the sizes of the set and of its parts, and all that was found out before, say of K."""
        members = self.finite.everyone if concepts is None else concepts
        return self._part.bounds(members)

    def at_least(self, d: int, concepts: int | None = None) -> bool:
        """Whether K of the set is at least d."""
        members = self.finite.everyone if concepts is None else concepts
        while True:
            part, path = self._start(members)
            try:
                return part.at_least(members, d, part.every, path)
            except Budget:
                self._use_symmetry()

    def _start(self, members: int) -> tuple[Part, tuple[int, ...]]:
        """Where to begin: symmetries speak only of sets that are all that some labels leave of the class."""
        if members == self.finite.everyone or not (self._work.table or self._work.symmetry):
            return self._part, ()
        closed, path = self.finite.everyone, []
        for j, column in enumerate(self.finite.columns):
            common = column & members
            if common in (0, members):
                path.append(j)
                closed &= column if common else ~column
        if closed == members:
            return self._part, tuple(path)
        if self._plain is None:
            self._plain = self._whole(Work(None))
        self._plain.work.deadline = self._work.deadline
        return self._plain, ()

    def _use_symmetry(self) -> None:
        self._work.budget = None
        found = find_symmetry(self.finite)
        if found is not None:
            self._work.table = found.table()
            self._work.symmetry = found if self._work.table is None else None
            self._part = self._whole(self._work)  # a key needs all columns, and parts have dropped some

    def tree(self, depth: int) -> tuple[list[int], list[int]]:
        """The nodes and leaves of a complete mistake tree (see MistakeTree) of a class with K >= depth."""
        while True:
            try:
                nodes, leaves = [0] * ((1 << depth) - 1), [0] * (1 << depth)
                self._part.write_tree(self.finite.everyone, self._part.every, (), 0, nodes, leaves)
                return nodes, leaves
            except Budget:
                self._use_symmetry()
