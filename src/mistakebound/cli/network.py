"""Learn a table with a network of sigmoid units, by backpropagation.

mistakebound network iris.csv --label species --hidden 8 --model iris.mb
mistakebound network digits.csv --label digit --hidden 30 --holdout 0.5 --plot-weights units.png
mistakebound network FILE --label COLUMN --hidden 30-20 --validation 0.2 --epochs 500 --plot training.png

Columns of numbers are standardised, names become one input a value.  `predict`, `eval` and `explain` take the model.
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.table_reading import add_table_options, read_with_progress
from mistakebound.core.errors import BadParameter, Diverged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.learners.network.table_network import TableNetwork

# Options that are parameters of the learner, by its names for them.
_PARAMETERS = {
    "hidden": ("hidden", "UNITS", "units of the hidden layers: 30, or 30-20 for two (default: 30)"),
    "eta": ("eta", "RATE", "learning rate (default: 0.3)"),
    "momentum": ("momentum", "SHARE", "of the last step that is taken again (default: 0.3)"),
    "decay": ("decay", "GAMMA", "penalty of large weights, gamma * sum of w^2 (default: 0)"),
    "loss": ("loss", "LOSS", "squared, or likelihood (default: squared)"),
    "restarts": ("restarts", "N", "random starts, of which the best is kept (default: 1)"),
    "start": ("start", "SIZE", "weights start between -SIZE and SIZE (default: 0.05)"),
    "random_state": ("seed", "N", "seed of all that is random (default: 0)"),
}


def add_options(parser: ArgumentParser) -> None:
    add_table_options(parser)
    for option, metavar, text in _PARAMETERS.values():
        parser.add_argument(f"--{option}", metavar=metavar, help=text)
    parser.add_argument("--epochs", type=int, default=100, metavar="N", help="passes over the rows (default: 100)")
    parser.add_argument("--validation", type=float, metavar="SHARE", help="of the rows to put aside and stop by")
    parser.add_argument(
        "--patience", type=int, default=10, metavar="N", help="epochs without a better validation loss (default: 10)"
    )
    parser.add_argument("--holdout", type=float, metavar="SHARE", help="of the rows to put aside and measure on")
    parser.add_argument("--model", metavar="OUT", help="write the model there")
    parser.add_argument("--plot", metavar="OUT", help="draw the training curve, a .png or .svg")
    parser.add_argument("--plot-weights", metavar="OUT", help="draw what the hidden units look for")
    parser.add_argument("--plot-boundary", metavar="OUT", help="draw the classes in the plane (two columns of numbers)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Namespace) -> int:
    learner = _learner(options)
    _check(options)
    read = read_with_progress(options.files, settings_from(options, None), options)
    if options.plot_boundary:
        _two_numbers(read.table)
    start = perf_counter()
    work = _Work(learner, read, options)
    try:
        work.train(_progress(options))
    except Diverged as error:
        if options.model:
            work.save()
            raise Diverged(f"{error}; {options.model} has them") from None
        raise
    seconds = perf_counter() - start
    size = work.save() if options.model else None
    work.draw()
    print(json.dumps(work.as_json(seconds)) if options.json else "\n".join(work.as_text(seconds, size)))
    return 0


def _learner(options: Namespace) -> TableNetwork:
    from mistakebound.learners.network.table_network import TableNetwork

    declared = {parameter.name: parameter for parameter in TableNetwork.parameters}
    given = {}
    for name, (option, _, _) in _PARAMETERS.items():
        text = getattr(options, option)
        if text is not None:
            try:
                given[name] = declared[name].parse(text)
            except BadParameter as error:
                raise BadParameter(f"--{option} {str(error).removeprefix(name).strip()}") from None
    return TableNetwork(**given)


def _check(options: Namespace) -> None:
    """What would be wrong after the work is said before it."""
    from mistakebound.cli.settings import at_least
    from mistakebound.core.whole_file import check_place
    from mistakebound.report.plots import check_picture

    at_least("--epochs", options.epochs, 1)
    at_least("--patience", options.patience, 1)
    for name in ("validation", "holdout"):
        share = getattr(options, name)
        if share is not None and not 0 < share < 1:
            raise BadParameter(f"--{name} must be a share between 0 and 1: {share!r}")
    for name in ("plot", "plot_weights", "plot_boundary"):
        if getattr(options, name):
            check_picture(getattr(options, name))
    if options.model:
        check_place(options.model)


def _two_numbers(table: Any) -> None:
    kinds = [column.kind for column in table.columns]
    if kinds != ["numeric", "numeric"]:
        raise BadParameter(
            f"--plot-boundary must be left out unless the table has two columns of numbers beside the label: "
            f"it has {len(kinds)}, {', '.join(kinds) or 'none'}"
        )


def _progress(options: Namespace) -> tuple[Callable[[Any], None] | None, Callable[[], None]]:
    """Who hears of every epoch, and how to end that; nobody where nobody looks."""
    import sys

    if sys.stderr is None or not sys.stderr.isatty():
        return None, lambda: None
    from mistakebound.cli.progress import Count

    count = Count("training", options.epochs)

    def show(epoch: Any) -> None:
        held = "" if epoch.validation is None else f", validation {epoch.validation:.4g}"
        count.update(epoch.number, f" epochs, loss {epoch.loss:.4g}{held}")

    return show, count.close


class _Work:
    """One table, learned."""

    def __init__(self, learner: TableNetwork, read: Any, options: Namespace) -> None:
        from mistakebound.core.errors import BadData
        from mistakebound.core.table import label_codes

        self.learner = learner
        self.read = read
        self.options = options
        if read.labels is None:
            raise BadData("there are no rows to learn from", source=read.table.source)
        self.classes, self.codes = label_codes(read.labels, table=read.table)
        self.train_rows, self.test_rows = self._split()

    def _split(self) -> tuple[Any, Any]:
        import numpy as np

        from mistakebound.learners.network._chance import Chance

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
        how = {"epochs": self.options.epochs, "patience": self.options.patience, "progress": show}
        try:
            self.learner.fit_table(
                self.read.table.take(self.train_rows), labels, validation=self.options.validation, **how
            )
        finally:
            close()
            self.learner.label = self.read.settings.get("label", self.options.label)

    def save(self) -> int:
        return self.learner.save(self.options.model, reader=self.read.settings)

    def draw(self) -> None:
        from mistakebound.report import network_pictures as draw

        options, network = self.options, self.learner.network
        shape = "-".join(map(str, network.shape))
        if options.plot:
            draw.draw_training(options.plot, network.curve, title=f"Training a {shape} network on {options.files[0]}")
        if options.plot_weights:
            names = self.learner.input_names
            numeric = all(kind == "numeric" for _, kind, _ in self.learner.schema.columns)
            sides = draw.square(len(names)) if numeric and len(names) >= 16 else None
            draw.draw_hidden_weights(options.plot_weights, network.weights[0], names=names, shape=sides)
        if options.plot_boundary:
            self._draw_boundary(options.plot_boundary, f"A {shape} network on {options.files[0]}")

    def _draw_boundary(self, path: str, title: str) -> None:
        import numpy as np

        from mistakebound.report.network_pictures import draw_boundary

        table = self.read.table
        X = np.column_stack([column.data for column in table.columns])
        known = np.isfinite(X).all(axis=1)
        y = [self.classes[code] for code in self.codes[known].tolist()]
        draw_boundary(path, _OnNumbers(self.learner, table.names), X[known], y, names=table.names, title=title)

    def confusion(self, rows: Any) -> Any:
        from mistakebound.report.confusion import Confusion

        said = self.learner.predict_table(self.read.table.take(rows))
        # Classes that only held-out rows have are counted too.
        places = {label: place for place, label in enumerate(self.classes)}
        codes = [places[self.learner.classes[code]] for code in said.tolist()]
        import numpy as np

        return Confusion(self.classes, self.codes[rows], np.array(codes, np.int64))

    def as_json(self, seconds: float) -> dict[str, Any]:
        network, curve = self.learner.network, self.learner.network.curve
        return {
            "learner": self.learner.name,
            "parameters": self.learner.settings,
            "files": self.options.files,
            "classes": list(self.learner.classes),
            "layers": list(network.shape),
            "weights": sum(layer.size for layer in network.weights),
            "epochs": len(curve),
            "stopped": network.stopped,
            "starts": network.starts,
            "curve": [
                {"epoch": e.number, "loss": e.loss, "validation_loss": e.validation, "validation_error": e.error}
                for e in curve
            ],
            "training": self.confusion(self.train_rows).as_json(),
            "holdout": self.confusion(self.test_rows).as_json() if len(self.test_rows) else None,
            "seconds": seconds,
            "model": self.options.model,
        }

    def as_text(self, seconds: float, size: int | None) -> list[str]:
        from mistakebound.report.table import fields

        network, curve = self.learner.network, self.learner.network.curve
        rows, held = len(self.train_rows), len(self.test_rows)
        trained = self.confusion(self.train_rows)
        ways = {"epochs": "", "validation": ", stopped by the validation set"}
        said = [
            ("rows", f"{rows:,} to learn" + (f", {held:,} held out" if held else "")),
            (
                "network",
                f"{'-'.join(map(str, network.shape))}, {sum(layer.size for layer in network.weights):,} weights",
            ),
            ("epochs", f"{len(curve):,} of {self.options.epochs:,}{ways.get(network.stopped, '')}"),
            ("loss", f"{curve[0].loss:.4g} an example in the first epoch, {curve[-1].loss:.4g} in the last"),
        ]
        if len(network.starts) > 1:
            said.append(("starts", ", ".join(f"{loss:.4g}" for loss in network.starts) + " (the least is kept)"))
        judged = [epoch for epoch in curve if epoch.validation is not None]
        if judged:
            best = min(judged, key=lambda epoch: epoch.validation or 0.0)
            said.append(("validation", f"{best.validation:.4g} an example after epoch {best.number:,}, which is kept"))
        said.append(
            ("mistakes", f"{trained.mistakes:,} of {trained.trials:,} rows it learned from ({_share(trained)})")
        )
        steps = len(curve) * rows
        said.append(("time", f"{seconds:.2f} s, {steps / max(seconds, 1e-9):,.0f} examples a second"))
        if size is not None:
            said.append(("model", f"{self.options.model} ({size:,} bytes)"))
        lines = [f"{self.learner!r} on {', '.join(self.options.files)}", *fields(said)]
        if held:
            lines += ["", *self.confusion(self.test_rows).lines("on the rows held out", seconds)]
        return lines


class _OnNumbers:
    """A table's network for rows of two numbers."""

    def __init__(self, learner: TableNetwork, names: tuple[str, ...]) -> None:
        self._learner = learner
        self._names = names

    def predict(self, X: Any) -> list[Any]:
        return self._learner.predict({name: X[:, k] for k, name in enumerate(self._names)})


def _share(found: Any) -> str:
    return f"{100 * found.error_rate:.2f} %"
