"""Balanced Winnow: the twin of real numbers agrees, its bounds hold, and an adversary comes near them."""

from __future__ import annotations

from itertools import permutations
from math import exp, inf, log, tanh
from random import Random
from sys import float_info
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from learners.play import provoke
from learners.play import rows as random_rows
from naive.balanced_winnow import NaiveBalancedWinnow

names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775807", "9223372036854775808"])
values = st.sampled_from([1.0, 1.0, -1.0, 0.1, 0.37, -0.3, 1e-3, 7.7, 0.0, 41.0])
rows = st.dictionaries(names, values, max_size=8)
trials = st.lists(st.tuples(rows, st.sampled_from([0, 1])), max_size=30)


@pytest.mark.kernel
@given(st.sampled_from([0.1, 1.0, 37.0]), st.sampled_from([0.0, 0.25]), st.booleans(), trials)
def test_twin_agrees(eta: float, thickness: float, bias: bool, played: Any) -> None:
    """37 times 41: most of these weights are no doubles any more."""
    learner = mb.BalancedWinnow(eta=eta, thickness=thickness, bias=bias, labels=(0, 1))
    twin = NaiveBalancedWinnow(eta, thickness, bias)
    for x, label in played:
        said = learner.predict_one(x)
        if thickness and twin.near(x, 1 if label else -1)[1] and any(twin.votes.values()):
            return  # doubles and real numbers may go different ways from here
        assert twin.learn(x, label, said) == said == learner.learn_one(x, label)
        votes = dict(twin.votes)
        assert learner._scalars[0] == votes.pop("the bias", 0.0)
        assert learner.votes() == votes
        for name, weight in learner.weights().items():
            if abs(eta * votes[name]) < 700:
                assert weight == pytest.approx(float(twin.up[name] - twin.down[name]), rel=1e-9, abs=1e-12)


