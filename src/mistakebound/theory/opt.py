"""opt(C), the best mistake bound that any algorithm can have for a class (L §3; row T1).

opt(C) = K(C), the most levels of a complete mistake tree of C; also known as the Littlestone dimension.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mistakebound.concepts.class_text import class_given
from mistakebound.theory.interval import Deadline, Interval, OutOfTime
from mistakebound.theory.mistake_tree import MistakeTree, build_tree
from mistakebound.theory.opt_search import OptSearch

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass


@dataclass(frozen=True)
class Opt(Interval):
    """opt(C) between `lower` and `upper`; `tree` is a complete mistake tree of `lower` levels."""

    search: OptSearch = field(repr=False, compare=False)

    @cached_property
    def tree(self) -> MistakeTree | None:
        """The witness that opt(C) is at least `lower`; None for the empty class. Made when it is first asked for."""
        self.search.deadline(Deadline())
        return build_tree(self.search, self.lower) if self.lower >= 0 else None

    def verify(self) -> bool:
        """Whether the tree is what the definition asks for: it proves the lower bound."""
        return self.tree is None or (self.tree.depth == self.lower and self.tree.verify())


def opt(concept_class: ConceptClass | str, timeout: float | None = None) -> Opt:
    """The best mistake bound for the class, exactly; past `timeout` seconds, the interval that is proven by then.

    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> found = opt(MonotoneDisjunctions(8, 2))
    >>> found.value, found.exact, found.tree.depth, found.tree.verify()
    (4, True, 4, True)
    """
    deadline = Deadline(timeout)
    search = OptSearch(class_given(concept_class).finite(), deadline)
    low, high = search.bounds()
    try:
        while low < high:
            if search.at_least(low + 1):
                low += 1
            else:
                high = low
    except OutOfTime:
        pass
    return Opt(low, high, search)
