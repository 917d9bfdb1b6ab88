"""Show what a model has learned, or why it predicts one row as it does.

mistakebound explain events.mb --top 20
mistakebound explain events.mb events.svm
mistakebound explain events.mb --instance '3:1 17:1'
mistakebound explain events.mb new.svm --row 7 --plot row7.png
mistakebound explain tree.mb weather.csv --language sql
"""

from __future__ import annotations

import json

from mistakebound.cli.commands import say
from mistakebound.cli.explain_instance import add_instance_options, asked_for, explain
from mistakebound.cli.explain_rule import rule_of
from mistakebound.cli.options import add, add_group, whole
from mistakebound.cli.settings import at_least, check_numbers
from mistakebound.core.errors import BadParameter
from mistakebound.core.ledger import Ledger, bound_of, new_ledger
from mistakebound.core.params import number
from mistakebound.core.protocol import behind_transforms
from mistakebound.model.model import load, of_table, refuse_without_rows
from mistakebound.report.bars import draw_weights
from mistakebound.report.effects import effect_lines, effects
from mistakebound.report.ledger_text import (
    attributes_in_words,
    bound_in_words,
    labels_facts,
    learner_facts,
    mistakes_and_error,
)
from mistakebound.report.table import columns, fields, fitted, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.spread import Spread


INPUTS = ("model", "files", "validation")
OUTPUTS = {"plot": lambda options: "dot" if options.plot.lower().endswith(".dot") else "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file written by `learn`")
    parser.add_argument("files", nargs="*", metavar="FILE", help="rows on which to find and measure a short rule")
    parser.add_argument("--top", type=whole, metavar="N", help="number of items to list (default: 10; for one row 20)")
    parser.add_argument(
        "--rule", type=whole, default=10, metavar="N", help="maximum attributes in a short rule (default: 10)"
    )
    parser.add_argument("--header", action="store_true", help="show only the header of the model file")
    add_instance_options(parser)
    add(parser, "plot", help="draw what is listed: .png, .svg or .dot")
    add(parser, "json", "label")
    group = parser.add_argument_group("decision trees", "With FILE: the tree as rules, each measured on these rows.")
    group.add_argument("--language", choices=("text", "python", "sql"), help="language of the rules (default: text)")
    add(group, "validation")
    group.add_argument("--every-path", action="store_true", help="keep one rule for each path of the tree")
    group.add_argument(
        "--shortest",
        type=number,
        nargs="?",
        const=0.0,
        metavar="SECONDS",
        help="search for the shortest tree, up to SECONDS if given",
    )
    add_group(parser, "reading")


def run(options: Namespace) -> int:
    one = asked_for(options)
    top = (20 if one else 10) if options.top is None else options.top
    at_least("--top", top, 0)
    if options.header:
        if one or options.files or options.plot is not None:
            raise BadParameter("--header takes no other option and no FILE")
        from mistakebound.cli.explain_header import explain_header

        explain_header(options.model, as_data=options.json)
        return 0
    at_least("--rule", options.rule, 1)
    check_numbers(options)
    model = load(options.model)
    whole_table, ensemble = of_table(model.learner), bool(model.learner.ensemble)
    if not whole_table:
        refuse_without_rows(model.learner, options.model)
    if options.plot is not None and ensemble:
        raise BadParameter(
            f"{model.learner.name}, which has no weights of its own, does not support --plot: {options.plot!r}"
        )
    if one and whole_table and options.plot is not None and model.learner.name != "decision-tree":
        raise BadParameter(f"{model.learner.name} does not support --plot of one row")
    if one:
        explanation = explain(options, model)
        if options.json:
            print(json.dumps(explanation.as_json(top)))
        else:
            say(*fitted(explanation.lines(top)))
        if options.plot is not None:
            explanation.draw(options.plot, top)
        return 0
    if whole_table:
        from mistakebound.cli import table_models

        return table_models.explain(options, model)
    ledger = model.ledger
    bound = bound_of(model.learner, ledger or new_ledger(model.learner), model.assumptions)
    if ledger is not None:
        ledger.bound = bound
    said, rule = rule_of(options, model)
    if options.json:
        told = ensemble_json if ensemble else as_json
        print(json.dumps(told(model.learner, ledger, bound, top) | {"short_rule": rule}))
    else:
        in_words = ensemble_text if ensemble else as_text
        say(*fitted(in_words(model.learner, ledger, bound, top, said)))
    if options.plot is not None:
        if model.learner.readable == "mixture":
            from mistakebound.report.shares import draw_shares

            draw_shares(options.plot, model.learner)
        else:
            draw_weights(options.plot, model.learner, top, spread_of(ledger))
    return 0


