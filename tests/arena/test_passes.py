"""Passes over the same examples: they end by themselves where the target fits, and at max_passes where it does not."""

from __future__ import annotations

from math import sqrt

import pytest

import mistakebound as mb

AND = [([0, 0], -1), ([0, 1], -1), ([1, 0], -1), ([1, 1], 1)]
XOR = [([0, 0], -1), ([0, 1], 1), ([1, 0], 1), ([1, 1], -1)]


def test_separable_examples_end_after_a_clean_pass_within_the_bound() -> None:
    learner = mb.Perceptron()
    # x1 + x2 - 1.5 separates; as a unit vector in three dimensions its margin is 0.5 / |(1, 1, -1.5)|.
    margin = 0.5 / sqrt(1 + 1 + 2.25)
    ledger = mb.arena.play_passes(learner, AND, max_passes=1000, assume={"margin": margin, "radius": sqrt(3)})
    assert 1 < ledger.passes < 1000
    assert ledger.trials == 4 * ledger.passes
    assert ledger.mistake_trials[-1] <= ledger.trials - 4, "the last pass is clean"
    assert [learner.predict_one(x) for x, _ in AND] == [y for _, y in AND]
    assert ledger.bound is not None
    assert ledger.bound.value == pytest.approx(3 / margin**2)
    assert ledger.verdict.kind == "within"


def test_what_no_line_separates_stops_at_max_passes() -> None:
    ledger = mb.arena.play_passes(mb.Perceptron(), XOR, max_passes=25)
    assert (ledger.passes, ledger.trials) == (25, 100)
    assert ledger.mistakes >= 25, "no pass is clean"


def test_one_clean_pass_is_enough_and_arrays_do_too() -> None:
    X, y = [x for x, _ in AND], [0, 0, 0, 0]
    assert mb.arena.play_passes(mb.Perceptron(), (X, y), max_passes=9).passes == 1


def test_inconsistent_labels_end_it() -> None:
    ledger = mb.arena.play_passes(mb.learners.ConjunctionElimination(2), [({"1"}, 1), ({"1"}, 0)], max_passes=9)
    assert (ledger.passes, ledger.verdict.kind) == (1, "inconsistent")


def test_bad_parameters() -> None:
    with pytest.raises(mb.BadParameter, match="max_passes must be >= 1: 0"):
        mb.arena.play_passes(mb.Perceptron(), AND, max_passes=0)
    with pytest.raises(mb.BadParameter, match="must be replayable"):
        mb.arena.play_passes(mb.Perceptron(), iter(AND), max_passes=2)
