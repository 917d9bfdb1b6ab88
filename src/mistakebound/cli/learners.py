"""List the learners, each with its parameters and theorems.

mistakebound learners
mistakebound learners winnow1
"""

from __future__ import annotations

import json

from mistakebound import learners
from mistakebound.cli.commands import say
from mistakebound.cli.options import add
from mistakebound.report.learner_table import character
from mistakebound.report.ledger_text import name_of_theorem
from mistakebound.report.table import fields, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="learner to show (default: all)")
    add(parser, "json")


def run(options: Namespace) -> int:
    names = [options.name] if options.name else learners.names()
    if options.json:
        print(json.dumps([as_json(_as_learned(name), name) for name in names]))
    else:
        for place, name in enumerate(names):
            say(*([""] if place else []), *as_text(_as_learned(name), name))
    return 0


def _as_learned(name: str) -> Any:
    """The learner that `learn --learner NAME` makes."""
    found = learners.find(name)
    return learners.find(found.for_files) if found.for_files else found


def as_json(learner: Any, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "online" if learner.online else "batch",
        "command": learner.command,
        "summary": learner.summary,
        "hypothesis_class": learner.hypothesis_class,
        "search_order": learner.search_order,
        "inductive_bias": learner.inductive_bias,
        "noise_effect": learner.noise_effect,
        "parameters": [
            {"name": p.name, "required": p.required, "default": p.default, "rule": p.rule, "help": p.help}
            for p in (*learner.parameters, *learner.fit_parameters)
        ],
        "assumable": learner.assumable,
        "theorems": [
            {
                "name": t.name,
                "source": t.source,
                "statement": t.statement,
                "needs": list(t.needs),
                "conditions": [condition.text for condition in t.conditions],
            }
            for t in learner.theorems
        ],
        "lemmas": [
            {"name": lemma.name, "source": lemma.source, "statement": lemma.statement} for lemma in learner.lemmas
        ],
    }


def as_text(learner: Any, name: str) -> list[str]:
    lines = wrap(f"{name}: {learner.summary}", rest="  ")
    if name != learner.name:
        lines += [f"  the same as {learner.name}; from Python, {learners.find(name).__name__} takes arrays of numbers"]
    if learner.command != "learn":
        lines += [f"  learned by `mistakebound {learner.command}`" if learner.command else "  used from Python only"]
    lines += fields([(word.replace("_", " "), told) for word, told in character(learner).items()], indent=2)
    if learner.parameters:
        lines += [f"  parameters{', --set NAME=VALUE' if learner.command == 'learn' else ''}"]
        lines += fields([(p.name, _parameter(p)) for p in (*learner.parameters, *learner.fit_parameters)], indent=4)
    if learner.assumable:
        lines += ["  facts, --assume NAME=VALUE"]
        lines += fields(learner.assumable.items(), indent=4)
    if learner.theorems:
        lines += ["  theorems"]
    for theorem in learner.theorems:
        lines += wrap(name_of_theorem(theorem), "    ", "      ")
        lines += wrap(theorem.statement, "      ", "        ")
        if theorem.conditions:
            lines += wrap("if " + ", ".join(condition.text for condition in theorem.conditions), "      ", "        ")
    return lines


def _parameter(parameter: Any) -> str:
    if parameter.required:
        return f"{parameter.help}: {parameter.rule} (must be given)"
    default = "" if parameter.default is None else f" (default: {parameter.default})"
    return f"{parameter.help}: {parameter.rule}{default}"
