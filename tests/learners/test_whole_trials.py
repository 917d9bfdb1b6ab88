"""A trial happens whole or not at all, whatever exception arrives in the middle of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import count
from typing import Any
from zlib import crc32

import pytest

import mistakebound as mb
from learners.interruptions import (
    Arrive,
    Subject,
    _testcapi,
    at_allocations,
    at_events,
    at_turns,
    small_tables,
)
from mistakebound.theory.bayes import LabelNoise

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # they swallow exceptions

TEXTS = {f"w{i}": 1 for i in range(12)}  # more than a small table has extra slots for
IDS = {str(10**6 + 77_777 * i): 1 for i in range(20)}
REAL = [
    ({"a": 1.5, "b": 1}, 1),  # the first
    ({"a": 1, "c": 2.5, "7": -1}, 0),  # that settles the second label
    (TEXTS, 1),  # two new layouts
    (IDS, 0),
    ({"a": 1e308, "b": 1e308, "new": 1e308}, 0),  # refused by some
    ({"a": 1, "z": -2.0}, 1),
    ({"a": 1.0, "7": 1}, 0),
    ({"a": 1.0, "7": 1}, 0),
]
ONES = [
    ({"a": 1, "b": 1}, 1),
    ({"a": 1, "c": 1, "7": 1}, 0),
    (TEXTS, 1),
    (IDS, 0),
    ({"b", "c"}, 1),
    ({"a", "new"}, 1),
    ({"b", "new"}, 0),
    ({"b", "d"}, 1),
]
CLASSES = [(x, y) for (x, _), y in zip(REAL, ["cat", "dog", "cat", "cow", "cow", "dog", "owl", "cat"], strict=True)]
ROWS = [
    ([1, 0, 0, 1], 1),
    ([0, 1, 1, 0], 0),
    ([1, 1, 0, 0], 1),
    ([0, 0, 1, 1], 1),
    ([1, 0, 0, 1], 0),
    ([0, 1, 0, 0], 1),
]
SKY = [
    ({"sky": "sunny", "wind": "weak"}, 0),
    ({"sky": "sunny", "wind": "strong"}, 1),
    ({"sky": "rainy", "wind": "strong"}, 0),
    ({"sky": "sunny", "wind": "none"}, 1),
    ({"sky": "rainy", "wind": "weak"}, 1),
    ({"sky": "sunny", "wind": "weak"}, 0),
]
NUMBERS = [([0.5, -1.0], 0), ([1.0, 2.0], 1), ([0.1, 0.2], 0), ([3.0, -1.0], 1)]
SMALL = "monotone-disjunctions n=4 k=2"


def few(trials: list[Any], width: int = 4) -> list[Any]:
    """The same trials with fewer attributes, for those that cross them."""
    return [(dict.fromkeys(list(x)[:width], 1), y) for x, y in trials]


def near(theta: float) -> Any:
    return mb.Winnow2(n=50, alpha=1.1, theta=theta)


UP = [({"a"}, 1), ({"b"}, 1)]  # after which the weights are 1.1
SUBJECTS: dict[str, Subject] = {
    "winnow1": Subject(mb.Winnow1, ONES),
    "winnow1, n": Subject(lambda: mb.Winnow1(n=60, alpha=1.5, labels=(0, 1)), ONES),
    "winnow2": Subject(mb.Winnow2, ONES),
    "winnow2, alpha 2": Subject(lambda: mb.Winnow2(alpha=2.0), ONES),
    "winnow2 at the edge of its table": Subject(lambda: near(1e30), [({"a", "x"}, 1), ({"x"}, 1)], [({"a"}, 1)] * 64),
    "winnow2 with wider cells": Subject(lambda: near(1e30), [({"a", "x"}, 1), ({"x"}, 1)], [({"a"}, 1)] * 127),
    "winnow2 in whole numbers": Subject(lambda: near(3.2), [({"a", "b", "x"}, 0), ({"a", "b", "x", "y"}, 1)], UP),
    "perceptron": Subject(mb.Perceptron, REAL),
    "perceptron of ones": Subject(lambda: mb.Perceptron(costs={0: 2.0, 1: 1.0}), ONES),
    "averaged-perceptron": Subject(mb.AveragedPerceptron, REAL),
    "passive-aggressive": Subject(mb.PassiveAggressive, REAL),
    "balanced-winnow": Subject(mb.BalancedWinnow, REAL),
    "arow": Subject(mb.Arow, REAL),
    "arow, full": Subject(lambda: mb.Arow(covariance="full"), REAL),
    "conjunction-elimination": Subject(mb.ConjunctionElimination, ONES),
    "disjunction-elimination": Subject(mb.DisjunctionElimination, ONES),
    "decision-list-learner": Subject(lambda: mb.DecisionListLearner(4), ROWS),
    "halving": Subject(lambda: mb.Halving(SMALL), ROWS),
    "standard-optimal": Subject(lambda: mb.StandardOptimal(SMALL), ROWS),
    "bayes-optimal": Subject(lambda: mb.BayesOptimal(SMALL, noise=0.1), ROWS),
    "gibbs": Subject(lambda: mb.Gibbs(SMALL, noise=0.1), ROWS),
    "bayes-optimal, functions": Subject(
        lambda: mb.BayesOptimal([len, sum], likelihood=LabelNoise(0.1, (0, 1, 2, 4))), [([1, 0, 0, 1], 2), ([1], 1)]
    ),
    "find-s": Subject(mb.FindS, SKY),
    "candidate-elimination": Subject(mb.CandidateElimination, SKY),
    "rote-learner": Subject(mb.RoteLearner, SKY),
    "list-then-eliminate": Subject(lambda: mb.ListThenEliminate(SMALL), ROWS),
    "naive-bayes": Subject(mb.NaiveBayes, [*SKY, ({"sky": "grey", "rain": None}, "perhaps")]),
    "naive-bayes, words": Subject(lambda: mb.NaiveBayes(attributes="words"), [*few(ONES), ({"b": 2, "q": 1}, "spam")]),
    "naive-bayes, flags": Subject(
        lambda: mb.NaiveBayes(attributes="flags"), [*few(ONES), ({"b": None, "q": 1, "r": None}, "spam")]
    ),
    "network": Subject(lambda: mb.Network([2, 3, 1]), NUMBERS),
    "network, classes": Subject(lambda: mb.Network([2, 2, 3]), [(x, "abc"[k % 3]) for k, (x, _) in enumerate(NUMBERS)]),
    "linear-unit": Subject(lambda: mb.LinearUnit(rule="perceptron"), NUMBERS),
    "sigmoid-unit": Subject(lambda: mb.SigmoidUnit(rule="stochastic"), NUMBERS),
    "standardised perceptron": Subject(lambda: mb.standardize(mb.Perceptron()), REAL),
    "standardised arow": Subject(lambda: mb.standardize(mb.Arow()), REAL),
    "crossed winnow2": Subject(lambda: mb.expand(mb.Winnow2(), cross=2), few(ONES)),
    "crossed perceptron": Subject(lambda: mb.expand(mb.Perceptron(), cross=2), few(REAL)),
    "reduced to conjunctions": Subject(lambda: mb.expand(mb.Winnow1(n=30), reduce="conjunction"), few(ONES)),
    "reduced to decision lists": Subject(
        lambda: mb.expand(mb.Winnow2(n=30), reduce="decision-list", rules=2), few(ONES)
    ),
    "one-vs-all": Subject(mb.OneVsAll, CLASSES),
    "one-vs-all of winnow2": Subject(lambda: mb.OneVsAll("winnow2", labels=("cat", "dog", "cow", "owl")),
                                     [(x, y) for (x, _), (_, y) in zip(ONES, CLASSES, strict=True)]),
    "weighted-majority": Subject(mb.WeightedMajority, REAL),
    "weighted-majority of those that refuse": Subject(
        lambda: mb.WeightedMajority("winnow2,perceptron,disjunction-elimination,conjunction-elimination"), ONES
    ),
    "weighted-majority of learners that have learned": Subject(
        lambda: mb.WeightedMajority([taught(), "arow", taught()]), REAL
    ),
    "randomized-weighted-majority": Subject(lambda: mb.RandomizedWeightedMajority("winnow2,perceptron,arow"), ONES),
}  # fmt: skip
EVERY = [
    pytest.param(name, trial, id=f"{name}, trial {trial + 1}")
    for name, subject in SUBJECTS.items()
    for trial in range(len(subject.trials))
]


def taught() -> Any:
    learner = mb.Perceptron()
    learner.learn_one({"a": 1.0}, 1)
    return learner


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    small_tables(monkeypatch)


def some(count: int, last: int, *what: Any) -> list[int]:
    """A few of the moments 1 .. last, others for every subject."""
    return sorted(1 + crc32(repr((*what, number)).encode()) % last for number in range(count))


def test_every_learner_is_interrupted() -> None:
    """Whatever learns one at a time is among the subjects."""
    online = {n for n in mb.learners.names() if hasattr(mb.learners.find(n), "learn_one")}
    assert {type(subject.make()).name for subject in SUBJECTS.values()} == online


def check(name: str, trial: int, arrive: Arrive, moments: Iterable[int]) -> int:
    return SUBJECTS[name].sweep(trial, arrive, moments)


@pytest.mark.parametrize(("name", "trial"), EVERY)
def test_a_signal_finds_no_half_trial(name: str, trial: int) -> None:
    check(name, trial, at_events, some(2, 250, name, trial))


@pytest.mark.long
@pytest.mark.parametrize(("name", "trial"), EVERY)
def test_no_signal_finds_a_half_trial(name: str, trial: int) -> None:
    assert check(name, trial, at_events, count(1)) > 0
    check(name, trial, at_turns, count(1))


needs_testcapi = pytest.mark.skipif(
    _testcapi is None or sys.version_info >= (3, 12),
    reason="needs _testcapi, which lets allocations fail; CPython itself crashes of that from 3.12 on",
)


@needs_testcapi
@pytest.mark.long
@pytest.mark.parametrize(("name", "trial"), EVERY[::4])
def test_want_of_memory_leaves_no_half_trial(name: str, trial: int) -> None:
    check(name, trial, at_allocations, some(2, 300, name, trial))


@needs_testcapi
@pytest.mark.long
@pytest.mark.parametrize(("name", "trial"), EVERY)
def test_no_want_of_memory_leaves_a_half_trial(name: str, trial: int) -> None:
    assert check(name, trial, at_allocations, count()) > 0
