"""`explain` ranks attributes by weight times spread: plain, behind transforms, for each of many labels."""

from __future__ import annotations

import random
from itertools import combinations
from math import sqrt
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.report.effects import effects, label_effects, largest_effects


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


@pytest.mark.parametrize("learner", ["arow", "one-vs-all"])
def test_a_flag_keeps_its_spread_behind_standardize(learner: str) -> None:
    rows = [
        {"color": "red" if k % 4 == 0 else "blue", "always": "x", "num": float(k % 7), "label": int(k % 4 == 0)}
        for k in range(400)
    ]
    model = mb.learn(rows, "label", learner=learner, standardize=True)
    own = model.learner if learner == "arow" else model.learner.base(1)
    found = {one.name: one.spread for one in effects(own, model.ledger.spread, 10)}
    assert found["color=red"] == found["color=blue"] == sqrt(0.25 * 0.75)
    assert found["num"] == 1.0
    assert found["always=x"] == 0.0, "the same in every row"


@pytest.mark.parametrize("wrap", ["cross", "cross standardize", "standardize cross", "bins cross", "negate"])
def test_spreads_are_those_of_the_rows_that_a_naive_twin_makes(wrap: str) -> None:
    """All combinations of independent attributes stand in the stream, so that nothing is an approximation."""
    numbers = [-3.0, 1.0, 2.0, 8.0]
    rows = [
        ({"a": a, "b": b, **({"flag": 1.0} if flag else {})}, int(a > b))
        for a in numbers
        for b in numbers
        for flag in (0, 1)
    ]
    learner: Any = mb.AROW()
    for word in reversed(wrap.split()):
        if word == "bins":
            learner = mb.transforms.bins(learner, {"a": [0.0, 1.5, 5.0]})
        elif word == "standardize":
            learner = mb.transforms.standardize(learner)
        else:
            learner = mb.transforms.expand(learner, **({"cross": 2} if word == "cross" else {"negate": True, "n": 3}))
    model = mb.learn([x | {"label": label} for x, label in rows * 20], "label", learner=learner)
    found = {one.name: one.spread for one in effects(model.learner, model.ledger.spread, 50)}

    def twin(x: dict[str, float]) -> dict[str, float]:
        values = dict(x)
        if wrap.startswith("standardize"):
            mean = sum(numbers) / 4
            deviation = sqrt(sum((number - mean) ** 2 for number in numbers) / 4)
            values |= {name: (x[name] - mean) / deviation for name in "ab"}
        if "bins" in wrap:
            names = ("a<=0", "a in (0,1.5]", "a in (1.5,5]", "a>5")
            values[names[numbers.index(values.pop("a"))]] = 1.0
        if "negate" in wrap:
            return values | ({} if "flag" in x else {"~flag": 1.0})
        pairs = list(combinations(sorted(values), 2))
        return values | {f"{one}&{two}": values[one] * values[two] for one, two in pairs}

    made = [twin(x) for x, _ in rows]
    for name, spread_of in found.items():
        key = name.replace("'", "").replace(" & ", "&")
        column = [x.get(key, 0.0) for x in made]
        mean = sum(column) / len(column)
        wanted = sqrt(sum((value - mean) ** 2 for value in column) / len(column))
        if wrap == "cross standardize":
            wanted = wanted if key == "flag" else sqrt(0.5) if "flag" in key else 1.0
        assert spread_of == pytest.approx(wanted), name


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


@pytest.mark.parametrize("labels", [2, 3])
def test_very_many_weights_are_not_ranked_by_effect(labels: int) -> None:
    """Of a report: what a transform makes of few attributes counts, since names and spreads of all would be listed."""
    rows = [{"w": [f"w{k}" for k in range(first, first + 40)], "label": first % labels} for first in range(400)]
    model = mb.learn(rows, "label", learner="arow" if labels == 2 else None, cross=2)
    assert largest_effects(model.learner, model.ledger.spread, 3)[0] == "weights"
    few = mb.learn(rows[:9], "label", learner="arow" if labels == 2 else None, cross=2)
    assert largest_effects(few.learner, few.ledger.spread, 3)[0] == "effects"
