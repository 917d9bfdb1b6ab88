"""Show in a minute what mistakebound does, on data that it makes itself.

1. A table of deliveries is learned without settings: error, probabilities,
   explanation.
2. Winnow1 and the perceptron learn a stream of a million attributes, ten of
   them relevant; a picture compares their mistakes with what theorems allow.
3. A hunt finds the three of 200 features that break a build.

  mistakebound demo
  mistakebound demo --n 100000 --active 100 --rows 50000 --out /tmp/demo

All files are written to DIR, pictures among them.
"""

from __future__ import annotations

import json
import os
from math import sqrt
from time import perf_counter

from mistakebound.cli import demo_parts
from mistakebound.cli.commands import note, parse, say
from mistakebound.cli.demo_report import as_json, as_text, next_steps, program_name
from mistakebound.cli.options import add, whole
from mistakebound.cli.outputs import FOLDER, check_files
from mistakebound.cli.terminal import Steps, progress_for
from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.ledger import Ledger, bound_of
from mistakebound.core.whole_file import WholeFile
from mistakebound.io import open_stream
from mistakebound.io.reader import threads_for
from mistakebound.io.synthetic import draw_relevant, write_stream
from mistakebound.learners.linear.perceptron import Perceptron
from mistakebound.learners.linear.winnow1 import Winnow1
from mistakebound.model.trainer import learn_stream
from mistakebound.report.plots import Curve, check_picture, draw_mistakes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator
    from typing import Any


OUTPUTS = {"out": FOLDER}


def more_outputs(options: Namespace) -> Iterator[tuple[str, str, str]]:
    """The files in the folder, where there is one already."""
    if not os.path.isdir(options.out):
        return
    stream = _stream(options)
    if os.path.isfile(stream) and os.path.getsize(stream) and not os.path.exists(_settings(stream)):
        raise BadParameter(f"refusing to overwrite {stream}: it is not a stream that `demo` made")
    yield from (("out", path, kind) for path, kind in demo_parts.files(options.out))
    yield "out", _settings(stream), "made stream"
    yield "out", stream, "stream"
    yield from (("out", _model(options, name), "model") for name in ("winnow1", "perceptron"))
    if os.path.isfile(_picture(options)):
        yield "out", _picture(options), "picture"


def _stream(options: Namespace) -> str:
    return os.path.join(options.out, "stream.svm")


def _settings(stream: str) -> str:
    """Beside a stream: what it was made of."""
    return f"{stream}.json"


def _model(options: Namespace, name: str) -> str:
    return os.path.join(options.out, f"{name}.mb")


def _picture(options: Namespace) -> str:
    return os.path.join(options.out, "mistakes.png")


def add_options(parser: ArgumentParser) -> None:
    for name, default, text in (
        ("--n", 1_000_000, "number of attributes"),
        ("--active", 1_000, "average number of attributes on in a row"),
        ("--relevant", 10, "attributes that decide the label"),
        ("--rows", 10_000, "rows in the stream; the table has twice as many"),
    ):
        parser.add_argument(name, type=whole, default=default, metavar="N", help=f"{text} (default: %(default)s)")
    parser.add_argument("--out", default="demo", metavar="DIR", help="output folder (default: %(default)s)")
    add(parser, "seed", "json")


class DemoRun:
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
            show = progress_for(reader, self.ledger, title=self.learner.name)
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
    drawn = _can_draw(_picture(options))
    table = demo_parts.write_events(folder, 2 * options.rows, options.seed)
    if not options.json:
        demo_parts.show_events(table, program_name(), _call, drawn=drawn)
    stream = _stream(options)
    relevant = make_stream(stream, options)
    k = options.relevant
    runs = [
        DemoRun(Winnow1(n=options.n), {"k": k}, _model(options, "winnow1")),
        # The sum of the relevant attributes, less 1/2, separates; over its length, that is the margin of a unit vector.
        DemoRun(Perceptron(), {"margin": 0.5 / sqrt(k + 0.25)}, _model(options, "perceptron")),
    ]
    for learner_run in runs:
        learner_run.learn(stream)
    picture = draw(_picture(options), options, runs) if drawn else None
    if options.json:
        print(json.dumps(as_json(stream, relevant, runs, picture) | _parts_as_json(folder, table)))
        return 0
    say(*as_text(options, stream, relevant, runs, picture))
    demo_parts.show_hunt(*demo_parts.write_build(folder), program_name(), _call)
    say("What to type next:", *("  " + line for line in next_steps(stream, runs)))
    return 0


def _call(words: list[str]) -> int:
    """A command in this process."""
    options = parse(words)
    check_files(options)
    code: int = options.run(options)
    return code


def _parts_as_json(folder: str, table: str) -> dict[str, Any]:
    """The table and the hunt, by the calls that the commands make."""
    from mistakebound.hunting.hunt import hunt
    from mistakebound.model.learning import learn
    from mistakebound.report.ledger_text import ledger_facts
    from mistakebound.teachers.command import CommandOracle

    model: Any = learn(table, model=os.path.join(folder, "events.mb"))
    script, flags = demo_parts.write_build(folder)
    with open(flags, encoding="utf-8") as file:
        names = file.read().split()
    found = hunt(CommandOracle([os.path.abspath(script), "{}"], names), names)
    return {
        "events": {"table": table} | ledger_facts(model.learner, model.ledger),
        "hunt": {"flags": len(names), "culprits": list(found.culprits), "kind": found.kind, "runs": found.runs},
    }


def _can_draw(path: str) -> bool:
    try:
        check_picture(path)
    except MistakeboundError as error:
        note(str(error))
        return False
    return True


def make_stream(path: str, options: Namespace) -> list[str]:
    """The names of the relevant attributes; the file is made unless it is there, whole and of the same settings."""
    wanted = {name: getattr(options, name) for name in ("n", "active", "relevant", "rows", "seed")}
    beside = _settings(path)
    if _as_made(path, beside, wanted):
        return [str(name) for name in draw_relevant(options.n, options.relevant, options.seed)]
    _write_settings(beside, wanted | {"bytes": None})  # from now on the stream is ours, whole or not there yet
    with Steps("writing " + os.path.basename(path)) as watch:
        told = None if watch is None else lambda done: watch(done, options.rows, "")
        relevant = write_stream(path, **wanted, progress=told)
    _write_settings(beside, wanted | {"bytes": os.path.getsize(path)})
    return [str(name) for name in relevant]


def _write_settings(path: str, made: dict[str, int | None]) -> None:
    with WholeFile(path, sync=False, kind="made stream") as file:
        file.write(json.dumps(made).encode())


def _as_made(path: str, beside: str, wanted: dict[str, int]) -> bool:
    try:
        with open(beside, encoding="utf-8") as file:
            made = json.load(file)
        return bool(made == wanted | {"bytes": os.path.getsize(path)})
    except (OSError, ValueError):
        return False


def draw(path: str, options: Namespace, runs: list[DemoRun]) -> str:
    title = f"{options.relevant} relevant attributes among {options.n:,}: mistakes while learning"
    # The perceptron's bound is about a hundred times Winnow1's: drawn in, it would flatten everything else.
    curves = [Curve(type(each.learner).__name__, each.ledger, show_bound=each is runs[0]) for each in runs]
    draw_mistakes(path, curves, title=title)
    return path
