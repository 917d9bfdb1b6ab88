"""Complete mistake trees: the witness that no algorithm can have a smaller mistake bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import BadParameter
from mistakebound.core.notebook import NotebookView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass
    from mistakebound.theory.opt_search import OptSearch

LIMIT = 20  # levels of the largest tree: a million instances


class MistakeTree(NotebookView):
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


def check_depth(depth: int) -> None:
    if depth > LIMIT:
        raise BadParameter(f"a mistake tree must have at most {LIMIT} levels to be built: {depth}")


def build_tree(search: OptSearch, depth: int) -> MistakeTree:
    """The complete mistake tree of a class with K >= depth."""
    check_depth(depth)
    return MistakeTree(search.finite, *search.tree(depth))
