"""The negative class has no name until a label gives it one, and then it keeps it: no class has two names."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.labels import meaning

SKY = {"1": ["on", "off"], "2": ["on", "off"]}
LEARNERS: dict[str, Any] = {
    "perceptron": lambda **k: mb.Perceptron(**k),
    "perceptron, eta 0.1": lambda **k: mb.Perceptron(eta=0.1, bias=False, **k),
    "averaged perceptron": lambda **k: mb.AveragedPerceptron(**k),
    "passive-aggressive": lambda **k: mb.PassiveAggressive(**k),
    "coin betting": lambda **k: mb.learners.CoinBetting(**k),
    "arow": lambda **k: mb.AROW(**k),
    "auto": lambda **k: mb.Auto(**k),
    "arow, full": lambda **k: mb.AROW(covariance="full", **k),
    "winnow1": lambda **k: mb.Winnow1(**k),
    "winnow1, n": lambda **k: mb.Winnow1(n=4, **k),
    "winnow2": lambda **k: mb.Winnow2(**k),
    "balanced winnow": lambda **k: mb.BalancedWinnow(**k),
    "disjunction elimination": lambda **k: mb.learners.DisjunctionElimination(4, **k),
    "halving": lambda **k: mb.Halving("monotone-disjunctions n=4", **k),
    "standard optimal": lambda **k: mb.learners.StandardOptimalAlgorithm("monotone-disjunctions n=4 k=1", **k),
    "bayes optimal": lambda **k: mb.learners.BayesOptimal("monotone-disjunctions n=4", noise=0.1, **k),
    "gibbs": lambda **k: mb.learners.Gibbs("monotone-disjunctions n=4", noise=0.1, **k),
    "decision list": lambda **k: mb.learners.DecisionListLearner(4, **k),
    "majority": lambda **k: mb.WeightedMajority(["perceptron", "winnow2"], **k),
    "majority with a guest": lambda **k: mb.WeightedMajority([mb.Perceptron(), "winnow2"], **k),
    "crossed": lambda **k: mb.transforms.expand(mb.Perceptron(**k), cross=2),
    "standardised": lambda **k: mb.transforms.standardize(mb.Perceptron(**k)),
}
PAIRS: list[tuple[Any, Any]] = [
    (0, 1),
    (-1, 1),
    (False, True),
    (0.0, 1.0),
    (-1, True),
    ("0", "1"),
    ("-1", "+1"),
    ("false", "true"),
]
FIRST = [1, 0]  # which of the two comes first


def stream(first: int) -> list[tuple[set[str], int]]:
    draw = Random(4)
    rows = [{str(j) for j in range(1, 5) if draw.random() < 0.5} or {"1"} for _ in range(16)]
    coded = [(x, int("1" in x)) for x in rows]
    same = next(row for row in coded if row[1] == first)
    return [same, *[row for row in coded if row[1] == first][:2], *coded]


@pytest.mark.some(50)
@pytest.mark.parametrize(("pair", "first"), [*product(PAIRS, FIRST)])
@pytest.mark.parametrize("name", LEARNERS)
def test_no_class_has_two_names(name: str, pair: tuple[Any, Any], first: int) -> None:
    """Said one by one with labels of a pair, and the same play with the pair declared."""
    learner, declared = LEARNERS[name](), LEARNERS[name](labels=pair)
    ledger, told = mb.Ledger(learner.labels), mb.Ledger(declared.labels)
    heard: set[int] = set()
    for x, code in stream(first):
        label = pair[code]
        for ask in ("predict_one", "predict_trial"):
            said, known = getattr(learner, ask)(x), getattr(declared, ask)(x)
            assert_named(said, known, pair, heard)
        said, known = learner.learn_one(x, label), declared.learn_one(x, label)
        heard.add(code)
        assert_named(said, known, pair, heard)
        ledger.record(label, said)
        told.record(label, known)
    assert (ledger.trials, ledger.mistakes, ledger.counts()) == (told.trials, told.mistakes, told.counts())
    assert list(ledger.mistake_trials) == list(told.mistake_trials)
    assert ledger.abstentions == 0


def assert_named(said: Any, known: Any, pair: tuple[Any, Any], heard: set[int]) -> None:
    code = pair.index(known)
    if code == 0 and 0 not in heard:
        assert said is None
    elif code == 1 and 1 not in heard:
        assert meaning(said) == 1  # in numbers 1, until a label spells it
    else:
        assert said == known
        assert isinstance(said, str) == isinstance(known, str)


@pytest.mark.parametrize("label", [1, True, "1", "+1", np.int64(1), 1.0])
def test_a_stream_that_begins_with_positives(label: Any) -> None:
    for negative in (-1, 0, False, "-1", "0"):
        learner, positive = mb.Perceptron(bias=False), label if isinstance(label, str) else 1
        assert learner.learn_one([1.0, -2.0], label) is None
        assert learner.learn_one([2.0, -1.0], label) == learner.predict_one([1.0, -4.0]) == positive
        x = [-9.0, 1.0]
        assert learner.predict_one(x) is None
        assert learner.hypothesis(x) in (0, "0", "-1"), "a function has a value everywhere"
        assert learner.learn_one(x, negative) == negative
        assert learner.predict_one(x) == negative
        assert learner.learn_one({"3"}, label) == negative


@pytest.mark.parametrize("label", [-1, 0, False, "0", "-1"])
def test_a_stream_that_begins_with_a_negative(label: Any) -> None:
    learner = mb.Perceptron()
    assert learner.predict_one({"a"}) is None
    assert learner.learn_one({"a"}, label) == label
    assert learner.predict_one({"a"}) == label


def test_the_issue_of_two_names() -> None:
    learner = mb.Perceptron()
    rows = [([1.0, -2.0], 1), ([1.0, -1.0], 1), ([0.5, 1.0], -1)]
    assert [learner.learn_one(x, label) for x, label in rows] == [None, 1, -1]
    many = mb.Perceptron().learn_many(np.array([x for x, _ in rows]), [label for _, label in rows])
    assert many.tolist() == [-1, 1, -1]


@pytest.mark.parametrize("name", LEARNERS)
def test_play_counts_by_class(name: str) -> None:
    for first in FIRST:
        rows = stream(first)
        plain = mb.play(LEARNERS[name](labels=(-1, 1)), [(x, 2 * code - 1) for x, code in rows])
        for pair in ((-1, 1), (0, 1), (False, True)):
            ledger = mb.play(LEARNERS[name](), [(x, pair[code]) for x, code in rows])
            assert list(ledger.mistake_trials) == list(plain.mistake_trials)
            assert (ledger.counts(), ledger.abstentions) == (plain.counts(), 0)


@pytest.mark.parametrize("make", [mb.learners.FindS, mb.learners.CandidateElimination, mb.learners.RoteLearner])
def test_learners_that_may_not_know(make: Any) -> None:
    """None is also what they do not know: play and tables tell one from the other."""
    draw = Random(2)
    rows = [{name: draw.choice(values) for name, values in SKY.items()} for _ in range(12)]
    rows = [{"1": "on", "2": "on"}, *rows]
    labels = [int(x["1"] == "on") for x in rows]
    plain, ledger = make(SKY, labels=(0, 1)), None
    said = [plain.learn_one(x, label) for x, label in zip(rows, labels, strict=True)]
    expected = mb.play(make(SKY, labels=(0, 1)), (rows, labels))
    for other in (make(SKY), make(SKY)):
        ledger = mb.Ledger()
        ledger.labels = other.labels
        heard = other.learn_many(rows, labels, ledger=ledger)
        assert heard == said
        assert (ledger.counts(), ledger.abstentions) == (expected.counts(), expected.abstentions)
    played = mb.play(make(SKY), (rows, labels))
    assert (played.counts(), played.abstentions) == (expected.counts(), expected.abstentions)


def test_a_model_without_a_negative_label(tmp_path: Path) -> None:
    learner = mb.Perceptron()
    learner.learn_one([1.0, -2.0], 1)
    learner.save(tmp_path / "model")
    for again in (learner.copy(), mb.load(tmp_path / "model").learner):
        assert again.predict_one([-1.0, 2.0]) is None
        assert again.learn_one([-1.0, 2.0], -1) == -1
        assert mb.Ledger(again.labels).labels.sure


def test_games_and_searches_go_by_class() -> None:
    concepts = mb.concepts.MonotoneDisjunctions(3)
    for make in (mb.Perceptron, lambda **k: mb.Winnow1(n=3, **k), lambda **k: mb.Halving(concepts, **k)):
        found, named = mb.theory.worst_case(make(), concepts), mb.theory.worst_case(make(labels=(0, 1)), concepts)
        assert (found.value, found.states, found.by_target) == (named.value, named.states, named.by_target)
        assert found.verify()
        asked = [
            mb.arena.identify(
                mb.arena.AsQueryLearner(learner), mb.teachers.EquivalenceOracle(mb.concepts.parse("x1 | x3"), concepts)
            ).questions
            for learner in (make(), make(labels=(0, 1)))
        ]
        assert asked[0] == asked[1]
        games = [mb.play(learner, mb.teachers.adversary_for(concepts)) for learner in (make(), make(labels=(0, 1)))]
        assert list(games[0].mistake_trials) == list(games[1].mistake_trials)
