"""One small valid file of every kind that the commands take, with the commands that take it.

`{}` in a command stands for the file; `@name` for one of the files beside it, which are written once, by `files`.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mistakebound as mb
from mistakebound.cli import main
from mistakebound.core.errors import MistakeboundError
from mistakebound.model import training

Command = tuple[str, ...]
IN_PYTHON = "<python>"  # instead of a command: `use_in_python`


class Sample:
    """A valid file: what made it, its bytes, and who takes it."""

    def __init__(self, kind: str, name: str, data: bytes, commands: list[Command]) -> None:
        self.kind = kind
        self.name = name
        self.data = data
        self.commands = commands

    def __repr__(self) -> str:
        return f"{self.kind}: {self.name}"


def quietly(*words: object) -> tuple[int, str, str]:
    """A command in this process: exit code, what it printed, what it said beside that."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:  # argparse's own
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


def _made(*words: object) -> None:
    code, _, err = quietly(*words)
    assert code == 0, (words, err)


def use_in_python(path: Path) -> None:
    """What a program does with a model."""
    model = mb.load(path)
    learner = model.learner
    repr(learner), str(learner.hypothesis), str(model.ledger), learner.bound(**model.assumptions)
    again = path.with_name("again.mb")
    learner.save(again, ledger=model.ledger, reader=model.settings, assumptions=model.assumptions)
    same = mb.load(again).learner
    for x in ([0.0, 1.0], [3.0, 0.5], {"7": 1}, {"sky": "sunny", "air": "cold"}):
        said = []
        for who in (learner, same):
            try:
                asked = next(
                    name for name in ("predict_one", "predict_proba_many", "predict_many") if hasattr(who, name)
                )
                said.append(str(getattr(who, asked)(x if asked == "predict_one" else [x])))
            except MistakeboundError as error:
                said.append(str(error))
        assert said[0] == said[1], f"another answer after writing and reading: {said}"


# The files beside the models.


def files(folder: Path) -> None:
    draw = random.Random(1)
    many = [sorted(draw.sample(range(1, 13), 4)) for _ in range(24)]
    rows = [f"{int(7 in ids)} {' '.join(f'{i}:1' for i in ids)}" for ids in many]
    reals = [f"{int(7 in ids)} {' '.join(f'{i}:{draw.choice([0.5, 1, 2.25, -3])}' for i in ids)}" for ids in many]
    three = [f"{'abc'[min(2, ids[0] - 1)]} {' '.join(f'{i}:1' for i in ids)}" for ids in many]
    both = [f"{int({7, 12} <= set(ids))} {' '.join(f'{i}:1' for i in ids)}" for ids in many]
    words = ["free", "now", "é", "lunch", "x7", "100"]
    said = [draw.sample(words, 3) for _ in range(16)]
    colours = [(draw.choice(["red", "green", "blue"]), draw.randrange(50), f"u{k}") for k in range(24)]
    table = [f"{colour},{n},{user},{'yes' if colour == 'red' else 'no'}" for colour, n, user in colours]
    flags = [[draw.randrange(2) for _ in range(4)] for _ in range(20)]
    play = ["sunny,warm,yes", "sunny,cold,yes", "rainy,cold,no", "rainy,warm,no", "sunny,warm,yes"]
    texts = {
        "rows.svm": rows, "more.svm": rows[:10], "reals.svm": reals, "three.svm": three, "both.svm": both,
        "rows.vw": [f"{int('free' in s)} | {' '.join(s)} n:0.5" for s in said],
        "rows.txt": [f"{int('free' in s)}\t{' '.join(s)}" for s in said],
        "rows.jsonl": [f'{{"y": {int("free" in s)}, "w": "{s[0]}", "n": {k}}}' for k, s in enumerate(said)],
        "table.csv": ["colour,n,user,label", *table],
        "flags.csv": ["a,b,c,d,label", *(",".join(map(str, [*f, "yn"[f[0] | f[1]]])) for f in flags)],
        "play.csv": ["sky,air,label", *play],
        "options.txt": [f"-f{k}" for k in range(12)],
    }  # fmt: skip
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "rows.svm.gz").write_bytes(gzip.compress((folder / "rows.svm").read_bytes(), mtime=0))
    for path in folder.iterdir():
        os.utime(path, (1e9, 1e9))  # caches remember it


