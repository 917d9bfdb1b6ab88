"""The teaching dimension of a class, with a teaching set for each concept.

A teaching set of a concept is a set of instances whose labels no other concept has; the dimension is the size of the
largest of the smallest ones. A smallest teaching set is a smallest cover: every other concept must differ somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline, Interval, OutOfTime
from mistakebound.theory.states import distinct_columns
from mistakebound.theory.symmetry import find_symmetry

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

_MANY = 30  # concepts, for which it pays to look for symmetries


@dataclass(frozen=True)
class TeachingDimension(Interval):
    """The teaching dimension between `lower` and `upper`; `sets[c]` is a teaching set for concept c, a smallest one
    where the dimension is exact.
    """

    sets: tuple[tuple[Any, ...], ...]
    finite: FiniteClass = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Whether each set singles out its concept, and the largest is as large as said."""
        for c, chosen in enumerate(self.sets):
            left = self.finite.everyone
            for x in chosen:
                j = self.finite.position(x)
                left = self.finite.consistent(left, j, self.finite.label(c, j))
            if left != 1 << c:
                return False
        return len(self.sets) == self.finite.size and max(map(len, self.sets)) == self.upper

    @cached_property
    def hardest(self) -> Any:
        """The first concept whose set is largest."""
        sizes = [len(chosen) for chosen in self.sets]
        return self.finite.concepts[sizes.index(max(sizes))]


def teaching_dimension(concept_class: ConceptClass | str, timeout: float | None = None) -> TeachingDimension:
    """The teaching dimension of a finite class: how many labelled instances its hardest concept needs.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class with at least one concept, or its text.
    timeout : float or None, default None
        Seconds, >= 0.  None: as long as it takes.

    Returns
    -------
    TeachingDimension
        `lower` and `upper`, both proven; `value` where they are equal, else None; `sets`, a teaching set of every
        concept; `hardest`, the first concept whose set is largest.

    Notes
    -----
    A teaching set of a concept is a set of instances whose labels no other concept of the class has.

    References
    ----------
    Goldman and Kearns 1995, On the complexity of teaching.

    Examples
    --------
    >>> from mistakebound.concepts import Conjunctions
    >>> found = teaching_dimension(Conjunctions(3))
    >>> found.value, found.verify()
    (4, True)
    """
    deadline = Deadline(timeout)
    finite = class_given(concept_class).finite()
    if not finite.size:
        raise BadParameter("an empty class cannot be taught")
    search = TeachingSearch(finite, deadline)
    sets: list[list[int] | None] = [None] * finite.size
    lower = 0
    try:
        for start, others in _orbits(finite):
            sets[start] = search.smallest(start)
            lower = max(lower, len(sets[start] or ()))
            for c, image in others:
                sets[c] = [image[j] for j in sets[start] or ()]
    except OutOfTime:
        pass
    whole = [search.greedy(c) if chosen is None else chosen for c, chosen in enumerate(sets)]
    upper = max(map(len, whole))
    return TeachingDimension(
        lower, upper, tuple(tuple(finite.instances[j] for j in sorted(chosen)) for chosen in whole), finite
    )


def _orbits(finite: FiniteClass) -> list[tuple[int, list[tuple[int, list[int]]]]]:
    """One concept of each orbit under the symmetries of the class, with the others and how instances move to theirs."""
    symmetry = find_symmetry(finite) if finite.size > _MANY else None
    if symmetry is None:
        return [(c, []) for c in range(finite.size)]
    number = {row: c for c, row in enumerate(finite.rows)}
    moves = [(images, symmetry.concept_images(finite, images, swap, number)) for images, swap in symmetry.generators()]
    met = [False] * finite.size
    found = []
    for start in range(finite.size):
        if met[start]:
            continue
        met[start] = True
        others: list[tuple[int, list[int]]] = []
        waiting: list[tuple[int, list[int]]] = [(start, list(range(len(finite.columns))))]
        for c, image in waiting:  # grows while it is gone through
            for images, concepts in moves:
                other = concepts[c]
                if not met[other]:
                    met[other] = True
                    others.append((other, [images[j] for j in image]))
                    waiting.append(others[-1])
        found.append((start, others))
    return found


class TeachingSearch:
    """Smallest teaching sets by branching on the concept that is hardest to tell apart."""

    def __init__(self, finite: FiniteClass, deadline: Deadline, members: int | None = None) -> None:
        self.finite, self.deadline = finite, deadline
        self.members = finite.everyone if members is None else members  # among which a concept is to be singled out
        self.active = distinct_columns(finite.columns, self.members)

    def differing(self, c: int) -> list[int]:
        """For each active column the concepts that it tells apart from c."""
        finite = self.finite
        return [finite.everyone ^ finite.columns[j] if finite.label(c, j) else finite.columns[j] for j in self.active]

    def greedy(self, c: int) -> list[int]:
        """A small teaching set: always the instance that tells most of the rest apart."""
        covers, left, chosen = self.differing(c), self.members ^ 1 << c, []
        while left:
            best = max(range(len(covers)), key=lambda i: (covers[i] & left).bit_count())
            chosen.append(self.active[best])
            left &= ~covers[best]
        return chosen

    def smallest(self, c: int) -> list[int]:
        """A teaching set of the fewest instances."""
        chosen = self.greedy(c)
        covers = self.differing(c)
        left = self.members ^ 1 << c
        while chosen:
            fewer = self._cover(covers, list(range(len(covers))), left, len(chosen) - 1)
            if fewer is None:
                break
            chosen = [self.active[i] for i in fewer]
        return chosen

    def _cover(self, covers: list[int], allowed: list[int], left: int, size: int) -> list[int] | None:
        """At most `size` of the allowed columns that tell all that is left apart."""
        if not left:
            return []
        self.deadline.check()
        alike = {covers[i] & left: i for i in reversed(allowed) if covers[i] & left}  # one of those that do the same
        useful = sorted((cover.bit_count(), i) for cover, i in alike.items())
        counts = [count for count, _ in useful]
        if sum(counts[-size:] if size else []) < left.bit_count():
            return None
        rarest = _rarest([covers[i] & left for _, i in useful], left)
        options = [i for _, i in reversed(useful) if covers[i] & rarest]
        rest = [i for _, i in useful]
        for i in options:
            more = self._cover(covers, rest, left & ~covers[i], size - 1)
            if more is not None:
                return [i, *more]
            rest = [other for other in rest if other != i]  # with i there is no cover: look without it
        return None


def _rarest(covers: list[int], left: int) -> int:
    """One of the concepts that the fewest columns tell apart, as a bit."""
    once = seen_twice = 0
    for cover in covers:
        seen_twice |= once & cover
        once |= cover
    single = left & ~seen_twice
    if single:
        return single & -single
    # Count in binary, a bit of all the counts at a time; then keep the smallest counts from the top bit down.
    planes: list[int] = []
    for cover in covers:
        carry = cover
        for place, plane in enumerate(planes):
            planes[place], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    for plane in reversed(planes):
        if left & ~plane:
            left &= ~plane
    return left & -left
