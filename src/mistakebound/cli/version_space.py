"""Learn a concept from a table: the hypotheses that agree with its rows.

  mistakebound version-space enjoy.csv --label EnjoySport --labels No,Yes
  mistakebound version-space enjoy.csv --label Enjoy --plot lattice.svg
  mistakebound version-space --ask --values "Sky=Sunny,Rainy Wind=Strong,Weak"

A hypothesis requires values of some attributes: <Sunny, ?, Strong>.  The
values of an attribute are those in FILE, or those of --values.
"""

from __future__ import annotations

import json

from mistakebound.arena.stream_labels import adopt, distinct
from mistakebound.cli.commands import note, say
from mistakebound.cli.options import add, add_group, whole
from mistakebound.cli.settings import at_least, check_numbers, label_pair, settings_from
from mistakebound.cli.terminal import reader_with_progress
from mistakebound.core.errors import BadData, BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.cli.version_space_report import Report
    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile
    from mistakebound.learners.version_space.candidate_elimination import CandidateElimination


_SECONDS = 5.0  # for the fewest questions that would have done

INPUTS = ("files", "test")


def _form(options: Namespace) -> str:
    from mistakebound.report.drawing import form_by_ending

    return form_by_ending(options.plot, ("svg", "dot"))


OUTPUTS = {"plot": _form, "model": "model"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="table (CSV, TSV, ARFF, Parquet, Arrow)")
    add(parser, "label", "labels")
    parser.add_argument(
        "--values",
        metavar="NAME=A,B,C",
        action="append",
        default=[],
        help="values of an attribute (default: those in FILE)",
    )
    parser.add_argument("--ask", action="store_true", help="ask about instances until one hypothesis is left")
    parser.add_argument("--lattice", action="store_true", help="print all hypotheses between S and G")
    add(parser, "plot", help="draw these hypotheses: .svg or .dot")
    add(parser, "model", "json")
    add_group(parser, "reading")
    group = parser.add_argument_group("steps and learners")
    group.add_argument(
        "--missing-cells", choices=("refuse", "value"), default="refuse",
        help="refuse, or count as a value (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--steps", type=whole, metavar="N", default=20, help="number of rows to show while learning (default: 20)"
    )
    group.add_argument("--test", metavar="FILE", help="table of instances to compare the learners on")
    add(group, "timeout")


def run(options: Namespace) -> int:
    _check(options)
    declared = _declared(options.values)
    read = _read(options, declared) if options.files else None
    learner = _learner(options, declared, None if read is None else read.table)
    if read is not None and read.labels is not None and options.labels is None:
        adopt(learner.labels, distinct(read.labels.values), in_file=False)
    tested = _tested(options, learner)
    from mistakebound.cli.version_space_report import Report

    report = Report(options, learner)
    if read is not None and read.labels is not None:
        report.learn(read.table, read.labels)
    if options.ask:
        from mistakebound.cli.version_space_ask import ask

        learner = ask(options, learner, report)
    elif read is not None and read.labels is not None:
        report.finish(read.table, read.labels, tested)
    if options.model is not None:
        learner.label = options.label
        learner.save(options.model, ledger=report.ledger, reader=None if read is None else read.settings)
        report.data["model"] = options.model
    if (options.lattice or options.plot is not None) and learner.version_space:
        _draw(options, learner, report)
    if options.json:
        print(json.dumps(report.data))
    return 0


def _check(options: Namespace) -> None:
    check_numbers(options)
    at_least("--steps", options.steps, 0)
    if options.timeout is None:
        options.timeout = _SECONDS
    if not options.timeout >= 0:
        raise BadParameter(f"--timeout must be a number of seconds >= 0: {options.timeout}")
    if not options.files and not (options.ask and options.values):
        raise BadParameter("give a FILE, or --ask with the --values of all attributes")


def _declared(words: list[str]) -> dict[str, tuple[str, ...]]:
    from mistakebound.concepts.attribute_values import parse_attributes

    values: dict[str, tuple[str, ...]] = {}
    for text in words:
        for name, found in parse_attributes(text).items():
            if name in values:
                raise BadParameter(f"--values must declare an attribute once: {name!r}")
            values[name] = found
    return values


def _read(options: Namespace, declared: dict[str, tuple[str, ...]]) -> TableFile:
    settings = settings_from(options, None)
    settings["nominal"] = list(dict.fromkeys([*settings.get("nominal", ()), *declared]))
    try:
        read = reader_with_progress(options.threads)(options.files, settings)
    except BadParameter as error:
        if options.nominal:
            raise
        text = str(error).replace("nominal must name", "--values must name", 1)
        raise BadParameter(text.replace(" for nominal", " for --values", 1)) from None
    options.label = read.settings.get("label")
    for line in read.assumed:
        note(line)
    if read.labels is None or not read.table.columns:
        what = "there are no rows" if read.labels is None else "there is no column"
        raise BadData(f"{what} to learn from", source=read.table.source)
    return read


def _learner(options: Namespace, declared: dict[str, tuple[str, ...]], table: Table | None) -> CandidateElimination:
    from mistakebound.learners.version_space.candidate_elimination import CandidateElimination
    from mistakebound.learners.version_space.rows import values_of

    attributes: dict[str, Any] = dict(declared)
    if table is not None:
        attributes = {}
        for column in table.columns:
            found = declared.get(column.name) or values_of(column, options.missing_cells == "value")
            if not found:
                raise BadData(f"column {column.name!r} has no value: --values can declare some", source=table.source)
            attributes[column.name] = found
    labels = None if options.labels is None else label_pair(options.labels)
    return CandidateElimination(attributes, options.missing_cells, labels)


def _tested(options: Namespace, learner: CandidateElimination) -> list[Any]:
    """The instances of --test, each checked against the values."""
    if options.test is None:
        return []
    given = {"format": options.format, "label": options.label} if options.label else {"format": options.format}
    table = reader_with_progress(options.threads)([options.test], given, unlabelled_ok=True).table
    rows = []
    for row in range(table.rows):
        try:
            rows.append(learner.complete(table.row(row)))
        except BadData as error:
            raise table.complain(error.message, row) from None
    return rows


def _draw(options: Namespace, learner: CandidateElimination, report: Report) -> None:
    from mistakebound.report.drawing import write_drawing
    from mistakebound.report.lattice import draw_lattice

    if options.plot is not None:
        write_drawing(options.plot, lambda form: draw_lattice(learner.version_space, form))
        report.data["picture"] = options.plot
    if options.lattice and options.json:
        report.data["lattice"] = draw_lattice(learner.version_space)
    elif options.lattice:
        say("", *draw_lattice(learner.version_space).split("\n"))
