"""Winnow1 and Winnow2 against their twins in fractions: every prediction, every weight."""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import accumulate
from math import inf, nextafter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.learners.linear.exponents import start_exponent
from mistakebound.learners.linear.powers import bias_of
from naive.winnow1 import NaiveWinnow1, start_weight
from naive.winnow2 import NaiveWinnow2

pytestmark = pytest.mark.kernel
N = 4
ALPHAS = [2.0, 1.5, 10.0, 3.0, 1.1, 4 / 3]
STARTS = [1.0, "1/n", 0.3, 7.0, 2.0**-70, 1e10]
THETAS = ["n", "n/2", 1.0, 2.5, 1 / 3, 0.1, 7.3, 0.7]
trials = st.lists(st.tuples(st.sets(st.sampled_from("1234")), st.sampled_from([0, 1])), max_size=60)
kinds = st.sampled_from([(mb.Winnow1, NaiveWinnow1), (mb.Winnow2, NaiveWinnow2)])


def exact_weights(learner: Any) -> dict[str, Fraction]:
    """The weights as the hypothesis has them, without rounding; a weight of 1 is left out there when n is declared."""
    form = learner.hypothesis.form
    while learner.inner is not None:
        form, learner = form[-1], learner.inner
    terms, weights = dict(form[-1]), {}
    for name in learner.attributes.names():
        term = terms.get(name, (0, 0))
        first = Fraction(learner.first_start)
        weights[name] = Fraction(0) if term is None else first * Fraction(learner.alpha) ** term[0] / 2 ** term[1]
    return weights


def lowest_exponent(learner: Any) -> int:
    return min(term[0] for _, term in learner.hypothesis.form[-1] if term is not None)


BIAS = {"B": bias_of(8), "H": bias_of(16), "I": bias_of(32)}  # of cells that are a code and no more: n is declared


def width_of_codes(learner: Any) -> str:
    return model_file.as_array(learner._all_arrays()["cells"]).typecode


def rounded(weight: Fraction) -> float:
    try:
        return float(weight)
    except OverflowError:
        return inf


def agree(learner: Any, twin: NaiveWinnow1) -> None:
    assert learner.attributes.names() == list(learner.weights())
    assert exact_weights(learner) == twin.w
    for name, weight in learner.weights().items():
        assert weight == pytest.approx(rounded(twin.w[name]), rel=1e-13)


def pair(kind: Any, alpha: float, theta: Any, declared: bool, rule: str, start: Any = 1.0) -> tuple[Any, NaiveWinnow1]:
    if not declared:
        theta, start = (1.0 if isinstance(value, str) else value for value in (theta, start))
    learner = kind[0](alpha=alpha, theta=theta, n=N if declared else None, rule=rule, start=start, labels=(0, 1))
    number = {"n": float(N), "n/2": N / 2}.get(theta, theta)
    return learner, kind[1](alpha, number, declared, rule, 1 / N if start == "1/n" else start)


settings = st.tuples(
    st.sampled_from(ALPHAS),
    st.sampled_from(THETAS),
    st.booleans(),
    st.sampled_from([">", ">="]),
    st.sampled_from(STARTS),
)


@given(kinds, settings, trials)
def test_twin_agrees(kind: Any, values: Any, played: Any) -> None:
    learner, twin = pair(kind, *values)
    for active, label in played:
        unseen = active ^ {"1", "2"}
        assert learner.predict_one(unseen) == twin.predict(unseen)
        assert learner.learn_one(active, label) == twin.learn(active, label)
        assert (learner.score_one(active) > learner.theta) == (
            sum(twin.weight(name, active) for name in active) > twin.theta
        )
    agree(learner, twin)


