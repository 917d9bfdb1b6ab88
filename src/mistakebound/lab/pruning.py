"""Over-fitting: accuracy against the size of a tree on noisy rows, and what reduced-error pruning leaves."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.arena.tree_curves import size_curve
from mistakebound.learners.tree.decision_tree import DecisionTree

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_QUESTIONS = 8
_CLASSES = ("bad", "good")


def noisy_rows(count: int, seed: int, noise: float) -> list[dict[str, str]]:
    """Answers to eight questions; a tree of three of them gives the label, but for noise."""
    draw, rows = random.Random(seed), []
    for _ in range(count):
        row = {f"q{j}": draw.choice(("yes", "no")) for j in range(1, _QUESTIONS + 1)}
        good = row["q1" if row["q2"] == "yes" else "q3"] == "yes"
        if draw.random() < noise:
            good = not good
        rows.append(row | {"label": _CLASSES[good]})
    return rows


def pruning(request: Request) -> dict[str, Any]:
    """A tree grown on half of the rows, pruned by the other half."""
    rows, seed = request.whole("rows", 20, 400, 120), request.whole("seed", 0, 999_999, 1)
    noise = request.number("noise", 0, 0.4, 0.15)
    training, validation = noisy_rows(rows, 2 * seed, noise), noisy_rows(rows, 2 * seed + 1, noise)
    tree = DecisionTree(min_leaf=1, prune="reduced_error").fit(training, "label", validation=(validation, "label"))
    request.check_time()
    sets = [(tree.table(part), np.array([tree.classes.index(row["label"]) for row in part], np.int32))
            for part in (training, validation)]  # fmt: skip
    grown = size_curve(tree.unpruned, *sets, fractions=False)
    return {
        "curve": [[point.at, point.training, point.validation] for point in grown],
        "removed": [{"nodes": step.nodes, "before": step.before, "after": step.after} for step in tree.trace or ()],
        "grown": {"nodes": grown[-1].at, "training": grown[-1].training, "validation": grown[-1].validation},
        "pruned": {
            "nodes": tree.as_json(0)["nodes"],
            "training": float(np.mean(tree.predict_table(sets[0][0]) == sets[0][1])),
            "validation": float(np.mean(tree.predict_table(sets[1][0]) == sets[1][1])),
            "text": tree.text(),
        },
    }
