"""How a stream is to be read: the options that `learn`, `predict` and `eval` share, and what a model remembers."""

from __future__ import annotations

from mistakebound.cli import common
from mistakebound.cli.numbers import whole
from mistakebound.cli.outputs import option_of
from mistakebound.core.errors import BadParameter, shown
from mistakebound.io.formats import FORMATS
from mistakebound.model.schema import reader_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_LISTS = ("nominal", "numeric")


def add_reader_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading", "A model remembers how its stream was read.")
    group.add_argument(
        "--format", default="auto", choices=("auto", *FORMATS), help="default: auto, by name and first line"
    )
    group.add_argument("--weights", metavar="COLUMN", help="of a table: the column of example weights")
    group.add_argument(
        "--nominal", metavar="COLUMNS", action="append", default=[], help="of a table: columns of names, a,b"
    )
    group.add_argument(
        "--numeric", metavar="COLUMNS", action="append", default=[], help="of a table: columns of numbers, a,b"
    )
    group.add_argument(
        "--bins", metavar="K", action="append", default=[], help="of a table: cut numbers into K bins; COLUMN=K for one"
    )
    group.add_argument(
        "--ignore", metavar="PATTERN", action="append", default=[], help="drop attributes by name: 'user_*'"
    )
    group.add_argument("--ngrams", type=whole, metavar="N", help="of text: words, and runs of up to N words")
    group.add_argument("--keep-case", action="store_true", help="of text: words as they are written, not in lower case")
    group.add_argument("--keep-punctuation", action="store_true", help="of text: marks are words too")
    group.add_argument("--hash", type=whole, metavar="BITS", help="hash attribute names into 2^BITS numbers")
    common.add_threads(group)


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
    given |= {name: "keep" for name in ("case", "punctuation") if getattr(options, f"keep_{name}")}
    for name in _LISTS:
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
