"""Learn a stream one example at a time: predict, hear the label, update.

mistakebound learn events.svm --model events.mb
mistakebound learn events.svm --learner winnow1 --set n=1000 --assume k=10
mistakebound learn play.csv --label play --learner decision-tree
zcat more.svm.gz | mistakebound learn - --from events.mb --model events.mb
"""

from __future__ import annotations

from time import perf_counter

from mistakebound import learners
from mistakebound.cli import common
from mistakebound.cli.commands import note
from mistakebound.cli.expand_options import add_expand_options
from mistakebound.cli.learn_plan import plan_of
from mistakebound.cli.long_options import add_long_options, check_long_options
from mistakebound.cli.reader_options import add_reader_options
from mistakebound.cli.settings import (
    FOR_STREAMS,
    add_learner,
    check_threads,
    check_window,
)
from mistakebound.core.errors import AssumptionRefuted, BadData, BadParameter, FileChanged
from mistakebound.core.interrupt import Interrupt
from mistakebound.io import cached
from mistakebound.model.new_learner import named_for_files
from mistakebound.model.training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator


INPUTS = ("files", "start", "holdout", "validation")
# With --resume the model is read first, which says what is wrong with it.
OUTPUTS = {"model": lambda options: None if options.resume else "model", "plot": "picture", "cache": "cache"}
OF_ONE_FILE = (("model", "start"),)


def more_outputs(options: Namespace) -> Iterator[tuple[str, str, str]]:
    """The cache that is kept beside the first file."""
    if options.cache is True and options.files[0] != "-" and not cached(options.files[0]):
        from mistakebound.io.cache_maker import default_name

        yield "cache", default_name(options.files), "cache"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a stream or a table; - is standard input")
    common.add_label(parser)
    add_learner(parser, FOR_STREAMS)
    common.add_model(parser)
    parser.add_argument("--from", metavar="MODEL", dest="start", help="go on from this model")
    common.add_holdout(parser)
    common.add_validation(parser)
    common.add_plot(parser, "how learning went")
    common.add_json(parser)
    common.add_quiet(parser)
    add_reader_options(parser)
    group = parser.add_argument_group("labels and bounds")
    common.add_labels(group)
    group.add_argument(
        "--cost", metavar="LABEL=NUMBER", action="append", default=[], dest="costs",
        help="what a mistake on this label counts",
    )  # fmt: skip
    common.add_assume(group)
    group.add_argument("--strict", action="store_true", help="exit 5 when an assumption is refuted")
    common.add_window(group)
    add_expand_options(parser)
    add_long_options(parser)


def run(options: Namespace) -> int:
    check_threads(options.threads)
    check_window(options.window)
    check_long_options(options)
    if options.learner is not None and options.start is None:
        kind = learners.find(named_for_files(options.learner))
        if kind.takes in ("table", "points"):
            from mistakebound.cli.learn_table import learn_table

            return learn_table(options, kind)
    if options.validation is not None:
        raise BadParameter(f"--validation must be left out, it is for learners of whole tables: {options.validation!r}")
    work = Training(plan_of(options))
    if work.passes.over:
        note(f"{options.model} is finished: there is nothing to resume")
    start = perf_counter()
    interrupted = False
    changed: FileChanged | None = None
    try:
        work.learn()
    except KeyboardInterrupt:
        interrupted = True
    except FileChanged as error:
        changed = error
    except BadData:
        if options.model is not None:
            kept = "holds the last checkpoint" if work.checkpoints else "was not written"
            note(f"{options.model} {kept}; --on-error skip passes bad lines over")
        raise
    seconds = perf_counter() - start
    work.judge()
    # A model that is there must not be lost for nothing.
    idle = (interrupted or changed is not None) and work.ledger.trials == work.first_trial
    size = None
    if not idle:
        with Interrupt(later=True, patient=True) as interrupt:
            size = work.save()
        interrupted = interrupted or interrupt.pending
    if interrupted:
        kept = f"; {options.model} {'was not written' if idle else 'holds what was learned so far'}"
        kept = kept if options.model else ""
        note(f"interrupted after {work.ledger.trials} trials{kept}")
    elif changed is not None and options.model is not None:
        note(f"{options.model} {'was not written' if idle else 'holds what was learned so far'}")
    if options.plot is not None:
        from mistakebound.report.learning_curve import draw_learning

        title = f"{work.learner!r} on {', '.join(options.files)}"
        draw_learning(options.plot, work.ledger, title=title, since=work.first_trial)
    if not options.quiet or options.json:
        from mistakebound.cli.learn_report import print_report

        print_report(options, work, seconds, size)
    if interrupted:
        return 130
    if changed is not None:
        raise changed
    if options.strict and work.ledger.verdict.kind in ("refuted", "inconsistent"):
        raise AssumptionRefuted(work.ledger.verdict)
    return 0
