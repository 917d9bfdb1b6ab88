"""What learns what: rows made by a seed, written in every format, with every learner and transform, and what comes out.

A case says what is to be done in words of its own (`Case`); `play` turns that into today's commands.  The results are
kept in `results.json`, so that a change of names or layout that changes a ledger or a prediction is noticed.

    python tests/reference/cases.py        compares, and names the cases that differ
    python tests/reference/cases.py record writes results.json anew
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "results.json"
ROWS = 120
WORDS = [
    "offer",
    "meeting",
    "free",
    "lunch",
    "report",
    "winner",
    "prize",
    "notes",
    "budget",
    "click",
    "agenda",
    "hello",
]
ONLINE = (
    "arow", "averaged-perceptron", "balanced-winnow", "conjunction-elimination", "decision-list-learner",
    "disjunction-elimination", "passive-aggressive", "perceptron", "randomized-weighted-majority",
    "weighted-majority", "winnow1", "winnow2",
)  # fmt: skip
NEEDS_N = {"conjunction-elimination": 12, "decision-list-learner": 12}
FORMATS = ("libsvm", "vw", "csv", "tsv", "arff", "jsonl", "text")
TRANSFORMS: dict[str, list[str]] = {
    "none": [],
    "cross": ["--cross", "2"],
    "negate": ["--negate", "--attributes", "12"],
    "cross negate": ["--cross", "2", "--negate", "--attributes", "12"],
    "standardize": ["--standardize"],
    "conjunction": ["--reduce", "conjunction", "--attributes", "12"],
    "decision-list": ["--reduce", "decision-list", "--attributes", "12", "--assume", "rules=2"],
    "hash": ["--hash", "5"],
    "hash cross": ["--hash", "5", "--cross", "2"],
    "ignore": ["--ignore", "3"],
}
WORK: dict[str, list[str]] = {
    "passes": ["--passes", "3"],
    "shuffled": ["--passes", "2", "--shuffle", "--seed", "7"],
    "holdout": ["--holdout", "1/4"],
    "cost": ["--cost", "1=3"],
    "threads": ["--threads", "2"],
}
TABLES = {
    "tree": ["--learner", "decision-tree"],
    "tree, pruned": ["--learner", "decision-tree", "--set", "prune=pessimistic"],
    "bayes": ["--learner", "naive-bayes", "--bins", "3"],
    "bayes, m": ["--learner", "naive-bayes", "--bins", "4", "--set", "m=2"],
    "network": ["--learner", "network", "--set", "epochs=20", "--set", "random_state=3"],
}


@dataclass(frozen=True)
class Case:
    """One thing to do: the name is what it is kept under."""

    name: str
    command: str
    format: str
    options: tuple[str, ...] = ()
    labels: int = 2
    ones: bool = True  # values are 0 and 1


def cases() -> Iterator[Case]:
    for learner in ONLINE:
        options = ("--learner", learner)
        if learner in NEEDS_N:
            options += ("--set", f"n={NEEDS_N[learner]}")
        for name, words in TRANSFORMS.items():
            rest = tuple(w for w in words if not (learner in NEEDS_N and w in ("--attributes", "12")))
            yield Case(f"{learner}, {name}", "learn", "libsvm", (*options, *rest))
        for name, words in WORK.items():
            yield Case(f"{learner}, {name}", "learn", "libsvm", (*options, *words))
        yield Case(f"{learner}, numbers", "learn", "libsvm", options, ones=False)
        yield Case(f"{learner}, numbers standardized", "learn", "libsvm", (*options, "--standardize"), ones=False)
        if learner not in NEEDS_N:
            for format in FORMATS[1:]:
                yield Case(f"{learner}, {format}", "learn", format, options)
    for format in FORMATS:
        yield Case(f"fast, {format}", "learn", format, ("--fast",))  # the default before it was `auto`
        for labels in (3, 5):
            for base in ("arow", "winnow2"):
                options = ("--learner", "one-vs-all", "--set", f"base={base}")
                yield Case(f"one-vs-all of {base}, {labels} labels, {format}", "learn", format, options, labels)
    for format in ("csv", "tsv", "arff"):
        for name, words in TABLES.items():
            yield Case(f"{name}, {format}", "learn", format, tuple(words), ones=False)


def rows_of(case: Case) -> list[tuple[str, dict[str, str]]]:
    """Labels and named values; every third row is labelled by chance."""
    draw = random.Random(f"{case.labels} {case.ones}")
    found = []
    for number in range(ROWS):
        if case.format == "text":
            on = {word: "1" for word in WORDS if draw.random() < 0.3}
        elif case.ones:
            on = {str(j): "1" for j in range(1, 13) if draw.random() < 0.3}
        else:
            on = {str(j): f"{draw.gauss(0, j):.3f}" for j in range(1, 13) if draw.random() < 0.7}
        names = list(on)
        label = sum(name in ("2", "5", "offer", "prize") for name in names)
        label = draw.randrange(case.labels) if number % 3 == 0 else label % case.labels
        found.append((str(label) if case.labels == 2 else ["ox", "ape", "cat", "dog", "eel"][label], on))
    return found


def write(case: Case, path: Path) -> None:
    rows = rows_of(case)
    lines: list[str] = []
    columns = [str(j) for j in range(1, 13)]
    if case.format == "libsvm":
        lines = [" ".join([label, *(f"{name}:{value}" for name, value in x.items())]) for label, x in rows]
    elif case.format == "vw":
        known = sorted({label for label, _ in rows})
        signs = {"0": "-1", "1": "1"} if case.labels == 2 else {label: str(known.index(label) + 1) for label in known}
        lines = [f"{signs[label]} | " + " ".join(f"f{name}:{value}" for name, value in x.items()) for label, x in rows]
    elif case.format in ("csv", "tsv"):
        mark = "," if case.format == "csv" else "\t"
        table = [[label, *(x.get(name, "0") for name in columns)] for label, x in rows]
        lines = [mark.join(row) for row in [["y", *(f"c{name}" for name in columns)], *table]]
    elif case.format == "arff":
        labels = ",".join(sorted({label for label, _ in rows}))
        lines = ["@relation r", f"@attribute y {{{labels}}}", *(f"@attribute c{name} numeric" for name in columns)]
        lines += ["@data", *(",".join([label, *(x.get(name, "0") for name in columns)]) for label, x in rows)]
    elif case.format == "jsonl":
        lines = [json.dumps({"y": label, **{f"c{name}": float(v) for name, v in x.items()}}) for label, x in rows]
    else:
        lines = [f"{label}\t{' '.join(x) or 'nothing'}" for label, x in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(*words: str) -> tuple[int, str]:
    from mistakebound.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as left:
            code = int(left.code or 0)
    return code, out.getvalue()


def play(case: Case) -> dict[str, Any]:
    """Exit code, ledger and predictions of a case."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            return _play(case)
        finally:
            os.chdir(before)


