"""Learners of rows of numbers, online and in epochs: units and networks."""

from __future__ import annotations

from functools import partial
from random import Random

from mistakebound.checks._games import refused, require, saved
from mistakebound.checks._subject import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.checks._subject import Subject


def rows(subject: Subject) -> tuple[Any, Any]:
    """Twenty rows of three numbers, with two classes, which are numbers as well."""
    import numpy as np

    draw = Random(subject.number % 3)
    X = np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(20)])
    return X, np.array([int(x[0] > x[1]) for x in X])


def fitted(subject: Subject, X: Any, y: Any) -> Any:
    """A learner of these rows; with slopes, where it wants them."""
    import numpy as np

    more = {} if subject.settings.get("slopes") is None else {"slopes": np.zeros((len(X), 2, 3))}
    return subject.make().fit(X, y, epochs=3, **more)


@check("numbers")
def check_fitting_rows_is_pure_and_repeatable(subject: Subject) -> None:
    """fit leaves the rows as they were, and the same rows give the same hypothesis; predicting changes nothing."""
    X, y = rows(subject)
    kept = X.copy(), y.copy()
    learner = fitted(subject, X, y)
    require(bool((kept[0] == X).all() and (y == kept[1]).all()), "fit changed the rows")
    require(fitted(subject, X, y).hypothesis == learner.hypothesis, "the same rows, another hypothesis")
    before = learner.hypothesis
    said = learner.predict_many(X).tolist()
    require([learner.predict_one(x) for x in X] == said, "predict_one and predict differ")
    require([before(x) for x in X] == said, "the hypothesis says something else")
    learner.score_one(X[0])
    require(learner.hypothesis == before, "predicting changed the hypothesis")


@check("numbers")
def check_rows_one_by_one_are_rows_in_order(subject: Subject) -> None:
    """learn_one on each row, learn_many on all, and after a save and a load half way: the same, bit for bit."""
    from mistakebound.model.model import load

    X, y = rows(subject)
    # The classes are given, so that every output has its meaning from the start.
    numbers = subject.sample.predicts_numbers
    single, block, stopped = (subject.make() if numbers else subject.make(classes=(0, 1)) for _ in range(3))
    if not single.online:
        return  # not every rule has an online form
    said = [single.learn_one(x, label) for x, label in zip(X, y, strict=True)]
    require(block.learn_many(X, y) == said, "learn_many predicts something else")
    require(block.hypothesis == single.hypothesis, "learn_many ends with something else")
    stopped.learn_many(X[:9], y[:9])
    with saved(stopped) as path:
        again = load(path).learner
    again.learn_many(X[9:], y[9:])
    require(again.hypothesis == single.hypothesis, "another hypothesis after save, load and going on")
    require(again.settings == single.settings, "other parameters after save and load")


@check("numbers", once=True)
def check_bad_rows_are_refused(subject: Subject) -> None:
    """Not a number, rows of different lengths, too few labels, no rows: BadData, and nothing is learned."""
    X, y = rows(subject)
    wrong: list[tuple[Any, Any]] = [
        ([[float("nan")] * 3] * 20, y), ([[1.0], [1.0, 2.0]], [0, 1]), (X, y[:-1]), (X[:0], y[:0]), ("text", y),
    ]  # fmt: skip
    for bad, labels in wrong:
        learner = subject.make()
        refused(partial(learner.fit, bad, labels), f"{bad!r}, which is not rows,")
        require(not learner.fitted, "something was learned from bad rows")
