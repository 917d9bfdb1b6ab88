"""Backpropagation of any depth, momentum, penalty, slopes, ties, starts, and Boolean functions."""

from __future__ import annotations

import re
from itertools import pairwise, product
from math import nan
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.learners import Network
from naive.network import Network as Naive

XOR = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
EIGHT = np.eye(8)


def data(seed: int, rows: int, inputs: int, outputs: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(rows, inputs)), draw.uniform(0.1, 0.9, size=(rows, outputs))


@pytest.mark.parametrize(
    ("layers", "given"),
    [
        ([3, 4, 2], {}),
        ([3, 5, 4, 2], {"momentum": 0.6}),
        ([2, 3, 1], {"decay": 0.01, "momentum": 0.3}),
        ([2, 3, 2], {"loss": "likelihood"}),
        ([2, 4, 1], {"output": "linear", "eta": 0.05}),
        ([4, 2], {}),
    ],
)
def test_twin_agrees(layers: list[int], given: dict[str, Any]) -> None:
    X, T = data(1, 6, layers[0], layers[-1])
    given = {"eta": 0.4} | given
    network = Network(layers, shuffle=False, start=0.5, random_state=3, **given)
    fresh = [layer.tolist() for layer in Network(layers, start=0.5, random_state=3)._untaught(layers[0]).matrices()]
    twin = Naive(fresh, **given)
    network.fit(X, T, epochs=5)
    for _ in range(5):
        for x, t in zip(X.tolist(), T.tolist(), strict=True):
            twin.learn(x, t)
    for own, naive in zip(network.weights, twin.weights, strict=True):
        assert own == pytest.approx(np.array(naive), rel=1e-12, abs=1e-12)


def test_one_step_by_hand() -> None:
    """As in the kernel's test: h = o = 1/2, delta_k = 1/8, delta_h = 1/4 * 2 * 1/8, with the weight from before."""
    network = Network([1, 1, 1], eta=0.8, shuffle=False)
    network.learn_one([1.0], [1.0])
    engine = network._engine
    assert engine is not None
    engine.weights[:] = [-1.0, 1.0, -1.0, 2.0]
    network.learn_one([1.0], [1.0])
    assert [layer.tolist()[0] for layer in network.weights] == [
        pytest.approx([-0.95, 1.05], abs=1e-15),
        pytest.approx([-0.9, 2.05], abs=1e-15),
    ]


VARIANTS: list[dict[str, Any]] = [
    {},
    {"decay": 0.02},
    {"loss": "likelihood"},
    {"output": "linear"},
    {"slopes": 0.7},
    {"slopes": 0.3, "output": "linear"},
    {"slopes": 0.5, "loss": "likelihood", "decay": 0.01},
    {"ties": [[(1, 1, 1), (1, 2, 2)], [(1, 1, 0), (2, 1, 1), (2, 2, 0)]]},
    {"ties": [[(1, 1, 2), (1, 3, 1)]], "decay": 0.03, "slopes": 0.4},
]


@pytest.mark.parametrize("layers", [[2, 3, 2], [2, 3, 2, 2]])
@pytest.mark.parametrize("given", VARIANTS, ids=lambda given: "-".join(given) or "plain")
def test_gradients_against_finite_differences(layers: list[int], given: dict[str, Any]) -> None:
    X, T = data(2, 3, 2, 2)
    S = np.random.default_rng(3).normal(size=(3, 2, 2)) if "slopes" in given else None
    network = Network(layers, start=1.0, **given)
    network._engine = engine = network._untaught(2)
    _, gradient = network.gradient(X, T, S)
    flat = np.concatenate([layer.T.ravel() for layer in gradient])
    ties = {place: group for group in _groups(engine) for place in group}
    for k in range(len(engine.weights)):
        places = ties.get(k, [k])  # tied weights are one: they move together
        values = []
        for step in (1e-5, -1e-5):
            kept = engine.weights.copy()
            engine.weights[places] += step
            values.append(_loss(network, X, T, S))
            engine.weights[:] = kept
        assert flat[k] == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-5, abs=1e-7)


def _groups(engine: Any) -> list[list[int]]:
    starts = [0, *engine.ties.ends.tolist()]
    return [engine.ties.places[a:b].tolist() for a, b in pairwise(starts)]


