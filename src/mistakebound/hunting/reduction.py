"""One minimal failing set of any command: group testing finds it, a round of single flags proves that it is minimal.

Nothing is assumed, not even that more flags make it worse; what cannot be told counts as not failing.  A failing set
comes in, and every set that is believed in its place has failed in a run.  First the shortest failing beginning is
looked for (`FirstSearch`), then from its end on flags are taken away in groups whose size the prior chooses
(`Search`).  What needs something stands behind what it needs, in files and in histories alike: from the end on nothing
is left without what it needs.

Where flags are lines of a text the blocks of its indentation come first (hierarchical delta debugging, Misherghi and
Su 2006): the outermost blocks, then those within the ones that are left.

At the end each flag is taken away alone, and each pair of brackets, round and round, until a whole round fails to
shrink the set.  That is what ddmin (Zeller and Hildebrandt 2002) proves: no single flag can be taken away.
"""

from __future__ import annotations

from mistakebound.hunting.search import FirstSearch, Search
from mistakebound.hunting.state import Question, Stage, bits_of, numbers_of
from mistakebound.theory.group_testing import culprit_prior

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PURPOSE = "delta debugging"


class Structure:
    """What is known of the flags beforehand: which stand within which, and which need which.

    `parents[i]` is the flag around flag i, or -1; `needs[i]` are the flags (bits) without which flag i cannot be on;
    `pairs` are taken away together where neither can be alone, as brackets are.

    >>> blocks = Structure(parents=[-1, 0, 1, -1])
    >>> blocks.roots, blocks.within(0), blocks.children([0, 3])
    ([0, 3], [0, 1, 2], [1])
    >>> bin(Structure(needs={2: 0b10, 3: 0b100}).closed(0b1101))
    '0b1'
    """

    def __init__(
        self,
        parents: Sequence[int] = (),
        needs: Mapping[int, int] | None = None,
        pairs: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.pairs = pairs
        self._children: list[list[int]] = [[] for _ in parents]
        self._needs = needs or {}
        self.roots: list[int] = []
        for number, parent in enumerate(parents):
            (self.roots if parent < 0 else self._children[parent]).append(number)

    def children(self, numbers: Sequence[int]) -> list[int]:
        return [child for number in numbers for child in self._children[number]] if self._children else []

    def within(self, number: int) -> list[int]:
        """A flag with all that stand within it."""
        found = [number]
        for one in found:
            found.extend(self.children((one,)))
        return found

    def closed(self, on: int) -> int:
        """Without the flags that need one that is off."""
        while True:
            missing = [flag for flag, needed in self._needs.items() if on >> flag & 1 and needed & ~on]
            if not missing:
                return on
            for flag in missing:
                on &= ~(1 << flag)


_PLAIN = Structure()


class Reduction(Stage):
    """Groups of a failing set are taken away, level by level where there are blocks; then `Proof`.

    >>> stage = reduction(0b11111111, 8)
    >>> while (question := stage.question) is not None:
    ...     stage = stage.after(question.on & 0b101000 == 0b101000)
    >>> stage.failing
    (3, 5)
    """

    def __init__(
        self,
        level: Sequence[int],
        n: int,
        structure: Structure = _PLAIN,
        base: tuple[int, ...] = (),
        inner: Search | FirstSearch | None = None,
    ) -> None:
        self.n = n
        self._level = level  # flags, each with what stands within it, of which some are needed
        self._structure = structure
        self._base = base  # flags that are on in every run: what the blocks of this level stand in
        if inner is None and not base:
            inner = FirstSearch(culprit_prior(len(level), None))
        self._inner = inner  # None: whether it fails without all of them is asked first

    def _on(self, chosen: int) -> int:
        flags = [flag for place in numbers_of(chosen) for flag in self._structure.within(self._level[place])]
        return self._structure.closed(bits_of((*self._base, *flags), self.n))

    @property
    def question(self) -> Question:
        if self._inner is None:
            return Question(self._on(0), 0.2, PURPOSE)
        question = self._inner.question
        assert question is not None
        return Question(self._on(question.on), question.chance, PURPOSE)

    def after(self, bad: bool | None) -> Reduction | Proof:
        if self._inner is None:
            return self._found(()) if bad else self._narrowed(FirstSearch(culprit_prior(len(self._level), None)))
        asked = self._inner.question
        assert asked is not None
        if bad and asked.on & (asked.on - 1) == 0:  # a single one, alone
            return self._found(numbers_of(asked.on))
        inner = self._inner.after(bool(bad))
        assert isinstance(inner, (Search, FirstSearch))
        return self._narrowed(inner)

    def _narrowed(self, inner: Search | FirstSearch) -> Reduction | Proof:
        if inner.n == 1:
            return self._found((0,))
        if isinstance(inner, Search) and inner.question is None:
            return self._found(sorted(inner.found))
        return Reduction(self._level, self.n, self._structure, self._base, inner)

    def _found(self, places: Sequence[int]) -> Reduction | Proof:
        found = [self._level[place] for place in places]
        base = (*self._base, *found)
        below = self._structure.children(found)
        if below:
            return Reduction(below, self.n, self._structure, base)
        return Proof(self._structure.closed(bits_of(base, self.n)), self.n, self._structure)

    def bits(self) -> float:
        return 0.0 if self._inner is None else self._inner.bits()

    def expected(self) -> float:
        return 1.0 + (0.0 if self._inner is None else self._inner.expected())


class Proof(Stage):
    """A failing set, and whether it fails without each of its flags; one that can be spared is taken away.

    What is thought of ahead of its time may be the empty set: flags that each need one that is off.
    """

    def __init__(self, failing: int, n: int, structure: Structure = _PLAIN, place: int = 0, kept: int = 0) -> None:
        self.failing = tuple(numbers_of(failing))
        self.n = n
        self._on = failing
        self._structure = structure
        self._units: list[tuple[int, ...]] = [(flag,) for flag in reversed(self.failing)]
        self._units += [pair for pair in structure.pairs if failing >> pair[0] & failing >> pair[1] & 1]
        self._place = place % len(self._units) if self._units else 0  # the next to be taken away
        self._kept = kept  # so many in a row could not be taken away

    @property
    def question(self) -> Question | None:
        if self._kept == len(self._units) or len(self.failing) == 1:
            return None
        return Question(self.without(*self._units[self._place]), 0.1, PURPOSE)

    def without(self, *flags: int) -> int:
        """This set without some flags, and without those that need them."""
        return self._structure.closed(self._on & ~bits_of(flags, self.n))

    def after(self, bad: bool | None) -> Proof:
        if bad:
            return Proof(self.without(*self._units[self._place]), self.n, self._structure, self._place)
        return Proof(self._on, self.n, self._structure, self._place + 1, self._kept + 1)

    def expected(self) -> float:
        return float(len(self._units) - self._kept) if self.question is not None else 0.0


def reduction(failing: int, n: int, structure: Structure = _PLAIN) -> Reduction | Proof:
    """What begins with a failing set that is not empty."""
    flags = [flag for flag in structure.roots or numbers_of(failing) if failing >> flag & 1]
    return Reduction(flags, n, structure) if failing & (failing - 1) else Proof(failing, n, structure)
