"""UCI's files as tables, and the errors of trees on them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _processes import verdict

import mistakebound as mb
from mistakebound.core.table import Table
from mistakebound.io.frame import table_of

FOLDS = 10


@dataclass(frozen=True)
class Set:
    file: str
    label: int  # the place of the class
    numeric: tuple[int, ...] = ()
    # (which tree, the most that it may err in percent)
    targets: tuple[tuple[str, float], ...] = ()


SETS = {
    "mushroom": Set("agaricus-lepiota.data", 0, targets=(("pessimistic", 0.0),)),
    "votes": Set("house-votes-84.data", 0, targets=(("pessimistic", 4.2),)),
    "car": Set("car.data", -1, targets=(("pessimistic", 8.5), ("binary", 1.5))),
    "nursery": Set("nursery.data", -1),
    "kr-vs-kp": Set("kr-vs-kp.data", -1),
    "soybean": Set("soybean-large.data", 0),
    "adult": Set("adult.data", -1, numeric=(0, 2, 4, 10, 11, 12)),
}
C45: dict[str, Any] = {"criterion": "gain_ratio", "missing": "fractions"}
TREES: dict[str, dict[str, Any]] = {
    "textbook's tree": {"criterion": "gain", "min_leaf": 1},
    "unpruned": C45,
    "pessimistic": {**C45, "prune": "pessimistic"},
    "mdl": {**C45, "prune": "mdl"},
    "reduced_error": {**C45, "prune": "reduced_error"},
    "binary": {"criterion": "gain", "splits": "binary", "min_leaf": 1},
    "binary, pessimistic": {**C45, "splits": "binary", "prune": "pessimistic"},
}


def read_set(folder: Path, name: str) -> tuple[Table, np.ndarray] | None:
    known = SETS[name]
    if not (folder / known.file).exists():
        return None
    with (folder / known.file).open(newline="") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    label = known.label % len(rows[0])
    columns = {f"x{j}": [_cell(row[j], j in known.numeric) for row in rows] for j in range(len(rows[0])) if j != label}
    numeric = [f"x{j}" for j in known.numeric]
    table = table_of(columns, nominal=[column for column in columns if column not in numeric], numeric=numeric)
    return table, np.array([row[label].rstrip(".") for row in rows])


def _cell(text: str, number: bool) -> str | float | None:
    if text == "?":
        return None
    return float(text) if number else text


def folds_of(labels: np.ndarray, seed: int = 0) -> np.ndarray:
    """The fold of each row, as scikit-learn deals them out: figures elsewhere are mostly for these."""
    from sklearn.model_selection import StratifiedKFold

    fold = np.empty(len(labels), dtype=int)
    for k, (_, tested) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(labels, labels)):
        fold[tested] = k
    return fold


def errors_of(table: Table, labels: np.ndarray, how: dict[str, Any]) -> tuple[float, float]:
    """The error in percent, and the mean number of nodes.  Reduced-error pruning keeps a third of the rows aside."""
    fold = folds_of(labels)
    wrong, nodes = 0, []
    for k in range(FOLDS):
        rows = np.flatnonzero(fold != k)
        more: dict[str, Any] = {}
        if how.get("prune") == "reduced_error":
            aside = np.arange(len(rows)) % 3 == 2
            held = rows[aside]
            rows, more = rows[~aside], {"validation": (table.take(held), labels[held])}
            known = np.isin(labels[held], labels[rows])
            more = {"validation": (table.take(held[known]), labels[held[known]])}
        learner = mb.DecisionTree(**how).fit(table.take(rows), labels[rows], **more)
        tested = np.flatnonzero(fold == k)
        wrong += int(np.sum(np.array(learner.predict_many(table.take(tested))) != labels[tested]))
        nodes.append(learner.tree.size)
    return 100 * wrong / len(labels), float(np.mean(nodes))


def show_errors(name: str, found: tuple[Table, np.ndarray] | None) -> list[str]:
    """Print a table of trees; a line a target."""
    if found is None:
        return []
    table, labels = found
    said = []
    print(f"\n{name}: {table.rows:,} rows, {len(table.columns)} columns, {len(np.unique(labels))} classes")
    for tree, how in TREES.items():
        error, nodes = errors_of(table, labels, how)
        print(f"  {tree:<22}{error:>7.2f} %{nodes:>9.1f} nodes")
        said += [
            verdict(f"{name}, {tree}, %", most, round(error, 2), at_most=True)
            for which, most in SETS[name].targets
            if which == tree
        ]
    return said
