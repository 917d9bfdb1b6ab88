"""One table, learned by a network: the rows apart, training, the model, the pictures."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.learners.network.chance import Chance
from mistakebound.report import network_pictures
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    import numpy.typing as npt

    from mistakebound.io.table_file import TableFile
    from mistakebound.learners.network.table_network import TableNetwork


class NetworkWork:
    """A table and what is made of it."""

    def __init__(self, learner: TableNetwork, read: TableFile, options: Namespace) -> None:
        self.learner = learner
        self.read = read
        self.options = options
        if read.labels is None:
            raise BadData("there are no rows to learn from", source=read.table.source)
        self.classes, self.codes = label_codes(read.labels, table=read.table)
        self.train_rows, self.test_rows = self._split()

    def _split(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        rows = self.read.table.rows
        if self.options.holdout is None:
            return np.arange(rows), np.arange(0)
        held = round(rows * self.options.holdout)
        if not 0 < held < rows:
            raise BadParameter(f"--holdout must leave rows on both sides, of {rows:,}: {self.options.holdout!r}")
        order = Chance(self.learner.settings["random_state"]).orders(1, rows)[0]
        return np.sort(order[held:]), np.sort(order[:held])

    def train(self, progress: tuple[Any, Any]) -> None:
        show, close = progress
        labels = [self.classes[code] for code in self.codes[self.train_rows].tolist()]
        table = self.read.table.take(self.train_rows)
        if self.options.validation is not None and not 0 < round(table.rows * self.options.validation) < table.rows:
            raise BadParameter(
                f"--validation must leave rows on both sides, of {table.rows:,}: {self.options.validation!r}"
            )
        how = {"epochs": self.options.epochs, "patience": self.options.patience, "progress": show}
        try:
            self.learner.fit_table(table, labels, validation=self.options.validation, **how)
        finally:
            close()
            self.learner.label = self.options.label

    def save(self) -> int:
        return self.learner.save(self.options.model, reader=self.read.settings)

    def confusion(self, rows: Any) -> Confusion:
        said = self.learner.predict_table(self.read.table.take(rows))
        # Classes that only rows held out have are counted too.
        places = [self.classes.index(label) for label in self.learner.classes]
        return Confusion(self.classes, self.codes[rows], np.array(places, np.int64)[said])

    def draw(self) -> None:
        options, network = self.options, self.learner.network
        shape = "-".join(map(str, network.shape))
        if options.plot:
            title = f"Training a {shape} network on {options.files[0]}"
            network_pictures.draw_training(options.plot, network.curve, title=title)
        if options.plot_weights:
            names = self.learner.input_names
            numeric = all(kind == "numeric" for _, kind, _ in self.learner.schema.columns)
            sides = network_pictures.square(len(names)) if numeric and len(names) >= 16 else None
            network_pictures.draw_hidden_weights(options.plot_weights, network.weights[0], names=names, shape=sides)
        if options.plot_boundary:
            self._draw_boundary(options.plot_boundary, f"A {shape} network on {options.files[0]}")

    def _draw_boundary(self, path: str, title: str) -> None:
        table = self.read.table
        X = np.column_stack([column.data for column in table.columns])
        known = np.isfinite(X).all(axis=1)
        y = [self.classes[code] for code in self.codes[known].tolist()]
        on_numbers = OnNumbers(self.learner, table.names)
        network_pictures.draw_boundary(path, on_numbers, X[known], y, names=table.names, title=title)


class OnNumbers:
    """A table's network for rows of numbers."""

    def __init__(self, learner: TableNetwork, names: tuple[str, ...]) -> None:
        self._learner = learner
        self._names = names

    def predict_many(self, X: Any) -> list[Any]:
        return self._learner.predict_many({name: X[:, k] for k, name in enumerate(self._names)})