# Models.


def _takers(rows: str, *more: Command) -> list[Command]:
    return [
        ("explain", "{}", "--header"), ("explain", "{}", "--header", "--json"),
        ("predict", "{}", rows), ("predict", "{}", rows, "--json"),
        ("predict", "{}", rows, "--scores"), ("eval", "{}", rows), ("eval", "{}", rows, "--json"), ("explain", "{}"),
        ("explain", "{}", "--json", "--top", "3"), ("explain", "{}", rows, "--row", "2"),
        (IN_PYTHON, "{}"), *more,
    ]  # fmt: skip


def _of_rows(rows: str, words: Command) -> list[Command]:
    return _takers(
        rows, ("explain", "{}", rows), ("explain", "{}", "--instance", "7:1 3:0 free x9:1"),
        ("explain", "{}", "--instance-json", '{"7": 1, "free": 1}', "--json"),
        ("learn", rows, "--from", "{}", "--model", "@out.mb", "--json"),
        ("learn", rows, *words, "--model", "{}", "--resume", "--json"),
    )  # fmt: skip


_INSTANCES = {
    "table.csv": '{"colour": "red", "n": 3}', "flags.csv": '{"a": 1, "d": 0}', "play.csv": '{"sky": "sunny"}'
}  # fmt: skip


def _of_table(rows: str) -> list[Command]:
    return _takers("@" + rows, ("explain", "{}", "--instance-json", _INSTANCES[rows]))


_ONE_OF_12 = "concepts=monotone-disjunctions n=12 k=1"
LEARNED: dict[str, tuple[str, ...]] = {
    "winnow1": ("rows.svm", "--learner", "winnow1", "--set", "n=12", "--assume", "k=1"),
    "winnow2": ("rows.svm", "--learner", "winnow2"),
    "winnow2 theta": ("rows.svm", "--learner", "winnow2", "--set", "theta=1e6", "--set", "alpha=1.0001"),
    "perceptron": ("reals.svm", "--learner", "perceptron"),
    "perceptron of words": ("rows.vw", "--learner", "perceptron", "--cost", "1=2"),
    "averaged perceptron": ("reals.svm", "--learner", "averaged-perceptron", "--set", "eta=0.1"),
    "passive-aggressive": ("reals.svm", "--learner", "passive-aggressive", "--set", "variant=II"),
    "balanced winnow": ("reals.svm", "--learner", "balanced-winnow"),
    "arow": ("rows.jsonl", "--label", "y", "--fast"),
    "arow, full": ("reals.svm", "--set", "covariance=full"),
    "arow, hashed": ("rows.txt", "--fast", "--format", "text", "--hash", "6", "--ngrams", "2"),
    "arow of a table": (
        "table.csv", "--fast", "--label", "label", "--labels", "no,yes", "--bins", "n=3", "--ignore", "us*"
    ),
    "auto of a table": ("table.csv", "--label", "label", "--labels", "no,yes"),
    "coin betting": ("reals.svm", "--learner", "coin-betting"),
    "conjunction": ("both.svm", "--learner", "conjunction-elimination", "--set", "n=12"),
    "disjunction": ("rows.svm", "--learner", "disjunction-elimination"),
    "decision list": ("rows.svm", "--learner", "decision-list-learner", "--set", "n=12"),
    "halving": ("rows.svm", "--learner", "halving", "--set", _ONE_OF_12),
    "standard optimal": ("rows.svm", "--learner", "standard-optimal", "--set", _ONE_OF_12),
    "bayes optimal": ("rows.svm", "--learner", "bayes-optimal", "--set", _ONE_OF_12),
    "gibbs": ("rows.svm", "--learner", "gibbs", "--set", _ONE_OF_12),
    "one-vs-all": ("three.svm", "--learner", "one-vs-all"),
    "one-vs-all of winnow": ("three.svm", "--learner", "one-vs-all", "--set", "base=winnow2"),
    "weighted majority": ("rows.svm", "--learner", "weighted-majority"),
    "randomized majority": ("rows.svm", "--learner", "randomized-weighted-majority"),
    "pairs": ("rows.svm", "--learner", "winnow2", "--cross", "2"),
    "negated": ("rows.svm", "--learner", "winnow1", "--set", "n=12", "--negate"),
    "reduced": ("both.svm", "--reduce", "conjunction", "--attributes", "12"),
    "reduced list": ("rows.svm", "--reduce", "decision-list", "--attributes", "12", "--assume", "rules=2"),
    "standardized": ("reals.svm", "--learner", "perceptron", "--standardize"),
}  # fmt: skip


