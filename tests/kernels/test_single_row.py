"""Single-row paths: what they say is right; what is not easy they leave alone, having changed nothing."""

from __future__ import annotations

import random
from array import array
from fractions import Fraction
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.moves import take_move
from mistakebound.core import model_file
from mistakebound.core.atomic import commit, new_lock
from mistakebound.core.attributes import FIRST_PLACES, AttributeTable
from mistakebound.core.errors import BadData
from mistakebound.core.labels import Labels
from mistakebound.core.names import id_of
from mistakebound.kernels import compiled
from mistakebound.kernels.linear_single_row import (
    SingleRowAdditive,
    SingleRowAROW,
    SingleRowBalancedWinnow,
    SingleRowPassiveAggressive,
)
from mistakebound.kernels.single_row import WIDEST, Encoded, Held
from mistakebound.kernels.winnow_single_row import SingleRowWinnow
from mistakebound.learners import registry
from mistakebound.learners.linear.exponents import HALF, Exponents, start_exponent
from mistakebound.learners.linear.powers import PowerTable, bias_of

numbers = st.one_of(st.floats(-10, 10), st.sampled_from([0.1, -0.1, 0.3, 1e16, -1e16, 1.0, 3.0, -1.0, 1e308]))
texts = st.lists(st.text(max_size=5).filter(lambda name: id_of(name) < 0), unique=True, max_size=20)
LETTERS = "abcdefghi"


def table_of(names: str) -> AttributeTable:
    table = AttributeTable()
    for name in names:
        table.add(name)
    return table


def perceptron(weights: list[float], bias: float = 0.0, scale: float = 1.0) -> tuple[Any, AttributeTable, Any, Any]:
    table = table_of(LETTERS[: len(weights)])
    whole = all(number.is_integer() for number in (*weights, bias))
    reach = max(map(abs, (*weights, bias))) if whole else float("inf")
    by_slot, scalars = table.by_slot(array("d", weights)), array("d", [bias, 0.0, 0.0, 0.0, reach])
    return additive(table, Labels((0, 1)), by_slot, scalars, scale), table, by_slot, scalars


def additive(table: AttributeTable, labels: Labels, weights: Any, scalars: Any, scale: float, limit: int = 99) -> Any:
    owner, words = (new_lock(), table, labels, limit, True), memoryview(weights).cast("B").cast("Q")
    return SingleRowAdditive(owner, weights, words, scalars, True, scale, None)


def winnow(cells: Any, powers: PowerTable, theta: float, *flags: bool) -> tuple[Any, AttributeTable, Any, Any]:
    table = table_of(LETTERS[: len(cells)])
    by_slot, starts = table.by_slot(cells), table.by_slot(array("B", bytes(len(cells))))
    frame, counts = array("q", [*powers.frame, *flags]), array("q", bytes(8 * 260))
    counts[1] = len(cells)
    single = SingleRowWinnow(
        (new_lock(), table, Labels((0, 1)), 1 << 40, True), by_slot, starts, frame, powers.power, HALF, theta, counts
    )
    return single, table, by_slot, counts


@given(st.lists(numbers, min_size=1, max_size=9), numbers)
def test_a_sign_that_is_said_is_that_of_the_sum_in_order(weights: list[float], bias: float) -> None:
    said = perceptron(weights, bias)[0].predict(dict.fromkeys(reversed(LETTERS[: len(weights)]), 1))
    total = 0.0
    for number in (*weights, bias):
        total += number
    assert said == (int(total > 0) if isfinite(total) else None)


def test_signs_at_the_edge() -> None:
    assert perceptron([0.0])[0].predict({"a": 1}) == 0
    assert perceptron([1.7e308, 1.7e308])[0].predict({"a": 1, "b": 1}) is None
    assert perceptron([0.1, 0.2, -0.3])[0].predict({"c": 1, "b": 1, "a": 1}) == 1
    assert perceptron([3.0, -2.0], -1.0)[0].predict({"a": 1, "b": 1}) == 0, "whole numbers"
    assert perceptron([1.0, -2.0])[0].predict({"a": 4.5, "b": 2}) == 1


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 40)), min_size=1, max_size=9), st.floats(1e-6, 1e6))
def test_a_sum_that_is_sure_is_on_the_side_of_the_exact_one(terms: list[tuple[int, int]], theta: float) -> None:
    cells = array("H", [s << 8 | e + bias_of(8) for e, s in terms])
    single = winnow(cells, PowerTable(1.5, 8, -64, 64), theta, True, False, False, False)[0]
    said = single.predict(set(LETTERS[: len(terms)]))
    exact = sum(Fraction(3, 2) ** e / 2**s for e, s in terms)
    assert said in (None, int(exact > Fraction(theta)))
    if abs(exact - Fraction(theta)) > exact / 10**6:
        assert said is not None