def _loss(network: Any, X: Any, T: Any, S: Any) -> float:
    """What is minimised, from its definition: the slopes of the outputs by differences of the outputs."""
    s, o = network.settings, network.outputs(X)
    if s["loss"] == "likelihood":
        lost = -float((T * np.log(o) + (1 - T) * np.log(1 - o)).sum())
    else:
        lost = 0.5 * float(((T - o) ** 2).sum())
    if S is not None:
        for i in range(X.shape[1]):
            step = np.zeros(X.shape[1])
            step[i] = 3e-3
            slope = (8 * (network.outputs(X + step) - network.outputs(X - step)) / 3e-3
                     - (network.outputs(X + 2 * step) - network.outputs(X - 2 * step)) / 3e-3) / 12  # fmt: skip
            lost += 0.5 * s["slopes"] * float(((S[:, :, i] - slope) ** 2).sum())
    return lost + s["decay"] * sum(float((layer**2).sum()) for layer in network.weights)


def test_slopes_of_outputs() -> None:
    network = Network([3, 4, 2], start=1.0, random_state=5)
    network._engine = network._untaught(3)
    x = np.array([0.3, -0.2, 0.9])
    for i in range(3):
        step = 1e-6 * np.eye(3)[i]
        slope = (network.outputs([x + step]) - network.outputs([x - step]))[0] / 2e-6
        assert network.slopes(x)[:, i] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("given", [{}, {"momentum": 0.8, "decay": 0.001}, {"slopes": 0.5}])
def test_tied_weights_stay_equal_for_ever(given: dict[str, Any]) -> None:
    X, T = data(6, 8, 3, 2)
    S = np.zeros((8, 2, 3)) if "slopes" in given else None
    ties = [[(1, 1, 1), (1, 2, 2), (1, 3, 3)], [(1, 4, 0), (2, 1, 2)]]
    network = Network([3, 4, 2], ties=ties, **given)
    network.fit(X, T, epochs=60, **({} if S is None else {"slopes": S}))
    first, second = network.weights
    assert first[0, 1] == first[1, 2] == first[2, 3]
    assert first[3, 0] == second[0, 2]
    assert len(np.unique(first)) == first.size - 2


def test_slopes_help_where_values_mislead() -> None:
    """Three points of a wave, all at its middle: their values say that it is flat, their slopes that it is not."""
    grid = np.linspace(0, 1, 41)[:, None]
    X = np.array([[0.0], [0.5], [1.0]])
    wave, slope = 0.5 + 0.3 * np.sin(2 * np.pi * grid), 0.6 * np.pi * np.cos(2 * np.pi * X)
    y = np.full((3, 1), 0.5)
    values = Network([1, 6, 1], eta=0.2, output="linear", start=2.0).fit(X, y, epochs=600)
    both = Network([1, 6, 1], eta=0.2, output="linear", start=2.0, slopes=1.0).fit(X, y, epochs=600, slopes=slope)
    assert np.abs(values.outputs(X) - y).max() < 0.03
    assert np.abs(both.outputs(X) - y).max() < 0.03
    assert np.abs(values.outputs(grid) - wave).mean() > 0.15
    assert np.abs(both.outputs(grid) - wave).mean() < 0.03


def test_the_8_3_8_network_finds_a_code() -> None:
    """Mitchell, section 4.6.4: all 8 patterns right, from at least 8 of 10 starts; and the code tells them apart."""
    right = 0
    for seed in range(10):
        network = Network([8, 3, 8], eta=0.3, random_state=seed).fit(EIGHT, EIGHT, epochs=5000)
        right += bool((np.abs(network.outputs(EIGHT) - EIGHT) < 0.5).all())
    assert right >= 8
    (code,) = network.hidden(EIGHT)
    assert code.shape == (8, 3)
    gaps = np.abs(code[:, None, :] - code[None, :, :]).max(axis=2)
    assert (gaps[~np.eye(8, dtype=bool)] > 0.2).all()


def test_xor_is_learned_though_no_line_does_it() -> None:
    found = mb.theory.linearly_separable(*XOR)
    assert not found.separable
    assert found.verify()
    with pytest.raises(mb.BadParameter, match="linear threshold function"):
        mb.concepts.parse("(x1 & ~x2) | (~x1 & x2)").to_linear_threshold()
    unit = mb.learners.LinearUnit("perceptron").fit(*XOR, epochs=1000)
    assert unit.stopped == "epochs"
    network = Network([2, 3, 1], eta=0.5, momentum=0.9, start=0.5, restarts=3).fit(*XOR, epochs=2000)
    assert network.predict_many(XOR[0]).tolist() == XOR[1]
    assert len(network.starts) == 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_network_for_every_boolean_function(n: int) -> None:
    instances = [list(map(float, bits)) for bits in product((0, 1), repeat=n)]
    for labels in product((0, 1), repeat=2**n):
        network = Network.for_function(labels)
        assert network.predict_many(instances).tolist() == list(labels)
        assert network.shape[1] <= max(1, 2 ** (n - 1))
        assert np.abs(network.outputs(instances)[:, 0] - labels).max() < 1e-3


