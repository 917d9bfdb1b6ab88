"""Pictures of models of whole tables: how learning went, and what came of it."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.table import Table
    from mistakebound.model.table_training import TableTraining, Watch

_THIRD = 3  # one row of so many judges the curves of a tree where there is no validation set


def check_drawn(learner: Any, pictures: Collection[str], path: str) -> None:
    """BadParameter for a learner that has no such picture."""
    if learner.name not in pictures:
        raise BadParameter(f"a picture must be of {', '.join(pictures)}, {learner.name} has none: {path!r}")


def draw_training(path: str, training: TableTraining, *, title: str, watch: Watch | None = None) -> None:
    """How learning went: the curves of a tree or a network, the way of means among their points."""
    check_drawn(training.learner, TRAININGS, path)
    TRAININGS[training.learner.name](path, training, title, watch)


def _tree_curves(path: str, training: TableTraining, title: str, watch: Watch | None) -> None:
    """Accuracy against the number of rows, and against the number of nodes."""
    from mistakebound.arena.tree_curves import learning_curve, size_curve
    from mistakebound.learners.tree.decision_tree import DecisionTree
    from mistakebound.report.tree_curves import draw_tree_curves

    settings, costs = training.learner.settings, training.options

    def grown(table: Table, codes: npt.NDArray[np.int32], **changed: Any) -> DecisionTree:
        found: DecisionTree = training.fit(DecisionTree(**settings | changed), table, codes, **costs)
        return found

    learner, rows, validation = training.learner, training.parts["training"], training.parts.get("validation")
    if validation is None:  # for the curves alone: the tree that is shown and saved has seen all rows
        table, codes = rows
        aside = np.arange(1, table.rows + 1) % _THIRD == 0
        rows, validation = (table.take(~aside), codes[~aside]), (table.take(aside), codes[aside])
        learner = grown(*rows)
    growing = size_curve(grown(*rows, prune=None).tree, rows, validation, fractions=settings["missing"] == "fractions")
    told = None if watch is None else lambda done, of: watch(done, of, "")
    learning = learning_curve(grown, rows, validation, watch=told)
    pruned = None
    if settings["prune"] is not None:
        right = float(np.mean(learner.predict_table(validation[0]) == validation[1]))
        pruned = settings["prune"], learner.tree.size, right
    draw_tree_curves(path, learning, growing, title=title, pruned=pruned)


def _network_curve(path: str, training: TableTraining, title: str, watch: Watch | None) -> None:
    from mistakebound.report.network_pictures import draw_training as draw

    draw(path, training.learner.curve, title=title)


def _means(path: str, training: TableTraining, title: str, watch: Watch | None) -> None:
    draw_points(path, training.learner, training.table)


TRAININGS: dict[str, Callable[..., None]] = {
    "decision-tree": _tree_curves, "table-network": _network_curve, "gaussian-means": _means,
}  # fmt: skip


def draw_tree(path: str, learner: Any, nodes: int | None, table: Table | None = None, row: int = 0) -> None:
    """A decision tree as SVG or DOT, with the path of a row marked where a table is given."""
    from mistakebound.report.decision_tree import sketch_decision_tree
    from mistakebound.report.drawing import draw, write_drawing

    marked = [] if table is None else learner.tree.path(table, row)
    sketch = sketch_decision_tree(learner.tree, learner.schema, learner.classes, nodes=nodes, path=marked)
    write_drawing(path, lambda form: draw(sketch, form))


def draw_weights(path: str, learner: Any) -> None:
    """What the hidden units of a network look for."""
    from mistakebound.report.network_pictures import draw_hidden_weights, square

    names = learner.input_names
    numeric = all(kind == "numeric" for _, kind, _ in learner.schema.columns)
    sides = square(len(names)) if numeric and len(names) >= 16 else None
    draw_hidden_weights(path, learner.network.weights[0], names=names, shape=sides)


def draw_boundary(path: str, learner: Any, table: Table, labels: list[Any], *, title: str) -> None:
    """The classes of a network in the plane of two columns of numbers, with the rows of a table."""
    from mistakebound.report.network_pictures import draw_boundary as draw

    kinds = [column.kind for column in table.columns]
    if kinds != ["numeric", "numeric"]:
        raise BadParameter(
            f"a boundary is drawn of tables with two columns of numbers beside the label: "
            f"there are {len(kinds)}, {', '.join(kinds) or 'none'}"
        )
    X = np.column_stack([column.data for column in table.columns])
    known = np.flatnonzero(np.isfinite(X).all(axis=1))
    y = [labels[row] for row in known.tolist()]
    draw(path, _OnNumbers(learner, table.names), X[known], y, names=table.names, title=title)


class _OnNumbers:
    """A table's network for rows of numbers."""

    def __init__(self, learner: Any, names: tuple[str, ...]) -> None:
        self._learner = learner
        self._names = names

    def predict_many(self, X: Any) -> list[Any]:
        said: list[Any] = self._learner.predict_many({name: X[:, k] for k, name in enumerate(self._names)})
        return said


def draw_points(path: str, learner: Any, table: Table) -> None:
    """The points of a table, of one or two numbers, with the means that were found."""
    from mistakebound.report.mixture import draw_means

    names = learner.columns
    if len(names) > 2:
        raise BadParameter(f"a picture must be of 1 or 2 columns (--ignore drops others): {', '.join(names)}")
    draw_means(path, learner, learner.table_points(table))


PICTURES = ("decision-tree", "table-network", "gaussian-means")  # learners of which there is a picture
