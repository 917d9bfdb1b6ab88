"""Options of `learn` that make other attributes of those that are there; nothing is imported where none is given."""

from __future__ import annotations

from mistakebound.cli.numbers import whole
from mistakebound.cli.outputs import option_of
from mistakebound.model.new_learner import TRANSFORMS, asked_for, transformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any


def add_expand_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("transforms", "Other attributes, made of those of the stream: docs/expand.md")
    group.add_argument("--cross", type=whole, metavar="K", help="all conjunctions of up to K attributes that are on")
    group.add_argument("--negate", action="store_true", help="negated literals too, of attributes that are off")
    group.add_argument(
        "--attributes", type=whole, metavar="N", help="how many there are (learners without a parameter n)"
    )
    group.add_argument(
        "--cross-limit", type=whole, metavar="M", help="conjunctions of one row, at most (default: 100000)"
    )
    group.add_argument(
        "--reduce", choices=("conjunction", "decision-list"), metavar="CLASS",
        help="learn a conjunction or a decision-list of literals with a learner of disjunctions (winnow2)",
    )  # fmt: skip
    group.add_argument("--standardize", action="store_true", help="numbers less their mean so far, over their spread")


def given(options: Namespace) -> list[str]:
    """Those of these options that stand on the command line."""
    return [option_of(name) for name in TRANSFORMS if asked_for(getattr(options, name))]


def expanded(learner: Any, options: Namespace, facts: dict[str, Any]) -> Any:
    """The learner that these options ask for, from the one without them."""
    return transformed(learner, facts, {name: getattr(options, name) for name in TRANSFORMS}, option_of)
