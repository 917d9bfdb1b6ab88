"""The perceptron: the twin agrees bit for bit, and Novikoff's bound holds on separable data."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from naive.perceptron import NaivePerceptron

names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775807", "9223372036854775808"])
values = st.sampled_from([1.0, -1.0, 0.1, 0.2, 0.3, -0.3, 1e-9, 1e9, 7.7, 0.0, 1e16])
trials = st.lists(st.tuples(st.dictionaries(names, values, max_size=8), st.sampled_from([0, 1])), max_size=40)


@pytest.mark.kernel
@given(st.sampled_from([1.0, 0.1, 3.7]), st.booleans(), trials)
def test_twin_agrees_bit_for_bit(eta: float, bias: bool, played: Any) -> None:
    learner, twin = mb.Perceptron(eta=eta, bias=bias, labels=(0, 1)), NaivePerceptron(eta, bias)
    for x, label in played:
        assert learner.score_one(x) == twin.score(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        assert learner.weights() == twin.w
        assert list(learner.weights()) == list(twin.w)
        assert learner.bias == twin.bias


@pytest.mark.kernel
def test_a_sum_that_depends_on_its_order() -> None:
    """1e16 + 1 - 1e16: the slots decide, not the order of the mapping."""
    first = {"1": 1e16, "2": 1.0, "3": -1e16}
    learner = mb.Perceptron(bias=False, labels=(0, 1))
    learner.learn_one({"1": 1.0, "2": 1.0, "3": 1.0}, 1)
    expected = learner.score_one(first)
    assert expected == 0.0
    for order in (["3", "2", "1"], ["1", "3", "2"], ["2", "1", "3"]):
        x = {name: first[name] for name in order}
        assert learner.score_one(x) == expected
        assert learner.predict_one(x) == 0


vectors = st.lists(st.integers(-6, 6), min_size=3, max_size=3)


@given(st.lists(st.integers(-5, 5), min_size=4, max_size=4), st.lists(vectors, max_size=60), st.booleans())
def test_bound_holds_on_separable_data(u: list[int], points: list[list[int]], bias: bool) -> None:
    """u separates the extended points; integers, so that M * margin^2 <= R^2 can be checked exactly."""
    u = u if bias else [*u[:3], 0]
    learner, margin, radius, mistakes = mb.Perceptron(bias=bias), None, 0, 0
    for point in points * 3:
        extended = [*point, 1 if bias else 0]
        dot = sum(a * b for a, b in zip(u, extended, strict=True))
        if dot == 0:
            continue
        label = int(dot > 0)
        margin = min(margin or abs(dot), abs(dot))
        radius = max(radius, sum(v * v for v in extended))
        mistakes += learner.learn_one(point, label) != label
    if margin is not None:
        norm = sum(v * v for v in u)
        assert mistakes * margin**2 <= radius * norm
        told = learner.bound(margin=margin / sqrt(norm), radius=sqrt(radius))
        assert told.value == pytest.approx(radius * norm / margin**2)
        if mistakes:  # R of the mistakes alone is enough
            known = learner.bound(margin=margin / sqrt(norm))
            assert mistakes <= known.value * (1 + 1e-9)


def test_bound_is_met() -> None:
    """Orthonormal instances: u = sum of e_i / sqrt(d) has margin 1/sqrt(d), R = 1, and each is a mistake."""
    for d in (1, 2, 5, 9):
        learner = mb.Perceptron(bias=False)
        mistakes = sum(learner.learn_one({str(j)}, 1) != 1 for j in range(d))
        assert mistakes == d == round(learner.bound(margin=1 / sqrt(d), radius=1).value)


def test_bounds_from_a_start_and_conditions() -> None:
    learner = mb.Perceptron(eta=0.5)
    assert learner.bound(margin=0.5, radius=2, start_norm=3).value == pytest.approx(16 + 2 * 3 / (0.5 * 0.5))
    assert "margin > 0 fails" in learner.bound(margin=0, radius=1).failed
    assert "radius must be given" in learner.bound(margin=1).failed
    assert "no finite number" in learner.bound(margin=1, radius=1e200).failed


def test_an_encoded_instance_does_not_keep_slots_that_were_forgotten() -> None:
    learner = mb.Perceptron(eta=1e308, bias=False)
    x = learner.encode({"d": 10.0})
    with pytest.raises(mb.BadData):
        learner.learn_one(x, 1)  # its weight would leave the doubles, and d is forgotten with it
    learner.learn_one({"e": 1.0}, 1)  # e has the slot now that d had
    assert learner.weights() == {"e": 1e308}
    assert learner.score_one(x) == learner.score_one({"d": 10.0}) == 0.0


def test_overflow_leaves_no_trace() -> None:
    learner = mb.Perceptron()
    learner.learn_one({"a": 1e308}, 1)
    before = learner.hypothesis
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.learn_one({"new": 1.0, "a": 10.0}, 0)
    assert learner.hypothesis == before
    assert learner.attributes.names() == ["a"]


@pytest.mark.kernel
def test_a_row_whose_order_outweighs_one_rounding() -> None:
    """1e16 + 1 + ... + 1 - 1e16 is 0 in the order of slots, 6 when the ones come first: more than one rounding."""
    learner = mb.Perceptron(bias=False, labels=(0, 1))
    learner.learn_one({str(j) for j in range(1, 9)}, 1)
    x = {str(j): 1.0 for j in range(2, 8)} | {"1": 1e16, "8": -1e16}
    assert learner.score_one(x) == 0.0
    assert learner.predict_one(x) == 0


@pytest.mark.kernel
def test_the_radius_is_that_of_the_longest_mistake() -> None:
    learner = mb.Perceptron(bias=False, labels=(0, 1))
    learner.learn_one({"1": 3.0, "2": 4.0}, 1)
    assert learner.facts()["radius"] == 5.0
    assert learner.learn_one({"3": 1.0}, 1) == 0
    assert learner.facts()["radius"] == 5.0
    assert learner.bound(margin=0.5).value == 100.0


def test_the_bias_is_part_of_the_start() -> None:
    learner = mb.Perceptron()
    learner.learn_one({"1": 1.0, "2": 1.0}, 1)
    assert learner.start() == {"start_norm": pytest.approx(sqrt(3))}


def test_a_prediction_whose_sum_is_no_double_is_refused() -> None:
    learner = mb.Perceptron(eta=1e308, bias=False)
    learner.learn_one({"1": 1.0}, 1)
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.predict_one({"1": 10.0})
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        learner.predict_many([[1.0], [10.0]])


def test_an_encoded_instance_learns_of_slots_that_came_later() -> None:
    learner = mb.Perceptron(bias=False)
    x = learner.encode({"a": 1.0})
    assert learner.score_one(x) == 0.0
    learner.learn_one({"a": 1.0}, 1)
    assert learner.score_one(x) == 1.0


def test_the_largest_weights() -> None:
    learner = mb.Perceptron(bias=False)
    learner.learn_one({"a": 1.0, "b": -5.0, "c": 1.0, "d": 3.0}, 1)
    assert learner.top(3) == [("b", -5.0), ("d", 3.0), ("a", 1.0)]


def test_a_weight_of_zero_has_no_sign(tmp_path: Path) -> None:
    """Inside, the zero of an attribute that has appeared has one; nobody sees it."""
    rows, labels = sp.csr_matrix([[1, 1, 0], [1, 0, 0], [0, 0, 1]]), [1, -1, -1]
    learner = mb.Perceptron(bias=False)
    learner.learn_many(rows, labels)
    assert [str(weight) for weight in learner.weights().values()] == ["0.0", "1.0", "0.0"]
    assert [str(learner.weight(name)) for name in ("1", "3", "9")] == ["0.0"] * 3
    assert [str(weight) for _, weight in learner.top(3)] == ["1.0", "0.0", "0.0"]
    learner.save(tmp_path / "model")
    again = mb.load(tmp_path / "model").learner
    again.learn_many(rows, labels)
    learner.learn_many(rows, labels)
    assert again.weights() == learner.weights()
    assert again.attributes.names() == ["1", "2", "3"]


def test_an_attribute_is_entered_once_whatever_its_weight_was() -> None:
    """Entered by name with a weight of 0, then in rows whose kernel enters what is new."""
    learner = mb.Perceptron(bias=False)
    learner.learn_one(["2", "1"], -1)
    learner.learn_many(sp.csr_matrix([[1, 1, 1], [1, 0, 0]]), [1, -1])
    learner.learn_many(sp.csr_matrix([[1, 1, 1], [1, 0, 0]]), [1, -1])
    assert learner.attributes.names() == ["1", "2", "3"]


@pytest.mark.parametrize("order", [["1", "2", "3", "4"], ["1", "3", "2", "4"], ["3", "1", "4", "2"]])
def test_a_sum_that_overflows_in_another_order_only(order: list[str]) -> None:
    """Two sums at once, or another order, may leave the doubles where the sum in the order of keys does not."""
    big = 1.2e308
    for value in (1.0, 0.5):
        learner = mb.Perceptron(bias=False, labels=(0, 1))
        learner.learn_one({"1": big, "2": -big, "3": big, "4": -big}, 1)
        x = dict.fromkeys(order, value)
        assert (learner.score_one(x), learner.predict_one(x), learner.learn_one(x, 0)) == (0.0, 0, 0)
        columns = np.array([int(name) - 1 for name in order])
        X = sp.csr_matrix((np.full(4, value), columns, np.array([0, 4])), shape=(1, 4))
        assert learner.predict_many(X).tolist() == learner.learn_many(X, [0]).tolist() == [0]


def rows_of_ones(rows: list[list[str]]) -> Any:
    """A matrix with these attributes in this order."""
    columns = np.array([int(name) - 1 for row in rows for name in row], dtype=np.int32)
    ends = np.cumsum([0] + [len(row) for row in rows])
    return sp.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), 9))


def agree_on(learner: Any, twin: NaivePerceptron, rows: list[list[str]]) -> None:
    """In one block, which changes nothing when every label is the one predicted."""
    said = [twin.predict(dict.fromkeys(row, 1.0)) for row in rows]
    X = rows_of_ones(rows)
    assert learner.predict_many(X).tolist() == said
    assert learner.learn_many(X, said).tolist() == said
    assert learner.weights() == twin.w


@pytest.mark.kernel
@pytest.mark.parametrize("values", [(0.1, 0.2, -0.3), (0.1, 0.7, -0.8), (0.3, 0.6, -0.9, 0.1, -0.1)])
def test_rows_of_ones_after_decimals_are_summed_in_ascending_order(values: tuple[float, ...]) -> None:
    """Steps are whole numbers and weights are not: what rounding leaves of a sum near 0 depends on the order."""
    kept = []
    for placed in [*permutations(values)][:6] + [*permutations(values)][6::9]:
        for sign in (1.0, -1.0):
            learner, twin = mb.Perceptron(bias=False, labels=(0, 1)), NaivePerceptron(1.0, False)
            x = {str(place): sign * value for place, value in enumerate(placed, 1)}
            X = sp.csr_matrix([list(x.values())])
            assert learner.learn_many(X, [1]).tolist() == [twin.learn(x, 1)] == [0]
            agree_on(learner, twin, [list(row) for row in permutations(x)])
            kept.append(twin.predict(dict.fromkeys(x, 1.0)))
    assert set(kept) == {0, 1}


@pytest.mark.kernel
@pytest.mark.parametrize("in_a_block", [False, True])
def test_tenths_are_summed_in_ascending_order(in_a_block: bool) -> None:
    """Mistakes that were not near 0 make weights whose sum is 0 in ascending order, and above it in some other."""
    learner, twin = mb.Perceptron(eta=0.1, bias=False, labels=(0, 1)), NaivePerceptron(0.1, False)
    played = [("12345", 0), ("345", 1), ("24", 0), ("12345", 0), ("3", 1), ("235", 1)]
    said = [twin.learn(dict.fromkeys(row, 1.0), label) for row, label in played]
    assert [prediction != label for prediction, (_, label) in zip(said, played, strict=True)] == [False] + [True] * 5
    if in_a_block:
        X = rows_of_ones([list(row) for row, _ in played])
        assert learner.learn_many(X, [label for _, label in played]).tolist() == said
    else:
        assert [learner.learn_one(set(row), label) for row, label in played] == said
    assert twin.w == {"1": -0.1, "2": -0.1, "3": 0.2, "4": -0.1, "5": 0.1}
    assert twin.score(dict.fromkeys("12345", 1.0)) == 0.0
    agree_on(learner, twin, [list(row) for count in (3, 4, 5) for row in permutations("12345", count)])


@pytest.mark.kernel
def test_whole_weights_whose_sum_is_no_double() -> None:
    """2**53 - 1 + 2 is rounded down in ascending order: the sum is 0 there, and 1 in another order."""
    twin, values = NaivePerceptron(1.0, False), [2.0**53 - 1, 2.0, -(2.0**53 - 1), -1.0]
    x = {str(place): value for place, value in enumerate(values, 1)}
    learner = mb.Perceptron(bias=False, labels=(0, 1))
    assert learner.learn_one(x, 1) == twin.learn(x, 1)
    learner = learner.copy()  # which finds that all weights are whole
    assert twin.predict(dict.fromkeys(x, 1.0)) == 0
    assert sum(map(int, values)) == 1
    agree_on(learner, twin, [list(row) for row in permutations(x)])


@pytest.mark.kernel
def test_a_bias_that_would_leave_the_doubles_refuses_the_row() -> None:
    """The weight of c would become 0."""
    rows: list[tuple[dict[str, float], int]] = [({}, 1), ({"1": -1.0}, 0), ({}, 1), ({"1": -1.0}, 1)]
    X, y = sp.csr_matrix([[0.0], [-1.0], [0.0], [-1.0]]), [1, 0, 1, 1]
    one, many, clean = (mb.Perceptron(eta=1e308, labels=(0, 1)) for _ in range(3))
    for x, label in rows[:3]:
        assert one.learn_one(x, label) == 1 - label
    with pytest.raises(mb.BadData, match="range of doubles"):
        one.learn_one(*rows[3])
    with pytest.raises(mb.BadData, match=r"row 3: .*range of doubles"):
        many.learn_many(X, y)
    clean.learn_many(X[:3], y[:3])
    for learner in (one, many, clean):
        assert (learner.weights(), learner.bias) == ({"1": 1e308}, 1e308)
        assert learner.facts() == clean.facts()
