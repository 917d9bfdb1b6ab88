"""Winnow2: the bounds hold on r-of-k targets and disjunctions, and are the numbers that the papers give."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from learners.play import provoke, rows


@given(
    n=st.integers(1, 25), k=st.integers(1, 5), r=st.integers(1, 4), seed=st.integers(0, 10**6),
    rule=st.sampled_from([">", ">="]), declared=st.booleans(),
)  # fmt: skip
def test_bounds_and_lemmas_hold_on_r_of_k(n: int, k: int, r: int, seed: int, rule: str, declared: bool) -> None:
    draw = Random(seed)
    relevant = {str(j) for j in draw.sample(range(1, n + 1), min(k, n))}
    k, r = len(relevant), min(r, len(relevant))
    learner = mb.Winnow2(delta=1 / r, n=n if declared else None, rule=rule)
    ledger = provoke(learner, lambda active: len(active & relevant) >= r, rows(draw, n, 60), {"k": k, "r": r})
    for theorem in learner.theorems:
        bound = theorem.bound(learner.all_facts({"k": k, "r": r}))
        if bound.value is None:
            assert not declared
        else:
            assert ledger.mistakes <= bound.value


def test_theorem_numbers() -> None:
    for r, k, n in [(1, 3, 100), (2, 5, 1000), (4, 4, 50)]:
        d, mu, learner = 1 / r, k / r, mb.Winnow2(delta=1 / r, n=n)
        assert learner.alpha == 1 + d / 2
        facts = learner.all_facts({"k": k, "r": r})
        by_name = {theorem.name: theorem.bound(facts).value for theorem in learner.theorems}
        nine = 8 / d**2 * 1 + (5 / d + 14 * log(n) / d**2) * mu
        sharp = 2 * (4 - d * d) / ((1 + d) * d * d) + (4 + d) / (d * (1 + d)) * (1 + log(n) / log(1 + d / 2)) * mu
        assert by_name["Theorem 9"] == pytest.approx(nine)
        assert by_name["the sharper Theorem 9"] == pytest.approx(sharp)
        assert by_name["the start-weights theorem for Winnow2"] == pytest.approx(sharp)  # the same with weights of 1
        assert sharp <= nine


def test_failing_conditions_are_named() -> None:
    learner = mb.Winnow2(alpha=2, n=10)
    assert "alpha = 1 + d/2 for a d <= delta fails" in learner.bound(k=3, r=2).failed
    assert "theta >= 1 fails" in mb.Winnow2(delta=1, n=10, theta=0.5).theorems[0].failing(
        mb.Winnow2(delta=1, n=10, theta=0.5).all_facts({"k": 1})
    )


@pytest.mark.parametrize("delta", [0, -1, 1.5, "x", float("nan"), True])
def test_bad_delta(delta: object) -> None:
    with pytest.raises(mb.BadParameter, match=r"^delta must be .+: "):
        mb.Winnow2(delta=delta, n=5)


def test_alpha_and_delta_must_agree() -> None:
    assert mb.Winnow2(alpha=1.25, delta=0.5, n=5).alpha == 1.25
    with pytest.raises(mb.BadParameter, match=r"^alpha must be 1.25 .+: 3"):
        mb.Winnow2(alpha=3, delta=0.5, n=5)


def test_relevant_names_say_no_more_than_their_number_when_all_start_alike() -> None:
    for r in (1, 2):
        learner = mb.Winnow2(delta=1 / r)
        learner.learn_one({"1", "2", "3"}, 0)
        named = learner.bound(relevant=["1", "2", "3"], r=r)
        assert named.value == pytest.approx(learner.bound(k=3, r=r).value)
