"""Who plays in `progressive.py`: our learners of rows, Vowpal Wabbit, River, scikit-learn, each at its defaults.

A player is given the examples and says what it predicted for each row before it learned it (labels, and logits where
it has probabilities), or None when it cannot take them.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from _progressive_sets import MANY, Examples

import mistakebound as mb
from mistakebound.arena.compare import default_learners
from mistakebound.core.ledger import Ledger


class Said(NamedTuple):
    """Of each row the label that was predicted, and of a player with probabilities the logit of label 1."""

    labels: Any
    logits: Any = None


Player = Callable[[Examples], Said | None]
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


def auto() -> Player:
    """Our learner without settings, with the logit that it had before each label."""

    def play(examples: Examples) -> Said:
        learner, logits = mb.Auto(labels=(0, 1)), []
        for x, label in zip(
            _dense(examples) if examples.dense else _mappings(examples), examples.y.tolist(), strict=True
        ):
            row = learner.encode(x)
            logits.append(learner.score_one(row))
            learner.learn_one(row, label)
        found = np.array(logits)
        return Said((found > 0).astype(np.int64), found)

    return play


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
            | {
                "River HoeffdingTree": _river_tree("tree", "HoeffdingTreeClassifier"),
                "River adaptive random forest": _river_tree("forest", "ARFClassifier", seed=0),
                "River BernoulliNB": _river_bayes,
            },
        ),
        (
            "sklearn",
            {
                "scikit-learn SGD": _sgd,
                "scikit-learn PA": _sklearn_pa,
                "scikit-learn NB": _sklearn_bayes,
            },
        ),
    ):
        if importlib.util.find_spec(package):
            found |= players
        else:
            missing.append(f"{package} is left out: it is not installed here (`make bench` installs it)")
    return found, missing


def _learner(name: str) -> Player:
    def play(examples: Examples) -> Said | None:
        learner, ledger = mb.learners.find(name)(), Ledger()
        try:
            predictions = learner.learn_many(examples.rows, examples.y, ledger=ledger)
        except mb.BadData:
            return None
        return None if ledger.inconsistency is not None else Said(predictions)

    return play


def _hypothesis(name: str) -> Player:
    def play(examples: Examples) -> Said | None:
        learner, said = mb.learners.find(name)(), []
        try:
            for x, label in zip(_mappings(examples), examples.y.tolist(), strict=True):
                said.append(learner.predict_one(x))
                learner.learn_one(x, label)
        except (mb.BadData, mb.NoConsistentHypothesis):
            return None
        return Said(np.array(said))

    return play


def _mappings(examples: Examples) -> Iterator[dict[str, float]]:
    """Every row as a mapping of names to values."""
    X = examples.X
    names, values, ends = [examples.names[column] for column in X.indices], X.data.tolist(), X.indptr.tolist()
    for first, last in pairwise(ends):
        yield dict(zip(names[first:last], values[first:last], strict=True))


def _dense(examples: Examples) -> Iterator[dict[str, float]]:
    """The same with zeros."""
    for first in range(0, len(examples.y), 1000):
        for row in examples.X[first : first + 1000].toarray().tolist():
            yield dict(zip(examples.names, row, strict=True))


def _vw(words: tuple[str, ...]) -> Player:
    """What an example's prediction is after `learn` was made before the update, as in `vw -p`."""

    def play(examples: Examples) -> Said | None:
        import vowpalwabbit

        if "-q" in words and examples.X.nnz > _WIDE * examples.X.shape[0]:
            return None
        said = []
        workspace = vowpalwabbit.Workspace(" ".join(["--quiet", *words]))
        for line in _vw_lines(examples):
            example = workspace.parse(line)
            workspace.learn(example)
            said.append(example.get_simplelabel_prediction())
            workspace.finish_example(example)
        workspace.finish()
        scores = np.array(said)
        return Said((scores > 0).astype(np.int64), scores if "logistic" in words else None)

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
    def play(examples: Examples) -> Said | None:
        from river import linear_model, preprocessing

        if scaled and examples.X.shape[1] > MANY:  # sparse rows cannot be centred
            return None
        model = getattr(linear_model, name)()
        return _one_by_one(preprocessing.StandardScaler() | model if scaled else model, examples, dense=scaled)

    return play


def _river_tree(module: str, name: str, **settings: Any) -> Player:
    def play(examples: Examples) -> Said | None:
        if examples.X.shape[1] > MANY:
            return None
        kind = getattr(importlib.import_module(f"river.{module}"), name)
        return _one_by_one(kind(**settings), examples, dense=True)

    return play


