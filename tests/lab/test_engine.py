"""The engine of the lab: messages, sessions, limits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mistakebound.lab import Engine


def start(engine: Engine, view: str = "watch", **fields: Any) -> dict[str, Any]:
    return engine.handle({"view": view, "do": "start"} | fields)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ([], "a message must be an object"),
        ({}, "view and do must be texts"),
        ({"view": "cows", "do": "start"}, "there is no view"),
        ({"view": "watch", "do": "start", "class": "cows n=3"}, "class must be one of"),
        ({"view": "watch", "do": "start", "learner": "cow"}, "learner must be one of"),
        ({"view": "watch", "do": "start", "seed": -1}, "seed must be a whole number from 0"),
        ({"view": "watch", "do": "start", "seed": True}, "seed must be a whole number from 0"),
        ({"view": "watch", "do": "start", "noise": float("nan")}, "noise must be a number from 0 to 0.5"),
        ({"view": "watch", "do": "start", "noise": "much"}, "noise must be a number from 0 to 0.5"),
        ({"view": "race", "do": "start", "learners": ["halving"]}, "two or more different ones"),
        ({"view": "race", "do": "start", "learners": 3}, "learners must be a list"),
        ({"view": "adversary", "do": "start", "class": "monotone-disjunctions n=32 k=2"}, "can all be listed"),
        ({"view": "adversary", "do": "start", "moves": [[1, 0]]}, "x must be an instance of the class"),
        ({"view": "learner", "do": "start", "moves": [7]}, "prediction must be 0 or 1"),
    ],
)
def test_a_message_that_cannot_be_answered_says_why(message: Any, words: str) -> None:
    answer = Engine().handle(message)
    assert words in answer["error"]
    assert "\n" not in answer["error"]


def test_a_session_that_is_not_open_has_expired() -> None:
    engine = Engine()
    game = start(engine)
    assert engine.handle({"view": "watch", "do": "step", "session": "x"})["expired"]
    assert engine.handle({"view": "race", "do": "run", "session": game["session"]})["expired"], "of another view"
    assert "no message" in engine.handle({"view": "watch", "do": "fly", "session": game["session"]})["error"]
    assert "no message" in engine.handle({"view": "watch", "do": "__init__", "session": game["session"]})["error"]


def test_memory_is_bounded_and_what_nobody_asks_for_goes() -> None:
    now = [0.0]
    engine = Engine(capacity=3, idle=10, clock=lambda: now[0])
    games = [start(engine)["session"] for _ in range(3)]
    step = {"view": "watch", "do": "step"}
    assert engine.handle(step | {"session": games[0]})["frames"]
    fourth = start(engine)["session"]  # the one used longest ago makes room
    assert len(engine) == 3
    assert engine.handle(step | {"session": games[1]})["expired"]
    assert engine.handle(step | {"session": games[0]})["frames"]
    now[0] = 11
    assert engine.handle(step | {"session": fourth})["expired"]
    assert len(engine) == 0


def test_a_message_may_take_so_long_and_no_longer() -> None:
    engine = Engine(seconds=0)
    race = start(engine, "race")
    answer = engine.handle({"view": "race", "do": "run", "session": race["session"]})
    assert answer["late"]
    assert "longer than 0 seconds" in answer["error"]
    game = start(engine)
    answer = engine.handle({"view": "watch", "do": "step", "session": game["session"], "steps": 100})
    assert [frame["trial"] for frame in answer["frames"]] == [1], "of trials those that fit into the time"
    assert not answer["over"]


def test_all_answers_are_json() -> None:
    engine = Engine()
    for subject in engine.handle({"view": "arena", "do": "catalogue"})["classes"]:
        for learner in subject["learners"]:
            game = start(engine, **{"class": subject["text"], "learner": learner, "noise": 0.2})
            answer = engine.handle({"view": "watch", "do": "step", "session": game["session"], "steps": 3})
            assert json.loads(json.dumps(answer, allow_nan=False)) == answer
