"""Options of `learn` that make other attributes of those that are there; nothing is imported where none is given."""

from __future__ import annotations

from mistakebound.cli.numbers import whole
from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_NAMES = ("cross", "negate", "attributes", "cross_limit", "reduce", "standardize")


def add_expand_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("more attributes", "from those of the stream: docs/expand.md")
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
    return [f"--{name.replace('_', '-')}" for name in _NAMES if _stands(getattr(options, name))]


def _stands(value: Any) -> bool:
    """Whether an option was given: 0 is a number, if a wrong one."""
    return value is not None and value is not False


def expanded(learner: Any, options: Namespace, facts: dict[str, Any]) -> Any:
    """The learner that these options ask for, from the one without them."""
    found = given(options)
    if not found:
        return learner
    if options.standardize:
        if len(found) > 1:
            raise BadParameter(f"--standardize must stand without {found[0]}")
        from mistakebound.transforms.standardize import standardize

        return standardize(learner)
    if not {"--cross", "--negate", "--reduce"} & set(found):
        raise BadParameter(f"{found[0]} must stand beside --cross, --negate or --reduce")
    from mistakebound.transforms.expand import expand

    limit = {} if options.cross_limit is None else {"limit": options.cross_limit}
    return expand(
        learner,
        1 if options.cross is None else options.cross,
        negate=options.negate,
        n=options.attributes,
        reduce=options.reduce,
        rules=facts.get("rules") if options.reduce == "decision-list" else None,
        **limit,
    )
