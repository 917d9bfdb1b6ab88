"""What options say: parameters of a learner, facts that are assumed, labels, costs, how a stream is read."""

from __future__ import annotations

from mistakebound import learners
from mistakebound.arena.stream_labels import one_vs_all
from mistakebound.cli.options import SEED, whole
from mistakebound.cli.outputs import option_of
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.facts import check_fact
from mistakebound.core.params import number
from mistakebound.core.weights import set_costs
from mistakebound.model.model import reader_settings
from mistakebound.model.plan import FOR_GAMES as FOR_GAMES
from mistakebound.model.plan import FOR_STREAMS as FOR_STREAMS
from mistakebound.model.plan import check_parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.protocol import Learner

_LEAST = {"threads": 1, "window": 1, "passes": 1}
_MOST_THREADS = 1000


def check_numbers(options: Namespace) -> None:
    """BadParameter for threads, a window, passes or a seed that cannot be; each where the command has it."""
    for name, least in _LEAST.items():
        value = getattr(options, name, None)
        if value is not None:
            at_least(f"--{name}", value, least)
            if name == "threads" and value > _MOST_THREADS:
                raise BadParameter(f"--threads must be <= {_MOST_THREADS}: {value}")
    if not getattr(options, "shuffle", True) and options.seed != SEED:
        raise BadParameter(f"--seed needs --shuffle: {options.seed}")


def at_least(option: str, value: int, least: int) -> None:
    if value < least:
        raise BadParameter(f"{option} must be >= {least}: {value}")


_DELIMITERS = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
}  # what a shell makes hard to write


def settings_from(options: Namespace, remembered: dict[str, Any] | None) -> dict[str, Any]:
    """The settings for `open_stream`: what the options say, and for the rest what a model remembers of its reader."""
    return reader_settings(given_settings(options), remembered, option_of)


def given_settings(options: Namespace) -> dict[str, Any]:
    """Those settings that stand on the command line."""
    given: dict[str, Any] = {}
    if options.format != "auto":
        given["format"] = options.format
    for name in ("label", "weights", "hash", "ngrams"):
        if getattr(options, name) is not None:
            given[name] = getattr(options, name)
    for name in ("case", "punctuation"):
        if getattr(options, f"keep_{name}"):
            given[name] = "keep"
    if options.no_header:
        given["no_header"] = True
    if options.delimiter is not None:
        given["delimiter"] = _DELIMITERS.get(options.delimiter, options.delimiter)
    if options.columns is not None:
        given["names"] = _columns(options.columns)
    if options.missing is not None:
        given["missing"] = _columns(options.missing)
    for name in ("nominal", "numeric", "keep"):
        if getattr(options, name):
            given[name] = [column for words in getattr(options, name) for column in _columns(words)]
    if options.bins:
        given["bins"] = _bins(options.bins)
    if options.ignore:
        given["ignore"] = sorted(set(options.ignore))
    return given


def _columns(words: str) -> list[str]:
    """Names with commas between them; one that has a comma itself is quoted, as in a table."""
    if '"' not in words:
        return words.split(",")
    import csv

    return next(csv.reader([words]))


def _bins(words: list[str]) -> int | dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        column, _, count = word.rpartition("=")
        try:
            counts[column] = whole(count) if count.isdecimal() else 0
        except ValueError:
            counts[column] = 0
        if counts[column] < 2 or word[0] == "=":
            raise BadParameter(f"--bins must be K or COLUMN=K, K >= 2: {shown(word)}")
    if "" in counts and len(words) > 1:
        raise BadParameter(f"--bins must be one K for all columns, or COLUMN=K for some: {' '.join(words)!r}")
    return counts.get("", 0) or counts


def make_learner(name: str, settings: list[str], labels: str | None, costs: Sequence[str] = ()) -> Any:
    """A new learner as the options describe it; where more than two labels are given, the base of one-vs-all."""
    found = learners.find(name)
    if found.takes != "rows":
        where = f"use `mistakebound {found.command}`" if found.command else "it can be used from Python only"
        raise BadParameter(f"{name} does not learn row by row, as this command needs it; {where}")
    return set_costs(_labelled(found, parsed_settings(found, settings), labels), cost_of_labels(costs), "--cost")


def _labelled(kind: Any, given: dict[str, Any], labels: str | None) -> Any:
    if labels is None:
        return kind(labels=None, **given)
    listed = labels.split(",")
    if kind.many_classes:
        return kind(labels=listed, **given)
    if len(listed) > 2:
        return one_vs_all(kind(**given), listed)
    return kind(labels=label_pair(labels), **given)


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
        check_parameter(kind, key)
        given[key] = declared[key].parse(text)
    for outer, words in inner.items():
        parameter = declared[outer]
        given[outer] = parameter.extended(given.get(outer, parameter.default), words)  # type: ignore[attr-defined]
    for parameter in kind.parameters:
        if parameter.required and parameter.name not in given:
            raise BadParameter(f"{parameter.name} must be {parameter.rule} (--set {parameter.name}=...): not given")
    return given


def cost_of_labels(words: Sequence[str]) -> dict[str, float]:
    """The costs of --cost."""
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


def label_pair(text: str) -> tuple[str, str]:
    negative, comma, positive = text.partition(",")
    if not comma or not negative or not positive or "," in positive:
        raise BadParameter(f"--labels must be NEG,POS: {text!r}")
    return negative, positive
