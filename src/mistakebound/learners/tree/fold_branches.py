"""Which part of a large tree is shown: the nodes that most rows came to, and a marked path always."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from mistakebound.core.errors import BadParameter

if TYPE_CHECKING:
    from mistakebound.learners.tree.flat_tree import FlatTree

NODES = 60  # that are shown unless told otherwise


def opened_nodes(
    tree: FlatTree, levels: int | None = None, nodes: int | None = NODES, marked: frozenset[int] = frozenset()
) -> set[int]:
    """The inner nodes whose branches are drawn: those of the path, then by the rows that came to them."""
    for name, value in (("levels", levels), ("nodes", nodes)):
        if value is not None and value < 1:
            raise BadParameter(f"{name} must be a whole number >= 1: {value!r}")
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
