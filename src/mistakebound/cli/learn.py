"""Learn a stream one row at a time (predict, get the label, update), or a table.

mistakebound learn events.svm --model events.mb
mistakebound learn events.svm --learner winnow1 --set n=1000 --assume k=10
mistakebound learn play.csv --label play --learner decision-tree
zcat more.svm.gz | mistakebound learn - --from events.mb --model events.mb
"""

from __future__ import annotations

from time import perf_counter

from mistakebound import learners
from mistakebound.cli.commands import note
from mistakebound.cli.options import add, add_group
from mistakebound.cli.outputs import option_of
from mistakebound.cli.settings import (
    FOR_STREAMS,
    assumptions,
    check_numbers,
    given_settings,
    make_learner,
    pairs,
)
from mistakebound.core.atomic import Interrupt, Termination
from mistakebound.core.errors import AssumptionRefuted, BadData, BadParameter, FileChanged
from mistakebound.io import cached
from mistakebound.model.plan import (
    TRANSFORMS,
    Plan,
    asked_for,
    check_chosen,
    check_fast,
    every_kth,
    for_many_labels,
    interval,
    run_record,
    say_nothing,
    transformed,
    usual_learner,
)
from mistakebound.model.training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator
    from typing import Any


INPUTS = ("files", "start", "holdout", "validation")
# With --resume the model is read first, which says what is wrong with it.
OUTPUTS = {
    "model": lambda options: None if options.resume else "model", "plot": "picture", "cache": "cache",
    "predictions": "predictions",
}  # fmt: skip
OF_ONE_FILE = (("model", "start"),)
# Options that do not change what is learned, by their names; whatever else there is must be as in the run that goes on.
FREE = frozenset((
    "model", "plot", "threads", "strict", "window", "json", "quiet", "checkpoint", "resume", "validation",
    "predictions", "iid",
))  # fmt: skip


def more_outputs(options: Namespace) -> Iterator[tuple[str, str, str]]:
    """The cache that is kept beside the first file."""
    if options.cache is True and options.files[0] != "-" and not cached(options.files[0]):
        from mistakebound.io.cache_maker import default_name

        yield "cache", default_name(options.files), "cache"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="stream or table; - is standard input")
    add(parser, "label")
    add(parser, "learner", help=f"one of `mistakebound learners` (default: {FOR_STREAMS})")
    add(parser, "fast", "set", "model")
    parser.add_argument("--from", metavar="MODEL", dest="start", help="model to continue from")
    add(parser, "holdout", "validation")
    add(parser, "plot", help="draw the learning curve: .png or .svg")
    add(parser, "json", "quiet")
    add_group(parser, "reading")
    group = parser.add_argument_group("labels and bounds")
    add(group, "labels", "cost", "threshold", "maximize", "assume", "iid", "strict", "window")
    add_group(parser, "transforms")
    add_group(parser, "passes and checkpoints")


def run(options: Namespace) -> int:
    _check(options)
    if options.cluster is None:
        return _run(options, None)
    from mistakebound.cluster.engine import Engine, connected, places

    if options.plot is not None:
        raise BadParameter(f"--plot is not supported with --cluster: {options.plot!r}")
    options.files = places(options.files)
    with connected(options.cluster) as client:
        return _run(options, Engine(client))


def _run(options: Namespace, engine: Any) -> int:
    if options.learner is not None and options.start is None:
        kind = learners.find(options.learner)
        kind = learners.find(kind.for_files) if kind.for_files else kind
        if kind.takes in ("table", "points"):
            from mistakebound.cli.learn_table import learn_table

            return learn_table(options, kind, engine)
    if options.validation is not None:
        raise BadParameter(f"--validation is only for learners of whole tables: {options.validation!r}")
    work = _training(plan_of(options), options, engine)
    if work.passes.over:
        note(f"{options.model} is finished: there is nothing to resume")
    start = perf_counter()
    interrupted = False
    changed: FileChanged | None = None
    asked = Termination()
    try:
        with asked:
            work.learn()
    except KeyboardInterrupt:
        interrupted = True
    except FileChanged as error:
        changed = error
    except BadData as error:
        hint = "--on-error skip leaves out bad rows" if error.text is not None else ""  # a row, and no header
        kept = "holds the last checkpoint" if work.checkpoints else "was not written"
        if said := "; ".join([f"{options.model} {kept}"] * (options.model is not None) + [hint] * bool(hint)):
            note(said)
        raise
    if not interrupted and changed is None:
        work.check_rows()
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
        return 128 + asked.number
    if changed is not None:
        raise changed
    if options.strict and work.ledger.verdict.kind in ("refuted", "inconsistent"):
        raise AssumptionRefuted(work.ledger.verdict)
    return 0