@pytest.mark.kernel
@given(st.sampled_from([0.1, 37.0]), st.sampled_from([0.0, 0.25]), trials, st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(eta: float, thickness: float, played: Any, draw: Any) -> None:
    one, other = (mb.BalancedWinnow(eta=eta, thickness=thickness) for _ in range(2))
    for x, label in played:
        entries = list(x.items())
        draw.shuffle(entries)
        assert one.score_one(x) == other.score_one(dict(entries))
        assert one.learn_one(x, label) == other.learn_one(dict(entries), label)
    assert one.hypothesis == other.hypothesis


vectors = st.lists(st.integers(-3, 3), min_size=4, max_size=4)
labelled = st.lists(st.tuples(vectors, st.booleans()), min_size=1, max_size=60)
targets = st.lists(st.integers(-3, 3), min_size=5, max_size=5).filter(any)


def dot(u: list[int], point: list[int], bias: bool) -> int:
    return sum(a * b for a, b in zip(u, [*point, int(bias)], strict=True))


@given(targets, labelled, st.booleans(), st.sampled_from([0.2, 1.0, 1.7]), st.sampled_from([0.0, 0.4]))
def test_bound_holds_on_separable_data(
    u: list[int], points: list[tuple[list[int], bool]], bias: bool, rate: float, thick: float
) -> None:
    """eta is a share of what the theorem likes best, margin/X^2; the thickness a share of margin/X."""
    shown = [point for point, _ in points if dot(u, point, bias)]
    if not shown:
        return
    size = sum(map(abs, u if bias else u[:4]))
    margin = min(abs(dot(u, point, bias)) for point in shown) / size
    largest = max(max(map(abs, point)) for point in shown)
    largest = max(largest, 1) if bias else largest
    told = {"margin": margin, "largest": largest, "n": 4}
    eta, thickness = rate * (1 - thick) * margin / largest**2, min(0.9, thick * margin / largest)
    learner = mb.BalancedWinnow(eta=eta, thickness=thickness, bias=bias)
    promised = learner.bound(**told)
    labels = [int(dot(u, point, bias) > 0) for point in shown]
    mistakes = sum(learner.learn_one(point, label) != label for point, label in zip(shown * 8, labels * 8, strict=True))
    assert promised.theorem.name == "the balanced Winnow theorem"
    assert promised.allows(mistakes)
    assert learner.bound(**told).value <= promised.value * (1 + 1e-12)  # n and X are known by now
    assert learner.bound(margin=margin).allows(mistakes) or not mistakes


@given(targets, labelled, st.sampled_from([0.01, 0.3, 2.0]), st.sampled_from([0.0, 0.2]), st.floats(0.01, 2.0))
def test_bounds_hold_whatever_the_labels(
    u: list[int], points: list[tuple[list[int], bool]], eta: float, thickness: float, margin: float
) -> None:
    """With the loss of u told; where eta is too large for the theorem, the one in hindsight takes its place."""
    size = sum(map(abs, u))
    learner = mb.BalancedWinnow(eta=eta, thickness=thickness)
    mistakes, loss = 0, 0.0
    for point, label in points * 3:
        mistakes += learner.learn_one(point, int(label)) != label
        loss += max(0.0, margin - (1 if label else -1) * dot(u, point, True) / size)
    bound = learner.bound(margin=margin, loss=loss)
    if mistakes:
        assert bound.allows(mistakes), (bound, mistakes)
        assert bound.value >= mistakes - 1e-6


@pytest.mark.parametrize("d", [1, 3, 6, 9])
def test_an_adversary_comes_near_the_bound(d: int) -> None:
    """N = 2^d attributes of +-1: whatever the labels, one attribute or its opposite has them all.

    Any learner can be made to err log2(2N) times, and the bound is 2 ln(2N): 1.39 times as much.
    """
    n = 2**d
    learner = mb.BalancedWinnow(eta=1.0, thickness=0, bias=False, labels=(0, 1))
    codes = [[1.0 - 2 * (j >> bit & 1) for j in range(n)] for bit in range(d)] + [[1.0] * n]
    for x in codes:
        said = learner.predict_one(x)
        learner.learn_one(x, 1 - said)
    bound = learner.bound(margin=1)
    assert bound.value == pytest.approx(2 * log(2 * n))
    assert d + 1 <= bound.value <= 1.4 * (d + 1)


def test_one_attribute_meets_the_bound_in_hindsight() -> None:
    """With one attribute and a step that is too large for a promise, W is nearly the target's weight alone."""
    learner = mb.BalancedWinnow(eta=3.0, bias=False, thickness=0.999999, labels=(0, 1))
    assert learner.learn_one({"a"}, 1) == 0
    assert [learner.learn_one({"a"}, 1) for _ in range(10)] == [1] * 10
    bound = learner.bound(margin=1)
    assert bound.theorem.name == "the balanced Winnow theorem in hindsight"
    assert bound.value == pytest.approx(1, abs=0.01)


def test_what_is_not_told_is_asked_for() -> None:
    learner = mb.BalancedWinnow(eta=1.0, thickness=0)
    assert "n and largest must be given" in learner.bound(margin=0.9).failed
    assert "fails (eta = 1, thickness = 0, largest = 1, margin = 0.5)" in str(
        learner.bound(margin=0.5, largest=0.1, n=4).failed
    ), "with the bias no X is below 1"
    assert mb.BalancedWinnow(eta=1.0, thickness=0, bias=False).bound(margin=0.05, largest=0.1, n=4).value > 0
    assert learner.bound(margin=0.6, largest=1, n=4).value == pytest.approx(log(10) / (0.6 - 0.5))
    assert learner.bound(margin=0.6, largest=1, n=4, loss=3).value == pytest.approx((log(10) + 3) / (0.6 - 0.5))
    thick = mb.BalancedWinnow(eta=0.1, thickness=0.2).bound(margin=0.6, largest=1, n=4)
    assert thick.value == pytest.approx(log(10) / (0.1 * 0.4 - 0.005))
    thick = mb.BalancedWinnow(eta=0.05, thickness=0.2).bound(margin=0.6, largest=2, n=4)
    assert thick.value == pytest.approx(log(10) / (0.05 * 0.2 - 0.005))
    assert [learner.learn_one({}, 1), learner.learn_one({"a": 0.5}, 0)] == [None, 1]
    assert (learner.bias, learner.facts()["largest"]) == (0.0, 1.0)
    assert learner.start() == {"used": True}
    assert "learned before" in learner.bound_since(learner.start(), {"margin": 0.6}).failed


@pytest.mark.parametrize(("k", "r"), [(1, 1), (2, 1), (4, 2), (6, 6)])
def test_r_of_k_has_a_margin(k: int, r: int) -> None:
    """Told as such, with steps that are small enough; played by rows that are chosen for their mistakes."""
    learner = mb.BalancedWinnow(eta=1 / (2 * k + 2 * r - 1), thickness=0)

    def target(x: set[str]) -> bool:
        return sum(str(j) in x for j in range(1, k + 1)) >= r

    ledger = provoke(learner, target, random_rows(Random(k), 12, 800), {"k": k, "r": r})
    assert ledger.bound.theorem.name == "the balanced Winnow theorem"
    assert ledger.bound.value == pytest.approx(2 * (2 * k + 2 * r - 1) ** 2 * log(2 * (len(learner.attributes) + 1)))
    assert 0 < ledger.mistakes <= ledger.bound.value
    assert mb.BalancedWinnow(bias=False).bound(k=k, n=12).value is None


def test_labels_that_no_target_fits_refute_it() -> None:
    learner = mb.BalancedWinnow(thickness=0, bias=False)
    mistakes = sum(learner.learn_one({"a"}, trial % 2) != trial % 2 for trial in range(1000))
    bound = learner.bound(margin=0.5)
    assert mistakes > bound.mistakes == int(log(2) / (0.1 * 0.5 - 0.005))
    assert learner.bound(margin=0.5, loss=0.5 * 500 + 1.5 * 500).allows(mistakes)


def test_few_relevant_attributes_of_many() -> None:
    """u = (2, 2, -2, 0, ..., 0, -1)/7 in 1,501 dimensions: the perceptron makes three times as many mistakes."""
    draw = np.random.default_rng(1)
    rows = draw.random((1500, 1500)) < np.where(np.arange(1500) < 3, 0.3, 0.02)
    X, y = sp.csr_matrix(rows, dtype=float), (rows[:, :3] @ [1, 1, -1] > 0).astype(int)
    learner = mb.BalancedWinnow(thickness=0)
    mistakes = (learner.learn_many(X, y) != y).sum()
    assert learner.bound(margin=1 / 7).allows(mistakes)
    thick = (mb.BalancedWinnow().learn_many(X, y) != y).sum()
    assert 3 * thick < (mb.Perceptron().learn_many(X, y) != y).sum()


@pytest.mark.kernel
def test_weights_beyond_the_doubles_still_decide() -> None:
    """exp(+-900): the scores end at the largest double, the signs are right."""
    learner = mb.BalancedWinnow(eta=900.0, thickness=0, bias=False, labels=(0, 1))
    learner.learn_one({"up", "more"}, 1)
    learner.learn_one({"down", "more"}, 0)  # 'more' is back at 0
    learner.learn_one({"up": 2.0, "down": 1.9}, 0)
    assert learner.votes() == {"more": 0.0, "up": -1.0, "down": -2.9}
    assert learner.predict_one({"up": -1.0}) == 1
    assert learner.score_one({"up": -1.0}) == learner.weight("up") * -1.0 == 1.7976931348623157e308
    assert learner.predict_one({"up": -1.0, "down": 1.0}) == 0  # exp(2610) outweighs exp(900)
    assert learner.predict_one({"up": -1.0, "down": 1e-300}) == 0
    assert learner.predict_one({"up": 1e-300, "more": 1.0}) == 0
    assert learner.score_one({"more": 5.0}) == 0.0
    assert "1.797693e+308*down" in str(learner.hypothesis)
    assert learner.predict_many([[0.0], [1.0]], names=["new"]).tolist() == [0, 0]


def csr(entries: list[tuple[int, float]], width: int) -> Any:
    """One row with these entries in this order, zeros and all."""
    columns, data = np.array([column for column, _ in entries]), np.array([value for _, value in entries])
    return sp.csr_matrix((data, columns, [0, len(entries)]), shape=(1, width))


@pytest.mark.kernel
def test_huge_values_and_zeros_of_weights_beyond_the_doubles() -> None:
    learner = mb.BalancedWinnow(eta=900.0, thickness=0, bias=False, labels=(0, 1))
    learner.learn_one([1.0, 1.0, 1.0, 1.0, 1.0, 0.0], 1)
    learner.learn_one([0.0, 0.0, 0.0, 0.0, 0.0, 3.0], 1)
    big = [1.7e308, 1.7e308, -1.6e308, -1.6e308, -1.6e308]  # halfway the sum is infinite
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 3, 1, 4]):
        assert learner.predict_many(csr([(j, big[j]) for j in order], 6)).tolist() == [0]
        assert learner.predict_many(csr([(j, -big[j]) for j in order], 6)).tolist() == [1]
    assert learner.predict_many(csr([(5, 0.0), (0, 1.0)], 6)).tolist() == [1]  # exp(2700) times 0 scales nothing


