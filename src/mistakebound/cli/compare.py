"""Play several learners on one stream, read once, and print their table.

mistakebound compare events.svm
mistakebound compare events.svm --learners winnow2,perceptron --plot c.svg
mistakebound compare mail.txt --learners arow,bold=winnow2 --set bold.alpha=4
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.arena.compare import Comparison, default_learners
from mistakebound.cli import common
from mistakebound.cli.commands import note, say
from mistakebound.cli.expand_options import add_expand_options, expanded
from mistakebound.cli.long_options import check_seed, seed_of
from mistakebound.cli.reader_options import add_reader_options, settings_from
from mistakebound.cli.settings import (
    assumptions,
    check_threads,
    check_window,
    make_learner,
    pairs,
)
from mistakebound.cli.terminal import progress_for
from mistakebound.core.errors import BadParameter
from mistakebound.core.label_order import ROWS
from mistakebound.io.ahead import AheadReader
from mistakebound.io.pass_source import PassSource
from mistakebound.io.pipeline import threads_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_LISTED = 10  # bad rows that are written out; all are counted


INPUTS = ("files",)
OUTPUTS = {"plot": "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a stream or a table; - is standard input")
    common.add_label(parser)
    parser.add_argument(
        "--learners", metavar="A,B,...", help="names, or NAME=LEARNER (default: all without parameters)"
    )
    parser.add_argument(
        "--set", metavar="LEARNER.NAME=VALUE", action="append", default=[], dest="settings",
        help="a parameter of one of the learners",
    )  # fmt: skip
    common.add_plot(parser, "the curves of all learners")
    common.add_json(parser)
    common.add_quiet(parser)
    add_reader_options(parser)
    group = parser.add_argument_group("labels and bounds")
    common.add_labels(group)
    common.add_assume(group)
    common.add_window(group)
    add_expand_options(parser)
    group = parser.add_argument_group("long work", "A row that one learner alone cannot take is skipped by that one.")
    common.add_shuffle(group)
    common.add_on_error(group)


def run(options: Namespace) -> int:
    check_threads(options.threads)
    check_window(options.window)
    check_seed(options)
    comparison = Comparison(chosen(options), assumptions(options.assume), options.window)
    start = perf_counter()
    interrupted = False
    skipped = 0
    try:
        skipped = _play(comparison, options)
    except KeyboardInterrupt:
        interrupted = True
        note("interrupted: the table is of the rows so far")
    seconds = perf_counter() - start
    comparison.finish()
    if options.plot is not None:
        comparison.draw(options.plot, _title(comparison, options))
    if options.json:
        print(json.dumps(_as_json(comparison, options, seconds, skipped)))
    else:
        say(f"{_title(comparison, options)}, {seconds:.2f} s with reading", *str(comparison).split("\n"))
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
            raise BadParameter(f"--learners must be names with commas between them, or NAME=LEARNER: {word!r}")
        if name in kinds:
            raise BadParameter(
                f"--learners must be different names: {name!r} (one more of it under another: other={name})"
            )
        kinds[name] = kind or name
    settings: dict[str, list[str]] = {name: [] for name in kinds}
    for key, value in pairs("--set", options.settings):
        name, dot, parameter = key.partition(".")
        if not dot or not parameter:
            raise BadParameter(f"--set must be LEARNER.NAME=VALUE here: {key}={value!s}")
        if name not in settings:
            raise BadParameter(f"--set must be about one of {', '.join(kinds)}: {key}={value!s}")
        settings[name].append(f"{parameter}={value}")
    return _made(kinds, settings, options)


def _made(kinds: dict[str, str], settings: dict[str, list[str]], options: Namespace) -> dict[str, Any]:
    """The learners; of those that nobody asked for by name, who cannot take the attributes asked for is left out."""
    made, facts = {}, assumptions(options.assume)
    for name, kind in kinds.items():
        learner = make_learner(kind, settings[name], options.labels)
        try:
            made[name] = expanded(learner, options, facts)
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
    """The stream, read once; how many lines of it could not be read and were passed over."""
    pass_source = PassSource(
        options.files, settings_from(options, None), options.on_error, seed=seed_of(options),
        threads=lambda reader: threads_for(reader, options.threads),
        watch=lambda reader, doing: None if options.quiet else progress_for(reader, None, title=doing), say=note,
    )  # fmt: skip
    with AheadReader(pass_source.open_pass(1), ROWS) as reader:
        comparison.find_labels(reader.labels, where=reader.name)
        if comparison.labels_found is not None and not options.quiet:
            note(comparison.labels_found)
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
    for source, line, message in lines[:_LISTED]:
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
