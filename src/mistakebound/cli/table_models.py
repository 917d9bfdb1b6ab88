"""`predict` and `explain` for models of whole tables: trees, Bayes, networks, with any number of classes."""

from __future__ import annotations

import json
import sys

import numpy as np

from mistakebound.cli.commands import say
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import at_least
from mistakebound.cli.table_reading import reader_with_progress
from mistakebound.core.errors import BadParameter
from mistakebound.core.visible import one_line
from mistakebound.model.table_rows import read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from mistakebound.model.model import Model

_ROWS = 1 << 16  # whose answers are written at once


def predict(options: Namespace, model: Model) -> int:
    settings = settings_from(options, model.settings)
    table, _ = read_table(model, options.files, settings, read=reader_with_progress(options))
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


def explain(options: Namespace, model: Model) -> int:
    learner = model.learner
    top = 10 if options.top is None else options.top
    at_least("--top", top, 0)
    if options.files:
        raise BadParameter(f"FILE is for a short rule, and {learner.name} has its own words: {options.files[0]!r}")
    facts = {"learner": learner.name, "parameters": learner.settings, "classes": list(learner.classes)}
    if options.json:
        print(json.dumps(facts | learner.as_json(top)))
    else:
        say(*learner.lines(top))
    return 0
