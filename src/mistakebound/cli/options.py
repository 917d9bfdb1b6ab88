"""Options that several commands have: each is declared once, so that it means the same in all of them.

What is added to a parser itself is on the first page of its help; what is added to a group is on the pages of
--help-all (cli/parser.py).  What options say is read in cli/settings.py.
"""

from __future__ import annotations

import os

from mistakebound.core.params import number
from mistakebound.io import cached
from mistakebound.io.formats import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AIMS = ("f1", "cost", "accuracy")  # of --maximize
SEED = 1  # of all that is drawn at random, in every command
LARGEST = (1 << 63) - 1


def whole(text: str) -> int:
    """The `type` of an option that is a whole number; ValueError for anything else, and for one beyond 2^63 - 1.

    >>> whole("-12"), whole(" 1_000 ")
    (-12, 1000)
    >>> whole("99999999999999999999")
    Traceback (most recent call last):
    ValueError: a whole number must be at most 9223372036854775807
    """
    number = int(text)  # of more than 4,300 digits: a ValueError of Python's
    if not -LARGEST <= number <= LARGEST:
        raise ValueError(f"a whole number must be at most {LARGEST}")
    return number


whole.__name__ = "whole number"  # argparse says "invalid whole number value"


def _cache_place(name: str) -> str:
    """As `--cache events.svm` would take the stream for the cache, a file that is not a cache is refused at once."""
    if os.path.exists(name) and not cached(name) and not (os.path.isfile(name) and not os.path.getsize(name)):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(
            f"refusing to overwrite {name}: it is not a cache of parsed rows; if it is the stream, put --cache "
            "after it or write --cache=NAME"
        )
    return name