@given(kinds, st.sampled_from(ALPHAS), st.sampled_from([2, 3, 5, 10]), st.integers(0, 6), st.booleans(), trials)
def test_twin_agrees_at_exact_ties(kind: Any, alpha: float, width: int, power: int, up: bool, played: Any) -> None:
    """theta is exactly (or, where a double cannot hold it, nearly) a sum that occurs."""
    theta = float(width * Fraction(alpha) ** (power if up else -power))
    for rule in (">", ">="):
        learner, twin = (
            kind[0](alpha=alpha, theta=theta, n=12, rule=rule, labels=(0, 1)),
            kind[1](alpha, theta, True, rule),
        )
        wide = {str(j) for j in range(1, width + 1)}
        for label in ([1, 0, 1, 1, 0, 0, 1, 0] * 2)[: 2 * power + 2]:
            assert learner.learn_one(wide, label) == twin.learn(wide, label)
        for active, label in played:
            assert learner.learn_one(active, label) == twin.learn(active, label)
        agree(learner, twin)


@pytest.mark.parametrize("alpha", [2.0, 1.5, 3.0])
@pytest.mark.parametrize("start", [0.1, 1 / 3, 5.0])
def test_ties_of_start_weights(alpha: float, start: float) -> None:
    """theta is the double nearest to ten start weights, or one of its neighbours; unseen attributes weigh as much."""
    total = 10 * Fraction(start)
    names = [str(j) for j in range(1, 11)]
    for theta in (float(total), nextafter(float(total), inf), nextafter(float(total), 0)):
        for rule in (">", ">="):
            learner = mb.Winnow1(alpha=alpha, theta=theta, n=20, start=start, rule=rule, labels=(0, 1))
            verdict = int(total > Fraction(theta) or (total == Fraction(theta) and rule == ">="))
            assert learner.predict_one(names) == verdict
            assert learner.learn_one(names, verdict) == learner.predict_one(names) == verdict
            assert (learner.score_one(names) > theta) == (total > Fraction(theta))
            assert learner.weight("20") == learner.weight("1") == start


def test_start_weights_are_kept_in_a_file(tmp_path: Path) -> None:
    learner = mb.Winnow2(alpha=3, n=5, theta=1, start="1/n", labels=(0, 1))
    for active, label in [({"1", "2"}, 1), ({"1", "3"}, 1), ({"2"}, 0), ({"2"}, 1), ({"2"}, 1)]:
        learner.learn_one(active, label)
    learner.save(tmp_path / "model")
    loaded: Any = mb.load(tmp_path / "model").learner
    assert loaded.weights() == learner.weights() == pytest.approx({"1": 1.8, "2": 1.8, "3": 0.6})
    assert loaded.hypothesis == learner.hypothesis
    assert str(learner.hypothesis).endswith("every attribute not seen yet counting 0.2")
    with pytest.raises(mb.BadParameter, match=r"^start must be a number when n is not declared: '1/n'$"):
        mb.Winnow1(start="1/n")


MIXTURES = [(5, 6, 3), (1, 2), (0, 7, 2, 9), (3, 1, 4, 1, 5, 9, 2, 6), tuple(7 * j % 11 for j in range(40))]


@pytest.mark.parametrize("exponents", MIXTURES, ids=len)
@pytest.mark.parametrize("n", [50, None])
@pytest.mark.parametrize("alpha", [1.3, 1.1, 10 / 7, 3.7])
def test_sums_of_different_powers_beside_theta(alpha: float, n: int | None, exponents: tuple[int, ...]) -> None:
    """theta is the double nearest to the sum, or one of its neighbours: one at a time and in blocks, as fractions."""
    names = [str(j) for j in range(1, len(exponents) + 1)]
    start = Fraction(1) if n else start_weight(len(names))
    total = sum((start * Fraction(alpha) ** exponent for exponent in exponents), Fraction(0))
    row = sp.csr_matrix(np.ones((1, len(names))))
    for theta in (float(total), nextafter(float(total), inf), nextafter(float(total), 0)):
        learner = mb.Winnow1(alpha=alpha, theta=theta, n=n, labels=(0, 1))
        assert learner.learn_one(names, 0) == 0  # all appear at once
        for name, exponent in zip(names, exponents, strict=True):
            for _ in range(exponent):
                assert learner.learn_one({name}, 1) == 0
        assert sum(exact_weights(learner).values()) == total
        verdict = int(total > Fraction(theta))
        for x in (set(names), dict.fromkeys(names, 1), dict.fromkeys(reversed(names), 1)):
            assert learner.predict_one(x) == verdict
            assert learner.learn_one(x, verdict) == verdict
            assert (learner.score_one(x) > theta) == verdict
        assert learner.predict_many(row).tolist() == learner.learn_many(row, [verdict]).tolist() == [verdict]


