"""The general EM loop: a mixture of coins, stopping rules, history, and steps that are not what they should be."""

from __future__ import annotations

from itertools import pairwise
from math import comb, fsum, isclose, log
from random import Random
from typing import Any

import pytest

import mistakebound as mb


def coins(tosses: int) -> tuple[Any, Any]:
    """A mixture of biased coins with weights of their own: a hypothesis is [(weight, bias), ...]; data are heads."""

    def e_step(hypothesis: list[tuple[float, float]], heads: list[int]) -> tuple[list[list[float]], float]:
        joint = [[w * comb(tosses, h) * p**h * (1 - p) ** (tosses - h) for w, p in hypothesis] for h in heads]
        return [[c / fsum(row) for c in row] for row in joint], fsum(log(fsum(row)) for row in joint)

    def m_step(shares: list[list[float]], heads: list[int]) -> list[tuple[float, float]]:
        found = []
        for c in range(len(shares[0])):
            weight = fsum(row[c] for row in shares)
            bias = fsum(row[c] * h for row, h in zip(shares, heads, strict=True)) / (tosses * weight)
            found.append((weight / len(heads), bias))
        return found

    return e_step, m_step


def heads(seed: int, count: int, tosses: int) -> list[int]:
    """Of coins of which three in ten fall heads with 0.2, the others with 0.8."""
    draw = Random(seed)
    biases = [0.2 if draw.random() < 0.3 else 0.8 for _ in range(count)]
    return [sum(draw.random() < bias for _ in range(tosses)) for bias in biases]


def test_a_mixture_of_coins_is_found_and_the_likelihood_never_falls() -> None:
    data = heads(1, 400, 20)
    run = mb.learners.em(*coins(20), [(0.5, 0.4), (0.5, 0.6)], data, tol=1e-10, keep=True)
    (low_share, low), (high_share, high) = run.hypothesis
    assert abs(low - 0.2) < 0.03
    assert abs(high - 0.8) < 0.03
    assert abs(low_share - 0.3) < 0.06
    assert isclose(low_share + high_share, 1)
    rising = [run.start_log_likelihood, *run.log_likelihoods]
    assert all(b >= a for a, b in pairwise(rising))
    assert run.converged
    assert run.steps == len(run.log_likelihoods) < 100
    assert len(run.hypotheses) == run.steps + 1
    e_step, _ = coins(20)
    for hypothesis, log_likelihood in zip(run.hypotheses, rising, strict=True):
        assert e_step(hypothesis, data)[1] == log_likelihood
    # At a maximum nothing near is better.
    for change in (-0.01, 0.01):
        assert e_step([(low_share, low + change), (high_share, high)], data)[1] < run.log_likelihood


def test_stopping_rules_and_progress() -> None:
    data, start = heads(2, 50, 10), [(0.5, 0.4), (0.5, 0.6)]
    told: list[tuple[int, float]] = []
    run = mb.learners.em(*coins(10), start, data, max_iter=7, tol=0.0, progress=lambda *news: told.append(news))
    assert run.steps == 7
    assert told == list(enumerate(run.log_likelihoods, 1))
    assert (run.converged, run.stopped) == (False, "stopped after max_iter = 7 steps")
    assert repr(run).startswith("<EM: 7 steps, log-likelihood -")
    long = mb.learners.em(*coins(10), start, data, max_iter=300, tol=0.0)
    assert 10 < long.steps < 300  # with tol = 0 no step is too small, but rounding ends the climb
    assert (long.converged, long.stopped) == (True, "no step raises the log-likelihood any more")
    assert all(b >= a for a, b in pairwise(long.log_likelihoods))
    early = mb.learners.em(*coins(10), start, data, stop=lambda run: run.steps == 3)
    assert (early.steps, early.stopped) == (3, "stopped by stop()")
    assert early.log_likelihoods == run.log_likelihoods[:3]
    for tol in (1e-2, 1e-4, 1e-6):
        some = mb.learners.em(*coins(10), start, data, tol=tol)
        gains = [b - a for a, b in pairwise([some.start_log_likelihood, *some.log_likelihoods])]
        assert gains[-1] < tol <= min(gains[:-1])  # the first step that gains less is the last
    wide = mb.learners.em(*coins(10), start, data, tol=1e6)
    assert (wide.steps, wide.converged) == (1, True)
    assert wide.hypotheses is None


def test_a_likelihood_that_falls_is_an_error() -> None:
    e_step, m_step = coins(10)

    def wrong(shares: Any, data: Any) -> Any:
        return [(weight, 1 - bias) for weight, bias in m_step(shares, data)]

    with pytest.raises(mb.BadParameter, match=r"m_step must not lower the log-likelihood: step 1 took it from -"):
        mb.learners.em(e_step, wrong, [(0.5, 0.1), (0.5, 0.9)], [0, 1, 1, 1, 9])


@pytest.mark.parametrize(
    ("e_step", "more", "said"),
    [
        (lambda h, d: 1.0, {}, r"e_step must return \(expectations, log-likelihood\): float"),
        (lambda h, d: (1, 2, 3), {}, r"e_step must return \(expectations, log-likelihood\): tuple"),
        (lambda h, d: (1, float("nan")), {}, "e_step must return a finite log-likelihood beside the expectations: nan"),
        (lambda h, d: (1, "much"), {}, "a finite log-likelihood beside the expectations: 'much'"),
        ("e", {}, "e_step must be a function: 'e'"),
        (lambda h, d: (1, 0.0), {"stop": 3}, "stop must be a function: 3"),
        (lambda h, d: (1, 0.0), {"progress": 3}, "progress must be a function: 3"),
        (lambda h, d: (1, 0.0), {"max_iter": 0}, "max_iter must be a whole number >= 1: 0"),
        (lambda h, d: (1, 0.0), {"tol": -1}, "tol must be a number >= 0: -1"),
        (lambda h, d: (1, 0.0), {"tol": float("nan")}, "tol must be a number >= 0: nan"),
    ],
)
def test_what_is_refused(e_step: Any, more: dict[str, Any], said: str) -> None:
    with pytest.raises(mb.BadParameter, match=said):
        mb.learners.em(e_step, lambda e, d: e, 0, [], **more)
