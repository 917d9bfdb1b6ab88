"""Copies of learners and of instances, by the modules copy and pickle too: equal at first, and then on their own."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound import learners
from mistakebound.core.sparse import SparseLearner

WAYS = {
    "method": lambda learner: learner.copy(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "in a list": lambda learner: copy.deepcopy([learner])[0],
    "pickle": lambda learner: pickle.loads(pickle.dumps(learner)),
}
SPARSE = [name for name in learners.names() if issubclass(learners.find(name), SparseLearner)]


def fresh(name: str, labels: Any = None) -> Any:
    found = learners.find(name)
    known = {"n": 4, "concepts": mb.concepts.Disjunctions(4)}
    return found(labels=labels, **{p.name: known[p.name] for p in found.parameters if p.required})


def play(learner: Any, trials: list[tuple[list[int], Any]]) -> list[Any]:
    said = []
    for x, y in trials:
        try:
            said.append(learner.learn_one(x, y))
        except mb.NoConsistentHypothesis:
            said.append("inconsistent")
    return said


@pytest.mark.parametrize(
    ("name", "way"),
    [  # in short runs half of the ways, in turn
        pytest.param(name, way, marks=[pytest.mark.long] * ((place + turn) % 2))
        for place, name in enumerate(SPARSE)
        for turn, way in enumerate(WAYS)
    ],
)
def test_a_copy_goes_on_alone(name: str, way: str) -> None:
    draw = random.Random(1)
    rows = [[draw.getrandbits(1) for _ in range(4)] for _ in range(30)]
    trials = [(x, "spam" if x[1] or x[3] else "ham") for x in rows]
    other_trials = [(x, "spam") for x in rows]
    learner, never_copied = (fresh(name, ("ham", "spam")) for _ in range(2))
    play(learner, trials[:10])
    twin = WAYS[way](learner)
    assert type(twin) is type(learner)
    assert twin.hypothesis == learner.hypothesis
    assert twin.settings == learner.settings
    play(learner, other_trials)  # does not reach the copy
    assert play(twin, trials[10:]) == play(never_copied, trials)[10:]


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle"])
def test_copies_of_instances_and_tables(way: str) -> None:
    learner = mb.Perceptron()
    x = learner.encode({"free": 2.5, "7": 1})
    learner.learn_one(x, 1)  # now it has slots
    again = WAYS[way](x)
    assert repr(again) == repr(x)
    assert learner.score_one(again) == learner.score_one(x)
    table = WAYS[way](learner.attributes)
    assert table.names() == learner.attributes.names()
    table.add("8")
    assert "8" not in learner.attributes