def test_ten_tenths_are_one() -> None:
    learner = mb.Winnow2(alpha=10, theta=1, rule=">=", n=10)
    assert [learner.learn_one([1] * 10, y) for y in (0, 0, 1)] == [1, 1, 0]
    *_, rounded = accumulate([0.1] * 10)  # `sum` makes up for rounding from Python 3.12 on
    assert rounded < 1 == sum([Fraction(1, 10)] * 10)


@pytest.mark.parametrize("alpha", [2.0, 1.5, 1.1, 10.0])
def test_exponents_past_the_first_table(alpha: float) -> None:
    """Down by hundreds of demotions, far below 64 exponents, and up again; a partner keeps the sum above theta."""
    learner, twin = mb.Winnow2(alpha=alpha, theta=1.0, n=3, labels=(0, 1)), NaiveWinnow2(alpha, 1.0, True, ">")
    for turn in range(300):
        assert learner.learn_one({"2"}, 1) == twin.learn({"2"}, 1)
        assert learner.learn_one({"1", "2"}, 0) == twin.learn({"1", "2"}, 0)
        if turn % 50 == 49:
            learner = learner.copy()
            agree(learner, twin)
    assert lowest_exponent(learner) < -64
    for _ in range(400):
        assert learner.learn_one({"1"}, 1) == twin.learn({"1"}, 1)
    agree(learner, twin)
    assert learner.predict_one({"1"}) == 1


@pytest.mark.parametrize("direction", [1, 0])
@pytest.mark.parametrize(("code", "next_code"), [("B", "H"), ("H", "I")])
def test_codes_are_widened_before_they_overflow(code: str, next_code: str, direction: int) -> None:
    """The state is set three steps from the edge of the codes, alpha being so small that such weights are ordinary."""
    alpha = 1 + 2.0**-12
    edge = BIAS[code] - 4 if direction else -(BIAS[code] - 4)
    theta = 1e5 if direction else 1e-5
    learner, twin = mb.Winnow2(alpha=alpha, theta=theta, n=2), NaiveWinnow2(alpha, theta, True, ">")
    learner.learn_one({"1"}, 1 - direction)
    learner.learn_one({"1", "2"}, 1 - direction)
    arrays = {name: model_file.as_array(values) for name, values in learner._all_arrays().items()}
    arrays["cells"] = array(code, [BIAS[code] + edge, BIAS[code]])
    learner = mb.Winnow2.restore(learner._header(), arrays)  # such a model loads, with a table that reaches so far
    twin.w = exact_weights(learner)
    assert twin.w["1"] == Fraction(alpha) ** edge
    assert width_of_codes(learner) == code
    for _ in range(9):
        assert learner.predict_one({"1"}) == twin.predict({"1"}) == 1 - direction
        assert learner.learn_one({"1"}, direction) == twin.learn({"1"}, direction)
    assert width_of_codes(learner) == next_code
    agree(learner, twin)
    again = learner.copy()
    assert again.hypothesis == learner.hypothesis
    assert again.learn_one({"1", "2"}, direction) == twin.learn({"1", "2"}, direction)
    agree(again, twin)