@pytest.mark.kernel
def test_a_sum_is_taken_in_the_order_of_keys() -> None:
    """1e17 + 1 - 1e17 is 0 in ascending order and 1 in another."""
    learner = mb.BalancedWinnow(eta=0.5, thickness=0, bias=False, labels=(0, 1))
    learner.learn_one([1.0, 1.0, 1.0], 1)
    x = [1e17, 1.0, -1e17]
    for order in permutations(range(3)):
        row = csr([(j, x[j]) for j in order], 3)
        assert (learner.predict_many(row).tolist(), learner.score_many(row).tolist()) == ([0], [0.0])
        assert learner.copy().learn_many(row, [0]).tolist() == [0]


@pytest.mark.kernel
def test_what_the_thickness_asks_is_decided_in_the_order_of_keys() -> None:
    """All votes are 1, so that every row of positive values has a lead of tanh(eta): rounding alone decides."""
    draw, ways = Random(4), set()
    for _ in range(60):
        values = [draw.uniform(0.1, 3.0) for _ in range(5)]
        after = []
        for order in ([0, 1, 2, 3, 4], draw.sample(range(5), 5)):
            learner = mb.BalancedWinnow(eta=0.5, thickness=tanh(0.5), bias=False, labels=(0, 1))
            learner.learn_one([1.0] * 5, 1)
            learner.learn_many(csr([(j, values[j]) for j in order], 5), [1])
            after.append(learner.votes())
        assert after[0] == after[1]
        ways.add(after[0]["1"] == 1.0)
    assert ways == {True, False}


