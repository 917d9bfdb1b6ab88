"""Lower bounds that L proves without a search (L §5, Theorem 8 and its neighbours; row T4)."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass


@dataclass(frozen=True)
class LowerBound:
    """`quantity` ("opt" or "vc") of the class is at least `value`, by the `formula`."""

    quantity: str
    value: float
    formula: str


def lower_bounds(concept_class: ConceptClass | str) -> list[LowerBound]:
    """What theorems say of the class before anything is computed; nothing for classes that they do not speak of.

    >>> from mistakebound.concepts import DNF, MonotoneDisjunctions
    >>> lower_bounds(MonotoneDisjunctions(64, 4))[0]
    LowerBound(quantity='opt', value=16, formula='k floor(log2(n/k))')
    >>> lower_bounds(DNF(32, terms=3, literals=2))
    [LowerBound(quantity='vc', value=18, formula='k l floor(log2(n/m)), m = 3')]
    """
    from mistakebound.concepts.class_text import class_given
    from mistakebound.concepts.disjunctions import MonotoneDisjunctions
    from mistakebound.concepts.dnf import DNF

    concept_class = class_given(concept_class)
    if isinstance(concept_class, MonotoneDisjunctions):
        return _disjunctions(concept_class.n, concept_class.k, concept_class.exactly)
    if isinstance(concept_class, DNF) and concept_class.monotone:
        return [dnf_bound(concept_class.n, concept_class.terms, concept_class.literals)]
    return []


def disjunction_bound(n: int, k: int) -> int:
    """opt of the monotone disjunctions of exactly k literals, and so of at most k, is at least this; 1 <= k <= n."""
    return k * ((n // k).bit_length() - 1)


def _disjunctions(n: int, k: int | None, exactly: bool) -> list[LowerBound]:
    if k is None:  # all of them: those of at most n literals
        k = n
    if k == 0:
        return []
    found = [LowerBound("opt", disjunction_bound(n, k), "k floor(log2(n/k))")]
    if not exactly and n > 1:
        found.append(LowerBound("opt", k / 8 * (1 + log2(n / k)), "(k/8) (1 + log2(n/k))"))
    return found


def dnf_bound(n: int, terms: int, literals: int) -> LowerBound:
    """The best over m of k l floor(log2(n/m)), for k <= m <= n and at most binom(m, k) terms, in VCdim."""
    best, at = max(
        (literals * terms * ((n // m).bit_length() - 1), -m)
        for m in range(literals, n + 1)
        if terms <= comb(m, literals) or m == n
    )
    return LowerBound("vc", best, f"k l floor(log2(n/m)), m = {-at}")
