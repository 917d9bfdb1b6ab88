"""From weights of 0 the mistakes of a perceptron do not depend on eta: not even by rounding."""

from __future__ import annotations

from math import nextafter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import mistakebound as mb
from mistakebound.core import model_file

ETAS = (1, 0.1, 0.3, 1e-3, 7)
SOURCE = not mb.kernels.compiled()
KINDS = [mb.Perceptron, mb.AveragedPerceptron]


def separable(draw: Random, ones: bool = False) -> tuple[list[list[int]], list[int]]:
    """Whole numbers, labelled -1 and 1 by a random half-space that is not always through the origin."""
    d = draw.randint(2, 5)
    u, c = [draw.randint(-3, 3) for _ in range(d)], draw.randint(-3, 3)
    low, high = (0, 1) if ones else (-3, 3)
    X = [[draw.randint(low, high) for _ in range(d)] for _ in range(draw.randint(6, 16))]
    return X, [1 if sum(a * b for a, b in zip(u, x, strict=True)) > c else -1 for x in X]


def as_mapping(x: list[int]) -> dict[str, int]:
    return {str(place): value for place, value in enumerate(x, 1) if value}


def exact(X: list[list[int]], y: list[int], bias: bool) -> list[int]:
    """The perceptron in whole numbers."""
    w, b, said = [0] * len(X[0]), 0, []
    for x, label in zip(X, y, strict=True):
        said.append(1 if sum(a * v for a, v in zip(w, x, strict=True)) + b > 0 else -1)
        if said[-1] != label:
            w = [a + label * v for a, v in zip(w, x, strict=True)]
            b += label * bias
    return said


def in_numbers(learner: Any, X: list[list[int]], y: list[int]) -> Any:
    return [learner.learn_one(x, label) for x, label in zip(X, y, strict=True)]


def in_mappings(learner: Any, X: list[list[int]], y: list[int]) -> Any:
    return [learner.learn_one(as_mapping(x), label) for x, label in zip(X, y, strict=True)]


def in_sets(learner: Any, X: list[list[int]], y: list[int]) -> Any:
    """Where every value is 0 or 1."""
    some = {value for x in X for value in x} <= {0, 1}
    return (
        [learner.learn_one({*as_mapping(x)}, label) for x, label in zip(X, y, strict=True)]
        if some
        else in_mappings(learner, X, y)
    )


def in_an_array(learner: Any, X: list[list[int]], y: list[int]) -> Any:
    return learner.learn_many(np.array(X, float), y).tolist()


def in_a_sparse_matrix(learner: Any, X: list[list[int]], y: list[int]) -> Any:
    return learner.learn_many(sp.csr_matrix(X, dtype=float), y).tolist()


ONE_BY_ONE = (in_numbers, in_mappings, in_sets)
AT_ONCE = (in_an_array, in_a_sparse_matrix)


