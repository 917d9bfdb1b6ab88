"""Gibbs against the optimum: everything gone through one by one, the factor two, and the target for which it fails."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from naive.gibbs_errors import naive_gibbs_errors

bayes = mb.bayes
SQUARE = list(product((0, 1), repeat=2))


@given(st.integers(0, 10**6), st.integers(0, 3))
def test_by_going_through_everything(seed: int, shown: int) -> None:
    draw = Random(seed)
    H = draw.sample(list(mb.concepts.DecisionLists(2)), draw.randrange(1, 6))
    parts = [draw.randrange(1, 4) for _ in H]
    prior = [Fraction(part, sum(parts)) for part in parts]
    rate = Fraction(draw.randrange(3), 10)
    seen, asked = draw.choices(SQUARE, k=shown), draw.sample(SQUARE, draw.randrange(1, 4))

    def chance(t: int, h: object, x: object) -> Fraction:
        return 1 - rate if h(x) == t else rate  # type: ignore[operator]

    expected = naive_gibbs_errors(H, prior, chance, (0, 1), seen, asked)
    found = bayes.gibbs_against_optimum(H, prior, bayes.LabelNoise(rate) if rate else None, seen, asked)
    assert [(optimum, gibbs) for _, optimum, gibbs in found.by_target] == expected
    assert found.optimum == sum(p * row[0] for p, row in zip(prior, expected, strict=True))
    assert found.gibbs == sum(p * row[1] for p, row in zip(prior, expected, strict=True))
    assert found.optimum <= found.gibbs <= 2 * found.optimum
    assert found.holds


def test_at_every_data_and_instance() -> None:
    """1 - sum p^2 <= 2 (1 - max p), and both are what a posterior gives."""
    H = mb.concepts.Conjunctions(2)
    for x in SQUARE:
        after = bayes.posterior(H, data=[((1, 1), 1)])
        p = after.predictive(x)
        optimum, gibbs = 1 - max(p.values()), 1 - sum(share**2 for share in p.values())
        assert gibbs <= 2 * optimum
        consistent = bayes.gibbs_against_optimum(after.support, shown=[], asked=[x])
        assert (consistent.optimum, consistent.gibbs) == (optimum, gibbs)


def test_a_fixed_target_for_which_twice_is_not_enough() -> None:
    """Ten of eleven singletons and nothing agree on a point: the optimum is right there, Gibbs once in eleven wrong."""
    H = mb.concepts.FiniteClass([[int(i == j) for j in range(10)] for i in range(11)])
    found = bayes.gibbs_against_optimum(H, shown=[], asked=[0])
    errors = {str(target): (optimum, gibbs) for target, optimum, gibbs in found.by_target}
    assert errors["row 3"] == (0, Fraction(1, 11))
    assert errors["row 0"] == (1, Fraction(10, 11))
    assert [str(target) for target, _, _ in found.failing] == [f"row {i}" for i in range(1, 11)]
    assert (found.optimum, found.gibbs) == (Fraction(1, 11), Fraction(20, 121))
    assert found.holds


def test_the_factor_comes_near_to_two() -> None:
    H = mb.concepts.FiniteClass([[int(i == j) for j in range(200)] for i in range(201)])
    found = bayes.gibbs_against_optimum(H, asked=[0])
    assert found.gibbs / found.optimum == Fraction(400, 201)


def test_a_distribution_and_probabilities() -> None:
    coins = [lambda x: Fraction(1, 2), lambda x: Fraction(9, 10)]
    found = bayes.gibbs_against_optimum(coins, None, bayes.Probabilities(), shown=["toss"], asked={"a": 1, "b": 3})
    one = bayes.gibbs_against_optimum(coins, None, bayes.Probabilities(), shown=["toss"], asked=["a"])
    assert (found.optimum, found.gibbs) == (one.optimum, one.gibbs)
    floats = bayes.gibbs_against_optimum(
        [lambda x: 0.5, lambda x: 0.9], None, bayes.Probabilities(), shown=["toss"], asked=["a"]
    )
    assert abs(floats.gibbs - float(one.gibbs)) < 1e-12
    assert floats.holds
    ruled_out = bayes.gibbs_against_optimum([abs, lambda x: 0], [0, 1], None, shown=[1], asked=[1])
    assert len(ruled_out.by_target) == 1
    assert ruled_out.gibbs == 0


def test_twice_as_much_is_no_failure() -> None:
    alone = bayes.gibbs_against_optimum([abs], asked=[1])
    assert alone.by_target == [(abs, 0, 0)]
    assert alone.failing == []
