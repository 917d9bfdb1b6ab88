"""The list of commands, and how the words of a command line become options."""

from __future__ import annotations

import sys
from importlib import import_module

from mistakebound.cli.plain_words import read
from mistakebound.core.errors import BadParameter
from mistakebound.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, TextIO

# In the order of a newcomer's day.  The module of a command has `add_options(parser)` and `run(options) -> exit code`.
COMMANDS = {
    "demo": "learn a million attributes, mistakes against the bound",
    "learn": "learn a stream row by row, or a table at once",
    "compare": "several learners on one stream, in a table",
    "predict": "label the rows of a stream with a model",
    "eval": "measure a model on a labelled stream",
    "explain": "say what a model has learned, or why it says so",
    "play": "play a learner against a target or an adversary",
    "hunt": "find the few flags that make a command fail",
    "version-space": "watch a version space shrink, or be asked about it",
    "measure": "compute the exact numbers of a class, with witnesses",
    "sample-size": "say how many examples are enough",
    "learners": "list the learners, their parameters and theorems",
}
GONE = {  # commands of earlier days, and what does their work now
    "tree": "mistakebound learn --learner decision-tree",
    "bayes": "mistakebound learn --learner naive-bayes",
    "network": "mistakebound learn --learner network",
    "gaussian-mixture": "mistakebound learn --learner gaussian-means",
    "inspect": "mistakebound explain MODEL --header",
    "opt": "mistakebound measure CLASS --only opt --witness opt",
    "completion": "mistakebound --completion SHELL",
}


def module_of(command: str) -> ModuleType:
    return import_module(f"mistakebound.cli.{command.replace('-', '_')}")


def parse(words: list[str]) -> Any:
    """Options of one command.  Only that command's module is imported; the list of all commands needs none."""
    if words and words[0] in GONE:
        raise BadParameter(f"the command {words[0]} is now `{GONE[words[0]]}`")
    wanted = next((word for word in words if not word.startswith("-")), "")
    if wanted in COMMANDS and words[0] == wanted:
        options = read(words[1:], module_of(wanted))
        if options is not None:
            return options
    from mistakebound.cli.parser import build_parser

    return build_parser([wanted] if wanted in COMMANDS else []).parse_args(words)


def note(text: str, *more: str) -> None:
    """A word to the person at the terminal, beside the data; further lines where there are some."""
    if sys.stderr is not None:  # else print would take stdout
        say(f"mistakebound: {text}", *more, to=sys.stderr)


def say(*lines: str, to: TextIO | None = None, flush: bool = False) -> None:
    """Lines for people, on standard output unless told otherwise: all that commands print is JSON or goes through here.

    Names, labels and file names may hold anything; a terminal would take their control characters for orders.
    """
    print("\n".join([visible(line) for line in lines]), file=to, flush=flush)


def say_code(text: str) -> None:
    """Text that another program is to read: as it is, unless a terminal would show it."""
    print(visible(text, keep="\n") if sys.stdout.isatty() else text)
