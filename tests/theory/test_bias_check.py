"""The inductive bias of the textbook's learners, by entailment, with the learners themselves."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import mistakebound as mb

ATTRIBUTES = {"a": ["0", "1"], "b": ["0", "1"]}
POINTS = [tuple(map(str, x)) for x in product((0, 1), repeat=2)]
H = mb.concepts.AttributeConjunctions(ATTRIBUTES)


def answers(kind: Any) -> Any:
    def answer(examples: Any, x: Any) -> int | None:
        learner = kind(ATTRIBUTES, labels=(0, 1))
        for z, label in examples.items():
            learner.learn_one(z, label)
        said: int | None = learner.predict_one(x)
        return said

    return answer


def test_candidate_elimination() -> None:
    found = mb.theory.check_inductive_bias(answers(mb.learners.CandidateElimination), {"c is in H": H}, POINTS)
    assert found.minimal
    case = found.without["c is in H"]
    assert case is not None
    assert case.target[case.instance] != case.answer  # any function may be the target once H is not asserted


def test_the_rote_learner_needs_nothing() -> None:
    rote = answers(mb.learners.RoteLearner)
    assert mb.theory.check_inductive_bias(rote, {}, POINTS).minimal
    superfluous = mb.theory.check_inductive_bias(rote, {"c is in H": H}, POINTS)
    assert superfluous.entailed
    assert not superfluous.minimal
    assert str(superfluous).endswith("not minimal, superfluous: c is in H")


def test_find_s_needs_more_than_the_class() -> None:
    find_s = answers(mb.learners.FindS)
    only = mb.theory.check_inductive_bias(find_s, {"c is in H": H}, POINTS)
    assert not only.entailed
    assert only.counterexample is not None
    assert only.counterexample.answer == 0  # it says negative where nothing follows
    both = {"c is in H": H, "negative unless entailed": mb.theory.negative_unless_entailed(H)}
    found = mb.theory.check_inductive_bias(find_s, both, POINTS)
    assert found.entailed
    assert found.without["negative unless entailed"] is not None


def test_too_many_instances() -> None:
    with pytest.raises(mb.BadParameter, match=r"^instances must be at most 6: 8$"):
        mb.theory.check_inductive_bias(lambda examples, x: None, {}, list(product((0, 1), repeat=3)))
