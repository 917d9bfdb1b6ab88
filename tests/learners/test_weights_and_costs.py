"""Weights of examples and costs of labels: the perceptron gives them a meaning, the others say that they do not."""

from __future__ import annotations

from array import array
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.block import Block
from mistakebound.core.ledger import Ledger, bound_of, new_ledger

examples = st.lists(
    st.tuples(st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.5]), min_size=3, max_size=3), st.booleans(),
              st.sampled_from([0.25, 1.0, 2.0, 7.5])),
    max_size=12,
)  # fmt: skip


def naive(rows: list[Any], labels: list[bool], weights: list[float]) -> tuple[list[float], float]:
    """w += eta*c*y*x at a mistake, in plain floats."""
    w, bias = [0.0, 0.0, 0.0], 0.0
    for x, label, c in zip(rows, labels, weights, strict=True):
        if (sum(a * b for a, b in zip(w, x, strict=True)) + bias > 0) != label:
            step = 0.5 * c * (1 if label else -1)
            w = [a + step * b for a, b in zip(w, x, strict=True)]
            bias += step
    return w, bias


@given(examples, st.sampled_from([{}, {True: 3.0}, {False: 0.5, True: 2.0}]))
def test_an_update_is_scaled_by_weight_and_cost(played: list[Any], costs: dict[bool, float]) -> None:
    rows, labels, weights = ([example[part] for example in played] for part in range(3))
    one, many = (mb.Perceptron(eta=0.5, labels=(False, True), costs=costs) for _ in range(2))
    for x, label, weight in played:
        one.learn_one(x, label, weight=weight)
    if played:
        many.learn_many(np.array(rows), labels, weights=weights)
    counted = [c * costs.get(label, 1.0) for label, c in zip(labels, weights, strict=True)]
    w, bias = naive(rows, labels, counted)
    for learner in (one, many, many.copy()):
        assert [learner.weight(str(j)) for j in (1, 2, 3)] == w
        assert learner.bias == bias
    assert many.copy().costs == costs


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from([0.5, 1.0, 4.0])), max_size=60))
def test_the_bound_with_weights_holds(points: list[tuple[float, float, float]]) -> None:
    """Points at a distance of 0.1 from the line x1 = x2."""
    margin = 0.1
    learner = mb.Perceptron(labels=(0, 1))
    ledger = new_ledger(learner)
    for a, b, weight in points:
        if abs(a - b) / 2**0.5 < margin:
            continue
        label = int(a > b)
        said = learner.learn_one([a, b], label, weight=weight)
        ledger.record(label, said)
    bound = bound_of(learner, ledger, {"margin": margin})
    if ledger.mistakes:
        assert bound.value is not None
        assert ledger.mistakes <= bound.value


def test_the_bound_says_what_the_weights_do() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"1"}, 1, weight=4)
    assert learner.bound(margin=1, radius=2).value == 4
    learner.learn_one({"2"}, 0, weight=1)
    bound = learner.bound(margin=1, radius=2)
    assert (bound.value, bound.theorem.name) == (16, "the perceptron theorem with weights")
    assert learner.bound(margin=1, radius=2, start_norm=3).value == 16 + 2 * 3


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "2", None])
def test_what_is_no_weight(weight: Any) -> None:
    learner = mb.Perceptron()
    if weight is not True:  # 1
        with pytest.raises(mb.BadParameter, match="weight must be a number > 0"):
            learner.learn_one({"1"}, 1, weight=weight)
    with pytest.raises(mb.BadParameter, match="the cost of 1 must be a number > 0"):
        mb.Perceptron(costs={1: weight})
    if weight is not True and weight != "2":
        with pytest.raises(mb.BadData, match="weights must be numbers > 0"):
            learner.learn_many(np.ones((1, 2)), [1], weights=[weight])
    assert len(learner.attributes) == 0


@pytest.mark.parametrize("weight", [np.int64(3), np.float32(3), Fraction(6, 2), Decimal(3)])
def test_numbers_of_any_kind_are_weights_and_costs(weight: Any) -> None:
    played = []
    for number in (3, weight):
        learner = mb.Perceptron(labels=(0, 1), costs={1: number})
        learner.learn_one({"1"}, 1, weight=number)
        played.append(learner.weights())
    assert played[0] == played[1] == {"1": 9.0}


def test_weights_must_be_one_a_row() -> None:
    with pytest.raises(mb.BadData, match="X has 2 rows and there are 1 weights"):
        mb.Perceptron().learn_many(np.ones((2, 2)), [1, 0], weights=[1])


def test_a_cost_of_a_label_that_is_neither() -> None:
    learner = mb.Perceptron(costs={"spam": 2.0})
    with pytest.raises(mb.BadData, match="a cost for the label 'spam': the labels are 0 and 1"):
        learner.learn_many(np.ones((2, 2)), [1, 0])


@pytest.mark.parametrize(
    "kind", [mb.Winnow1, mb.Winnow2, mb.learners.ConjunctionElimination, mb.learners.DisjunctionElimination]
)
def test_learners_without_weights(kind: Any) -> None:
    header = kind()._header() | {"costs": [[1, 2.0]]}
    with pytest.raises(ValueError, match="there are costs, which the learner does not support"):
        kind.restore(header, {name: model_file.as_array(a) for name, a in kind()._all_arrays().items()})
    with pytest.raises(mb.BadParameter, match="does not support a weight other than 1: 2"):
        kind().learn_one({"1"}, 1, weight=2)
    learner, skipped = kind(labels=(0, 1)), []
    keys, weights = array("Q", [1, 2, 3, 4]), array("d", [1.0, 2.0, 1.0, 0.5])
    block = Block(4, array("q", [0, 1, 2, 3, 4]), keys, labels=[1, 1, 1, 1], weights=weights)
    ledger = Ledger(learner.labels)
    learner.learn_block(block, ledger, array("b", [0] * 4), skipped.append)
    assert ledger.trials == 2
    assert [error.row for error in skipped] == [1, 3]
    assert "does not support a weight other than 1: 2.0" in str(skipped[0])
    assert learner.attributes.names() == ["1", "3"]


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, model = tmp_path / "rows.vw", tmp_path / "m.mb"
    file.write_text("ham 2 | a b\nspam 3 | b c\nham | a\n")
    from mistakebound.cli import main

    learn = ["learn", str(file), "--labels", "ham,spam", "--model", str(model), "--quiet"]
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=5"]) == 0
    assert mb.load(model).learner.weights() == {"a": -1.0, "b": 15.0, "c": 15.0}
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=5/2"]) == 0
    assert mb.load(model).learner.weights() == {"a": -1.0, "b": 7.5, "c": 7.5}
    assert main(["learn", str(file), "--from", str(model), "--cost", "spam=2"]) == 2
    assert "--cost cannot be changed with --from" in capsys.readouterr().err
    assert main([*learn, "--learner", "perceptron", "--cost", "span=5"]) == 3
    assert "a cost for the label 'span'" in capsys.readouterr().err
    assert main([*learn, "--cost", "spam=5"]) == 2
    assert "arow does not support" in capsys.readouterr().err
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=much"]) == 2
    assert main(learn) == 3
    assert "rows.vw:1: arow does not support a weight other than 1: 2" in capsys.readouterr().err