_FLAG = {"action": "store_true"}
_LIST = {"action": "append", "default": []}
OPTIONS: dict[str, dict[str, Any]] = {  # as argparse takes them
    "label": {"metavar": "COLUMN", "help": "column of labels (default: detected and reported)"},
    "json": _FLAG | {"help": "print JSON"},
    "quiet": _FLAG | {"help": "print no progress and no remarks; with `learn`, no report"},
    "learner": {"metavar": "NAME"},
    "fast": _FLAG | {"help": "learner arow: about ten times faster, more mistakes"},
    "set": _LIST | {"metavar": "NAME=VALUE", "dest": "settings", "help": "parameter of the learner (repeatable)"},
    "model": {"metavar": "OUT", "help": "write the model to this file"},
    "predictions": {"metavar": "OUT", "help": "write each prediction before its label is used; - is stdout"},
    "plot": {"metavar": "OUT"},
    "holdout": {"metavar": "1/K", "help": "rows to measure on, not learned: every K-th, or a FILE"},
    "validation": {"metavar": "1/K", "help": "rows to prune or stop by: every K-th, or a FILE"},
    "timeout": {"type": number, "metavar": "SECONDS", "help": "time limit in seconds (default: none)"},
    "labels": {"metavar": "NEG,POS", "help": "negative and positive label (default: from 1,000 rows)"},
    "cost": _LIST | {"metavar": "LABEL=NUMBER", "dest": "costs", "help": "cost of a mistake on LABEL (default: 1)"},
    "threshold": {"metavar": "T", "help": "score above which the positive label is predicted"},
    "maximize": {"choices": AIMS, "help": "choose the threshold by the scores before each label"},
    "assume": _LIST | {"metavar": "NAME=VALUE", "help": "fact about the target, for its bound, such as k=10"},
    "iid": _FLAG | {"help": "rows are independent and from one distribution: bound the risk"},
    "strict": _FLAG | {"help": "exit with status 5 if an assumption is refuted"},
    "window": {"type": whole, "metavar": "N", "help": "trials that count as recent (default: a tenth of all)"},
    # reading
    "format": {"default": "auto", "choices": ("auto", *FORMATS), "help": "format (default: by name and first line)"},
    "no-header": _FLAG | {"help": "tables: no header line; columns are c1, c2, ..."},
    "columns": {"metavar": "NAMES", "help": "tables without a header line: column names a,b,..."},
    "delimiter": {"metavar": "CHAR", "help": "tables: delimiter between cells (default: detected)"},
    "missing": {"metavar": "WORDS", "help": "tables: missing cells (NA,N/A,null,None,NaN,?,-)"},
    "keep": _LIST | {"metavar": "COLUMNS", "help": "tables, JSON: keep these columns that look like ids"},
    "weights": {"metavar": "COLUMN", "help": "tables: column of example weights (default: none)"},
    "nominal": _LIST | {"metavar": "COLUMNS", "help": "tables: nominal columns, such as a,b"},
    "numeric": _LIST | {"metavar": "COLUMNS", "help": "tables: numeric columns, such as a,b"},
    "bins": _LIST | {"metavar": "K", "help": "tables, JSON: cut numbers into K bins; COLUMN=K for one"},
    "ignore": _LIST | {"metavar": "PATTERN", "help": "drop attributes by name, such as 'user_*'"},
    "ngrams": {"type": whole, "metavar": "N", "help": "text: sequences of up to N words (default: 1)"},
    "keep-case": _FLAG | {"help": "text: do not convert words to lower case"},
    "keep-punctuation": _FLAG | {"help": "text: take punctuation marks as words"},
    "hash": {"type": whole, "metavar": "BITS", "help": "hash attribute names into 2^BITS buckets"},
    "threads": {"type": whole, "metavar": "N", "help": "reading threads (the result does not depend on them)"},
    # transforms
    "cross": {"type": whole, "metavar": "K", "help": "add all conjunctions of up to K attributes that are on"},
    "negate": _FLAG | {"help": "add a negated literal for each attribute that is off"},
    "attributes": {"type": whole, "metavar": "N", "help": "number of attributes, if the learner has no n"},
    "cross-limit": {"type": whole, "metavar": "M", "help": "maximum conjunctions per row (default: 100000)"},
    "reduce": {
        "choices": ("conjunction", "decision-list"), "metavar": "CLASS",
        "help": "learn a conjunction or a decision-list through winnow2",
    },
    "standardize": _FLAG | {"help": "scale numbers by their mean and deviation so far"},
    # passes and checkpoints
    "passes": {
        "type": whole, "default": 1, "metavar": "N", "help": "maximum passes over the stream (default: 1)",
    },
    "shuffle": _FLAG | {"help": "shuffle the rows (in memory) before each pass"},
    "seed": {"type": whole, "default": SEED, "metavar": "N", "help": f"random seed (default: {SEED})"},
    "cache": {
        "nargs": "?", "const": True, "type": _cache_place, "metavar": "NAME",
        "help": "keep parsed rows in NAME, or beside the first FILE",
    },
    "on-error": {"default": "fail", "choices": ("fail", "skip"), "help": "bad rows: fail or skip (default: fail)"},
    "checkpoint": {"metavar": "EVERY", "help": "write --model every N rows, or every N seconds: 30s"},
    "resume": _FLAG | {"help": "continue from the checkpoint in --model, if any"},
    # cluster
    "cluster": {"metavar": "ADDRESS", "help": "Dask scheduler, or local:N for N processes here"},
    "shards": {"type": whole, "metavar": "N", "help": "shards that are mixed (default: one per 16 MB, 8 at most)"},
}  # fmt: skip
GROUPS: dict[str, tuple[str | None, tuple[str, ...]]] = {  # title: what is said of all its options, and their names
    "reading": (
        "A model keeps these settings of the stream that it learned.",
        (
            "format", "no-header", "columns", "delimiter", "missing", "keep", "weights", "nominal", "numeric", "bins",
            "ignore", "ngrams", "keep-case", "keep-punctuation", "hash", "threads",
        ),
    ),
    "transforms": (
        "Features made from the attributes of the stream: docs/expand.md",
        ("cross", "negate", "attributes", "cross-limit", "reduce", "standardize"),
    ),
    "passes and checkpoints": (
        None,
        (
            "passes", "shuffle", "seed", "cache", "on-error", "checkpoint", "resume", "predictions", "cluster",
            "shards",
        ),
    ),
}  # fmt: skip


def add(parser: Any, *names: str, **own: Any) -> None:
    """Declare options, each as it is in all commands but for what is the command's own."""
    for name in names:
        parser.add_argument(f"--{name}", **OPTIONS[name] | own)


def add_group(parser: Any, title: str) -> None:
    about, names = GROUPS[title]
    add(parser.add_argument_group(title, about), *names)
