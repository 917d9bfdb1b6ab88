"""Asking until one concept is left: the count against the bits and against the exact optimum, answers taken back."""

from __future__ import annotations

from typing import Any

import pytest

import mistakebound as mb
from mistakebound.arena.questions import InteractiveLearner, fewest_questions
from mistakebound.concepts import AttributeConjunctions


def ask(learner: Any, target: Any) -> InteractiveLearner:
    session = InteractiveLearner(learner)
    while session.question is not None:
        session.answer(target(session.question))
    return session


@pytest.mark.parametrize("attributes", [{"a": ["x", "y"], "b": ["1", "2"]}, {"a": ["x", "y", "z"], "b": ["1", "2"]}])
def test_every_target_is_found(attributes: Any) -> None:
    """At worst no fewer questions than the optimum (query_depth), which is no less than the bits."""
    H = AttributeConjunctions(attributes)
    for make in (lambda: mb.learners.CandidateElimination(attributes), lambda: mb.learners.ListThenEliminate(H)):
        worst = 0
        for target in H:
            session = ask(make(), target)
            assert session.found == target
            worst = max(worst, session.answered)
        fewest = fewest_questions(make().version_space)
        assert session.at_least <= fewest.value == mb.theory.query_depth(H).value <= worst


def test_exactly_the_bits_where_every_split_is_a_half() -> None:
    """After a positive example nothing binds the constraints of S: each question halves what is left."""
    attributes = {f"a{j}": ["x", "y"] for j in range(5)}
    learner = mb.learners.CandidateElimination(attributes)
    learner.learn_one(["x"] * 5, 1)
    for target in list(learner.version_space):
        session = ask(learner, target)
        assert session.found == target
        assert session.answered == session.at_least == 5
        assert [x.vote.share for x, _ in session.asked] == [0.5] * 5
    assert fewest_questions(learner.version_space).value == 5


def test_the_telling_instances_are_enough() -> None:
    """The optimum on one instance of each kind is the optimum on all instances."""
    attributes = {"a": ["x", "y", "z"], "b": ["1", "2"], "c": ["p", "q", "r"]}
    H = AttributeConjunctions(attributes)
    learner = mb.learners.CandidateElimination(attributes)
    for x, label in [(["y", "1", "r"], 1), (["x", "2", "r"], 0)]:
        learner.learn_one(x, label)
    space = learner.version_space
    everything = mb.concepts.FiniteClass(list(space), list(H.domain()))
    assert fewest_questions(space).value == mb.theory.query_depth(everything).value


def test_dont_know_and_taking_back() -> None:
    attributes = {"a": ["x", "y"], "b": ["1", "2"]}
    H = AttributeConjunctions(attributes)
    target = H.parse("<x, ?>")
    session = InteractiveLearner(mb.learners.CandidateElimination(attributes))
    assert not session.take_back()
    first = session.question
    session.answer(None)
    assert session.question != first
    assert session.space.size == 10
    session.answer(1 - target(session.question))  # wrong
    wrong = session.space.size
    assert session.take_back()
    assert session.space.size == 10 > wrong
    while session.question is not None:
        session.answer(target(session.question))
    assert first not in [x for x, label in session.asked if label is not None]
    assert target in session.space
    with pytest.raises(mb.BadParameter, match="no question"):
        session.answer(1)
    while session.take_back():
        pass
    assert session.question == first
    assert session.asked == []


def test_the_learner_itself_is_not_changed() -> None:
    learner = mb.learners.CandidateElimination({"a": ["x", "y"]})
    ask(learner, lambda x: 1)
    assert learner.trials == 0


def test_what_is_too_large_is_not_worked_out() -> None:
    learner = mb.learners.CandidateElimination({f"a{j}": ["x", "y"] for j in range(11)})
    assert fewest_questions(learner.version_space) is None
    learner.learn_one(["x"] * 11, 1)
    assert fewest_questions(learner.version_space) is None
