"""Compute how many examples are enough, or what a number of examples guarantees.

  mistakebound sample-size --hypotheses 3^10 --epsilon 0.1 --delta 0.05
  mistakebound sample-size --hypotheses "conjunctions n=10" -m 200 --delta 0.05
  mistakebound sample-size --vc 10 --epsilon 0.1 --delta 0.05

Give all but one of the quantities; the missing one is computed.
"""

from __future__ import annotations

import json

from mistakebound.cli.commands import say
from mistakebound.cli.options import add
from mistakebound.concepts.counts import number_as_json, written
from mistakebound.report.table import fields
from mistakebound.theory.sample_bounds import sample_size, whole_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_LONG = 10**50  # a number that fits into a line
_INEQUALITY = {
    "consistent": "m >= (1/epsilon) (ln |H| + ln 1/delta)",
    "agnostic": "m >= (1/(2 epsilon^2)) (ln |H| + ln 1/delta)",
    "vc": "m >= (1/epsilon) (8 VC log2(13/epsilon) + 4 log2(2/delta))",
}
_PROMISE = {
    "consistent": "a hypothesis that fits the examples errs on less than epsilon",
    "agnostic": "no hypothesis errs on more than epsilon above its training error",
    "vc": "a hypothesis that fits the examples errs on less than epsilon",
}


def add_options(parser: ArgumentParser) -> None:
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--hypotheses", metavar="N", help="|H|: number, power such as 3^10, or concept class")
    size.add_argument("--vc", metavar="N", help="VC dimension of H, in place of its size")
    parser.add_argument("--epsilon", metavar="E", help="maximum error, between 0 and 1")
    parser.add_argument("--delta", metavar="D", help="probability of a larger error, between 0 and 1")
    parser.add_argument("-m", "--examples", dest="m", metavar="N", help="number of examples")
    parser.add_argument("--form", choices=sorted(_INEQUALITY), help="inequality (default: consistent; with --vc, vc)")
    parser.add_argument(
        "--agnostic", action="store_const", const="agnostic", dest="form", help="short for --form agnostic"
    )
    add(parser, "json")


def run(options: Namespace) -> int:
    form = options.form or ("consistent" if options.vc is None else "vc")
    given: dict[str, Any] = {
        "hypotheses": whole("--hypotheses", options.hypotheses), "vc": whole("--vc", options.vc),
        "epsilon": options.epsilon, "delta": options.delta, "m": whole("--examples", options.m),
    }  # fmt: skip
    value = sample_size(**given, form=form)
    size = "vc" if form == "vc" else "hypotheses"
    wanted = next(name for name in (size, "epsilon", "delta", "m") if given[name] is None)
    if options.json:
        known = {name: _number(value) for name, value in given.items() if value is not None}
        print(json.dumps({"form": form, "wanted": wanted, "value": value, **known, wanted: value}))
    else:
        say(*as_text(form, size, wanted, {**given, wanted: value}))
    return 0


def as_text(form: str, size: str, wanted: str, values: dict[str, Any]) -> list[str]:
    names = {"hypotheses": "|H|", "vc": "VC(H)", "epsilon": "epsilon", "delta": "delta", "m": "m"}
    said = [
        (names[name], _shortened(values[name]) + ("  (computed)" if name == wanted else ""))
        for name in (size, "epsilon", "delta", "m")
    ]
    said += [("because", _INEQUALITY[form]), ("promise", f"with probability 1 - delta, {_PROMISE[form]}")]
    return [_written(values[wanted]), *fields(said)]


def _written(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _shortened(value: Any) -> str:
    """As a person reads it; a long number by its power of two."""
    return written(value) if isinstance(value, int) and value >= _LONG else _written(value)


def _number(value: Any) -> Any:
    if isinstance(value, int):
        return number_as_json(value)
    return float(value) if isinstance(value, str) and "/" not in value else value


def whole(option: str, text: str | None) -> int | None:
    """A number, a power, or the number of concepts of a class."""
    return None if text is None else whole_of_text(option, text)
