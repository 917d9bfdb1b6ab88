"""Trees and games as sketches: texts at nodes, labels at branches, large parts folded. `drawing.py` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, visible, write_name

LEVELS = 5  # of a tree that are drawn unless told otherwise
_LONGEST = 60  # characters of a concept


class Tree(Protocol):
    """What mistake trees and question trees have in common; node 0 is the root."""

    def is_leaf(self, node: int) -> bool: ...
    def child(self, node: int, label: int) -> int: ...
    def instance(self, node: int) -> Any: ...
    def concept(self, node: int) -> Any: ...


@dataclass
class Sketch:
    """A node: its text, its kind ("question", "answer" or "folded") and its branches.

    A colour (#rrggbb) takes the place of the kind's; `marked` nodes and the branches to them are drawn thick.
    """

    text: str
    kind: str
    branches: list[tuple[str, Sketch]] = field(default_factory=list)
    colour: str = ""
    marked: bool = False

    def walk(self) -> Iterator[Sketch]:
        """All nodes, parents before children, from the first branch to the last."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for _, child in reversed(node.branches)]

    def visible(self) -> Sketch:
        """The same with control characters written out: a terminal obeys them, and SVG has no place for them."""
        made = {id(node): Sketch(visible(node.text), node.kind, [], node.colour, node.marked) for node in self.walk()}
        for node in self.walk():
            made[id(node)].branches = [(visible(label), made[id(child)]) for label, child in node.branches]
        return made[id(self)]


def sketch_tree(tree: Tree, levels: int | None = LEVELS) -> Sketch:
    """The upper levels of a tree; what is below is folded into one node that says how much there is."""
    if levels is not None and levels < 1:
        raise BadParameter(f"levels must be a whole number >= 1: {levels!r}")
    root = Sketch("", "question")
    waiting = [(root, 0, 0)]
    while waiting:
        made, node, depth = waiting.pop()
        if tree.is_leaf(node):
            made.text, made.kind = concept_text(tree.concept(node)), "answer"
        elif depth == levels:
            leaves = _leaves(tree, node)
            made.text, made.kind = f"... {leaves:,} more leaves", "folded"
        else:
            made.text = f"{instance_text(tree.instance(node))}?"
            made.branches = [(str(label), Sketch("", "question")) for label in (0, 1)]
            waiting += [(made.branches[label][1], tree.child(node, label), depth + 1) for label in (0, 1)]
    return root


def sketch_game(trials: Iterable[tuple[Any, Any, Any]], end: Any = None, most: int | None = None) -> Sketch:
    """A game, given as instances with predictions and labels; `end` is what is left, a target for instance.

    Past `most` trials the rest is folded.
    """
    played = list(trials)
    shown = played if most is None else played[:most]
    root = node = Sketch("", "answer")
    mistakes = 0
    for x, prediction, label in shown:
        mistakes += prediction != label
        said = f"{label}, predicted {prediction}" + (f": mistake {mistakes}" if prediction != label else "")
        node.text, node.kind = f"{instance_text(x)}?", "question"
        node.branches = [(said, Sketch("", "answer"))]
        node = node.branches[0][1]
    if len(shown) < len(played):
        node.text, node.kind = f"... {len(played) - len(shown):,} more trials", "folded"
    else:
        node.text = concept_text(end) if end is not None else f"{mistakes} mistakes"
    return root


def instance_text(x: Any) -> str:
    """A row of zeros and ones without commas, a set by the attributes in it; anything else as it is written."""
    if isinstance(x, tuple) and len(x) == 1:
        return str(x[0])
    if isinstance(x, tuple) and x and {*x} <= {0, 1}:
        return "".join(map(str, x))
    if isinstance(x, (set, frozenset)):
        return " ".join(write_name(name) for name in sorted(x, key=attribute_order)) or "nothing"
    return str(x)


def concept_text(concept: Any) -> str:
    text = getattr(concept, "__name__", None) or str(concept)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _leaves(tree: Tree, node: int) -> int:
    waiting, leaves = [node], 0
    while waiting:
        node = waiting.pop()
        if tree.is_leaf(node):
            leaves += 1
        else:
            waiting += (tree.child(node, 0), tree.child(node, 1))
    return leaves