def test_a_network_for_a_function_a_concept_a_table() -> None:
    instances = np.array([*product((0, 1), repeat=6)], float)
    parity = Network.for_function(lambda *bits: sum(bits) % 2, n=6)
    assert parity.predict_many(instances).tolist() == (instances.sum(axis=1) % 2).tolist()
    assert parity.shape == (6, 32, 1)
    concept = mb.concepts.parse("(x1 & x4) | ~x6")
    network = Network.for_function(concept)
    assert network.predict_many(instances).tolist() == concept.evaluate_many(instances).tolist()
    assert Network.for_function("(x1 & x4) | ~x6").hypothesis == network.hypothesis
    assert Network.for_function(concept, n=7).shape[0] == 7
    for bad, message in [
        ({"f": [0, 1, 1]}, "the labels of a function of n attributes must be 2^n, n from 1 to 16: 3"),
        ({"f": []}, "the labels of a function of n attributes must be 2^n, n from 1 to 16: 0"),
        ({"f": [1]}, "the labels of a function of n attributes must be 2^n, n from 1 to 16: 1"),
        ({"f": [0, 1], "n": 2}, "a function of 2 attributes has 4 labels: 2 are given"),
        ({"f": "x0 | x1"}, "f must be a concept over the attributes 1 to n: x0 | x1"),
        ({"f": "x0 | x1", "n": 2}, "f must be a concept over the attributes 1 to n: x0 | x1"),
        ({"f": [0, 2]}, "a Boolean function must have the labels 0 and 1: 2"),
        ({"f": [[0, 1], [1, 0]]}, "a Boolean function must have the labels 0 and 1: [0, 1]"),
        ({"f": None}, "f must be a concept, a function of n bits, or the labels of all instances: None"),
        ({"f": lambda a: a}, "n must be given"),
        ({"f": lambda a: a, "n": 40}, "n must be a whole number between 1 and 16: 40"),
        ({"f": concept, "n": 3}, "n must be at least 6 for this concept: 3"),
    ]:
        with pytest.raises((mb.BadData, mb.BadParameter), match=re.escape(message)):
            Network.for_function(**bad)


@pytest.mark.parametrize(("text", "label"), [("true", 1), ("false", 0), ("any of (true)", 1), ("0 >= 1", 0)])
def test_a_network_for_a_constant(text: str, label: int) -> None:
    for n in (None, 1, 3):
        network = Network.for_function(text, n)
        assert network.shape == (n or 1, 1, 1)
        assert network.predict_many([[0.0] * (n or 1), [1.0] * (n or 1)]).tolist() == [label, label]


def test_restarts_keep_the_best() -> None:
    """Seed by seed it is as if each start were trained alone and the least loss taken; more starts are never worse."""
    given = {"eta": 0.5, "momentum": 0.9, "start": 0.5, "random_state": 11}
    network = Network([2, 2, 1], restarts=6, **given).fit(*XOR, epochs=600)
    T = np.array(XOR[1], float)[:, None]
    final = float(0.5 * np.square(T - network.outputs(XOR[0])).sum() / 4)
    assert final == pytest.approx(min(network.starts))
    assert network.starts[:1] == Network([2, 2, 1], **given).fit(*XOR, epochs=600).starts
    assert max(network.starts) > 2 * min(network.starts)


def test_restarts_on_slopes_keep_the_best_of_what_is_minimised() -> None:
    """All at the middle of a wave: a start may have the better values by being flat, and the worse slopes."""
    x = np.array([[0.0], [0.5], [1.0]])
    y, slope = np.full((3, 1), 0.5), 0.6 * np.pi * np.cos(2 * np.pi * x)
    given = {"eta": 0.2, "output": "linear", "start": 2.0, "slopes": 1.0, "random_state": 4, "restarts": 3}
    network = Network([1, 6, 1], **given).fit(x, y, epochs=150, slopes=slope)
    assert network.gradient(x, y, slope)[0] / 3 == pytest.approx(min(network.starts))
    assert max(network.starts) > 1.02 * min(network.starts)
    judged = Network([1, 6, 1], **given).fit(x, y, epochs=3, slopes=slope, validation=0.34)
    assert min(epoch.validation for epoch in judged.curve) == pytest.approx(min(judged.starts))
    assert min(judged.starts) > 0.1  # that of values alone is hundreds of times smaller


