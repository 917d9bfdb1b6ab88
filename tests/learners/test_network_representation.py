"""What networks represent, mini-batches between one row and all, linear layers that collapse, local minima."""

from __future__ import annotations

from math import sin
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.learners import collapse_linear, curve_network, grid_network


@pytest.mark.parametrize("units", [10, 40, 160])
def test_a_curve_with_one_hidden_layer(units: int) -> None:
    """No further from f than f moves within a cell."""
    network = curve_network(sin, 0.0, 6.0, units)
    assert network.shape == (1, units, 1)
    X = np.linspace(0, 6, 501)[:, None]
    errors = np.abs(network.outputs(X)[:, 0] - np.sin(X[:, 0]))
    assert errors.max() <= 1.05 * 6 / units  # the slope of sin is at most 1


def test_any_function_with_two() -> None:
    """A checkerboard of random heights: exact in the middle of each cell, smooth nowhere."""
    draw = Random(1)
    heights = {(i, j): draw.uniform(-5, 5) for i in range(4) for j in range(4)}
    network = grid_network(lambda x, y: heights[int(4 * x), int(4 * y)], [0, 0], [1, 1], 4)
    assert network.shape == (2, 6, 16, 1)
    for (i, j), height in heights.items():
        for dx, dy in [(0.5, 0.5), (0.1, 0.9), (0.9, 0.1)]:
            assert network.outputs([[(i + dx) / 4, (j + dy) / 4]])[0, 0] == pytest.approx(height, abs=1e-6)
    one = grid_network(lambda x: 3.0, [0], [1], 1)
    assert one.outputs([[0.3]])[0, 0] == pytest.approx(3.0)


def test_stacked_linear_units_are_one() -> None:
    draw = np.random.default_rng(0)
    layers = [draw.normal(size=shape) for shape in [(4, 3 + 1), (5, 4 + 1), (2, 5 + 1)]]
    whole = collapse_linear(layers)
    for x in draw.normal(size=(20, 3)):
        o = x
        for weights in layers:
            o = weights[:, 0] + weights[:, 1:] @ o
        assert whole[:, 0] + whole[:, 1:] @ x == pytest.approx(o)
    with pytest.raises(mb.BadParameter, match="a layer must have 5 weights per unit: 3"):
        collapse_linear([layers[0], [[1, 2, 3]]])
    with pytest.raises(mb.BadParameter, match="there must be one layer at least"):
        collapse_linear([])


def data(seed: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(24, 3))
    return X, (X @ [1.0, -2.0, 0.5] + 0.1 * draw.normal(size=24)).tolist()


def naive_mini_batches(X: Any, t: Any, eta: float, epochs: int, size: int) -> Any:
    w = np.zeros(X.shape[1] + 1)
    E = np.column_stack([np.ones(len(X)), X])
    for _ in range(epochs):
        for first in range(0, len(X), size):
            rows = slice(first, first + size)
            w = w + eta * E[rows].T @ (np.array(t)[rows] - E[rows] @ w)
    return w


@pytest.mark.parametrize("size", [1, 5, 8, 24, 100])
def test_mini_batches_like_the_definition(size: int) -> None:
    X, t = data(1)
    for rule in ("gradient", "stochastic"):
        unit = mb.learners.LinearUnit(rule=rule, eta=0.01).fit(X, t, epochs=20, batch_size=size)
        assert unit.weights[0][0] == pytest.approx(naive_mini_batches(X, t, 0.01, 20, size))


def test_the_ends_are_the_two_rules() -> None:
    X, t = data(2)
    incremental = mb.learners.LinearUnit(rule="stochastic", eta=0.01).fit(X, t, epochs=10)
    true = mb.learners.LinearUnit(rule="gradient", eta=0.01).fit(X, t, epochs=10)
    assert incremental.weights[0][0] == pytest.approx(true.copy().fit(X, t, epochs=10, batch_size=1).weights[0][0])
    assert true.weights[0][0] == pytest.approx(incremental.copy().fit(X, t, epochs=10, batch_size=24).weights[0][0])


def test_networks_learn_in_mini_batches() -> None:
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    network = mb.learners.Network([2, 4, 1], eta=0.5, start=1.0, random_state=1).fit(X, y, epochs=4000, batch_size=2)
    assert network.predict_many(X).tolist() == y


def test_what_is_refused() -> None:
    X, t = data(3)
    with pytest.raises(mb.BadParameter, match=r"^batch_size needs gradients"):
        mb.learners.LinearUnit().fit(X, [1 if v > 0 else -1 for v in t], batch_size=2)
    with pytest.raises(mb.BadParameter, match=r"batch_size must be a whole number >= 1: 0"):
        mb.learners.LinearUnit(rule="gradient").fit(X, t, batch_size=0)
    with pytest.raises(mb.BadParameter, match="units must be >= 1"):
        curve_network(sin, 1.0, 0.0, 3)
    with pytest.raises(mb.BadParameter, match="1 to 4096 cells"):
        grid_network(lambda *x: 0.0, [0] * 9, [1] * 9, 4)


def test_local_minima() -> None:
    """Two hidden units on XOR: where training ends depends on where it starts."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    network = mb.learners.Network([2, 2, 1], eta=1.0, momentum=0.9, start=1.0, restarts=12, random_state=0)
    network.fit(X, y, epochs=1500)
    losses = sorted(network.starts)
    assert len(losses) == 12
    assert losses[0] < 0.01
    assert losses[-1] > 10 * losses[0]  # another minimum, or a plateau
