"""Learners that take a whole table at once: columns of names with classes, rows with labels, points without."""

from __future__ import annotations

from functools import partial
from random import Random

from mistakebound.checks._games import games, refused, require, saved
from mistakebound.checks._subject import check
from mistakebound.core.errors import BadData, MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.checks._subject import Subject


def tables(subject: Subject) -> Iterator[tuple[list[dict[str, Any]], list[Any]]]:
    """Rows and labels: a rule, the same with noise, three classes; for many choices of options one in turn."""
    for number in range(3) if subject.number < 6 else [subject.number % 3]:
        draw = Random(number)
        rows = [{name: draw.choice(["a", "b", "é"]) for name in ("sky", "Wind", "x 1")} for _ in range(40)]
        labels: list[Any] = ["yes" if row["sky"] == "a" and row["Wind"] != "b" else "no" for row in rows]
        if number == 1:
            labels = [label if draw.random() < 0.8 else "yes" for label in labels]
        if number == 2:
            labels = [("a", "b", "é").index(row["sky"]) for row in rows]
        yield rows, labels


@check("table")
def check_fit_is_pure_and_repeatable(subject: Subject) -> None:
    """fit returns the learner and leaves the table as it was; the same table again gives the same hypothesis."""
    for rows, labels in tables(subject):
        kept = [dict(row) for row in rows], list(labels)
        learner = subject.make()
        require(learner.fit(rows, labels) is learner, "fit does not return the learner")
        require((rows, labels) == kept, "fit changed the table")
        again = subject.make().fit(rows, labels)
        require(again.hypothesis == learner.hypothesis, "the same table, another hypothesis")
        require(str(again.hypothesis) == str(learner.hypothesis), "equal hypotheses, different texts")
        require(again.predict_many(rows) == learner.predict_many(rows), "the same table, other predictions")
        require(learner.fit(rows, labels).hypothesis == again.hypothesis, "a second fit is not a fresh one")


@check("table")
def check_predictions_are_classes(subject: Subject) -> None:
    """A label of the table for every row, the likeliest; probabilities sum to 1; cells that are missing or new too."""
    import numpy as np

    for rows, labels in tables(subject):
        learner = subject.make().fit(rows, labels)
        odd = [{"sky": None, "Wind": "a", "x 1": "b"}, {"sky": "new", "Wind": None, "x 1": None}]
        said = learner.predict_many(rows + odd)
        require(set(said) <= set(labels), f"a prediction is not a label: {said}")
        shares = learner.predict_proba_many(rows + odd)
        require(shares.shape == (len(said), len(learner.classes)), f"another shape: {shares.shape}")
        require(bool(np.allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-9)), "probabilities do not sum to 1")
        own = shares[np.arange(len(said)), [learner.classes.index(label) for label in said]]
        require(bool((own >= shares.max(axis=1) - 1e-9).all()), "a prediction is not the likeliest class")
        require(learner.predict_many([]) == [], "no rows, some predictions")


@check("table")
def check_a_table_model_is_kept_whole(subject: Subject) -> None:
    """save and load give a learner that says the same, of the same hypothesis."""
    from mistakebound.model.model import load

    for rows, labels in tables(subject):
        learner = subject.make().fit(rows, labels)
        with saved(learner) as path:
            again = load(path).learner
        require(again.hypothesis == learner.hypothesis, "another hypothesis after save and load")
        require(again.predict_many(rows) == learner.predict_many(rows), "other predictions after save and load")
        require(again.settings == learner.settings, "other parameters after save and load")


@check("table", once=True)
def check_bad_tables_are_refused(subject: Subject) -> None:
    """No rows, a row without a label, other columns: BadData; nothing learned: our own error."""
    rows, labels = next(tables(subject))
    learner = subject.make()
    refused(lambda: learner.predict_many(rows), "predicting before fit", MistakeboundError)
    refused(lambda: subject.make().fit([], []), "a table without rows")
    refused(lambda: subject.make().fit(rows, [*labels[:-1], None]), "a missing label")
    refused(lambda: subject.make().fit(rows, labels[:-1]), "too few labels")
    learner.fit(rows, labels)
    # By columns: in a list of instances a learner of single ones may take a name that is not there as missing.
    columns = {name: [value] for name, value in rows[0].items()}
    require(len(learner.predict_many(columns)) == 1, "a table given by its columns is not predicted row by row")
    refused(lambda: learner.predict_many({"sky": ["a"]}), "a table with fewer columns")
    try:
        said = learner.predict_many(columns | {"more": ["a"]})
    except BadData:
        return
    require(said == learner.predict_many(columns), "a column that was not learned changes a prediction")


@check("rows", "batch")
def check_fit_returns_self(subject: Subject) -> None:
    """fit(table, y) returns the learner, and fitting the same table again gives the same hypothesis."""
    import numpy as np

    for game in games(subject):
        table, labels = np.array(game.rows), np.array(game.labels)
        kept = table.copy()
        learner = subject.make()
        require(learner.fit(table, labels) is learner, "fit does not return the learner")
        require(bool((table == kept).all()), "fit changed the table")
        require(
            learner.hypothesis == subject.make().fit(table, labels).hypothesis, "the same table, another hypothesis"
        )


@check("points")
def check_fitting_points_is_pure_and_repeatable(subject: Subject) -> None:
    """fit(X) returns the learner and leaves X as it was; the same points give the same hypothesis, bit for bit."""
    import numpy as np

    draw = Random(subject.number)
    points = np.array([[draw.gauss(10 * (row % 2), 1), draw.gauss(0, 1)] for row in range(40)])
    kept = points.copy()
    learner = subject.make()
    require(learner.fit(points) is learner, "fit does not return the learner")
    require(bool((points == kept).all()), "fit changed the points")
    again = subject.make().fit(points.tolist())
    require(again.hypothesis == learner.hypothesis, "the same points, another hypothesis")
    require(str(again.hypothesis) == str(learner.hypothesis), "equal hypotheses, different texts")
    require(learner.fit(points).hypothesis == again.hypothesis, "a second fit is not a fresh one")


@check("points", once=True)
def check_bad_points_are_refused(subject: Subject) -> None:
    """No points, not a number, rows of different lengths: BadData."""
    wrong: list[Any] = [[], [[]], [1.0, float("nan")], [[1.0], [1.0, 2.0]], ["a"], [[[1.0]]]]
    for bad in wrong:
        refused(partial(subject.make().fit, bad), f"{bad!r}, which is not points,")