def _noisy(rows: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(9)
    X = draw.normal(size=(rows, 5))
    return X, (X[:, 0] * X[:, 1] + 0.8 * draw.normal(size=rows) > 0).astype(int)


def test_early_stopping_keeps_the_weights_of_the_best_epoch() -> None:
    X, y = _noisy(240)
    held = X[160:], y[160:]
    given: dict[str, Any] = {"layers": [5, 12, 1], "start": 0.5, "momentum": 0.2}
    network = Network(**given).fit(X[:160], y[:160], epochs=3000, validation=held, patience=25)
    assert network.stopped == "validation"
    losses = [epoch.validation for epoch in network.curve]
    best = int(np.argmin(losses))
    assert len(losses) == best + 1 + 25
    again = Network(**given).fit(X[:160], y[:160], epochs=best + 1)
    assert again.hypothesis == network.hypothesis  # training for that many epochs and no more
    assert network.curve[best].error == pytest.approx(float(np.mean(again.predict_many(held[0]) != held[1])))
    for learner in (network, again):  # going on, with the momentum of that epoch
        learner.learn_one(X[0], y[0])
    assert again.hypothesis == network.hypothesis
    shared = Network([5, 4, 1]).fit(X, y, epochs=5, validation=0.25)
    assert shared.curve[-1].validation is not None


def test_rows_put_aside_teach_nothing() -> None:
    """Each row has an input of its own, whose weight stays 0 where the row is put aside; those rows are the judges."""
    unit = mb.learners.LinearUnit("stochastic", eta=0.1).fit(np.eye(8), np.ones(8), epochs=1, validation=0.25)
    row = unit.weights[0][0]
    held = np.flatnonzero(row[1:] == 0)
    assert len(held) == unit.held == 2
    assert unit.curve[-1].validation == pytest.approx(0.5 * (1 - row[0]) ** 2)


def test_a_validation_loss_that_stays_the_same_ends_training() -> None:
    still = Network([2, 2, 1], eta=1e-200).fit(*XOR, epochs=100, validation=XOR, patience=7)
    assert (still.stopped, len(still.curve)) == ("validation", 1 + 7)


def test_learning_one_by_one_is_learning_in_order() -> None:
    X, y = _noisy(60)
    labels = ["no" if label == 0 else "yes" for label in y]
    online = Network([5, 4, 1], classes=("no", "yes"), momentum=0.5, decay=1e-4)
    said = [online.learn_one(x, label) for x, label in zip(X, labels, strict=True)]
    block = Network([5, 4, 1], classes=("no", "yes"), momentum=0.5, decay=1e-4)
    ledger = mb.Ledger()
    assert block.learn_many(X, labels, ledger=ledger) == said
    assert online.hypothesis == block.hypothesis
    assert ledger.mistakes == sum(a != b for a, b in zip(said, labels, strict=True))
    played = Network([5, 4, 1], classes=("no", "yes"), momentum=0.5, decay=1e-4)
    assert mb.play(played, (X, labels)).mistakes == ledger.mistakes
    assert played.hypothesis == online.hypothesis
    fitted = Network([5, 4, 1], classes=("no", "yes"), momentum=0.5, decay=1e-4, shuffle=False)
    assert fitted.fit(X, labels, epochs=1).hypothesis == online.hypothesis


def test_one_linear_output_tells_0_from_1_in_the_middle() -> None:
    """Its targets are 0 and 1, so 1/2 is the boundary: the regression plane of "and" is -1/4 + x1/2 + x2/2."""
    labels = ["no", "no", "no", "yes"]
    network = Network([2, 1], output="linear", eta=0.05).fit(XOR[0], labels, epochs=500)
    assert network.outputs(XOR[0])[:, 0] == pytest.approx([-0.25, 0.25, 0.25, 0.75], abs=0.02)
    assert network.predict_many(XOR[0]).tolist() == labels
    assert [network.predict_one(x) for x in XOR[0]] == labels
    assert [network.copy().learn_one(x, y) for x, y in zip(XOR[0], labels, strict=True)] == labels


def test_classes_in_the_order_of_their_appearance() -> None:
    network = Network([1, 3, 3], eta=1.0)
    assert network.predict_one([0.5]) is None  # no label has been seen
    assert network.learn_one([0.5], "b") is None
    assert network.learn_one([0.5], "b") in ("b", None)
    for _ in range(200):
        for x, label in ((0.0, "a"), (1.0, "b"), (2.0, "c")):
            network.learn_one([x], label)
    assert network.classes == ("b", "a", "c")
    with pytest.raises(mb.BadData, match="label 'd' is not one of 'b', 'a', 'c'"):
        network.learn_one([0.5], "d")
    with pytest.raises(mb.BadParameter, match="layers must end in a number of units"):
        Network([None, 3, None]).learn_one([1.0], "a")
    free = Network([None, 3, None], classes=("a", "b", "c"))
    free.learn_one([0.5, 1.0], "a")
    assert free.shape == (2, 3, 3)
    with pytest.raises(mb.BadParameter, match="weight"):
        free.learn_one([0.5, 1.0], "a", weight=2.0)


def test_predicting_changes_nothing() -> None:
    network = Network([2, 3, 1]).fit(*XOR, epochs=5)
    before = network.hypothesis
    network.predict_many(XOR[0]), network.predict_one([0, 1]), network.score_one([0, 1]), network.outputs(XOR[0])
    assert network.hypothesis == before
    X = np.array(XOR[0])
    kept = X.copy()
    Network([2, 3, 1], random_state=4).fit(X, XOR[1], epochs=5)
    assert (kept == X).all()


@given(st.integers(1, 40), st.integers(0, 5))
@settings(max_examples=20)
def test_epochs_at_once_or_one_by_one(epochs: int, seed: int) -> None:
    """What is asked between epochs (progress, validation) changes nothing in what is learned."""
    seen: list[Any] = []
    plain = Network([2, 2, 1], momentum=0.4, random_state=seed).fit(*XOR, epochs=epochs)
    watched = Network([2, 2, 1], momentum=0.4, random_state=seed).fit(*XOR, epochs=epochs, progress=seen.append)
    assert plain.hypothesis == watched.hypothesis
    assert [epoch.loss for epoch in plain.curve] == [epoch.loss for epoch in watched.curve]
    assert len(seen) == len(plain.curve) == epochs


def test_model_files(tmp_path: Any) -> None:
    X, y = _noisy(40)
    network = Network([5, 4, 2], momentum=0.5, ties=[[(1, 1, 1), (1, 2, 1)]]).fit(X, y, epochs=3)
    path = tmp_path / "network.mb"
    assert network.save(path) == path.stat().st_size
    again = mb.load(path).learner
    assert again.hypothesis == network.hypothesis
    assert again.settings == network.settings
    assert [epoch.loss for epoch in again.curve] == [epoch.loss for epoch in network.curve]
    for learner in (network, again):  # going on, with the same momentum
        learner.learn_many(X, y)
    assert again.hypothesis == network.hypothesis
    judged = Network([5, 4, 2], restarts=2).fit(X, y, epochs=3, validation=0.25)
    judged.save(path)
    again = mb.load(path).learner
    assert list(map(repr, again.curve)) == list(map(repr, judged.curve))
    assert again.curve[-1].error is not None
    assert (again.starts, again.held, again.stopped) == (judged.starts, 10, "epochs")
    for learner in (
        mb.learners.LinearUnit("perceptron"),
        mb.learners.LinearUnit("stochastic", eta=0.01),
        mb.learners.SigmoidUnit(),
    ):
        learner.fit(X, y, epochs=2)
        learner.save(path)
        assert mb.load(path).learner.hypothesis == learner.hypothesis
        assert mb.load(path).learner.predict_many(X).tolist() == learner.predict_many(X).tolist()


def test_an_altered_model_is_refused(tmp_path: Any) -> None:
    from mistakebound.core import model_file

    network = Network([5, 4, 1]).fit(*_noisy(40), epochs=3)
    path = tmp_path / "network.mb"
    for change, value in (("shape", [5, 3, 1]), ("shape", [5, 4]), ("shape", [5, 0, 1]), ("shape", ["a"])):
        header = network._header()
        header["state"][change] = value
        model_file.write(path, header, network._arrays())
        with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
            mb.load(path)
    model_file.write(path, network._header(), network._arrays() | {"validation": np.zeros(2)})  # of three epochs
    with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
        mb.load(path)
    for name in ("weights", "steps"):
        arrays = network._arrays()
        arrays[name] = np.append(arrays[name][:-1], nan)
        model_file.write(path, network._header(), arrays)
        with pytest.raises(mb.errors.BadModel, match="not one finite number per connection"):
            mb.load(path)


def test_a_forged_checksum_does_not_help(tmp_path: Any) -> None:
    """Bytes changed and the checksum made right again: it loads as some learner, or is a BadModel."""
    X, draw, path = np.random.default_rng(0).normal(size=(12, 3)), Random(0), tmp_path / "m.mb"
    rows = [{"sky": "ab"[k % 2], "wind": float(k)} for k in range(12)]
    for learner in (
        Network([3, 2, 3], momentum=0.5, ties=[[(1, 1, 1), (1, 2, 2)]]).fit(X, [0, 1, 2] * 4, epochs=2),
        mb.learners.LinearUnit("perceptron").fit(X, [-1, 1] * 6),
        mb.learners.TableNetwork(hidden=2).fit(rows, ["x", "y"] * 6, epochs=2),
    ):
        learner.save(path)
        data = path.read_bytes()
        for _ in range(200):
            body = bytearray(data[:-4])
            for _ in range(draw.choice((1, 1, 3))):
                body[draw.randrange(16, len(body))] = draw.choice((draw.randrange(256), ord("9"), ord("-"), ord("[")))
            path.write_bytes(bytes(body) + crc32(body).to_bytes(4, "little"))
            try:
                again = mb.load(path).learner
            except mb.errors.BadModel:
                continue
            if again.fitted:
                str(again.hypothesis)
                x = [dict.fromkeys(again.schema.names)] if again.takes == "table" else np.zeros((1, again.shape[0]))
                assert len(again.predict_many(x)) == 1


def test_a_forged_shape_asks_for_no_memory(tmp_path: Any) -> None:
    from mistakebound.core import model_file

    unit = mb.learners.LinearUnit("perceptron").fit([[0.0], [1.0]], [-1, 1])
    header = unit._header()
    header["state"]["shape"] = [10**12, 1]
    model_file.write(tmp_path / "m.mb", header, unit._arrays())
    with pytest.raises(mb.errors.BadModel, match="not one finite number per connection"):
        mb.load(tmp_path / "m.mb")


def test_divergence_is_told_and_the_last_good_weights_stay() -> None:
    X, T = data(8, 5, 2, 1)
    network = Network([2, 3, 1], eta=1e5, output="linear", shuffle=False)
    with pytest.raises(mb.errors.Diverged, match=r"is no longer finite at step [\d,]+ with eta = 100000: ") as caught:
        network.fit(1e3 * X, 1e3 * T, epochs=3000)
    assert np.isfinite(np.concatenate([layer.ravel() for layer in network.weights])).all()
    step = int(re.search(r"step ([\d,]+)", str(caught.value)).group(1).replace(",", ""))  # type: ignore[union-attr]
    good = Network([2, 3, 1], eta=1e5, output="linear", shuffle=False)
    for k in range(step - 1):
        good.learn_one(1e3 * X[k % 5], 1e3 * T[k % 5])
    assert good.hypothesis.form[-1] == network.hypothesis.form[-1]
    with pytest.raises(mb.errors.Diverged, match=f"step {step:,} "):
        good.learn_one(1e3 * X[(step - 1) % 5], 1e3 * T[(step - 1) % 5])
    sloped = Network([2, 3, 1], eta=1e5, output="linear", slopes=1.0)
    with pytest.raises(mb.errors.Diverged, match="with eta = 100000"):
        sloped.fit(1e3 * X, 1e3 * T, epochs=3000, slopes=np.ones((5, 1, 2)))
    assert np.isfinite(sloped.outputs(X)).all()


def test_the_curve_until_it_diverged() -> None:
    """The epochs that were whole before the step that is told, as if training had ended there."""
    X, T = data(8, 5, 2, 1)
    given = {"eta": 1.5, "output": "linear", "start": 2.0, "random_state": 4}
    network = Network([2, 2, 1], **given)
    with pytest.raises(mb.errors.Diverged) as raised:
        network.fit(X, T, epochs=2000)
    found = re.search("at step ([0-9,]+) with", str(raised.value))
    assert found is not None
    whole = (int(found[1].replace(",", "")) - 1) // 5
    assert whole > 3
    again = Network([2, 2, 1], **given).fit(X, T, epochs=whole)
    assert list(map(repr, network.curve)) == list(map(repr, again.curve))


def test_one_start_that_diverges_does_not_spoil_the_others() -> None:
    X, T = data(8, 5, 2, 1)
    given = {"eta": 1.5, "output": "linear", "start": 2.0, "random_state": 4}
    with pytest.raises(mb.errors.Diverged):
        Network([2, 2, 1], **given).fit(X, T, epochs=2000)
    network = Network([2, 2, 1], restarts=3, **given).fit(X, T, epochs=2000)
    assert network.stopped == "epochs"
    assert len(network.starts) == 3
    assert np.abs(network.outputs(X)).max() < 10


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"eta": 0}, "eta must be a number > 0: 0"),
        ({"eta": -0.1}, "eta must be a number > 0: -0.1"),
        ({"momentum": 1}, "momentum must be a number >= 0 and < 1: 1"),
        ({"momentum": -0.1}, "momentum must be a number >= 0 and < 1: -0.1"),
        ({"decay": -1}, "decay must be a number >= 0: -1"),
        ({"slopes": -1}, "slopes must be a number >= 0, or left out: -1"),
        ({"restarts": 0}, "restarts must be a whole number >= 1: 0"),
        ({"loss": "absolute"}, "loss must be 'squared' or 'likelihood': 'absolute'"),
        ({"output": "linear", "loss": "likelihood"}, "output must be 'sigmoid' where the loss is likelihood: 'linear'"),
        ({"ties": [[(1, 1, 1), (1, 9, 1)]]}, "ties must name weights of the network 2-3-1, which has no (layer, unit, "
         "input): (1, 9, 1)"),
        ({"ties": [[(1, 1, 1)]]}, "ties must join at least two weights: [[1, 1, 1]]"),
        ({"ties": [[(1, 1, 1), (1, 1, 1)]]}, "ties must name each weight once: (1, 1, 1)"),
        ({"ties": 3}, "ties must be groups of places (layer, unit, input), such as [[(1, 1, 1), (1, 2, 2)]]: 3"),
        ({"ties": [[(1, 1, 1), (1, 1, float("inf"))]]}, "ties must be groups of places (layer, unit, input), such as "
         "[[(1, 1, 1), (1, 2, 2)]]: [[(1, 1, 1), (1, 1, inf)]]"),
        ({"layers": [2, True, 1]}, "layers must be two or more whole numbers >= 1 (None at either end: as many as the "
         "data have): [2, True, 1]"),
        ({"layers": [2]}, "layers must be two or more whole numbers >= 1 (None at either end: as many as the data "
         "have): [2]"),
        ({"classes": [1, 1]}, "classes must be at least two different labels: [1, 1]"),
        ({"classes": ["a"]}, "classes must be at least two different labels: ['a']"),
    ],
)  # fmt: skip
def test_bad_parameters(given: dict[str, Any], message: str) -> None:
    with pytest.raises(mb.BadParameter, match=f"^{re.escape(message)}$"):
        Network(**{"layers": [2, 3, 1]} | given)


