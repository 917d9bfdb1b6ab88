"""The rules of probability on random tables: each side computed apart, over all events of two variables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

import mistakebound as mb

NAMES = ["a", "b", "c"]


def random_table(seed: int) -> mb.bayes.JointTable:
    draw = Random(seed)
    weights = {row: draw.choice([0, 0, 1, 2, 5]) for row in product((0, 1), (0, 1, 2), "xy")}
    return mb.bayes.JointTable(NAMES, weights | {(0, 0, "x"): 3})


@pytest.mark.parametrize("seed", range(8))
def test_all_rules_hold_for_all_events(seed: int) -> None:
    table = random_table(seed)
    events = [{"a": 1}, {"b": 2}, {"c": "x"}, {"a": 0, "c": "y"}, lambda row: row["a"] + row["b"] > 1]
    for first, second in product(events, repeat=2):
        if table.probability(second):
            assert table.product_rule(first, second).holds
        assert table.sum_rule([first, second]).holds
        assert table.chain_rule([first, second]).holds
        if table.probability(first) and table.probability(second):
            assert table.bayes_rule(first, second).holds
    assert table.sum_rule(events).holds
    assert table.chain_rule(events).holds
    for name in NAMES:
        found = table.total_probability(events[-1], name)
        assert found.holds
        assert len(found.terms) == len(table.values(name))


def test_by_hand() -> None:
    """Two dice: one shows six at least, by counting."""
    dice = mb.bayes.JointTable(["i", "j"], {(i, j): 1 for i in range(1, 7) for j in range(1, 7)})
    found = dice.sum_rule([{"i": 6}, {"j": 6}])
    assert (found.left, found.terms) == (Fraction(11, 36), (Fraction(1, 6), Fraction(1, 6), Fraction(-1, 36)))
    assert dice.independent(["i"], ["j"])
    assert dice.probability(lambda row: row["i"] + row["j"] == 12, given={"i": 6}) == Fraction(1, 6)


def test_independence_against_the_definition() -> None:
    coin = {(a, b, a ^ b): 1 for a, b in product((0, 1), repeat=2)}
    table = mb.bayes.JointTable(["a", "b", "x"], coin)
    assert table.independent(["a"], ["b"])
    assert table.independent(["a"], ["x"])
    assert not table.independent(["a"], ["b"], given=["x"])
    assert not table.independent(["a", "b"], ["x"])


def test_what_is_refused() -> None:
    with pytest.raises(mb.BadParameter, match="a row must have 2 values"):
        mb.bayes.JointTable(["a", "b"], {(0,): 1})
    with pytest.raises(mb.BadParameter, match="a weight must be a number >= 0: -1"):
        mb.bayes.JointTable(["a"], {(0,): -1})
    with pytest.raises(mb.BadParameter, match="weight above 0"):
        mb.bayes.JointTable(["a"], {(0,): 0})
    table = mb.bayes.JointTable(["a"], {(0,): 1, (1,): 0})
    with pytest.raises(mb.BadParameter, match="given must be an event"):
        table.probability({"a": 0}, given={"a": 1})
    with pytest.raises(mb.BadParameter, match="a variable must be one of a: 'z'"):
        table.probability({"z": 0})