def _set(*words: str) -> tuple[str, ...]:
    return tuple(part for word in words for part in ("--set", word))


_TREE, _BAYES, _NETWORK = (("--learner", name) for name in ("decision-tree", "naive-bayes", "network"))
_MEANS = ("--learner", "gaussian-means", *_set("k=2", "variance=1"))
TABLES: dict[str, tuple[str, ...]] = {
    "tree": ("learn", "table.csv", *_TREE, "--ignore", "user"),
    "binary tree": ("learn", "table.csv", *_TREE, "--ignore", "user", *_set("splits=binary", "prune=pessimistic")),
    "bayes": ("learn", "table.csv", *_BAYES, "--bins", "n=3"),
    "bayes of flags": ("learn", "flags.csv", *_BAYES, *_set("attributes=flags", "class_prior=uniform")),
    "bayes of words": ("learn", "flags.csv", *_BAYES, *_set("attributes=words", "m=laplace")),
    "network": ("learn", "table.csv", *_NETWORK, "--ignore", "user", *_set("hidden=3-2", "epochs=2")),
    "gaussian-mixture of a table": ("learn", "table.csv", *_MEANS),
    "candidate elimination": ("version-space", "play.csv", "--labels", "no,yes"),
}  # fmt: skip


def _python_models() -> Iterator[tuple[str, Any]]:
    """Those that no command learns."""
    X, y = [[0.0, 1.0], [1.0, 0.5], [2.0, -1.0], [0.5, 0.25]], [0, 1, 1, 0]
    yield "network of numbers", mb.learners.Network([2, 3, 1]).fit(X, y, epochs=2)
    yield "linear unit", mb.learners.LinearUnit().fit(X, y, epochs=2)
    yield "sigmoid unit", mb.learners.SigmoidUnit().fit(X, y, epochs=2)
    yield "gaussian-mixture", mb.learners.GaussianMeans(2, 1.0).fit(X)
    labels = ("no", "yes")
    listed = "attribute-conjunctions sky=sunny,rainy air=warm,cold"
    attributes = {"sky": ["sunny", "rainy"], "air": ["warm", "cold"]}
    for name, learner in (
        ("find-s", mb.learners.FindS(attributes, labels=labels)),
        ("rote learner", mb.learners.RoteLearner(attributes, labels=labels)),
        (
            "list then eliminate",
            mb.learners.ListThenEliminate(listed, labels=labels),
        ),
        ("candidate elimination, before a positive", mb.learners.CandidateElimination(attributes, labels=labels)),
    ):
        learner.learn_one({"sky": "rainy", "air": "cold"}, "no")
        if "before" not in name:
            learner.learn_one({"sky": "sunny", "air": "warm"}, "yes")
        learner.label = "label"
        yield name, learner


def models(folder: Path) -> Iterator[Sample]:
    path = folder / "sample.mb"
    for name, (rows, *words) in LEARNED.items():
        path.unlink(missing_ok=True)
        _made("learn", folder / rows, *words, "--model", path, "--quiet")
        yield Sample("models", name, path.read_bytes(), _of_rows("@" + rows, tuple(words)))
    for name, (command, rows, *words) in TABLES.items():
        path.unlink(missing_ok=True)
        _made(command, folder / rows, "--label", "label", *words, "--model", path)
        yield Sample("models", name, path.read_bytes(), _of_table(rows))
    for name, learner in _python_models():
        path.unlink(missing_ok=True)
        learner.save(path)
        yield Sample("models", name, path.read_bytes(), _of_table("play.csv"))