def test_sums_at_the_edge() -> None:
    powers, bias = PowerTable(2.0, 8, -64, 64), bias_of(8)
    cells = array("B", [bias, bias, 0, 1])

    def said(names: str, theta: float) -> Any:
        return winnow(cells, powers, theta, False, True, True, False)[0].predict(dict.fromkeys(names, 1))

    assert [said("a", 0.5), said("ab", 3.0), said("ab", 2.0)] == [1, 0, None]
    assert said("ac", 0.5) is None, "an attribute that has no weight yet"
    assert said("ad", 0.5) == 1, "an eliminated weight"
    assert said("az", 1.5) == 1, "a new attribute counts 1"
    wide = winnow(array("H", [bias_of(16)]), PowerTable(2.0, 16, -64, 64), 0.5, False, True, True, False)[0]
    assert wide.predict({"a": 1}) == 1


@pytest.mark.parametrize(("code", "label"), [(bias_of(8) + 64, 1), (bias_of(8) - 64, 0), (255, 1), (2, 0)])
def test_an_update_at_the_edge_of_a_table_is_left_alone(code: int, label: int) -> None:
    """All powers up to the edge are filled in, so that the prediction is sure and the update not."""
    powers = PowerTable(2.0, 8, 2 - bias_of(8), 127) if code in (2, 255) else PowerTable(2.0, 8, -64, 64)
    theta = 1e100 if label else 1e-100
    single, _, cells, _ = winnow(array("B", [code]), powers, theta, False, True, False, False)
    before = cells.tobytes()
    assert single.learn({"a": 1}, label) is None
    assert cells.tobytes() == before
    assert single.learn({"a": 1}, 1 - label) == 1 - label


def test_a_weight_that_would_not_stay_finite() -> None:
    single, table, weights, scalars = perceptron([-1.7], scale=1e308)
    before = weights.tobytes(), scalars.tobytes(), table.names()
    scalars[0] = 1.0
    assert single.learn({"a": 1, "new": 1}, 1) is None
    scalars[0] = 0.0
    assert (weights.tobytes(), scalars.tobytes(), table.names()) == before


def test_one_of_two_weights_would_not_stay_finite() -> None:
    single, _, weights, scalars = perceptron([1.0, -1.1], scale=1e308)
    before = weights.tobytes(), scalars.tobytes()
    assert single.predict({"a": 1, "b": 1}) == 0
    assert single.learn({"a": 1, "b": 1}, 1) is None
    assert (weights.tobytes(), scalars.tobytes()) == before


def test_the_last_code_of_its_width_is_left_alone_where_it_is_no_edge() -> None:
    """Below the smallest double the table has no edge, but codes end."""
    single, _, cells, _ = winnow(
        array("B", [2, bias_of(8)]), PowerTable(1e10, 8, -126, 30), 0.5, False, False, False, False
    )
    before = cells.tobytes()
    assert single.learn({"a": 1, "b": 1}, 0) is None
    assert cells.tobytes() == before
    assert single.learn({"b": 1}, 0) == 1


@pytest.mark.parametrize("eliminates", [False, True])
def test_an_eliminated_weight_stays_so(eliminates: bool) -> None:
    single, table, cells, _ = winnow(
        array("B", [1, bias_of(8)]), PowerTable(2.0, 8, -64, 64), 100.0, False, True, eliminates, False
    )
    assert single.learn({"a": 1, "b": 1}, 1) == 0
    assert table.in_order(cells).tolist() == [1, bias_of(8) + 1]


