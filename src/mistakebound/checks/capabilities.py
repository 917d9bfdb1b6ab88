"""What a learner declares that it can do is true: a method is there, and works, exactly where it is declared."""

from __future__ import annotations

from mistakebound.checks._games import asked, easy_game, play, refused, require
from mistakebound.checks._subject import check
from mistakebound.checks.instances import instance_games
from mistakebound.checks.numbers import fitted, rows
from mistakebound.checks.tables import tables
from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject

_FEW = 8
_VERBS = {
    "online": ("learn_one", "learn_many"),
    "batch": ("fit",),
    "scores": ("score_one", "score_many"),
    "probabilities": ("predict_proba_one", "predict_proba_many"),
    "ranked": ("top",),
}
_READ_BY = {
    "weights": "weight", "literals": "literals", "disjunction": "remaining", "list": "as_list",
    "mixture": "contributions",
}  # fmt: skip


@check(once=True)
def check_declared_methods_are_there(subject: Subject) -> None:
    """predict_one and predict_many are there, and of all other verbs those that are declared and no others."""
    found = subject.learner_class
    for method in ("predict_one", "predict_many"):
        require(callable(getattr(found, method, None)), f"there is no {method}")
    require(found.online or found.batch, "neither online nor batch is declared: nothing could be learned")
    for word, methods in _VERBS.items():
        for method in methods:
            there = callable(getattr(found, method, None))
            require(there == getattr(found, word), f"{word} is {getattr(found, word)}, and {method} is there: {there}")
    if found.takes == "rows":
        for word, method in _READ_BY.items():
            there = callable(getattr(found, method, None))
            require(
                there == (found.readable == word), f"readable is {found.readable!r}, and {method} is there: {there}"
            )


@check()
def check_declared_methods_agree(subject: Subject) -> None:
    """predict_many, score_many and predict_proba_many say of rows what predict_one and the others say of each."""
    learner, xs, X = _taught(subject)
    require(_listed(learner.predict_many(X)) == [asked(learner, x) for x in xs], "predict_many and predict_one differ")
    if learner.scores:
        require(_listed(learner.score_many(X)) == [learner.score_one(x) for x in xs], "score_many and score_one differ")
    if learner.probabilities:
        shares, single = _listed(learner.predict_proba_many(X)), [learner.predict_proba_one(x) for x in xs]
        require(shares == [list(one.values()) for one in single], "predict_proba_many and predict_proba_one differ")
        require(all(abs(sum(row) - 1) < 1e-9 for row in shares), "probabilities do not sum to 1")
    if learner.ranked:
        require(len(learner.top(2)) <= 2, "top gives more than it was asked for")
    copied = learner.copy()
    require(_listed(copied.predict_many(X)) == _listed(learner.predict_many(X)), "a copy predicts something else")


@check("table", "online")
def check_tables_one_by_one_return_predictions(subject: Subject) -> None:
    """learn_one returns what predict_one would have said just before, learn_many the same for each row."""
    for examples, labels in tables(subject):
        single, many = subject.make(), subject.make()
        said = []
        for x, label in zip(examples, labels, strict=True):
            try:
                before = single.predict_one(x)
            except ValueError:  # all classes are ruled out
                before = None
            said.append(single.learn_one(x, label))
            require(said[-1] == before, f"predict_one said {before!r}, learn_one {said[-1]!r}")
        require(many.learn_many(examples, labels) == said, "learn_many predicts something else")
        require(many.predict_many(examples) == single.predict_many(examples), "learn_many ends with something else")


@check("numbers")
def check_what_cannot_learn_online_says_so(subject: Subject) -> None:
    """An option that has no online form is declared, and learn_one refuses it."""
    if subject.sample.online:
        return
    X, y = rows(subject)
    refused(lambda: subject.make().learn_one(X[0], y[0]), "learn_one of a learner that is not online", BadParameter)


def _taught(subject: Subject) -> tuple[Any, list[Any], Any]:
    """A learner that has learned something, some instances, and the same as one table or matrix."""
    takes, learner = subject.sample.takes, subject.make()
    if takes == "table":
        examples, labels = next(tables(subject))
        return learner.fit(examples, labels), examples, examples
    if takes == "instances":
        examples, labels = next(instance_games(subject))
        play(learner, examples, labels)
        return learner, examples, examples
    import numpy as np

    if takes == "numbers":
        X, y = rows(subject)
        return fitted(subject, X, y), list(X), X
    if takes == "points":
        points = np.array([[10.0 * (k % 2) + 0.1 * k, 0.2 * k] for k in range(12)])
        return learner.fit(points), list(points), points
    game = easy_game(subject)
    X = np.array(game.rows[:_FEW])
    if learner.batch:
        learner.fit(X, np.array(game.labels[:_FEW]))
    else:
        play(learner, game.rows[:_FEW], game.labels[:_FEW])
    return learner, game.rows[:_FEW], X


def _listed(found: Any) -> list[Any]:
    listed: list[Any] = found if isinstance(found, list) else found.tolist()
    return listed
