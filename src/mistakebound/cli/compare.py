"""Run several learners on one stream, read once, and print a table.

mistakebound compare events.svm
mistakebound compare events.svm --learners winnow2,perceptron --plot c.svg
mistakebound compare mail.txt --learners arow,bold=winnow2 --set bold.alpha=4
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.arena.compare import Comparison, default_learners
from mistakebound.cli.commands import note, say
from mistakebound.cli.options import add, add_group
from mistakebound.cli.outputs import option_of
from mistakebound.cli.settings import (
    assumptions,
    check_numbers,
    cost_of_labels,
    make_learner,
    pairs,
    settings_from,
)
from mistakebound.cli.terminal import progress_for
from mistakebound.core.block_labels import ROWS
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.weights import set_costs
from mistakebound.io.pass_source import LISTED, PassSource
from mistakebound.io.reader import threads_for
from mistakebound.model.plan import transformed
from mistakebound.report.table import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

INPUTS = ("files",)
OUTPUTS = {"plot": "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="stream or table; - is standard input")
    add(parser, "label")
    parser.add_argument("--learners", metavar="A,B,...", help="names, or NAME=LEARNER (default: all that fit)")
    parser.add_argument(
        "--set", metavar="LEARNER.NAME=VALUE", action="append", default=[], dest="settings",
        help="parameter of one of the learners (repeatable)",
    )  # fmt: skip
    add(parser, "plot", help="draw all learning curves: .png or .svg")
    add(parser, "json", "quiet")
    add_group(parser, "reading")
    group = parser.add_argument_group("labels and bounds")
    add(group, "labels", "cost", "assume", "window")
    add_group(parser, "transforms")
    group = parser.add_argument_group(
        "order and errors", "A learner that cannot take a row skips it; the other learners do not."
    )
    add(group, "shuffle", "seed", "on-error")


def run(options: Namespace) -> int:
    check_numbers(options)
    comparison = Comparison(chosen(options), assumptions(options.assume), options.window)
    start = perf_counter()
    interrupted = False
    skipped = 0
    try:
        skipped = _play(comparison, options)
    except KeyboardInterrupt:
        interrupted = True
        note("interrupted: the table covers the rows so far")
    seconds = perf_counter() - start
    if not (interrupted or skipped or any(e.refused or e.ledger.trials for e in comparison.entries)):
        raise BadData("there are no rows to learn from", source=options.files[0])
    comparison.finish()
    if options.plot is not None:
        comparison.draw(options.plot, _title(comparison, options))
    if options.json:
        print(json.dumps(_as_json(comparison, options, seconds, skipped)))
    else:
        say(*fitted([f"{_title(comparison, options)}, {seconds:.2f} s with reading", *str(comparison).split("\n")]))
        if skipped:
            say(f"  {skipped:,} bad rows skipped")
    return 130 if interrupted else 0


def _title(comparison: Comparison, options: Namespace) -> str:
    count = len(comparison.entries)
    return f"{count} learner{'s' * (count > 1)} on {', '.join(options.files)}"


def chosen(options: Namespace) -> dict[str, Any]:
    """Name -> new learner, as --learners and --set say."""
    kinds: dict[str, str] = {}
    for word in default_learners() if options.learners is None else options.learners.split(","):
        name, equals, kind = word.strip().partition("=")
        if not name or (equals and not kind):
            raise BadParameter(f"--learners must be names or NAME=LEARNER, separated by commas: {word!r}")
        if name in kinds:
            raise BadParameter(
                f"--learners must have different names: {name!r} appears twice; rename one: other={name}"
            )
        kinds[name] = kind or name
    settings: dict[str, list[str]] = {name: [] for name in kinds}
    for key, value in pairs("--set", options.settings):
        name, dot, parameter = key.partition(".")
        if not dot or not parameter:
            raise BadParameter(f"--set must be LEARNER.NAME=VALUE here: {key}={value!s}")
        if name not in settings:
            raise BadParameter(f"--set must name one of {', '.join(kinds)}: {key}={value!s}")
        settings[name].append(f"{parameter}={value}")
    return _made(kinds, settings, options)


def _made(kinds: dict[str, str], settings: dict[str, list[str]], options: Namespace) -> dict[str, Any]:
    """The learners; of those that nobody asked for by name, who cannot take what is asked for is left out."""
    made, facts, costs = {}, assumptions(options.assume), cost_of_labels(options.costs)
    for name, kind in kinds.items():
        plain = make_learner(kind, settings[name], options.labels)
        try:
            learner = set_costs(plain, costs, "--cost")
            made[name] = transformed(learner, facts, vars(options), option_of)
        except BadParameter as error:
            if options.learners is not None:
                raise
            reason = error
    if not made:
        raise reason
    if len(made) < len(kinds):
        note(f"left out: {', '.join(name for name in kinds if name not in made)} (the last one: {reason})")
    return made


def _play(comparison: Comparison, options: Namespace) -> int:
    """The stream, read once; how many lines of it could not be read and were skipped."""
    pass_source = PassSource(
        options.files, settings_from(options, None), options.on_error, seed=options.seed if options.shuffle else None,
        threads=options.threads,
        watch=lambda reader, doing: None if options.quiet else progress_for(reader, None, title=doing), say=note,
    )  # fmt: skip
    found, looked = pass_source.first_labels(ROWS)
    for line in () if options.quiet else looked.assumed:
        note(line)
    comparison.find_labels(found, where=looked.name)
    if comparison.labels_found is not None and not options.quiet:
        note(comparison.labels_found)
    with pass_source.open_pass(1) as reader:
        show = None if options.quiet else progress_for(reader, None)
        try:
            comparison.play_stream(
                reader,
                threads=threads_for(reader, options.threads),
                skip=options.on_error == "skip",
                after_block=None if show is None else show.update,
            )
        finally:
            if show is not None:
                show.close()
        count, lines = reader.skipped_before(None)
    if comparison.third_label is not None and not options.quiet:
        note(comparison.third_label)
    for source, line, message in lines[:LISTED]:
        if not options.quiet:
            note(f"skipped: {source}:{line}: {message}")
    return int(count)


def _as_json(comparison: Comparison, options: Namespace, seconds: float, skipped: int) -> dict[str, Any]:
    found = comparison.third_label or comparison.labels_found
    return {
        "files": options.files,
        "window": options.window,
        "seconds": seconds,
        "skipped": skipped,
        "labels_found": None if found is None else found.removeprefix("labels: "),
        "learners": comparison.as_json(),
    }