# Checkpoints: what a run that was killed in its first pass leaves.

RUNS: dict[str, tuple[str, ...]] = {
    "passes": ("rows.svm", "--passes", "3"),
    "shuffled": ("rows.svm", "--passes", "3", "--shuffle", "--seed", "4"),
    "held out": ("rows.svm", "--passes", "3", "--holdout", "1/3"),
    "held out by a file": ("rows.svm", "--passes", "3", "--holdout", "@more.svm"),
    "two files": ("rows.svm", "@more.svm", "--passes", "3", "--learner", "winnow2"),
    "packed": ("rows.svm.gz", "--passes", "3", "--on-error", "skip"),
    "table": ("table.csv", "--label", "label", "--labels", "no,yes", "--passes", "3"),
    "many labels": ("three.svm", "--learner", "one-vs-all", "--passes", "3", "--holdout", "1/4"),
}


def checkpoints(folder: Path) -> Iterator[Sample]:
    path = folder / "sample.mb"
    for name, (rows, *words) in RUNS.items():
        command = ("learn", "@" + rows, *words, "--checkpoint", "1", "--model", "{}", "--json")
        path.unlink(missing_ok=True)
        with _first_checkpoint_kept(path, folder / "kept.mb"):
            _made(*(placed(word, path, folder) for word in command))
        takers = [(*command, "--resume"), (*command, "--resume", "--threads", "2"), ("explain", "{}", "--header")]
        yield Sample("checkpoints", name, (folder / "kept.mb").read_bytes(), takers)


@contextlib.contextmanager
def _first_checkpoint_kept(path: Path, kept: Path) -> Iterator[None]:
    kept.unlink(missing_ok=True)
    save: Callable[[Any], Any] = training.Training.save

    def copied(work: Any) -> Any:
        size = save(work)
        if not kept.exists():
            shutil.copy(path, kept)
        return size

    training.Training.save = copied  # type: ignore[method-assign]
    try:
        yield
    finally:
        training.Training.save = save  # type: ignore[method-assign]


# Caches.

CACHED: dict[str, tuple[str, ...]] = {
    "of ids": ("rows.svm",),
    "of values": ("reals.svm",),
    "of two files": ("rows.svm", "@more.svm"),
    "of words": ("rows.vw",),
    "of a text, hashed": ("rows.txt", "--format", "text", "--hash", "5"),
    "of a table": ("table.csv", "--label", "label", "--labels", "no,yes", "--bins", "3"),
}


def caches(folder: Path) -> Iterator[Sample]:
    path = folder / "sample.mbcache"
    for name, (rows, *words) in CACHED.items():
        path.unlink(missing_ok=True)
        model = f"@{name.replace(' ', '-')}.mb"
        learn = ("learn", "@" + rows, *words, "--fast", "--cache", "{}", "--json")  # whose rule has to be short
        _made(*(placed(word, path, folder) for word in (*learn, "--model", model)))
        labels = ("--labels", "no,yes") if "no,yes" in words else ()
        takers: list[Command] = [
            ("learn", "{}", *labels, "--json"), ("learn", "{}", *labels, "--threads", "2", "--passes", "2"),
            ("learn", "{}", *labels, "--shuffle", "--holdout", "1/3"), learn, ("predict", model, "{}"),
            ("predict", model, "{}", "--json"), ("eval", model, "{}"), ("explain", model, "{}"),
            ("explain", model, "{}", "--row", "2"),
            ("compare", "{}", *labels, "--learners", "arow,perceptron"), ("learn", "{}", "--from", model),
            ("learn", "@" + rows, *words, "--holdout", "{}"),
        ]  # fmt: skip
        yield Sample("caches", name, path.read_bytes(), takers)


# Logs of hunts.

