"""Find-S PAC-learns conjunctions: the promise of the sample size is kept, and a broken one is noticed."""

from __future__ import annotations

from itertools import product

import pytest

import mistakebound as mb

CUBE = list(product((0, 1), repeat=6))
TARGET = mb.concepts.parse("x1 & ~x3 & x5")


def experiment(**changed):
    facts = {"m": 60, "epsilon": 0.1, "delta": 0.05, "runs": 60, "seed": 3} | changed
    return mb.arena.pac_experiment(lambda: mb.learners.ConjunctionElimination(6), TARGET, CUBE, **facts)


@pytest.mark.parametrize("runs", [50, pytest.param(200, marks=pytest.mark.long)])
def test_the_promise_is_kept(runs: int) -> None:
    m = mb.sample_size(mb.concepts.Conjunctions(6), 0.1, 0.05)
    found = experiment(m=m, runs=runs)
    assert len(found.errors) == runs
    assert found.failure_rate <= 0.05
    assert not found.refuted
    assert set(found.training_mistakes) == {0}  # Find-S is consistent


def test_errors_are_exact_and_replay() -> None:
    found = experiment(m=8)
    assert all((64 * error).denominator == 1 for error in found.errors)
    assert found.errors == experiment(m=8).errors != experiment(m=8, seed=4).errors
    assert found.failures == sum(error >= 0.1 for error in found.errors)


def test_too_small_a_sample_is_refuted() -> None:
    """Without examples the hypothesis is false everywhere: error 1/8, above epsilon in every run."""
    found = experiment(m=0)
    assert set(found.errors) == {mb.theory.true_error(lambda x: 0, TARGET, CUBE)}
    assert found.failure_rate == 1
    assert found.refuted


def test_bad_parameters() -> None:
    for changed, message in (
        ({"runs": 0}, "runs must be a whole number >= 1: 0"),
        ({"m": -1}, "m must be a whole number >= 0: -1"),
    ):
        with pytest.raises(mb.BadParameter, match=message):
            experiment(**changed)
    with pytest.raises(mb.BadParameter, match="epsilon must be"):
        experiment(epsilon=2)
