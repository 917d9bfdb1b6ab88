"""The perceptron training rule, gradient descent on the squared error, and its stochastic form."""

from __future__ import annotations

import re
from itertools import pairwise
from math import fsum, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.learners import LinearUnit
from naive.network import Network as Naive

GRID = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=2)


@given(st.lists(st.tuples(GRID, st.sampled_from([-1, 1])), min_size=1, max_size=30))
def test_the_rule_is_the_perceptron_with_twice_the_rate(examples: list[tuple[list[float], int]]) -> None:
    """t - o = ±2 at a mistake: the rule is the perceptron with 2 eta."""
    unit, perceptron = (
        mb.learners.LinearUnit("perceptron", eta=0.5, classes=(-1, 1)),
        mb.Perceptron(eta=1.0, labels=(-1, 1)),
    )
    for x, y in examples:
        assert unit.learn_one(x, y) == perceptron.learn_one(x, y)
    weights = perceptron.weights()
    assert unit.weights[0][0].tolist() == [perceptron.bias, weights.get("1", 0.0), weights.get("2", 0.0)]


def test_one_step_of_each_rule_by_hand() -> None:
    unit = LinearUnit("perceptron", eta=0.25, classes=("no", "yes"))
    assert unit.learn_one([2.0, -1.0], "yes") == "no"  # o = -1: every weight moves by 0.25 * 2 * x
    assert unit.weights[0][0].tolist() == [0.5, 1.0, -0.5]
    assert unit.learn_one([2.0, -1.0], "yes") == "yes"
    assert unit.weights[0][0].tolist() == [0.5, 1.0, -0.5]
    # Two examples, o = 0: the sum of (t - o) x is 1 * (1, 1) + 3 * (1, 2) = (4, 7).
    batch = LinearUnit("gradient", eta=0.5).fit([[1.0], [2.0]], [1.0, 3.0], epochs=1)
    assert batch.weights[0][0].tolist() == [2.0, 3.5]
    # One after the other: (1, 1) * 0.5, then t - o = 3 - 1.5 = 1.5 on (1, 2).
    stochastic = LinearUnit("stochastic", eta=0.5).fit([[1.0], [2.0]], [1.0, 3.0], epochs=1)
    assert stochastic.weights[0][0].tolist() == [1.25, 2.0]


def test_gradient_descent_finds_the_least_squares() -> None:
    draw = np.random.default_rng(1)
    X, y = draw.normal(size=(30, 3)), draw.normal(size=30)
    best = np.linalg.lstsq(np.hstack([np.ones((30, 1)), X]), y, rcond=None)[0]
    unit = LinearUnit("gradient", eta=0.02).fit(X, y, epochs=2000)
    assert unit.weights[0][0] == pytest.approx(best, abs=1e-9)
    losses = [epoch.loss for epoch in unit.curve]
    assert all(b <= a + 1e-12 for a, b in pairwise(losses))
    assert unit.predict_many(X) == pytest.approx(np.hstack([np.ones((30, 1)), X]) @ best, abs=1e-8)


def test_the_stochastic_form_comes_as_near_as_one_likes() -> None:
    """ "SGD can approximate batch GD arbitrarily closely if eta is sufficiently small": the gap shrinks with eta."""
    draw = np.random.default_rng(2)
    X, y = draw.normal(size=(20, 2)), draw.normal(size=20)
    gaps = []
    for eta, epochs in ((0.01, 10), (0.001, 100), (0.0001, 1000)):
        both = [LinearUnit(rule, eta=eta).fit(X, y, epochs=epochs).weights[0][0] for rule in ("gradient", "stochastic")]
        gaps.append(float(np.abs(both[0] - both[1]).max()))
    assert gaps[1] < gaps[0] / 5
    assert gaps[2] < gaps[1] / 5


