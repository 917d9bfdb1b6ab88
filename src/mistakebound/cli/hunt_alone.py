"""The program of the wheel that holds only hunt: `setbisect flags FILE -- CMD {}` is `mistakebound hunt flags ...`.

The wheel is made of the files of this package by tools/setbisect, which gives them its own name.  In this package it
runs as `python -m mistakebound.cli.hunt_alone`.
"""

from __future__ import annotations

from mistakebound.cli import hunt
from mistakebound.cli import process as process_of
from mistakebound.cli.commands import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

NAME = "setbisect"


def parse(words: list[str]) -> Any:
    """The options of hunt, without a word that names the command."""
    options = read(words, hunt)
    if options is not None:
        return options
    from mistakebound.cli.parser import parser_of

    return parser_of(hunt, NAME).parse_args(words)


def process() -> NoReturn:
    process_of(parse)


if __name__ == "__main__":
    process()
