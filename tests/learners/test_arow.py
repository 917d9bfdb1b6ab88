"""AROW: the twin agrees bit for bit, the full form is ridge regression, and the bounds hold on any stream."""

from __future__ import annotations

from itertools import permutations
from math import inf, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import mistakebound as mb
from learners.play import provoke, rows
from mistakebound.core.model_file import as_array
from naive.arow import BIAS, ExactArow, NaiveArow

names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775807", "9223372036854775808"])
values = st.sampled_from([1.0, 1.0, -1.0, 0.1, 0.2, -0.3, 1e-9, 1e6, 7.7, 0.0])
trials = st.lists(st.tuples(st.dictionaries(names, values, max_size=8), st.sampled_from([0, 1])), max_size=25)
FORMS = ["diagonal", "full"]


@pytest.mark.kernel
@pytest.mark.parametrize("covariance", FORMS)
@given(st.sampled_from([1.0, 0.1, 3.7]), st.booleans(), trials)
def test_twin_agrees_bit_for_bit(covariance: str, r: float, bias: bool, played: Any) -> None:
    learner, twin = mb.AROW(r=r, covariance=covariance, bias=bias, labels=(0, 1)), NaiveArow(r, covariance, bias)
    for x, label in played:
        assert learner.score_one(x) == twin.score(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        assert learner.weights() | {BIAS: learner.bias} == twin.w
        assert list(learner.weights()) == list(twin.w)[1:]
        for name in learner.weights():
            assert learner.variance(name) == twin.variance(name)


@pytest.mark.kernel
@pytest.mark.parametrize("size", [1.0, 1e4, 1e8, 1e15, 1e60])
def test_full_loses_no_digits_to_large_values(size: float) -> None:
    """Differences of the covariance itself have none left at 1e8, and the weights leave the doubles soon after."""
    draw, learner, exact = Random(2), mb.AROW(covariance="full"), ExactArow(1.0, 4)
    for _ in range(25):
        x = [draw.choice([1.0, 2.0, 3.0]) * size, float(draw.randrange(1, 3)), draw.random()]
        assert learner.score_one(x) == pytest.approx(float(exact.score([*x, 1.0])), abs=1e-12)
        label = draw.randrange(2)
        learner.learn_one(x, label)
        exact.learn([*x, 1.0], label)
        learner = learner.copy()
    assert learner.variance("1") == pytest.approx(float(exact.covariance[0][0]), rel=1e-12)
    assert [*learner.weights().values(), learner.bias] == pytest.approx([float(w) for w in exact.w], rel=1e-9)


def extended(rows: np.ndarray, bias: bool) -> np.ndarray:
    return np.hstack([rows, np.full((len(rows), 1), float(bias))])


def played(learner: Any, rows: np.ndarray, labels: np.ndarray) -> tuple[int, np.ndarray]:
    """The mistakes, and which rows led to an update."""
    updates, mistakes = [], 0
    for x, label in zip(rows, labels, strict=True):
        updates.append((2 * label - 1) * learner.score_one(x) < 1.0)
        mistakes += int(learner.learn_one(x, int(label)) != label)
    return mistakes, np.array(updates)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("r", [0.3, 1.0, 10.0])
def test_full_is_ridge_regression_on_the_updates(r: float, bias: bool) -> None:
    draw = np.random.default_rng(3)
    rows, labels = draw.normal(size=(200, 6)).round(2), draw.integers(0, 2, 200)
    learner = mb.AROW(r=r, covariance="full", bias=bias)
    _, updates = played(learner, rows, labels)
    X, y = extended(rows, bias)[updates], 2.0 * labels[updates] - 1
    precision = np.eye(7) + X.T @ X / r
    expected = np.linalg.solve(precision, X.T @ y / r)
    assert [*learner.weights().values(), learner.bias] == pytest.approx(expected.tolist(), rel=1e-9)
    covariance = np.linalg.inv(precision)
    assert [learner.variance(str(j)) for j in range(1, 7)] == pytest.approx(np.diag(covariance)[:6].tolist())
    facts = learner.all_facts({"norm": 1.0})
    assert facts["_log_det"] == pytest.approx(np.linalg.slogdet(precision)[1])
    s = X.T @ y
    assert facts["_length"] == pytest.approx(np.linalg.norm(s))
    assert facts["_energy"] == pytest.approx(s @ np.linalg.solve(r * precision, s))


points = st.lists(
    st.tuples(st.lists(st.integers(-4, 4), min_size=3, max_size=3), st.integers(0, 1)), min_size=1, max_size=40
)
vectors = st.lists(st.floats(-3, 3), min_size=4, max_size=4)


@pytest.mark.parametrize("covariance", FORMS)
@given(points, vectors, st.sampled_from([0.1, 1.0, 20.0]), st.booleans(), st.booleans())
def test_bounds_hold_for_every_vector(
    covariance: str, given_points: Any, vector: list[float], r: float, bias: bool, obedient: bool
) -> None:
    """Whatever the labels (obedient ones are those of u): no theorem is passed for any u."""
    rows = np.array([point for point, _ in given_points] * 2, dtype=float)
    u = np.array(vector if bias else [*vector[:3], 0.0])
    X = extended(rows, bias)
    labels = np.array([label for _, label in given_points] * 2)
    labels = (X @ u > 0).astype(int) if obedient else labels
    learner = mb.AROW(r=r, covariance=covariance, bias=bias)
    mistakes, updates = played(learner, rows, labels)
    if not updates.any():
        return
    margins = (2 * labels[updates] - 1) * (X[updates] @ u)
    if covariance == "full":
        spread = float((margins**2).sum())
    else:
        spread = float(((X[updates] * u) ** 2).sum())
    told = {"norm": float(np.linalg.norm(u)), "loss": float(np.maximum(0, 1 - margins).sum()), "spread": spread}
    facts = learner.all_facts(told)
    if not X[updates].any():  # an update by a row of zeros changes nothing, and little is claimed of it
        bound = learner.bound(**told)
        assert bound.value is None or bound.allows(mistakes)
        return
    assert facts["_extra"] == updates.sum() - mistakes
    values = {}
    for theorem in learner.theorems:
        bound = theorem.bound(facts)
        if bound.value is not None:
            values[theorem.name] = bound.value
            assert bound.allows(mistakes), (bound, mistakes)
    assert len(values) == (3 if covariance == "full" else 2)
    if covariance == "full":
        assert values["the AROW theorem"] <= values["the AROW theorem with a determinant"] + 1e-9


@pytest.mark.parametrize("covariance", FORMS)
def test_bounds_are_met(covariance: str) -> None:
    """Orthonormal instances: u = the sum of them has |u|^2 = spread = d, and each is a mistake."""
    for d in (1, 2, 5, 9):
        learner = mb.AROW(r=0.5, covariance=covariance, bias=False)
        mistakes = sum(learner.learn_one({str(j)}, 1) != 1 for j in range(d))
        facts = learner.all_facts({"norm": sqrt(d), "spread": d})
        values = {theorem.name: theorem.bound(facts).value for theorem in learner.theorems}
        assert mistakes == d == pytest.approx(values["the sum of the updates"])
        assert values["the AROW theorem"] == pytest.approx(d)
        assert learner.bound(margin=1 / sqrt(d)).mistakes == d


def test_one_attribute_a_row_makes_the_diagonal_full() -> None:
    """Nothing is off the diagonal then: the determinant bounds the energy of the diagonal too."""
    draw = np.random.default_rng(5)
    diagonal, full = (mb.AROW(covariance=form, bias=False) for form in FORMS)
    for _ in range(300):
        x, label = {str(draw.integers(1, 9)): float(draw.integers(1, 4))}, int(draw.integers(0, 2))
        assert abs(diagonal.score_one(x) - full.score_one(x)) < 1e-9
        diagonal.learn_one(x, label)
        full.learn_one(x, label)
    assert list(diagonal.weights().values()) == pytest.approx(list(full.weights().values()), abs=1e-9)
    one, other = (learner.all_facts({"norm": 1.0}) for learner in (diagonal, full))
    assert one["_energy"] == pytest.approx(other["_energy"], rel=1e-9)
    assert one["_energy"] <= other["_log_det"] + one["_extra"]


def test_a_loss_that_is_left_out_refutes_the_target() -> None:
    """Labels at random have no u with a small loss; told that there is one, the ledger says no."""
    draw = np.random.default_rng(2)
    rows, labels = draw.integers(0, 2, (400, 6)).astype(float), draw.integers(0, 2, 400)
    learner = mb.AROW(covariance="full")
    mistakes, updates = played(learner, rows, labels)
    assert not learner.bound(norm=1.0, spread=10.0).allows(mistakes)
    assert learner.bound(norm=1.0, spread=10.0, loss=float(2 * updates.sum())).allows(mistakes)


def test_a_disjunction_has_a_norm() -> None:
    learner = mb.AROW()
    ledger = provoke(learner, lambda x: bool(x & {"1", "2"}), rows(Random(1), 12, 800), {"k": 2})
    assert 0 < ledger.mistakes <= ledger.bound.value == pytest.approx(float(learner.bound(norm=3)))
    assert mb.AROW(bias=False).all_facts({"k": 2}).get("norm") is None


def test_before_the_first_update_and_after_a_start() -> None:
    learner = mb.AROW()
    assert "no update was made yet" in learner.bound(norm=1).failed
    assert learner.start() == {}
    learner.learn_one({"a"}, 1)
    assert learner.bound(norm=2, loss=1).value == pytest.approx(2 * sqrt(2) + 1)
    assert "learned before" in learner.bound_since(learner.start(), {"norm": 1}).failed
    assert "norm must be given" in learner.bound().failed
    with pytest.raises(mb.BadParameter, match="radius is not a fact that arow can use"):
        learner.bound(radius=1)


@pytest.mark.kernel
@pytest.mark.parametrize("covariance", FORMS)
@given(trials, st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(covariance: str, given_trials: Any, draw: Any) -> None:
    one, other = (mb.AROW(covariance=covariance) for _ in range(2))
    for x, label in given_trials:
        entries = list(x.items())
        draw.shuffle(entries)
        assert one.score_one(x) == other.score_one(dict(entries))
        assert one.learn_one(x, label) == other.learn_one(dict(entries), label)
    assert one.hypothesis == other.hypothesis


@pytest.mark.kernel
@pytest.mark.parametrize("covariance", FORMS)
def test_sums_are_taken_in_the_order_of_keys(covariance: str) -> None:
    """Rows whose score is 1 but for rounding, which decides whether there is an update; and 1e17 + 1 - 1e17."""
    draw, ways = Random(4), set()
    for _ in range(40):
        values = [draw.uniform(0.1, 3.0) for _ in range(5)]
        after = []
        for order in ([0, 1, 2, 3, 4], draw.sample(range(5), 5)):
            learner = mb.AROW(covariance=covariance, bias=False, labels=(0, 1))
            learner.learn_one([1.0] * 5, 1)
            before, size = learner.weights(), learner.score_one(values)
            row = (np.array([values[j] / size for j in order]), np.array(order), [0, 5])
            learner.learn_many(csr_matrix(row, shape=(1, 5)), [1])
            after.append(learner.weights())
        assert after[0] == after[1]
        ways.add(after[0] == before)
    assert ways == {True, False}
    learner = mb.AROW(covariance=covariance, bias=False, labels=(0, 1))
    learner.learn_one([1.0] * 3, 1)
    for order in permutations(range(3)):
        row = (np.array([[1e17, 1.0, -1e17][j] for j in order]), np.array(order), [0, 3])
        assert learner.predict_many(csr_matrix(row, shape=(1, 3))).tolist() == [0]


@pytest.mark.kernel
@pytest.mark.parametrize("covariance", FORMS)
def test_overflow_leaves_no_trace(covariance: str) -> None:
    learner = mb.AROW(covariance=covariance, bias=False)
    learner.learn_one({"a": 2.0}, 1)
    before, variance = learner.hypothesis, learner.variance("a")
    for x in ({"new": 1.0, "a": -1e200}, {"a": -1e308, "b": 1e308}):
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.learn_one(x, 1)
        assert learner.hypothesis == before
        assert (learner.attributes.names(), learner.variance("a")) == (["a"], variance)
    learner.learn_one({"b": 1.0}, 0)  # where `new` would have been
    assert learner.weights() == {"a": 0.4, "b": -0.5}
    again = mb.AROW(r=1e-300, covariance=covariance, bias=False)
    again.learn_one({"a": 1e-4}, 1)
    assert again.predict_one({"a": 1.0}) == 1
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        again.predict_many([[1.0], [1e306]], names=["a"])


@pytest.mark.kernel
@pytest.mark.parametrize("covariance", FORMS)
def test_attributes_of_a_refused_row_are_forgotten(covariance: str) -> None:
    """They are numbered anew when they come in another order."""
    refused, clean = (mb.AROW(covariance=covariance) for _ in range(2))
    with pytest.raises(mb.BadData):
        refused.learn_one({"1": 1e200, "5": 1.0, "9": 1.0}, 1)
    for x, label in (({"9": 1.0}, 1), ({"9": 1.0, "5": 2.0}, 0), ({"1": 1.0}, 1), ({"1": 3.0, "9": 1.0}, 0)):
        assert refused.learn_one(x, label) == clean.learn_one(x, label)
    assert {name: bytes(numbers) for name, numbers in refused._all_arrays().items()} == {
        name: bytes(numbers) for name, numbers in clean._all_arrays().items()
    }
    assert refused.hypothesis == clean.hypothesis


@pytest.mark.kernel
def test_the_full_covariance_has_a_limit_and_says_so() -> None:
    learner = mb.AROW(covariance="full")
    for first in range(0, 500, 100):
        learner.learn_one({str(j) for j in range(first, first + 100)}, first // 100 % 2)
    before = {name: bytes(numbers) for name, numbers in learner._arrays().items()}
    with pytest.raises(mb.BadData, match="500 attributes at most, and this row has another: covariance = diagonal"):
        learner.learn_one({"1", "another"}, 1)
    assert {name: bytes(numbers) for name, numbers in learner._arrays().items()} == before
    assert len(learner.attributes) == 500
    assert learner.predict_one({"never", "seen"}) == learner.predict_one(set())
    assert learner.learn_one({"499"}, 1) in (0, 1)
    X = np.zeros((2, 2))
    X[0, 0] = X[1, 1] = 1.0
    with pytest.raises(mb.BadData, match=r"row 1: .*500 attributes"):
        learner.learn_many(X, [1, 1], names=["7", "seven"])


@pytest.mark.parametrize("covariance", FORMS)
def test_forged_files_are_refused(covariance: str) -> None:
    learner = mb.AROW(covariance=covariance)
    learner.learn_one({"a": 1.0, "b": -2.0}, 1)
    header, arrays = learner._header(), learner._all_arrays()
    matrix = "spent" if covariance == "diagonal" else "factors"
    extra = 3 if covariance == "diagonal" else 0
    for name, place, value in (
        ("weights", 0, inf), ("sums", 1, -inf), (matrix, 0, -1.0), (matrix, 0, inf), ("scalars", extra, -1.0),
        ("scalars", -1, -1.0), ("scalars", 1, inf),
    ):  # fmt: skip
        forged = {key: as_array(numbers) for key, numbers in arrays.items()}
        forged[name][place] = value
        with pytest.raises(ValueError):
            mb.AROW.restore(header, forged)
    for name in ("weights", "sums", matrix, "scalars"):
        forged = {key: as_array(numbers) for key, numbers in arrays.items()}
        forged[name].pop()
        with pytest.raises(ValueError):
            mb.AROW.restore(header, forged)


@pytest.mark.parametrize("covariance", FORMS)
def test_the_same_weights_with_other_variances_are_another_state(covariance: str) -> None:
    """The search for the worst case takes learners with equal forms for one and the same."""
    learner = mb.AROW(covariance=covariance)
    learner.learn_one({"a": 1.0, "b": -2.0}, 1)
    arrays = {key: as_array(numbers) for key, numbers in learner._all_arrays().items()}
    arrays["spent" if covariance == "diagonal" else "factors"][-1] += 0.25
    other = mb.AROW.restore(learner._header(), arrays)
    assert other.weights() == learner.weights()
    assert other.hypothesis != learner.hypothesis == learner.copy().hypothesis
    one, two = (mb.AROW(covariance=covariance) for _ in range(2))
    for x in ({"a": 1.0}, {"b": 1.0}):
        one.learn_one(x, 1)
    for x in ({"a": 1.0}, {"c": 0.0, "b": 1.0}):
        two.learn_one(x, 1)
    assert one.hypothesis == two.hypothesis


def test_rare_attributes_move_further() -> None:
    learner = mb.AROW(bias=False)
    for _ in range(20):
        learner.learn_one({"often"}, 1)
        learner.learn_one({"often"}, 0)
    learner.learn_one({"often", "rare"}, 1)
    assert abs(learner.weight("rare")) > 10 * abs(learner.weight("often"))
    assert learner.variance("often") < 0.1 < learner.variance("rare")


def test_reads_well() -> None:
    learner = mb.AROW()
    for x, label in (({"free", "now"}, 1), ({"now", "lunch"}, 0), ({"free"}, 1)):
        learner.learn_one(x, label)
    assert learner.top(1)[0][0] == "free"
    lines = mb.inspection.explain_one(learner, {"free": 1.0, "lunch": 2.0}).lines()
    assert lines[0].endswith("predicts 0")
    assert "the bias" in lines[-2]
    assert "*free + -0." in str(learner.hypothesis)


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_very_large_values_leave_a_model_that_can_be_loaded(covariance: str, tmp_path: Path) -> None:
    """1 - x^2/(x^2 + 1) is 0 in doubles, or below by a rounding."""
    learner = mb.AROW(covariance=covariance)
    for x, y in (({}, 1), ({"a": -1e12, "b": 7e7}, 1), ({"b": 1e5}, 0), ({"a": 1e9}, 1)):
        learner.learn_one(x, y)
        learner.save(tmp_path / "m.mb")
        again = mb.load(tmp_path / "m.mb").learner
        assert [again.variance(name) for name in "ab"] == [learner.variance(name) for name in "ab"]


@pytest.mark.parametrize("covariance", FORMS)
def test_updates_that_cancel_are_updates(covariance: str) -> None:
    learner = mb.AROW(covariance=covariance, bias=False)
    for label in (1, 0, 1, 0):
        learner.learn_one([1, 1, 1], label)
    bound = learner.bound(norm=0, spread=0, loss=4)
    assert bound.value == 4.0  # u = 0 loses 1 at each
