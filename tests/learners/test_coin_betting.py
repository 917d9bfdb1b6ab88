"""Coin betting: the twin agrees bit for bit, the wealth of each coin is what the lemma promises, the theorem holds."""

from __future__ import annotations

from array import array
from math import inf, log, log1p
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.learners.linear.coin_betting import regret
from naive.coin_betting import Coin, NaiveCoinBetting

CoinBetting = mb.learners.CoinBetting
names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775808"])
values = st.sampled_from([1.0, -1.0, 0.1, 0.3, -0.3, 1e-9, 1e6, 7.7, 0.0])
weights = st.sampled_from([1.0, 1.0, 0.3, 4.0])
trials = st.lists(
    st.tuples(st.dictionaries(names, values, max_size=6), st.sampled_from([0, 1]), weights), max_size=30
)  # fmt: skip


@pytest.mark.kernel
@given(st.sampled_from([1.0, 0.1, 3.7]), st.booleans(), trials)
def test_twin_agrees_bit_for_bit(wealth: float, bias: bool, played: Any) -> None:
    learner, twin = CoinBetting(wealth, bias, labels=(0, 1)), NaiveCoinBetting(wealth, bias)
    for x, label, weight in [*played, *played[::-1]]:
        assert learner.score_one(x) == twin.score(x)
        assert learner.learn_one(x, label, weight=weight) == twin.learn(x, label, weight)
        assert learner.weights() == twin.w
        assert list(learner.weights()) == list(twin.w)
        assert learner.bias == twin.bias
    assert learner.facts()["_put"] == pytest.approx(twin.put, rel=1e-9, abs=1e-12)
    for coin in twin.coins.values():
        assert coin.most == 0 or coin.wealth >= coin.promised * (1 - 1e-9)


@given(st.lists(st.sampled_from([-1.0, 1.0]), min_size=1, max_size=60))
def test_the_lemma_is_met_where_outcomes_are_as_large_as_they_can_be(outcomes: list[float]) -> None:
    """Then the bets are those of Krichevsky and Trofimov, whose wealth has a closed form."""
    coin = Coin(0.5)
    for outcome in outcomes:
        coin.hear(3 * outcome, 3.0)
    assert coin.wealth == pytest.approx(coin.promised, rel=1e-9)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.01, 100)), min_size=1, max_size=60))
def test_the_lemma_holds_for_outcomes_that_grow(outcomes: list[tuple[float, float]]) -> None:
    coin = Coin(1.0)
    for part, reach in outcomes:
        coin.hear(part * reach, reach)
        assert coin.wealth >= coin.promised * (1 - 1e-9)


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_the_loss_and_the_mistakes_are_within_the_theorem(heavy: bool, bias: bool, long: bool) -> None:
    """Against the vector that the labels come from, at many lengths; values of very different sizes, rare ones too."""
    draw = np.random.default_rng(3)
    for _ in range(6 if long else 3):
        target = draw.normal(size=5) * (draw.random(5) < 0.6) / [1, 10, 0.1, 1, 100]
        X = draw.normal(size=(300, 5)) * [1, 10, 0.1, 1, 100] * (draw.random((300, 5)) < 0.7)
        y = (X @ target + 0.3 * draw.normal(size=300) > 0).astype(int)
        c = draw.choice([0.5, 1.0, 5.0], size=300) if heavy else np.ones(300)
        learner, loss, mistakes, least = CoinBetting(bias=bias, labels=(0, 1)), 0.0, 0, inf
        for x, label, weight in zip(X, y, c, strict=True):
            score = learner.score_one(list(x))
            loss += weight * log1p(np.exp(-score if label else score))
            if learner.learn_one(list(x), label, weight=weight) != label:
                mistakes, least = mistakes + 1, min(least, weight)
        reach = (np.abs(X) * c[:, None]).max(axis=0)
        for length in (0.0, 0.3, 1.0, 3.0, 10.0):
            u = length * target
            signed = np.where(y == 1, 1, -1) * (X @ u)
            own, norm = float((c * np.logaddexp(0, -signed)).sum()), float((np.abs(u) * reach).sum())
            facts = learner.facts() | {"norm": norm}
            assert loss <= own + regret(facts)
            told = learner.bound(norm=norm, loss=own)
            assert told.value == pytest.approx((own + regret(facts)) / (least * log(2)))
            assert told.allows(mistakes)