def test_twin_agrees() -> None:
    draw = np.random.default_rng(3)
    X, y = draw.normal(size=(12, 4)), draw.normal(size=12)
    twin = Naive([[[0.0] * 5]], 0.05, output="linear")
    for _ in range(3):
        for x, t in zip(X.tolist(), y.tolist(), strict=True):
            twin.learn(x, [t])
    assert LinearUnit("stochastic", eta=0.05).fit(X, y, epochs=3).weights[0][0] == pytest.approx(twin.weights[0][0])


def test_the_bound_holds_and_the_ledger_counts() -> None:
    X, y = _apart(200, 0.2)
    margin, radius = 0.2 / np.sqrt(1.25), np.sqrt(3.0)
    unit = LinearUnit("perceptron", eta=0.3, classes=(-1, 1))
    ledger = mb.play(unit, [*zip(X, y, strict=True)] * 20, assume={"margin": margin, "radius": radius})
    assert ledger.verdict.kind == "within"
    assert 0 < ledger.mistakes <= ledger.bound.value
    started = LinearUnit("perceptron", eta=0.3, start=0.5, classes=(-1, 1))
    started.learn_one(X[0], y[0])
    bound = started.bound_since(started.start(), {"margin": margin, "radius": radius})
    assert bound.theorem is not None
    assert bound.theorem.name == "the perceptron theorem from a start w0"
    assert "the rule is the perceptron's fails" in str(LinearUnit("stochastic").bound(margin=1, radius=1))


def _apart(rows: int, gap: float) -> tuple[list[list[float]], list[int]]:
    """Points of [-1, 1]^2 at least `gap` from the line x1 + x2/2 = 0, times the length of (1, 1/2)."""
    draw, X, y = np.random.default_rng(5), [], []
    while len(X) < rows:
        x = draw.uniform(-1, 1, 2)
        side = x[0] + x[1] / 2
        if abs(side) >= gap:
            X.append(x.tolist())
            y.append(1 if side > 0 else -1)
    return X, y


def test_the_textbooks_classes_where_none_are_declared() -> None:
    X, y = _apart(60, 0.1)
    ledger = mb.play(LinearUnit("perceptron"), (X, y))
    assert (ledger.mistakes, ledger.abstentions) == (mb.play(mb.Perceptron(), (X, y)).mistakes, 0)
    with pytest.raises(mb.BadData, match=r"label 0 is not one of -1, 1; classes=\.\.\. declares others"):
        LinearUnit("perceptron").learn_one([1.0], 0)
    unit = mb.learners.SigmoidUnit(rule="stochastic")
    assert unit.predict_one([1.0]) in (0, 1)
    unit.learn_one([1.0], 1)
    assert unit.classes == (0, 1)


@pytest.mark.parametrize("y", ["a", None, nan, [1.0, 2.0], [[1.0]]])
def test_bad_targets_one_by_one(y: object) -> None:
    unit = LinearUnit("stochastic")
    unit.learn_one([1.0], 1.0)
    before = unit.hypothesis
    with pytest.raises(mb.BadData, match=r"y must have|y must be"):
        unit.learn_one([1.0], y)
    assert unit.hypothesis == before
    with pytest.raises(mb.BadData):
        LinearUnit("perceptron").learn_one([1.0], y)


def test_fit_stops_when_there_is_no_mistake_left() -> None:
    X, y = _apart(50, 0.1)
    unit = LinearUnit("perceptron").fit(X, y, epochs=10_000)
    assert unit.stopped == "no mistake"
    assert unit.predict_many(X).tolist() == y
    assert unit.curve[-1].loss == 0
    assert len(unit.curve) < 10_000


