"""A decision tree as a sketch: tests with the rows that came to them, leaves in the colours of their classes.

A large tree is folded: the nodes that most rows came to are shown first, and a marked path always.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from mistakebound.core.errors import BadParameter
from mistakebound.learners.tree._shape import leaves_below
from mistakebound.learners.tree._words import branch_text, counts_text, leaf_text, test_text
from mistakebound.report.sketch import Sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.table import Schema
    from mistakebound.learners.tree._flat import FlatTree

NODES = 60  # that are drawn unless told otherwise
# One a class, told apart by those who see no red or no green as well (Okabe and Ito).
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999")


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
    for name, value in (("levels", levels), ("nodes", nodes)):
        if value is not None and value < 1:
            raise BadParameter(f"{name} must be a whole number >= 1: {value!r}")
    marked = frozenset(path)
    opened = _opened(tree, levels, nodes, marked)
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


def _opened(tree: FlatTree, levels: int | None, nodes: int | None, marked: frozenset[int]) -> set[int]:
    """The inner nodes whose branches are drawn: those of the path, then by the rows that came to them."""
    rows = tree.counts.sum(axis=1)
    opened: set[int] = set()
    shown = 1
    heap = [(False, 0.0, 0, 0)]
    while heap:
        unmarked, _, node, depth = heappop(heap)
        if not tree.arity[node] or (unmarked and depth == levels):
            continue
        if unmarked and nodes is not None and shown + int(tree.arity[node]) > max(nodes, 1 + int(tree.arity[0])):
            continue
        opened.add(node)
        shown += int(tree.arity[node])
        for child in tree.children(node):
            heappush(heap, (child not in marked, -float(rows[child]), child, depth + 1))
    return opened


def _node(tree: FlatTree, node: int, schema: Schema, classes: Sequence[Any], leaves: int, *, is_open: bool) -> Sketch:
    colour = class_colour(tree, node)
    if not tree.arity[node]:
        return Sketch(leaf_text(tree, node, classes), "answer", colour=colour)
    rows = counts_text(tree.counts[node].tolist(), classes)
    if is_open:
        return Sketch(f"{test_text(tree, node, schema)}?  {rows}", "question", colour=colour)
    return Sketch(f"... {leaves:,} leaves  {rows}", "folded", colour=colour)


def class_colour(tree: FlatTree, node: int) -> str:
    """The colour of the node's class, the paler the more rows are of others."""
    counts = tree.counts[node]
    rows = float(counts.sum())
    share = float(counts[tree.label[node]]) / rows if rows else 0.0
    classes = len(counts)
    least = 1 / classes if classes > 1 else 0.0
    strength = 0.15 + 0.7 * max(0.0, (share - least) / (1 - least))
    colour = COLOURS[int(tree.label[node]) % len(COLOURS)]
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - (255 - part) * strength):02x}" for part in parts)
