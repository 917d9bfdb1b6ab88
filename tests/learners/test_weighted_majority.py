"""Weighted majority: the twins agree, the bounds hold and are approached, any object may be an expert."""

from __future__ import annotations

from fractions import Fraction
from math import log, log2
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.ledger import Ledger
from mistakebound.kernels import ensemble as kernel
from naive.perceptron import NaivePerceptron
from naive.weighted_majority import NaiveRandomized, NaiveWeightedMajority
from naive.winnow2 import NaiveWinnow2

names = st.sampled_from(["1", "10", "9", "2", "33"])
trials = st.lists(st.tuples(st.sets(names, max_size=4), st.sampled_from([0, 1])), max_size=40)
betas = st.sampled_from([0.5, 0.25, 0.7, 0.99, 1e-9, 1 - 2.0**-50])
EXPERTS = ["perceptron", "perceptron(eta=0.1,bias=false)", "winnow2(alpha=2,n=40)", "winnow2(alpha=2,n=40,theta=2)"]


def naive(x: Any) -> dict[str, float]:
    return dict.fromkeys(x, 1.0)


class OnSets:
    """A naive learner of sets behind the interface of one of mappings."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def predict(self, x: Any) -> int:
        return int(self.inner.predict(set(x)))

    def learn(self, x: Any, label: int) -> None:
        self.inner.learn(set(x), label)


def twins() -> list[Any]:
    return [
        NaivePerceptron(1.0, True), NaivePerceptron(0.1, False), OnSets(NaiveWinnow2(2.0, 40.0, True, ">")),
        OnSets(NaiveWinnow2(2.0, 2.0, True, ">")),
    ]  # fmt: skip


@pytest.mark.kernel
@given(st.integers(1, 4), betas, trials)
def test_twin_agrees(count: int, beta: float, played: Any) -> None:
    learner, twin = (
        mb.WeightedMajority(EXPERTS[:count], beta, labels=(0, 1)),
        NaiveWeightedMajority(twins()[:count], beta),
    )
    for x, label in played:
        assert learner.predict_one(x) == twin.predict(naive(x))
        assert learner.learn_one(x, label) == twin.learn(naive(x), label)
        whole = sum(twin.weights)
        for (_, _, share), weight in zip(learner.experts(), twin.weights, strict=True):
            assert share == pytest.approx(float(weight / whole), abs=1e-12)


@pytest.mark.kernel
@given(st.integers(1, 4), betas, trials, st.integers(0, 9))
def test_randomized_twin_agrees(count: int, beta: float, played: Any, seed: int) -> None:
    learner = mb.learners.RandomizedWeightedMajority(EXPERTS[:count], beta, random_state=seed, labels=(0, 1))
    draws = [Fraction(kernel.draw(seed, trial), 1 << 53) for trial in range(len(played) + 1)]
    twin = NaiveRandomized(twins()[:count], beta, draws)
    for x, label in played:
        assert learner.learn_one(x, label) == twin.learn(naive(x), label)
    assert learner.expected_mistakes == pytest.approx(float(twin.expected), rel=1e-9)


class Fixed:
    """Says what it is told to, in order; learns nothing."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers, self.at = answers, 0

    def predict_one(self, x: Any) -> Any:
        return self.answers[self.at]

    def learn_one(self, x: Any, y: Any) -> None:
        self.at += 1


@given(st.integers(1, 7), st.lists(st.integers(0, 2**7 - 1), max_size=60), betas, st.integers(0, 10**6))
def test_bounds_hold_whatever_experts_and_labels_do(count: int, votes: list[int], beta: float, seed: int) -> None:
    """The majority's mistakes are within its theorem, the randomized one's expected mistakes within its own."""
    draw = Random(seed)
    said = [[vote >> e & 1 for vote in votes] for e in range(count)]
    whole = mb.WeightedMajority([Fixed(answers) for answers in said], beta, labels=(0, 1))
    drawn = mb.learners.RandomizedWeightedMajority([Fixed(answers) for answers in said], beta)
    ledger = Ledger(whole.labels)
    for row in range(len(votes)):
        label = draw.choice([0, 1, 1 - whole.predict_one({"a"})])
        ledger.record(label, whole.learn_one({"a"}, label))
        drawn.learn_one({"a"}, label)
        assert row + 1 == ledger.trials
    fewest = min(mistakes for _, mistakes, _ in whole.experts())
    bound = whole.bound()
    assert bound.value == pytest.approx((fewest * log(1 / beta) + log(count)) / log(2 / (1 + beta)), rel=1e-6, abs=1e-9)
    assert ledger.mistakes <= (bound.mistakes or 0)
    assert drawn.expected_mistakes <= (drawn.bound().value or 0) * (1 + 1e-9) + 1e-9


