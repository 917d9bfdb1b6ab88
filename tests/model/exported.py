"""Models that are exported, and rows to ask them about: missing cells, values never seen, numbers as texts."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import mistakebound as mb

COLUMNS = ("age", "job", "member", "height", "since", "rich")
CASES: dict[str, dict[str, Any]] = {
    "arow": {"learner": "arow"},
    "perceptron": {"learner": "perceptron"},
    "averaged": {"learner": "averaged-perceptron"},
    "passive-aggressive": {"learner": "passive-aggressive", "standardize": True},
    "coin-betting": {"learner": "coin-betting"},
    "balanced": {"learner": "balanced-winnow", "bins": 4},
    "standardize": {"standardize": True},
    "standardize cross": {"standardize": True, "cross": 2},
    "winnow": {"learner": "winnow2", "bins": 4},
    "winnow n": {"learner": "winnow2", "bins": 4, "parameters": {"n": 40}},
    "winnow cross": {"learner": "winnow2", "bins": 3, "cross": 2},
    "winnow negate": {
        "learner": "winnow2",
        "bins": 3,
        "cross": 2,
        "negate": True,
        "attributes": 16,
        "ignore": ["since"],
    },
    "reduced": {
        "learner": "winnow1",
        "bins": 3,
        "negate": True,
        "reduce": "conjunction",
        "attributes": 16,
        "ignore": ["since"],
    },
    "threshold": {"learner": "arow", "threshold": 0.3},
    "tree": {"learner": "decision-tree"},
    "tree fractions": {"learner": "decision-tree", "parameters": {"missing": "fractions"}},
    "naive-bayes": {"learner": "naive-bayes", "bins": 4},
    "many labels": {"label": "job", "learner": "arow"},
    "many labels cross": {"label": "job", "standardize": True, "cross": 2},
    "many labels bayes": {"label": "job", "learner": "naive-bayes", "bins": 3},
    "many labels tree": {"label": "job", "learner": "decision-tree"},
}


def table(rows: int, seed: int, *, whole: bool = True) -> list[dict[str, str]]:
    """Rows of a table as texts; those that are not for learning have unknown values and missing cells too."""
    draw = random.Random(seed)
    jobs = ["clerk", "pilot", "cook"] + ([] if whole else ["dancer", "", "NA", " pilot "])
    found = []
    for _ in range(rows):
        row = {
            "age": str(draw.randint(18, 80)) if whole or draw.random() < 0.8 else draw.choice(["", "0", "1e2", "-3.5"]),
            "job": draw.choice(jobs),
            "member": draw.choice(["true", "false"] if whole else ["true", "false", "?", "it's"]),
            "height": f"{draw.gauss(1.7, 0.1):.2f}",
            "since": f"20{draw.randint(10, 24)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
        }
        row["rich"] = "yes" if (int(float(row["age"] or 0)) > 50) != (row["job"] == "pilot") else "no"
        found.append(row)
    return found


def learned(folder: Path, case: str, *, dates: bool = True) -> mb.Model:
    columns = [name for name in COLUMNS if dates or name != "since"]
    path = folder / "people.csv"
    lines = [",".join(columns), *(",".join(row[name] for name in columns) for row in table(400, 1))]
    path.write_text("\n".join(lines) + "\n")
    model: mb.Model = mb.learn(path, **({"label": "rich"} | CASES[case]))
    return model


def answers(model: mb.Model, rows: Any) -> tuple[list[Any], Any]:
    """The labels of the model, and its probabilities (None where it has none)."""
    found = model.predict(rows)
    labels = found if isinstance(found, list) else found.to_pylist()
    try:
        return labels, model.predict_proba(rows)
    except mb.BadParameter:
        return labels, None


def in_file(rows: list[dict[str, Any]], path: Path) -> Path:
    """Rows as a file of CSV: a thousand at once are read faster than one by one."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
