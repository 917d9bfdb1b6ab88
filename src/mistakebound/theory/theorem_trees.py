"""Mistake trees that theorems give without a search: Littlestone's for disjunctions and conjunctions of few attributes.

Littlestone 1988, Theorem 8: j blocks of 2^h attributes, h = floor(log2(n/j)); one attribute of each block is in the
target.  A node shows half of what is left of a block, everything else 0; either label leaves half of it.  That is a
complete mistake tree of j*h levels.  A disjunction of at most k attributes may have any j <= k blocks; of one of
exactly k attributes, k - j may be fixed beforehand, outside of the blocks, and are 0 in every instance of the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.concepts.literal_sets import MonotoneConjunctions, MonotoneDisjunctions

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass


def best_blocks(concept_class: ConceptClass) -> tuple[int, int]:
    """(j, h) of the tallest tree of j blocks, h levels each, that the theorem gives for the class; (0, 0) without one.

    >>> best_blocks(MonotoneDisjunctions(20, 2)), best_blocks(MonotoneDisjunctions(20))
    ((2, 3), (5, 2))
    """
    if not isinstance(concept_class, MonotoneDisjunctions | MonotoneConjunctions):
        return 0, 0
    n, k = concept_class.n, concept_class.n if concept_class.k is None else concept_class.k
    options = [(0, 0)]
    for j in range(1, k + 1):
        free = n - (k - j) if concept_class.exactly else n
        options.append((j, (free // j).bit_length() - 1))
    return max(options, key=lambda option: (option[0] * option[1], -option[0]))


def theorem_depth(concept_class: ConceptClass) -> int:
    """The levels of the tree; 0 where no theorem gives one."""
    j, h = best_blocks(concept_class)
    return j * h
