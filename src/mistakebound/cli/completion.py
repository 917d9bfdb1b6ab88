"""Print a shell's completion script.

  mistakebound completion bash > mistakebound.bash
  mistakebound completion zsh > ~/.zfunc/_mistakebound

Then `source mistakebound.bash`, or have ~/.zfunc in zsh's fpath.
"""

from __future__ import annotations

from mistakebound import learners
from mistakebound.cli.commands import COMMANDS
from mistakebound.cli.parser import build_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, ArgumentParser, Namespace
    from collections.abc import Iterator

_FILES = {"FILE", "MODEL", "OUT"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(options: Namespace) -> int:
    import shtab

    parser = build_parser(list(COMMANDS))
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.dest in ("learner", "name"):
            action.choices = [name for name in learners.names() if learners.find(name).takes == "rows"]
    print(shtab.complete(parser, options.shell))
    return 0


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)
