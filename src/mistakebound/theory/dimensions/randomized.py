"""The optimal mistake bound of randomized learners, with the mistake tree of largest average depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from mistakebound.concepts.class_text import class_given
from mistakebound.theory.interval import Deadline, OutOfTime
from mistakebound.theory.opt_search import OptSearch
from mistakebound.theory.states import distinct_columns

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

Node: TypeAlias = "int | tuple[int, Any, Any]"  # a concept, or an instance with what the labels 0 and 1 lead to


@dataclass(frozen=True)
class RandomizedOpt:
    """The optimal expected mistakes between `lower` and `upper`, as fractions.

    `tree` is a mistake tree, not necessarily complete, whose average depth is twice `lower`: a concept's number at a
    leaf; (instance's number, subtree of label 0, subtree of label 1) at a node.
    """

    lower: Fraction
    upper: Fraction
    tree: Any
    finite: FiniteClass = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def value(self) -> Fraction | None:
        """The number itself where it is known exactly."""
        return self.lower if self.exact else None

    def verify(self) -> bool:
        """Whether every leaf's concept gives the labels that lead to it, and the average depth is twice `lower`."""
        if self.tree is None:
            return self.lower == 0
        total = Fraction(0)
        waiting: list[tuple[Any, list[tuple[int, int]]]] = [(self.tree, [])]
        while waiting:
            node, path = waiting.pop()
            if isinstance(node, int):
                if any(self.finite.label(node, j) != label for j, label in path):
                    return False
                total += Fraction(len(path), 1 << len(path))
            else:
                waiting += [(node[1 + label], [*path, (node[0], label)]) for label in (0, 1)]
        return total == 2 * self.lower

    def __str__(self) -> str:
        return str(self.lower) if self.exact else f"{self.lower} to {self.upper}"


def randomized_opt(concept_class: ConceptClass | str, timeout: float | None = None) -> RandomizedOpt:
    """The best bound on expected mistakes that a randomized learner can have for a class: its randomized dimension.

    Parameters
    ----------
    concept_class, timeout
        As of `teaching_dimension`.

    Returns
    -------
    RandomizedOpt
        `lower` and `upper`, fractions, both proven; `value` where they are equal; `tree`, the mistake tree whose
        average depth is twice `lower`.

    Notes
    -----
    Theorem.  The optimal expected number of mistakes is half of the largest average depth of a mistake tree, over all
    finite trees, complete or not; the average is over a fair coin at every node.  So opt/2 <= value <= opt.

    Algorithm::

        D(S) = 0 for one concept
        D(S) = max over the instances x that split S of 1 + (D(S with x = 0) + D(S with x = 1)) / 2
        value = D(C) / 2

    References
    ----------
    Filmus, Hanneke, Mehalel and Moran 2023, Optimal prediction using expert advice and randomized Littlestone
    dimension.

    Examples
    --------
    >>> found = randomized_opt("singletons m=4")
    >>> str(found), found.verify()
    ('7/8', True)
    """
    finite = class_given(concept_class).finite()
    deadline = Deadline(timeout)
    search = _AverageDepth(finite, deadline)
    try:
        depth = search.depth(finite.everyone)
    except OutOfTime:
        _, high = OptSearch(finite).bounds()
        return RandomizedOpt(Fraction(0), Fraction(max(high, 0)), None, finite)
    tree = search.tree(finite.everyone) if finite.size else None
    return RandomizedOpt(depth / 2, depth / 2, tree, finite)


class _AverageDepth:
    """D of sets of concepts, remembered; a set is a number, as in `FiniteClass`."""

    def __init__(self, finite: FiniteClass, deadline: Deadline) -> None:
        self.columns, self.deadline = finite.columns, deadline
        self.known: dict[int, tuple[Fraction, int]] = {}

    def depth(self, members: int) -> Fraction:
        if members & (members - 1) == 0:
            return Fraction(0)
        found = self.known.get(members)
        if found is None:
            self.deadline.check()
            best = Fraction(-1), -1
            for j in distinct_columns(self.columns, members):
                ones = members & self.columns[j]
                if ones and ones != members:
                    value = 1 + (self.depth(ones) + self.depth(members ^ ones)) / 2
                    if value > best[0]:
                        best = value, j
            found = self.known[members] = best
        return found[0]

    def tree(self, members: int) -> Node:
        if members & (members - 1) == 0:
            return members.bit_length() - 1
        j = self.known[members][1]
        ones = members & self.columns[j]
        return j, self.tree(members ^ ones), self.tree(ones)
