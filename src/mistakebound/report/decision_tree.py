"""A decision tree as a sketch: tests with the rows that came to them, leaves in the colours of their classes.

A large tree is folded: the nodes that most rows came to are shown first, and a marked path always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.learners.tree.colours import class_colour
from mistakebound.learners.tree.fold_branches import NODES, opened_nodes
from mistakebound.learners.tree.rule_words import branch_text, counts_text, leaf_text, test_text
from mistakebound.learners.tree.shape import leaves_below
from mistakebound.report.drawing import draw
from mistakebound.report.sketch import Sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.table import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree
    from mistakebound.learners.tree.node_text import ShownTree


def draw_decision_tree(
    learner: ShownTree,
    form: str = "text",
    *,
    levels: int | None = None,
    nodes: int | None = NODES,
    row: Any = None,
) -> str:
    """A decision tree as "text", "dot" or "svg"; what goes beyond so many levels or nodes is folded (None: nothing is).

    Of a row, given as a mapping, the path is marked.

    >>> from mistakebound.learners.tree.decision_tree import DecisionTree
    >>> print(draw_decision_tree(DecisionTree.of_formula("x1 & ~x2"), row={"x1": 0, "x2": 1}))
    x1? (3 0, 1 1) ◀
    ├─0─ 0 (2) ◀
    └─1─ x2? (1 0, 1 1)
         ├─0─ 1 (1)
         └─1─ 0 (1)
    """
    tree = learner.tree
    path = [] if row is None else tree.path(learner.table([row]), 0)
    return draw(
        sketch_decision_tree(tree, learner.schema, learner.classes, levels=levels, nodes=nodes, path=path), form
    )


def sketch_decision_tree(
    tree: FlatTree,
    schema: Schema,
    classes: Sequence[Any],
    *,
    levels: int | None = None,
    nodes: int | None = NODES,
    path: Iterable[int] = (),
) -> Sketch:
    """The tree, at most so many levels and nodes of it (None: all); the nodes of `path` are marked."""
    marked = frozenset(path)
    opened = opened_nodes(tree, levels, nodes, marked)
    leaves = leaves_below(tree)
    made: dict[int, Sketch] = {}
    for node in [0, *(child for parent in sorted(opened) for child in tree.children(parent))]:
        said = _node(tree, node, schema, classes, int(leaves[node]), is_open=node in opened)
        said.marked = node in marked
        made[node] = said
    for node in opened:
        made[node].branches = [
            (branch_text(tree, node, branch, schema), made[child]) for branch, child in enumerate(tree.children(node))
        ]
    return made[0]


def _node(tree: FlatTree, node: int, schema: Schema, classes: Sequence[Any], leaves: int, *, is_open: bool) -> Sketch:
    colour = class_colour(tree, node)
    if not tree.arity[node]:
        return Sketch(leaf_text(tree, node, classes), "answer", colour=colour)
    rows = counts_text(tree.counts[node].tolist(), classes)
    if is_open:
        return Sketch(f"{test_text(tree, node, schema)}? ({rows})", "question", colour=colour)
    return Sketch(f"... {leaves:,} leaves ({rows})", "folded", colour=colour)
