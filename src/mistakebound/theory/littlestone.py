"""opt(C), the best mistake bound that any algorithm can have for a class, and its witness, a complete mistake tree.

opt(C) = K(C), the most levels of a complete mistake tree of C; also known as the Littlestone dimension.  Some lower
bounds need no search: Littlestone 1988, Theorem 8 and after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import comb, log2
from typing import TYPE_CHECKING

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.dnf import DNF
from mistakebound.concepts.linear_thresholds import LinearThresholds
from mistakebound.concepts.literal_sets import MonotoneConjunctions, MonotoneDisjunctions
from mistakebound.theory.few_attributes import mistake_tree, search_for
from mistakebound.theory.interval import Deadline, Interval, OutOfTime, deep_recursion
from mistakebound.theory.mistake_tree import MistakeTree, build_tree
from mistakebound.theory.opt_search import OptSearch
from mistakebound.theory.theorem_trees import best_blocks, theorem_depth
from mistakebound.theory.threshold_trees import threshold_bound

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass


@dataclass(frozen=True)
class Opt(Interval):
    """opt(C) between `lower` and `upper`; `tree` is a complete mistake tree of `lower` levels."""

    make_tree: Callable[[int], MistakeTree] = field(repr=False, compare=False)

    @cached_property
    def tree(self) -> MistakeTree | None:
        """The witness that opt(C) is at least `lower`; None for the empty class. Made when it is first asked for."""
        return self.make_tree(self.lower) if self.lower >= 0 else None

    def verify(self) -> bool:
        """Whether the tree is what the definition asks for: it proves the lower bound."""
        return self.tree is None or (self.tree.depth == self.lower and self.tree.verify())


def opt(concept_class: ConceptClass | str, timeout: float | None = None) -> Opt:
    """opt(C): the best mistake bound that any deterministic algorithm can have for a class; its Littlestone dimension.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text, such as "monotone-disjunctions n=8 k=2".
    timeout : float or None, default None
        Seconds, >= 0.  None: as long as it takes.

    Returns
    -------
    Opt
        `lower` and `upper`, both proven; `value` where they are equal, else None; `tree`, a complete mistake tree of
        `lower` levels, which proves the lower end.  -1 for the empty class.

    Notes
    -----
    K(C) is the most levels of a complete mistake tree of C: an instance at every node, and below every node each label
    leads to concepts that give it.

    Algorithm, the definition::

        K(S) = -1 for no concepts, 0 for one
        K(S) = max over the instances x that split S of 1 + min(K(S with x = 0), K(S with x = 1))

    The search begins at the number of levels that a theorem gives, where there is one (`lower_bounds`).  Monotone
    disjunctions and conjunctions are searched by counts of attributes that can be exchanged: n may be large.

    Theorem.  opt(C) = K(C): an adversary walks a mistake tree and forces K(C) mistakes; the standard optimal algorithm
    makes no more.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3, Lemma 1 and Theorem 3.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> found = opt(MonotoneDisjunctions(8, 2))
    >>> found.value, found.exact, found.tree.depth, found.tree.verify()
    (4, True, 4, True)
    """
    deadline = Deadline(timeout)
    given = class_given(concept_class)
    if isinstance(given, MonotoneDisjunctions | MonotoneConjunctions):
        return _opt_of_few(given, deadline)
    search = OptSearch(given.finite(), deadline)
    low, high = _narrowed(*search.bounds(), search.at_least)
    return Opt(low, high, partial(_tree_of, search))


def _tree_of(search: OptSearch, depth: int) -> MistakeTree:
    search.deadline(Deadline())
    return build_tree(search, depth)


def _opt_of_few(given: MonotoneDisjunctions | MonotoneConjunctions, deadline: Deadline) -> Opt:
    high = given.count().bit_length() - 1
    k = given.n if given.k is None else given.k
    # The instances of one attribute each, of k attributes (or of those that may be left out), are labelled in all ways.
    low = min(high, max(theorem_depth(given), min(k, given.n - k) if given.exactly else k))
    if low < high:
        search = search_for(given, deadline)
        with deep_recursion(high):
            low, high = _narrowed(low, high, lambda d: search.at_least(search.root, d))
    return Opt(low, high, partial(mistake_tree, given))


def _narrowed(low: int, high: int, at_least: Callable[[int], bool]) -> tuple[int, int]:
    """The number itself, or what of the interval is left when time runs out."""
    try:
        while low < high:
            if at_least(low + 1):
                low += 1
            else:
                high = low
    except OutOfTime:
        pass
    return low, high


littlestone_dimension = opt  # its other name today


@dataclass(frozen=True)
class LowerBound:
    """`quantity` ("opt" or "vc") of the class is at least `value`, by the `formula`."""

    quantity: str
    value: float
    formula: str


def lower_bounds(concept_class: ConceptClass | str) -> list[LowerBound]:
    """Lower bounds on opt(C) or the VC dimension that theorems give without any search.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A class, or its text.

    Returns
    -------
    list of LowerBound
        Each with `quantity` ("opt" or "vc"), `value` and `formula`.  Empty for classes that no theorem here is about.

    Notes
    -----
    Monotone disjunctions of k (at most or exactly) among n attributes: opt >= k*floor(log2(n/k)); of at most k also
    opt >= (k/8)*(1 + log2(n/k)), and opt >= j*floor(log2(n/j)) for every j <= k (of exactly k: with n - (k - j) for n);
    the best j is taken where it is better than k.  Monotone conjunctions are their duals.

    Monotone DNF of l terms with k literals each: VCdim >= k*l*floor(log2(n/m)) for any m with k <= m <= n and
    l <= binom(m, k); the best m is taken.

    Linear threshold functions of n attributes: opt >= 2 + n*(n - 1)/2 (`theory/threshold_trees.py` has the tree).

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, Theorem 8 and after it.

    Examples
    --------
    >>> from mistakebound.concepts import DNF, MonotoneDisjunctions
    >>> lower_bounds(MonotoneDisjunctions(64, 4))[0]
    LowerBound(quantity='opt', value=16, formula='k floor(log2(n/k))')
    >>> lower_bounds(DNF(32, terms=3, literals=2))
    [LowerBound(quantity='vc', value=18, formula='k l floor(log2(n/m)), m = 3')]
    """
    concept_class = class_given(concept_class)
    if isinstance(concept_class, MonotoneDisjunctions | MonotoneConjunctions):
        found = _disjunctions(concept_class.n, concept_class.k, concept_class.exactly)
        j, levels = best_blocks(concept_class)
        if j * levels > max([bound.value for bound in found], default=0):
            text = "j floor(log2((n - k + j)/j))" if concept_class.exactly else "j floor(log2(n/j))"
            found.append(LowerBound("opt", j * levels, f"{text}, j = {j}"))
        return found
    if isinstance(concept_class, LinearThresholds):
        return [LowerBound("opt", threshold_bound(concept_class.n), "2 + n (n - 1)/2")]
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
