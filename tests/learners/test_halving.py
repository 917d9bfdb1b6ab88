"""Halving: the twin's trace, the bound held and met, classes of a million concepts, what it refuses."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.learners.finite.voters import ColumnVoters, ConceptVoters, CountVoters, TableVoters, voters_of
from naive.halving import NaiveHalving

CLASSES = [
    mb.concepts.MonotoneDisjunctions(4, 2), mb.concepts.Disjunctions(3, tautology=True), mb.concepts.Conjunctions(3),
    mb.concepts.MonotoneConjunctions(4), mb.concepts.RofK(5, 2, 3), mb.concepts.DecisionLists(2),
    mb.concepts.LinearThresholds(3),
]  # fmt: skip
VARIANTS = [(0, "always"), (1, "always"), (0, "mistakes"), (1, "mistakes")]


@pytest.mark.some(12)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("concepts", CLASSES, ids=str)
def test_twin_agrees(concepts: Any, variant: tuple[int, str]) -> None:
    draw = Random(str(concepts))
    cube = list(product((0, 1), repeat=concepts.n))
    for noise in (0, 0, 0.2):
        learner, twin = mb.Halving(concepts, *variant, labels=(0, 1)), NaiveHalving(concepts, *variant)
        target = concepts.sample(draw.randrange(1000))
        for _ in range(25):
            x = draw.choice(cube)
            label = target(x) ^ (draw.random() < noise)
            assert learner.predict_one(x) == twin.predict(x)
            said, before = twin.learn(x, label), learner.hypothesis
            if said is None:
                with pytest.raises(mb.NoConsistentHypothesis, match="no consistent concept is left of"):
                    learner.learn_one(x, label)
                assert learner.hypothesis == before
            else:
                assert learner.learn_one(x, label) == said
            assert learner.remaining_concepts(1000) == twin.consist
            assert learner.size == len(twin.consist)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("concepts", CLASSES, ids=str)
def test_bound_holds(concepts: Any, variant: tuple[int, str], long: bool) -> None:
    cube = list(product((0, 1), repeat=concepts.n))
    for seed in range(5 if long else 2):
        target, draw = concepts.sample(seed), Random(seed)
        shown = [(x, target(x)) for x in draw.choices(cube, k=40)]
        ledger = mb.play(mb.Halving(concepts, *variant), shown, lemmas=True)
        assert ledger.verdict.kind == "within"
        assert ledger.bound.mistakes == concepts.count().bit_length() - 1


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("points", [1, 2, 3, 6])
def test_bound_is_met(points: int, variant: tuple[int, str]) -> None:
    """All functions on some points: every label halves them, so that every point costs a mistake."""
    everything = mb.concepts.FiniteClass(list(product((0, 1), repeat=points)))
    learner = mb.Halving(everything, *variant, labels=(0, 1))
    mistakes = 0
    for x in range(points):
        label = 1 - learner.predict_one(x)
        mistakes += learner.learn_one(x, label) != label
    assert mistakes == points == mb.Halving(everything).bound().mistakes
    assert learner.size == 1


def test_the_bound_of_a_count_that_begins_later() -> None:
    learner = mb.Halving("monotone-disjunctions n=4 k=2")
    learner.learn_one([1, 1, 1, 0], 0)
    assert learner.size == 2  # false, x4
    ledger = mb.play(learner, [([0, 0, 0, 1], 1)])
    assert ledger.bound.mistakes == 1
    assert learner.bound().mistakes == 3


def test_corner_cases() -> None:
    one = mb.Halving(mb.concepts.MonotoneDisjunctions(1, 0))
    assert (one.size, one.bound().mistakes, str(one.hypothesis)) == (1, 0, "false")
    assert one.learn_one([1], 0) == 0
    with pytest.raises(mb.NoConsistentHypothesis):
        one.learn_one([1], 1)
    assert one.size == 1
    assert mb.Halving(mb.concepts.Conjunctions(1)).size == 3
    with pytest.raises(mb.BadParameter, match="between 1 and 16777216 concepts: 0"):
        mb.Halving(mb.concepts.FiniteClass([], []))
    with pytest.raises(mb.BadParameter, match=r"concepts must be a class of concepts such as .* \(n must be given"):
        mb.Halving("conjunctions")
    with pytest.raises(mb.BadParameter, match="at most 65535 for halving"):
        mb.Halving(mb.concepts.MonotoneDisjunctions(70_000, 1))
    with pytest.raises(mb.BadParameter, match="between 1 and 16777216"):
        mb.Halving(mb.concepts.Conjunctions(20))


def test_instances_that_are_no_rows() -> None:
    """Points are played as themselves, or as rows in which only the point's number is on."""
    points = mb.Halving(mb.concepts.FiniteClass([[0, 0, 1], [0, 1, 1], [1, 1, 1]]), labels=(0, 1))
    assert points.n == 3
    assert [points.predict_one(x) for x in (0, 1, 2)] == [points.predict_one({str(j)}) for j in (1, 2, 3)] == [0, 1, 1]
    assert points.learn_one(1, 0) == 1
    assert points.remaining_concepts() == [0]
    named = mb.Halving(mb.concepts.FiniteClass([str.islower, str.isalpha], ["a", "B", "c1"]), labels=(0, 1))
    assert [named.predict_one(x) for x in ("a", "B", "c1")] == [1, 0, 0]
    line = mb.Halving("thresholds m=5", labels=(0, 1))
    assert [line.predict_one((j,)) for j in (1, 5)] == [line.predict_one([j]) for j in (1, 5)] == [1, 0]
    for x in ({"1", "2"}, set(), 3, "d"):
        with pytest.raises(mb.BadData):
            named.predict_one(x)
    part = mb.Halving(mb.concepts.Conjunctions(2).finite([(0, 1), (1, 1)]))
    assert part.n == 2
    with pytest.raises(mb.BadData, match="one of the class's 2"):
        part.predict_one([0, 0])