def test_the_bound_refutes() -> None:
    """One instance with one label and the other in turn: no vector has a small loss on that."""
    learner = CoinBetting(bias=False, labels=(0, 1))
    mistakes = sum(learner.learn_one([1.0], t % 2) != t % 2 for t in range(400))
    assert not learner.bound(norm=1, loss=0).allows(mistakes)
    assert learner.bound(norm=0, loss=400 * log(2)).allows(mistakes)


def test_units_do_not_matter() -> None:
    """An attribute in other units has another weight and gives the same scores."""
    draw = Random(2)
    plain, scaled = CoinBetting(labels=(0, 1)), CoinBetting(labels=(0, 1))
    for _ in range(200):
        a, b = draw.gauss(0, 1), draw.gauss(0, 1)
        label = int(a > b)
        assert plain.score_one({"a": a, "b": b}) == scaled.score_one({"a": 1024 * a, "b": b / 64})
        plain.learn_one({"a": a, "b": b}, label)
        scaled.learn_one({"a": 1024 * a, "b": b / 64}, label)


def test_costs_are_weights_and_blocks_are_rows() -> None:
    draw = np.random.default_rng(5)
    X, y = draw.normal(size=(80, 3)), draw.integers(0, 2, 80)
    priced, weighed, block = CoinBetting(costs={1: 4}, labels=(0, 1)), CoinBetting(labels=(0, 1)), CoinBetting()
    for x, label in zip(X, y, strict=True):
        priced.learn_one(list(x), int(label))
        weighed.learn_one(list(x), int(label), weight=4.0 if label else 1.0)
    assert priced.weights() == weighed.weights()
    one = CoinBetting()
    said = [one.learn_one(list(x), int(label)) for x, label in zip(X, y, strict=True)]
    assert block.learn_many(X, y).tolist() == [0 if label is None else label for label in said]
    assert block.weights() == one.weights()


@pytest.mark.kernel
def test_overflow_leaves_no_trace() -> None:
    learner = CoinBetting(bias=False, labels=(0, 1))
    learner.learn_one({"a": 1.0}, 1)
    before = learner.hypothesis, learner.facts()
    for _ in range(2):
        learner.learn_one({"a": 1e308}, 0)
    before = learner.hypothesis, learner.facts()
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.learn_one({"new": 1.0, "a": 1e308}, 0)
    assert (learner.hypothesis, learner.facts()) == before


def test_a_model_file(tmp_path: Path) -> None:
    learner = CoinBetting(0.5, labels=("ham", "spam"))
    for x, label in (({"free", "now"}, "spam"), ({"lunch", "now"}, "ham")) * 3:
        learner.learn_one(x, label)
    learner.save(tmp_path / "model")
    again: Any = mb.load(tmp_path / "model").learner
    assert (again.hypothesis, again.facts(), again.weights()) == (
        learner.hypothesis,
        learner.facts(),
        learner.weights(),
    )
    assert repr(again) == "CoinBetting(wealth=0.5)"
    for name, damage in (
        ("totals", [1.0]), ("wealths", [inf, 1.0, 1.0]), ("sizes", [-1.0, 1.0, 1.0]), ("scalars", [0.0] * 6),
        ("scalars", [7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), ("scalars", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0]),
    ):  # fmt: skip
        header, arrays = model_file.read(tmp_path / "model")
        arrays[name] = type(arrays[name])("d", damage)
        model_file.write(tmp_path / "forged", header, arrays)
        with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
            mb.load(tmp_path / "forged")


def test_a_coin_that_bets_more_than_it_has_is_refused(tmp_path: Path) -> None:
    """The sum of gradients is never larger than the sum of their sizes; else a wealth would fall below 0."""
    learner = CoinBetting(labels=(0, 1))
    for k in range(30):
        learner.learn_one({"a": 1.0, "b": k % 3 - 1.0}, k % 2)
    learner.save(tmp_path / "coin.mb")
    header, arrays = model_file.read(tmp_path / "coin.mb")
    totals, sizes = (array("d", bytes(arrays[name])) for name in ("totals", "sizes"))
    assert all(abs(total) <= size for total, size in zip(totals, sizes, strict=True))
    totals[1] = sizes[1] * 1.5
    model_file.write(tmp_path / "broken.mb", header, dict(arrays) | {"totals": totals})
    with pytest.raises(mb.errors.BadModel, match="larger than that of their sizes"):
        mb.load(tmp_path / "broken.mb")