def _play(case: Case) -> dict[str, Any]:
    data = Path(f"rows.{ {'libsvm': 'svm', 'text': 'txt'}.get(case.format, case.format) }")
    write(case, data)
    label = () if case.format in ("libsvm", "vw", "text") else ("--label", "y")
    code, said = run(
        case.command, str(data), "--format", case.format, "--json", "--model", "m.mb", *label, *case.options
    )
    found: dict[str, Any] = {"exit": code}
    if code:
        return found
    facts = json.loads(said)
    ledger = ("trials", "mistakes", "false_positives", "false_negatives", "mistakes_by_pass", "holdout", "attributes")
    found |= {name: facts[name] for name in ledger if facts.get(name) is not None}
    code, said = run("predict", "m.mb", str(data), "--format", case.format)
    found["predictions"] = digest(said) if code == 0 else f"exit {code}"
    code, said = run("predict", "m.mb", str(data), "--format", case.format, "--scores")
    found["scores"] = digest(said) if code == 0 else f"exit {code}"
    return found


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def main() -> None:
    results = {case.name: play(case) for case in cases()}
    if sys.argv[1:] == ["record"]:
        lines = [f"{json.dumps(name)}: {json.dumps(result)}" for name, result in results.items()]
        KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return
    kept = json.loads(KEPT.read_text())
    for name in [*dict.fromkeys([*kept, *results])]:
        if kept.get(name) != results.get(name):
            print(f"{name}: was {kept.get(name)}, is {results.get(name)}")


if __name__ == "__main__":
    main()
