"""Compute opt(C), the best mistake bound that any algorithm can have for a class, with a mistake tree as witness.

mistakebound opt monotone-disjunctions n=8 k=2
mistakebound opt "decision-lists n=3" --tree svg --output tree.svg
mistakebound opt linear-thresholds n=5 --timeout 10
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.class_options import add_class_options, as_data, class_of, seconds
from mistakebound.cli.commands import say
from mistakebound.cli.numbers import whole
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadParameter
from mistakebound.report.table import fields
from mistakebound.theory.mistake_tree import LIMIT as LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.theory.opt import Opt


OUTPUTS = {"output": lambda options: options.tree}


def add_options(parser: ArgumentParser) -> None:
    add_class_options(parser)
    parser.add_argument("--tree", choices=("text", "dot", "svg"), help="print the mistake tree, too")
    parser.add_argument("--levels", type=whole, metavar="N", help="of the tree; what is below is folded (default: 5)")
    parser.add_argument("--output", metavar="FILE", help="write the tree there instead")


def run(options: Namespace) -> int:
    from mistakebound.theory.opt import opt

    if options.output and not options.tree:
        raise BadParameter(f"--output must come with --tree: {options.output}")
    if options.levels is not None:
        at_least("--levels", options.levels, 1)
    _, finite = class_of(options)
    start = perf_counter()
    found = opt(finite, seconds(options))
    spent = perf_counter() - start
    if options.json:
        print(json.dumps(as_json(options, found, spent)))
    else:
        say(*as_text(options, found, spent))
    if options.tree and found.tree is not None:
        _show_tree(options, found)
    return 0


def as_json(options: Namespace, found: Opt, spent: float) -> dict[str, Any]:
    finite = found.search.finite
    data: dict[str, Any] = {
        "class": " ".join(options.words),
        "concepts": finite.size,
        "instances": len(finite.instances),
        "opt": found.value,
        "exact": found.exact,
        "lower": found.lower,
        "upper": found.upper,
        "verified": found.verify() if found.lower <= LARGEST else None,
        "seconds": spent,
    }
    if options.tree and found.tree is not None and not options.output:
        tree = found.tree
        data["tree"] = {
            "nodes": [as_data(finite.instances[j]) for j in tree.nodes],
            "leaves": [as_data(finite.concepts[c]) for c in tree.leaves],
        }
    return data


def as_text(options: Namespace, found: Opt, spent: float) -> list[str]:
    finite = found.search.finite
    value = str(found) if found.exact else f"between {found.lower} and {found.upper} (out of time)"
    said = [
        ("concepts", f"{finite.size:,}"),
        ("instances", f"{len(finite.instances):,}"),
        ("opt", value),
    ]
    if 0 <= found.lower <= LARGEST:
        proof = "verified" if found.verify() else "NOT what the definition asks for"
        levels = f"{found.lower} level{'s' * (found.lower != 1)}"
        said.append(("witness", f"a complete mistake tree of {levels}, {proof}"))
    said.append(("time", f"{spent:.3g} s"))
    return [" ".join(options.words), *fields(said)]


def _show_tree(options: Namespace, found: Opt) -> None:
    from mistakebound.report.drawing import draw_tree
    from mistakebound.report.sketch import LEVELS

    if options.json and not options.output:
        return  # it is in the object
    drawn = draw_tree(found.tree, options.tree, LEVELS if options.levels is None else options.levels)
    if options.output:
        from mistakebound.core.whole_file import WholeFile

        with WholeFile(options.output, sync=False, kind=options.tree) as file:
            file.write(drawn.encode() + b"\n")
    else:
        say(*drawn.split("\n"))
