"""Who plays in `progressive.py`: our learners of rows, Vowpal Wabbit, River, scikit-learn, CapyMOA, at their defaults.

A player is given the examples and says what it predicted for each row before it learned it (labels, and logits where
it has probabilities), or None when it cannot take them.  More than two labels are learned as each package does it:
Vowpal Wabbit by `--oaa`, River's linear models by its OneVsRestClassifier (and softmax regression), scikit-learn's and
ours by one-vs-all, trees and naive Bayes by themselves.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from _progressive_capymoa import FORESTS, forest, why_not
from _progressive_sets import MANY, Examples

import mistakebound as mb
from mistakebound.arena.compare import default_learners
from mistakebound.core.ledger import Ledger


class Said(NamedTuple):
    """Of each row the label that was predicted; of a player with probabilities the logit of label 1, or all of them."""

    labels: Any
    logits: Any = None
    chances: Any = None  # of more than two labels: a column for each


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
_MANY_LABELS = 20  # above which `learn FILE` is one-vs-all over AROW


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
    """What `learn FILE` takes, with the logit that it had before each label."""

    def play(examples: Examples) -> Said:
        if len(examples.labels) > 2:
            return _one_vs_all(examples)
        learner, logits = mb.Auto(labels=(0, 1)), []
        for x, label in zip(_as_read(examples), examples.y.tolist(), strict=True):
            row = learner.encode(x)
            logits.append(learner.score_one(row))
            learner.learn_one(row, label)
        found = np.array(logits)
        return Said((found > 0).astype(np.int64), found)

    return play


def _one_vs_all(examples: Examples) -> Said:
    """The labels are declared, as they are to Vowpal Wabbit and scikit-learn."""
    many, labels, chances = len(examples.labels), [], []
    learner = mb.OneVsAll("auto" if many <= _MANY_LABELS else "arow", labels=range(many))
    for x, label in zip(_as_read(examples), examples.y.tolist(), strict=True):
        row = learner.encode(x)
        if many <= _MANY_LABELS:
            chances.append([score for _, score, _ in learner.scores_of_labels(row)])
        labels.append(learner.learn_one(row, label))
    if not chances:
        return Said(np.array(labels))
    each = 1 / (1 + np.exp(-np.array(chances)))
    return Said(np.array(labels), chances=each / each.sum(axis=1, keepdims=True))


def _as_read(examples: Examples) -> Iterator[dict[str, float]]:
    """As `learn FILE` gives the rows to a learner: a 0 of a table is a value, a value that is missing is absent."""
    return _mappings(examples if examples.full is None else replace(examples, X=examples.full))


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
                "River SoftmaxRegression": _river_softmax(scaled=False),
                "River SoftmaxRegression, standardised": _river_softmax(scaled=True),
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
    absent = why_not()
    if absent is None:
        found |= {name: _capymoa(name) for name in FORESTS}
    else:
        missing.append(absent)
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
        many = len(examples.labels)
        more = ["--oaa", str(many)] if many > 2 else []
        chances = many > 2 and "logistic" in words
        workspace = vowpalwabbit.Workspace(" ".join(["--quiet", *words, *more, *["--probabilities"] * chances]))
        said = []
        for line in _vw_lines(examples):
            example = workspace.parse(line)
            workspace.learn(example)
            if chances:
                said.append(example.get_scalars())
            elif many > 2:
                said.append(example.get_multiclass_prediction() - 1)
            else:
                said.append(example.get_simplelabel_prediction())
            workspace.finish_example(example)
        workspace.finish()
        scores = np.array(said)
        if chances:
            return Said(scores.argmax(axis=1), chances=scores)
        if many > 2:
            return Said(scores)
        return Said((scores > 0).astype(np.int64), scores if "logistic" in words else None)

    return play


def _vw_lines(examples: Examples) -> list[str]:
    X = examples.X
    entries = zip(X.indices.tolist(), X.data.tolist(), strict=True)
    written = [str(column) if value == 1 else f"{column}:{value!r}" for column, value in entries]
    ends = X.indptr.tolist()
    tokens = ["-1", "1"] if len(examples.labels) == 2 else [str(place + 1) for place in range(len(examples.labels))]
    return [
        f"{tokens[label]} | {' '.join(written[first:last])}"
        for label, (first, last) in zip(examples.y.tolist(), pairwise(ends), strict=True)
    ]


def _river(name: str, *, scaled: bool = False) -> Player:
    def play(examples: Examples) -> Said | None:
        from river import linear_model, multiclass, preprocessing

        if scaled and examples.X.shape[1] > MANY:  # sparse rows cannot be centred
            return None
        model = getattr(linear_model, name)()
        if len(examples.labels) > 2:
            model = multiclass.OneVsRestClassifier(model)
        return _one_by_one(preprocessing.StandardScaler() | model if scaled else model, examples, dense=scaled)

    return play


def _river_softmax(*, scaled: bool) -> Player:
    def play(examples: Examples) -> Said | None:
        if len(examples.labels) == 2 or (scaled and examples.X.shape[1] > MANY):
            return None
        from river import linear_model, preprocessing

        model = linear_model.SoftmaxRegression()
        return _one_by_one(preprocessing.StandardScaler() | model if scaled else model, examples, dense=scaled)

    return play


def _river_tree(module: str, name: str, **settings: Any) -> Player:
    def play(examples: Examples) -> Said | None:
        if examples.X.shape[1] > MANY:
            return None
        kind = getattr(importlib.import_module(f"river.{module}"), name)
        return _one_by_one(kind(**settings), examples, dense=True)

    return play


def _capymoa(name: str) -> Player:
    def play(examples: Examples) -> Said | None:
        said = forest(name)(examples)
        return None if said is None else Said(np.array(said, dtype=np.int64))

    return play


def _river_bayes(examples: Examples) -> Said | None:
    from river import naive_bayes

    return None if examples.X.shape[1] > MANY else _one_by_one(naive_bayes.BernoulliNB(), examples)


def _one_by_one(model: Any, examples: Examples, dense: bool = False) -> Said:
    said, many = [], len(examples.labels) > 2
    for x, label in zip(_dense(examples) if dense else _mappings(examples), examples.y.tolist(), strict=True):
        said.append(int(model.predict_one(x) or 0))  # None before the first label
        model.learn_one(x, label if many else bool(label))
    return Said(np.array(said, dtype=np.int64))


def _one_against_all(follow: Callable[[Examples, Any], tuple[Any, Any, float]], model: Any, examples: Examples) -> Said:
    """What a linear model of scikit-learn says before each row; its weights in the end must be those followed here.

    The model learns a row a call in two milliseconds, nearly all of it checks of the arguments.  So it learns all rows
    in one call, in order, which ends in the same weights; its rule is followed for the scores in between.
    """
    many = len(examples.labels)
    model.partial_fit(examples.X, examples.y, classes=range(many))
    scores = []
    for place in range(many) if many > 2 else (1,):
        before, weights, bias = follow(examples, np.where(examples.y == place, 1.0, -1.0))
        at = place if many > 2 else 0
        _check_followed("SGDClassifier", np.append(weights, bias), np.append(model.coef_[at], model.intercept_[at]))
        scores.append(before)
    return Said(np.argmax(scores, axis=0) if many > 2 else (scores[0] > 0).astype(np.int64))


def _sklearn_pa(examples: Examples) -> Said:
    """PA-I with C = 1, as PassiveAggressiveClassifier has it."""
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, shuffle=False)
    return _one_against_all(_follow_pa, model, examples)


def _follow_pa(examples: Examples, signs: Any) -> tuple[Any, Any, float]:
    X, scores = examples.X, []
    weights, bias = np.zeros(X.shape[1]), 0.0
    for sign, (first, last) in zip(signs.tolist(), pairwise(X.indptr.tolist()), strict=True):
        columns, values = X.indices[first:last], X.data[first:last]
        score = weights[columns] @ values + bias
        scores.append(score)
        norm = values @ values
        if sign * score < 1 and norm > 0:
            step = sign * min(1.0, (1 - sign * score) / norm)
            weights[columns] += step * values
            bias += 0.01 * step
    return np.array(scores), weights, bias


def _check_followed(name: str, followed: Any, own: Any) -> None:
    if not np.allclose(followed, own, rtol=1e-6, atol=1e-9):
        raise AssertionError(f"this version of {name} learns by another rule than the one that is followed here")


def _sklearn_bayes(examples: Examples) -> Said:
    """Gaussian for tables of numbers, else by flags; followed row by row.  Of labels not seen yet it says nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return _gaussian_bayes(examples) if examples.dense else _flag_bayes(examples)