@pytest.mark.parametrize("rule", ["gradient", "stochastic"])
def test_divergence_is_told_and_the_last_good_weights_stay(rule: str) -> None:
    X, y = [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0]
    unit = LinearUnit(rule, eta=40.0)
    with pytest.raises(mb.errors.Diverged, match=r"is no longer finite at step [\d,]+ with eta = 40: ") as caught:
        unit.fit(X, y, epochs=5000)
    step = int(re.search(r"step ([\d,]+)", str(caught.value)).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert np.isfinite(unit.weights[0]).all()
    assert unit.stopped == "diverged"
    # The weights are those after the step before, and one step more is too far.
    twin = Naive([[[0.0, 0.0]]], 40.0, output="linear")
    for k in range(step - 1):
        if rule == "stochastic":
            twin.learn(X[k % 3], [y[k % 3]])
        else:
            errors = [t - twin.values(x)[-1][0] for x, t in zip(X, y, strict=True)]
            for i in range(2):
                twin.weights[0][0][i] += 40.0 * fsum(e * [1.0, *x][i] for e, x in zip(errors, X, strict=True))
    assert unit.weights[0][0] == pytest.approx(twin.weights[0][0], rel=1e-9)


def test_learning_one_by_one_diverges_in_the_same_words() -> None:
    unit = LinearUnit("stochastic", eta=1e300)
    unit.learn_one([1.0], 1.0)
    before = unit.weights[0]
    with pytest.raises(mb.errors.Diverged, match=r"step 2 with eta = 1e\+300"):
        unit.learn_one([1e10], 1.0)
    assert (unit.weights[0] == before).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"eta": 0}, "eta must be a number > 0: 0"),
        ({"rule": "delta"}, "rule must be 'perceptron', 'gradient' or 'stochastic': 'delta'"),
        ({"start": -1}, "start must be a number >= 0: -1"),
        ({"classes": (1, 2, 3)}, "classes must be two labels: (1, 2, 3)"),
        ({"classes": (0, 1), "rule": "gradient"}, "classes must be None where targets are numbers: (0, 1)"),
    ],
)
def test_bad_parameters(given: dict[str, object], message: str) -> None:
    with pytest.raises(mb.BadParameter, match=f"^{re.escape(message)}$"):
        LinearUnit(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [nan]], [1.0, 2.0], "row 1: X must have finite numbers only: nan in column 1"),
        ([[1.0], [2.0]], [1.0, nan], "row 1: y must have finite numbers only: nan in column 1"),
        ([[1.0], [2.0]], ["a", "b"], "y must be one number per row: ['a', 'b']"),
        ([[1.0], [2.0]], [1.0], "X has 2 rows and y 1 labels"),
        ([], [], "X must have rows and columns: it has 1 dimension"),
        (np.zeros((0, 2)), [], "there are no examples to learn from"),
        ([[1.0], [2.0, 3.0]], [1.0, 2.0], "X must be rows of the same number of numbers: [[1.0], [2.0, 3.0]]"),
    ],
)
def test_bad_data(X: object, y: object, message: str) -> None:
    with pytest.raises(mb.BadData, match=f"^{re.escape(message)}$"):
        LinearUnit("gradient").fit(X, y)


def test_a_column_of_signs() -> None:
    """y in two dimensions means the output itself, which is -1 or 1: with other targets the rule would never rest."""
    X, signs = [[0.0], [1.0], [2.0]], [[-1], [-1], [1]]
    unit = LinearUnit("perceptron").fit(X, signs)
    assert unit.stopped == "no mistake"
    assert unit.predict_many(X).tolist() == signs
    for y, message in [
        ([[0], [0], [1]], "row 0: y must be -1 or 1 where it is a column of the unit's outputs: 0"),
        ([[-1, 1]] * 3, "a single unit has one output: a target has 2"),
        (["a", "b", "c"], "a single unit tells two classes apart: there are 3"),
    ]:
        with pytest.raises(mb.BadData, match=f"^{re.escape(message)}$"):
            LinearUnit("perceptron").fit(X, y)


def test_the_batch_rule_does_not_learn_one_by_one() -> None:
    with pytest.raises(mb.BadParameter, match=r"rule must be .* to learn one by one: 'gradient'"):
        LinearUnit("gradient").learn_one([1.0], 1.0)
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        LinearUnit("gradient").predict_many([[1.0]])
