"""The kernel of backpropagation against the textbook, unit by unit; its exponential; what it refuses."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from itertools import pairwise
from math import exp, inf, nan
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import network as kernel
from naive.network import Network

_OUTPUTS = {"sigmoid": kernel.SIGMOID, "linear": kernel.LINEAR, "sign": kernel.SIGN}
_LOSSES = {"squared": kernel.SQUARED, "likelihood": kernel.LIKELIHOOD}


def flat(weights: list[list[list[float]]]) -> array[float]:
    """The kernel's layout: a row an input, the constant's first, a column a unit."""
    return array("d", [unit[i] for layer in weights for i in range(len(layer[0])) for unit in layer])


def draw(
    seed: int, shape: list[int], rows: int, sparse: float = 0.0
) -> tuple[Any, list[list[float]], list[list[float]]]:
    rng = random.Random(seed)
    weights = [[[rng.uniform(-1, 1) for _ in range(n + 1)] for _ in range(m)] for n, m in pairwise(shape)]
    X = [[0.0 if rng.random() < sparse else rng.uniform(-1, 1) for _ in range(shape[0])] for _ in range(rows)]
    T = [[rng.random() for _ in range(shape[-1])] for _ in range(rows)]
    return weights, X, T


def call_of(
    shape: list[int],
    weights: array[float],
    X: list[list[float]],
    T: list[list[float]],
    order: list[int],
    *,
    output: str = "sigmoid",
    loss: str = "squared",
    settings: tuple[float, float, float] = (0.3, 0.0, 0.0),
    ties: list[list[int]] | None = None,
    watch: bool = False,
) -> dict[str, Any]:
    ends, tied = array("q"), array("q")
    for group in ties or []:
        tied.extend(group)
        ends.append(len(tied))
    return {
        "shape": array("q", shape),
        "output": _OUTPUTS[output],
        "loss": _LOSSES[loss],
        "weights": weights,
        "work": array("d", bytes(24 * sum(shape))),
        "steps": array("d", bytes(8 * len(weights))),
        "settings": array("d", settings),
        "ends": ends,
        "tied": tied,
        "gradient": array("d", bytes(8 * len(weights) if ends else 0)),
        "X": array("d", [v for row in X for v in row]),
        "T": array("d", [v for row in T for v in row]),
        "order": array("q", order),
        "watch": watch,
        "losses": array("d", bytes(8 * -(-len(order) // len(X)))),
        "predictions": array("i", [-1] * len(order)),
        "done": array("q", [0, 0]),
    }


def layers_of(call: dict[str, Any]) -> kernel.Layers:
    values = [*call.values()]
    layers = kernel.Layers(*values[:5])
    layers.take_steps(*values[5:10])
    return layers


def called(run: Callable[..., int], call: dict[str, Any]) -> int:
    """What a kernel says of layers and its own arguments, which stand behind them."""
    try:
        return run(layers_of(call), *[*call.values()][10:])
    except AssertionError:
        return kernel.MISFIT


def trained(call: dict[str, Any]) -> int:
    return called(kernel.train, call)


@given(
    shape=st.lists(st.integers(1, 6), min_size=2, max_size=4),
    output=st.sampled_from(["sigmoid", "linear"]),
    loss=st.sampled_from(["squared", "likelihood"]),
    settings=st.sampled_from([(0.3, 0.0, 0.0), (0.1, 0.7, 0.0), (0.2, 0.0, 0.01), (0.1, 0.5, 0.003)]),
    tied=st.booleans(),
    seed=st.integers(0, 999),
)
def test_twin_agrees(
    shape: list[int], output: str, loss: str, settings: tuple[float, float, float], tied: bool, seed: int
) -> None:
    if output == "linear":
        loss = "squared"
    weights, X, T = draw(seed, shape, 3, sparse=0.4)
    order = [2, 0, 1, 1, 0, 2]
    ties, names = [], []
    if tied and shape[1] > 1:  # the constants of the first two units of the first layer
        weights[0][1][0] = weights[0][0][0]
        ties, names = [[0, 1]], [[(0, 0, 0), (0, 1, 0)]]
    twin = Network(weights, *settings, loss=loss, output=output, ties=names)
    call = call_of(shape, flat(weights), X, T, order, output=output, loss=loss, settings=settings, ties=ties)
    assert trained(call) == kernel.OK
    lost, said = [0.0, 0.0], []
    for k, row in enumerate(order):
        lost[k // 3] += twin.lost(X[row], T[row])
        o = twin.values(X[row])[-1]
        said.append(o.index(max(o)) if len(o) > 1 else int(o[0] > (0 if output == "sign" else 0.5)))
        twin.learn(X[row], T[row])
    assert call["weights"].tolist() == pytest.approx(flat(twin.weights).tolist(), rel=1e-12, abs=1e-12)
    assert call["losses"].tolist() == pytest.approx(lost, rel=1e-11)
    assert call["predictions"].tolist() == said
    assert call["done"].tolist() == [6, 2]


def test_one_step_by_hand() -> None:
    """Worked out on paper: both sums are 0, so h = o = 1/2; delta_k = 1/8, delta_h = 1/4 * 2 * 1/8 = 1/16."""
    call = call_of([1, 1, 1], array("d", [-1.0, 1.0, -1.0, 2.0]), [[1.0]], [[1.0]], [0], settings=(0.8, 0.0, 0.0))
    assert trained(call) == kernel.OK
    assert call["weights"].tolist() == pytest.approx([-0.95, 1.05, -0.9, 2.05], abs=1e-15)
    assert call["losses"].tolist() == pytest.approx([0.125], abs=1e-15)


def one_unit() -> kernel.Layers:
    weights, work = array("d", [0.0, 1.0]), array("d", bytes(48))
    return kernel.Layers(array("q", [1, 1]), kernel.SIGMOID, kernel.SQUARED, weights, work)


@given(st.floats(-40, 40))
def test_the_sigmoid(x: float) -> None:
    out = array("d", [0.0])
    assert kernel.evaluate(one_unit(), array("d", [x]), out, array("i")) == kernel.OK
    assert out[0] == pytest.approx(1 / (1 + exp(-x)), rel=1e-15, abs=0)


def test_the_sigmoid_far_out() -> None:
    for x, least, most in ((1e300, 1.0, 1.0), (-1e300, 0.0, 1e-300), (inf, 1.0, 1.0), (-inf, 0.0, 1e-300)):
        out = array("d", [0.0])
        assert kernel.evaluate(one_unit(), array("d", [x]), out, array("i")) == kernel.OK
        assert least <= out[0] <= most


def test_the_same_bits_in_lanes_and_without() -> None:
    """Compiled for any processor, or from source: nothing is added in another order, and nothing is contracted."""
    shape = [13, 7, 6, 5]
    weights, X, T = draw(11, shape, 10, sparse=0.5)
    call = call_of(shape, flat(weights), X, T, list(range(10)) * 10, settings=(0.4, 0.3, 0.001))
    assert trained(call) == kernel.OK
    plain = call_of(shape, flat(weights), X, T, list(range(10)) * 10, settings=(0.4, 0.0, 0.0))
    assert trained(plain) == kernel.OK
    assert (crc32(call["weights"].tobytes()), crc32(plain["weights"].tobytes())) == (847723176, 4066977266)


def test_sign_units_stop_after_an_epoch_without_a_mistake() -> None:
    X, T = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [[-1.0], [-1.0], [-1.0], [1.0]]
    call = call_of([2, 1], array("d", [0.0] * 3), X, T, [0, 1, 2, 3] * 50, output="sign", settings=(0.5, 0.0, 0.0))
    assert trained(call) == kernel.OK
    steps, epochs = call["done"]
    assert steps == 4 * epochs < 200
    assert call["losses"][epochs - 1] == 0 < call["losses"][epochs - 2]


def test_a_watched_run_stops_at_the_step_that_leaves_the_finite_numbers() -> None:
    weights, X, T = draw(1, [2, 1], 4)
    order = list(range(4)) * 500
    call = call_of([2, 1], flat(weights), X, T, order, output="linear", settings=(5.0, 0.0, 0.0), watch=True)
    assert trained(call) == kernel.NOT_FINITE
    steps = call["done"][kernel.STEPS]
    before = call_of([2, 1], flat(weights), X, T, order[: steps - 1], output="linear", settings=(5.0, 0.0, 0.0))
    assert trained(before) == kernel.OK
    assert all(abs(w) < inf for w in before["weights"])
    assert all(abs(loss) < inf for loss in before["losses"])


def test_nothing_is_hidden_from_the_watch_by_inputs_of_0() -> None:
    """A weight that is not a finite number is seen, though its input is 0 and nothing is multiplied with it."""
    call = call_of([2, 1], array("d", [0.0, nan, 0.0]), [[0.0, 1.0]], [[1.0]], [0], watch=True)
    assert trained(call) == kernel.NOT_FINITE


@pytest.mark.parametrize("shape", [[4, 3, 2], [1, 5], [9, 7, 4, 3]])
def test_gradient_and_move_are_one_step_of_training(shape: list[int]) -> None:
    weights, X, T = draw(7, shape, 1)
    call = call_of(shape, flat(weights), X, T, [0], settings=(0.3, 0.5, 0.01))
    assert trained(call) == kernel.OK
    own, lost = flat(weights), array("d", [0.0])
    down = array("d", bytes(8 * len(own)))
    layers = layers_of(call_of(shape, own, X, T, [0], settings=(0.3, 0.5, 0.01)))
    assert kernel.gradient_of(layers, call["X"], call["T"], down, lost) == kernel.OK
    assert kernel.move(layers, down) == kernel.OK
    assert own.tolist() == pytest.approx(call["weights"].tolist(), abs=1e-15)
    assert down.tolist() == [0.0] * len(down)
    assert lost[0] == call["losses"][0]


def test_misuse() -> None:
    weights, X, T = draw(3, [3, 2, 2], 2)
    call = call_of([3, 2, 2], flat(weights), X, T, [0, 1, 1, 0], ties=[[0, 1], [2, 3]])
    buffers = [name for name, value in call.items() if isinstance(value, array) and name not in ("order", "ends")]
    must_refuse(kernel.train, call, buffers, kernel.MISFIT, called)
    for name, value in (
        ("order", [0, 2]),
        ("order", [-1]),
        ("tied", [0, 99, 2, 3]),
        ("ends", [4, 2]),
        ("shape", [3, 0, 2]),
    ):
        assert trained(call | {name: array("q", value)}) == kernel.MISFIT
    assert trained(call | {"X": array("d"), "T": array("d")}) == kernel.MISFIT
    net = {name: call[name] for name in list(call)[:10]}
    check = {"X": call["X"], "outputs": array("d", bytes(32)), "predictions": array("i", [0, 0])}
    must_refuse(kernel.evaluate, net | check, [*check, "shape", "weights", "work"], kernel.MISFIT, called)
    down = array("d", bytes(8 * len(call["weights"])))
    way = {"X": call["X"], "T": call["T"], "down": down, "losses": array("d", [0.0])}
    must_refuse(kernel.gradient_of, net | way, [*way, "shape", "weights", "work"], kernel.MISFIT, called)
    must_refuse(kernel.move, net | {"down": down}, ["down", "steps", "settings", "tied"], kernel.MISFIT, called)
    still = kernel.Layers(*(net[name] for name in list(net)[:5]))
    assert kernel.move(still, down) == kernel.MISFIT
