"""Make a stream of a million attributes, ten of them relevant, and learn it.

Winnow1 and the perceptron learn the same rows; their mistakes are drawn side by
side, with the number that the theorem allows.

  mistakebound demo
  mistakebound demo --n 100000 --active 100 --rows 50000 --out /tmp/demo

Writes DIR/stream.svm, DIR/winnow1.mb, DIR/perceptron.mb and DIR/mistakes.png.
"""

from __future__ import annotations

import json
import os
from math import sqrt
from time import perf_counter

from mistakebound.arena.learn_stream import learn_stream
from mistakebound.arena.play import bound_of
from mistakebound.cli.commands import note
from mistakebound.cli.demo_report import as_json, as_text
from mistakebound.cli.numbers import whole
from mistakebound.cli.watching import threads_for
from mistakebound.core.errors import MistakeboundError
from mistakebound.core.ledger import Ledger
from mistakebound.learners.linear.perceptron import Perceptron
from mistakebound.learners.linear.winnow1 import Winnow1
from mistakebound.report.plots import Curve, check_picture, draw_mistakes
from mistakebound.streams import open_stream
from mistakebound.streams.synthetic import draw_relevant, write_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any


def add_options(parser: ArgumentParser) -> None:
    for name, default, text in (
        ("--n", 1_000_000, "attributes"),
        ("--active", 1_000, "attributes that are on in a row, about"),
        ("--relevant", 10, "attributes that the label depends on"),
        ("--rows", 10_000, "rows of the stream"),
        ("--seed", 1, "of the stream"),
    ):
        parser.add_argument(name, type=whole, default=default, metavar="N", help=f"{text} (default: %(default)s)")
    parser.add_argument("--out", default="demo", metavar="DIR", help="folder of what is written (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


class Run:
    """One learner's pass over the stream."""

    def __init__(self, learner: Any, facts: dict[str, Any], model: str) -> None:
        self.learner = learner
        self.facts = facts
        self.model = model
        self.ledger = Ledger(learner.labels)
        self.seconds = 0.0
        self.size = 0

    def learn(self, path: str) -> None:
        start = perf_counter()
        with open_stream(path) as reader:
            show = _progress(reader, self.ledger, self.learner.name)
            try:
                learn_stream(
                    self.learner, reader, self.ledger, threads=threads_for(reader, None), progress=show and show.update
                )
            finally:
                if show is not None:
                    show.close()
            position = {"source": reader.name, "line": reader.line, "offset": reader.offset}
            settings = reader.settings
        self.seconds = perf_counter() - start
        self.ledger.bound = bound_of(self.learner, self.ledger, self.facts)
        self.size = self.learner.save(
            self.model, ledger=self.ledger, reader=settings, position=position, assumptions=self.facts
        )


def run(options: Namespace) -> int:
    folder = options.out
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise MistakeboundError(f"cannot make the folder {folder}: {error.strerror or error}") from error
    stream = os.path.join(folder, "stream.svm")
    relevant = make_stream(stream, options)
    k = options.relevant
    runs = [
        Run(Winnow1(n=options.n), {"k": k}, os.path.join(folder, "winnow1.mb")),
        # The sum of the relevant attributes, less 1/2, separates; over its length, that is the margin of a unit vector.
        Run(Perceptron(), {"margin": 0.5 / sqrt(k + 0.25)}, os.path.join(folder, "perceptron.mb")),
    ]
    for learner_run in runs:
        learner_run.learn(stream)
    picture = draw(os.path.join(folder, "mistakes.png"), options, runs)
    if options.json:
        print(json.dumps(as_json(stream, relevant, runs, picture)))
    else:
        print("\n".join(as_text(options, stream, relevant, runs, picture)))
    return 0


def make_stream(path: str, options: Namespace) -> list[str]:
    """The names of the relevant attributes; the file is made unless it is there, whole and of the same settings."""
    wanted = {name: getattr(options, name) for name in ("n", "active", "relevant", "rows", "seed")}
    beside = path + ".json"
    if _as_made(path, beside, wanted):
        return [str(name) for name in draw_relevant(options.n, options.relevant, options.seed)]
    if os.path.exists(beside):
        os.unlink(beside)
    count = _count("writing " + os.path.basename(path), options.rows)
    try:
        relevant = write_stream(path, **wanted, progress=count and count.update)
    finally:
        if count is not None:
            count.close()
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(wanted | {"bytes": os.path.getsize(path)}, file)
    return [str(name) for name in relevant]


def _as_made(path: str, beside: str, wanted: dict[str, int]) -> bool:
    try:
        with open(beside, encoding="utf-8") as file:
            made = json.load(file)
        return bool(made == wanted | {"bytes": os.path.getsize(path)})
    except (OSError, ValueError):
        return False


def draw(path: str, options: Namespace, runs: list[Run]) -> str | None:
    try:
        check_picture(path)
    except MistakeboundError as error:
        note(str(error))
        return None
    title = f"{options.relevant} relevant attributes among {options.n:,}: mistakes while learning"
    # The perceptron's bound is about a hundred times Winnow1's: drawn in, it would flatten everything else.
    curves = [Curve(type(each.learner).__name__, each.ledger, show_bound=each is runs[0]) for each in runs]
    draw_mistakes(path, curves, title=title)
    return path


def _progress(reader: Any, ledger: Ledger, title: str) -> Any:
    from mistakebound.cli.progress import Progress, watched

    return Progress(reader, ledger, title) if watched() else None


def _count(title: str, total: int) -> Any:
    from mistakebound.cli.progress import Count, watched

    return Count(title, total) if watched() else None