HUNTS: dict[str, tuple[str, ...]] = {
    "any": ("flags", "@options.txt", "--", "sh", "-c", 'case "$*" in *-f3*) exit 1;; esac', "sh", "{flags}"),
    "all": (
        "flags", "@options.txt", "--kind", "all", "--",
        "sh", "-c", 'case "$*" in *-f3*-f7*) exit 1;; esac', "sh", "{flags}",
    ),
    "flaky": (
        "flags", "@options.txt", "--confidence", "0.9", "--culprits", "1", "--",
        "sh", "-c", 'case "$*" in *-f3*) exit 1;; esac', "sh", "{flags}",
    ),
}  # fmt: skip


def logs(folder: Path) -> Iterator[Sample]:
    path = folder / "sample.jsonl"
    for name, words in HUNTS.items():
        path.unlink(missing_ok=True)
        command = ("hunt", "--log", "{}", *words)
        _made(*(placed(word, path, folder) for word in command))
        data = re.sub(rb'"seconds": [0-9.e-]+', b'"seconds": 0.01', path.read_bytes())
        yield Sample("logs", name, data, [command, ("hunt", "--json", "--quiet", *command[1:])])


# Rows and tables, through every command that reads them.

_LABEL = ("--label", "label")
_ROWS: dict[str, list[Command]] = {
    "rows.svm": [("learn", "{}"), ("learn", "{}", "--cross", "2", "--on-error", "skip")],
    "reals.svm": [("learn", "{}", "--standardize", "--learner", "perceptron"), ("learn", "{}", "--cache", "@c.cache")],
    "three.svm": [("learn", "{}", "--learner", "one-vs-all", "--holdout", "1/3")],
    "rows.vw": [("learn", "{}", "--format", "vw", "--shuffle"), ("learn", "{}", "--format", "vw", "--hash", "4")],
    "rows.txt": [("learn", "{}", "--format", "text", "--ngrams", "3", "--passes", "2")],
    "rows.jsonl": [("learn", "{}", "--format", "jsonl", "--label", "y")],
    "table.csv": [
        ("learn", "{}", *_LABEL, *_TREE), ("learn", "{}", *_LABEL, *_TREE, "--validation", "1/3"),
        ("learn", "{}", *_LABEL, *_BAYES), ("learn", "{}", *_MEANS),
        ("learn", "{}", *_LABEL, *_NETWORK, "--ignore", "user", *_set("epochs=2", "hidden=2")),
        ("learn", "{}", "--format", "csv", *_LABEL, "--labels", "no,yes", "--bins", "3"),
    ],
    "flags.csv": [
        ("learn", "{}", *_LABEL, *_BAYES, *_set("attributes=flags")),
        ("learn", "{}", *_LABEL, *_BAYES, *_set("attributes=words")),
        ("learn", "{}", *_LABEL, *_TREE, *_set("prune=mdl")), ("learn", "{}", *_MEANS),
    ],
    "play.csv": [("version-space", "{}", *_LABEL, "--labels", "no,yes"),
                 ("learn", "{}", *_LABEL, *_TREE, *_set("splits=binary"))],
}  # fmt: skip


def rows(folder: Path) -> Iterator[Sample]:
    for name, commands in _ROWS.items():
        model = f"@{name}.mb"
        if commands[0][0] == "learn":
            made = [folder / name if word == "{}" else placed(word, Path(), folder) for word in commands[0]]
        else:
            made = [commands[0][0], folder / name, *commands[0][2:]]
        _made(*made, "--model", placed(model, Path(), folder))
        takers = [
            *commands,
            ("predict", model, "{}"),
            ("eval", model, "{}"),
            ("explain", model, "{}", "--row=2"),
        ]
        if name.endswith("svm"):
            takers += [("compare", "{}", "--learners", "arow,winnow2"), ("explain", model, "{}")]
        yield Sample("rows", name, (folder / name).read_bytes(), takers)


KINDS: dict[str, Callable[[Path], Iterator[Sample]]] = {
    "models": models, "checkpoints": checkpoints, "caches": caches, "logs": logs, "rows": rows,
}  # fmt: skip


def placed(word: str, file: Path, folder: Path) -> str:
    """A word of a command with its files in place."""
    if word == "{flags}":
        return "{}"
    return str(folder / word[1:]) if word.startswith("@") else word.replace("{}", str(file))
