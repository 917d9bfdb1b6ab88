"""A whole table learned at once: rows to learn, rows to validate by, rows held out, the model that comes of it.

And pictures of such models: how learning went, and what came of it.
"""

from __future__ import annotations

import numpy as np

from mistakebound.arena.stream_labels import refuse_measurements
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.labels import meaning
from mistakebound.core.table import check_weights, label_codes
from mistakebound.core.weights import check_costs
from mistakebound.io.formats import unmatched_by_columns
from mistakebound.io.frame import table_of
from mistakebound.io.table_file import read_table_file
from mistakebound.model.model import Model, RowSchema
from mistakebound.model.sources import frame_in_memory, is_frame, texts_as_table
from mistakebound.model.table_rows import set_aside
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile
    from mistakebound.model.table_rows import Labelled

    Watch = Callable[[int, int, str], None]

_THIRD = 3  # one row of so many is for validation, or judges the curves of a tree, where none are given


class TableTraining:
    """What is learned from one table.

    Parameters
    ----------
    learner : one that takes a "table" or "points"
    files : paths, "-" for standard input, or what lies in memory in their place
    settings : how they are read, as of `open_stream`
    label : the column of labels, for the learner to remember
    options : keywords of the learner's `fit`
    cost : the costs of mistakes on labels, for a learner that gives weights a meaning
    validation, holdout : every so many rows, or a path (None: none); those to prune or stop by, and those that are
        measured only.  The rows of `holdout` are set aside first.
    read : what reads tables in place of `read_table_file`
    """

    cluster: dict[str, Any] | None = None  # who learns, where that is not this process

    def __init__(
        self,
        learner: Any,
        files: Any,
        settings: dict[str, Any],
        *,
        label: str | None = None,
        options: dict[str, Any] | None = None,
        cost: dict[Any, float] | None = None,
        validation: int | str | None = None,
        holdout: int | str | None = None,
        read: Callable[..., TableFile] = read_table_file,
    ) -> None:
        self.learner = learner
        self.label = label
        self.options = options or {}
        self.cost = table_costs(learner, cost)
        self._read = read
        points = learner.takes == "points"
        if validation is not None and not learner.validates:
            raise BadParameter(f"{learner.name} does not support validation: {validation!r}")
        if points and holdout is not None:
            raise BadParameter(f"{learner.name} does not support holdout, it learns without labels: {holdout!r}")
        found = read(files, settings, unlabelled_ok=points)
        self.settings: dict[str, Any] = found.settings
        self.table: Table = found.table
        if self.table.weights is not None and not learner.weighted:
            raise BadParameter(f"{learner.name} does not support weights: {found.settings['weights']!r}")
        self.remarks: list[str] = found.assumed + learner.remarks(self.table)
        self.remarks += [f"ignore: nothing is called {pattern!r}" for pattern in unmatched_by_columns(found.settings)]
        self.parts: dict[str, Labelled] = {}  # "training", and where there are such rows "validation" and "holdout"
        self.classes: tuple[Any, ...] = ()
        if points:
            return
        if found.labels is None:
            raise BadData("there are no rows to learn from", source=self.table.source)
        refuse_measurements(found.labels.values, str(self.table.source or ""))
        self.classes, codes = label_codes(found.labels, table=self.table)
        self._costs = costs_of_classes(self.cost, self.classes)
        self.parts["training"] = self.table, codes
        if holdout is not None:
            set_aside(self.parts, "holdout", holdout, self._read_labelled)
        if validation is None and learner.needs_validation:
            validation = _THIRD
            self.remarks.append("every third row is kept for validation")
        if validation is not None:
            set_aside(self.parts, "validation", validation, self._read_labelled)

    def _read_labelled(self, path: str) -> Labelled:
        """The rows of another file, read as those of the table."""
        found = self._read([path], self.settings | {"remembered": True}, unlabelled_ok=False)
        if found.labels is None:
            raise BadData("the rows have no labels", source=path)
        own = table_of(found.table, like=self.table.schema)
        return own, label_codes(found.labels, self.classes, own)[1]

    def learn(self, watch: Watch | None = None) -> None:
        """Learn; `watch(done, of, text)` hears how far it is, where that can be said."""
        more = dict(self.options)
        if watch is not None:
            more |= self.learner.fit_progress(watch, self.options)
        if not self.parts:
            self.learner.fit_table(self.table, **more)
            return
        self.learner.label = self.label
        self.fit(self.learner, *self.parts["training"], **more)

    def fit(self, learner: Any, table: Table, codes: npt.NDArray[np.int32], **more: Any) -> Any:
        """Another learner of these rows, validated as this one."""
        validation = self.parts.get("validation") if learner.validates else None
        if self.cost or table.weights is not None:
            more["weights"] = self._costs[codes] * (1.0 if table.weights is None else table.weights)
        learner.fit_codes(table, codes, self.classes, validation, **more)
        return learner

    def measure(self, name: str) -> Confusion | None:
        """How good the learner is on one of the parts, or None without such a part."""
        if name not in self.parts:
            return None
        table, codes = self.parts[name]
        return Confusion(self.classes, codes, self.learner.predict_table(table), self.learner.unknown_class)

    def model(self) -> Model:
        return Model(self.learner, RowSchema(self.settings))