@pytest.mark.parametrize(
    ("X", "y", "more", "message"),
    [
        ([[0, nan]], [1], {}, "row 0: X must have finite numbers only: nan in column 2"),
        ([[0, 1, 2]] * 2, [0, 1], {}, "layers begin with 2 inputs: an instance has 3"),
        (XOR[0], [0, 1, 2, 0], {}, "layers must end in 3 units, one per class, for 3 classes: 1"),
        (XOR[0], [[0, 1]] * 4, {}, "layers end in 1 outputs: a target has 2"),
        (XOR[0], [0, 1, None, 0], {}, "row 2: the row has no label"),
        (XOR[0], XOR[1], {"epochs": 0}, "epochs must be a whole number >= 1: 0"),
        (XOR[0], XOR[1], {"patience": 0.5}, "patience must be a whole number >= 1: 0.5"),
        (XOR[0], XOR[1], {"validation": 1.5}, "validation must be (X, y), or a share between 0 and 1 that leaves rows "
         "to both: 1.5"),
        (XOR[0], XOR[1], {"validation": ([[1, 2, 3]], [1])}, "the validation set's X must have 2 columns: it has 3"),
        (XOR[0], XOR[1], {"slopes": [[0, 0]] * 4}, "slopes must be given twice, their weight to Network(slopes=...) "
         "and their values to fit(slopes=...)"),
        (XOR[0], XOR[1], {"eopchs": 3}, "fit has no option eopchs; it has epochs, validation, patience, batch_size, "
         "slopes and progress"),
        (XOR[0], [[1], [1, 2], [1], [2]], {}, "y must be one label per row, or rows of the same number of numbers: "
         "[[1], [1, 2], [1], [2]]"),
        ([[10**400, 1]] * 4, XOR[1], {}, "X must be rows of the same number of numbers: list"),
        (np.zeros((4, 2), "datetime64[D]"), XOR[1], {}, "X must be rows of the same number of numbers: ndarray"),
        ([], [], {}, "X must have rows and columns: it has 1 dimension"),
        (np.zeros((4, 2), complex), XOR[1], {}, "X must be rows of the same number of numbers: ndarray"),
        (XOR[0], [[0.5]] * 4, {"validation": (XOR[0], [0.5] * 3)}, "the validation set: X has 4 rows and y 3 labels"),
        (XOR[0], [[0.5]] * 4, {"validation": (XOR[0], [[0, 1]] * 4)}, "the validation set's y must have 1 column: it "
         "has 2"),
        (XOR[0], [[0.5]] * 4, {"validation": (XOR[0][:2], ["a", "b"])}, "the validation set's y must be rows of the "
         "same number of numbers: array([['a'], ['b']], dtype='<U1')"),
        (XOR[0], XOR[1], {"validation": (np.zeros((0, 2)), [])}, "the validation set: there are no examples to learn "
         "from"),
    ],
)  # fmt: skip
def test_bad_data(X: Any, y: Any, more: dict[str, Any], message: str) -> None:
    network = Network([2, 3, 1])
    with pytest.raises((mb.BadData, mb.BadParameter), match=f"^{re.escape(message)}$"):
        network.fit(X, y, **more)
    assert not network.fitted


