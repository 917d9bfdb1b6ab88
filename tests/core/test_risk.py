"""The risk of hypotheses of a run, if rows are independent and alike: the bounds hold as often as they say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from core.test_certificate import wealth_twin
from mistakebound.core.certificate import certificate
from mistakebound.core.errors import BadParameter
from mistakebound.core.ledger import Ledger
from mistakebound.core.risk import CHOSEN_RISK, SUFFIX_RISK, risk_of, starts, survivor_bound, survivors

COUNTS = pytest.mark.parametrize(
    ("streams", "trials"), [(250, 120), pytest.param(10_000, 1_000, marks=pytest.mark.long)], ids=["few", "many"]
)


def improves(chance: Any, risks: Any, wrong: Any) -> Any:
    """A new hypothesis after an error is better, now and then much worse."""
    again = np.where(chance.random(len(risks)) < 0.1, 0.5, 0.8 * risks * chance.random(len(risks)))
    return np.where(wrong, again, risks)


def lucky(chance: Any, risks: Any, wrong: Any) -> Any:
    """Many bad hypotheses, of which some survive by chance."""
    return np.where(wrong, 0.02 + 0.2 * chance.random(len(risks)), risks)


def drifts(chance: Any, risks: Any, wrong: Any) -> Any:
    """Hypotheses that change in every trial."""
    return np.clip(risks * np.exp(0.05 * chance.standard_normal(len(risks))), 0.001, 0.6)


@pytest.mark.some(1)
@pytest.mark.parametrize("world", [improves, lucky, drifts])
@COUNTS
def test_the_average_of_the_last_hypotheses_is_covered(world: Any, streams: int, trials: int) -> None:
    """At all times and for all starts at once, in at least 95 % of the streams."""
    chance = np.random.default_rng(streams)
    risks, wrong = np.full(streams, 0.4), np.zeros(streams, bool)
    errors, sums, failed = np.zeros(streams), np.zeros(streams), np.zeros(streams, bool)
    before: list[tuple[Any, Any, int, float]] = []
    grid = dict(starts(trials, 0.05))
    for t in range(trials):
        if t in grid:
            before.append((errors.copy(), sums.copy(), t, -math.log(grid[t])))
        sums += risks
        wrong = chance.random(streams) < risks
        errors += wrong
        for errors_before, sums_before, start, limit in before:
            mean = (sums - sums_before) / (t + 1 - start)
            above = mean > (errors - errors_before) / (t + 1 - start)  # an upper bound
            failed |= above & (wealth_twin(errors - errors_before, t + 1 - start, np.clip(mean, 0, 1)) >= limit)
        risks = world(chance, risks, wrong)
    assert failed.mean() <= 0.05


@pytest.mark.parametrize("world", [improves, lucky])
@COUNTS
def test_whatever_hypothesis_is_chosen_is_covered(world: Any, streams: int, trials: int) -> None:
    """All hypotheses at all times, so any choice by the data, in at least 95 % of the streams."""
    chance = np.random.default_rng(trials)
    risks = np.full(streams, 0.5)
    came, rows, failed = np.zeros(streams), np.zeros(streams), np.zeros(streams, bool)
    for _ in range(trials):
        wrong = chance.random(streams) < risks
        rows = np.where(wrong, 0, rows + 1)
        alpha = 0.05 / ((came + 1) * (came + 2))
        failed |= (rows > 0) & (risks > 1 - alpha ** (1 / np.maximum(rows, 1)))
        came += wrong
        risks = world(chance, risks, wrong)
    assert failed.mean() <= 0.05
    assert streams < 10_000 or failed.any()  # the level is not out of reach


def test_the_bound_of_a_survivor_is_tight() -> None:
    """One hypothesis that never changes, of a risk just above the bound for L rows, survives them with chance alpha."""
    for rows in (1, 10, 300):
        bound = survivor_bound(0, rows, 0.05)
        assert (1 - bound) ** rows == pytest.approx(0.05 / 2)
    assert survivor_bound(3, 0, 0.05) == 1.0


def test_what_is_chosen_is_the_smallest_bound() -> None:
    ledger = Ledger()
    for trial in range(1, 501):
        ledger.record(1, None if trial == 2 else int(trial not in (1, 5, 400)))
    found = risk_of(ledger, True)
    assert found is not None
    assert survivors([1, 2, 5, 400], 500) == [(0, 0), (1, 0), (2, 2), (5, 394), (400, 100)]
    assert found.after == 5
    assert found.chosen == survivor_bound(3, 394, 0.025)
    assert found.model == survivor_bound(4, 100, 0.025)
    bounds = {s: certificate(sum(t > s for t in (1, 2, 5, 400)), 500 - s, 1 - a).high for s, a in starts(500, 0.025)}
    assert found.average == min(bounds.values()) == bounds[found.start]
    other = risk_of(ledger, False)
    assert other is not None
    assert (other.chosen, other.after, other.model) == (None, None, None)
    assert other.average < found.average  # it has all of alpha
    assert found.as_json()["chosen"]["theorem"] == CHOSEN_RISK.as_json()
    assert other.as_json()["average"]["theorem"]["conditions"] == list(SUFFIX_RISK.conditions)
    ledger.passes = 2
    assert risk_of(ledger, True) is None
    assert risk_of(Ledger(), True) is None
    with pytest.raises(BadParameter, match="level must be between 0 and 1"):
        risk_of(ledger, True, 1.0)


def test_the_model_that_is_chosen_is_that_of_the_first_rows() -> None:
    chance = np.random.default_rng(6)
    X = (chance.random((600, 8)) < 0.3).astype(float)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    model = mb.learn((X, y), learner="perceptron")
    found = model.risk()
    assert found is not None
    assert found.after is not None
    again = mb.learn((X[: found.after], y[: found.after]), learner="perceptron")
    assert model.ledger is not None
    errors = [*model.ledger.mistake_trials, 601]
    until = next(trial for trial in errors if trial > found.after)
    rows = slice(found.after, until - 1)
    assert (np.array(again.learner.predict_many(X[rows])) == y[rows]).all()
    assert mb.learn((X, y), learner="arow").risk().chosen is None  # type: ignore[union-attr] # AROW changes in every trial
