"""The picture of a tree's learning: accuracy against training rows, and against the tree's size, where it overfits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_title, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Points = Sequence[tuple[int, float, float]]  # rows or nodes, training accuracy, validation accuracy

_MOST = 1500  # points of a curve: more cannot be seen
_TRAINING, _VALIDATION, _PRUNED = COLOURS[0], COLOURS[1], COLOURS[2]


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
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
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
