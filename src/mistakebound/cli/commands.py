"""The list of commands, and how the words of a command line become options.

A plain command line is read without argparse, whose import takes longer than a small file takes to learn.  Plain are
flags, `--name VALUE`, and the files in one run, as a command declares them for argparse.  Everything else (help,
`--name=VALUE`, a value that starts with a dash, anything that is wrong) is left to argparse, which alone says what is
right and what is not: a line is read here as it would be read there, or not at all.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import SimpleNamespace

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import visible
from mistakebound.core.standard_output import standard_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, TextIO


# In the order of a newcomer's day.  The module of a command has `add_options(parser)` and `run(options) -> exit code`.
COMMANDS = {
    "demo": "show in a minute what it does, on data that it makes",
    "learn": "learn a stream row by row, or a table at once",
    "compare": "run several learners on one stream and print a table",
    "predict": "label the rows of a stream with a model",
    "eval": "measure a model on a labelled stream",
    "explain": "show what a model has learned, or why it predicts a row",
    "export": "write a model as Python, SQL or ONNX",
    "serve": "serve models over HTTP that learn while they answer",
    "play": "play a learner against a target or an adversary",
    "hunt": "find the few flags that make a command fail",
    "version-space": "learn a concept: the hypotheses that fit a table",
    "measure": "compute VC dimension, opt and others of a concept class",
    "sample-size": "compute how many examples are enough",
    "learners": "list the learners, their parameters and theorems",
    "lab": "play the games in a browser, on this machine",
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
    if words and words[0] in COMMANDS:
        options = read(words[1:], module_of(words[0]))
        if options is not None:
            return options
    from mistakebound.cli.parser import build_parser

    wanted = next((word for word in words if not word.startswith("-")), "")
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
    print(visible(text, keep="\n") if standard_output().isatty() else text)


_UNDERSTOOD = {"action", "choices", "default", "dest", "help", "metavar", "nargs", "required", "type"}


class NotPlain(Exception):
    """This is for argparse."""


class Declared:
    """Takes what a command declares, with the same calls as argparse's parser."""

    def __init__(self) -> None:
        self.options: dict[str, tuple[str, dict[str, Any]]] = {}
        self.positions: list[tuple[str, dict[str, Any]]] = []
        self.defaults: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        """A way of declaring that is not known here: options that exclude each other, say."""
        raise NotPlain

    def add_argument_group(self, *said: str) -> Declared:
        return self

    def add_argument(self, name: str, *others: str, **how: Any) -> None:
        if others:
            raise NotPlain
        dest: str = how.get("dest") or name.lstrip("-").replace("-", "_")
        flag = how.get("action") == "store_true"
        self.defaults[dest] = how.get("default", False if flag else None)
        if name.startswith("-"):
            self.options[name] = dest, how
        else:
            self.positions.append((dest, how))


def read(words: list[str], command: ModuleType) -> SimpleNamespace | None:
    """The options of a command, or None: these words are for argparse."""
    declared = Declared()
    try:
        command.add_options(declared)
        values, files = _options(words, declared)
        values |= _positions(files, declared.positions)
    except NotPlain:
        return None
    return SimpleNamespace(**values, run=command.run, module=command)


def _options(words: list[str], declared: Declared) -> tuple[dict[str, Any], list[str]]:
    """The value of every option, and the words beside them; NotPlain unless those are one run."""
    values = dict(declared.defaults)
    left: list[str] = []
    at = behind = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word not in declared.options:
            if left and behind != at - 1:
                raise NotPlain
            left.append(word)
            behind = at
            continue
        dest, how = declared.options[word]
        action = how.get("action")
        if action == "store_true":
            values[dest] = True
            continue
        if at == len(words):
            raise NotPlain
        value = _value(words[at], how)
        at += 1
        values[dest] = [*(values[dest] or ()), value] if action == "append" else value
    for name, (_, how) in declared.options.items():
        if how.get("required") and name not in words:
            raise NotPlain
    return values, left


def _positions(words: list[str], positions: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """One word for each position; any number for the last one, where it is a list."""
    if positions and positions[-1][0] == "command":  # behind --, which argparse knows
        raise NotPlain
    nargs = positions[-1][1].get("nargs") if positions else None
    many = nargs in ("+", "*")
    least = len(positions) - (nargs == "*")
    if len(words) < least or (len(words) > len(positions) and not many):
        raise NotPlain
    values: dict[str, Any] = {}
    for number, (dest, how) in enumerate(positions):
        if many and number == len(positions) - 1:
            values[dest] = [_value(word, how, nargs) for word in words[number:]]
        else:
            values[dest] = _value(words[number], how)
    return values


def _value(word: str, how: dict[str, Any], nargs: str | None = None) -> Any:
    """A word as the option wants it."""
    if not how.keys() <= _UNDERSTOOD or how.get("nargs") != nargs or how.get("action") not in (None, "append"):
        raise NotPlain
    if not word or (word.startswith("-") and word != "-"):
        raise NotPlain
    try:
        value = how["type"](word) if "type" in how else word
    except (TypeError, ValueError):
        raise NotPlain from None
    if "choices" in how and value not in how["choices"]:
        raise NotPlain
    return value
