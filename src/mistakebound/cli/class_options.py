"""Options of the commands that compute something about a class."""

from __future__ import annotations

import os

from mistakebound.cli.options import add, whole
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

CLASSES = """conjunctions n=4, disjunctions n=4, monotone-conjunctions n=8,
monotone-disjunctions n=8 k=2 (exactly),
dnf n=6 terms=2 literals=2 (at_most, monotone=false), decision-lists n=4,
linear-thresholds n=4, r-of-k n=6 r=2 k=4,
separated n=4 delta=1/2, parities n=5, all-functions n=3, juntas n=4 k=2,
decision-trees n=3 depth=2, thresholds m=15, intervals m=10,
singletons m=8 (empty), finite rows=0011,0101,
attribute-conjunctions sky=sunny,rainy wind=strong,weak;
or a FILE: a line per concept, a column per instance, labels 0 and 1"""


def add_class_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="CLASS", help="concept class, such as conjunctions n=4, or a FILE of labels"
    )
    add(parser, "timeout", "json")
    parser.add_argument_group("classes", CLASSES)
    group = parser.add_argument_group("limits")
    group.add_argument("--limit", type=whole, metavar="N", help="maximum concepts x instances (default: 268435456)")


def class_of(options: Namespace) -> tuple[ConceptClass, FiniteClass]:
    """The class that is named, and the same as bits."""
    named = class_named(options)
    return named, table_of(options, named)


def class_named(options: Namespace) -> ConceptClass:
    """The class that is named, or that stands in a file."""
    from mistakebound.concepts.class_text import parse_class

    if not options.words:
        raise BadParameter("CLASS must be given, such as conjunctions n=4, or a FILE of labels")
    if options.limit is not None:
        at_least("--limit", options.limit, 1)
    if len(options.words) == 1 and os.path.isfile(options.words[0]):
        from mistakebound.concepts.matrix_file import read_class

        return read_class(options.words[0], limit=_limit(options))
    return parse_class(" ".join(options.words))


def table_of(options: Namespace, named: ConceptClass) -> FiniteClass:
    """A class as bits."""
    try:
        return named.finite(limit=_limit(options))
    except BadParameter as error:
        raise BadParameter(str(error).replace("(limit= raises that)", "(--limit raises that)")) from None


def _limit(options: Namespace) -> int:
    from mistakebound.concepts.finite import LIMIT

    return LIMIT if options.limit is None else int(options.limit)


def seconds(options: Namespace) -> float | None:
    if options.timeout is not None and not options.timeout >= 0:
        raise BadParameter(f"--timeout must be a number of seconds >= 0: {options.timeout}")
    timeout: float | None = options.timeout
    return timeout


def as_data(x: Any) -> Any:
    """An instance or a concept for JSON: rows as lists, anything else as text."""
    if isinstance(x, tuple):
        return list(x)
    return x if isinstance(x, int) else str(x)
