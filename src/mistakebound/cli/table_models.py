"""`predict` and `explain` for models of whole tables: trees, Bayes, networks, with any number of classes."""

from __future__ import annotations

import json

import numpy as np

from mistakebound.cli.commands import note, say, say_code
from mistakebound.cli.settings import at_least, settings_from
from mistakebound.cli.terminal import reader_with_progress
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import one_line
from mistakebound.model.table_rows import labelled_rows, read_table
from mistakebound.model.table_training import (
    PICTURES,
    check_drawn,
    draw_boundary,
    draw_points,
    draw_tree,
    draw_weights,
)
from mistakebound.report.table import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.model.model import Model

_ROWS = 1 << 16  # whose answers are written at once


def write_table_answers(
    options: Namespace, model: Model, files: list[Any], settings: dict[str, Any], say: Callable[[str], object]
) -> None:
    """As `predict.write_answers`, for a model of a whole table."""
    alone = options.cluster is None  # else every range would show how far it is, and say what was assumed
    how = {"read": reader_with_progress(options.threads), "say": note} if alone else {"say": lambda line: None}
    table, _ = read_table(model, files, settings, **how)
    learner, one_file = model.learner, len(options.files) == 1  # of several files no line is said
    texts = [str(label) for label in learner.classes]
    lined = [one_line(text) for text in texts]
    words = [json.dumps(label) for label in learner.classes]
    for start in range(0, table.rows, _ROWS):
        part = table.take(slice(start, start + _ROWS))
        codes = learner.predict_table(part).tolist()
        if not options.scores and not options.probabilities and not options.json:
            say("".join([lined[code] + "\n" for code in codes]))
            continue
        shares = learner.proba_table(part)
        if not options.json:
            own = shares[np.arange(len(codes)), codes].tolist()
            lines = [f"{lined[code]}\t{share!r}\n" for code, share in zip(codes, own, strict=True)]
        else:
            lines = [
                f'{{"label": {words[code]}, "probabilities": {json.dumps(dict(zip(texts, row, strict=True)))}, '
                f'"line": {json.dumps(int(part.lines[k]) if part.lines is not None and one_file else None)}}}\n'
                for k, (code, row) in enumerate(zip(codes, shares.tolist(), strict=True))
            ]
        say("".join(lines))


def explain(options: Namespace, model: Model) -> int:
    """What was learned, or with files what it makes of their rows; both in words, as data and drawn."""
    learner = model.learner
    at_least("--top", 0 if options.top is None else options.top, 0)
    _check(options, learner)
    facts: dict[str, Any] = {"learner": learner.name, "parameters": learner.settings, "classes": list(learner.classes)}
    if options.files and learner.name == "decision-tree":
        from mistakebound.cli.explain_tree import explain_on_rows

        facts, lines, code = explain_on_rows(options, model, facts)
    else:
        top = learner.shown if options.top is None else options.top
        facts, lines, code = facts | learner.as_json(top), learner.lines(top), None
    if options.json:
        print(json.dumps(facts))
    elif code is not None:
        say_code(code)
    else:
        say(*fitted(lines))
    if options.plot is not None:
        _draw(options, model)
    return 0


def _check(options: Namespace, learner: Any) -> None:
    """BadParameter for what this learner has no use for, before anything is read."""
    for name in ("language", "validation", "shortest"):
        given = getattr(options, name)
        if given is not None and (learner.name != "decision-tree" or not options.files):
            raise BadParameter(f"--{name} needs a decision tree and a FILE: {given!r}")
    if options.files and learner.name != "decision-tree" and options.plot is None:
        raise BadParameter(f"explain takes no FILE for {learner.name}, which has no short rule: {options.files[0]!r}")
    if options.plot is not None:
        check_drawn(learner, PICTURES, options.plot)


def _draw(options: Namespace, model: Model) -> None:
    learner, read = model.learner, reader_with_progress(options.threads)
    if learner.name == "decision-tree":
        draw_tree(options.plot, learner, learner.shown if options.top is None else options.top or None)
    elif learner.takes == "points":
        if not options.files:
            raise BadParameter("--plot needs a FILE: it draws the points of FILE and the means")
        table, _ = read_table(model, options.files, settings_from(options, model.settings), read=read, say=note)
        draw_points(options.plot, learner, table)
    elif options.files:
        table, codes = labelled_rows(model, options.files, settings_from(options, model.settings), read, note)
        title = f"A {'-'.join(map(str, learner.network.shape))} network on {options.files[0]}"
        labels = [learner.classes[code] for code in codes.tolist()]
        draw_boundary(options.plot, learner, table, labels, title=title)
    else:
        draw_weights(options.plot, learner)
