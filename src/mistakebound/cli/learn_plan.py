"""What the options of `learn` ask for, as the plan of a training."""

from __future__ import annotations

from mistakebound.cli.commands import note
from mistakebound.cli.expand_options import expanded
from mistakebound.cli.expand_options import given as expand_options_given
from mistakebound.cli.long_options import seed_of
from mistakebound.cli.outputs import option_of
from mistakebound.cli.reader_options import given_settings, settings_from
from mistakebound.cli.settings import FOR_GAMES, FOR_STREAMS, assumptions, label_list, make_learner, pairs
from mistakebound.cli.terminal import progress_for
from mistakebound.core.errors import BadParameter
from mistakebound.model.new_learner import TRANSFORMS
from mistakebound.model.plan import Plan, every_kth, interval, no_bar, run_record, say_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

# Options that do not change what is learned, by their names; whatever else there is must be as in the run that goes on.
FREE = frozenset(
    {"model", "plot", "threads", "strict", "window", "json", "quiet", "checkpoint", "resume", "validation"}
)


def plan_of(options: Namespace) -> Plan:
    facts = assumptions(options.assume)

    def new_learner() -> Any:
        usual = FOR_STREAMS if options.reduce is None else FOR_GAMES  # the reductions are to a disjunction
        plain = make_learner(options.learner or usual, options.settings, options.labels, options.costs)
        return expanded(plain, options, facts)

    if options.start is not None:
        _check_start(options)
    return Plan(
        options.files,
        new_learner,
        lambda remembered: settings_from(options, remembered),
        facts=facts,
        record={} if options.model is None else command(options, facts),
        passes=options.passes,
        seed=seed_of(options),
        holdout=every_kth(options.holdout, "--holdout"),
        cache=options.cache,
        on_error=options.on_error,
        threads=options.threads,
        stated=options.format != "auto",
        model=options.model,
        start=options.start,
        every=None if options.checkpoint is None else interval(options.checkpoint, "--checkpoint"),
        resume=options.resume,
        say=note,
        say_skipped=say_nothing if options.quiet else note,
        say_labels=say_nothing if options.quiet else note,
        watch=no_bar if options.quiet else progress_for,
        spell=option_of,
    )


def _check_start(options: Namespace) -> None:
    """BadParameter for what the model of --from has itself."""
    own = ("--learner", options.learner), ("--set", options.settings), ("--labels", options.labels)
    for name, given in (*own, ("--cost", options.costs)):
        if given:
            raise BadParameter(f"{name} must be left out with --from, the model has its own: {given!r}")
    if words := expand_options_given(options):
        raise BadParameter(f"{words[0]} must be left out with --from, the model has its own attributes")


def command(options: Namespace, facts: dict[str, Any]) -> dict[str, Any]:
    """What must be the same when the work goes on: every option that was given, but for those that are FREE."""
    same = ("learner", "passes", "shuffle", "seed", "on_error", "start", *TRANSFORMS)
    given = {name: getattr(options, name) for name in same}
    given |= {"parameters": dict(pairs("--set", options.settings)), "labels": label_list(options.labels)}
    given |= {"cost": dict(pairs("--cost", options.costs)), "assume": facts}
    given |= {"holdout": every_kth(options.holdout, "--holdout"), "cache": options.cache is not None}
    return run_record(options.files, given, given_settings(options))
