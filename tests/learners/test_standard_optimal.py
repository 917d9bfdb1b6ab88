"""The standard optimal algorithm: the twin's trace, Lemma 2 at every mistake, and opt(C) met, never passed."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.theory.littlestone import opt
from naive.standard_optimal import NaiveStandardOptimal

CLASSES = [
    mb.concepts.MonotoneDisjunctions(4, 2), mb.concepts.MonotoneDisjunctions(5, 2, exactly=True),
    mb.concepts.Conjunctions(3), mb.concepts.Disjunctions(2, tautology=True), mb.concepts.RofK(4, 2, 3),
    mb.concepts.DecisionLists(2), mb.concepts.LinearThresholds(2),
]  # fmt: skip


@pytest.mark.parametrize("concepts", CLASSES, ids=str)
def test_twin_agrees(concepts: Any) -> None:
    draw, cube = Random(str(concepts)), list(product((0, 1), repeat=concepts.n))
    for noise in (0, 0, 0.2):
        learner, twin = (
            mb.learners.StandardOptimalAlgorithm(concepts, labels=(0, 1)),
            NaiveStandardOptimal(concepts, cube),
        )
        target = concepts.sample(draw.randrange(1000))
        for _ in range(20):
            x = draw.choice(cube)
            label = target(x) ^ (draw.random() < noise)
            assert learner.predict_one(x) == twin.predict(x)
            said, before = twin.learn(x, label), learner.hypothesis
            if said is None:
                with pytest.raises(mb.NoConsistentHypothesis):
                    learner.learn_one(x, label)
                assert learner.hypothesis == before
            else:
                assert learner.learn_one(x, label) == said
            assert (learner.size, learner.opt()) == (len(twin.consist), twin.k(twin.consist))


def worst(learner: Any, left: Any, cube: list[Any]) -> int:
    """The most mistakes over all targets that are left and all sequences of instances."""
    most = 0
    for x in cube:
        said = learner.predict_one(x)
        against = [f for f in left if f(x) != said]
        if against:
            other = learner.copy()
            other.learn_one(x, 1 - said)
            most = max(most, 1 + worst(other, against, cube))
        if against and len(against) < len(left):
            other = learner.copy()
            other.learn_one(x, said)
            if other.hypothesis != learner.hypothesis:
                most = max(most, worst(other, [f for f in left if f(x) == said], cube))
    return most


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "concepts",
    [
        mb.concepts.MonotoneDisjunctions(2), mb.concepts.MonotoneDisjunctions(3, 1), mb.concepts.Conjunctions(2),
        mb.concepts.MonotoneConjunctions(1), mb.concepts.MonotoneDisjunctions(3, 2, exactly=True),
        mb.concepts.MonotoneDisjunctions(4, 1, exactly=True), mb.concepts.Disjunctions(1, tautology=True),
    ],
    ids=str,
)  # fmt: skip
def test_the_exhaustive_worst_case_is_opt(concepts: Any) -> None:
    learner = mb.learners.StandardOptimalAlgorithm(concepts, labels=(0, 1))
    cube = list(product((0, 1), repeat=concepts.n))
    assert worst(learner, list(concepts), cube) == opt(concepts).value == learner.bound().mistakes


def test_all_classes_over_three_points_meet_opt(long: bool) -> None:
    for code in range(1, 256, 1 if long else 3):
        rows = [row for place, row in enumerate(product((0, 1), repeat=3)) if code >> place & 1]
        concepts = mb.concepts.FiniteClass(rows)
        learner = mb.learners.StandardOptimalAlgorithm(concepts, labels=(0, 1))
        twin = NaiveStandardOptimal([row.__getitem__ for row in rows], range(3))
        found = worst(learner, [row.__getitem__ for row in rows], [0, 1, 2])
        assert found == twin.k(twin.consist) == learner.bound().mistakes


def test_it_can_do_better_than_halving() -> None:
    """Where the larger side has the smaller K: {x} against the singletons."""
    rows = [[0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
    concepts = mb.concepts.FiniteClass(rows)
    assert mb.learners.StandardOptimalAlgorithm(concepts).bound().mistakes <= mb.Halving(concepts).bound().mistakes


def test_lemma_2_and_the_bound_hold_in_play() -> None:
    concepts = mb.concepts.MonotoneDisjunctions(6, 2)
    for seed in range(5):
        teacher = mb.teachers.RandomTarget(concepts.sample(seed), n=6, trials=60, density=0.4, seed=seed)
        ledger = mb.play(mb.learners.StandardOptimalAlgorithm(concepts), teacher, lemmas=True)
        assert ledger.verdict.kind == "within"
        assert ledger.bound.theorem.name == "Theorem 3"


def test_corner_cases() -> None:
    one = mb.learners.StandardOptimalAlgorithm("monotone-disjunctions n=1 k=0", labels=(0, 1))
    assert (one.bound().mistakes, one.opt(), one.predict_one([1])) == (0, 0, 0)
    with pytest.raises(mb.NoConsistentHypothesis):
        one.learn_one([1], 1)
    with pytest.raises(mb.BadParameter):
        mb.learners.StandardOptimalAlgorithm(mb.concepts.FiniteClass([], []))
