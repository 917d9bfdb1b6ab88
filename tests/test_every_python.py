"""What must not depend on the version of Python: sums of doubles, the command line's help, what a start imports."""

from __future__ import annotations

import builtins
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb


def plain(numbers: Any, /, start: Any = 0) -> Any:
    """`sum` as it was before Python 3.12."""
    for number in numbers:
        start = start + number
    return start


def compensated(numbers: Any, /, start: Any = 0) -> Any:
    """`sum` as it is from Python 3.12 on: what the doubles lose to rounding is added in the end (Neumaier).

    Other numbers than `int` and `float`, once there are any, are added plainly, and so is all that comes after them.
    """
    total, lost, whole = start, 0.0, type(start) in (int, float)
    for number in numbers:
        after = total + number
        whole = whole and type(after) in (int, float)
        if whole and type(total) is float:
            lost += (total - after) + number if abs(total) >= abs(number) else (number - after) + total
        total = after
    return total + lost if type(total) is float and isfinite(lost) else total


def rows(count: int = 200) -> list[tuple[dict[str, float], int]]:
    draw = Random(7)
    return [
        ({str(j): draw.uniform(-1, 1) for j in draw.sample(range(1, 30), 12)}, draw.getrandbits(1))
        for _ in range(count)
    ]


def learned(learner: Any) -> Any:
    for x, y in rows():
        learner.learn_one(x, y)
    return learner


def full_arow() -> Any:
    learner, found = mb.AROW(covariance="full"), []
    for x, y in rows():
        learner.learn_one(x, y)
        found.append(learner._kept.energy(learner.attributes))
    return found


def explanation() -> Any:
    from mistakebound.report.explanation import Term, explain_one

    found = explain_one(mb.Perceptron(), {"1"})
    found.terms = [Term(str(j), 1.0, weight, weight) for j, weight in enumerate([8.0, *[0.1] * 10, -1.0])]
    return found.lines(top=1)


def bars() -> Any:
    from mistakebound.report.bars import _steps
    from mistakebound.report.explanation import explain_one

    learner = learned(mb.Perceptron())
    return [_steps(explain_one(learner, x), 2) for x, _ in rows(50)]


def words() -> Any:
    learner, draw = mb.NaiveBayes(attributes="words"), Random(3)
    for _ in range(100):
        x = {str(j): draw.random() for j in range(draw.randrange(1, 9))}
        learner.learn_one(x, draw.choice("abc"), draw.random())
    return [learner.predict_proba_one({"1": 0.1, "2": 0.7, "7": 0.3}), learner._counts.totals.tolist()]


def ensemble() -> Any:
    experts = "perceptron,arow,passive-aggressive,averaged-perceptron"
    return [learned(mb.WeightedMajority(experts, beta=beta)).experts() for beta in (0.55, 0.7, 0.83, 0.9, 0.95)]


def starts() -> Any:
    learner = mb.Winnow2()
    for x, y in rows():
        learner.learn_one(set(x), y)
    names = sorted(learner.attributes.names())
    return [learner.bound(k=k, relevant=names[:k]).value for k in range(3, 29)]


def hunt() -> Any:
    from mistakebound.hunting.decisions import _at_least
    from mistakebound.theory.group_testing import log2_choose

    chances = [_at_least(wrong, 60, rate) for wrong in range(20) for rate in (0.01, 0.1, 0.3)]
    return chances, [log2_choose(1000, k) for k in range(50)]


def gibbs() -> Any:
    def chance(example: Any, h: float) -> float:
        return h**2 if example[1] == "a" else (1 - h**2) * {"b": 0.1, "c": 0.2, "d": 0.3, "e": 0.4}[example[1]]

    found = mb.bayes.gibbs_against_optimum(
        [k / 11 for k in range(1, 11)], likelihood=chance, shown=[0, 1], asked=[3], labels="abcde"
    )
    return found.optimum, found.gibbs, found.by_target


SCENARIOS = (full_arow, explanation, bars, words, ensemble, starts, hunt, gibbs)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_no_result_depends_on_how_sum_rounds(scenario: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for way in (plain, compensated):
        monkeypatch.setattr(builtins, "sum", way)
        found.append(scenario())
    assert found[0] == found[1]


def test_the_two_ways_of_adding_differ() -> None:
    """Else the test above would say nothing."""
    tenths = [0.1] * 10
    assert (plain(tenths), compensated(tenths)) == (0.9999999999999999, 1.0)
    assert sum(tenths) == (plain if sys.version_info < (3, 12) else compensated)(tenths)


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


def test_help_has_no_colours() -> None:
    """argparse would have some from Python 3.14 on."""
    for words in (["--help"], ["learn", "--help"], ["learn", "--nothing"]):
        done = run("-m", "mistakebound", *words, FORCE_COLOR="1", TERM="xterm")
        assert "usage: mistakebound" in done.stdout + done.stderr
        assert "\x1b" not in done.stdout + done.stderr


def test_argparse_imports_no_more_than_it_must() -> None:
    code = (
        "import sys; from mistakebound.cli.parser import build_parser; build_parser(['learn']); "
        "print(*sorted({'dataclasses', 'inspect', 'typing', 'shutil', '_colorize'} & set(sys.modules)))"
    )
    done = run("-c", code)
    assert (done.stdout.split(), done.stderr) == ([], "")


def pinned(checkout: Path) -> dict[str, str]:
    lines = (checkout / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_constraints_are_names_and_versions_only(checkout: Path) -> None:
    pins = pinned(checkout)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in pins)
    assert all(re.fullmatch(r"\d+(\.\d+)*", version) for version in pins.values())
    assert list(pins) == sorted(pins, key=str.lower)


def test_everything_that_is_developed_with_is_pinned(checkout: Path) -> None:
    """Within what users may have, which stays a range."""
    from packaging.requirements import Requirement

    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    pins = {name.lower(): version for name, version in pinned(checkout).items()}
    for text in [*project["dependencies"], *extras["plot"], *extras["test"], *extras["dev"]]:
        wanted = Requirement(text)
        if wanted.name != "mistakebound":
            assert wanted.specifier.contains(pins[wanted.name.lower()]), text
            assert {part.operator for part in wanted.specifier} == {">="}, text


def test_types_are_judged_for_the_oldest_python(checkout: Path) -> None:
    """Whichever Python runs mypy."""
    settings = tomllib.loads((checkout / "pyproject.toml").read_text())
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    assert settings["tool"]["mypy"]["python_version"] == oldest
    assert settings["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
