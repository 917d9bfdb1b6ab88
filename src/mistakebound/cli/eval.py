"""Measure a model on a labelled stream, without changing the model.

  mistakebound eval events.mb held-out.svm

Error rate, confusion, precision, recall, F1, and the area under the ROC curve:
exact, ties count half.  Of the probabilities: log loss, Brier score and
calibration error.  The stream may be of any length; memory grows with the
number of distinct scores, by at most 200 bytes each.
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.commands import note, say
from mistakebound.cli.options import add, add_group
from mistakebound.cli.settings import check_numbers, settings_from
from mistakebound.cli.terminal import progress_for
from mistakebound.core.errors import BadData
from mistakebound.model.model import load, of_table, refuse_without_labels, refuse_without_rows
from mistakebound.model.prediction import evaluate
from mistakebound.model.probabilities import check_probabilities
from mistakebound.report.ledger_text import learner_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mistakebound.model.model import Model
    from mistakebound.report.confusion import Confusion
    from mistakebound.report.measures import Measures


INPUTS = ("model", "files")
OUTPUTS = {"plot": "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file written by `learn`")
    parser.add_argument("files", nargs="+", metavar="FILE", help="labelled stream; - is standard input")
    add(parser, "label", "threshold")
    add(parser, "plot", help="draw the reliability of the probabilities: .png or .svg")
    add(parser, "json")
    add_group(parser, "reading")
    add(parser, "cluster")


def run(options: Namespace) -> int:
    check_numbers(options)
    model = load(options.model)
    if options.threshold is not None:
        model.threshold = options.threshold
    if options.plot is not None:
        check_probabilities(model)
    start = perf_counter()
    found: Measures | Confusion
    settings = settings_from(options, model.settings)
    if options.cluster is not None:
        from mistakebound.cluster import answers
        from mistakebound.cluster.engine import connected

        with connected(options.cluster) as client:
            found = answers.evaluate(model, options.files, client, settings, note)
    elif of_table(model.learner):
        from mistakebound.cli.terminal import reader_with_progress
        from mistakebound.model.table_rows import evaluate_table

        found = evaluate_table(model, options.files, settings, reader_with_progress(options.threads), note)
    else:
        refuse_without_rows(model.learner, options.model)
        if model.learner.labels.many:
            refuse_without_labels(model.learner, options.model)
        found = evaluate(model, options.files, settings=settings, threads=options.threads, watch=progress_for, say=note)
    if not found.trials:
        raise BadData("there are no rows to measure the model on", source=options.files[0])
    if options.plot is not None:
        _draw(options, model, found)
    if options.json:
        learner = learner_facts(model.learner)["learner"]
        print(json.dumps({"model": options.model, "learner": learner} | found.as_json()))
    else:
        say(*found.lines(f"{model.learner!r} on {', '.join(options.files)}", perf_counter() - start))
    return 0


def _draw(options: Namespace, model: Model, found: Measures | Confusion) -> None:
    from mistakebound.report.reliability import draw_reliability

    assert found.reliability is not None
    title = f"Probabilities of {model.learner.name} on {options.files[0]}"
    label = str(model.labels[1]) if len(model.labels) == 2 else None
    draw_reliability(options.plot, found.reliability, title=title, label=label)