def test_more_attributes_than_there_may_be() -> None:
    table = table_of("a")
    weights, scalars = table.by_slot(array("d", [1.0])), array("d", bytes(40))
    single = additive(table, Labels((0, 1)), weights, scalars, 1.0, limit=2)
    three = {"a": 1, "b": 1, "c": 1}
    assert (single.predict(three), single.learn(three, 0), table.names()) == (None, None, ["a"])
    assert (single.learn({"a": 1, "b": 1}, 0), table.names()) == (1, ["a", "b"])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "1", 1j, Fraction(1), 2**60])
def test_other_values_are_left_alone(value: Any) -> None:
    single, table, _, _ = perceptron([1.0])
    assert single.predict({"a": 1, "b": value}) is None
    assert single.learn({"a": 1, "b": value}, 0) is None
    assert table.names() == ["a"]


def test_zeros_are_left_out() -> None:
    single, table, _, scalars = perceptron([1.0])
    assert single.learn({"a": True, "b": 0, "c": 0.0, "d": False, "e": 1.0}, 0) == 1
    assert (table.names(), scalars[1]) == (["a", "e"], 3.0)


def test_other_instances_are_left_alone() -> None:
    single, table, _, _ = perceptron([1.0])
    for x in ([1], ["a"], {"a": 1, "7": 1}, {7: 1}, {7}, "a", None, {str(k) + "x": 1 for k in range(WIDEST + 1)}):
        assert single.predict(x) is None, x
        assert single.learn(x, 0) is None, x
    assert single.predict(Encoded(["a"], array("d", [2.0]))) is None
    assert single.predict(Encoded(["a"], None)) == 1
    assert table.names() == ["a"]


def test_slots_outside_the_weights_are_left_alone() -> None:
    single, table, _, _ = perceptron([1.0])
    x = Encoded(["a"], None)
    x.held = Held(table, table.generation, array("I", [table.capacity]), None, len(table))
    assert single.predict(x) == 1, "looked up by name"
    table.known["b"] = table.capacity
    table.known["c"] = -2
    assert [single.predict({name: 1}) for name in "bc"] == [None, None]
    assert single.predict({"b"}) is None


def test_a_layout_that_changed_is_noticed() -> None:
    single, table, _, _ = perceptron([1.0])
    table.layout += 1
    assert single.predict({"a": 1}) is None
    assert single.learn({"a": 1}, 1) is None


def test_labels() -> None:
    table, labels = table_of("a"), Labels()
    weights, scalars = table.by_slot(array("d", [1.0])), array("d", bytes(40))
    single = additive(table, labels, weights, scalars, 1.0)
    assert single.predict({"a": 1}) is None, "which pair it is, is not settled"
    assert single.learn({"a": 1}, 1) is None, "which pair it is, is not settled"
    assert [labels.code(-1), labels.code(1)] == [0, 1]
    assert [single.learn({"a": 1}, label) for label in (1, "+1", True, 1.0, -1)] == [1] * 5
    assert single.predict({"a": 1}) == -1


def test_buffers_that_do_not_fit() -> None:
    table, labels = table_of("a"), Labels((0, 1))
    weights = table.by_slot(array("d", [1.0]))
    owner, scalars, words = (new_lock(), table, labels, 9, True), array("d", bytes(24)), weights.cast("B").cast("Q")
    for make in (
        lambda kept, more: SingleRowAROW(owner, kept, more, True, 1.0),
        lambda kept, more: SingleRowPassiveAggressive(owner, kept, more, True, 1.0, 0.0),
        lambda kept, more: SingleRowBalancedWinnow(owner, weights, kept, more, True, 1.0, 0.0),
        lambda kept, more: SingleRowAdditive(owner, weights, words, more, True, 1.0, (kept, more, array("q", [0]))),
    ):
        with pytest.raises(ValueError, match="one weight per slot"):
            make(weights[:-1], array("d", bytes(80)))
        with pytest.raises(ValueError, match="too few numbers"):
            make(array("d", bytes(32 * table.capacity)), scalars)
    powers = PowerTable(2.0, 8, -64, 64)
    frame, counts = array("q", [*powers.frame, True, True, True, False]), array("q", bytes(8 * 260))
    cells = starts = table.by_slot(array("B", [1]))
    good: dict[str, Any] = {
        "cells": cells, "starts": starts, "frame": frame, "power": powers.power, "half": HALF, "theta": 1.0,
        "counts": counts,
    }  # fmt: skip
    owner = new_lock(), table, labels, 9, True
    SingleRowWinnow(owner, *good.values())
    for name in ("cells", "starts", "frame", "power", "half", "counts"):
        with pytest.raises(ValueError, match=r"one weight per slot|table of powers"):
            SingleRowWinnow(owner, *(good | {name: good[name][:-1]}).values())


