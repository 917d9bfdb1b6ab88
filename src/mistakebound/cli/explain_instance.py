"""`explain` for one instance: reads it from the command line or from a row of a file."""

from __future__ import annotations

import json

from mistakebound.cli.commands import note
from mistakebound.cli.options import whole
from mistakebound.cli.settings import at_least, settings_from
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.instance import twice
from mistakebound.model.explaining import explain_numbered, explain_raw
from mistakebound.model.model import of_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from mistakebound.model.explaining import Explained
    from mistakebound.model.model import Model


def add_instance_options(parser: ArgumentParser) -> None:
    parser.add_argument("--instance", metavar="TEXT", help="explain one row: a line of a file, as '3:1 free'")
    parser.add_argument("--instance-json", metavar="JSON", help='explain one row: {"age": 37}, or names ["free"]')
    parser.add_argument("--row", type=whole, metavar="N", help="explain row N of FILE, counted from 1")


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
        raise BadParameter(f"an instance can be given by one option only, not by {' and '.join(given)}")
    if options.row is not None and len(options.files) != 1:
        raise BadParameter(f"--row needs exactly one FILE: {len(options.files)} are given")
    if given and options.row is None and options.files:
        raise BadParameter(f"{given[0]} takes no FILE: {options.files[0]!r}")
    return bool(given)


def explain(options: Namespace, model: Model) -> Explained:
    """The explanation of the one instance that is asked for, read as a row of a stream."""
    if options.row is None:
        return explain_raw(model, instance_of(options, model))
    at_least("--row", options.row, 1)
    settings = settings_from(options, model.settings)
    table = None
    if of_table(model.learner):
        from mistakebound.cli.terminal import reader_with_progress
        from mistakebound.model.table_rows import read_table

        table, _ = read_table(model, options.files, settings, read=reader_with_progress(options.threads), say=note)
    return explain_numbered(model, options.files[0], options.row, settings, table=table, option="--row")


def instance_of(options: Namespace, model: Model) -> Any:
    """--instance is a line of the format that was learned; where lines are names with values, these may stand alone."""
    text: str | None = options.instance
    if text is None:
        return read_json(options.instance_json)
    format = "" if model.schema is None else model.schema.format
    if format in ("", "libsvm") or (format == "vw" and "|" not in text):
        return read_text(text)
    return text


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
        raise BadData(f"--instance-json is not valid JSON: {error}", text=text) from None
    if not isinstance(x, (dict, list)):
        raise BadData("--instance-json must be an object or a list of names", text=text)
    return x


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    x = dict(pairs)
    if len(x) < len(pairs):
        names = [name for name, _ in pairs]
        raise BadData(twice(next(name for name in names if names.count(name) > 1)))
    return x
