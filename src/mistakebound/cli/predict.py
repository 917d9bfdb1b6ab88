"""Label the rows of a stream with a model: one label per line, in order.

  mistakebound predict events.mb new.svm > labels.txt
  zcat new.svm.gz | mistakebound predict events.mb - --scores

A bad row stops the command; the labels of the rows before it are printed.
--json: one object per row, with label, score, line (and file, if there are
several); with --probabilities, the probability of every label.
"""

from __future__ import annotations

import json
import sys
from math import inf

from mistakebound.cli.commands import note
from mistakebound.cli.options import add, add_group
from mistakebound.cli.settings import check_numbers, settings_from
from mistakebound.cli.terminal import progress_for
from mistakebound.core.names import one_line
from mistakebound.core.standard_output import standard_output
from mistakebound.model.model import load, of_table, refuse_without_labels, refuse_without_rows
from mistakebound.model.prediction import predict_blocks
from mistakebound.model.probabilities import block_probabilities, check_probabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from array import array
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model

    Writer = Callable[[Sequence[int], Sequence[float], Sequence[float], Sequence[int], str], str]


INPUTS = ("model", "files")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file written by `learn`")
    parser.add_argument("files", nargs="+", metavar="FILE", help="stream, labelled or not; - is standard input")
    add(parser, "label", "threshold")
    parser.add_argument("--scores", action="store_true", help="add a tab and the score to each label")
    parser.add_argument("--probabilities", action="store_true", help="add a tab and the probability to each label")
    add(parser, "json")
    add_group(parser, "reading")
    add(parser, "cluster")


class Answers:
    """Writes the answers of block after block."""

    mistakes = None  # nobody knows

    def __init__(self, model: Model, options: Namespace, say: Callable[[str], object]) -> None:
        self.trials = 0
        self._model = model
        self._say = say
        self._text = writer(model.learner, options)
        self._with_lines = options.json
        self._with_shares = options.probabilities

    def write(self, block: Block, rows: int, predictions: array[int], scores: array[float] | None) -> None:
        """The first so many rows of a block."""
        lines = block.lines[:rows] if self._with_lines and block.lines is not None else ()
        shares = block_probabilities(self._model, block, rows, scores) if self._with_shares and scores else ()
        self._say(self._text(predictions[:rows], scores[:rows] if scores else (), shares, lines, block.source))
        self.trials += rows


def run(options: Namespace) -> int:
    standard_output()
    check_numbers(options)
    model = load(options.model)
    if options.threshold is not None:
        model.threshold = options.threshold
    if options.probabilities:
        check_probabilities(model)
    settings = settings_from(options, model.settings)
    if not of_table(model.learner):
        refuse_without_rows(model.learner, options.model)
        refuse_without_labels(model.learner, options.model)
    if options.cluster is None:
        write_answers(options, model, options.files, settings, _print)
        return 0
    from functools import partial

    from mistakebound.cluster.answers import predicted_text
    from mistakebound.cluster.engine import connected

    options.threads = 1  # of each worker
    write = partial(write_answers, options)
    with connected(options.cluster) as client:
        for text in predicted_text(model, options.files, client, settings, write, lines=options.json, say=note):
            _print(text)
    return 0


def write_answers(
    options: Namespace, model: Model, files: list[Any], settings: dict[str, Any], say: Callable[[str], object]
) -> None:
    """Say the answers to the rows of some files, many at a time."""
    if of_table(model.learner):
        from mistakebound.cli.table_models import write_table_answers

        write_table_answers(options, model, files, settings, say)
        return
    answers = Answers(model, options, say)
    predict_blocks(
        model,
        files,
        answers.write,
        settings=settings,
        scores=options.scores or options.json or options.probabilities,
        threads=options.threads,
        counted=answers,
        watch=None if options.cluster is not None or sys.stdout.isatty() else progress_for,
        say=note if options.cluster is None else _hush,
    )


def _hush(line: str) -> None:
    """Every range would say it."""


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()  # whoever waits at the other end of a pipe gets every answer as soon as it is known


def writer(learner: Any, options: Namespace) -> Writer:
    """A function from a block's predictions, scores, probabilities, line numbers and file to its text."""
    labels = len(learner.labels.values)
    if options.json:
        starts = [f'{{"label": {json.dumps(value)}, "score": ' for value in learner.labels.values]

        several = len(options.files) > 1
        names = [learner.labels.text(code) for code in range(labels)]

        def objects(
            predictions: Sequence[int],
            scores: Sequence[float],
            shares: Sequence[float],
            lines: Sequence[int],
            file: str,
        ) -> str:
            known = texts(scores) | {inf: "null"}  # JSON has no word for a sum beyond the doubles
            end = f', "file": {json.dumps(file)}}}\n' if several else "}\n"
            between = [
                f', "probabilities": {json.dumps(dict(zip(names, shares[at : at + labels], strict=True)))}'
                for at in range(0, len(shares), labels)
            ] or [""] * len(predictions)
            rows = zip(predictions, scores, between, lines, strict=True)
            return "".join([f'{starts[code]}{known[score]}{p}, "line": {line}{end}' for code, score, p, line in rows])

        return objects
    if options.scores or options.probabilities:
        heads = [one_line(learner.labels.text(code)) for code in range(labels)]

        def lined(
            predictions: Sequence[int],
            scores: Sequence[float],
            shares: Sequence[float],
            lines: Sequence[int],
            file: str,
        ) -> str:
            known = texts(scores)
            columns = [[heads[code] for code in predictions]]
            if options.scores:
                columns.append([known[score] for score in scores])
            if options.probabilities:
                columns.append([repr(shares[row * labels + code]) for row, code in enumerate(predictions)])
            return "".join(["\t".join(cells) + "\n" for cells in zip(*columns, strict=True)])

        return lined
    whole = [one_line(learner.labels.text(code)) + "\n" for code in range(labels)]
    return lambda predictions, scores, shares, lines, file: "".join([whole[code] for code in predictions])


def texts(scores: Sequence[float]) -> dict[float, str]:
    """Scores repeat, and writing one is slow.  (-0.0 and 0.0 are one key: both are written 0.0.)"""
    return {score: repr(score + 0.0) for score in set(scores)}
