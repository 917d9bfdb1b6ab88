"""Plain command lines: read as argparse reads them, or left to it."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.cli import commands
from mistakebound.cli.commands import read
from mistakebound.cli.parser import build_parser

PARSERS = {name: build_parser([name]) for name in commands.COMMANDS}
OPTIONS = sorted(
    {
        option
        for name in commands.COMMANDS
        for action in PARSERS[name]._subparsers._group_actions[0].choices[name]._actions  # type: ignore[union-attr]
        for option in action.option_strings
    }
)
words = st.one_of(
    st.sampled_from(OPTIONS),
    st.sampled_from(
        ["a.svm", "m.mb", "2", "-1", "-", "--", "", "k=3", "--json=1", "--mod", "-x", "skip", "csv", "1.5"]
    ),
)


def by_argparse(command: str, given: list[str]) -> dict[str, object] | None:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(PARSERS[command].parse_args([command, *given]))
        except SystemExit:
            return None


def plainly(command: str, given: list[str]) -> dict[str, object] | None:
    options = read(given, commands.module_of(command))
    return None if options is None else vars(options)


@given(st.sampled_from(sorted(commands.COMMANDS)), st.lists(words, max_size=7))
def test_as_argparse_or_not_at_all(command: str, given: list[str]) -> None:
    found = plainly(command, given)
    if found is not None:
        assert found == by_argparse(command, given)


@pytest.mark.parametrize(
    "line",
    [
        "learn a.svm b.svm",
        "learn a.svm --learner perceptron --model m.mb --threads 2 --quiet --json",
        "learn --set n=10 --set theta=2 --on-error skip - --passes 3 --shuffle",
        "learn a.csv --format csv --nominal a,b --nominal c --label y",
        "predict m.mb a.svm --scores",
        "eval --json m.mb a.svm b.svm",
        "explain m.mb --top 5",
        "explain m.mb --header",
        "play --n 50 --seed 3",
        "learn a.csv --label y --learner decision-tree --set min_leaf=1 --validation 1/3",
        "learners",
    ],
)
def test_what_is_plain(line: str) -> None:
    command, *given = line.split()
    wanted = by_argparse(command, given)
    assert wanted is not None
    assert plainly(command, given) == (
        None if line == "learners" else wanted
    )  # a name that may be left out is not plain
    assert vars(commands.parse(line.split())) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "learn", "learn --help", "learn a.svm --threads two", "learn a.svm --threads -2", "learn a.svm --format excel",
        "learn a.svm --model", "learn a.svm --model=m.mb", "learn a.svm --mod m.mb", "learn a.svm --json b.svm",
        "learn a.svm --cache", "learn a.svm --cache c.mbc", "learn -- a.svm", "predict m.mb", "play a.svm",
        "explain m.mb a.csv --shortest",
    ],
)  # fmt: skip
def test_what_is_left_to_argparse(line: str) -> None:
    command, *given = line.split()
    assert plainly(command, given) is None
