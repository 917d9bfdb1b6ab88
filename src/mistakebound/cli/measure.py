"""Compute exact numbers of a concept class: VC dimension, opt, halving and others.

mistakebound measure monotone-disjunctions n=6 k=2
mistakebound measure "decision-lists n=3" --witness halving
mistakebound measure conjunctions n=6 --timeout 10 --json
mistakebound measure decision-lists n=3 --only opt --plot tree.svg
mistakebound measure --random 200 --concepts 8 --instances 6 --plot vc_opt.svg
mistakebound measure class.csv --only randomized --only recursive
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.class_options import add_class_options, class_named, seconds, table_of
from mistakebound.cli.commands import say
from mistakebound.cli.measure_witness import DATA, WITNESSES
from mistakebound.cli.options import add, whole
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadParameter
from mistakebound.report.drawing import draw_tree, form_by_ending, write_drawing
from mistakebound.report.sketch import LEVELS
from mistakebound.report.table import columns, fields, fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.theory.littlestone import LowerBound

# Name, what it is, where it lives.
MEASURES = {
    "vc": ("VC dimension", "largest set labelled in all ways", "vc", "vc_dimension"),
    "opt": ("opt", "the best mistake bound of any algorithm", "littlestone", "opt"),
    "halving": ("halving", "the most mistakes of the halving algorithm", "halving_mistakes", "halving_worst_case"),
    "queries": ("query depth", "membership questions in the worst case", "queries", "query_depth"),
    "teaching": ("teaching dim.", "examples for the concept hardest to teach", "teaching", "teaching_dimension"),
    "randomized": (
        "randomized opt", "the best bound on expected mistakes", "dimensions.randomized", "randomized_opt",
    ),
    "recursive": (
        "recursive td.", "examples, easy concepts taught first", "dimensions.recursive_teaching",
        "recursive_teaching_dimension",
    ),
}  # fmt: skip
USUAL = ("vc", "opt", "halving", "queries", "teaching")  # the others may take long


OUTPUTS = {"plot": lambda options: "picture" if options.random else form_by_ending(options.plot)}


def add_options(parser: ArgumentParser) -> None:
    add_class_options(parser)

    parser.add_argument(
        "--only",
        action="append",
        choices=list(MEASURES),
        metavar="NUMBER",
        help="vc, opt, halving, queries, teaching (default); randomized, recursive",
    )
    parser.add_argument(
        "--witness", action="append", choices=[*MEASURES, "all"], default=[], metavar="NUMBER",
        help="show the proof of a number; all: of every number",
    )  # fmt: skip
    add(parser, "plot", help="draw the mistake tree that proves opt: .svg, .dot, .tex")
    parser.add_argument("--levels", type=whole, metavar="N", help="levels of a tree to show (default: 5)")
    group = parser.add_argument_group("random classes", "Without CLASS: how the numbers of many classes relate.")
    group.add_argument("--random", type=whole, metavar="N", help="number of random classes to measure")
    group.add_argument("--concepts", type=whole, default=8, metavar="N", help="concepts of each (default: %(default)s)")
    group.add_argument(
        "--instances", type=whole, default=6, metavar="N", help="instances of each (default: %(default)s)"
    )
    add(group, "seed")
    group = parser.add_argument_group("halving")
    group.add_argument(
        "--tie", type=whole, choices=(0, 1), default=0, help="halving's prediction in a tie (default: 0)"
    )
    group.add_argument(
        "--prune",
        choices=("always", "mistakes"),
        default="always",
        help="when halving drops concepts (default: always)",
    )


def run(options: Namespace) -> int:
    from mistakebound.concepts.literal_sets import MonotoneConjunctions, MonotoneDisjunctions
    from mistakebound.theory.littlestone import lower_bounds

    if options.random is not None:
        from mistakebound.cli.measure_survey import run_survey

        return run_survey(options, options.only or USUAL)
    if options.levels is not None:
        at_least("--levels", options.levels, 1)
    if options.plot is not None and "opt" not in (options.only or USUAL):
        raise BadParameter(f"--plot needs --only opt, because it draws the mistake tree of opt: {options.plot!r}")
    named = class_named(options)
    wanted_numbers = options.only or USUAL
    # opt of these needs no list of their instances, so that there may be many attributes.
    by_counts = isinstance(named, MonotoneDisjunctions | MonotoneConjunctions)
    finite: ConceptClass = named if by_counts and {*wanted_numbers} == {"opt"} else table_of(options, named)
    if not finite.count():
        raise BadParameter("an empty class cannot be measured")
    found: dict[str, Any] = {}
    spent: dict[str, float] = {}
    for name in wanted_numbers:
        start = perf_counter()
        extra = {"tie": options.tie, "prune": options.prune} if name == "halving" else {}
        given = named if name == "opt" and by_counts else finite
        found[name] = _function(name)(given, seconds(options), **extra)
        spent[name] = perf_counter() - start
    bounds = lower_bounds(named)
    wanted = [name for name in found if name in options.witness or "all" in options.witness]
    if options.json:
        print(json.dumps(as_json(options, finite, found, spent, bounds, wanted)))
    else:
        say(*as_text(options, finite, found, spent, bounds))
        for name in wanted:
            say("", *fitted(f"{MEASURES[name][0]}: {WITNESSES[name](found[name], options.levels)}".split("\n")))
    if options.plot is not None and found["opt"].tree is not None:
        levels = options.levels or LEVELS
        write_drawing(options.plot, lambda form: draw_tree(found["opt"].tree, form, levels))
    return 0


def _function(name: str) -> Callable[..., Any]:
    from importlib import import_module

    function: Callable[..., Any] = getattr(import_module(f"mistakebound.theory.{MEASURES[name][2]}"), MEASURES[name][3])
    return function


def as_text(
    options: Namespace, concepts: ConceptClass, found: dict[str, Any], spent: dict[str, float], bounds: list[LowerBound]
) -> list[str]:
    said = [
        ("concepts", f"{concepts.count():,}"),
        ("log2 of it", f"{concepts.bits:.4g}"),
        ("instances", f"{concepts.domain_size():,}"),
    ]
    rows = []
    for name, measure in found.items():
        value = str(measure) if measure.exact else f"{measure} (out of time)"
        rows.append((MEASURES[name][0], value, f"{spent[name]:.3g} s", MEASURES[name][1]))
    lines = [" ".join(options.words), *fields(said, least=13), *columns(rows, "<<><")]
    quantities = {"opt": "opt", "vc": "VC dimension"}
    lines += [f"  Littlestone: {quantities[b.quantity]} >= {b.formula} = {b.value:.4g}" for b in bounds]
    return lines


def _plain(number: Any) -> Any:
    """A fraction as its text."""
    return number if number is None or isinstance(number, int) else str(number)


def as_json(
    options: Namespace,
    concepts: ConceptClass,
    found: dict[str, Any],
    spent: dict[str, float],
    bounds: list[LowerBound],
    wanted: list[str],
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "class": " ".join(options.words),
        "concepts": concepts.count(),
        "log2": concepts.bits,
        "instances": concepts.domain_size(),
    }
    for name, measure in found.items():
        data[name] = {
            "value": _plain(measure.value),
            "exact": measure.exact,
            "lower": _plain(measure.lower),
            "upper": _plain(measure.upper),
            "seconds": spent[name],
        }
        if name in wanted:
            data[name]["witness"] = DATA[name](measure)
            data[name]["verified"] = measure.verify()
    data["lower_bounds"] = [{"of": b.quantity, "value": b.value, "formula": b.formula} for b in bounds]
    return data