def test_the_bound_with_2_41_is_approached() -> None:
    """Half of the weight is wrong at every trial, and so is the majority: nearly log2(N)/log2(4/3) mistakes."""
    count = 1 << 10
    experts = [Fixed([]) for _ in range(count)]
    learner, mistakes = mb.WeightedMajority(experts), 0
    while True:
        weights = sorted(((1 << (99 - wrong), k) for k, (_, wrong, _) in enumerate(learner.experts())), reverse=True)
        half, wrong = sum(weight for weight, _ in weights), set()
        for weight, k in weights:  # as little more than half as can be
            if half > 0 and k:
                wrong.add(k)
                half -= 2 * weight
        if half > 0:
            break
        for k, expert in enumerate(experts):
            expert.answers.append(0 if k in wrong else 1)
        mistakes += learner.learn_one({"a"}, 1) != 1
    best = learner.experts()[0][1]
    assert best == 0
    bound = learner.bound()
    assert mistakes <= (bound.mistakes or 0)
    assert mistakes >= 0.8 * log2(count) / log2(4 / 3)
    assert float(bound) <= 2.41 * (best + log2(count))


def test_the_theorem_at_one_half_and_told_facts() -> None:
    learner = mb.WeightedMajority("perceptron,perceptron(eta=2),winnow2,winnow1")
    bound = learner.bound(m=10)
    assert bound.theorem is not None
    assert bound.theorem.name == "the weighted majority theorem at beta = 1/2"
    assert bound.value == pytest.approx(12 / log2(4 / 3))
    assert bound.assumption == "one of the 4 experts makes at most 10 mistakes"
    by_margin = learner.bound(margin=0.5, radius=1)
    assert by_margin.value == pytest.approx(6 / log2(4 / 3))
    assert "margin 0.5" in by_margin.assumption
    with pytest.raises(mb.BadParameter, match="not a fact that weighted-majority can use"):
        learner.bound(depth=3)
    learner.learn_one({"a"}, 1)
    ledger = mb.play(learner, [({"a"}, 1)])
    assert ledger.bound is None  # it had learned before


def test_one_run_refutes_no_expectation() -> None:
    learner = mb.learners.RandomizedWeightedMajority([Fixed([0] * 30 + [1]), Fixed([1] * 31)], 0.9)
    ledger = mb.play(learner, [({"a"}, 1)] * 30, assume={"m": 0})
    assert ledger.bound is not None
    assert ledger.bound.value == pytest.approx(log(2) / 0.1)
    assert ledger.verdict.kind == "within"
    assert "in expectation" in ledger.verdict
    worse = Ledger(learner.labels)
    for _ in range(30):
        worse.record(1, 0)
    worse.bound = ledger.bound
    assert worse.verdict.kind == "above expectation"
    assert "one run refutes no expectation" in worse.verdict


def test_the_average_over_seeds_is_near_the_expectation() -> None:
    draw = np.random.default_rng(5)
    X, y = draw.integers(0, 2, (200, 9)), draw.integers(0, 2, 200)
    counts, expected = [], 0.0
    for seed in range(40):
        learner = mb.learners.RandomizedWeightedMajority("perceptron,winnow2", random_state=seed)
        counts.append(int((learner.learn_many(X, y) != y).sum()))
        expected = learner.expected_mistakes
    assert abs(sum(counts) / 40 - expected) < 4 * (expected / 40) ** 0.5
    assert len(set(counts)) > 3


@pytest.mark.kernel
@pytest.mark.parametrize("kind", [mb.WeightedMajority, mb.learners.RandomizedWeightedMajority])
@pytest.mark.parametrize("beta", [0.5, 0.7])
def test_blocks_equal_one_by_one(kind: Any, beta: float) -> None:
    draw = Random(3)
    X = np.array([[float(draw.random() < 0.3) for _ in range(12)] for _ in range(150)])
    y = [int(x[:3].any()) if draw.random() < 0.9 else draw.randrange(2) for x in X]
    experts = [*EXPERTS, mb.Perceptron(eta=3)]
    single = kind(experts, beta, labels=(0, 1))
    said = [single.learn_one(x, label) for x, label in zip(X, y, strict=True)]
    for size in (1, 4, 150):
        learner, heard = kind(experts, beta, labels=(0, 1)), []
        for first in range(0, 150, size):
            heard += learner.learn_many(X[first : first + size], y[first : first + size]).tolist()
        assert heard == said
        assert learner._header() == single._header()
        assert {k: bytes(v) for k, v in learner._all_arrays().items()} == {
            k: bytes(v) for k, v in single._all_arrays().items()
        }


