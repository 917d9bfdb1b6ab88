"""A plain command line read without argparse, whose import takes longer than a small file takes to learn.

Plain are flags, `--name VALUE`, and the files in one run, as a command declares them for argparse.  Everything else
(help, `--name=VALUE`, a value that starts with a dash, anything that is wrong) is left to argparse, which alone says
what is right and what is not: a line is read here as it would be read there, or not at all.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_UNDERSTOOD = {"action", "choices", "default", "dest", "help", "metavar", "nargs", "required", "type"}


class NotPlain(Exception):
    """This is for argparse."""


class Options:
    """What was asked for, by name."""

    run: Any
    module: ModuleType


def read(words: list[str], command: ModuleType) -> Options | None:
    """The options of a command, or None: these words are for argparse."""
    declared = Declared()
    try:
        command.add_options(declared)
        values = declared.read(words)
    except NotPlain:
        return None
    options = Options()
    options.__dict__.update(values, run=command.run, module=command)
    return options


class Declared:
    """Takes what a command declares, with the same calls as argparse's parser."""

    def __init__(self) -> None:
        self._options: dict[str, tuple[str, dict[str, Any]]] = {}
        self._positions: list[tuple[str, dict[str, Any]]] = []
        self._defaults: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        """A way of declaring that is not known here: options that exclude each other, say."""
        raise NotPlain

    def add_argument_group(self, *said: str) -> Declared:
        return self

    def add_argument(self, name: str, **how: Any) -> None:
        dest: str = how.get("dest") or name.lstrip("-").replace("-", "_")
        flag = how.get("action") == "store_true"
        self._defaults[dest] = how.get("default", False if flag else None)
        if name.startswith("-"):
            self._options[name] = dest, how
        else:
            self._positions.append((dest, how))

    def read(self, words: list[str]) -> dict[str, Any]:
        """The value of every option; NotPlain."""
        values = dict(self._defaults)
        runs: list[list[str]] = []  # of words that are no options
        at = 0
        within = False
        while at < len(words):
            word = words[at]
            at += 1
            if word in self._options:
                within = False
                dest, how = self._options[word]
                action = how.get("action")
                if action == "store_true":
                    values[dest] = True
                    continue
                if at == len(words):
                    raise NotPlain
                value = _value(words[at], how)
                at += 1
                values[dest] = [*(values[dest] or ()), value] if action == "append" else value
            elif not within:
                runs.append([word])
                within = True
            else:
                runs[-1].append(word)
        needed = (name for name, (_, how) in self._options.items() if how.get("required"))
        if len(runs) > 1 or any(name not in words for name in needed):
            raise NotPlain
        return values | self._placed(runs[0] if runs else [])

    def _placed(self, words: list[str]) -> dict[str, Any]:
        """One word for each position; any number for the last one, where it is a list."""
        nargs = self._positions[-1][1].get("nargs") if self._positions else None
        many = nargs in ("+", "*")
        least = len(self._positions) - (nargs == "*")
        if len(words) < least or (len(words) > len(self._positions) and not many):
            raise NotPlain
        values: dict[str, Any] = {}
        for number, (dest, how) in enumerate(self._positions):
            if many and number == len(self._positions) - 1:
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
