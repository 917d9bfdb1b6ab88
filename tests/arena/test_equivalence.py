"""Mistakes and queries: any learner asks at most M + 1 questions; any query learner makes at most q - 1 mistakes."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import mistakebound as mb

parse = mb.concepts.parse


def learners_for(concepts: Any) -> list[Any]:
    return [
        mb.Halving(concepts), mb.Halving(concepts, 1, "mistakes"), mb.learners.StandardOptimalAlgorithm(concepts),
        mb.learners.DisjunctionElimination(concepts.n), mb.Winnow1(n=concepts.n), mb.Winnow2(n=concepts.n),
        mb.learners.DecisionListLearner(concepts.n),
    ]  # fmt: skip


@pytest.mark.some(1)
@pytest.mark.parametrize("choose", ["first", "last", "random"])
def test_any_learner_identifies_within_its_bound(choose: str) -> None:
    concepts = mb.concepts.MonotoneDisjunctions(4, 2)
    for target in concepts:
        oracle = mb.teachers.EquivalenceOracle(target, concepts, choose=choose, seed=1)
        for learner in learners_for(concepts):
            counting = mb.teachers.CountingOracle(oracle)
            facts = {"k": len(target.literals)} if "k" in learner.assumable else {}
            query = mb.arena.AsQueryLearner(learner)
            found = mb.arena.identify(query, counting, **facts)
            assert found.within_bound, (learner, target)
            assert found.questions == counting.questions == query.ledger.mistakes + 1
            assert found.bound.mistakes == learner.bound(**facts).mistakes + 1 or isinstance(learner, mb.Halving)
            assert all(found.hypothesis(x) == target(x) for x in concepts.domain())
            assert all(target(x) == label for x, label in found.counterexamples)


def test_the_bound_is_met() -> None:
    """All functions on three points: halving errs three times, and the fourth question is right."""
    concepts = mb.concepts.FiniteClass(list(product((0, 1), repeat=3)))
    questions = [
        mb.arena.identify(
            mb.arena.AsQueryLearner(mb.Halving(concepts)), mb.teachers.EquivalenceOracle(row.__getitem__, concepts)
        ).questions
        for row in product((0, 1), repeat=3)
    ]
    assert max(questions) == 4 == mb.arena.AsQueryLearner(mb.Halving(concepts)).bound().mistakes


def test_what_is_no_counterexample_is_refused() -> None:
    query = mb.arena.AsQueryLearner(mb.Winnow1(n=2))
    with pytest.raises(mb.BadData, match="is not a counterexample"):
        query.refuted((0, 0), 0)


def test_a_target_outside_the_class_ends_it() -> None:
    query = mb.arena.AsQueryLearner(mb.Halving("monotone-disjunctions n=1"))
    oracle = mb.teachers.EquivalenceOracle(parse("~x1"), mb.concepts.Conjunctions(1))
    with pytest.raises(mb.NoConsistentHypothesis, match="trial 1: no consistent concept"):
        mb.arena.identify(query, oracle)


def test_giving_up() -> None:
    class Never:
        def ask(self, question: Any) -> Any:
            return (1,), 1 - int(question((1,)) == 1)

    found = mb.arena.identify(mb.arena.AsQueryLearner(mb.Perceptron()), Never(), most=7)
    assert (found.questions, found.hypothesis, found.within_bound) == (7, None, None)
    assert repr(found) == "<7 questions: given up>"
    with pytest.raises(mb.BadParameter, match="most must be >= 1"):
        mb.arena.identify(mb.arena.AsQueryLearner(mb.Perceptron()), Never(), most=0)


class OneByOne(mb.arena.QueryLearner):
    """Asks about the concepts of a class in their order, those that fit: at most |C| questions."""

    def __init__(self, concepts: Any) -> None:
        self.left = list(concepts)

    @property
    def question(self) -> Any:
        return self.left[0]

    def refuted(self, x: Any, label: int) -> None:
        self.left = [f for f in self.left if f(x) == label]


def test_a_query_learner_plays_within_q_minus_1() -> None:
    concepts = mb.concepts.MonotoneDisjunctions(3)
    cube = list(concepts.domain())
    for seed, target in enumerate(concepts):
        shown = [(x, target(x)) for x in Random(seed).choices(cube, k=40)]
        online = mb.arena.AsOnlineLearner(OneByOne(concepts), questions=concepts.count())
        ledger = mb.play(online, shown)
        assert ledger.verdict.kind == "within"
        assert ledger.bound.mistakes == concepts.count() - 1
        assert mb.arena.AsOnlineLearner(OneByOne(concepts), concepts.count(), asks_last=False).bound().mistakes == 8
    assert mb.arena.AsOnlineLearner(OneByOne(concepts)).bound().value is None


def test_q_minus_1_is_met() -> None:
    """Singletons, one point at a time: each mistake refutes one question, and the last one is right."""
    concepts = mb.concepts.FiniteClass([[int(i == j) for j in range(5)] for i in range(5)])
    online = mb.arena.AsOnlineLearner(OneByOne([row.__getitem__ for row in concepts_rows(concepts)]), questions=5)
    mistakes = sum(online.learn_one(x, int(x == 4)) != int(x == 4) for x in range(5))
    assert mistakes == 4 == online.bound().mistakes


def concepts_rows(concepts: Any) -> list[tuple[int, ...]]:
    return [concepts.labels(c) for c in range(concepts.size)]


def test_there_and_back_again() -> None:
    """A learner as a query learner as a learner predicts as it did, and keeps its bound."""
    concepts = mb.concepts.MonotoneDisjunctions(4, 2)
    plain = mb.Halving(concepts, prune="mistakes")
    turned = mb.arena.AsOnlineLearner(mb.arena.AsQueryLearner(mb.Halving(concepts, prune="mistakes")))
    assert turned.bound().mistakes == plain.bound().mistakes == 3
    target, draw = concepts.sample(2), Random(5)
    for x in draw.choices(list(concepts.domain()), k=30):
        assert turned.predict_one(x) == plain.predict_one(x)
        assert turned.learn_one(x, target(x)) == plain.learn_one(x, target(x))
    with pytest.raises(mb.BadParameter, match="weight"):
        turned.learn_one((0, 0, 0, 0), 0, weight=2.0)
    assert turned.score_one((1, 1, 1, 1)) == 2 * plain.predict_one((1, 1, 1, 1)) - 1
