"""Learn a decision tree from a table, and show it: as text, as a picture, as rules.

mistakebound tree weather.csv --label play
mistakebound tree adult.csv --label income --prune pessimistic --svg tree.svg --model adult.mb
mistakebound tree adult.csv --label income --prune reduced_error --rules sql
mistakebound tree adult.csv --label income --plot curves.png
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.commands import note, say, say_code
from mistakebound.cli.numbers import whole
from mistakebound.cli.settings import at_least
from mistakebound.cli.table_reading import add_table_options
from mistakebound.core.errors import BadParameter
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_PRUNINGS = ("none", "reduced_error", "pessimistic", "mdl")


INPUTS = ("files", "validation")
OUTPUTS = {"svg": "svg", "dot": "dot", "model": "model", "plot": "picture"}


def add_options(parser: ArgumentParser) -> None:
    add_table_options(parser)
    parser.add_argument("--prune", choices=_PRUNINGS, help="how the grown tree is cut (default: none)")
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], dest="settings",
        help="a parameter: see `mistakebound learners decision-tree`",
    )  # fmt: skip
    parser.add_argument(
        "--cost", metavar="COLUMN=NUMBER", action="append", default=[], dest="costs", help="what a test of it costs"
    )
    parser.add_argument(
        "--validation", metavar="FILE", help="a table to prune by (reduced_error, --rules) and to measure"
    )
    parser.add_argument(
        "--holdout", type=number, metavar="SHARE", help="hold rows out for that instead (default where needed: 0.333)"
    )
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="of the rows that are held out (default: 0)")
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "--rules", nargs="?", const="text", choices=("text", "python", "sql"), help="the tree as post-pruned rules"
    )
    shown.add_argument("--svg", metavar="OUT", help="draw the tree")
    shown.add_argument("--dot", metavar="OUT", help="the tree for Graphviz")
    shown.add_argument(
        "--nodes", type=whole, metavar="N", help="that are shown; the rest is folded (default: 60, 0: all)"
    )
    shown.add_argument("--row", type=whole, metavar="N", help="explain this row of the table and mark its path")
    shown.add_argument("--plot", metavar="OUT", help="learning curve and over-fitting, a .png or .svg")
    shown.add_argument("--shortest", action="store_true", help="find the shortest consistent tree (small tables)")
    shown.add_argument("--timeout", type=number, metavar="SECONDS", help="for --shortest")
    shown.add_argument("--model", metavar="OUT", help="write the model here")
    shown.add_argument("--json", action="store_true", help="print one JSON object")
    shown.add_argument("--quiet", action="store_true", help="no report")


def run(options: Namespace) -> int:
    _check(options)
    from mistakebound.cli.tree_report import as_code, as_json, as_text
    from mistakebound.cli.tree_work import Work

    start = perf_counter()
    work = Work(options)
    work.learn()
    seconds = perf_counter() - start
    for remark in work.remarks:
        note(remark)
    work.write()
    if options.json:
        print(json.dumps(as_json(work, seconds)))
    elif options.rules in ("python", "sql") and not options.quiet:
        say_code(as_code(work))
    elif not options.quiet:
        say(*as_text(work, seconds))
    return 0


def _check(options: Namespace) -> None:
    """What would be wrong after the work is said before it."""
    if options.nodes is not None:
        at_least("--nodes", options.nodes, 0)
    if options.row is not None:
        at_least("--row", options.row, 1)
    at_least("--seed", options.seed, 0)
    if options.validation is not None and options.holdout is not None:
        raise BadParameter(
            f"--holdout must be left out, --validation {options.validation} is given: {options.holdout:g}"
        )
    if options.holdout is not None and not 0 < options.holdout < 1:
        raise BadParameter(f"--holdout must be a share above 0 and below 1: {options.holdout:g}")
    if options.timeout is not None and not options.shortest:
        raise BadParameter(f"--timeout must come with --shortest: {options.timeout:g}")
