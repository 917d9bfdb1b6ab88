"""The command line as argparse knows it: usage, help, errors, and every way of writing an option."""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, Action, ArgumentParser, RawDescriptionHelpFormatter

from mistakebound import __version__
from mistakebound.cli.commands import COMMANDS, module_of, say
from mistakebound.core.errors import cut
from mistakebound.core.names import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Iterable, Iterator
    from types import ModuleType
    from typing import Any, NoReturn


_SCREEN = 24  # lines


class Help(RawDescriptionHelpFormatter):
    """As wide as the terminal, which argparse would ask shutil for, with all that it imports, at every option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def add_argument(self, action: Action) -> None:
        """Argparse forgets that the names of commands stand further to the right than options."""
        super().add_argument(action)
        if action.choices and isinstance(action.choices, dict):
            self._action_max_length += self._indent_increment

    def _format_action(self, action: Action) -> str:
        """Of the commands each has its line; the word COMMAND above them would be one more."""
        text = super()._format_action(action)
        return text.partition("\n")[2] if isinstance(action.choices, dict) else text

    def _set_color(self, color: bool, **_: Any) -> None:
        """Python 3.14 asks this for colours; its own way imports dataclasses and inspect at every start."""
        self._theme = _NoColours()
        self._decolor = str


class _NoColours:
    """A theme of argparse: nothing is written before or after any part of a text."""

    def __getattr__(self, name: str) -> str:
        return ""


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


class Parser(ArgumentParser):
    """One whose errors are short, and without the control characters that a word of the command line may have.

    Its help is a screen: where all options are more, those of groups wait for --help-all.
    """

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._positionals = self._optionals  # one list
        del self._action_groups[0]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """As argparse does it; and a command that is to be run stands behind --, so that no word is taken for ours."""
        found = super().parse_known_args(args, namespace)
        runs = any(action.dest == "command" for action in self._get_positional_actions())
        if runs and "--" not in (sys.argv[1:] if args is None else args):
            self.error("COMMAND must follow --, as in `... -- make {}`")
        return found

    def short_usage(self) -> None:
        """In place of a usage that names all options: the positional arguments."""
        formatter = self._get_formatter()
        formatter.add_usage(None, [action for action in self._actions if not action.option_strings], [])
        self.usage = " ".join(formatter.format_help().split()[1:]) + " [options]"

    def format_help(self) -> str:
        whole = self.whole_help()
        if len(whole.splitlines()) <= _SCREEN:
            return whole
        groups = self._action_groups
        shown = [self._optionals, self._subparsers]
        later = [group for group in groups if group not in shown]
        self._action_groups = [group for group in groups if group not in later]
        text = super().format_help()
        self._action_groups = groups
        rest = ", ".join(group.title or "" for group in later)
        return f"{text}\n--help-all adds: {rest}\n" if rest else text

    def whole_help(self) -> str:
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        if self._subparsers is not None and message == "the following arguments are required: COMMAND":
            self.print_help(sys.stderr)
            self.exit(2)
        words = message.removeprefix("unrecognized arguments: ").split()
        if message.startswith("argument COMMAND: invalid choice: "):
            asked = message.removeprefix("argument COMMAND: invalid choice: ").partition(" (choose from")[0].strip("'")
            message = f"there is no command {asked!r}{_near(asked, COMMANDS)}; mistakebound --help lists them"
        elif message.startswith("unrecognized") and not words[0].startswith("-"):
            message = f"unexpected argument {words[0]!r}: put every FILE before the options, or write --option=VALUE"
        elif message.startswith("unrecognized"):
            asked = words[0].partition("=")[0]
            message = f"there is no option {asked}{_near(asked, self._options_of_commands())}"
        super().error(cut(visible(message), 500))

    def _options_of_commands(self) -> list[str]:
        """The long options, with those of the command that was asked for: no other one has been imported."""
        parsers = [self, *(p for action in self._actions for p in _commands_of(action) if isinstance(p, Parser))]
        return [name for parser in parsers for name in parser._option_string_actions if name.startswith("--")]


def _near(asked: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(asked, known, 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _commands_of(action: Action) -> list[Any]:
    return list(action.choices.values()) if isinstance(action.choices, dict) else []


class HelpAll(Action):
    """Prints the help with all groups of options, and ends."""

    def __call__(self, parser: ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> NoReturn:
        assert isinstance(parser, Parser)
        say(*parser.whole_help().rstrip().split("\n"))
        parser.exit()


class Completion(Action):
    """Prints the script that completes words of this command line, and ends."""

    def __call__(self, parser: ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> NoReturn:
        print(script(values))
        parser.exit()


def _description(module: Any) -> str:
    """The docstring of a command with its examples indented: formatters of code take the indentation away."""
    lines = (module.__doc__ or "").split("\n")
    return "\n".join(f"  {line}" if line.startswith(("mistakebound ", "zcat ")) else line for line in lines)


def build_parser(commands: list[str]) -> ArgumentParser:
    """The parser of these commands; of none, one that knows the names of all and what each is for."""
    parser = Parser(
        prog="mistakebound",
        usage="mistakebound COMMAND [options]",
        description="Online learning with proven bounds on the number of mistakes.",
        epilog="COMMAND --help lists its options. Others: --version, --completion bash|zsh|tcsh.\n"
        "Exit codes: 0 ok, 1 failure, 2 usage, 3 bad data, 4 bad model file,\n"
        "5 assumption refuted (learn --strict), 6 out of memory, 130 interrupted.",
        add_help=False,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("-h", "--help", action="help", default=SUPPRESS, help=SUPPRESS)
    parser.add_argument("--help-all", action="help", default=SUPPRESS, help=SUPPRESS)
    parser.add_argument("--version", action="version", version=f"mistakebound {__version__}", help=SUPPRESS)
    parser.add_argument(
        "--completion",
        choices=("bash", "zsh", "tcsh"),
        action=Completion,
        default=SUPPRESS,
        help=SUPPRESS,
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, prog="mistakebound")
    for name in commands:
        _add(subparsers, name)
    for name in () if commands else COMMANDS:
        subparsers.add_parser(name, help=COMMANDS[name])
    return parser


def _add(subparsers: _SubParsersAction[Any], name: str) -> None:
    module = module_of(name)
    how: dict[str, Any] = {"add_help": False, "formatter_class": Help, "allow_abbrev": False}
    _fill(subparsers.add_parser(name, help=COMMANDS[name], description=_description(module), **how), module)


def parser_of(module: ModuleType, name: str) -> ArgumentParser:
    """The parser of a program that has one command only."""
    description = _description(module).replace(f"mistakebound {module.__name__.rpartition('.')[2]}", name)
    parser = Parser(prog=name, description=description, add_help=False, formatter_class=Help, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{name} {__version__}", help=SUPPRESS)
    _fill(parser, module)
    return parser


def _fill(command: Parser, module: ModuleType) -> None:
    module.add_options(command)
    # Who reads the help knows these.
    command.add_argument("-h", "--help", action="help", default=SUPPRESS, help=SUPPRESS)
    command.add_argument("--help-all", action=HelpAll, nargs=0, default=SUPPRESS, help=SUPPRESS)
    command.short_usage()
    command.set_defaults(run=module.run, module=module)


_FILES = {"FILE", "MODEL", "OUT"}


def script(shell: str) -> str:
    """A shell's completion script."""
    import shtab

    from mistakebound import learners

    parser = build_parser(list(COMMANDS))
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.dest in ("learner", "name"):
            action.choices = [name for name in learners.names() if learners.find(name).command == "learn"]
    return shtab.complete(parser, shell)


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)
