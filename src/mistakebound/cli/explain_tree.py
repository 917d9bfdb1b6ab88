"""`explain MODEL FILE` of a decision tree: its rules on rows, as text, Python or SQL; the shortest tree."""

from __future__ import annotations

from mistakebound.cli.commands import note
from mistakebound.cli.learn_table import errors_in_words
from mistakebound.cli.settings import settings_from
from mistakebound.cli.terminal import Steps, reader_with_progress
from mistakebound.learners.tree.table_text import listing
from mistakebound.model.plan import every_kth
from mistakebound.model.table_rows import TreeOnRows
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.learners.tree.rule_list import TreeRuleList
    from mistakebound.learners.tree.shortest import ShortestTree
    from mistakebound.model.model import Model


def explain_on_rows(
    options: Namespace, model: Model, facts: dict[str, Any]
) -> tuple[dict[str, Any], list[str], str | None]:
    """The facts with what the rows add, the lines of a report, and the rules as code where that is asked for."""
    work = TreeOnRows(
        model,
        options.files,
        settings_from(options, model.settings),
        validation=every_kth(options.validation, "--validation"),
        read=reader_with_progress(options.threads),
        say=note,
    )
    with Steps("rules") as watch:
        rules = work.rules(watch, every_path=options.every_path)
    measured = {part: work.measure(part, rules) for part in ("training", "validation")}
    said = [("rules", f"{len(rules):,}; worth: {rules.estimate}")]
    said += [(part, errors_in_words(found)) for part, found in measured.items() if found is not None]
    lines = [f"{model.learner!r} on {', '.join(options.files)}", *fields(said), "", *str(rules).split("\n")]
    data = rules.as_json() | {part: None if found is None else found.as_json() for part, found in measured.items()}
    code = None
    if options.language in ("python", "sql"):
        data[options.language] = text = rules.sql() if options.language == "sql" else rules.python()
        code = _with_comment(options, model, rules, said[1][1], text)
    facts = facts | {"rules": data}
    if options.shortest is not None:
        found = work.shortest(options.shortest or None)
        facts["shortest"] = _as_json(found)
        lines += ["", *_as_text(found, model.learner.shown)]
    return facts, lines, code


def _with_comment(options: Namespace, model: Model, rules: TreeRuleList, errors: str, code: str) -> str:
    """The rules and nothing else, to be kept in a file; a comment says where they come from."""
    mark = "--" if options.language == "sql" else "#"
    came = f"{len(rules):,} rules of {model.learner!r} on {', '.join(map(repr, options.files))}"
    return f"{mark} {came}\n{mark} training: {errors}\n{code.rstrip()}"


def _as_text(found: ShortestTree, nodes: int) -> list[str]:
    if found.tree is None:
        return [f"shortest consistent tree: {found} (out of time)"]
    tree = found.tree
    return [f"shortest consistent tree: {found}", "", *listing(tree.tree, tree.schema, tree.classes, nodes)]


def _as_json(found: ShortestTree) -> dict[str, Any]:
    return {
        "tests": found.value, "lower": found.lower, "upper": found.upper, "greedy_tests": found.greedy_tests,
        "tree": None if found.tree is None else found.tree.as_json(0)["tree"],
    }  # fmt: skip
