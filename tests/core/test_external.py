"""Learners of another make get the attributes of the contract from one adapter."""

from __future__ import annotations

from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.external import ExternalLearner, given_learner, plays_trials, state_of
from mistakebound.core.protocol import adapted


class Last:
    """Says what it heard last."""

    def __init__(self) -> None:
        self.heard: Any = 0

    def predict_one(self, x: Any) -> Any:
        return self.heard

    def learn_one(self, x: Any, y: Any) -> None:
        self.heard = y


def test_what_it_lacks_is_the_default_of_the_contract() -> None:
    own = adapted(Last())
    assert (own.name, own.labels, own.settings, own.assumable, own.inner, own.lemmas) == (
        "Last",
        None,
        {},
        {},
        None,
        (),
    )
    assert (own.hypothesis, own.conservative, own.start(), own.bound_since({}, {}), own.model_size()) == (
        None, False, {}, None, None,
    )  # fmt: skip
    assert own.encode("x") == "x"
    assert (own.trial_taken(), own.code_said("x"), own.take_form(None)) == (False, None, False)


def test_what_it_has_is_its_own() -> None:
    class More(Last):
        name = "more"
        conservative = True

        def encode(self, x: Any) -> Any:
            return x.upper()

        def copy(self) -> More:
            return More()

    own = adapted(More())
    assert (own.name, own.conservative, own.encode("x")) == ("more", True, "X")
    own.learn_one("x", 5)
    assert own.copy().predict_one("x") == 0, "its own copy"
    plain = adapted(Last())
    plain.learn_one("x", 5)
    assert plain.copy().predict_one("x") == 5
    assert state_of(plain) == state_of(plain.copy()) != state_of(own.copy())


def test_ours_and_what_is_none() -> None:
    learner, other = mb.Perceptron(), Last()
    assert adapted(learner) is learner is given_learner(learner)
    assert given_learner(adapted(other)) is other
    assert adapted(adapted(other)).given is other
    assert plays_trials(learner)
    assert not plays_trials("perceptron")
    with pytest.raises(mb.BadParameter, match="learner must have learn_one and predict_one: 5"):
        ExternalLearner(5)
    with pytest.raises(mb.BadParameter, match="learner must have learn_one and predict_one"):
        mb.play(object(), [({"a"}, 1)])
