"""What is known before a hunt: likely flags are found sooner, costly ones are on less often, and no result changes."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

FLAGS = [f"f{number}" for number in range(60)]


def command(culprits: set[str], kind: str) -> Callable[[frozenset[str]], bool]:
    return lambda on: culprits <= on if kind == "all" else bool(culprits & on)


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["any", "all"])
def test_the_result_is_right_whatever_is_said_before(kind: str) -> None:
    draw = random.Random(kind)
    for _ in range(60):
        flags = FLAGS[: draw.randrange(1, 30)]
        culprits = set(draw.sample(flags, draw.randrange(1, 1 + min(4, len(flags)))))
        prior = {flag: draw.choice([0.01, 1, 3.5, 1000.0]) for flag in draw.sample(flags, len(flags) // 2)}
        cost = {flag: draw.choice([0.0, 0.5, 20.0]) for flag in draw.sample(flags, len(flags) // 2)}
        found = mb.hunt(command(culprits, kind), flags, prior=prior, run_costs=cost)
        assert set(found.culprits) == culprits
        assert len(culprits) == 1 or found.kind == kind
        assert found.verdict.kind == "confirmed"


def test_likely_flags_are_found_in_fewer_runs() -> None:
    prior = dict.fromkeys(FLAGS[20:24], 100.0)
    plain = sum(mb.hunt(command({flag}, "any"), FLAGS).runs for flag in prior)
    assert sum(mb.hunt(command({flag}, "any"), FLAGS, prior=prior).runs for flag in prior) <= 0.75 * plain
    pair = command({"f20", "f23"}, "all")
    assert mb.hunt(pair, FLAGS, prior=prior).runs < mb.hunt(pair, FLAGS).runs


def test_costly_flags_are_on_less_often() -> None:
    cost = dict.fromkeys(FLAGS[3::10], 30.0)

    def spent(found: mb.hunting.hunt.Hunt) -> float:
        return sum(1 + sum(cost.get(flag, 0.0) for flag in run.on) for run in found.history)

    commands = [command({flag}, "any") for flag in FLAGS]
    told = sum(spent(mb.hunt(one, FLAGS, run_costs=cost)) for one in commands)
    assert told <= 0.8 * sum(spent(mb.hunt(one, FLAGS)) for one in commands)


def test_a_flaky_command_with_likely_flags() -> None:
    runs = []
    for prior in (None, {"f7": 50.0}):
        draw = random.Random(4)
        found = mb.hunt(lambda on, draw=draw: "f7" in on and draw.random() < 0.4, FLAGS, confidence=0.99, prior=prior)
        assert found.culprits == ("f7",)
        runs.append(found.runs)
    assert runs[1] < runs[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prior": {"x": 1.0}}, "prior names an unknown flag: 'x'"),
        ({"prior": {"f1": 0.0}}, "prior of 'f1' must be a number > 0: 0.0"),
        ({"run_costs": {"f1": -1}}, "run_costs of 'f1' must be a number >= 0: -1"),
        ({"run_costs": {"f1": float("nan")}}, "must be a number"),
        ({"run_costs": {"f1": 1.0}, "one": True}, "prior and run_costs are for hunts for all culprits"),
    ],
)
def test_what_is_wrong_is_said(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(mb.BadParameter, match=message):
        mb.hunt(bool, FLAGS, **settings)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mistakebound.cli import main

    monkeypatch.chdir(tmp_path)
    Path("flags.txt").write_text("".join(f"{flag}\n" for flag in FLAGS))
    Path("prior.txt").write_text("f33\t200\nf34\t200\n")
    Path("wrong.txt").write_text("f33 200\n")
    words = ["hunt", "flags", "flags.txt", "--quiet", "--json"]
    line = ["--", "sh", "-c", 'case " $* " in *" f33 "*) exit 1;; esac', "sh", "{}"]
    assert main([*words, "--prior", "prior.txt", "--run-costs", "prior.txt", *line]) == 0
    assert '"culprits": ["f33"]' in capsys.readouterr().out
    assert main([*words, "--prior", "wrong.txt", *line]) == 3
    assert "wrong.txt: a line must be FLAG<tab>NUMBER: 'f33 200'" in capsys.readouterr().err


@pytest.mark.parametrize("prior", [{"a": 1e308, "b": 1e308}, {"a": 5e-324, "b": 1e300}])
def test_a_flaky_hunt_with_a_prior_at_the_ends_of_floats(prior: dict[str, float]) -> None:
    assert mb.hunt(lambda on: "c" in on, list("abcd"), prior=prior, confidence=0.99).culprits == ("c",)
