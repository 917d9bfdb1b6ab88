"""Naive Bayes against the optimum, by the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

import mistakebound as mb


def test_independent_attributes_are_optimal_and_exact() -> None:
    draw = Random(1)
    p = {(j, t): Fraction(draw.randint(1, 9), 10) for j in range(2) for t in (0, 1)}
    cells = {}
    for a, b, t in product((0, 1), repeat=3):
        cells[a, b, t] = (p[0, t] if a else 1 - p[0, t]) * (p[1, t] if b else 1 - p[1, t])
    found = mb.bayes.naive_bayes_check(mb.bayes.JointTable(["a", "b", "y"], cells), "y")
    assert found.independent
    assert found.optimal
    assert found.largest_gap == 0


def test_parity_is_beyond_it() -> None:
    table = mb.bayes.JointTable(["a", "b", "y"], {(a, b, a ^ b): 1 for a, b in product((0, 1), repeat=2)})
    found = mb.bayes.naive_bayes_check(table, "y")
    assert (found.independent, found.optimal_error, found.naive_error) == (False, 0, Fraction(1, 2))
    assert found.largest_gap == Fraction(1, 2)


@pytest.mark.parametrize("seed", range(5))
def test_errors_by_brute_force(seed: int) -> None:
    draw = Random(seed)
    weights = {row: draw.randint(0, 6) for row in product((0, 1), "abc", (0, 1))} | {(0, "a", 0): 2, (0, "a", 1): 1}
    total = sum(weights.values())
    found = mb.bayes.naive_bayes_check(mb.bayes.JointTable(["u", "v", "y"], weights), "y")
    optimal = naive = Fraction(0)
    for u, v in product((0, 1), "abc"):
        joint = [weights[u, v, t] for t in (0, 1)]
        said = []
        for t in (0, 1):
            of = sum(w for (_, _, y), w in weights.items() if y == t)
            us = sum(w for (a, _, y), w in weights.items() if (a, y) == (u, t))
            vs = sum(w for (_, b, y), w in weights.items() if (b, y) == (v, t))
            said.append(Fraction(us * vs, of))
        optimal += Fraction(min(joint), total)
        naive += Fraction(joint[1 - said.index(max(said))], total)
    assert (found.optimal_error, found.naive_error) == (optimal, naive)
    assert optimal <= naive


def test_mostly_optimal_although_dependent() -> None:
    found = mb.bayes.naive_bayes_survey(60, 2, seed=3)
    assert found.dependent == 60
    assert found.optimal > 30
    assert "60 of 60 distributions have dependent attributes" in str(found)
    with pytest.raises(mb.BadParameter, match="count must be >= 1"):
        mb.bayes.naive_bayes_survey(0)