class Remembers:
    """Says the label that it heard last."""

    def __init__(self) -> None:
        self.last: Any = None
        self.heard: list[Any] = []

    def predict_one(self, x: Any) -> Any:
        return self.last

    def learn_one(self, x: Any, y: Any) -> None:
        self.last = y
        self.heard.append((dict(x), y))


def test_any_object_may_be_an_expert(tmp_path: Path) -> None:
    guest = Remembers()
    learner = mb.WeightedMajority(["perceptron", guest])
    learner.learn_many(np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 1.0]]), [1, -1, -1])
    learner.learn_one({"7": 2.0, "8": 0.0}, 1)
    assert guest.heard == [({"1": 1.0}, 1), ({"2": 0.5}, -1), ({"1": 1.0, "2": 1.0}, -1), ({"7": 2.0}, 1)]
    assert learner.experts()[1][:2] == ("object Remembers", 3)
    hypothesis = learner.hypothesis
    assert hypothesis({"1"}) == learner.predict_one({"1"})
    learner.learn_one({"1"}, -1)
    assert hypothesis._frozen._experts[1].given is not guest
    with pytest.raises(mb.BadParameter, match="a model file cannot hold expert"):
        learner.save(tmp_path / "m.mb")
    guest.last = "perhaps"
    with pytest.raises(mb.BadData, match="the expert Remembers says 'perhaps'"):
        learner.predict_one({"1"})


def test_a_learner_that_has_learned_keeps_what_it_knows(tmp_path: Path) -> None:
    known = mb.Winnow2()
    for _ in range(8):
        known.learn_one({"a"}, 1)
        known.learn_one({"b"}, 0)
    learner = mb.WeightedMajority([known, "perceptron"], labels=(0, 1))
    assert learner.predict_one({"a"}) in (0, 1)
    learner.learn_one({"a"}, 1)
    learner.learn_one({"b"}, 0)
    assert learner.experts()[0][:2] == ("object Winnow2", 0)
    assert len(known.attributes) == 2
    learner.save(tmp_path / "m.mb")
    again = mb.load(tmp_path / "m.mb").learner
    assert again._header() == learner._header()
    for word in ("a", "b", "c"):
        assert again.predict_one({word}) == learner.predict_one({word})
        assert again.learn_one({word}, 1) == learner.learn_one({word}, 1)
    assert again.experts() == learner.experts()


def test_values_that_an_expert_does_not_take_are_refused_by_its_name() -> None:
    learner = mb.WeightedMajority("perceptron,winnow2")
    with pytest.raises(mb.BadData, match="winnow2 in weighted-majority takes 0 and 1 only"):
        learner.learn_one({"a": 0.5}, 1)
    with pytest.raises(mb.BadData, match=r"row 1: .*winnow2 in weighted-majority takes 0 and 1 only"):
        learner.learn_many([[1.0], [0.5]], [1, 0])


def test_labels_that_fit_no_concept_of_one_expert_end_the_play_for_all() -> None:
    rows = [({"1"}, 1), ({"2"}, 0), ({"1"}, 0), ({"2"}, 1)]
    learner = mb.WeightedMajority("perceptron,disjunction-elimination(n=2)")
    for x, y in rows[:3]:
        learner.learn_one(x, y)
    before = learner._header(), {k: bytes(v) for k, v in learner._all_arrays().items()}
    with pytest.raises(mb.NoConsistentHypothesis):
        learner.learn_one(*rows[3])
    assert (learner._header(), {k: bytes(v) for k, v in learner._all_arrays().items()}) == before
    block = mb.WeightedMajority("perceptron,disjunction-elimination(n=2)")
    ledger = Ledger(block.labels)
    block.learn_many(np.array([[1, 0], [0, 1], [1, 0], [0, 1]]), [1, 0, 0, 1], ledger=ledger)
    assert ledger.verdict.kind == "inconsistent"
    assert (block._header(), {k: bytes(v) for k, v in block._all_arrays().items()}) == before


def test_bad_experts_are_refused() -> None:
    for experts in (
        "",
        [],
        ["perceptron", 7],
        "perceptron,no-such",
        "one-vs-all",
        "perceptron(eta=0)",
        "perceptron(eta",
    ):
        with pytest.raises(mb.BadParameter, match="experts must be online learners"):
            mb.WeightedMajority(experts)
    for beta in (0, 1, -1, 2, "half"):
        with pytest.raises(mb.BadParameter, match="beta must be a number > 0 and < 1"):
            mb.WeightedMajority(beta=beta)
    with pytest.raises(mb.BadParameter, match="given as an object"):
        mb.WeightedMajority("object Remembers")