def _gaussian_bayes(examples: Examples) -> Said:
    from sklearn.naive_bayes import GaussianNB

    X, labels, many = examples.X.toarray(), examples.y.tolist(), len(examples.labels)
    model = GaussianNB().partial_fit(X, examples.y, classes=range(many))
    rows, means, squares = np.zeros(many), np.zeros((many, X.shape[1])), np.zeros((many, X.shape[1]))
    all_mean, all_squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    said = np.zeros(len(labels), dtype=np.int64)
    for row, (x, label) in enumerate(zip(X, labels, strict=True)):
        if row:  # a tiny part of the largest variance is added, as GaussianNB does
            seen = np.flatnonzero(rows)
            spread = squares[seen] / rows[seen, None] + 1e-9 * (all_squares / row).max() + 1e-300
            chance = np.log(rows[seen]) - 0.5 * (np.log(spread) + (x - means[seen]) ** 2 / spread).sum(axis=1)
            said[row] = seen[np.argmax(chance)]
        rows[label] += 1
        far = x - means[label]
        means[label] += far / rows[label]
        squares[label] += far * (x - means[label])
        far = x - all_mean
        all_mean += far / (row + 1)
        all_squares += far * (x - all_mean)
    seen = np.flatnonzero(rows)
    _check_followed("GaussianNB", means, model.theta_)
    _check_followed("GaussianNB", squares[seen] / rows[seen, None] + model.epsilon_, model.var_[seen])
    return Said(said)


