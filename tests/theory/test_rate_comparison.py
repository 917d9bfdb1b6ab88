"""The comparison of two unknown rates: its factor is fair, it is seldom wrong, and it takes few runs."""

from __future__ import annotations

import random
from fractions import Fraction
from math import exp, inf, log

import pytest

from mistakebound.theory.noisy_search import capacity
from mistakebound.theory.rate_comparison import RateComparison


def mean_factor(p: Fraction, q: Fraction, before: tuple[tuple[int, int], tuple[int, int]], limit: float = inf) -> float:
    """The mean of what a pair multiplies the evidence by, p and q being the true rates."""
    mean = 0.0
    for one in (False, True):
        for other in (False, True):
            test = RateComparison(*before, limit)
            test.record(one, other)
            mean += float((p if one else 1 - p) * (q if other else 1 - q)) * exp(test.evidence)
    return mean


def test_a_pair_is_a_fair_bet_if_the_one_does_not_fail_more_often() -> None:
    rates = [Fraction(number, 12) for number in range(13)]
    for before in (((0, 0), (0, 0)), ((1, 9), (9, 1)), ((7, 3), (98, 2)), ((0, 5), (50, 0)), ((5, 1), (1, 5))):
        for p in rates:
            for q in rates:
                mean = mean_factor(p, q, before)
                assert mean <= 1 + 1e-12 or p > q, (before, p, q)
    assert mean_factor(Fraction(3, 10), Fraction(1, 50), ((7, 3), (98, 2))) > 1.1


@pytest.mark.parametrize("limit", [0.01, 0.3, 0.7, 0.9, 1.2, 2.0])
def test_a_pair_near_the_end_is_a_fair_bet_too(limit: float) -> None:
    rates = [Fraction(number, 12) for number in range(13)]
    for before in (((1, 9), (9, 1)), ((7, 3), (98, 2)), ((0, 5), (50, 0)), ((0, 90), (90, 0))):
        for p in rates:
            for q in rates:
                assert mean_factor(p, q, before, limit) <= 1 + 1e-12 or p > q, (before, p, q)


def test_the_end_is_met_and_not_passed() -> None:
    for limit in (0.65, 0.75, 0.9):
        test = RateComparison((7, 3), (48, 1), limit)
        test.record(True, False)
        assert limit <= test.most < limit + 1e-6
    assert RateComparison((7, 3), (48, 1)).most == 0.0


def wrong_of(tests: int, pairs: int, p: float, q: float, seed: str) -> int:
    """How many of so many tests ever say at 0.05 that the one fails more often."""
    draw, wrong = random.Random(seed), 0
    for _ in range(tests):
        test = RateComparison((7, 3), (9, 1))
        for _ in range(pairs):
            test.record(draw.random() < p, draw.random() < q)
        wrong += test.most >= log(1 / 0.05)
    return wrong


def test_equal_rates_are_seldom_told_apart() -> None:
    """15 of 300 are allowed on average; 28 would be three standard deviations more."""
    assert wrong_of(300, 100, 0.3, 0.3, "short") <= 27


@pytest.mark.long
@pytest.mark.parametrize(("p", "q"), [(0.02, 0.02), (0.3, 0.3), (0.5, 0.5), (0.9, 0.9), (0.2, 0.3)])
def test_equal_rates_are_seldom_told_apart_for_long(p: float, q: float) -> None:
    assert wrong_of(4000, 500, p, q, f"long {p}") <= 200 + 3 * 14


def test_the_runs_are_about_those_that_the_capacity_allows() -> None:
    draw, runs = random.Random(2), 0
    for _ in range(200):
        test = RateComparison((21, 9), (39, 1))
        while test.most < log(100):
            test.record(draw.random() < 0.3, draw.random() < 0.02)
        runs += 2 * test.pairs
    assert runs / 200 < 1.3 * log(100) / (log(2) * capacity(0.02, 0.3))
