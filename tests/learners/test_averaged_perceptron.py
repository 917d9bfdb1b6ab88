"""The averaged perceptron: trials are the perceptron's, everything else is the average over them."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite, nan
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.checks import check_learner
from mistakebound.core import model_file
from mistakebound.theory.learner_mistakes import worst_case
from naive.averaged_perceptron import NaiveAveragedPerceptron

names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775807", "9223372036854775808"])
values = st.sampled_from([1.0, -1.0, 0.1, 0.2, 0.3, -0.3, 1e-9, 1e6, 7.7, 0.0])
whole = st.sampled_from([1.0, -1.0, 2.0, 7.0, -30.0, 0.0])


def played(held: Any) -> Any:
    return st.lists(st.tuples(st.dictionaries(names, held, max_size=8), st.sampled_from([0, 1])), max_size=40)


@pytest.mark.kernel
@given(st.sampled_from([1.0, 2.0]), st.booleans(), played(whole))
def test_of_whole_numbers_the_average_is_the_twins_exactly(eta: float, bias: bool, trials: Any) -> None:
    """Every weight is the double next to the exact one, and every prediction that of exact arithmetic, ties too."""
    learner, twin = mb.AveragedPerceptron(eta=eta, bias=bias, labels=(0, 1)), NaiveAveragedPerceptron(eta, bias)
    for x, label in trials:
        assert learner.predict_trial(x) == twin.predict(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        assert learner.weights() == {name: float(weight) for name, weight in twin.average().items()}
        assert learner.bias == float(twin.average_bias())
        for seen, _ in trials[:5]:
            assert learner.predict_one(seen) == int(twin.average_score(seen) > 0)


@pytest.mark.kernel
@given(st.sampled_from([1.0, 0.1, 3.7]), st.booleans(), played(values))
def test_twin_agrees(eta: float, bias: bool, trials: Any) -> None:
    learner, twin = mb.AveragedPerceptron(eta=eta, bias=bias, labels=(0, 1)), NaiveAveragedPerceptron(eta, bias)
    largest = 0.0
    for x, label in trials:
        assert learner.learn_one(x, label) == twin.learn(x, label)
        assert learner.current.score(x) == twin.score(x)
        largest = max([largest, abs(twin.bias), *map(abs, twin.w.values())])
        assert list(learner.weights()) == list(twin.w)
        for name, weight in learner.weights().items():
            assert abs(Fraction(weight) - twin.average()[name]) <= 1e-12 * largest
            assert learner.weight(name) == weight
        for seen, _ in trials[:5]:
            exact, near = twin.average_score(seen), 1e-12 * largest * (1 + sum(map(abs, seen.values())))
            assert abs(Fraction(learner.score_one(seen)) - exact) <= near
            assert learner.predict_one(seen) == int(learner.score_one(seen) > 0)


def stream(seed: int, rows: int, width: int = 12) -> tuple[Any, list[int]]:
    draw = Random(seed)
    X = np.array([[draw.choice([0.0, 0.0, 1.0, -0.7, 0.3]) for _ in range(width)] for _ in range(rows)])
    target = [draw.uniform(-1, 1) for _ in range(width)]
    clean = [int(row @ target > 0) for row in X]
    return X, [1 - label if draw.random() < 0.15 else label for label in clean]


@pytest.mark.parametrize("size", [1, 7, 64, 300])
def test_trials_are_the_perceptrons_in_blocks_of_any_size(size: int) -> None:
    """With weights and costs too; what the blocks were leaves no trace in the average."""
    X, y = stream(1, 300)
    weights = [Random(2).choice([0.5, 1.0, 2.0]) for _ in y]
    costs = {0: 1.5, 1: 1.0}
    plain, averaged, whole = (
        make(labels=(0, 1), costs=costs) for make in (mb.Perceptron, mb.AveragedPerceptron, mb.AveragedPerceptron)
    )
    whole.learn_many(sp.csr_matrix(X), y, weights=weights)
    for first in range(0, 300, size):
        part = slice(first, first + size)
        said = plain.learn_many(X[part], y[part], weights=weights[part])
        assert averaged.learn_many(X[part], y[part], weights=weights[part]).tolist() == said.tolist()
    assert averaged.current == plain.hypothesis
    assert averaged.hypothesis == whole.hypothesis != plain.hypothesis
    assert averaged.facts() == plain.facts()
    assert averaged.bound(margin=0.5).value == plain.bound(margin=0.5).value


def test_a_play_counts_the_predictions_of_trials() -> None:
    X, y = stream(3, 120)
    plain, averaged = (mb.play(make(labels=(0, 1)), (X, y)) for make in (mb.Perceptron, mb.AveragedPerceptron))
    assert averaged.mistakes == plain.mistakes
    assert averaged.mistake_trials == plain.mistake_trials


def test_the_perceptrons_bound_is_met_by_its_trials() -> None:
    learner = mb.AveragedPerceptron(bias=False)
    ledger = mb.play(learner, [({str(j)}, 1) for j in range(9)], assume={"margin": 1 / 3, "radius": 1})
    assert ledger.mistakes == ledger.bound.mistakes == 9


def test_the_average_is_steadier_than_the_last_weights() -> None:
    """What it is for: fewer errors on rows that were not learned from, where labels are noisy."""
    errors = {"average": 0, "last": 0}
    for seed in range(5):
        X, y = stream(seed, 600)
        plain, averaged = (make(labels=(0, 1)) for make in (mb.Perceptron, mb.AveragedPerceptron))
        for name, learner in (("last", plain), ("average", averaged)):
            learner.learn_many(X[:300], y[:300])
            errors[name] += sum(learner.predict_many(X[300:]) != y[300:])
    assert errors["average"] < 0.9 * errors["last"]


def test_searches_and_questions_go_by_what_plays() -> None:
    concepts = mb.concepts.MonotoneDisjunctions(2)
    found, expected = (worst_case(make(labels=(0, 1)), concepts) for make in (mb.AveragedPerceptron, mb.Perceptron))
    assert (found.value, found.states, found.by_target) == (expected.value, expected.states, expected.by_target)
    assert found.verify()
    target = mb.concepts.parse("x1 | x2")
    asked = [
        mb.arena.identify(
            mb.arena.AsQueryLearner(make(labels=(0, 1))), mb.teachers.EquivalenceOracle(target, concepts)
        ).questions
        for make in (mb.AveragedPerceptron, mb.Perceptron)
    ]
    assert asked[0] == asked[1]


ENSEMBLES: dict[str, Any] = {
    "one against all": lambda: mb.OneVsAll("averaged-perceptron"),
    "majority": lambda: mb.WeightedMajority(["averaged-perceptron", "perceptron(bias=false)"]),
}


@pytest.mark.parametrize("name", ["one against all", "majority"])
def test_an_ensemble_with_one_plays_its_trials_as_it_does(name: str) -> None:
    checks = ["learn_one_returns_the_prediction", "current_is_what_predicts_trials", "hypothesis_stands_still"]
    assert set(check_learner(ENSEMBLES[name], only=checks)) == set(checks)
    X, y = stream(6, 150)
    one, block = ENSEMBLES[name](), ENSEMBLES[name]()
    counted = mb.Ledger(block.labels)
    block.learn_many(X, y, ledger=counted)
    assert mb.play(one, (X, y)).mistake_trials == counted.mistake_trials
    assert one.hypothesis == block.hypothesis != one.current
    assert mb.OneVsAll("perceptron").trials_by == "predict_one"


def test_on_expanded_instances() -> None:
    plain, averaged = (
        mb.transforms.expand(make(labels=(0, 1)), cross=2) for make in (mb.Perceptron, mb.AveragedPerceptron)
    )
    draw = Random(8)
    for _ in range(60):
        x = {name for name in "abcdef" if draw.random() < 0.5}
        label = int({"a", "b"} <= x or draw.random() < 0.2)
        said = plain.predict_one(x)
        assert averaged.predict_trial(x) == said
        assert averaged.learn_one(x, label) == plain.learn_one(x, label) == said
        assert averaged.predict_one(x) == averaged.hypothesis(x)
    assert averaged.current.form == plain.hypothesis.form != averaged.hypothesis.form


@pytest.mark.kernel
def test_a_sum_that_depends_on_its_order() -> None:
    first = {"1": 1e16, "2": 1.0, "3": -1e16}
    learner = mb.AveragedPerceptron(bias=False, labels=(0, 1))
    learner.learn_one({"1": 1.0, "2": 1.0, "3": 1.0}, 1)
    assert learner.score_one(first) == 0.0
    for order in (["3", "2", "1"], ["1", "3", "2"], ["2", "1", "3"]):
        x = {name: first[name] for name in order}
        assert (learner.score_one(x), learner.predict_one(x)) == (0.0, 0)


@pytest.mark.kernel
def test_weights_as_large_as_doubles_are() -> None:
    """What the perceptron takes is taken, and the average of what it was is no larger."""
    plain, averaged = (make(eta=1.7e308, bias=False, labels=(0, 1)) for make in (mb.Perceptron, mb.AveragedPerceptron))
    rows: list[tuple[dict[str, float], int]] = [({"1": 1.0}, 1), ({"1": 1.0}, 0), ({"1": -1.0}, 1), ({"1": 0.5}, 0)] * 9
    for x, label in rows:
        assert averaged.learn_one(x, label) == plain.learn_one(x, label)
        assert isfinite(averaged.weight("1"))
    with pytest.raises(mb.BadData, match="range of doubles"):
        averaged.predict_one({"1": 1e10})
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        averaged.predict_many([[1.0], [1e10]])


@pytest.mark.kernel
def test_a_refused_row_is_no_trial() -> None:
    averaged, plain = (mb.AveragedPerceptron(labels=(0, 1)) for _ in range(2))
    for learner in (averaged, plain):
        learner.learn_one({"a": 1e308}, 1)
    with pytest.raises(mb.BadData, match="range of doubles"):
        averaged.learn_one({"new": 1.0, "a": 10.0}, 0)
    for learner in (averaged, plain):
        learner.learn_one({"b": 1.0}, 0)
    assert averaged.weights() == plain.weights()
    assert averaged.attributes.names() == ["a", "b"]
    block = mb.AveragedPerceptron(labels=(0, 1))
    with pytest.raises(mb.BadData, match="row 1"):
        block.learn_many(sp.csr_matrix([[1e308, 0.0], [10.0, 0.0], [0.0, 1.0]]), [1, 0, 0])
    block.learn_one({"2": 1.0}, 0)
    assert list(block.weights().values()) == list(plain.weights().values())


@pytest.mark.kernel
def test_before_the_first_trial() -> None:
    learner = mb.AveragedPerceptron(labels=(0, 1))
    assert (learner.predict_one({"a"}), learner.score_one({"a"}), learner.weights(), learner.bias) == (0, 0.0, {}, 0.0)
    assert str(learner.hypothesis) == str(learner.current) == "0 > 0"


def test_reading(tmp_path: Path) -> None:
    learner = mb.AveragedPerceptron(labels=("ham", "spam"))
    for x, label in (({"free", "now"}, "spam"), ({"now", "lunch"}, "ham"), ({"lunch"}, "ham"), ({"free"}, "spam")):
        learner.learn_one(x, label)
    assert learner.top(2) == [("free", 1.0), ("lunch", -0.75)]
    assert str(learner.hypothesis) == "free + -0.75*lunch + 0.25*now + 0.25 > 0"
    assert str(learner.current) == "free + -1*lunch > 0"
    assert "1.25 > 0: predicts spam" in str(mb.inspection.explain_one(learner, {"free"}))
    learner.save(tmp_path / "model")
    again = mb.load(tmp_path / "model").learner
    assert (again.hypothesis, again.current) == (learner.hypothesis, learner.current)
    assert again.learn_one({"lunch", "free"}, "spam") == learner.learn_one({"lunch", "free"}, "spam")
    assert again.weights() == learner.weights()


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("sums", [0.0]), ("sums", [inf, 0.0]), ("sums", [nan, 0.0]), ("sums", [1e300, 0.0]), ("bias_sum", []),
        ("bias_sum", [nan]), ("bias_sum", [1e300]), ("trials", -1), ("trials", True), ("trials", 1.0),
        ("trials", None), ("trials", 2**63), ("trials", 0),
    ],
)  # fmt: skip
def test_forged_models_are_refused(name: str, held: Any, tmp_path: Path) -> None:
    learner = mb.AveragedPerceptron()
    learner.learn_one({"a", "b"}, 1)
    learner.learn_one({"a", "b"}, 0)
    learner.save(tmp_path / "model")
    header, arrays = model_file.read(tmp_path / "model")
    if name == "trials":
        header["state"]["trials"] = held
    else:
        arrays[name] = type(arrays[name])("d", held)
    model_file.write(tmp_path / "model", header, arrays)
    with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
        mb.load(tmp_path / "model")