@pytest.mark.kernel
def test_votes_that_would_leave_the_doubles_refuse_the_row() -> None:
    """At the second vote for a, eta * votes would be 2e308."""
    learner = mb.BalancedWinnow(eta=1e308, thickness=0, bias=False, labels=(0, 1))
    learner.learn_one({"a"}, 1)
    learner.learn_one({"b": -1.0}, 1)
    before = learner.hypothesis
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.learn_one({"new": 1.0, "a": 1.0, "b": 2.0}, 1)
    assert learner.hypothesis == before
    assert learner.votes() == {"a": 1.0, "b": -1.0}
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        learner.learn_many([[1.0, 0.0], [1.0, 2.0]], [1, 1], names=["a", "b"])
    assert learner.hypothesis == before


@pytest.mark.kernel
@pytest.mark.parametrize("bias", [False, True])
def test_thickness_updates_without_a_mistake(bias: bool) -> None:
    """(exp(z) - exp(-z)) / (exp(z) + exp(-z)) = tanh(z): one attribute stops at the first z with tanh(z) >= 0.5.

    The bias does as the attribute, and doubles both sums.
    """
    learner = mb.BalancedWinnow(eta=0.2, thickness=0.5, bias=bias, labels=(0, 1))
    said = [learner.learn_one({"a"}, 1) for _ in range(10)]
    assert said == [0] + [1] * 9
    assert learner.votes() == {"a": 3.0}  # tanh(0.4) < 0.5 <= tanh(0.6)
    assert learner.facts()["_extra"] == 2.0
    assert not learner.conservative
    assert mb.BalancedWinnow(thickness=0).conservative


def test_forged_files_are_refused() -> None:
    learner = mb.BalancedWinnow()
    learner.learn_one({"a", "b"}, 1)
    header, arrays = learner._header(), learner._all_arrays()
    for name, place, value in (
        ("votes", 0, inf), ("scalars", 0, inf), ("scalars", 1, -1.0), ("scalars", 2, -1.0), ("scalars", 3, -1.0),
    ):  # fmt: skip
        forged = _copied(arrays)
        forged[name][place] = value
        with pytest.raises(ValueError):
            mb.BalancedWinnow.restore(header, forged)
    short = _copied(arrays)
    short["votes"].pop()
    with pytest.raises(ValueError, match="each attribute"):
        mb.BalancedWinnow.restore(header, short)


def _copied(arrays: dict[str, Any]) -> dict[str, Any]:
    from mistakebound.core.model_file import as_array

    return {name: as_array(values) for name, values in arrays.items()}


def test_reads_well() -> None:
    learner = mb.BalancedWinnow(eta=0.5, thickness=0)
    for x, label in (({"free", "now"}, 1), ({"now", "lunch"}, 0), ({"free"}, 1), ({"lunch"}, 1)):
        learner.learn_one(x, label)
    assert learner.top(1) == [("free", pytest.approx(exp(0.5) - exp(-0.5)))]
    lines = mb.inspection.explain_one(learner, {"free": 2.0, "lunch": 1.0}).lines()
    assert lines[0] == f"{learner.score_one({'free': 2.0, 'lunch': 1.0}):.7g} > 0: predicts 1"
    assert "free" in str(learner.hypothesis)


@pytest.mark.kernel
def test_a_zero_in_a_row_hides_no_other_weight() -> None:
    """Where weights leave the doubles a row is divided by its largest one, and a value of 0 has none."""
    learner = mb.BalancedWinnow(eta=1.0, thickness=0.0, bias=False)
    learner.learn_one({"far": 2000.0}, 1)
    learner.learn_one({"near": 800.0}, 1)
    for row in ([0, 1], [1, 0], [1]):
        X = sp.csr_array(([float(j == 1) for j in row], row, [0, len(row)]), shape=(1, 2))
        assert learner.predict_many(X, names=["far", "near"]).tolist() == [1]
        assert learner.score_many(X, names=["far", "near"]).tolist() == [float_info.max]


def test_before_the_first_update_hindsight_says_why_it_is_silent() -> None:
    learner = mb.BalancedWinnow(eta=3.0)
    assert (
        "in hindsight: it depends on the updates, and no update was made yet"
        in learner.bound(margin=0.1, n=9, largest=1).failed
    )
    learner.learn_one({"a"}, 1)
    assert learner.bound(margin=0.1, n=9, largest=1).theorem.hindsight
