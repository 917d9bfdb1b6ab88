"""A decision tree as a sketch: tests with the rows that came to them, leaves in the colours of their classes.

A large tree is folded: the nodes that most rows came to are shown first, and a marked path always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.learners.tree.shape import leaves_below
from mistakebound.learners.tree.table_text import (
    NODES,
    branch_text,
    class_colour,
    counts_text,
    leaf_text,
    opened_nodes,
    test_text,
)
from mistakebound.report.drawing import draw
from mistakebound.report.plots import COLOURS, INK, clean_axes, picture, set_title, whole_numbers
from mistakebound.report.sketch import Sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.schema import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree
    from mistakebound.learners.tree.node_text import ShownTree

    Points = Sequence[tuple[int, float, float]]

_MOST = 1500  # points of a curve: more cannot be seen
_TRAINING, _VALIDATION, _PRUNED = COLOURS[0], COLOURS[1], COLOURS[2]


def draw_decision_tree(
    learner: ShownTree,
    form: str = "text",
    *,
    levels: int | None = None,
    nodes: int | None = NODES,
    row: Any = None,
) -> str:
    """Draws a decision tree.

    Parameters
    ----------
    learner : DecisionTree
        A fitted one.
    form : {"text", "dot", "svg"}, default "text"
        The form of the drawing.
    levels : int or None, default None
        Levels that are shown; below, branches are folded.  None: all.
    nodes : int or None
        Nodes that are shown at most.  None: all.
    row : mapping or None, default None
        A row whose path is marked.

    Returns
    -------
    str
        The drawing.

    Examples
    --------
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


def draw_tree_curves(
    path: str, learning: Points, growing: Points, *, title: str, pruned: tuple[str, int, float] | None = None
) -> None:
    """Write the picture, PNG or SVG by the ending of its name; `pruned`: how, and nodes and accuracy after it."""
    with picture(path, 10, 4.4) as figure:
        left, right = figure.subplots(1, 2)
        set_title(left, title)
        _frame(left, "training rows", "accuracy, %")
        _curves(left, learning)
        _frame(right, "nodes of the growing tree", "")
        _curves(right, growing)
        if pruned is not None:
            how, nodes, accuracy = pruned
            right.plot([nodes], [100 * accuracy], "o", color=_PRUNED, clip_on=False, zorder=5)
            right.annotate(
                f"{how}:\n{nodes:,} nodes, {100 * accuracy:.1f} %", (nodes, 100 * accuracy), xytext=(0.42, 0.42),
                textcoords="axes fraction", va="top", color=_PRUNED, fontweight="bold",
                arrowprops={"arrowstyle": "-", "color": _PRUNED, "linewidth": 0.8},
            )  # fmt: skip
        low = min(min(point[1:]) for point in (*learning, *growing))
        for axes in (left, right):
            axes.set_ylim(max(0, 100 * low - 4), 101)
        if growing[-1][0] > 2000:
            right.set_xscale("log")
            whole_numbers(right.xaxis)


def _frame(axes: Any, across: str, up: str) -> None:
    axes.set_xlabel(across, color=INK)
    axes.set_ylabel(up, color=INK)
    clean_axes(axes)
    whole_numbers(axes.xaxis)


def _curves(axes: Any, points: Points) -> None:
    step = max(1, -(-len(points) // _MOST))
    shown = [*points[:-1:step], points[-1]]
    at = [point[0] for point in shown]
    marker = {"marker": "o", "markersize": 3} if len(shown) <= 30 else {}
    for place, name, colour in ((1, "training", _TRAINING), (2, "validation", _VALIDATION)):
        values = [100 * point[place] for point in shown]
        axes.plot(at, values, color=colour, linewidth=1.6, clip_on=False, label=name, **marker)
    axes.legend(frameon=False, loc="lower right")