LINEAR = (
    "perceptron", "averaged-perceptron", "passive-aggressive", "balanced-winnow", "arow", "winnow2",
)  # fmt: skip


@pytest.mark.parametrize("name", LINEAR)
def test_the_general_way_has_the_same_result(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known and new names, ids, ones and numbers, encoded ones too; and values that no sum outlives."""
    if not compiled():
        pytest.skip("uncompiled, there is no single-row path")
    draw = random.Random(5)
    make: Any = registry.find(name)
    fast, slow = make(labels=(0, 1)), make(labels=(0, 1))
    monkeypatch.setattr(slow, "_make_single_row", lambda limit: None)
    numbers = name != "winnow2"
    taken = 0
    for k in range(400):
        x: Any = {f"w{draw.randrange(12 + k // 8)}": 1 for _ in range(draw.randrange(7))}
        if draw.random() < 0.1:
            x[str(draw.randrange(1, 9))] = 1
        if numbers and draw.random() < 0.6:
            x = {word: draw.choice([draw.gauss(0, 1), 2, -3, 0, 1.0, True]) for word in x}
        if numbers and k % 97 == 96:
            x["w1"] = draw.choice([1e200, -1e308, 1e-320])
        y = int("w3" in x or draw.random() < 0.3)
        if draw.random() < 0.2:
            x = fast.encode(x)
        said = []
        for learner in (fast, slow):
            try:
                said.append((learner.predict_one(x), learner.learn_one(x, y)))
            except BadData as error:
                said.append((str(error), None))
        taken += fast._single_row is not None and fast._single_row.done
        if fast._single_row is not None:
            fast._single_row.done = False
        assert said[0] == said[1], (k, x)
    assert taken > 150
    kept = [{key: bytes(model_file.as_array(v)) for key, v in learner._arrays().items()} for learner in (fast, slow)]
    assert kept[0] == kept[1]
    assert fast.attributes.names() == slow.attributes.names()


@given(st.lists(st.integers(1, 40), max_size=12))
def test_start_weights(counts: list[int]) -> None:
    """New attributes get the start weight that the kernel for blocks would give them."""
    kept, table = Exponents(1.5, 1.0, grows=True, eliminates=False, or_equal=False), AttributeTable()
    commit(kept.move(take_move(table)))
    single = SingleRowWinnow(
        (new_lock(), table, Labels((0, 1)), 1 << 40, True), kept.cells, kept.starts, kept.frame, kept.table.power, HALF,
        1e9, kept.state,
    )  # fmt: skip
    number, expected = 0, []
    for count in counts:
        assert single.learn({f"w{number + k}" for k in range(count)}, 0) == 0
        number += count
        expected += [start_exponent(number)] * count
    assert [kept.term(slot) for slot in table.slots()] == [(0, s) for s in expected]
    assert kept.seen == number
    assert kept.start_sum() == sum(2.0**-s for s in expected)


@given(st.lists(texts, max_size=4), st.booleans())
def test_names_enter_as_they_would_one_by_one(groups: list[list[str]], small: bool) -> None:
    table, twin = AttributeTable(), AttributeTable()
    if small:
        table._blob, table._order = table._blob[:3], table._order[:2]
    for group in groups:
        new = [name for name in group if name not in twin]
        first = table.add_texts(list(new)) if new else -1
        for k, name in enumerate(sorted(new)):
            assert twin.add(name) == first + k == table.known[name]
        assert table.names() == twin.names()
        assert table.arrays() == twin.arrays()
        table.known.clear()
        assert table.slots_of(group) == twin.slots_of(group)


def test_names_without_room_do_not_enter() -> None:
    for part, size in {
        "_order": 1,
        "_extra_keys": FIRST_PLACES + 1,
        "_blob": 7,
        "_ends": 2,
        "_text_places": 4,
    }.items():
        table = AttributeTable()
        setattr(table, part, getattr(table, part)[:size])
        before = table._state.tobytes()
        assert table.enter_names(["a", "b"], table.dense) == -1, part
        assert (table._state.tobytes(), table.known) == (before, {})
