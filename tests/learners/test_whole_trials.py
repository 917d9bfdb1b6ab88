"""A trial happens whole or not at all, whatever exception arrives in the middle of it."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from random import Random
from threading import Timer
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import mistakebound as mb
from learners.interruptions import (
    CAN_RUN_OUT_OF_MEMORY,
    Arrive,
    Arrived,
    Stream,
    Subject,
    at_allocations,
    at_events,
    at_turns,
    model,
    small_tables,
)
from mistakebound import kernels, learners
from mistakebound.bayes import LabelNoise
from mistakebound.learners import registry

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
    ([1, 0, 0, 1], 1), ([0, 1, 1, 0], 0), ([1, 1, 0, 0], 1), ([0, 0, 1, 1], 1), ([1, 0, 0, 1], 0), ([0, 1, 0, 0], 1)
]  # fmt: skip
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
    "coin-betting": Subject(mb.learners.CoinBetting, REAL),
    "balanced-winnow": Subject(mb.BalancedWinnow, REAL),
    "arow": Subject(mb.AROW, REAL),
    "auto": Subject(mb.Auto, REAL),
    "arow, full": Subject(lambda: mb.AROW(covariance="full"), REAL),
    "conjunction-elimination": Subject(mb.learners.ConjunctionElimination, ONES),
    "disjunction-elimination": Subject(mb.learners.DisjunctionElimination, ONES),
    "decision-list-learner": Subject(lambda: mb.learners.DecisionListLearner(4), ROWS),
    "halving": Subject(lambda: mb.Halving(SMALL), ROWS),
    "standard-optimal": Subject(lambda: mb.learners.StandardOptimalAlgorithm(SMALL), ROWS),
    "bayes-optimal": Subject(lambda: mb.learners.BayesOptimal(SMALL, noise=0.1), ROWS),
    "gibbs": Subject(lambda: mb.learners.Gibbs(SMALL, noise=0.1), ROWS),
    "bayes-optimal, functions": Subject(
        lambda: mb.learners.BayesOptimal([len, sum], likelihood=LabelNoise(0.1, (0, 1, 2, 4))),
        [([1, 0, 0, 1], 2), ([1], 1)],
    ),
    "find-s": Subject(mb.learners.FindS, SKY),
    "candidate-elimination": Subject(mb.learners.CandidateElimination, SKY),
    "rote-learner": Subject(mb.learners.RoteLearner, SKY),
    "list-then-eliminate": Subject(lambda: mb.learners.ListThenEliminate(SMALL), ROWS),
    "naive-bayes": Subject(mb.NaiveBayes, [*SKY, ({"sky": "grey", "rain": None}, "perhaps")]),
    "naive-bayes, words": Subject(lambda: mb.NaiveBayes(attributes="words"), [*few(ONES), ({"b": 2, "q": 1}, "spam")]),
    "naive-bayes, flags": Subject(
        lambda: mb.NaiveBayes(attributes="flags"), [*few(ONES), ({"b": None, "q": 1, "r": None}, "spam")]
    ),
    "network": Subject(lambda: mb.learners.Network([2, 3, 1]), NUMBERS),
    "network, classes": Subject(
        lambda: mb.learners.Network([2, 2, 3]), [(x, "abc"[k % 3]) for k, (x, _) in enumerate(NUMBERS)]
    ),
    "linear-unit": Subject(lambda: mb.learners.LinearUnit(rule="perceptron"), NUMBERS),
    "sigmoid-unit": Subject(lambda: mb.learners.SigmoidUnit(rule="stochastic"), NUMBERS),
    "binned perceptron": Subject(lambda: mb.transforms.bins(mb.Perceptron(), {"a": [1.2], "c": [0.0, 1.0]}), REAL),
    "standardised perceptron": Subject(lambda: mb.transforms.standardize(mb.Perceptron()), REAL),
    "standardised arow": Subject(lambda: mb.transforms.standardize(mb.AROW()), REAL),
    "crossed winnow2": Subject(lambda: mb.transforms.expand(mb.Winnow2(), cross=2), few(ONES)),
    "crossed perceptron": Subject(lambda: mb.transforms.expand(mb.Perceptron(), cross=2), few(REAL)),
    "reduced to conjunctions": Subject(lambda: mb.transforms.expand(mb.Winnow1(n=30), reduce="conjunction"), few(ONES)),
    "reduced to decision lists": Subject(
        lambda: mb.transforms.expand(mb.Winnow2(n=30), reduce="decision-list", rules=2), few(ONES)
    ),
    "one-vs-all": Subject(mb.OneVsAll, CLASSES),
    "one-vs-all of winnow2": Subject(
        lambda: mb.OneVsAll("winnow2", labels=("cat", "dog", "cow", "owl")),
        [(x, y) for (x, _), (_, y) in zip(ONES, CLASSES, strict=True)],
    ),
    "weighted-majority": Subject(mb.WeightedMajority, REAL),
    "weighted-majority of those that refuse": Subject(
        lambda: mb.WeightedMajority("winnow2,perceptron,disjunction-elimination,conjunction-elimination"), ONES
    ),
    "weighted-majority of learners that have learned": Subject(
        lambda: mb.WeightedMajority([taught(), "arow", taught()]), REAL
    ),
    "randomized-weighted-majority": Subject(
        lambda: mb.learners.RandomizedWeightedMajority("winnow2,perceptron,arow"), ONES
    ),
}
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
    monkeypatch.setattr(random, "_sha512", hashlib.sha512)  # CPython's own crashes for want of memory; the same draws


def some(count: int, last: int, *what: Any) -> list[int]:
    """A few of the moments 1 .. last, others for every subject."""
    return sorted(1 + crc32(repr((*what, number)).encode()) % last for number in range(count))


def test_every_learner_is_interrupted() -> None:
    """Whatever learns one at a time is among the subjects."""
    online = {n for n in learners.names() if hasattr(learners.find(n), "learn_one")}
    assert {type(subject.make()).name for subject in SUBJECTS.values()} == online | {*registry.TRANSFORMS}


def check(name: str, trial: int, arrive: Arrive, moments: Iterable[int]) -> int:
    return SUBJECTS[name].sweep(trial, arrive, moments)


@pytest.mark.some(18)
@pytest.mark.parametrize(("name", "trial"), EVERY[::3])
def test_a_signal_finds_no_half_trial(name: str, trial: int) -> None:
    check(name, trial, at_events, some(2, 250, name, trial))


@pytest.mark.long
@pytest.mark.parametrize(("name", "trial"), EVERY)
def test_no_signal_finds_a_half_trial(name: str, trial: int) -> None:
    assert check(name, trial, at_events, count(1)) > 0
    check(name, trial, at_turns, count(1))


needs_testcapi = pytest.mark.skipif(
    not CAN_RUN_OUT_OF_MEMORY or sys.version_info >= (3, 12),
    reason="needs _testcapi, which lets allocations fail; CPython itself crashes of that from 3.12 on",
)


@needs_testcapi
@pytest.mark.long
@pytest.mark.parametrize(("name", "trial"), EVERY)
def test_no_want_of_memory_leaves_a_half_trial(name: str, trial: int) -> None:
    assert check(name, trial, at_allocations, count()) > 0


def test_a_second_signal_finds_no_half_trial_either(long: bool) -> None:
    for name in ("perceptron", "winnow2 with wider cells", "standardised perceptron", "one-vs-all", "naive-bayes"):
        for trial in range(2) if long else (1,):
            for moment in some(4, 150, name, trial):
                check(name, trial, partial(at_events, again=1 + moment % 7), [moment])


@pytest.mark.kernel
@pytest.mark.skipif(kernels.compiled(), reason="of kernels that can stop half way")
def test_a_kernel_that_stops_half_way_leaves_no_half_trial() -> None:
    for name in ("perceptron", "winnow2", "arow", "crossed winnow2", "standardised perceptron", "one-vs-all",
                 "weighted-majority of those that refuse", "naive-bayes, words", "network", "halving"):  # fmt: skip
        for trial in (1, 2):
            check(name, trial, at_events, some(4, 900, name, trial))


# Many trials in one call.


def in_columns(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    X = np.zeros((len(trials), WIDE))
    for row, (x, _) in enumerate(trials):
        X[row, x] = 1.0 + x[0] % 2 * (not learner.binary)  # of the trial, not of its place: the rest is another call
    learner.learn_many(X, np.array([y for _, y in trials]), ledger=ledger)


def with_names(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    X = np.zeros((len(trials), 30))
    for row, (x, _) in enumerate(trials):
        X[row, [column % 30 for column in x]] = 1.0
    learner.learn_many(X, [y for _, y in trials], ledger=ledger, names=[f"n{column}" for column in range(30)])


def with_weights(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    X = np.zeros((len(trials), WIDE))
    for row, (x, _) in enumerate(trials):
        X[row, x] = 1.0
    weights = [1.0 + x[0] % 3 for x, _ in trials]
    learner.learn_many(X, [y for _, y in trials], ledger=ledger, weights=weights)


def as_lists(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    if trials:
        learner.learn_many([x for x, _ in trials], [y for _, y in trials], ledger=ledger)


def as_a_table(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    if trials:
        columns = {name: [x[name] for x, _ in trials] for name in trials[0][0]}
        learner.learn_many(columns, [y for _, y in trials], ledger=ledger)


def in_play(learner: Any, trials: Sequence[Any], ledger: Any) -> None:
    mb.play(learner, list(trials), ledger=ledger)


WIDE = 1000  # columns: far more than a small table has at first
_draw = Random(1)
COLUMNS = [(_draw.sample(range(60 if row < 4 else WIDE), 3), int(row % 3 != 1)) for row in range(9)]
FITTING = [({"sky": "sunny", "wind": wind, "day": day}, int(wind == "weak")) for wind in ("weak", "strong", "none")
           for day in "abc"]  # fmt: skip
BITS = [([a, b, c, 0], int(a or b)) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
STREAMS: dict[str, Stream] = {
    f"{name}, {learn.__name__}": Stream(make, trials, learn)
    for name, make, trials, ways in (
        ("perceptron", mb.Perceptron, COLUMNS, (in_columns, with_names)),
        ("averaged-perceptron", mb.AveragedPerceptron, COLUMNS, (in_columns,)),
        ("winnow2", mb.Winnow2, COLUMNS, (in_columns, with_names)),
        ("winnow2 in whole numbers", lambda: near(2.1), [([0, 1, 2], 1), ([0, 1], 0), ([0, 5], 1)], (in_columns,)),
        ("arow", mb.AROW, COLUMNS, (in_columns,)),
        ("arow, full", lambda: mb.AROW(covariance="full"), COLUMNS, (in_columns,)),
        ("standardised perceptron", lambda: mb.transforms.standardize(mb.Perceptron()), COLUMNS, (in_columns,)),
        ("crossed winnow2", lambda: mb.transforms.expand(mb.Winnow2(), cross=2), COLUMNS, (in_columns,)),
        (
            "complemented",
            lambda: mb.transforms.expand(mb.Winnow1(n=WIDE), reduce="conjunction"),
            COLUMNS[:3],
            (in_columns,),
        ),
        ("one-vs-all", mb.OneVsAll, [(x, "abc"[y + row % 2]) for row, (x, y) in enumerate(COLUMNS)], (with_names,)),
        (
            "one-vs-all of perceptrons",
            lambda: mb.OneVsAll("perceptron"),
            [(x, "abc"[y + row % 2]) for row, (x, y) in enumerate(COLUMNS)],
            (with_weights,),
        ),
        ("weighted-majority", lambda: mb.WeightedMajority("winnow2,perceptron,arow"), COLUMNS, (in_columns,)),
        ("halving", lambda: mb.Halving(SMALL), BITS, (as_lists, in_play)),
        ("list-then-eliminate", lambda: mb.learners.ListThenEliminate(SMALL), BITS, (as_lists,)),
        ("candidate-elimination", mb.learners.CandidateElimination, FITTING, (as_lists, as_a_table, in_play)),
        ("find-s", mb.learners.FindS, FITTING, (as_a_table,)),
        ("rote-learner", mb.learners.RoteLearner, FITTING, (as_a_table,)),
        ("network", lambda: mb.learners.Network([2, 3, 1]), NUMBERS, (as_lists, in_play)),
        ("linear-unit", lambda: mb.learners.LinearUnit(rule="perceptron"), NUMBERS, (as_lists,)),
        ("winnow2 of texts", mb.Winnow2, ONES, (in_play,)),
        ("averaged-perceptron of texts", mb.AveragedPerceptron, [*REAL[:4], *REAL[5:]], (in_play,)),
        ("naive-bayes", mb.NaiveBayes, SKY, (in_play,)),
    )
    for learn in ways
}


@pytest.mark.some(10)
@pytest.mark.parametrize("name", STREAMS)
def test_what_was_learned_is_counted(name: str) -> None:
    STREAMS[name].sweep(at_events, some(4, 500, name))
    STREAMS[name].sweep(at_turns, some(2, 40, name))


@pytest.mark.some(1)
@pytest.mark.parametrize("name", [name for name in STREAMS if "majority" in name or "one-vs" in name])
def test_two_signals_leave_nothing_uncounted(name: str) -> None:
    for moment in some(12, 500, name):
        STREAMS[name].sweep(partial(at_events, again=1 + moment % 23), [moment])


@pytest.mark.long
@pytest.mark.parametrize("name", STREAMS)
def test_all_that_was_learned_is_counted(name: str) -> None:
    assert STREAMS[name].sweep(at_events, count(1)) > 0
    STREAMS[name].sweep(at_turns, count(1))


@needs_testcapi
@pytest.mark.long
@pytest.mark.parametrize("name", STREAMS)
def test_want_of_memory_leaves_nothing_uncounted(name: str) -> None:
    assert STREAMS[name].sweep(at_allocations, count()) > 0


# Signals as they come.


@contextmanager
def raising(number: int) -> Iterator[None]:
    def arrive(*_: Any) -> None:
        raise Arrived

    before = signal.signal(number, arrive)
    try:
        yield
    finally:
        signal.signal(number, before)


def interrupted(learner: Any, trials: Sequence[Any], begin: Callable[[], Any]) -> int:
    """How many trials were over when the signal came."""
    over = 0
    try:
        begin()
        for x, y in trials:
            learner.learn_one(x, y)
            over += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Arrived:
        pass
    return over


def loops(name: str, rounds: int) -> int:
    """A loop over the trials that are not refused, interrupted once each time; how often within a trial."""
    subject, draw = SUBJECTS[name], Random(name)
    trials: list[Any] = []
    for trial in subject.trials:
        learner = subject.make()
        try:
            for x, y in [*subject.before, *trials, trial]:
                learner.learn_one(x, y)
        except (mb.BadData, mb.NoConsistentHypothesis):
            continue
        trials.append(trial)
    ends = [model(SubjectUpTo(subject, trials, count)()) for count in range(len(trials) + 1)]
    learner = SubjectUpTo(subject, trials, 0)()
    start = perf_counter()
    interrupted(learner, trials, lambda: None)
    long = perf_counter() - start
    within = 0
    with raising(signal.SIGALRM), raising(signal.SIGINT):
        for number in range(rounds):
            learner, late = SubjectUpTo(subject, trials, 0)(), 1e-6 + draw.random() * long
            if number % 10:
                over = interrupted(learner, trials, partial(signal.setitimer, signal.ITIMER_REAL, late))
            else:
                timer = Timer(late, os.kill, (os.getpid(), signal.SIGINT))
                try:
                    over = interrupted(learner, trials, timer.start)
                    timer.join()
                except Arrived:
                    over = len(trials)
            assert model(learner) in ends[over : over + 2], f"{name}: after {over} trials of {len(trials)}"
            within += over < len(trials)
    return within


class SubjectUpTo:
    def __init__(self, subject: Subject, trials: Sequence[Any], count: int) -> None:
        self.subject, self.trials = subject, trials[:count]

    def __call__(self) -> Any:
        learner = self.subject.make()
        for x, y in [*self.subject.before, *self.trials]:
            learner.learn_one(x, y)
        return learner


@pytest.mark.some(15)
@pytest.mark.parametrize("name", SUBJECTS)
def test_signals_in_a_loop(name: str) -> None:
    loops(name, 2)


@pytest.mark.long
@pytest.mark.parametrize("name", SUBJECTS)
def test_two_hundred_signals_in_a_loop(name: str) -> None:
    assert loops(name, 200) > 0
