"""The adversary who walks down a complete mistake tree (Littlestone 1988, Lemma 1): forces opt(C) on any learner."""

from __future__ import annotations

from typing import Any

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.concept import ConceptClass
from mistakebound.concepts.disjunctions import MonotoneDisjunctions
from mistakebound.concepts.literals import MonotoneSets
from mistakebound.core.errors import BadParameter
from mistakebound.teachers.adversary import Adversary
from mistakebound.theory.opt import opt


class MistakeTreeAdversary(Adversary):
    """Shows the instance at a node, and goes to the side that the learner did not predict.

    Where opt(C) is not found within `timeout` seconds, the tree is as tall as was proven by then.

    >>> import mistakebound as mb
    >>> C = mb.concepts.MonotoneDisjunctions(5, 2)
    >>> adversary = MistakeTreeAdversary(C)
    >>> mb.play(mb.StandardOptimalAlgorithm(C), adversary).mistakes, adversary.forces, adversary.target in C
    (3, 3, True)
    """

    def __init__(self, concepts: ConceptClass | str, timeout: float | None = None) -> None:
        super().__init__()
        concepts = self.concepts = class_given(concepts, "concepts")
        tree = opt(concepts, timeout).tree
        if tree is None:
            raise BadParameter(f"concepts must be a class with at least one concept: {concepts}")
        self.tree = tree
        self.forces = tree.depth
        self._node = 0

    def _choose(self) -> Any:
        return None if self.tree.is_leaf(self._node) else self.tree.instance(self._node)

    def _commit(self, label: int) -> None:
        self._node = self.tree.child(self._node, label)

    @property
    def _leaf(self) -> int:
        """The leaf below, to the left of where the walk has come to."""
        node = self._node
        while not self.tree.is_leaf(node):
            node = self.tree.child(node, 0)
        return node - len(self.tree.nodes)

    @property
    def target(self) -> Any:
        finite = self.tree.finite
        return finite.concepts[self.tree.leaves[self._leaf]]

    def target_label(self, x: Any) -> int:
        finite = self.tree.finite
        return finite.label(self.tree.leaves[self._leaf], finite.position(x))

    def in_class(self) -> bool:
        return self.tree.finite.labels(self.tree.leaves[self._leaf]) in self.concepts.finite(self.tree.finite.instances)

    def facts(self) -> dict[str, Any]:
        known = super().facts()
        if isinstance(self.concepts, MonotoneDisjunctions):
            known |= {"k": self.concepts.n if self.concepts.k is None else self.concepts.k, "r": 1}
        return known


def adversary_for(concepts: ConceptClass | str) -> Adversary:
    """The adversary that the textbooks have for a class; for every other class, the one who walks its mistake tree.

    >>> from mistakebound.concepts import Conjunctions, MonotoneDisjunctions, Thresholds
    >>> for C in (Conjunctions(9), MonotoneDisjunctions(64, 2), Thresholds(7)):
    ...     print(type(adversary_for(C)).__name__, adversary_for(C).forces)
    ConjunctionAdversary 9
    DisjunctionAdversary 10
    MistakeTreeAdversary 3
    """
    from mistakebound.concepts.conjunctions import Conjunctions, MonotoneConjunctions
    from mistakebound.teachers.conjunction_adversary import ConjunctionAdversary
    from mistakebound.teachers.disjunction_adversary import DisjunctionAdversary

    concepts = class_given(concepts, "concepts")
    everything = not isinstance(concepts, MonotoneSets) or concepts.k is None
    if isinstance(concepts, (Conjunctions, MonotoneConjunctions)) and everything:
        return ConjunctionAdversary(concepts.n, concepts)
    if isinstance(concepts, MonotoneDisjunctions) and concepts.k:
        return DisjunctionAdversary(concepts.n, concepts.k, concepts)
    return MistakeTreeAdversary(concepts)
