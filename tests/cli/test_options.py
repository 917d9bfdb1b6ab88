"""One option means one thing in all commands, and the help of every command is a screen."""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import pytest

from cli.conftest import Run
from mistakebound.cli import commands
from mistakebound.cli.options import SEED
from mistakebound.cli.parser import build_parser

# What may differ, and why: everything else about an option of one name is the same wherever it stands.
MAY_DIFFER = {
    "--plot": {"help"},  # what is drawn, and how its name may end
    "--learner": {"help"},  # streams are learned by arow, games played by winnow2
    "--set": {"help", "metavar"},  # of several learners a parameter has the name of one before it
    "--port": {"help"},  # each service has its own
    "--n": {"default"},  # a demonstration is large, a game small
    "--threshold": {"help", "metavar"},  # of a probability, or of what hunt measures
}
SCREEN = 24, 80  # lines and columns


def parsers() -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in build_parser(list(commands.COMMANDS))._actions if isinstance(a.choices, dict))
    assert isinstance(found.choices, dict)
    return found.choices


def facts(action: argparse.Action) -> dict[str, Any]:
    return {
        "help": action.help, "type": action.type, "default": action.default, "metavar": action.metavar,
        "choices": action.choices, "nargs": action.nargs, "dest": action.dest, "action": type(action),
        "required": action.required,
    }  # fmt: skip


def test_an_option_is_the_same_in_all_commands() -> None:
    found: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for command, parser in parsers().items():
        for action in parser._actions:
            for option in action.option_strings:
                found[option][command] = facts(action)
    assert sum(len(of) > 1 for of in found.values()) > 30
    for option, by_command in found.items():
        first, *others = by_command
        for other in others:
            differing = {k for k, v in by_command[first].items() if v != by_command[other][k]}
            assert differing <= MAY_DIFFER.get(option, set()), f"{option} of {first} and of {other}"
    for option in MAY_DIFFER:
        assert len(found[option]) > 1, f"{option} need not be in the list"


def test_there_is_one_default_seed() -> None:
    seeds = {name: parser.get_default("seed") for name, parser in parsers().items()}
    assert {name for name, seed in seeds.items() if seed is not None} == {"demo", "learn", "compare", "play", "measure"}
    assert {*seeds.values()} == {None, SEED}


def test_there_are_few_commands() -> None:
    assert len(commands.COMMANDS) <= 16
    assert not commands.COMMANDS.keys() & commands.GONE.keys()


@pytest.mark.parametrize("command", ["", *commands.COMMANDS])
def test_the_help_of_every_command_fits_a_screen(run: Run, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*([command] if command else []), "--help").out.splitlines()
    assert len(lines) <= SCREEN[0]
    assert max(map(len, lines)) <= SCREEN[1]
    assert lines[0].startswith(f"usage: mistakebound {command}".rstrip())


@pytest.mark.parametrize("command", commands.COMMANDS)
def test_every_option_has_a_short_help(run: Run, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run(command, "--help-all").out.splitlines())) <= SCREEN[1]
    for action in parsers()[command]._actions:
        assert action.help, action.dest
        assert len(action.help) <= 70, action.help
        assert action.help.split()[0] not in {"of", "that", "so", "the", "a"}, action.help  # a noun or an imperative


@pytest.mark.parametrize("command", commands.COMMANDS)
def test_all_options_are_in_the_whole_help(run: Run, command: str) -> None:
    result = run(command, "--help-all")
    assert result.code == 0
    short = run(command, "--help").out
    hidden = [group.title for group in parsers()[command]._action_groups[1:] if f"{group.title}:" not in short]
    assert ("--help-all adds: " in short) == bool(hidden)
    for action in parsers()[command]._actions:
        for option in action.option_strings:
            assert option in result.out or option in ("-h", "--help", "--help-all")
    for title in hidden:
        assert f"\n{title}:\n" in result.out
