"""Who plays in `progressive.py`: our learners of rows, Vowpal Wabbit, River, scikit-learn, each at its defaults.

A player is given the examples and says what it predicted for each row before it learned it, or None when it cannot
take them.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from _progressive_sets import Examples

import mistakebound as mb
from mistakebound.arena.compare import default_learners
from mistakebound.core.ledger import Ledger

Player = Callable[[Examples], Any]
VW = {
    "VW": (),
    "VW hinge": ("--loss_function", "hinge"),
    "VW logistic": ("--loss_function", "logistic"),
    "VW --coin": ("--coin",),
    "VW --ftrl": ("--ftrl",),
}
PAIRS = {f"{name} -q ::": (*words, "-q", "::") for name, words in VW.items()}  # the second column of peers
RIVER = ("Perceptron", "PAClassifier", "ALMAClassifier", "LogisticRegression")
_WIDE = 60  # entries of a row above which -q :: takes too long


def ours() -> dict[str, Player]:
    """Every learner of the registry that takes rows of a stream and needs no parameter.

    One whose hypothesis is another function than the one that predicts its trials plays a second time by that.
    """
    players = {}
    for name in default_learners():
        players[name] = _learner(name)
        if mb.learners.find(name)().trials_by != "predict_one":
            players[f"{name}, its hypothesis"] = _hypothesis(name)
    return players


def peers() -> tuple[dict[str, Player], list[str]]:
    """Those that are installed here, and a line for each package that is not."""
    found: dict[str, Player] = {}
    missing = []
    for package, players in (
        ("vowpalwabbit", {name: _vw(words) for name, words in (VW | PAIRS).items()}),
        (
            "river",
            {f"River {name}": _river(name) for name in RIVER}
            | {f"River {name}, standardised": _river(name, scaled=True) for name in RIVER}
            | {"River HoeffdingTree": _river_tree, "River BernoulliNB": _river_bayes},
        ),
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
            predictions = learner.learn_many(examples.rows, examples.y, ledger=ledger)
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
    """What an example's prediction is after `learn` was made before the update, as in `vw -p`."""

    def play(examples: Examples) -> Any:
        import vowpalwabbit

        if "-q" in words and examples.X.nnz > _WIDE * examples.X.shape[0]:
            return None
        said = []
        workspace = vowpalwabbit.Workspace(" ".join(["--quiet", *words]))
        for line in _vw_lines(examples):
            example = workspace.parse(line)
            workspace.learn(example)
            said.append(example.get_simplelabel_prediction() > 0)
            workspace.finish_example(example)
        workspace.finish()
        return np.array(said, dtype=np.int64)

    return play


def _vw_lines(examples: Examples) -> list[str]:
    X = examples.X
    entries = zip(X.indices.tolist(), X.data.tolist(), strict=True)
    written = [str(column) if value == 1 else f"{column}:{value!r}" for column, value in entries]
    ends = X.indptr.tolist()
    return [
        f"{'1' if label else '-1'} | {' '.join(written[first:last])}"
        for label, (first, last) in zip(examples.y.tolist(), pairwise(ends), strict=True)
    ]


def _river(name: str, *, scaled: bool = False) -> Player:
    def play(examples: Examples) -> Any:
        from river import linear_model, preprocessing

        if scaled and examples.X.shape[1] > 1000:  # sparse rows cannot be centred
            return None
        model = getattr(linear_model, name)()
        return _one_by_one(preprocessing.StandardScaler() | model if scaled else model, examples)

    return play


def _river_tree(examples: Examples) -> Any:
    from river import tree

    return None if examples.X.shape[1] > 1000 else _one_by_one(tree.HoeffdingTreeClassifier(), examples)


def _river_bayes(examples: Examples) -> Any:
    from river import naive_bayes

    return None if examples.X.shape[1] > 1000 else _one_by_one(naive_bayes.BernoulliNB(), examples)


def _one_by_one(model: Any, examples: Examples) -> Any:
    said = []
    for x, label in zip(_mappings(examples), examples.y.tolist(), strict=True):
        said.append(bool(model.predict_one(x)))
        model.learn_one(x, bool(label))
    return np.array(said, dtype=np.int64)


def _sgd(examples: Examples) -> Any:
    """SGDClassifier learns a row a call in two milliseconds, nearly all of it checks of the arguments.

    So it learns all rows in one call, in order, which ends in the same weights; its rule (hinge loss, "optimal" rate,
    L2 penalty) is followed here row by row for the scores in between, and the weights at the end must be its own.
    """
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(shuffle=False)  # rows that are given one at a time are not shuffled either
    model.partial_fit(examples.X, examples.y, classes=[0, 1])
    said, weights, bias = _follow_sgd(examples, model.alpha)
    if not np.allclose(weights, model.coef_[0], rtol=1e-9, atol=1e-12) or not np.isclose(bias, model.intercept_[0]):
        raise AssertionError("this version of SGDClassifier learns by another rule than the one that is followed here")
    return said


def _follow_sgd(examples: Examples, alpha: float) -> tuple[Any, Any, float]:
    """What SGDClassifier says before each row, and its weights and bias in the end (sklearn/linear_model/_sgd_fast)."""
    X, signs, said = examples.X, (2 * examples.y - 1).tolist(), []
    weights, scale, bias = np.zeros(X.shape[1]), 1.0, 0.0
    first_step = 1 / (np.sqrt(1 / np.sqrt(alpha)) * alpha)
    for row, (first, last) in enumerate(pairwise(X.indptr.tolist())):
        columns, values, sign = X.indices[first:last], X.data[first:last], signs[row]
        score = scale * (weights[columns] @ values) + bias
        said.append(score > 0)
        rate = 1 / (alpha * (first_step + row))
        scale *= max(0.0, 1 - rate * alpha)
        if sign * score <= 1:
            weights[columns] += rate * sign / scale * values
            bias += 0.01 * rate * sign  # of sparse rows the bias moves by a hundredth
    return np.array(said, dtype=np.int64), scale * weights, bias
