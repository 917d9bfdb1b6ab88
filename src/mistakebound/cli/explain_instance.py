"""`explain` for one instance: reads it from the command line or from a row of a file."""

from __future__ import annotations

import json

from mistakebound.cli.numbers import whole
from mistakebound.cli.reader_options import add_reader_options, settings_from
from mistakebound.cli.settings import at_least
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.instance import twice
from mistakebound.io import is_cache, open_stream
from mistakebound.report.explanation import explain_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model
    from mistakebound.report.explanation import Explanation


def add_instance_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("one instance", "what each of its attributes adds, against the threshold")
    group.add_argument("--instance", metavar="TEXT", help="names with values, or without for 1: '3:1 17:0.5 free'")
    group.add_argument("--instance-json", metavar="JSON", help='an object {"free": 1} or a list of names ["free"]')
    group.add_argument("--row", type=whole, metavar="N", help="the N-th row of --file, from 1")
    group.add_argument("--file", metavar="FILE", help="a stream like the one that was learned; - is standard input")
    add_reader_options(parser)


def asked_for(options: Namespace) -> bool:
    """Whether one instance is given; BadParameter when it is given twice or by half."""
    given = [
        name
        for name, value in (
            ("--instance", options.instance), ("--instance-json", options.instance_json), ("--row", options.row),
        )
        if value is not None
    ]  # fmt: skip
    if len(given) > 1:
        raise BadParameter(f"one instance must be given in one way: {' and '.join(given)}")
    if options.row is not None and options.file is None and len(options.files) == 1:
        options.file = options.files.pop()
    if given and options.files:
        raise BadParameter(
            f"FILE is for the rule of the whole model, {given[0]} for one instance: {options.files[0]!r}"
        )
    if (options.row is None) != (options.file is None):
        raise BadParameter("--row and --file must be given together: the N-th row of which file")
    return bool(given)


def explain(options: Namespace, model: Model) -> Explanation:
    """As a row of a stream would be predicted: what the model's reader ignores is dropped, what it hashes is hashed."""
    x = instance_of(options, model)
    settings = model.settings or {}
    if not settings.get("ignore") and not settings.get("hash"):
        return explain_one(model.learner, x)
    from mistakebound.core.instance import read_instance
    from mistakebound.io.one_row import as_read

    if options.row is not None and hashed_already(options, model):
        return explain_one(model.learner, x, buckets={})
    instance, buckets, dropped = as_read(read_instance(x), settings)
    explanation = explain_one(model.learner, instance, buckets=buckets)
    if dropped:
        explanation.add_remark(f"ignored, as in the stream: {', '.join(dropped)}")
    return explanation


def instance_as_read(options: Namespace, model: Model) -> Any:
    """The instance without what the model's reader ignores, hashed where that hashes."""
    x = instance_of(options, model)
    settings = model.settings or {}
    if not settings.get("ignore") and not settings.get("hash"):
        return x
    from mistakebound.core.instance import read_instance
    from mistakebound.io.one_row import as_read

    if options.row is not None and hashed_already(options, model):
        return x
    return as_read(read_instance(x), settings)[0]


def hashed_already(options: Namespace, model: Model) -> bool:
    """Whether the rows of the file have no names any more: those of a cache of hashed rows."""
    return bool(model.settings and model.settings.get("hash")) and is_cache(
        [options.file], settings_from(options, model.settings)
    )


def instance_of(options: Namespace, model: Model) -> Any:
    if options.instance is not None:
        return read_text(options.instance)
    if options.instance_json is not None:
        return read_json(options.instance_json)
    at_least("--row", options.row, 1)
    return read_row(options, model)


def read_text(text: str) -> dict[str, float]:
    """`name:value` or `name`, separated by blanks; a name may have colons in it when its value is written.

    >>> read_text("3:1 17:0.5 free a:b:2")
    {'3': 1.0, '17': 0.5, 'free': 1.0, 'a:b': 2.0}
    """
    x: dict[str, float] = {}
    for word in text.split():
        name, colon, value = word.rpartition(":")
        if not colon:
            name, value = word, "1"
        try:
            number = float(value)
        except ValueError:
            raise BadData(f"the value {value!r} of attribute {name!r} is not a number", text=text) from None
        if not name:
            raise BadData(f"{word!r} has no name before its value", text=text)
        if name in x:
            raise BadData(twice(name), text=text)
        x[name] = number
    return x


def read_json(text: str) -> Any:
    try:
        x = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadData):
            raise
        raise BadData(f"--instance-json must be JSON, {error}", text=text) from None
    if not isinstance(x, (dict, list)):
        raise BadData("--instance-json must be an object or a list of names", text=text)
    return x


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    x = dict(pairs)
    if len(x) < len(pairs):
        names = [name for name, _ in pairs]
        raise BadData(twice(next(name for name in names if names.count(name) > 1)))
    return x


def read_row(options: Namespace, model: Model) -> dict[str, float]:
    left = options.row
    settings = settings_from(options, model.settings)
    if not hashed_already(options, model):
        settings.pop("hash", None)  # with the names
    with open_stream(options.file, settings, unlabelled_ok=True) as reader:
        for block in reader:
            if left <= block.rows:
                return row_of(block, left - 1)
            left -= block.rows
    raise BadParameter(f"--row must be at most {options.row - left:,}, the rows of {options.file}: {options.row:,}")


def row_of(block: Block, row: int) -> dict[str, float]:
    x: dict[str, float] = {}
    for entry in range(block.indptr[row], block.indptr[row + 1]):
        name = block.name(entry)
        if name in x:
            line = None if block.lines is None else block.lines[row]
            raise BadData(twice(name), source=block.source, line=line)
        x[name] = 1.0 if block.values is None else block.values[entry]
    return x
