"""A shell's completion script, of `mistakebound --completion SHELL`.

mistakebound --completion bash > mistakebound.bash     then `source mistakebound.bash`
mistakebound --completion zsh > ~/.zfunc/_mistakebound, with ~/.zfunc in zsh's fpath
"""

from __future__ import annotations

import shtab

from mistakebound import learners
from mistakebound.cli.commands import COMMANDS
from mistakebound.cli.parser import build_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, ArgumentParser
    from collections.abc import Iterator

_FILES = {"FILE", "MODEL", "OUT"}


def script(shell: str) -> str:
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