@pytest.mark.parametrize(("n", "narrow", "wider"), [(2, "B", "H"), (None, "H", "I")])
def test_eight_bits_are_widened_by_play_alone(n: int | None, narrow: str, wider: str) -> None:
    learner = mb.Winnow2(alpha=1.01, theta=100.0, n=n, labels=(0, 1))
    twin = NaiveWinnow2(1.01, 100.0, n is not None, ">")
    widths = set()
    for turn in range(400):
        active = {"1"} if turn % 3 else {"1", "2"}
        assert learner.learn_one(active, 1) == twin.learn(active, 1)
        widths.add(width_of_codes(learner))
    assert widths == {narrow, wider}
    agree(learner, twin)
    agree(learner.copy(), twin)


def test_starts_that_play_cannot_make_are_refused() -> None:
    learner = mb.Winnow2(alpha=1.5)
    learner.learn_one({"1", "2", "3"}, 0)
    learner.learn_one({"4"}, 0)
    for code, place, bit in (("H", 3, 15), ("I", 3, 30), ("I", 0, 24)):
        arrays = {name: model_file.as_array(values) for name, values in learner._all_arrays().items()}
        if code == "I":
            offset = bias_of(16) - bias_of(8)
            arrays["cells"] = array("I", [(c >> 8 << 16 | c & 255) + offset for c in arrays["cells"]])
            assert mb.Winnow2.restore(learner._header(), dict(arrays)).hypothesis == learner.hypothesis
            arrays = {name: model_file.as_array(a) for name, a in learner._all_arrays().items()} | {
                "cells": arrays["cells"]
            }
        arrays["cells"][place] ^= 1 << bit
        with pytest.raises(ValueError, match="start"):
            mb.Winnow2.restore(learner._header(), arrays)


@pytest.mark.long
def test_sixteen_bits_are_widened_by_promotions_alone() -> None:
    learner = mb.Winnow1(alpha=1.0001, theta=100.0, n=1)
    predictions = learner.learn_many(np.ones((60_000, 1)), [1] * 60_000)
    rounds = int((predictions == 0).sum())
    assert rounds > 2**15
    assert Fraction(1.0001) ** (rounds - 1) <= 100 < Fraction(1.0001) ** rounds
    assert width_of_codes(learner) == "I"


@given(kinds, st.sampled_from(ALPHAS), st.lists(st.sets(st.integers(0, 40)), min_size=1, max_size=12), st.data())
def test_start_weights(kind: Any, alpha: float, rows: list[set[int]], data: Any) -> None:
    """Powers of two that depend on how many have appeared, not on names or order; their sum is below pi^2/6."""
    learner = kind[0](alpha=alpha, labels=(0, 1))
    twin, seen = kind[1](alpha, 1.0, False, ">"), set()
    for row in rows:
        new = {str(j) for j in row} - seen
        seen |= new
        if new:
            assert start_weight(len(seen)) == Fraction(1, 2 ** start_exponent(len(seen)))
        active = data.draw(st.permutations(sorted(map(str, row))))
        label = learner.predict_one(active)  # no mistake: weights stay at their start
        assert learner.learn_one(active, label) == twin.learn(set(active), label)
        assert {learner.weight(name) for name in new} <= {float(start_weight(max(1, len(seen))))}
    assert sum(twin.w.values()) < Fraction(16449, 10000)
    agree(learner, twin)


def test_start_weights_sum_to_less_than_pi_squared_over_six() -> None:
    """The largest sum is that of one attribute at a time."""
    total, j = Fraction(0), 1
    while j < 2**40:  # all J with the same b at once
        total += j * Fraction(1, 2 ** start_exponent(j))
        j *= 2
    assert float(total) < 1.6449340


def test_zero_has_not_appeared() -> None:
    learner = mb.Winnow1()
    learner.learn_one({"a": 0, "b": 1, "c": 0}, 1)
    assert learner.weights() == {"b": 2.0}  # alone, so it started at 1


def test_huge_theta() -> None:
    learner, twin = mb.Winnow2(alpha=10, theta=1.7e308, n=2, labels=(0, 1)), NaiveWinnow2(10, 1.7e308, True, ">")
    for label in [1] * 312 + [0, 1, 0, 0]:
        assert learner.learn_one({"1", "2"}, label) == twin.learn({"1", "2"}, label)
        assert (learner.score_one({"1", "2"}) > 1.7e308) == twin.predict({"1", "2"})


