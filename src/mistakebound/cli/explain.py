"""Say what a model has learned, or why it predicts one row as it does.

mistakebound explain events.mb --top 20
mistakebound explain events.mb events.svm
mistakebound explain events.mb --instance '3:1 17:1'
mistakebound explain events.mb new.svm --row 7 --plot row7.png
mistakebound explain tree.mb weather.csv --language sql
"""

from __future__ import annotations

import json

from mistakebound.arena.play import bound_of, new_ledger
from mistakebound.cli import common
from mistakebound.cli.commands import say
from mistakebound.cli.explain_instance import add_instance_options, asked_for, explain
from mistakebound.cli.explain_rule import rule_of
from mistakebound.cli.numbers import whole
from mistakebound.cli.reader_options import add_reader_options
from mistakebound.cli.settings import at_least, check_threads
from mistakebound.core.errors import BadParameter
from mistakebound.core.ledger import Ledger
from mistakebound.core.params import number
from mistakebound.model.model import load, of_table, refuse_without_rows
from mistakebound.report.bars import draw_weights
from mistakebound.report.ledger_text import attributes_in_words, bound_in_words, count_of_mistakes, learner_facts
from mistakebound.report.table import columns, fields, wrap
from mistakebound.transforms.transform import innermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any


INPUTS = ("model", "files", "validation")
OUTPUTS = {"plot": lambda options: "dot" if options.plot.lower().endswith(".dot") else "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a model that `learn` wrote")
    parser.add_argument("files", nargs="*", metavar="FILE", help="rows on which short rules are found and measured")
    parser.add_argument("--top", type=whole, metavar="N", help="how much to list (default: 10; of a row 20)")
    parser.add_argument("--rule", type=whole, default=10, metavar="N", help="attributes of a short rule (default: 10)")
    parser.add_argument("--header", action="store_true", help="what the model file holds, in place of all this")
    add_instance_options(parser)
    common.add_plot(parser, "what is listed", ".png, .svg or .dot")
    common.add_json(parser)
    common.add_label(parser)
    group = parser.add_argument_group("decision trees", "On the rows of FILE: the rules of the tree.")
    group.add_argument("--language", choices=("text", "python", "sql"), help="write the rules so (default: text)")
    common.add_validation(group)
    group.add_argument(
        "--shortest", type=number, nargs="?", const=0.0, metavar="SECONDS", help="look for the shortest tree, so long"
    )
    add_reader_options(parser)


def run(options: Namespace) -> int:
    one = asked_for(options)
    top = (20 if one else 10) if options.top is None else options.top
    at_least("--top", top, 0)
    if options.header:
        if one or options.files or options.plot is not None:
            raise BadParameter("--header must stand alone: it says what the model file holds")
        from mistakebound.cli.explain_header import explain_header

        explain_header(options.model, as_data=options.json)
        return 0
    at_least("--rule", options.rule, 1)
    check_threads(options.threads)
    model = load(options.model)
    whole_table, ensemble = of_table(model.learner), bool(model.learner.ensemble)
    if not whole_table:
        refuse_without_rows(model.learner, options.model)
    if options.plot is not None and ensemble:
        raise BadParameter(f"--plot must be left out, {model.learner.name} has no weights of its own: {options.plot!r}")
    if one and whole_table and options.plot is not None and model.learner.name != "decision-tree":
        raise BadParameter(f"--plot of one row is for trees and weights, not for {model.learner.name}")
    if one:
        explanation = explain(options, model)
        if options.json:
            print(json.dumps(explanation.as_json(top)))
        else:
            say(*explanation.lines(top))
        if options.plot is not None:
            explanation.draw(options.plot, top)
        return 0
    if whole_table:
        from mistakebound.cli import table_models

        return table_models.explain(options, model)
    if ensemble:
        from mistakebound.cli import explain_ensemble

        return explain_ensemble.explain(options, model, top)
    ledger = model.ledger
    bound = bound_of(model.learner, ledger or new_ledger(model.learner), model.assumptions)
    if ledger is not None:
        ledger.bound = bound
    said, rule = rule_of(options, model)
    if options.json:
        print(json.dumps(as_json(model.learner, ledger, bound, top) | {"short_rule": rule}))
    else:
        say(*as_text(model.learner, ledger, bound, top, said))
    if options.plot is not None:
        draw_weights(options.plot, model.learner, top)
    return 0


def threshold_of(learner: Any) -> tuple[str, float] | None:
    """(rule, number) that a score is compared with, where there is one."""
    if innermost(learner).readable != "weights":
        return None
    decision: tuple[str, float] = learner.decision
    return decision


def literals_of(learner: Any) -> tuple[int, int] | None:
    """(kept, dropped) literals of a learner that eliminates them, among the attributes that it has seen."""
    learner = innermost(learner)
    if learner.readable == "literals":
        plain, negated = learner.literals()
        kept, of = len(plain) + len(negated), 2 * len(learner.attributes)
    elif learner.readable == "disjunction":
        kept, of = len(learner.remaining()), len(learner.attributes)
    else:
        return None
    return kept, of - kept


def as_json(learner: Any, ledger: Ledger | None, bound: Any, top: int) -> dict[str, Any]:
    rule, threshold = threshold_of(learner) or (None, None)
    inside = innermost(learner)
    result = learner_facts(learner) | {
        "labels": list(learner.labels.values),
        "hypothesis": learner.hypothesis.text(top),
        "rule": rule,
        "threshold": threshold,
        "bias": getattr(inside, "bias", None),
        "trials": None if ledger is None else ledger.trials,
        "mistakes": None if ledger is None else ledger.mistakes,
        "bound": None if bound is None else bound.value,
        "theorem": None if bound is None else bound.as_json(),
        "attributes": [{"name": name, "weight": weight} for name, weight in learner.top(top)],
    }
    literals = literals_of(learner)
    if literals is not None:
        result["literals"] = {"kept": literals[0], "dropped": literals[1]}
    return result


def as_text(
    learner: Any, ledger: Ledger | None, bound: Any, top: int, rule: Sequence[tuple[str, str]] = ()
) -> list[str]:
    said = [("predicts", f"{learner.labels.text(1)} when {learner.hypothesis.text(min(top, 10))}")]
    said += [("otherwise", learner.labels.text(0)), *rule]
    if ledger is not None:
        said += [("trials", f"{ledger.trials:,}"), ("mistakes", count_of_mistakes(ledger))]
        said.append(("verdict", str(ledger.verdict)))
    if bound is not None and bound.value is not None:
        said.append(("bound", bound_in_words(bound, ledger)))
    literals = literals_of(learner)
    if literals is not None:
        said.append(("literals", f"{literals[0]:,} kept, {literals[1]:,} dropped"))
    said.append(("attributes", attributes_in_words(learner)))
    lines = [*wrap(f"{learner!r}: {innermost(learner).summary}", rest="  "), *fields(said)]
    largest = learner.top(top)
    if largest and literals is not None:
        lines += [
            "",
            *columns([("literal",), *((("~" if weight < 0 else "") + name,) for name, weight in largest)], "<"),
        ]
    elif largest:
        head = "weight against it" if learner.inner is not None and learner.complement else "weight"
        lines += ["", *columns([("attribute", head), *((name, f"{weight:.7g}") for name, weight in largest)], "<>")]
    return lines
