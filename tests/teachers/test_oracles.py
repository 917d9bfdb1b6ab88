"""Oracles answer for their target, and the wrappers count and remember."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import mistakebound as mb

parse = mb.concepts.parse


@pytest.mark.parametrize("choose", ["first", "last", "random"])
def test_equivalence(choose: str) -> None:
    concepts = mb.concepts.Conjunctions(3)
    target = parse("x1 & ~x2")
    oracle = mb.teachers.EquivalenceOracle(target, concepts, choose=choose, seed=4)
    cube = list(product((0, 1), repeat=3))
    for question in concepts:
        wrong = [(x, target(x)) for x in cube if question(x) != target(x)]
        answer = oracle.ask(question)
        assert answer in wrong if wrong else answer is None
        if wrong and choose != "random":
            assert answer == (wrong[0] if choose == "first" else wrong[-1])


def test_random_counterexamples_replay() -> None:
    asked = [
        [oracle.ask(parse("false")) for _ in range(6)]
        for oracle in (
            mb.teachers.EquivalenceOracle(parse("x1"), product((0, 1), repeat=5), choose="random", seed=seed)
            for seed in (1, 1, 2)
        )
    ]
    assert asked[0] == asked[1] != asked[2]


def test_a_learner_s_hypothesis_is_a_question() -> None:
    oracle = mb.teachers.EquivalenceOracle(parse("x1 | x2"), mb.concepts.MonotoneDisjunctions(2))
    learner = mb.Winnow1(n=2, labels=(0, 1))
    x, label = oracle.ask(learner.hypothesis)
    assert (learner.predict_one(x), label) == (0, 1)


def test_bad_parameters() -> None:
    with pytest.raises(mb.BadParameter, match="choose must be 'first', 'last' or 'random': 'best'"):
        mb.teachers.EquivalenceOracle(parse("x1"), [], choose="best")
    with pytest.raises(mb.BadParameter, match="at most 1048576 instances"):
        mb.teachers.EquivalenceOracle(parse("x1"), mb.concepts.MonotoneDisjunctions(30))


def test_counting_and_caching() -> None:
    counting = mb.teachers.CountingOracle(mb.teachers.MembershipOracle(parse("x1")))
    caching = mb.teachers.CachingOracle(counting)
    for x in ([1, 0], (1, 0), np.array([1, 0]), {"1": 1}, {"1": 1}, {"1"}, frozenset({"1"})):
        assert caching.ask(x) == 1
    assert (counting.questions, caching.saved) == (3, 4)
    hypotheses = mb.teachers.CountingOracle(
        mb.teachers.EquivalenceOracle(parse("x1"), mb.concepts.MonotoneDisjunctions(2))
    )
    remembered = mb.teachers.CachingOracle(hypotheses)
    assert remembered.ask(mb.Winnow1(n=2).hypothesis) == remembered.ask(mb.Winnow1(n=2).hypothesis)
    assert remembered.ask(parse("x1")) is None
    assert remembered.ask(parse("x1")) is None
    assert (hypotheses.questions, remembered.saved) == (2, 2)


def test_a_target_may_be_a_text() -> None:
    C = mb.concepts.MonotoneDisjunctions(3)
    assert mb.teachers.EquivalenceOracle("x1 | x3", C).ask(mb.concepts.parse("x1")) == ((0, 0, 1), 1)
    assert mb.teachers.MembershipOracle("x1 | x3").ask((0, 0, 1)) == 1