def test_many_roundings_in_one_sum() -> None:
    """A thousand tenths are a hundred, though a sum of doubles is off by far more than one unit in the last place."""
    learner, all_on = mb.Winnow2(alpha=10, theta=100, rule=">=", n=1000), [1] * 1000
    assert learner.learn_one(all_on, 0) == 1
    *_, rounded = accumulate([0.1] * 1000)
    assert rounded < 100 - 1e-12
    assert learner.predict_one(all_on) == 1


def test_weights_below_every_double() -> None:
    """Ten times 1e-324, which is 0.0 as a double, are more than the smallest double."""
    learner, twin = mb.Winnow2(alpha=10, theta=5e-324, n=10), NaiveWinnow2(10, 5e-324, True, ">")
    all_on = {str(j) for j in range(1, 11)}
    for _ in range(328):
        assert learner.learn_one(all_on, 0) == twin.learn(all_on, 0)


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize(("alpha", "theta", "n"), [(2.0, 2.0**60, 2), (4.0, 2.0**52, None), (2.0, 2.0**53, None)])
def test_sums_of_exact_terms_that_are_not_exact(alpha: float, theta: float, n: int | None, seen: bool) -> None:
    """theta and a little more, which no double holds: the little decides, whether its attribute was seen or not."""
    learner = mb.Winnow1(alpha=alpha, theta=theta, n=n, labels=(0, 1))
    while learner.weight("1") < theta:
        assert learner.learn_one({"1"}, 1) == 0
    if seen:
        assert learner.learn_one({"2"}, 0) == 0
    assert learner.predict_one({"1"}) == 0
    assert learner.predict_one({"1", "2"}) == 1


def with_codes(learner: Any, code: str, codes: list[int]) -> Any:
    learner.learn_one({"1", "2"}, 0)
    arrays = {name: model_file.as_array(values) for name, values in learner._all_arrays().items()}
    arrays["cells"] = array(code, codes)
    return type(learner).restore(learner._header(), arrays)


@pytest.mark.parametrize(("code", "next_code"), [("B", "H"), ("H", "I")])
def test_an_eliminated_weight_is_widened_to_an_eliminated_weight(code: str, next_code: str) -> None:
    learner = with_codes(mb.Winnow1(alpha=1 + 2.0**-12, theta=1e5, n=2), code, [2 * BIAS[code] - 1, 1])
    assert learner.learn_one({"1", "2"}, 1) == 0
    assert width_of_codes(learner) == next_code
    assert exact_weights(learner)["2"] == 0


def test_a_weight_that_play_cannot_make_is_refused() -> None:
    """theta = 2: a weight of 2 is the last that is promoted."""
    for code, bias in BIAS.items():
        assert with_codes(mb.Winnow1(n=2), code, [bias + 2] * 2).weight("1") == 4.0
        with pytest.raises(ValueError, match="larger than Winnow could have made it"):
            with_codes(mb.Winnow1(n=2), code, [bias + 100] * 2)
    with pytest.raises(ValueError, match="has no weight"):
        with_codes(mb.Winnow1(n=2), "B", [0, BIAS["B"]])


def test_a_weight_that_an_unseen_attribute_has_is_no_part_of_the_hypothesis() -> None:
    learner = mb.Winnow1(n=3)
    learner.learn_one({"1"}, 0)
    assert learner.hypothesis == mb.Winnow1(n=3).hypothesis


def test_the_largest_exponent_counts_attributes_that_have_not_appeared() -> None:
    learner = mb.Winnow2(n=2, theta=0.9)
    assert learner.learn_one({"1"}, 0) == 1
    assert learner.largest_exponent() == 0
    assert learner.learn_one({"2"}, 0) == 1
    assert learner.largest_exponent() == -1
