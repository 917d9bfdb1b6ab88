"""One against all: the twin agrees, the sum of the bounds holds and is met, labels may appear at any time."""

from __future__ import annotations

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
from naive.one_vs_all import NaiveOneVsAll
from naive.perceptron import NaivePerceptron
from naive.winnow2 import NaiveWinnow2

NAMES = ["1", "10", "9", "b", "a", "é", "9223372036854775808"]
names = st.sampled_from(NAMES)
values = st.sampled_from([1.0, -1.0, 0.1, 0.3, 7.7, 0.0, 1e9])
labels = st.sampled_from(["cat", "dog", "cow", 3, 4.5])
trials = st.lists(st.tuples(st.dictionaries(names, values, max_size=5), labels), max_size=30)


@pytest.mark.kernel
@given(st.sampled_from([1.0, 0.1]), st.booleans(), trials, st.sampled_from([None, ["cow", "dog", "cat", 4.5, 3]]))
def test_twin_agrees_with_perceptrons(eta: float, bias: bool, played: Any, declared: Any) -> None:
    learner = mb.OneVsAll("perceptron", labels=declared, eta=eta, bias=bias)
    twin = NaiveOneVsAll(lambda: NaivePerceptron(eta, bias), 0.0, declared)
    for x, label in played:
        assert learner.predict_one(x) == twin.predict(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        for other, base in twin.bases.items():
            assert {k: v for k, v in learner.base(other).weights().items() if v} == {
                k: v for k, v in base.w.items() if v
            }
            assert learner.base(other).bias == base.bias


class ScoredWinnow2(NaiveWinnow2):
    def score(self, active: set[str]) -> float:
        return float(sum(self.weight(name, active) for name in active))


@pytest.mark.kernel
@given(st.lists(st.tuples(st.sets(names, max_size=5), labels), max_size=30), st.sampled_from([None, 12]))
def test_twin_agrees_with_winnow(played: Any, n: int | None) -> None:
    """Start weights of an undeclared n depend on what has appeared: a newcomer has seen all of it."""
    played = [({name for name in x if name != "9223372036854775808" and name.isdigit()}, y) for x, y in played]
    learner = mb.OneVsAll("winnow2", n=n, alpha=2.0)
    twin = NaiveOneVsAll(lambda: ScoredWinnow2(2.0, float(n or 1), n is not None, ">"), float(n or 1))
    for x, label in played:
        assert learner.learn_one(x, label) == twin.learn(x, label)


def stream(seed: int, rows: int, classes: int = 4) -> tuple[np.ndarray[Any, Any], list[str]]:
    draw = Random(seed)
    X = np.array([[draw.choice([0.0, 0.0, 1.0, 0.5]) for _ in range(9)] for _ in range(rows)])
    y = [f"c{int(np.argmax(x[:classes]))}" if draw.random() < 0.9 else "odd" for x in X]
    return X, y


@pytest.mark.kernel
@pytest.mark.parametrize("base", ["perceptron", "winnow2", "disjunction-elimination(n=20)"])
def test_blocks_equal_one_by_one(base: str) -> None:
    X, y = stream(1, 120)
    X = X if base == "perceptron" else (X > 0).astype(float)
    if base.startswith("disjunction"):  # labels that each are a disjunction
        y = ["a" if x[0] or x[1] else "b" if False else "none" for x in X]
        X = np.column_stack([X, [float(label == "none") for label in y]])
    single, ledger = mb.OneVsAll(base), Ledger(None)
    ledger.labels = single.labels
    said = []
    for x, label in zip(X, y, strict=True):
        said.append(single.learn_one(x, label))
        ledger.record(label, said[-1])
    for size in (1, 3, 50, 120):
        learner, other = mb.OneVsAll(base), Ledger(None)
        heard: list[Any] = []
        for first in range(0, len(y), size):
            heard += learner.learn_many(X[first : first + size], y[first : first + size], ledger=other).tolist()
        assert heard == said
        assert learner.labels.values == single.labels.values
        assert learner._header() == single._header()
        assert {k: bytes(v) for k, v in learner._all_arrays().items()} == {
            k: bytes(v) for k, v in single._all_arrays().items()
        }
        assert (other.trials, other.mistakes, other.abstentions) == (ledger.trials, ledger.mistakes, 1)
        assert other.confusion == ledger.confusion
        assert list(other.mistake_trials) == list(ledger.mistake_trials)


def test_the_order_of_appearance_does_not_matter_to_what_a_base_learner_knows() -> None:
    X, y = stream(2, 80)
    open_set, closed = mb.OneVsAll(), mb.OneVsAll(labels=sorted(set(y)))
    open_set.learn_many(X, y)
    closed.learn_many(X, y)
    for label in sorted(set(y)):
        assert open_set.base(label).hypothesis == closed.base(label).hypothesis


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_bound_holds_on_separable_data(seed: int, classes: int) -> None:
    """Each label is separated from the others: the mistakes are at most the sum of Novikoff's bounds and the labels."""
    draw = np.random.default_rng(seed)
    learner, ledger = mb.OneVsAll(), Ledger()
    margin = 0.4 / (1 + 0.5**2) ** 0.5  # u = (e_label, -1/2), x = e_label + noise of at most 0.1 each
    labels = draw.integers(0, classes, 200)
    learner.learn_many(draw.uniform(-0.1, 0.1, (200, classes)) + np.eye(classes)[labels], labels, ledger=ledger)
    bound = learner.bound(margin=margin)
    assert 0 < ledger.mistakes <= float(bound)
    assert bound.facts["labels"] == len(learner.labels.values)


def test_bound_is_met_by_first_appearances() -> None:
    """Base learners that never err again: all mistakes are labels that appear, but for the first, which is None."""
    learner = mb.OneVsAll("disjunction-elimination", n=9)
    ledger = Ledger(learner.labels)
    for j in range(1, 8):
        ledger.record(f"label {j}", learner.learn_one({str(j)}, f"label {j}"))
    assert (ledger.mistakes, ledger.abstentions, len(learner.labels.values)) == (6, 1, 7)


def test_a_mistake_of_one_base_learner_is_needed() -> None:
    """Without the count of labels the bound would be wrong: the bases make no mistake at a first appearance but one."""
    X, y = stream(3, 80)
    learner = mb.OneVsAll()
    for x, label in zip(X, y, strict=True):
        known = label in learner.labels.values
        right = known and all(
            (learner.base(other).predict_one(x) == 1) == (other == label) for other in learner.labels.values
        )
        said = learner.learn_one(x, label)
        assert said == label or not right


def test_the_first_answer_is_dont_know_and_counts_as_such() -> None:
    learner = mb.OneVsAll()
    assert learner.predict_one({"a"}) is None
    assert learner.predict_many(np.eye(2)).tolist() == [None, None]
    ledger = mb.play(learner, [({"a"}, "x"), ({"a"}, "x"), ({"b"}, "y")])
    assert (ledger.trials, ledger.mistakes, ledger.abstentions) == (3, 1, 1)
    assert ledger.confusion == {("x", None): 1, ("x", "x"): 1, ("y", "x"): 1}
    assert mb.Ledger.restore(ledger.state(), learner.labels).confusion == ledger.confusion


def test_spellings_of_one_label_are_one() -> None:
    learner = mb.OneVsAll()
    for label in ("1", 1, True, 1.0, "+1", np.int64(1)):
        learner.learn_one({"a"}, label)
    assert learner.labels.values == ("1",)


def test_a_bad_row_with_a_new_label_leaves_no_trace() -> None:
    learner = mb.OneVsAll("winnow2")
    learner.learn_one({"a"}, "x")
    before = learner._header(), {k: bytes(v) for k, v in learner._all_arrays().items()}
    for x, y in (({"a": 2.0}, "new"), ("text", "new"), ({"a"}, None), ({"a"}, [1])):
        with pytest.raises(mb.BadData):
            learner.learn_one(x, y)
        with pytest.raises(mb.BadData):
            learner.learn_many([[2.0]], [y])
    assert (learner._header(), {k: bytes(v) for k, v in learner._all_arrays().items()}) == before


def test_a_sum_beyond_the_doubles_is_refused_and_nobody_has_seen_the_row() -> None:
    rows = [([1e308, 1.0], "a"), ([1.0, 1e308], "b"), ([-1e308, -1e308], "a"), ([1.0, 2.0], "c")]
    expected = mb.OneVsAll()
    stopped = 0
    for k, (x, y) in enumerate(rows):
        try:
            expected.learn_one(x, y)
        except mb.BadData:
            stopped = k
            break
    assert stopped
    learner = mb.OneVsAll()
    with pytest.raises(mb.BadData, match=f"row {stopped}: .*range of doubles"):
        learner.learn_many(np.array([x for x, _ in rows]), [y for _, y in rows])
    assert {k: bytes(v) for k, v in learner._all_arrays().items()} == {
        k: bytes(v) for k, v in expected._all_arrays().items()
    }
    assert learner._header() == expected._header()


def test_settings_of_the_base() -> None:
    assert repr(mb.OneVsAll(mb.Perceptron(eta=2), bias=False)) == "OneVsAll(base='perceptron(eta=2.0,bias=false)')"
    with pytest.raises(mb.BadParameter, match="eta must be a number > 0: 0"):
        mb.OneVsAll("perceptron", eta=0)
    with pytest.raises(mb.BadParameter, match="base must be an online learner"):
        mb.OneVsAll("one-vs-all")
    with pytest.raises(mb.BadParameter, match="base must be an online learner"):
        mb.OneVsAll("decision-tree")
    with pytest.raises(mb.BadParameter, match="at least two different labels"):
        mb.OneVsAll(labels=["a", "a"])


def test_weights_of_examples_go_to_the_base_learners(tmp_path: Path) -> None:
    learner = mb.OneVsAll()
    learner.learn_one({"a"}, "x", weight=3.0)
    assert learner.base("x").weights() == {"a": 3.0}
    learner.save(tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").learner.base("x").weights() == {"a": 3.0}
    with pytest.raises(mb.BadParameter, match="does not support"):
        mb.OneVsAll("decision-list-learner(n=3)").learn_one({"1"}, "x", weight=3.0)
    with pytest.raises(mb.BadParameter, match="takes whole weights"):
        mb.OneVsAll("winnow2").learn_one({"a"}, "x", weight=3.5)


@pytest.mark.parametrize("what", ["codes", "twice", "states", "labels", "weights"])
def test_forged_model_files_are_refused(tmp_path: Path, what: str) -> None:
    learner = mb.OneVsAll()
    learner.learn_many(*stream(4, 30))
    path = tmp_path / "m.mb"
    learner.save(path)
    header, arrays = model_file.read(path)
    if what == "codes":
        header["state"]["codes"][0] = 99
    elif what == "twice":
        header["state"]["codes"][0] = header["state"]["codes"][1]
    elif what == "states":
        header["state"]["members"].pop()
    elif what == "labels":
        header["labels"]["values"][0] = header["labels"]["values"][1]
    else:
        arrays["0.weights"].pop()
    model_file.write(path, header, arrays)
    with pytest.raises(mb.errors.BadModel):
        mb.load(path)


@pytest.mark.parametrize("base", ["perceptron", "passive-aggressive", "balanced-winnow(thickness=0)"])
def test_a_declared_label_that_never_comes_has_a_bound_too(base: str) -> None:
    """Its base learner was never wrong, and knows of no row how long it is."""
    ledger = mb.play(
        mb.OneVsAll(base, labels=["c", "a", "b"]), [({"x"}, "a"), ({"y"}, "b")] * 5, assume={"margin": 0.3}
    )
    assert ledger.verdict.kind == "within"
    wider = mb.OneVsAll("perceptron", labels=["c", "a", "b"])
    wide = mb.play(
        wider, [({"x": 3.0}, "a"), ({"y": 1.0}, "b"), ({"x": 3.0}, "b"), ({"x": 3.0}, "a")], assume={"margin": 0.5}
    )
    radii = [wider.base(label).facts().get("radius") for label in "cab"]
    assert radii[0] is None
    assert wide.bound.value == sum(int(4 * (radius or max(radii[1:])) ** 2) for radius in radii)
    assert f"longer than {max(radii[1:]):g}" in wide.bound.assumption


def test_bounds_in_expectation_refute_nothing() -> None:
    """Base learners that draw have bounds on expectations, and so has their ensemble."""
    learner = mb.OneVsAll("randomized-weighted-majority")
    rows = [({"x"}, "a"), ({"y"}, "b"), ({"z"}, "c")]
    ledger = mb.play(learner, rows * 3, assume={"m": 0})
    bound = ledger.bound
    assert bound.theorem.expected
    assert float(bound) == pytest.approx(3 * float(learner.base("a").bound(m=0)) + 3)
    draw = Random(1)
    noise = mb.play(
        mb.OneVsAll("randomized-weighted-majority"), [(x, draw.choice("abc")) for x, _ in rows * 9], assume={"m": 0}
    )
    assert (noise.mistakes > noise.bound.value, noise.verdict.kind) == (True, "above expectation")


def test_a_sum_of_bounds_of_hindsight_is_one() -> None:
    """At the trial of one more mistake than it allows now it was another."""
    draw = Random(3)
    rows = [({draw.choice("pq")}, draw.choice("abc")) for _ in range(60)]
    for base, told in (("arow", {"norm": 0.1}), ("perceptron", {"margin": 0.9})):
        ledger = mb.play(mb.OneVsAll(base), rows, assume=told)
        assert ledger.verdict.kind == "refuted"
        assert ("exceeded" in ledger.verdict) == (ledger.refuted_at is not None) == (base == "perceptron")