def _river_bayes(examples: Examples) -> Said | None:
    from river import naive_bayes

    return None if examples.X.shape[1] > MANY else _one_by_one(naive_bayes.BernoulliNB(), examples)


def _one_by_one(model: Any, examples: Examples, dense: bool = False) -> Said:
    said = []
    for x, label in zip(_dense(examples) if dense else _mappings(examples), examples.y.tolist(), strict=True):
        said.append(bool(model.predict_one(x)))
        model.learn_one(x, bool(label))
    return Said(np.array(said, dtype=np.int64))


def _sklearn_pa(examples: Examples) -> Said:
    """PA-I with C = 1, as PassiveAggressiveClassifier has it, followed row by row like SGD."""
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, shuffle=False)
    model.partial_fit(examples.X, examples.y, classes=[0, 1])
    X, signs, said = examples.X, (2 * examples.y - 1).tolist(), []
    weights, bias = np.zeros(X.shape[1]), 0.0
    for row, (first, last) in enumerate(pairwise(X.indptr.tolist())):
        columns, values, sign = X.indices[first:last], X.data[first:last], signs[row]
        score = weights[columns] @ values + bias
        said.append(score > 0)
        norm = values @ values
        if sign * score < 1 and norm > 0:
            step = sign * min(1.0, (1 - sign * score) / norm)
            weights[columns] += step * values
            bias += 0.01 * step
    _check_followed("SGDClassifier", weights, model.coef_[0])
    return Said(np.array(said, dtype=np.int64))


def _check_followed(name: str, followed: Any, own: Any) -> None:
    if not np.allclose(followed, own, rtol=1e-6, atol=1e-9):
        raise AssertionError(f"this version of {name} learns by another rule than the one that is followed here")


def _sklearn_bayes(examples: Examples) -> Said:
    """Gaussian for tables of numbers, else by flags; followed row by row."""
    return _gaussian_bayes(examples) if examples.dense else _flag_bayes(examples)


def _gaussian_bayes(examples: Examples) -> Said:
    from sklearn.naive_bayes import GaussianNB

    X, labels = examples.X.toarray(), examples.y.tolist()
    model = GaussianNB().fit(X, examples.y)
    rows, means, squares = np.zeros(2), np.zeros((2, X.shape[1])), np.zeros((2, X.shape[1]))
    all_mean, all_squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    said = np.zeros(len(labels), dtype=np.int64)
    for row, (x, label) in enumerate(zip(X, labels, strict=True)):
        if rows.min() > 0:  # a tiny part of the largest variance is added, as GaussianNB does
            spread = squares / rows[:, None] + 1e-9 * (all_squares / row).max() + 1e-300
            chance = np.log(rows) - 0.5 * (np.log(spread) + (x - means) ** 2 / spread).sum(axis=1)
            said[row] = chance[1] > chance[0]
        elif row:
            said[row] = rows[1] > 0
        rows[label] += 1
        far = x - means[label]
        means[label] += far / rows[label]
        squares[label] += far * (x - means[label])
        far = x - all_mean
        all_mean += far / (row + 1)
        all_squares += far * (x - all_mean)
    _check_followed("GaussianNB", means, model.theta_)
    _check_followed("GaussianNB", squares / rows[:, None] + model.epsilon_, model.var_)
    return Said(said)


def _flag_bayes(examples: Examples) -> Said:
    from sklearn.naive_bayes import BernoulliNB

    X, labels = examples.X, examples.y.tolist()
    model = BernoulliNB().fit(X, examples.y)
    counts, rows, said = np.zeros((2, X.shape[1])), np.zeros(2), np.zeros(len(labels), dtype=np.int64)
    for row, (first, last) in enumerate(pairwise(X.indptr.tolist())):
        columns = X.indices[first:last][X.data[first:last] > 0]
        if rows.min() > 0:
            part = (counts + 1) / (rows[:, None] + 2)
            absent = np.log1p(-part)
            chance = np.log(rows) + absent.sum(axis=1)
            chance += (np.log(part[:, columns]) - absent[:, columns]).sum(axis=1)
            said[row] = chance[1] > chance[0]
        elif rows.max() > 0:
            said[row] = rows[1] > 0
        rows[labels[row]] += 1
        counts[labels[row], columns] += 1
    _check_followed("BernoulliNB", counts, model.feature_count_)
    return Said(said)


def _sgd(examples: Examples) -> Said:
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
    return Said(said)


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
