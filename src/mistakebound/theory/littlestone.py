"""opt(C), the best mistake bound that any algorithm can have for a class, and its witness, a complete mistake tree.

opt(C) = K(C), the most levels of a complete mistake tree of C; also known as the Littlestone dimension.  Some lower
bounds need no search: Littlestone 1988, Theorem 8 and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, log2
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.dnf import DNF
from mistakebound.concepts.literal_sets import MonotoneConjunctions, MonotoneDisjunctions
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline, Interval, OutOfTime
from mistakebound.theory.opt_search import OptSearch
from mistakebound.theory.theorem_trees import best_blocks, theorem_depth, theorem_tree

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

LIMIT = 20  # levels of the largest tree: a million instances


class MistakeTree:
    """A complete binary tree: an instance at every inner node, a concept at every leaf.

    Each concept gives the instances above it the labels that lead to it. So whatever is predicted at a node, the
    opposite label is true for some concept: every algorithm can be made to err at every level.

    Node 0 is the root; label 0 leads from node v to node 2v + 1, label 1 to 2v + 2. `nodes` holds the numbers of the
    instances level by level, `leaves` the numbers of the concepts from the left.
    """

    def __init__(self, finite: FiniteClass, nodes: list[int], leaves: list[int]) -> None:
        self.finite, self.nodes, self.leaves = finite, nodes, leaves

    @property
    def depth(self) -> int:
        return len(self.leaves).bit_length() - 1

    def is_leaf(self, node: int) -> bool:
        return node >= len(self.nodes)

    def child(self, node: int, label: int) -> int:
        return 2 * node + 1 + label

    def instance(self, node: int) -> Any:
        """The instance at an inner node."""
        return self.finite.instances[self.nodes[node]]

    def concept(self, node: int) -> Any:
        """The concept at a leaf."""
        return self.finite.concepts[self.leaves[node - len(self.nodes)]]

    def paths(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Every leaf's concept, with the instances above it and the labels that lead to it."""
        for place, concept in enumerate(self.leaves):
            path, node = [], place + len(self.nodes)
            while node:
                parent = (node - 1) // 2
                path.append((self.nodes[parent], node - self.child(parent, 0)))
                node = parent
            yield concept, path[::-1]

    def violation(self, concept_class: ConceptClass | None = None) -> str | None:
        """What keeps this from being a complete mistake tree of the class, or None where it is one."""
        finite = self.finite if concept_class is None else concept_class.finite(self.finite.instances)
        if len(self.leaves) != 1 << self.depth or len(self.nodes) != len(self.leaves) - 1:
            return f"a complete tree must have 2^d leaves and 2^d - 1 nodes: {len(self.leaves)}, {len(self.nodes)}"
        for number, path in self.paths():
            if finite is not self.finite and self.finite.labels(number) not in finite:
                return f"every leaf must be a concept of the class: {self.finite.concepts[number]}"
            for j, label in path:
                if self.finite.label(number, j) != label:
                    return (
                        f"{self.finite.concepts[number]} must give {self.finite.instances[j]} the label {label}, "
                        "which leads to it"
                    )
        return None

    def verify(self, concept_class: ConceptClass | None = None) -> bool:
        """Whether this is a complete mistake tree of the class, by the definition."""
        return self.violation(concept_class) is None


def build_tree(search: OptSearch, depth: int) -> MistakeTree:
    """The complete mistake tree of a class with K >= depth."""
    if depth > LIMIT:
        raise BadParameter(f"a mistake tree must have at most {LIMIT} levels to be built: {depth}")
    return MistakeTree(search.finite, *search.tree(depth))


@dataclass(frozen=True)
class Opt(Interval):
    """opt(C) between `lower` and `upper`; `tree` is a complete mistake tree of `lower` levels."""

    search: OptSearch = field(repr=False, compare=False)
    concept_class: ConceptClass = field(repr=False, compare=False)

    @cached_property
    def tree(self) -> MistakeTree | None:
        """The witness that opt(C) is at least `lower`; None for the empty class. Made when it is first asked for."""
        if 0 < self.lower == theorem_depth(self.concept_class):
            return MistakeTree(self.search.finite, *theorem_tree(self.concept_class, self.search.finite))
        self.search.deadline(Deadline())
        return build_tree(self.search, self.lower) if self.lower >= 0 else None

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

    The search begins at the number of levels that a theorem gives, where there is one (`lower_bounds`), with its tree.

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
    search = OptSearch(given.finite(), deadline)
    low, high = search.bounds()
    low = max(low, theorem_depth(given) or low)
    try:
        while low < high:
            if search.at_least(low + 1):
                low += 1
            else:
                high = low
    except OutOfTime:
        pass
    return Opt(low, high, search, given)


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