def threshold_of(learner: Any) -> tuple[str, float] | None:
    """(rule, number) that a score is compared with, where there is one."""
    if behind_transforms(learner)[0].readable != "weights":
        return None
    decision: tuple[str, float] = learner.decision
    return decision


def literals_of(learner: Any) -> tuple[int, int] | None:
    """(kept, dropped) literals of a learner that eliminates them, among the attributes that it has seen."""
    learner = behind_transforms(learner)[0]
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
    inside = behind_transforms(learner)[0]
    result = learner_facts(learner) | {
        "labels": list(learner.labels.values),
        "hypothesis": learner.hypothesis.text(top),
        "rule": rule,
        "threshold": threshold,
        "bias": getattr(inside, "bias", None),
        **_counts(ledger, bound),
        "attributes": [one.as_json() for one in effects(learner, spread_of(ledger), top)],
    }
    literals = literals_of(learner)
    if learner.readable == "mixture":
        result |= {"members": learner.shares(), "remarks": learner.remarks}
    if literals is not None:
        result["literals"] = {"kept": literals[0], "dropped": literals[1]}
    return result


def as_text(
    learner: Any, ledger: Ledger | None, bound: Any, top: int, rule: Sequence[tuple[str, str]] = ()
) -> list[str]:
    said = [("predicts", f"{learner.labels.text(1)} when {learner.hypothesis.text(min(top, 10))}")]
    said += [("otherwise", learner.labels.text(0)), *rule]
    said += _counts_in_words(ledger, bound)
    literals = literals_of(learner)
    if literals is not None:
        said.append(("literals", f"{literals[0]:,} kept, {literals[1]:,} dropped"))
    said.append(("attributes", attributes_in_words(learner)))
    members = []
    if learner.readable == "mixture":
        from mistakebound.report.shares import share_lines

        said += [("switched off", remark) for remark in learner.remarks]
        members = ["", *share_lines(learner)]
    lines = [*wrap(f"{learner!r}: {behind_transforms(learner)[0].summary}", rest="  "), *fields(said)]
    if literals is not None:
        largest = learner.top(top)
        rows = [(("~" if weight < 0 else "") + name,) for name, weight in largest]
        return [*lines, "", *columns([("literal",), *rows], "<")] if rows else lines
    head = "weight against it" if learner.inner is not None and learner.complement else "weight"
    table = effect_lines(effects(learner, spread_of(ledger), top), head)
    return [*lines, "", *table, *members] if table else [*lines, *members]


def ensemble_json(learner: Any, ledger: Ledger | None, bound: Any, top: int) -> dict[str, Any]:
    """As `as_json`, of a learner made of learners: each member."""
    from mistakebound.report.comparison import members_as_json

    return {
        "learner": learner.name,
        "parameters": learner.settings,
        **labels_facts(learner),
        "hypothesis": learner.hypothesis.text(top),
        **_counts(ledger, bound),
        **members_as_json(learner, top, spread_of(ledger)),
    }


def ensemble_text(
    learner: Any, ledger: Ledger | None, bound: Any, top: int, rule: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """As `as_text`, of a learner made of learners: each member in words."""
    from mistakebound.report.comparison import member_lines

    said = [*rule, *_counts_in_words(ledger, bound), ("attributes", f"{len(learner.attributes):,} seen")]
    members = member_lines(learner, top, spread_of(ledger))
    return [*wrap(f"{learner!r}: {learner.summary}", rest="  "), *fields(said), "", *members]


def _counts(ledger: Ledger | None, bound: Any) -> dict[str, Any]:
    return {
        "trials": None if ledger is None else ledger.trials,
        "mistakes": None if ledger is None else ledger.mistakes,
        "bound": None if bound is None else bound.value,
        "theorem": None if bound is None else bound.as_json(),
    }


def _counts_in_words(ledger: Ledger | None, bound: Any) -> list[tuple[str, str]]:
    said = []
    if ledger is not None:
        said += [("trials", f"{ledger.trials:,}"), *mistakes_and_error(ledger), ("verdict", str(ledger.verdict))]
    if bound is not None and bound.value is not None:
        said.append(("bound", bound_in_words(bound, ledger)))
    return said


def spread_of(ledger: Ledger | None) -> Spread | None:
    return None if ledger is None else ledger.spread