@pytest.mark.parametrize("units", [10**14, 10**20])
def test_more_units_than_memory(units: int) -> None:
    network = Network([2, units, 1])
    message = f"layers must fit into memory: 2-{units}-1, {4 * units + 1:,} weights"
    for call in (lambda: network.fit(*XOR), lambda: network.learn_one([0, 1], 1)):
        with pytest.raises(mb.BadParameter, match=f"^{re.escape(message)}$"):
            call()


def test_a_validation_set_is_not_folded_to_fit() -> None:
    """Four numbers are not two rows of two outputs; and a likelihood is one of shares there too."""
    network = Network([2, 3, 2])
    with pytest.raises(mb.BadData, match=r"^the validation set's y must have 2 columns: it has 1$"):
        network.fit(XOR[0], [[0, 1]] * 4, validation=(XOR[0][:2], [1, 2, 3, 4]))
    network = Network([2, 3, 1], loss="likelihood")
    with pytest.raises(mb.BadData, match=r"^row 1: y must be between 0 and 1 where the loss is likelihood"):
        network.fit(XOR[0], [[0.5]] * 4, validation=(XOR[0][:2], [0.5, 3.0]))
    assert not network.fitted
    assert network.fit(XOR[0], XOR[1], epochs=1, validation=np.float32(0.25)).held == 1