@pytest.mark.long
@pytest.mark.kernel
def test_predictions_are_those_of_eta_1() -> None:
    draw = Random(17)
    for number in range(60 if SOURCE else 250):
        X, y = separable(draw, ones=number % 4 == 0)
        bias = number % 2 == 0 if number % 4 else number % 8 == 0
        expected = exact(X, y, bias)
        for eta in ETAS:
            for way in (ONE_BY_ONE[number % 3], AT_ONCE[number // 3 % 2]):
                learner = mb.Perceptron(eta=eta, bias=bias, labels=(-1, 1))
                assert way(learner, X, y) == expected, (number, eta)


@pytest.mark.long
@pytest.mark.kernel
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", [*ONE_BY_ONE, *AT_ONCE])
def test_predictions_are_those_of_eta_1_in_every_way(way: Any, kind: Any, bias: bool) -> None:
    draw = Random(18)
    for number in range(500):
        X, y = separable(draw, ones=number % 4 == 0)
        expected = exact(X, y, bias)
        for eta in ETAS:
            assert way(kind(eta=eta, bias=bias, labels=(-1, 1)), X, y) == expected, (number, eta)


@pytest.mark.kernel
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_is_eta_times_what_it_is_with_eta_1(kind: Any, tmp_path: Path) -> None:
    draw = Random(3)
    for number in range(5 if SOURCE else 20):
        X, y = separable(draw)
        weights = [draw.choice([0.5, 1.0, 3.0]) for _ in y]
        one = kind(labels=(-1, 1), costs={1: 2.0})
        said = one.learn_many(np.array(X, float), y, weights=weights).tolist()
        for eta in (0.1, 7.0):
            learner = kind(eta=eta, labels=(-1, 1), costs={1: 2.0})
            assert learner.learn_many(np.array(X, float), y, weights=weights).tolist() == said
            for again in (learner, learner.copy(), learner.hypothesis._frozen):
                assert again.weights() == {name: eta * weight for name, weight in one.weights().items()}
                assert again.bias == eta * one.bias
                assert again.weight("1") == eta * one.weight("1")
                assert again.top(3) == [(name, eta * weight) for name, weight in one.top(3)]
                assert again.score_many(X).tolist() == [eta * score for score in one.score_many(X).tolist()]
                assert again.score_one(X[0]) == eta * one.score_one(X[0])
                assert again.predict_many(X).tolist() == one.predict_many(X).tolist()
            assert learner.start().get("start_norm", 0) == pytest.approx(eta * one.start().get("start_norm", 0))
            assert (
                learner.bound(margin=0.5, radius=4, start_norm=eta).value
                == one.bound(margin=0.5, radius=4, start_norm=1).value
            )
            if number == 0:
                learner.save(tmp_path / "model")
                one.save(tmp_path / "one")
                loaded, its = mb.load(tmp_path / "model").learner, mb.load(tmp_path / "one").learner
                assert loaded.weights() == learner.weights()
                for x, label in zip(X * 2, y * 2, strict=True):
                    assert loaded.learn_one(x, -label) == its.learn_one(x, -label)


@pytest.mark.kernel
def test_a_stream_that_rounding_decided() -> None:
    X, y = [[2, -1], [-2, -3]], [1, 1]
    for eta in ETAS:
        learner = mb.Perceptron(eta=eta, labels=(-1, 1))
        assert [learner.learn_one(x, label) for x, label in zip(X, y, strict=True)] == [-1, -1]


@pytest.mark.kernel
def test_one_against_all_compares_what_eta_has_not_rounded() -> None:
    for eta in (0.3, 1e-3, 7):
        less = next(u for u in (1.97 + k * 2.0**-52 for k in range(99)) if eta * u == eta * nextafter(u, 2))
        learner = mb.OneVsAll("perceptron", eta=eta, bias=False, labels=("a", "b"))
        learner.learn_one({"1": less}, "a")
        learner.learn_one({"2": nextafter(less, 2)}, "b")
        x = {"1": 1.0, "2": 1.0}
        assert learner.base("a").score_one(x) == learner.base("b").score_one(x) == learner.score_one(x) == eta * less
        assert learner.predict_one(x) == "b"


def test_ensembles_and_expanded_instances() -> None:
    draw = Random(5)
    for _ in range(12):
        X, y = separable(draw, ones=True)
        said = []
        for eta in ETAS:
            crossed = mb.transforms.expand(mb.Perceptron(eta=eta, labels=(-1, 1)), cross=2)
            ensemble = mb.WeightedMajority([f"perceptron(eta={eta})", "winnow2"], labels=(-1, 1))
            several = mb.OneVsAll("perceptron", eta=eta)
            rows = [({*as_mapping(x)}, label) for x, label in zip(X, y, strict=True)]
            said.append([[made.learn_one(x, label) for x, label in rows] for made in (crossed, ensemble, several)])
            assert crossed.score_one(rows[0][0]) == pytest.approx(
                sum(
                    crossed.weight(name)
                    for name in map(str, crossed.inner.attributes.names())
                    if all((part in rows[0][0]) != off for part, off in crossed.parts(name))
                )
                + crossed.inner.bias
            )
        assert all(one == said[0] for one in said)


@pytest.mark.kernel
def test_a_score_is_above_0_where_the_positive_label_is_predicted() -> None:
    """However small eta is: nothing becomes 0 by it."""
    for eta in (5e-324, 1e-320, 1e-300):
        for kind in KINDS:
            learner = kind(eta=eta, bias=False, labels=(0, 1))
            learner.learn_many(np.array([[0.25, -0.25]]), [1])
            assert learner.predict_many(np.eye(2)).tolist() == [1, 0]
            above, below = learner.score_many(np.eye(2)).tolist()
            assert above > 0 > below
            assert learner.score_one({"1": 1.0}) == above
            assert learner.weight("1") > 0 > learner.weight("2")


@pytest.mark.kernel
def test_what_would_be_shown_as_infinite_is_refused() -> None:
    """In units of eta it would not be."""
    for x in ({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 2.0}, np.array([1.0, 1.0])):
        learner = mb.Perceptron(eta=1e308, bias=False, labels=(0, 1))
        learner.learn_one({"a": 1.0, "1": 1.0}, 1)
        learner.learn_one({"b": 1.0, "2": 1.0}, 1)
        before = learner.weights()
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.score_one(x)
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.predict_one(x)
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.learn_one(x, 0)
        assert learner.weights() == before == {"1": 1e308, "a": 1e308, "2": 1e308, "b": 1e308}
        learner = mb.Perceptron(eta=1e308, bias=False, labels=(0, 1))
        learner.learn_one({"a"}, 1)
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.learn_one({"a": 1.0, "c": -2.0}, 0)
        assert learner.weights() == {"a": 1e308}


@pytest.mark.parametrize("kind", KINDS)
def test_models_say_that_their_weights_are_in_units_of_eta(kind: Any, tmp_path: Path) -> None:
    learner = kind(eta=0.1)
    learner.learn_one({"a", "b"}, 1)
    learner.save(tmp_path / "model")
    header, arrays = model_file.read(tmp_path / "model")
    assert list(arrays["weights"]) == [1.0, 1.0]
    assert header["state"]["unit"] == "eta"
    del header["state"]["unit"]
    model_file.write(tmp_path / "model", header, arrays)
    with pytest.raises(mb.errors.BadModel, match="units of eta"):
        mb.load(tmp_path / "model")
    header["parameters"]["eta"] = 1.0
    model_file.write(tmp_path / "model", header, arrays)
    assert mb.load(tmp_path / "model").learner.weight("a") == 1.0
    header["parameters"]["eta"], header["state"]["unit"] = 2.0, "eta"
    arrays["weights"][0] = 1.7e308
    model_file.write(tmp_path / "model", header, arrays)
    with pytest.raises(mb.errors.BadModel, match="finite"):
        mb.load(tmp_path / "model")


def test_the_worst_case_is_that_of_eta_1() -> None:
    """The learner of a search takes up a state that it was in: exactly."""
    concepts = mb.concepts.MonotoneDisjunctions(3)
    found = [mb.theory.worst_case(mb.Perceptron(eta=eta, labels=(0, 1)), concepts) for eta in ETAS]
    assert all(
        (one.value, one.states, one.by_target) == (found[0].value, found[0].states, found[0].by_target) for one in found
    )


def test_the_training_rule_of_one_unit() -> None:
    """LinearUnit's rule is the perceptron's, with (t - o) = 2y."""
    draw = Random(11)
    for number in range(40):
        X, y = separable(draw)
        expected = exact(X, y, bias=True)
        for eta in ETAS:
            one, many = (mb.learners.LinearUnit("perceptron", eta=eta) for _ in range(2))
            assert [one.learn_one(x, label) for x, label in zip(X, y, strict=True)] == expected, (number, eta)
            assert many.learn_many(X, y) == expected
            plain = mb.Perceptron(labels=(-1, 1))
            plain.learn_many(np.array(X, float), y)
            shown = [plain.bias, *(plain.weight(str(place)) for place in range(1, len(X[0]) + 1))]
            assert one.weights[0][0].tolist() == [eta * (2 * weight) for weight in shown]
