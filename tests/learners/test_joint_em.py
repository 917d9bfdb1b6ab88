"""EM for unobserved cells: likelihood, Q, and the value that the data alone give."""

from __future__ import annotations

from itertools import product
from math import inf, log
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.bayes import fit_joint, q_value

VALUES = [(0, 1), (0, 1, 2)]
CELLS = list(product(*VALUES))


def draws(seed: int, count: int, hidden: float) -> list[tuple[Any, ...]]:
    draw = Random(seed)
    weights = [draw.random() for _ in CELLS]
    rows = draw.choices(CELLS, weights, k=count)
    return [tuple(None if draw.random() < hidden else value for value in row) for row in rows]


def log_likelihood(h: Any, rows: Any) -> float:
    """By the definition: the probability of what was observed."""
    return sum(
        log(sum(p for cell, p in h.items() if all(a in (None, b) for a, b in zip(row, cell, strict=True))))
        for row in rows
    )


def test_without_gaps_it_is_counting() -> None:
    rows = draws(1, 200, 0.0)
    run = fit_joint(rows, values=VALUES)
    assert run.hypothesis == pytest.approx({cell: rows.count(cell) / 200 for cell in CELLS})


@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_rises_and_no_neighbour_is_better(seed: int) -> None:
    rows = draws(seed, 60, 0.4)
    run = fit_joint(rows, values=VALUES)
    assert run.log_likelihood == pytest.approx(log_likelihood(run.hypothesis, rows))
    assert run.log_likelihoods == sorted(run.log_likelihoods)
    draw = Random(seed)
    for _ in range(50):
        other = {cell: p * draw.uniform(0.9, 1.1) + 1e-9 for cell, p in run.hypothesis.items()}
        total = sum(other.values())
        assert log_likelihood({c: p / total for c, p in other.items()}, rows) <= run.log_likelihood + 1e-6


def test_the_m_step_has_the_largest_q_and_q_bounds_the_gain() -> None:
    rows, draw = draws(7, 40, 0.5), Random(7)
    run = fit_joint(rows, values=VALUES, max_iter=1, keep=True)
    old, new = run.hypotheses
    best = q_value(new, old, rows)
    for _ in range(100):
        weights = [draw.expovariate(1) for _ in CELLS]
        other = {cell: w / sum(weights) for cell, w in zip(CELLS, weights, strict=True)}
        value = q_value(other, old, rows)
        assert value <= best
        # What Q gains, the likelihood gains at least (Dempster, Laird and Rubin, Theorem 1).
        gain = log_likelihood(other, rows) - log_likelihood(old, rows)
        assert gain >= value - q_value(old, old, rows) - 1e-9
    assert q_value({cell: float(cell == CELLS[0]) for cell in CELLS}, old, rows) == -inf


def test_what_is_refused() -> None:
    with pytest.raises(mb.BadData, match="a value must be one of its column's"):
        fit_joint([(0, 5)], values=VALUES)
    with pytest.raises(mb.BadData, match="rows must have one value per column"):
        fit_joint([(0, 1), (0,)])
    with pytest.raises(mb.BadParameter, match="start must give every row"):
        fit_joint([(0, 1)], values=VALUES, start={(0, 0): 1.0})
