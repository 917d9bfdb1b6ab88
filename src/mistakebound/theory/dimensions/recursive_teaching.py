"""The recursive teaching dimension: concepts are taught in an order, each against those that are left."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones
from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline, Interval, OutOfTime
from mistakebound.theory.teaching import TeachingSearch

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass


@dataclass(frozen=True)
class RecursiveTeaching(Interval):
    """Between `lower` and `upper`; a `plan` proves the upper end, a `subclass` (numbers of concepts) the lower one.

    The plan is (concept's number, its instances) in order of teaching: these single it out among those that are left.
    Every concept of the subclass needs `lower` instances within it.
    """

    plan: tuple[tuple[int, tuple[Any, ...]], ...]
    subclass: tuple[int, ...]
    finite: FiniteClass = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Both proofs by the definition; the second goes through all sets of `lower` - 1 instances."""
        left = self.finite.everyone
        for c, chosen in self.plan:
            alike = left
            for x in chosen:
                j = self.finite.position(x)
                alike = self.finite.consistent(alike, j, self.finite.label(c, j))
            if alike != 1 << c or len(chosen) > self.upper:
                return False
            left ^= 1 << c
        within = sum(1 << c for c in self.subclass)
        if left or self.lower <= 0:
            return not left
        for few in combinations(range(len(self.finite.columns)), self.lower - 1):
            for c in self.subclass:
                alike = within
                for j in few:
                    alike = self.finite.consistent(alike, j, self.finite.label(c, j))
                if alike == 1 << c:
                    return False
        return bool(within)


def recursive_teaching_dimension(concept_class: ConceptClass | str, timeout: float | None = None) -> RecursiveTeaching:
    """The recursive teaching dimension of a finite class.

    Parameters
    ----------
    concept_class, timeout
        As of `teaching_dimension`.

    Returns
    -------
    RecursiveTeaching
        `lower` and `upper`, both proven; `value` where they are equal, else None; `plan`, `subclass`.

    Notes
    -----
    Algorithm::

        while concepts are left:
            d = the least size of a teaching set of a concept within what is left
            teach and remove all concepts that have one of size d
        value = the largest d

    It is at most the teaching dimension; whether it is at most a constant times the VC dimension is open.

    References
    ----------
    Doliwa, Fan, Simon and Zilles 2014, Recursive teaching dimension, VC-dimension and sample compression.

    Examples
    --------
    >>> from mistakebound.theory import teaching_dimension
    >>> found = recursive_teaching_dimension("singletons m=5 empty")
    >>> found.value, teaching_dimension("singletons m=5 empty").value, found.verify()
    (1, 5, True)
    """
    finite = class_given(concept_class).finite()
    if not finite.size:
        raise BadParameter("an empty class cannot be taught")
    deadline = Deadline(timeout)
    left, value, most = finite.everyone, -1, 0
    plan: list[tuple[int, tuple[Any, ...]]] = []
    subclass: tuple[int, ...] = ()
    while left:
        search = TeachingSearch(finite, deadline, left)
        try:
            sets = {c: search.smallest(c) for c in ones(left)}
        except OutOfTime:
            c = next(ones(left))
            sets = {c: search.greedy(c)}
        least = min(map(len, sets.values()))
        if least > value and len(sets) == left.bit_count():
            value, subclass = least, tuple(ones(left))
        most = max(most, least)
        for c, chosen in sets.items():
            if len(chosen) == least:
                plan.append((c, tuple(finite.instances[j] for j in sorted(chosen))))
        left &= ~sum(1 << c for c, chosen in sets.items() if len(chosen) == least)
    return RecursiveTeaching(max(value, 0), most, tuple(plan), subclass, finite)
