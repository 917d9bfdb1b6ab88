"""What `mistakebound tree` prints: the tree with its size and errors, its rules, a row explained."""

from __future__ import annotations

from mistakebound.learners.tree.table_text import listing
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.cli.tree_work import Work


def as_text(work: Work, seconds: float) -> list[str]:
    learner, options = work.learner, work.options
    said = [
        ("table", f"{work.table.rows:,} rows, {len(work.table.columns):,} columns, {len(work.classes):,} classes"),
        ("tree", learner.size_text()),
        *_pruning(work),
        ("training", _errors(work.errors(work.training))),
    ]
    if work.validation is not None:
        said.append(("validation", _errors(work.errors(work.validation))))
    said.append(("time", f"{seconds:.3g} s"))
    if options.model is not None:
        said.append(("model", options.model))
    lines = [f"{learner!r} on {', '.join(options.files)}", *fields(said)]
    if work.rules is None:
        lines += ["", *listing(learner.tree, learner.schema, work.classes, work.nodes)]
    else:
        lines += ["", *_rules(work)]
    if options.row is not None:
        lines += ["", f"row {options.row}", *learner.explain_row(work.table, options.row - 1)]
    if work.shortest is not None:
        lines += ["", *_shortest(work)]
    return lines


def _errors(found: dict[str, int] | None) -> str:
    assert found is not None
    share = 100 * found["mistakes"] / found["rows"]
    return f"{found['rows']:,} rows, {found['mistakes']:,} mistakes ({share:.2f} %)"


def _pruning(work: Work) -> list[tuple[str, str]]:
    learner = work.learner
    if learner.settings["prune"] is None:
        return []
    said = f"{learner.settings['prune']}: {learner.unpruned.size:,} nodes before, {learner.tree.size:,} after"
    if learner.trace is not None:
        said += f", in {len(learner.trace):,} steps"
    if learner.code_length is not None:
        return [("pruned", said), ("before", str(learner.code_length_before)), ("after", str(learner.code_length))]
    return [("pruned", said)]


def as_code(work: Work) -> str:
    """The rules as Python or SQL and nothing else, to be kept in a file; a comment says where they come from."""
    assert work.rules is not None
    mark, code = ("--", work.rules.sql()) if work.options.rules == "sql" else ("#", work.rules.python())
    came = f"{len(work.rules):,} rules of {work.learner!r} on {', '.join(map(repr, work.options.files))}"
    return f"{mark} {came}\n{mark} training: {_errors(work.errors(work.training, work.rules))}\n{code.rstrip()}"


def _rules(work: Work) -> list[str]:
    rules = work.rules
    assert rules is not None
    said = [
        ("rules", f"{len(rules):,}; worth: {rules.estimate}"),
        ("training", _errors(work.errors(work.training, rules))),
    ]
    if work.validation is not None:
        said.append(("validation", _errors(work.errors(work.validation, rules))))
    return [*fields(said), "", *str(rules).split("\n")]


def _shortest(work: Work) -> list[str]:
    found = work.shortest
    assert found is not None
    if found.tree is None:
        return [f"shortest consistent tree: {found} (out of time)"]
    tree = found.tree
    return [f"shortest consistent tree: {found}", "", *listing(tree.tree, tree.schema, tree.classes, work.nodes)]


def as_json(work: Work, seconds: float) -> dict[str, Any]:
    learner, options = work.learner, work.options
    data: dict[str, Any] = {
        "files": list(options.files),
        "rows": work.table.rows,
        "columns": list(work.table.names),
        "parameters": learner.settings,
        "remarks": work.remarks,
        "training": work.errors(work.training),
        "validation": work.errors(work.validation),
        "seconds": seconds,
        **learner.as_json(0),
    }
    if learner.settings["prune"] is not None:
        data["nodes_before"] = learner.unpruned.size
    if learner.trace is not None:
        data["removals"] = [step._asdict() for step in learner.trace]
    if learner.code_length is not None:
        data["bits"] = {
            name: {"tree": bits.tree, "exceptions": bits.exceptions, "total": bits.total}
            for name, bits in (("before", learner.code_length_before), ("after", learner.code_length))
            if bits is not None
        }
    if work.rules is not None:
        data["rules"] = work.rules.as_json()
        data["rules"]["training"] = work.errors(work.training, work.rules)
        data["rules"]["validation"] = work.errors(work.validation, work.rules)
        if options.rules != "text":
            data["rules"][options.rules] = work.rules.python() if options.rules == "python" else work.rules.sql()
    if options.row is not None:
        data["row"] = {"number": options.row, "explanation": learner.explain_row(work.table, options.row - 1)}
    if work.shortest is not None:
        found = work.shortest
        data["shortest"] = {
            "tests": found.value, "lower": found.lower, "upper": found.upper, "greedy_tests": found.greedy_tests,
            "tree": None if found.tree is None else found.tree.as_json(0)["tree"],
        }  # fmt: skip
    return data
