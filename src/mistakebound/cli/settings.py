"""NAME=VALUE options: parameters of a learner, facts that are assumed, labels."""

from __future__ import annotations

from mistakebound import learners
from mistakebound.arena.stream_labels import one_vs_all
from mistakebound.core.errors import BadParameter
from mistakebound.core.facts import check_fact
from mistakebound.core.params import number
from mistakebound.model.new_learner import FOR_GAMES as FOR_GAMES
from mistakebound.model.new_learner import FOR_STREAMS as FOR_STREAMS
from mistakebound.model.new_learner import is_many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.protocol import Learner

_MOST_THREADS = 1000


def add_learner(parser: ArgumentParser, usual: str) -> None:
    parser.add_argument("--learner", metavar="NAME", help=f"see `mistakebound learners` (default: {usual})")
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], dest="settings", help="a parameter of the learner"
    )


def make_learner(name: str, settings: list[str], labels: str | None, costs: Sequence[str] = ()) -> Any:
    """A new learner as the options describe it; where more than two labels are given, the base of one-vs-all."""
    found = learners.find(name)
    if found.takes != "rows":
        where = f"`mistakebound {found.command}` is for this" if found.command else "this one is used from Python"
        raise BadParameter(f"learner must be one of rows in a stream, {where}: {name!r}")
    given = parsed_settings(found, settings)
    weighing = {"costs": cost_of_labels(name, costs)} if costs else {}
    listed = label_list(labels)
    if found.many_classes:
        return found(labels=listed, **weighing, **given)
    if is_many(listed):
        return one_vs_all(found(**weighing, **given), listed)
    return found(labels=label_pair(labels), **weighing, **given)


def parsed_settings(kind: type[Learner], settings: list[str]) -> dict[str, Any]:
    """The values of --set, for the parameters of a learner and of its `fit`; BadParameter also for one that lacks."""
    declared = {parameter.name: parameter for parameter in (*kind.parameters, *kind.fit_parameters)}
    given: dict[str, Any] = {}
    inner: dict[str, dict[str, str]] = {}  # settings of a learner that is a parameter: base.eta
    for key, text in pairs("--set", settings):
        outer, dot, name_inside = key.partition(".")
        if dot and hasattr(declared.get(outer), "extended"):
            inner.setdefault(outer, {})[name_inside] = text
            continue
        if key not in declared:
            raise BadParameter(f"{key} is not a parameter of {kind.name}: {', '.join(declared) or 'it has none'}")
        given[key] = declared[key].parse(text)
    for outer, words in inner.items():
        parameter = declared[outer]
        given[outer] = parameter.extended(given.get(outer, parameter.default), words)  # type: ignore[attr-defined]
    for parameter in kind.parameters:
        if parameter.required and parameter.name not in given:
            raise BadParameter(f"{parameter.name} must be {parameter.rule} (--set {parameter.name}=...): not given")
    return given


def cost_of_labels(name: str, words: Sequence[str]) -> dict[str, float]:
    """The costs of --cost, for a learner that has a use for them."""
    if not learners.find(name).weighted:
        raise BadParameter(f"--cost must be left out, {name} gives costs no meaning: {', '.join(words)}")
    costs = {}
    for label, text in pairs("--cost", list(words)):
        try:
            costs[label] = number(text)
        except (ValueError, OverflowError):
            raise BadParameter(f"the cost of {label} must be a number > 0: {text!r}") from None
    return costs


def pairs(option: str, words: list[str]) -> list[tuple[str, str]]:
    split: list[tuple[str, str]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise BadParameter(f"{option} must be NAME=VALUE: {word!r}")
        if name in dict(split):
            raise BadParameter(f"{option} {name} must be given once: {word!r}")
        split.append((name, value))
    return split


def assumptions(words: list[str]) -> dict[str, Any]:
    """The facts of --assume; a list of names is written with commas: relevant=3,17."""
    facts: dict[str, Any] = {}
    for name, text in pairs("--assume", words):
        if name == "relevant":
            facts[name] = check_fact(name, text.split(","))
            continue
        facts[name] = check_fact(name, text)
    return facts


def label_list(text: str | None) -> list[str] | None:
    return None if text is None else text.split(",")


def label_pair(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    negative, comma, positive = text.partition(",")
    if not comma or not negative or not positive or "," in positive:
        raise BadParameter(f"--labels must be NEG,POS: {text!r}")
    return negative, positive


def at_least(option: str, value: int, least: int) -> None:
    if value < least:
        raise BadParameter(f"{option} must be >= {least}: {value}")


def at_most(option: str, value: int, most: int) -> None:
    if value > most:
        raise BadParameter(f"{option} must be <= {most}: {value}")


def check_window(window: int | None) -> None:
    if window is not None:
        at_least("--window", window, 1)


def check_threads(threads: int | None) -> None:
    if threads is not None:
        at_least("--threads", threads, 1)
        at_most("--threads", threads, _MOST_THREADS)
