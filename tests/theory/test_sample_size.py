"""Sample sizes: the golden numbers, the edge exactly where it is, each form solved for each unknown."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, log, log2, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb

FORMS = ("consistent", "agnostic", "vc")


def needed(form: str, size: int, epsilon: float, delta: float) -> float:
    """The right side of the inequality, in doubles."""
    if form == "vc":
        return (8 * size * log2(13 / epsilon) + 4 * log2(2 / delta)) / epsilon
    return (log(size) + log(1 / delta)) / (epsilon if form == "consistent" else 2 * epsilon**2)


def name_of(form: str) -> str:
    return "vc" if form == "vc" else "hypotheses"


def test_golden_numbers() -> None:
    facts = {"epsilon": 0.1, "delta": 0.05}
    assert mb.sample_size(3**10, **facts) == 140
    assert mb.sample_size(mb.concepts.Conjunctions(10), **facts) == 140
    assert mb.sample_size(3**10, **facts, form="agnostic") == 700
    assert mb.sample_size(vc=10, **facts) == 5831


shares = st.integers(1, 999).map(lambda share: share / 1000)


@given(st.sampled_from(FORMS), st.integers(1, 10**6), shares, shares)
def test_m_is_the_formula_rounded_up(form: str, size: int, epsilon: float, delta: float) -> None:
    m = mb.sample_size(epsilon=epsilon, delta=delta, form=form, **{name_of(form): size})
    assert isinstance(m, int)
    assert abs(m - needed(form, size, epsilon, delta)) <= 1 + 1e-9 * m
    assert m in {ceil(needed(form, size, epsilon, delta) * (1 + slack)) for slack in (-1e-12, 0, 1e-12)}


@given(st.sampled_from(FORMS), st.integers(1, 10**4), shares, shares)
def test_the_size_is_the_largest_for_which_m_is_enough(form: str, size: int, epsilon: float, delta: float) -> None:
    facts = {"epsilon": epsilon, "delta": delta, "form": form}
    m = mb.sample_size(**facts, **{name_of(form): size})
    largest = mb.sample_size(m=m, **facts)
    assert largest >= size
    assert mb.sample_size(**facts, **{name_of(form): largest}) <= m
    assert mb.sample_size(**facts, **{name_of(form): largest + 1}) > m


@given(st.sampled_from(FORMS), st.sampled_from(["epsilon", "delta"]), st.integers(1, 10**4), shares, shares)
def test_epsilon_and_delta_are_the_smallest_doubles(
    form: str, wanted: str, size: int, epsilon: float, delta: float
) -> None:
    both = {"epsilon": epsilon, "delta": delta}
    facts = {"form": form, name_of(form): size}
    m = mb.sample_size(**facts, **both)
    given = both.pop(wanted)
    found = mb.sample_size(m=m, **facts, **both)
    assert 0 < found <= given
    assert mb.sample_size(**facts, **both, **{wanted: found}) <= m
    assert mb.sample_size(**facts, **both, **{wanted: nextafter(found, 0)}) > m


def test_where_both_sides_are_equal() -> None:
    """13/epsilon and 2/delta powers of two: (8 * 13 * 5 + 4 * 13) * 32/13 is a whole number, and enough."""
    facts = {"epsilon": Fraction(13, 32), "delta": Fraction(2, 2**13)}
    assert mb.sample_size(vc=13, **facts) == (8 * 13 * 5 + 4 * 13) * 32 // 13 == 1408
    assert mb.sample_size(m=1408, **facts, form="vc") == 13
    # Neither logarithm is whole here, but their sum is: (13/epsilon)^2 * 2/delta = 2^6.
    facts = {"epsilon": Fraction(13, 24), "delta": Fraction(18 * 4, 100)}
    assert 24**2 * Fraction(2) / facts["delta"] == 1600
    facts["delta"] = Fraction(2 * 24**2, 2**12)
    assert mb.sample_size(vc=1, **facts) == ceil(4 * 12 / facts["epsilon"])


def test_a_float_is_the_decimal_that_it_prints_as() -> None:
    for value in (0.1, "0.1", "1/10", Fraction(1, 10), Decimal("0.1"), np.float64(0.1), np.float32(0.1)):
        assert mb.sample_size(10**6, value, 0.05) == 169


def test_large_numbers() -> None:
    assert mb.sample_size(2**10_000, 0.01, 1e-300) == ceil((10_000 * log(2) + 300 * log(10)) / 0.01)
    assert mb.sample_size(epsilon=0.5, delta=0.5, m=2000) > 10**430
    assert mb.sample_size(1, 0.5, m=10_000) == 5e-324  # delta is positive, however small


def test_probability_of_not_being_exhausted() -> None:
    assert mb.theory.exhaustion_bound(3**10, 0.1, 0) == 1
    assert mb.theory.exhaustion_bound(10, 0.5, 10) == pytest.approx(10 * 2.718281828459045**-5)
    assert mb.theory.exhaustion_bound(10, 0.5, mb.sample_size(10, 0.5, 0.01)) <= 0.01


def test_bad_parameters() -> None:
    for facts, message in (
        (
            {"hypotheses": 10, "epsilon": 0.1},
            "give three of hypotheses, epsilon, delta and m",
        ),
        ({"hypotheses": 10, "epsilon": 0.1, "delta": 0.1, "m": 5}, "all four are given"),
        ({"hypotheses": 10, "vc": 3, "epsilon": 0.1, "delta": 0.1}, "the vc form does not use hypotheses: 10"),
        ({"hypotheses": 0, "epsilon": 0.1, "delta": 0.1}, "hypotheses must be a whole number >= 1: 0"),
        ({"hypotheses": 2.5, "epsilon": 0.1, "delta": 0.1}, "hypotheses must be a whole number >= 1: 2.5"),
        ({"hypotheses": [1], "epsilon": 0.1, "delta": 0.1}, "hypotheses must be a whole number"),
        ({"hypotheses": "1/2", "epsilon": 0.1, "delta": 0.1}, "hypotheses must be a whole number: '1/2'"),
        ({"hypotheses": "3^99999999999", "epsilon": 0.1, "delta": 0.1}, "hypotheses must have at most 4,000 digits"),
        ({"hypotheses": "ten", "epsilon": 0.1, "delta": 0.1}, "there is no concept class"),
        ({"hypotheses": 2, "epsilon": "1e-999999999", "delta": 0.1}, "epsilon must be a number > 0 and < 1"),
        ({"hypotheses": 2, "epsilon": "1/0", "delta": 0.1}, "epsilon must be a number > 0 and < 1: '1/0'"),
        ({"hypotheses": 2, "epsilon": 1, "delta": 0.1}, "epsilon must be a number > 0 and < 1: 1"),
        ({"hypotheses": 2, "epsilon": 0.1, "delta": float("nan")}, "delta must be a number > 0 and < 1: nan"),
        ({"hypotheses": 2, "epsilon": "a", "delta": 0.1}, "epsilon must be a number"),
        ({"vc": -1, "epsilon": 0.1, "delta": 0.1}, "vc must be a whole number >= 0: -1"),
        ({"hypotheses": 2, "epsilon": 0.1, "delta": 0.1, "form": "other"}, "form must be 'consistent', 'agnostic' or"),
        ({"epsilon": 0.1, "delta": 0.01, "m": 3}, "m must be at least 47 to promise anything: 3"),
        ({"epsilon": 0.1, "delta": 0.01, "m": 3, "form": "vc"}, "m must be at least 306 to promise anything: 3"),
        ({"hypotheses": 10, "epsilon": 0.1, "m": 3}, "m must be larger for any delta < 1: 3"),
        ({"epsilon": 0.5, "delta": 0.1, "m": 10**6}, "epsilon m must be at most"),
        ({"hypotheses": 10, "epsilon": 1e-40, "delta": 0.1}, "epsilon must be larger"),
        ({"hypotheses": 10, "epsilon": 1e-320, "delta": 0.1}, "than can be counted: more than 10^320"),
        ({"hypotheses": 10, "epsilon": "1e-5000", "delta": 0.1}, "than can be counted: more than 10^5000"),
    ):
        with pytest.raises(mb.BadParameter) as caught:
            mb.sample_size(**facts)
        assert message in str(caught.value), facts


def test_texts_are_those_of_the_command() -> None:
    for value in ("59049", "3^10", "3**10", "59,049", "5.9049e4", "conjunctions n=10", mb.concepts.Conjunctions(10)):
        assert mb.sample_size(value, 0.1, 0.05) == 140
    assert mb.sample_size(epsilon=0.1, delta=0.05, m="1.4e2") == mb.sample_size(epsilon=0.1, delta=0.05, m=140)
    assert mb.theory.exhaustion_bound("3^10", "1/10", "140") == mb.theory.exhaustion_bound(3**10, 0.1, 140)