def test_one_against_all_may_be_an_expert() -> None:
    """Of the two labels that there are; it knows none of them at first."""
    learner = mb.WeightedMajority([mb.OneVsAll(), "perceptron"])
    ledger = mb.Ledger(learner.labels)
    learner.learn_many(np.eye(3)[[0, 1, 0, 1, 2, 0]], [0, 1, 0, 1, 1, 0], ledger=ledger)
    assert (ledger.trials, ledger.abstentions) == (6, 0)
    assert learner.copy().predict_one({"2"}) == 1


def test_ensembles_within_ensembles() -> None:
    learner = mb.OneVsAll(mb.WeightedMajority("perceptron,winnow2", beta=0.25))
    assert learner.settings["base"] == "weighted-majority(experts=perceptron,winnow2,beta=0.25)"
    for _ in range(3):
        for word in ("miaow", "woof", "moo"):
            learner.learn_one({word}, word)
    assert [learner.predict_one({word}) for word in ("miaow", "woof", "moo")] == ["miaow", "woof", "moo"]
    assert learner.copy().predict_one({"moo"}) == "moo"


@pytest.mark.parametrize("what", ["count", "negative", "trials", "expected", "experts"])
def test_forged_model_files_are_refused(tmp_path: Path, what: str) -> None:
    learner, path = mb.learners.RandomizedWeightedMajority("perceptron,winnow2"), tmp_path / "m.mb"
    learner.learn_many(np.eye(3), [0, 1, 0])
    learner.save(path)
    header, arrays = model_file.read(path)
    if what == "count":
        arrays["mistakes"].append(1)
    elif what == "negative":
        arrays["mistakes"][0] = -1
    elif what == "trials":
        header["state"]["trials"] = 0
    elif what == "expected":
        arrays["expected"][0] = float("nan")
    else:
        header["parameters"]["experts"] = "perceptron"
    model_file.write(path, header, arrays)
    with pytest.raises(mb.errors.BadModel):
        mb.load(path)


def test_an_expert_that_is_bounded_in_expectation_bounds_nobody() -> None:
    told = {"margin": 0.5, "radius": 1}
    alone = mb.WeightedMajority(["randomized-weighted-majority"])
    assert "expectation" in str(alone.bound(**told).failed)
    one, both = (mb.WeightedMajority([*drawn, "perceptron"]) for drawn in ([], ["randomized-weighted-majority"]))
    assert (one.bound(**told).facts["m"], both.bound(**told).facts["m"]) == (4, 4)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_whoever_stops_has_learned_the_rows_before(place: int) -> None:
    """Three experts that may stop, of whom one does in the middle of a block: first, second or last."""
    etas = ["1e300", "1e301", "1e302"]
    etas[place] = "1.7e308"
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), [0, 1, 1, 0]
    whole, single = (mb.WeightedMajority([f"perceptron(eta={eta})" for eta in etas], labels=(0, 1)) for _ in range(2))
    with pytest.raises(mb.BadData, match=r"row \d: .*range of doubles") as stopped:
        whole.learn_many(X, y)
    assert stopped.value.row == 2
    for x, label in zip(X[:2], y[:2], strict=True):
        single.learn_one(x, label)
    kept = [{name: bytes(numbers) for name, numbers in learner._all_arrays().items()} for learner in (whole, single)]
    assert kept[0] == kept[1]
    assert any(single.expert(place).weights().values())


def test_a_learner_that_is_given_stays_as_it_is() -> None:
    """A copy plays; what the ensemble gives away is a copy again, and its own copies go their own way."""
    given = mb.Perceptron()
    given.learn_one({"a"}, 1)
    learner = mb.WeightedMajority([given, "perceptron"])
    learner.learn_one({"a", "b"}, 0)
    assert (given.weights(), learner.expert(0).weights()) == ({"a": 1.0}, {"a": 0.0, "b": -1.0})
    learner.expert(0).learn_one({"c"}, 1)
    learner.copy().learn_one({"d"}, 1)
    assert list(learner.expert(0).weights()) == ["a", "b"]


@pytest.mark.parametrize("make", [lambda member: mb.WeightedMajority([member]), mb.OneVsAll])
def test_what_a_member_cannot_keep_is_refused(make: Any) -> None:
    for member in (mb.Perceptron(costs={1: 10}), mb.transforms.expand(mb.Perceptron(costs={1: 10}), 2)):
        with pytest.raises(mb.BadParameter, match="costs must be declared for the ensemble"):
            make(member)
    with pytest.raises(mb.BadParameter, match="labels must be declared for the ensemble"):
        make(mb.Perceptron(labels=("p", "q")))
    with pytest.raises(mb.BadParameter, match="cross appears twice"):
        make("expand(learner=arow,cross=2,cross=3)")
