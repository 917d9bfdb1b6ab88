"""Learn a table with a network of sigmoid units, by backpropagation.

mistakebound network iris.csv --label species --hidden 8 --model iris.mb
mistakebound network digits.csv --label digit --hidden 30 --holdout 0.5 --plot-weights units.png
mistakebound network FILE --label COLUMN --hidden 30-20 --validation 0.2 --epochs 500 --plot training.png

Columns of numbers are standardised, names become one input a value.  `predict`, `eval` and `explain` take the model.
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.commands import say
from mistakebound.cli.numbers import whole
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.table_reading import add_table_options, read_with_progress
from mistakebound.core.errors import BadParameter, Diverged
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.learners.network.table_network import TableNetwork

# Options that are parameters of the learner, by its names for them.
_PARAMETERS = {
    "hidden": ("hidden", "UNITS", "units of the hidden layers: 30, 30-20 for two, none (default: 30)"),
    "eta": ("eta", "RATE", "learning rate (default: 0.3)"),
    "momentum": ("momentum", "SHARE", "of the last step that is taken again (default: 0.3)"),
    "decay": ("decay", "GAMMA", "penalty of large weights, gamma * sum of w^2 (default: 0)"),
    "loss": ("loss", "LOSS", "squared, or likelihood (default: squared)"),
    "restarts": ("restarts", "N", "random starts, of which the best is kept (default: 1)"),
    "start": ("start", "SIZE", "weights start between -SIZE and SIZE (default: 0.05)"),
    "random_state": ("seed", "N", "seed of all that is random (default: 0)"),
}


INPUTS = ("files",)
OUTPUTS = {"model": "model", "plot": "picture", "plot_weights": "picture", "plot_boundary": "picture"}


def add_options(parser: ArgumentParser) -> None:
    add_table_options(parser)
    for option, metavar, text in _PARAMETERS.values():
        parser.add_argument(f"--{option}", metavar=metavar, help=text)
    parser.add_argument("--epochs", type=whole, default=100, metavar="N", help="passes over the rows (default: 100)")
    parser.add_argument("--validation", type=number, metavar="SHARE", help="of the rows to put aside and stop by")
    parser.add_argument(
        "--patience", type=whole, default=10, metavar="N", help="epochs without a better validation loss (default: 10)"
    )
    parser.add_argument("--holdout", type=number, metavar="SHARE", help="of the rows to put aside and measure on")
    parser.add_argument("--model", metavar="OUT", help="write the model there")
    parser.add_argument("--plot", metavar="OUT", help="draw the training curve, a .png or .svg")
    parser.add_argument("--plot-weights", metavar="OUT", help="draw what the hidden units look for")
    parser.add_argument("--plot-boundary", metavar="OUT", help="draw the classes in the plane (two columns of numbers)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Namespace) -> int:
    from mistakebound.cli.network_report import as_json, as_text
    from mistakebound.cli.network_work import NetworkWork

    learner = _learner(options)
    _check(options)
    read = read_with_progress(options.files, settings_from(options, None), options)
    if options.plot_boundary:
        _two_numbers(read.table)
    start = perf_counter()
    work = NetworkWork(learner, read, options)
    try:
        work.train(_progress(options, learner.settings["restarts"]))
    except Diverged as error:
        if options.model:
            work.save()
            raise Diverged(f"{error}; {options.model} has them") from None
        raise
    seconds = perf_counter() - start
    size = work.save() if options.model else None
    work.draw()
    if options.json:
        print(json.dumps(as_json(work, seconds)))
    else:
        say(*as_text(work, seconds, size))
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

    at_least("--epochs", options.epochs, 1)
    at_least("--patience", options.patience, 1)
    for name in ("validation", "holdout"):
        share = getattr(options, name)
        if share is not None and not 0 < share < 1:
            raise BadParameter(f"--{name} must be a share between 0 and 1: {share!r}")


def _two_numbers(table: Any) -> None:
    kinds = [column.kind for column in table.columns]
    if kinds != ["numeric", "numeric"]:
        raise BadParameter(
            f"--plot-boundary must be left out unless the table has two columns of numbers beside the label: "
            f"it has {len(kinds)}, {', '.join(kinds) or 'none'}"
        )


def _progress(options: Namespace, restarts: int) -> tuple[Callable[[Any], None] | None, Callable[[], None]]:
    """Who hears of every epoch, and how to end that; nobody where nobody looks."""
    import sys

    if sys.stderr is None or not sys.stderr.isatty():
        return None, lambda: None
    from mistakebound.cli.progress import Count

    count, heard = Count("training", options.epochs * restarts), iter(range(1, options.epochs * restarts + 1))

    def show(epoch: Any) -> None:
        held = "" if epoch.validation is None else f", validation {epoch.validation:.4g}"
        count.update(next(heard), f" epochs, loss {epoch.loss:.4g}{held}")

    return show, count.close
