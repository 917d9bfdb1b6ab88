"""A tree in words: its tests, branches and counts; as lines of text, as data, and as a page that folds and unfolds."""

from __future__ import annotations

from heapq import heappop, heappush
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import visible
from mistakebound.core.plain_sum import plain_sum
from mistakebound.learners.tree.shape import leaves_below

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.schema import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree

_CLASSES = 4  # whose counts are written out
VALUES = 4  # of a set that are written out, where not all are asked for
# One a class, told apart by those who see no red or no green as well (Okabe and Ito).
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999")
NODES = 60  # that are shown unless told otherwise
_MOST = 2000  # nodes of a page
_STYLE = (
    "<style>.mb-tree details{margin-left:1.2em}.mb-tree p{margin:0 0 0 1.2em}"
    ".mb-tree b{color:#111;padding:0 .4em;border-radius:.3em}.mb-tree{font-family:monospace}</style>"
)


def number_text(number: float) -> str:
    """To 15 digits, for people: midway between 41.1 and 41.2 is 41.150000000000006 to a computer.

    >>> number_text(54.0), number_text(0.1), number_text(-2.5e-07), number_text((41.1 + 41.2) / 2)
    ('54', '0.1', '-2.5e-07', '41.15')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def weight_text(weight: float) -> str:
    """A count of rows: whole, or with one decimal where shares of rows were counted.

    >>> weight_text(1234.0), weight_text(2.46)
    ('1,234', '2.5')
    """
    near = round(weight)
    return f"{near:,}" if abs(weight - near) < 0.05 else f"{weight:,.1f}"


def counts_text(counts: Sequence[float], classes: Sequence[Any]) -> str:
    """The rows of each class, the largest first.

    >>> counts_text([5.0, 9.0], ("no", "yes"))
    '9 yes, 5 no'
    """
    met = sorted((-count, place) for place, count in enumerate(counts) if count > 0)
    shown = len(met) if len(met) <= _CLASSES else _CLASSES - 1
    said = [f"{weight_text(-count)} {classes[place]}" for count, place in met[:shown]]
    if len(met) > shown:
        said.append(f"{weight_text(-plain_sum(count for count, _ in met[shown:]))} of {len(met) - shown} more classes")
    return ", ".join(said) or "no rows"


def leaf_text(tree: FlatTree, node: int, classes: Sequence[Any]) -> str:
    """The class, and the rows that it was learned from: how many, and how many of them were of another class."""
    counts = tree.counts[node]
    rows, errors = float(counts.sum()), float(counts.sum() - counts[tree.label[node]])
    exceptions = f", {weight_text(errors)} not" if errors > 1e-9 else ""
    return f"{classes[tree.label[node]]} ({weight_text(rows)}{exceptions})"


def values_of(tree: FlatTree, node: int, branch: int, schema: Schema) -> tuple[int, ...]:
    """The codes of a nominal column that go down a branch."""
    start = int(tree.mask_start[node])
    if start < 0:
        return (branch,)
    count = len(schema.columns[tree.column[node]][2])
    return tuple(np.flatnonzero(tree.masks[start : start + count] == 1 - branch).tolist())


def branch_text(tree: FlatTree, node: int, branch: int, schema: Schema, most: int | None = VALUES) -> str:
    """What a row must be to go down a branch: a value, some values (at most so many), <= or > a number."""
    _, kind, texts = schema.columns[tree.column[node]]
    if kind == "numeric":
        return f"{'<=' if branch == 0 else '>'} {number_text(float(tree.threshold[node]))}"
    codes = values_of(tree, node, branch, schema)
    if most is None or len(codes) <= most:
        return ", ".join(texts[code] for code in codes)
    return ", ".join(texts[code] for code in codes[: most - 1]) + f", {len(codes) - most + 1} more"


def branch_data(tree: FlatTree, node: int, branch: int, schema: Schema) -> dict[str, Any]:
    """The same for a program: all the values, or the threshold to its last bit."""
    _, kind, texts = schema.columns[tree.column[node]]
    if kind == "numeric":
        return {"threshold": float(tree.threshold[node])}
    return {"values": [texts[code] for code in values_of(tree, node, branch, schema)]}


def test_text(tree: FlatTree, node: int, schema: Schema) -> str:
    """The name of the column that is tested."""
    return str(schema.columns[tree.column[node]][0])


def step_text(tree: FlatTree, node: int, branch: int, schema: Schema, most: int | None = VALUES) -> str:
    """A test and its outcome: `outlook = sunny`, `age > 30`."""
    said = branch_text(tree, node, branch, schema, most)
    name, kind, _ = schema.columns[tree.column[node]]
    if kind == "numeric":
        return f"{name} {said}"
    several = len(values_of(tree, node, branch, schema)) != 1
    return f"{name} in ({said})" if several else f"{name} = {said}"


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


def listing(tree: FlatTree, schema: Schema, classes: Sequence[Any], nodes: int | None = NODES) -> list[str]:
    """One line per branch, indented; below so many nodes it is folded. None: all nodes, and all values of a set."""
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
