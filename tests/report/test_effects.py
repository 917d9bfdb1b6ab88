"""`explain` ranks attributes by weight times spread: plain, behind transforms, for each of many labels."""

from __future__ import annotations

import random
from math import sqrt
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.report.effects import effects, label_effects


def rows_of(size: int) -> list[dict[str, Any]]:
    """`price` has a small weight and a large spread; `rare` decides, but in few rows only."""
    draw = random.Random(1)
    rows = []
    for _ in range(size):
        rare, price = draw.random() < 0.01, draw.uniform(0, 1000)
        row = {"price": price, "colour": draw.choice("rgb"), "label": "yes" if rare or price > 500 else "no"}
        rows.append(row | ({"rare": "here"} if rare else {}))
    return rows


def test_spread_decides_the_order() -> None:
    model = mb.learn(rows_of(900), "label", learner="arow")
    found = effects(model.learner, model.ledger.spread, 10)
    by_weight = [name for name, _ in model.learner.top(10)]
    assert found[0].name == "price"
    assert by_weight[0] != "price"
    assert [abs(one.size) for one in found] == sorted((abs(one.size) for one in found), reverse=True)
    assert {one.name: one.weight for one in found} == model.learner.weights()
    prices = [row["price"] for row in rows_of(900)]
    mean = sum(prices) / 900
    assert found[0].spread == pytest.approx(sqrt(sum((price - mean) ** 2 for price in prices) / 900))
    assert found[0].size == found[0].weight * found[0].spread


def test_without_a_count_the_weights_decide() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"a": 1, "b": 3}, 1)
    found = effects(learner, None, 5)
    assert [(one.name, one.weight, one.spread, one.size) for one in found] == [("b", 3, None, 3), ("a", 1, None, 1)]
    assert found[0].as_json() == {"name": "b", "weight": 3.0}


def test_behind_transforms() -> None:
    rows = [{"words": words, "label": label} for words, label in ((["a", "b"], 1), (["a"], 0), (["b"], 0), ([], 0))]
    model = mb.learn(rows * 50, "label", learner="perceptron", cross=2)
    found = {one.name: one.spread for one in effects(model.learner, model.ledger.spread, 10)}
    pair = next(name for name in found if " & " in name)
    assert found[pair] == sqrt(0.25 * 0.75), "1/2 times 1/2, if they are independent"
    model = mb.learn(rows_of(300), "label", learner="perceptron", standardize=True)
    found = {one.name: one.spread for one in effects(model.learner, model.ledger.spread, 10)}
    assert found["price"] == 1.0


def animals() -> list[dict[str, Any]]:
    return [
        {"sound": "miaow", "legs": 4, "label": "cat"}, {"sound": "woof", "legs": 4, "label": "dog"},
        {"sound": "moo", "legs": 4, "label": "cow"},
    ] * 20  # fmt: skip


@pytest.mark.parametrize("learner", ["perceptron", "one-vs-all"])
def test_labels(learner: str) -> None:
    model = mb.learn(animals(), "label", learner=learner)
    found = {one.name: one.size for one in label_effects(model.learner, "cat", model.ledger.spread, 10)}
    assert found["sound=miaow"] > 0 > found["sound=woof"]
    assert found["legs"] == 0.0, "the same in every row"