def test_labels_keep_their_types() -> None:
    labels = [0, "zero", "zero", 0]
    said = Network([2, 3, 1]).fit(XOR[0], labels, epochs=2).predict_many(XOR[0]).tolist()
    assert set(map(type, said)) <= {int, str}
    assert set(said) <= set(labels)


def test_slopes_of_another_shape() -> None:
    network = Network([2, 3, 1], slopes=1.0)
    with pytest.raises(
        mb.BadData, match=re.escape("slopes must have the shape (rows, outputs, inputs) = (4, 1, 2): (4, 3)")
    ):
        network.fit(*XOR, slopes=np.zeros((4, 3)))
    for bad in ([["a", "b"]] * 4, [[1], [1, 2], [1], [1]]):
        with pytest.raises(mb.BadData, match=re.escape("slopes must be numbers in the shape")):
            network.fit(*XOR, slopes=bad)
    network.fit(*XOR, slopes=np.zeros((4, 2)), epochs=1)
    targets = [[t] for t in XOR[1]]
    with pytest.raises(mb.BadParameter, match="slopes must be given to gradient"):
        network.gradient(XOR[0], targets)
    with pytest.raises(mb.BadData, match="slopes must have the shape"):
        network.gradient(XOR[0], targets, [[1, 2]])
    with pytest.raises(mb.BadData, match="X has 4 rows and y 2 labels"):
        network.gradient(XOR[0], targets[:2], np.zeros((2, 2)))
    with pytest.raises(mb.BadParameter, match="slopes must be none to learn one by one: 1"):
        network.learn_one([0, 1], [1.0])


@pytest.mark.parametrize("x", [[1.0], [[1.0, 2.0]], "ab", [1.0, nan], {"3": 1.0}, {"1": "a"}, [1.0, "b"]])
def test_bad_instances(x: Any) -> None:
    with pytest.raises(mb.BadData, match="different lengths"):
        Network([2, 3, 1]).predict_one([[1.0], [1.0, 2.0]])
    network = Network([2, 3, 1]).fit(*XOR, epochs=2)
    before = network.hypothesis
    for call in (lambda: network.predict_one(x), lambda: network.learn_one(x, 1)):
        with pytest.raises(mb.BadData, match=r"^an instance must"):
            call()
    assert network.hypothesis == before
    assert network.predict_one({"2": 1.0}) == network.predict_one([0.0, 1.0])