def _training(plan: Plan, options: Namespace, engine: Any) -> Training:
    if engine is None:
        return Training(plan)
    from mistakebound.cluster.training import MixedTraining

    return MixedTraining(plan, engine, options.shards)


def _check(options: Namespace) -> None:
    """BadParameter for options that cannot be, by themselves or together."""
    check_numbers(options)
    for name in ("checkpoint", "resume"):
        if getattr(options, name) and options.model is None:
            raise BadParameter(f"--{name} needs --model")
    for name in ("iid", "window"):
        if options.cluster is not None and getattr(options, name):
            raise BadParameter(f"--{name} is not supported on a cluster")
    if options.shards is not None and (options.cluster is None or not 1 <= options.shards <= 1 << 16):
        rule = "must be from 1 to 65,536" if options.cluster is not None else "needs --cluster"
        raise BadParameter(f"--shards {rule}: {options.shards}")


def plan_of(options: Namespace) -> Plan:
    facts = assumptions(options.assume)
    listed = None if options.labels is None else options.labels.split(",")
    asked = vars(options) | {"parameters": options.settings, "assume": facts, "labels": listed}
    asked["client"] = options.cluster
    check_fast(asked, option_of)
    name = options.learner or usual_learner(asked)

    def new_learner(name: str = name) -> Any:
        plain = make_learner(name, options.settings, options.labels, options.costs)
        return transformed(plain, facts, vars(options), option_of)

    check_chosen(options.threshold, options.maximize, options.holdout, option_of)
    if options.start is not None:
        _check_start(options)
    watch: Any = None
    if not options.quiet:
        from mistakebound.cli.terminal import progress_for as watch
    return Plan(
        options.files,
        new_learner,
        given_settings(options),
        lighter=for_many_labels(asked, new_learner),
        facts=facts,
        threshold=options.threshold,
        maximize=options.maximize,
        record={} if options.model is None else command(options, facts),
        passes=options.passes,
        seed=options.seed if options.shuffle else None,
        holdout=every_kth(options.holdout, "--holdout"),
        cache=options.cache,
        on_error=options.on_error,
        threads=options.threads,
        stated=options.format != "auto",
        model=options.model,
        keeps_model=options.model is not None,
        start=options.start,
        every=None if options.checkpoint is None else interval(options.checkpoint, "--checkpoint"),
        resume=options.resume,
        predictions=options.predictions,
        say=note,
        say_skipped=say_nothing if options.quiet else note,
        say_labels=say_nothing if options.quiet else note,
        watch=watch,
        spell=option_of,
    )


def _check_start(options: Namespace) -> None:
    """BadParameter for what the model of --from has itself."""
    own = ("--learner", options.learner), ("--set", options.settings), ("--labels", options.labels)
    chosen = ("--threshold", options.threshold), ("--maximize", options.maximize)
    for name, given in (*own, ("--cost", options.costs), *chosen):
        if given:
            raise BadParameter(f"{name} cannot be changed with --from, because the model has its own: {given!r}")
    for name in TRANSFORMS:
        if asked_for(getattr(options, name)):
            raise BadParameter(
                f"{option_of(name)} cannot be changed with --from, because the model has its own attributes"
            )


def command(options: Namespace, facts: dict[str, Any]) -> dict[str, Any]:
    """What must be the same when the work goes on: every option that was given, but for those that are FREE."""
    same = ("learner", "fast", "threshold", "maximize", "passes", "shuffle", "seed", "on_error", "start", *TRANSFORMS)
    given = {name: getattr(options, name) for name in same}
    given |= {
        "parameters": dict(pairs("--set", options.settings)),
        "labels": options.labels and options.labels.split(","),
    }
    given |= {"cost": dict(pairs("--cost", options.costs)), "assume": facts}
    given |= {"holdout": every_kth(options.holdout, "--holdout"), "cache": options.cache is not None}
    given |= {"client": options.cluster, "shards": options.shards}
    return run_record(options.files, given, given_settings(options))
