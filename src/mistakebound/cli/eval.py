"""Measure a model on a labelled stream; the model stays as it is.

  mistakebound eval events.mb held-out.svm

Error rate, confusion, precision, recall, F1, and the area under the ROC curve:
exact, ties counted half.  The stream may be of any length; memory grows with
the number of distinct scores, by at most 200 bytes each.
"""

from __future__ import annotations

import json
from array import array
from time import perf_counter

from mistakebound.cli.commands import say
from mistakebound.cli.numbers import whole
from mistakebound.cli.reader_options import add_reader_options, settings_from
from mistakebound.cli.settings import check_threads
from mistakebound.cli.terminal import progress_for
from mistakebound.core.complaints import locate
from mistakebound.core.errors import BadData
from mistakebound.core.labels import Labels, meaning
from mistakebound.core.ledger import Ledger
from mistakebound.io import open_stream
from mistakebound.io.pipeline import run as run_blocks
from mistakebound.io.pipeline import threads_for
from mistakebound.kernels import tally
from mistakebound.model.model import load, refuse_without_rows
from mistakebound.report.measures import Measures, RankSums
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.core.block import Block


INPUTS = ("model", "files")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a model that `learn` wrote")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a labelled stream; - is standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--threads", type=whole, metavar="N", help="threads that read and parse; the result is the same"
    )
    add_reader_options(parser)


def run(options: Namespace) -> int:
    check_threads(options.threads)
    model = load(options.model)
    learner = model.learner
    if hasattr(learner, "predict_table"):
        from mistakebound.cli import table_models

        return table_models.evaluate(options, model)
    refuse_without_rows(model.learner, options.model)
    if learner.labels.many:
        from mistakebound.cli import eval_many

        return eval_many.evaluate(options, model)
    ledger, ranks = Ledger(Labels.restore(learner.labels.state())), RankSums()
    start = perf_counter()
    with open_stream(options.files, settings_from(options, model.settings)) as reader:
        show = progress_for(reader, ledger)

        def handle(block: Block) -> None:
            codes = known_codes(learner, block)
            predictions, scores = array("b", bytes(block.rows)), array("d", bytes(8 * block.rows))
            learner.predict_block(block, predictions, scores)
            ledger.record_codes(codes, predictions, 0, block.rows)
            ranks.add(codes, scores)
            if show is not None:
                show.update()

        try:
            run_blocks(reader, handle, threads_for(reader, options.threads))
        finally:
            if show is not None:
                show.close()
    seconds = perf_counter() - start
    measures = Measures(ledger.counts(), ranks.area())
    names = [learner.labels.text(code) for code in (0, 1)]
    if options.json:
        print(json.dumps({"model": options.model, "learner": learner.name} | measures.as_json(names)))
    else:
        say(*as_text(f"{learner!r} on {', '.join(options.files)}", measures, names, seconds))
    return 0


def known_codes(learner: Any, block: Block) -> array[int]:
    """The code of each row's label; one that the model does not know is bad data, and never becomes known here."""
    known = {meaning(value): code for code, value in enumerate(learner.labels.values)}
    table = array("b", [known.get(meaning(token.decode()), -1) for token in block.label_tokens])
    codes = array("b", bytes(block.rows))
    if block.tokens is None or tally.translate(block.tokens, table, block.rows, codes) < 0:
        raise BadData("the rows have no labels", source=block.source)
    if -1 in codes:
        row = codes.index(-1)
        error = BadData("the row has no label")
        if block.tokens[row] >= 0:
            label = block.label_tokens[block.tokens[row]].decode(errors="backslashreplace")
            names = [learner.labels.text(code) for code in range(len(learner.labels.values))]
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            error = BadData(f"label {label!r} is not one of the model's, {listed}")
        locate(error, block, row)
        raise error
    return codes


def as_text(title: str, measures: Measures, names: list[str], seconds: float) -> list[str]:
    def percent(value: float | None) -> str:
        return "not defined here" if value is None else f"{value:.4f}"

    nn, np, pn, pp = (f"{count:,}" for count in measures.counts)
    return [
        title,
        *fields(
            [
                ("trials", f"{measures.trials:,}"),
                ("mistakes", f"{measures.mistakes:,}"),
                ("error rate", percent(measures.error_rate)),
                ("precision", percent(measures.precision)),
                ("recall", percent(measures.recall)),
                ("F1", percent(measures.f1)),
                ("AUC", percent(measures.auc)),
                ("time", f"{seconds:.2f} s, {measures.trials / max(seconds, 1e-9):,.0f} rows a second"),
            ]
        ),
        "",
        *columns(
            [
                ("", f"predicted {names[0]}", f"predicted {names[1]}"),
                (f"label {names[0]}", nn, np),
                (f"label {names[1]}", pn, pp),
            ],
            "<>>",
        ),
    ]
