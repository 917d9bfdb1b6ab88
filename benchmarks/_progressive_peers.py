"""Who plays in `progressive.py`: our learners of rows, Vowpal Wabbit, River, scikit-learn, each at its defaults.

A player is given the examples and says what it predicted for each row before it learned it, or None when it cannot
take them.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from _progressive_sets import Examples

import mistakebound as mb
from mistakebound.arena.compare import default_learners
from mistakebound.core.ledger import Ledger

Player = Callable[[Examples], Any]
VW = {
    "VW hinge": ("--loss_function", "hinge"),
    "VW logistic": ("--loss_function", "logistic"),
    "VW --coin": ("--coin",),
    "VW --ftrl": ("--ftrl",),
}
RIVER = ("Perceptron", "PAClassifier", "ALMAClassifier", "LogisticRegression")


def ours() -> dict[str, Player]:
    """Every learner of the registry that takes rows of a stream and needs no parameter.

    One whose hypothesis is another function than the one that predicts its trials plays a second time by that.
    """
    players = {}
    for name in default_learners():
        players[name] = _learner(name)
        if getattr(mb.learners.find(name), "trials_by", "predict_one") != "predict_one":
            players[f"{name}, its hypothesis"] = _hypothesis(name)
    return players


def peers() -> tuple[dict[str, Player], list[str]]:
    """Those that are installed here, and a line for each package that is not."""
    found: dict[str, Player] = {}
    missing = []
    for package, players in (
        ("vowpalwabbit", {name: _vw(words) for name, words in VW.items()}),
        ("river", {f"River {name}": _river(name) for name in RIVER}),
        ("sklearn", {"scikit-learn SGD": _sgd}),
    ):
        if importlib.util.find_spec(package):
            found |= players
        else:
            missing.append(f"{package} is left out: it is not installed here (`make bench` installs it)")
    return found, missing


def _learner(name: str) -> Player:
    def play(examples: Examples) -> Any:
        learner, ledger = mb.learners.find(name)(), Ledger()
        try:
            predictions = learner.learn_many(examples.X, examples.y, ledger=ledger)
        except mb.BadData:
            return None
        return None if ledger.inconsistency is not None else predictions

    return play


def _hypothesis(name: str) -> Player:
    def play(examples: Examples) -> Any:
        learner, said = mb.learners.find(name)(), []
        try:
            for x, label in zip(_mappings(examples), examples.y.tolist(), strict=True):
                said.append(learner.predict_one(x))
                learner.learn_one(x, label)
        except (mb.BadData, mb.NoConsistentHypothesis):
            return None
        return np.array(said)

    return play


def _mappings(examples: Examples) -> Iterator[dict[str, float]]:
    """Every row as a mapping of names to values."""
    X = examples.X
    names, values, ends = [examples.names[column] for column in X.indices], X.data.tolist(), X.indptr.tolist()
    for first, last in pairwise(ends):
        yield dict(zip(names[first:last], values[first:last], strict=True))


def _vw(words: tuple[str, ...]) -> Player:
    """A process on a file of the rows; its predictions are those made before each update."""

    def play(examples: Examples) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            rows, said = Path(folder, "rows.vw"), Path(folder, "said.txt")
            rows.write_text("".join(_vw_lines(examples)))
            command = [sys.executable, "-m", "vowpalwabbit", "-d", str(rows), "-p", str(said), "--quiet", *words]
            subprocess.run(command, check=True)
            scores = np.array([float(line.split()[0]) for line in said.read_text().splitlines()])
        return (scores > 0).astype(np.int64)

    return play


def _vw_lines(examples: Examples) -> list[str]:
    X = examples.X
    entries = zip(X.indices.tolist(), X.data.tolist(), strict=True)
    written = [str(column) if value == 1 else f"{column}:{value!r}" for column, value in entries]
    ends = X.indptr.tolist()
    return [
        f"{'1' if label else '-1'} | {' '.join(written[first:last])}\n"
        for label, (first, last) in zip(examples.y.tolist(), pairwise(ends), strict=True)
    ]


def _river(name: str) -> Player:
    def play(examples: Examples) -> Any:
        from river import linear_model

        model = getattr(linear_model, name)()
        said = []
        for x, label in zip(_mappings(examples), examples.y.tolist(), strict=True):
            said.append(bool(model.predict_one(x)))
            model.learn_one(x, bool(label))
        return np.array(said, dtype=np.int64)

    return play


def _sgd(examples: Examples) -> Any:
    """partial_fit with one row a call; before the first there are no weights, and it is taken to say 0."""
    from sklearn import config_context
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(random_state=0)
    X, y, said = examples.X, examples.y, []
    with config_context(assume_finite=True, skip_parameter_validation=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in range(len(y)):
            first, last = X.indptr[row], X.indptr[row + 1]
            score = 0.0
            if row:
                score = model.coef_[0, X.indices[first:last]] @ X.data[first:last] + model.intercept_[0]
            said.append(score > 0)
            model.partial_fit(X[row], y[row : row + 1], classes=[0, 1])
    return np.array(said, dtype=np.int64)
