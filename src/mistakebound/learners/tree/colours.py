"""The colours of classes in pictures and pages of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mistakebound.learners.tree.flat_tree import FlatTree

# One a class, told apart by those who see no red or no green as well (Okabe and Ito).
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999")


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