@given(st.integers(0, 4), st.lists(st.integers(0, 2**6 - 1), min_size=1, max_size=8))
def test_all_ways_to_vote_agree(kind: int, codes: list[int]) -> None:
    concepts = [
        mb.concepts.RofK(6, 2, 4), mb.concepts.MonotoneDisjunctions(6, 2), mb.concepts.Conjunctions(6),
        mb.concepts.DecisionLists(3), mb.concepts.DNF(6, 2, 2),
    ][kind]  # fmt: skip
    ways = [TableVoters(concepts), ConceptVoters(concepts), voters_of(concepts)]
    if isinstance(concepts, mb.concepts.RofK):
        ways.append(CountVoters(concepts))
    elif kind > 2:
        ways.append(ColumnVoters(concepts))
    left = ways[0].everyone
    for code in codes:
        x = tuple(code >> j & 1 for j in range(concepts.n))
        votes = {way.yes(x, left) for way in ways}
        assert len(votes) == 1
        left = votes.pop() if code & 1 else left
        assert len({tuple(way.some(left, 3)) for way in ways}) == 1


@pytest.mark.long
def test_a_million_concepts() -> None:
    concepts = mb.concepts.MonotoneDisjunctions(20)
    learner = mb.Halving(concepts)
    assert learner.size == concepts.count() == 2**20
    target, draw, everyone = concepts.sample(3), Random(1), np.arange(2**20)
    fitting = np.ones(2**20, dtype=bool)
    for _ in range(30):
        active = draw.sample(range(20), 4)
        x = {str(j + 1) for j in active}
        says_one = (everyone & sum(1 << j for j in active)) != 0
        majority = int(2 * (says_one & fitting).sum() > fitting.sum())
        label = target(x)
        assert learner.learn_one(x, label) == majority
        fitting &= says_one == label
        assert learner.size == fitting.sum()
    assert learner.size < 2**19
    assert len(learner.remaining_concepts(5)) == 5
    assert learner.bound().mistakes == 20


def test_a_class_without_a_text_is_not_saved(tmp_path: Any) -> None:
    learner = mb.Halving(mb.concepts.FiniteClass([str.islower, str.isalpha], ["a", "B", "c1"]))
    with pytest.raises(mb.BadParameter, match="a class that has a text form to be saved"):
        learner.save(tmp_path / "m.mb")
    assert learner.copy().hypothesis == learner.hypothesis