def table_costs(learner: Any, cost: Any, option: str = "cost") -> dict[Any, float]:
    """Costs of labels, checked; BadParameter where the learner gives them no meaning."""
    checked = check_costs(cost)
    if checked and not (learner.weighted and learner.takes == "table"):
        raise BadParameter(f"{learner.name} does not support {option}: {', '.join(map(str, checked))}")
    return checked


def row_weights(learner: Any, y: Any, weights: Any, cost: Any) -> npt.NDArray[np.float64]:
    """How much each row of arrays counts."""
    if not learner.weighted:
        raise BadParameter(f"{learner.name} does not support weights")
    labels = list(plain_values(y))
    classes = tuple(dict.fromkeys(labels))
    costs = dict(zip(classes, costs_of_classes(table_costs(learner, cost), classes).tolist(), strict=True))
    numbers = check_weights(weights, len(labels))
    return np.array([costs[label] for label in labels]) * (numbers if len(numbers) else 1.0)


def costs_of_classes(cost: dict[Any, float], classes: tuple[Any, ...]) -> npt.NDArray[np.float64]:
    """The cost of each class; BadData for a label that is not a class."""
    codes = {meaning(label): code for code, label in enumerate(classes)}
    costs = np.ones(len(classes))
    for label, number in cost.items():
        if meaning(label) not in codes:
            raise BadData(
                f"cost is given for {label!r}, which is not a label; the labels are {', '.join(map(str, classes))}"
            )
        costs[codes[meaning(label)]] = number
    return costs


def learn_table(
    learner: Any, source: Any, files: list[Any] | None, label: str | None, reading: dict[str, Any], **how: Any
) -> Model:
    """Fit a learner of tables to files, a frame, or rows in memory; `how` as of `TableTraining`."""
    if learner.takes not in ("table", "points"):
        raise BadParameter(
            f"mb.learn takes learners of rows and of tables; {learner.name} is neither: call the methods of its class"
        )
    if files is None and not is_frame(source):
        source, files, own = texts_as_table(source)
        reading = reading | own
    if files is None and not is_frame(source):
        for name in ("validation", "holdout"):
            if how.get(name) is not None:
                raise BadParameter(f"{name} needs a file, and the source is not one: {how[name]!r}")
        for name, value in (("cost", how.get("cost")), ("weights", reading.get("weights"))):
            if value:
                raise BadParameter(f"{name} is only for files and data frames here: {value!r}")
        return Model(learner.fit(source, label, **how.get("options") or {}))
    if files is None:
        files, reading = [frame_in_memory(source)], reading | {"format": "arrow"}
    training = TableTraining(learner, files, reading, label=label, **how)
    training.learn()
    return training.model()


def check_drawn(learner: Any, pictures: Collection[str], path: str) -> None:
    """BadParameter for a learner that has no such picture."""
    if learner.name not in pictures:
        raise BadParameter(f"{learner.name} has no picture (only {', '.join(pictures)}): {path!r}")


def draw_training(path: str, training: TableTraining, *, title: str, watch: Watch | None = None) -> None:
    """How learning went: the curves of a tree or a network, the way of means among their points."""
    check_drawn(training.learner, TRAININGS, path)
    TRAININGS[training.learner.name](path, training, title, watch)


def _tree_curves(path: str, training: TableTraining, title: str, watch: Watch | None) -> None:
    """Accuracy against the number of rows, and against the number of nodes."""
    from mistakebound.arena.tree_curves import learning_curve, size_curve
    from mistakebound.learners.tree.decision_tree import DecisionTree
    from mistakebound.report.decision_tree import draw_tree_curves

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
            f"drawing a boundary needs two columns of numbers beside the label: "
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
        raise BadParameter(f"a picture needs 1 or 2 columns (--ignore drops others): {', '.join(names)}")
    draw_means(path, learner, learner.table_points(table))


PICTURES = ("decision-tree", "table-network", "gaussian-means")  # learners of which there is a picture
