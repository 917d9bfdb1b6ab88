"""The list of commands, and how the words of a command line become options."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module

from mistakebound import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace, _SubParsersAction
    from typing import Any

# In the order of a newcomer's day.  The module of a command has `add_options(parser)` and `run(options) -> exit code`.
COMMANDS = {
    "demo": "make a stream of a million attributes, learn it, draw the mistakes against the bound",
    "learn": "learn a stream, one example at a time",
    "predict": "label the rows of a stream with a model",
    "eval": "measure a model on a labelled stream",
    "explain": "say what a model has learned",
    "inspect": "say what is in a model file",
    "play": "play a learner against a random target or an adversary",
    "opt": "compute the best mistake bound that any algorithm can have for a class",
    "measure": "compute all the exact numbers of a class, each with its witness",
    "sample-size": "say how many examples are enough",
    "learners": "list the learners with their parameters and theorems",
    "completion": "print a shell's completion script",
}


class Help(RawDescriptionHelpFormatter):
    """As wide as the terminal, which argparse would ask shutil for, with all that it imports, at every option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def parse(words: list[str]) -> Namespace:
    """Options of one command.  Only that command's module is imported, unless help about all is wanted."""
    wanted = next((word for word in words if not word.startswith("-")), "")
    return build_parser([wanted] if wanted in COMMANDS else list(COMMANDS)).parse_args(words)


def build_parser(commands: list[str]) -> ArgumentParser:
    parser = ArgumentParser(
        prog="mistakebound",
        description="Learning online, one example at a time, with a proven limit on the number of mistakes.",
        epilog="Exit codes: 0 ok, 1 failure, 2 usage, 3 bad data, 4 bad model file, 5 assumption refuted (learn "
        "--strict), 130 interrupted.",
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"mistakebound {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in commands:
        _add(subparsers, name)
    return parser


def _add(subparsers: _SubParsersAction[Any], name: str) -> None:
    module = import_module(f"mistakebound.cli.{name.replace('-', '_')}")
    command = subparsers.add_parser(
        name,
        help=COMMANDS[name],
        description=module.__doc__,
        formatter_class=Help,
        allow_abbrev=False,
    )
    module.add_options(command)
    command.set_defaults(run=module.run)


def note(text: str) -> None:
    """A word to the person at the terminal, beside the data."""
    print(f"mistakebound: {text}", file=sys.stderr)