def _flag_bayes(examples: Examples) -> Said:
    from sklearn.naive_bayes import BernoulliNB

    X, labels, many = examples.X, examples.y.tolist(), len(examples.labels)
    model = BernoulliNB().partial_fit(X, examples.y, classes=range(many))
    counts, rows, said = np.zeros((many, X.shape[1])), np.zeros(many), np.zeros(len(labels), dtype=np.int64)
    for row, (first, last) in enumerate(pairwise(X.indptr.tolist())):
        columns = X.indices[first:last][X.data[first:last] > 0]
        if row:
            part = (counts + 1) / (rows[:, None] + 2)
            absent = np.log1p(-part)
            chance = np.log(rows) + absent.sum(axis=1)  # -inf of a label not seen yet
            chance += (np.log(part[:, columns]) - absent[:, columns]).sum(axis=1)
            said[row] = np.argmax(chance)
        rows[labels[row]] += 1
        counts[labels[row], columns] += 1
    _check_followed("BernoulliNB", counts, model.feature_count_)
    return Said(said)


def _sgd(examples: Examples) -> Said:
    """Hinge loss, "optimal" rate, L2 penalty; rows that are given one at a time are not shuffled either."""
    from sklearn.linear_model import SGDClassifier

    return _one_against_all(_follow_sgd, SGDClassifier(shuffle=False), examples)


def _follow_sgd(examples: Examples, signs: Any) -> tuple[Any, Any, float]:
    """What SGDClassifier says before each row, and its weights and bias in the end (sklearn/linear_model/_sgd_fast)."""
    X, scores, alpha = examples.X, [], 0.0001
    weights, scale, bias = np.zeros(X.shape[1]), 1.0, 0.0
    first_step = 1 / (np.sqrt(1 / np.sqrt(alpha)) * alpha)
    for row, (sign, (first, last)) in enumerate(zip(signs.tolist(), pairwise(X.indptr.tolist()), strict=True)):
        columns, values = X.indices[first:last], X.data[first:last]
        score = scale * (weights[columns] @ values) + bias
        scores.append(score)
        rate = 1 / (alpha * (first_step + row))
        scale *= max(0.0, 1 - rate * alpha)
        if sign * score <= 1:
            weights[columns] += rate * sign / scale * values
            bias += 0.01 * rate * sign  # of sparse rows the bias moves by a hundredth
    return np.array(scores), scale * weights, bias
