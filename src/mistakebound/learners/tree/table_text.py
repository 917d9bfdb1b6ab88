"""A tree as lines of text, as C4.5 writes it, as data, and as a page that folds and unfolds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mistakebound.core.visible import visible
from mistakebound.learners.tree.colours import class_colour
from mistakebound.learners.tree.fold_branches import NODES, opened_nodes
from mistakebound.learners.tree.rule_words import (
    VALUES,
    branch_data,
    branch_text,
    counts_text,
    leaf_text,
    step_text,
    test_text,
)
from mistakebound.learners.tree.shape import leaves_below

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.table import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree


def listing(tree: FlatTree, schema: Schema, classes: Sequence[Any], nodes: int | None = NODES) -> list[str]:
    """One line a branch, indented; below so many nodes it is folded. None: all nodes, and all values of a set."""
    if not tree.arity[0]:
        return [visible(leaf_text(tree, 0, classes))]
    opened, leaves = opened_nodes(tree, None, nodes), leaves_below(tree)
    lines, most = [], None if nodes is None else VALUES
    waiting = [(0, branch, "") for branch in reversed(range(int(tree.arity[0])))]
    while waiting:
        node, branch, indent = waiting.pop()
        child = int(tree.first[node]) + branch
        said = f"{indent}{step_text(tree, node, branch, schema, most)}"
        if not tree.arity[child]:
            lines.append(f"{said}: {leaf_text(tree, child, classes)}")
        elif child in opened:
            lines.append(said)
            waiting += [(child, below, f"{indent}|   ") for below in reversed(range(int(tree.arity[child])))]
        else:
            lines.append(f"{said}: ... {leaves[child]:,} leaves ({counts_text(tree.counts[child].tolist(), classes)})")
    return [visible(line) for line in lines]


def as_data(tree: FlatTree, schema: Schema, classes: Sequence[Any]) -> list[dict[str, Any]]:
    """All nodes by their numbers, the root first: the class, the counts, and for a test what leads to which node."""
    nodes = []
    for node in range(tree.size):
        counts = tree.counts[node].tolist()
        said = {"node": node, "class": classes[tree.label[node]], "counts": counts}
        if tree.arity[node]:
            said["column"] = test_text(tree, node, schema)
            said["branches"] = [
                {
                    "test": branch_text(tree, node, branch, schema, None),
                    **branch_data(tree, node, branch, schema),
                    "node": child,
                }
                for branch, child in enumerate(tree.children(node))
            ]
        nodes.append(said)
    return nodes


def _html(text: str) -> str:
    return escape(visible(text))


_MOST = 2000  # nodes of a page
_STYLE = (
    "<style>.mb-tree details{margin-left:1.2em}.mb-tree p{margin:0 0 0 1.2em}"
    ".mb-tree b{color:#111;padding:0 .4em;border-radius:.3em}.mb-tree{font-family:monospace}</style>"
)


def as_html(tree: FlatTree, schema: Schema, classes: Sequence[Any], nodes: int | None = NODES) -> str:
    """Nested <details>: what most rows came to is open, the rest unfolds by a click, unless there is too much of it."""
    opened = opened_nodes(tree, None, nodes)
    most = opened_nodes(tree, None, _MOST)
    leaves = leaves_below(tree)
    parts = [f'<div class="mb-tree">{_STYLE}']
    waiting: list[tuple[int, str] | str] = [(0, "")]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, str):
            parts.append(entry)
            continue
        node, way = entry
        before = f"{_html(way)}: " if way else ""
        if not tree.arity[node]:
            colour = class_colour(tree, node)
            said = _html(leaf_text(tree, node, classes))
            parts.append(f'<p>{before}<b style="background:{colour}">{said}</b></p>')
            continue
        rows = _html(counts_text(tree.counts[node].tolist(), classes))
        if node not in most:
            parts.append(f"<p>{before}... {leaves[node]:,} leaves ({rows})</p>")
            continue
        name = _html(test_text(tree, node, schema))
        parts.append(f"<details{' open' * (node in opened)}><summary>{before}{name}? ({rows})</summary>")
        waiting.append("</details>")
        for branch, child in reversed(list(enumerate(tree.children(node)))):
            waiting.append((child, branch_text(tree, node, branch, schema)))
    return "".join([*parts, "</div>"])
