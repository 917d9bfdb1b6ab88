"""A sigmoid unit by squared error and by likelihood."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

import mistakebound as mb
from naive.network import Network as Naive


def test_one_step_by_hand() -> None:
    """All weights 0: o = 1/2 for both rows, t - o = 1/2 and -1/2, the sum of (t - o) x is (0, 1/2 * 3 - 1/2 * 1)."""
    X, y = [[3.0], [1.0]], [1, 0]
    squared = mb.learners.SigmoidUnit("squared", eta=0.4, start=0.0).fit(X, y, epochs=1)
    assert squared.weights[0][0] == pytest.approx([0.0, 0.4 * 1.0 * 0.25], abs=1e-15)  # times o (1 - o)
    likely = mb.learners.SigmoidUnit("likelihood", eta=0.4, start=0.0).fit(X, y, epochs=1)
    assert likely.weights[0][0] == pytest.approx([0.0, 0.4], abs=1e-15)
    assert squared.curve[0].loss == pytest.approx(0.125)
    assert likely.curve[0].loss == pytest.approx(log(2))


@pytest.mark.parametrize("loss", ["squared", "likelihood"])
@pytest.mark.parametrize("rule", ["gradient", "stochastic"])
def test_twin_agrees(loss: str, rule: str) -> None:
    draw = np.random.default_rng(4)
    X, y = draw.normal(size=(10, 3)), draw.integers(0, 2, 10)
    unit = mb.learners.SigmoidUnit(loss, rule, eta=0.2, start=0.0).fit(X, y, epochs=4)
    twin = Naive([[[0.0] * 4]], 0.2, loss=loss)
    for _ in range(4):
        start = [list(twin.weights[0][0])]
        moves = []
        for x, t in zip(X.tolist(), y.tolist(), strict=True):
            if rule == "gradient":  # every example from the same weights, the moves together
                twin.weights = [[list(start[0])]]
            twin.learn(x, [float(t)])
            moves.append(np.array(twin.weights[0][0]) - start[0])
        if rule == "gradient":
            twin.weights = [[(np.array(start[0]) + sum(moves)).tolist()]]
    assert unit.weights[0][0] == pytest.approx(twin.weights[0][0], abs=1e-12)


def test_likelihood_finds_the_maximum() -> None:
    """The gradient, the sum of (t - h) x, vanishes there: sums of outputs are sums of labels."""
    draw = np.random.default_rng(5)
    X = draw.normal(size=(40, 2))
    y = (X[:, 0] + draw.normal(size=40) > 0).astype(int)
    unit = mb.learners.SigmoidUnit("likelihood", eta=0.1).fit(X, y, epochs=3000)
    gap = y - unit.outputs(X)[:, 0]
    assert gap.sum() == pytest.approx(0, abs=1e-6)
    assert X.T @ gap == pytest.approx([0, 0], abs=1e-6)


def test_shares_as_targets_and_labels_as_targets() -> None:
    X = [[0.0], [1.0], [2.0]]
    unit = mb.learners.SigmoidUnit("likelihood", eta=0.5).fit(X, [[0.2], [0.5], [0.8]], epochs=2000)
    assert unit.predict_many(X)[:, 0] == pytest.approx([0.2, 0.5, 0.8], abs=0.02)
    named = mb.learners.SigmoidUnit(rule="stochastic", eta=0.5).fit(X, ["low", "low", "top"], epochs=500)
    assert named.predict_many(X).tolist() == ["low", "low", "top"]
    assert named.classes == ("low", "top")
    with pytest.raises(mb.BadData, match=r"row 1: y must be between 0 and 1 where the loss is likelihood: \[1.5\]"):
        mb.learners.SigmoidUnit("likelihood").fit(X, [[0.2], [1.5], [0.8]])
    with pytest.raises(mb.BadData, match=r"^a single unit has one output: a target has 2$"):
        mb.learners.SigmoidUnit().fit(X, [[0.2, 0.1]] * 3)
    with pytest.raises(mb.BadData, match=r"^a single unit tells two classes apart: there are 3$"):
        mb.learners.SigmoidUnit().fit(X, ["a", "b", "c"])
    with pytest.raises(mb.BadData, match="there must be at least two classes: 'a'"):
        mb.learners.SigmoidUnit().fit(X, ["a", "a", "a"])
