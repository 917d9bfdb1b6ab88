"""`predict`, `eval` and `explain` for models of whole tables: trees, Bayes, networks, with any number of classes."""

from __future__ import annotations

import json
import sys
from time import perf_counter

import numpy as np

from mistakebound.cli.commands import say
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import at_least
from mistakebound.cli.table_reading import read_with_progress
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.core.visible import one_line
from mistakebound.io.frame import table_of
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile
    from mistakebound.model.model import Model

_ROWS = 1 << 16  # whose answers are written at once


def _read(files: list[str], options: Namespace, model: Model, *, unlabelled_ok: bool) -> tuple[Table, TableFile]:
    """The rows of files as the model's columns: by the settings that it remembers, or by the names of its columns."""
    settings = settings_from(options, model.settings)
    if model.settings is None:
        kinds = {name: kind for name, kind, _ in model.learner.schema.columns}
        settings |= {
            kind: sorted({*settings.get(kind, ()), *(name for name, own in kinds.items() if own == kind)})
            for kind in ("nominal", "numeric")
        }
        settings.setdefault("label", model.learner.label)
    read = read_with_progress(files, settings, options, unlabelled_ok=unlabelled_ok)
    label = () if model.learner.label is None else (model.learner.label,)
    return table_of(read.table, like=model.learner.schema, spare=label), read


def predict(options: Namespace, model: Model) -> int:
    table, _ = _read(options.files, options, model, unlabelled_ok=True)
    learner = model.learner
    texts = [str(label) for label in learner.classes]
    lined = [one_line(text) for text in texts]
    words = [json.dumps(label) for label in learner.classes]
    for start in range(0, table.rows, _ROWS):
        part = table.take(slice(start, start + _ROWS))
        codes = learner.predict_table(part).tolist()
        if not options.scores and not options.json:
            sys.stdout.write("".join([lined[code] + "\n" for code in codes]))
            continue
        shares = learner.proba_table(part)
        if options.scores:
            own = shares[np.arange(len(codes)), codes].tolist()
            lines = [f"{lined[code]}\t{share!r}\n" for code, share in zip(codes, own, strict=True)]
        else:
            lines = [
                f'{{"label": {words[code]}, "probabilities": {json.dumps(dict(zip(texts, row, strict=True)))}, '
                f'"line": {json.dumps(None if part.lines is None else int(part.lines[k]))}}}\n'
                for k, (code, row) in enumerate(zip(codes, shares.tolist(), strict=True))
            ]
        sys.stdout.write("".join(lines))
    return 0


def evaluate(options: Namespace, model: Model) -> int:
    start = perf_counter()
    table, read = _read(options.files, options, model, unlabelled_ok=False)
    learner = model.learner
    if read.labels is None:
        raise BadData("the rows have no labels", source=read.table.source)
    _, codes = label_codes(read.labels, learner.classes, table)
    unknown = getattr(learner, "unknown_class", None)
    found = Confusion(learner.classes, codes, learner.predict_table(table), unknown)
    if options.json:
        print(json.dumps({"model": options.model, "learner": learner.name} | found.as_json()))
    else:
        title = f"{learner!r} on {', '.join(options.files)}"
        say(*found.lines(title, perf_counter() - start))
    return 0


def explain(options: Namespace, model: Model) -> int:
    learner = model.learner
    top = 10 if options.top is None else options.top
    at_least("--top", top, 0)
    for name, given in (("--plot", options.plot), ("--instance", options.instance)):
        if given is not None:
            raise BadParameter(f"{name} has no meaning for {learner.name}; --instance-json and --row have: {given!r}")
    if options.files:
        raise BadParameter(f"FILE is for a short rule, and {learner.name} has its own words: {options.files[0]!r}")
    if options.row is None and options.instance_json is None:
        facts = {"learner": learner.name, "parameters": learner.settings, "classes": list(learner.classes)}
        if options.json:
            print(json.dumps(facts | learner.as_json(top)))
        else:
            say(*learner.lines(top))
        return 0
    table, row = _one_row(options, model)
    label = learner.classes[int(learner.predict_table(table.take(slice(row, row + 1)))[0])]
    lines = learner.explain_row(table, row)
    if options.json:
        print(json.dumps({"learner": learner.name, "row": table.row(row), "label": label, "explanation": lines}))
    else:
        say(*lines)
    return 0


def _one_row(options: Namespace, model: Model) -> tuple[Table, int]:
    if options.instance_json is not None:
        from mistakebound.cli.explain_instance import read_json

        x = read_json(options.instance_json)
        if not isinstance(x, dict):
            raise BadData("--instance-json must be an object, column to value", text=options.instance_json)
        absent = {name: None for name in model.learner.schema.names if name not in x}
        return model.learner.table([x | absent]), 0
    at_least("--row", options.row, 1)
    table, _ = _read([options.file], options, model, unlabelled_ok=True)
    if options.row > table.rows:
        raise BadParameter(f"--row must be at most {table.rows:,}, the rows of {options.file}: {options.row:,}")
    return table, options.row - 1
