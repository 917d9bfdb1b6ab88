"""`explain` for learners made of learners: each member in words."""

from __future__ import annotations

import json

from mistakebound.cli.commands import say
from mistakebound.cli.explain_rule import rule_of
from mistakebound.core.ledger import bound_of, new_ledger
from mistakebound.report.comparison import member_lines, members_as_json
from mistakebound.report.ledger_text import bound_in_words, labels_facts, mistakes_and_error
from mistakebound.report.table import fields, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.model.model import Model


def explain(options: Namespace, model: Model, top: int) -> int:
    learner, ledger = model.learner, model.ledger
    bound = bound_of(learner, ledger or new_ledger(learner), model.assumptions)
    if ledger is not None:
        ledger.bound = bound
    said, rule = rule_of(options, model)
    if options.json:
        print(json.dumps(_as_json(learner, ledger, bound, top) | {"short_rule": rule}))
    else:
        say(*_as_text(learner, ledger, bound, top, said))
    return 0


def _as_json(learner: Any, ledger: Ledger | None, bound: Any, top: int) -> dict[str, Any]:
    return {
        "learner": learner.name,
        "parameters": learner.settings,
        **labels_facts(learner),
        "hypothesis": learner.hypothesis.text(top),
        "trials": None if ledger is None else ledger.trials,
        "mistakes": None if ledger is None else ledger.mistakes,
        "bound": None if bound is None else bound.value,
        "theorem": None if bound is None else bound.as_json(),
        **members_as_json(learner, top),
    }


def _as_text(learner: Any, ledger: Ledger | None, bound: Any, top: int, rule: Sequence[tuple[str, str]]) -> list[str]:
    said = list(rule)
    if ledger is not None:
        said += [("trials", f"{ledger.trials:,}"), *mistakes_and_error(ledger)]
        said.append(("verdict", str(ledger.verdict)))
    if bound is not None and bound.value is not None:
        said.append(("bound", bound_in_words(bound, ledger)))
    said.append(("attributes", f"{len(learner.attributes):,} seen"))
    return [*wrap(f"{learner!r}: {learner.summary}", rest="  "), *fields(said), "", *member_lines(learner, top)]
