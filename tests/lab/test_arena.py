"""The arena's games: every number is what the library gives for the same game."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.lab import Engine

DISJUNCTIONS = "monotone-disjunctions n=8 k=2"


def game(view: str, **fields: Any) -> tuple[Engine, dict[str, Any], str]:
    engine = Engine(seconds=60)
    opened = engine.handle({"view": view, "do": "start"} | fields)
    assert "error" not in opened, opened
    return engine, opened, opened["session"]


@pytest.mark.some(2)
@pytest.mark.parametrize("learner", ["winnow1", "perceptron", "halving"])
def test_a_watched_game_is_the_librarys(learner: str) -> None:
    engine, opened, session = game("watch", learner=learner, seed=3)
    frames = []
    for _ in range(3):
        frames += engine.handle({"view": "watch", "do": "step", "session": session, "steps": 20})["frames"]
    made = {"winnow1": mb.Winnow1(n=8), "perceptron": mb.Perceptron(), "halving": mb.Halving(DISJUNCTIONS)}[learner]
    teacher = mb.teachers.RandomTarget(DISJUNCTIONS, n=8, trials=60, density=0.3, seed=3)
    assert opened["target"] == str(teacher.target)
    ledger = mb.play(made, teacher)
    assert [frame["trial"] for frame in frames if frame["mistake"]] == list(ledger.mistake_trials)
    last = frames[-1]
    assert (last["trial"], last["mistakes"]) == (ledger.trials, ledger.mistakes)
    certificate = ledger.certificate()
    assert certificate is not None
    assert last["certificate"] == [certificate.low, certificate.high]
    if learner == "perceptron":  # its margin is one of all disjunctions of two: 1/sqrt(4k + 1)
        assert last["bound"] == made.bound(margin=1 / 3).mistakes
        assert last["weights"] == [made.weight(str(j)) for j in range(1, 9)]
    else:
        assert ledger.bound is not None
        assert last["bound"] == ledger.bound.mistakes
        assert last["verdict_words"] == str(ledger.verdict)


@pytest.mark.parametrize("text", ["parities n=4", "thresholds m=15", "monotone-conjunctions n=6", DISJUNCTIONS])
def test_the_adversary_forces_opt(text: str) -> None:
    engine, opened, session = game("watch", teacher="adversary", learner="standard-optimal", **{"class": text})
    answer = engine.handle({"view": "watch", "do": "step", "session": session, "steps": 30})
    assert answer["over"]
    assert answer["frames"][-1]["mistakes"] == opened["forces"] == mb.opt(text).value
    assert "target" in answer


def test_noise_refutes_and_the_moment_is_named() -> None:
    engine, _, session = game("watch", learner="winnow1", seed=3, noise=0.2)
    frames = []
    while not any(frame["verdict"] == "refuted" for frame in frames):
        assert len(frames) < 240
        frames += engine.handle({"view": "watch", "do": "step", "session": session, "steps": 50})["frames"]
    first = next(frame for frame in frames if frame["verdict"] == "refuted")
    assert first["mistakes"] == first["bound"] + 1
    assert first["refuted_at"] == first["trial"]


@pytest.mark.some(1)
@pytest.mark.parametrize("fields", [{"seed": 7, "noise": 0.05}, {"teacher": "adversary"}])
def test_the_python_that_is_exported_plays_the_same_game(fields: dict[str, Any]) -> None:
    engine, opened, session = game("watch", **fields)
    frames, over = [], False
    while not over:
        answer = engine.handle({"view": "watch", "do": "step", "session": session, "steps": 100})
        frames, over = frames + answer["frames"], answer["over"]
    last = frames[-1]
    ran = subprocess.run([sys.executable, "-c", opened["python"]], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"Ledger(trials={last['trial']}, mistakes={last['mistakes']}, ")
    assert last["verdict_words"] in ran.stdout
    shell = subprocess.run(
        [sys.executable, "-m", "mistakebound", *_words(opened["command"]), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = json.loads(shell.stdout)
    assert (said["mistakes"], said["verdict"]["text"]) == (last["mistakes"], last["verdict_words"])


def _words(command: str) -> list[str]:
    return shlex.split(command)[1:]


def test_the_adversary_may_not_lie() -> None:
    engine, opened, session = game("adversary", learner="winnow1")
    assert opened["opt"] == opened["still"] == mb.opt(DISJUNCTIONS).value
    asked = {"view": "adversary", "session": session, "x": [1, 0, 0, 0, 0, 0, 0, 0]}
    peek = engine.handle(asked | {"do": "peek"})
    assert peek["prediction"] == 0
    assert sum(peek["left"]) == len(opened["concepts"]) == 37
    said = engine.handle(asked | {"do": "say", "label": 1})
    assert said["frame"]["mistake"]
    assert len(said["alive"]) == peek["left"][1] == 8
    assert engine.handle(asked | {"do": "peek"})["left"] == [0, 8]
    lie = engine.handle(asked | {"do": "say", "label": 0})
    assert "would be a lie" in lie["error"]
    assert len(engine.handle(asked | {"do": "say", "label": 1})["alive"]) == 8, "the game goes on"
    again = engine.handle({"view": "adversary", "do": "start", "moves": [[*asked["x"], 1]]})
    assert again["alive"] == said["alive"]


@pytest.mark.some(2)
@pytest.mark.parametrize("text", [DISJUNCTIONS, "intervals m=8", "parities n=4"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_who_predicts_as_the_optimal_algorithm_makes_opt_mistakes(text: str, seed: int) -> None:
    """The K beside each label is that of the library for the part of the class that is left."""
    engine, standing, session = game("learner", seed=seed, **{"class": text})
    player = mb.learners.StandardOptimalAlgorithm(text, labels=(0, 1))
    while standing["question"]:
        x = tuple(standing["question"]["x"])
        prediction = player.predict_one(x)
        standing = engine.handle({"view": "learner", "do": "predict", "session": session, "prediction": prediction})
        step = standing["path"][-1]
        assert step["cost"] == 0
        player.learn_one(x, step["label"])
        assert (standing["still"], len(standing["alive"])) == (player.opt(), player.size)
    assert standing["mistakes"] == mb.opt(text).value


def test_a_bad_prediction_costs_a_mistake() -> None:
    engine, standing, session = game("learner", seed=1)
    opt = standing["opt"]
    while standing["question"]:
        play = {"view": "learner", "do": "predict", "session": session}
        standing = engine.handle(play | {"prediction": _worse(standing)})
    lost = sum(step["cost"] for step in standing["path"])
    assert standing["mistakes"] == opt + lost > opt
    moves = [step["prediction"] for step in standing["path"]]
    again = engine.handle({"view": "learner", "do": "start", "seed": 1, "moves": moves})
    assert (again["path"], again["target"]) == (standing["path"], standing["target"])


def _worse(standing: dict[str, Any]) -> int:
    """The label that fewer of the targets have: seldom the best prediction."""
    left = standing["question"]["left"]
    return int(left[1] < left[0])


def test_a_race_is_the_same_game_for_all() -> None:
    engine, opened, session = game("race", learners=["winnow1", "perceptron", "halving"], seed=5, trials=80)
    lanes = engine.handle({"view": "race", "do": "run", "session": session})["lanes"]
    for lane, learner in zip(lanes, (mb.Winnow1(n=8), mb.Perceptron(), mb.Halving(DISJUNCTIONS)), strict=True):
        teacher = mb.teachers.RandomTarget(DISJUNCTIONS, n=8, trials=80, density=0.3, seed=5)
        ledger = mb.play(learner, teacher)
        assert lane["mistakes"] == lane["curve"][-1] == ledger.mistakes
        assert len(lane["curve"]) == 80
    assert opened["bounds"][0] == lanes[0]["bound"] == 17
