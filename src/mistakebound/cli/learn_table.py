"""`learn` with a learner of whole tables: trees, naive Bayes, networks, means of points."""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.commands import note, say
from mistakebound.cli.learn_report import columns_in_words
from mistakebound.cli.options import SEED
from mistakebound.cli.outputs import option_of
from mistakebound.cli.settings import cost_of_labels, parsed_settings, settings_from
from mistakebound.cli.terminal import Steps, reader_with_progress
from mistakebound.core.errors import BadParameter, Diverged
from mistakebound.model.plan import TRANSFORMS, asked_for, every_kth, split_parameters
from mistakebound.model.table_training import TRAININGS, TableTraining, check_drawn, draw_training
from mistakebound.report.table import fields, fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.core.protocol import Learner
    from mistakebound.report.confusion import Confusion

# Options that are about a stream, each with what it is where it was not given.
_OF_STREAMS: dict[str, Any] = {
    "assume": [], "labels": None, "threshold": None, "maximize": None,
    "iid": False, "strict": False, "on_error": "fail", "window": None, "passes": 1,
    "shuffle": False, "seed": SEED, "cache": None, "checkpoint": None, "resume": False,
    "predictions": None, "shards": None,
}  # fmt: skip
_PARTS = {"training": "training", "validation": "validation", "holdout": "held out"}


def learn_table(options: Namespace, kind: type[Learner], engine: Any = None) -> int:
    parameters, given = split_parameters(kind, parsed_settings(kind, options.settings))
    learner: Any = kind(**parameters)
    _refuse(options, learner.name)
    if options.plot is not None:
        check_drawn(learner, TRAININGS, options.plot)
    start = perf_counter()
    more: dict[str, Any] = {
        "label": options.label, "options": given, "cost": cost_of_labels(options.costs),
        **{name: every_kth(getattr(options, name), f"--{name}") for name in ("validation", "holdout")},
    }  # fmt: skip
    training: Any
    if engine is None:
        more["read"] = reader_with_progress(options.threads, quiet=options.quiet)
        training = TableTraining(learner, options.files, settings_from(options, None), **more)
    else:
        from mistakebound.cluster.tables import CountedTraining

        more["spell"] = "--{}".format
        training = CountedTraining(engine, learner, options.files, settings_from(options, None), **more)
    for remark in () if options.quiet else training.remarks:
        note(remark)
    try:
        with Steps("training", quiet=options.quiet) as watch:
            training.learn(watch)
    except Diverged as error:
        if options.model is None:
            raise
        training.model().save(options.model)
        raise Diverged(f"{error}; they are in {options.model}") from None
    seconds = perf_counter() - start
    size = None if options.model is None else training.model().save(options.model)
    if options.plot is not None:
        with Steps("curves", quiet=options.quiet) as watch:
            title = f"{learner!r} on {', '.join(options.files)}"
            draw_training(options.plot, training, title=title, watch=watch)
    if options.json:
        print(json.dumps(as_json(options, training, seconds)))
    elif not options.quiet:
        say(*fitted(as_text(options, training, seconds, size)))
    return 0


def _refuse(options: Namespace, name: str) -> None:
    """BadParameter for options that have no meaning here."""
    usual = _OF_STREAMS | dict.fromkeys(TRANSFORMS)
    for dest, value in usual.items():
        given = getattr(options, dest)
        if given != value and asked_for(given):
            raise BadParameter(f"{name}, which learns a whole table, does not support {option_of(dest)}: {given!r}")


def as_text(options: Namespace, training: TableTraining, seconds: float, size: int | None) -> list[str]:
    learner, table = training.learner, training.table
    classes = f", {len(training.classes):,} classes" if training.parts else ""
    said = [("table", f"{table.rows:,} rows, {len(table.columns):,} columns{classes}")]
    said += [*columns_in_words(training.settings), *learner.fit_facts()]
    measured = {part: training.measure(part) for part in _PARTS}
    said += [(_PARTS[part], errors_in_words(found)) for part, found in measured.items() if found is not None]
    said.append(("time", f"{seconds:.3g} s"))
    if size is not None:
        said.append(("model", f"{options.model} ({size:,} bytes)"))
    lines = [f"{learner!r} on {', '.join(map(str, options.files))}", *fields(said)]
    if learner.tells:
        lines += ["", *learner.lines(learner.shown)]
    if (held := measured["holdout"]) is not None:
        of_parts = held.lines("on the rows held out", seconds)
        lines += ["", *(line for line in of_parts if not line.startswith("  time "))]
    return lines


def errors_in_words(found: Confusion) -> str:
    rows = f"{found.trials:,} row{'s' * (found.trials != 1)}"
    mistakes = f"{found.mistakes:,} mistake{'s' * (found.mistakes != 1)}"
    return f"{rows}, {mistakes} ({100 * (found.error_rate or 0.0):.2f} %)"


def as_json(options: Namespace, training: TableTraining, seconds: float) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "learner": training.learner.name,
        "parameters": training.learner.settings,
        "files": list(map(str, options.files)),
        "rows": training.table.rows,
        "columns": list(training.table.names),
        "classes": list(training.classes),
        "remarks": training.remarks,
        "seconds": seconds,
        "model": options.model,
    }
    if training.cluster is not None:
        facts["cluster"] = training.cluster
    for part in _PARTS:
        found = training.measure(part)
        facts[part] = None if found is None else found.as_json()
    facts |= training.learner.fit_json() | training.learner.as_json(training.learner.shown)
    return facts
