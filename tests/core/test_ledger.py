"""The ledger: counts, further classes, abstentions, verdicts."""

from __future__ import annotations

import json
from array import array
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.labels import Labels
from mistakebound.core.ledger import Ledger
from mistakebound.core.many_labels import ManyLabels
from mistakebound.report.learning_curve import LearningRun
from mistakebound.report.ledger_text import bound_in_words

trials = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=50)


@given(trials, st.integers(1, 7))
def test_codes_in_blocks_equal_one_by_one(played: list[tuple[int, int]], size: int) -> None:
    single, blocks = Ledger(), Ledger()
    for label, prediction in played:
        single.record(label, prediction)
    labels, predictions = array("b", [y for y, _ in played]), array("b", [p for _, p in played])
    for first in range(0, len(played), size):
        blocks.record_codes(labels, predictions, first, min(first + size, len(played)))
    wrong = [number for number, (y, p) in enumerate(played, 1) if y != p]
    for ledger in (single, blocks):
        assert ledger.trials == len(played)
        assert list(ledger.mistake_trials) == wrong
        assert ledger.mistakes == len(wrong) == ledger.false_positives + ledger.false_negatives
        assert ledger.false_positives == played.count((0, 1))
        assert ledger.confusion == {pair: played.count(pair) for pair in set(played)}


def test_abstentions_are_no_mistakes() -> None:
    ledger = Ledger()
    for label, prediction in [(1, None), (0, None), (1, 1), (0, 1)]:
        ledger.record(label, prediction)
    assert (ledger.abstentions, ledger.mistakes, list(ledger.mistake_trials)) == (2, 1, [4])
    assert ledger.confusion == {(1, None): 1, (0, None): 1, (1, 1): 1, (0, 1): 1}


def test_many_classes_and_classes_that_appear_mid_stream() -> None:
    ledger = Ledger(Labels(("cat", "dog")))
    played = [("cat", "cat"), ("dog", "cat"), ("eel", "dog"), ("eel", "eel"), ("cat", "eel"), ("eel", None)]
    for label, prediction in played:
        ledger.record(label, prediction)
    assert ledger.confusion == dict.fromkeys(played, 1)
    assert (ledger.trials, ledger.mistakes, ledger.abstentions) == (6, 3, 1)
    assert list(ledger.mistake_trials) == [2, 3, 5]
    assert (ledger.false_negatives, ledger.false_positives) == (1, 0)


def test_predictions_before_the_pair_was_settled() -> None:
    learner = mb.Perceptron()
    ledger = Ledger(learner.labels)
    for x, y in [([1, 0], 1), ([0, 1], -1), ([0, 1], -1)]:
        ledger.record(y, learner.learn_one(x, y))
    assert ledger.confusion == {(1, -1): 1, (-1, 1): 1, (-1, -1): 1}


def test_a_fresh_ledger_takes_the_learners_labels() -> None:
    ledger = Ledger()
    mb.Perceptron().learn_many([[1.0, 0.0], [0.0, 1.0]], [1, -1], ledger=ledger)
    assert ledger.confusion == {(1, -1): 1, (-1, 1): 1}


def test_verdicts() -> None:
    ledger = Ledger()
    assert ledger.verdict.kind == "no bound"
    ledger.bound = mb.learners.DisjunctionElimination(1).bound()
    ledger.record(0, 1)
    assert ledger.verdict.kind == "within"
    ledger.record(0, 1)
    assert ledger.verdict.kind == "refuted"
    assert "monotone disjunction" in ledger.verdict
    ledger.inconsistency = "trial 2: no consistent conjunction"
    assert ledger.verdict.kind == "inconsistent"
    assert ledger.error_rate == 1.0


def test_a_refuted_verdict_says_what_is_known_and_since_when() -> None:
    ledger = Ledger()
    ledger.bound = mb.Winnow1(n=8).bound(k=1)
    for _ in range(ledger.bound.mistakes):
        ledger.record(0, 1)
        ledger.record(1, 1)
    assert (ledger.verdict.kind, ledger.refuted_at) == ("within", None)
    for _ in range(3):
        ledger.record(0, 1)
    first = 2 * ledger.bound.mistakes + 1
    assert ledger.refuted_at == first
    assert ledger.verdict == (
        f"{ledger.mistakes} mistakes, but Theorem 7 allows {ledger.bound.mistakes} (exceeded at trial {first}): "
        "no monotone disjunction of at most 1 of 8 attributes explains these labels"
    )
    again = Ledger.restore(ledger.state(), ledger.labels)
    again.bound = ledger.bound
    again.record(0, 1)
    assert again.refuted_at is None
    assert f"(exceeded before trial {first + 3})" in again.verdict
    within = Ledger.restore(Ledger().state() | {"trials": 4, "counts": [0, 4, 0, 0]}, Ledger().labels)
    within.bound = ledger.bound
    for _ in range(20):
        within.record(0, 1)
    assert within.refuted_at == ledger.bound.mistakes + 1


@pytest.mark.parametrize(("loss", "said"), [(0, "none with so many updates"), (30, "5")])
def test_a_bound_of_hindsight_was_another_at_the_trial_that_passed_it(loss: float, said: str) -> None:
    """AROW's bound falls with every update without a mistake, and below 0 these refute alone."""
    learner, ledger = mb.AROW(bias=False), Ledger()
    for number in range(40):
        label = number % 2 if number > 20 else 1
        ledger.record(label, learner.learn_one({"a"}, label))
    ledger.bound = learner.bound(norm=0.25, loss=loss)
    assert (ledger.bound.mistakes < 0) == (loss == 0)
    assert f"the sum of the updates allows {said}: this refutes the assumption that" in ledger.verdict
    assert ledger.refuted_at is None
    words = bound_in_words(ledger.bound)
    assert words.startswith(f"{said} by the sum of the updates")
    assert (LearningRun(ledger).bound is None) == (loss == 0)


def test_a_theorem_without_words_of_its_own_says_what_was_assumed() -> None:
    ledger = Ledger()
    ledger.bound = mb.Perceptron().bound(margin=1, radius=1)
    ledger.record(0, 1)
    ledger.record(0, 1)
    assert "(exceeded at trial 2): this refutes the assumption that some unit vector separates" in ledger.verdict


@given(st.lists(st.sampled_from([1, 0, None]), max_size=300), st.integers(0, 300), st.integers(1, 350))
def test_recent_errors(said: list[int | None], split: int, window: int) -> None:
    """Mistakes and abstentions; of a ledger restored from a model file, only the trials since then are known."""
    ledger = Ledger()
    for place, prediction in enumerate(said):
        if place == split:
            ledger = Ledger.restore(ledger.state(), ledger.labels)
        ledger.record(1, prediction)
    known = [prediction != 1 for prediction in (said[split:] if split < len(said) else said)]
    assert ledger.recent(window) == (min(window, len(known)), sum(known[-window:]))
    usual = min(len(known), max(100, len(known) // 10))
    assert ledger.recent() == (usual, sum(known[len(known) - usual :]))


def test_recent_errors_of_blocks_are_those_of_single_trials() -> None:
    said = [1, -1, 0, 1, -1, 1, 0]
    one_by_one, answers, many = Ledger(), Ledger(), Ledger(ManyLabels(("no", "yes")))
    for code in said:
        one_by_one.record(1, None if code < 0 else code)
    answers.record_answers([1] * len(said), said)
    many.record_codes(array("i", [1] * len(said)), array("i", said), 0, 3)
    many.record_codes(array("i", [1] * len(said)), array("i", said), 3, len(said))
    for ledger in (one_by_one, answers, many):
        assert list(ledger.mistake_trials) == [3, 7]
        assert list(ledger.abstention_trials) == [2, 5]
        assert [ledger.recent(window) for window in (1, 3, 7)] == [(1, 1), (3, 2), (7, 4)]


def test_the_usual_window_is_a_tenth_up_to_ten_thousand() -> None:
    codes = array("b", bytes(200_000))
    ledger = Ledger()
    ledger.record_codes(codes, codes, 0, 50_000)
    assert ledger.recent() == (5000, 0)
    ledger.record_codes(codes, codes, 0, 200_000)
    assert ledger.recent() == (10_000, 0)


def test_counts_go_on_after_a_model_file() -> None:
    ledger = Ledger(seed=7, start={"used": True})
    for label, prediction in [(1, 0), (0, 0), (0, 1), (1, None), ("red", 1)]:
        ledger.record(label, prediction)
    ledger.inconsistency = "no consistent hypothesis"
    again = Ledger.restore(json.loads(json.dumps(ledger.state())), ledger.labels)
    assert (again.trials, again.mistakes, again.abstentions, again.seed) == (5, 3, 1, 7)
    assert again.confusion == ledger.confusion
    assert again.start == {"used": True}
    assert again.verdict.kind == "inconsistent"
    again.record(1, 0)
    assert list(again.mistake_trials) == [6]


def test_answers_in_blocks_are_those_one_by_one() -> None:
    """-1 is "don't know": counted apart, and no mistake; a ledger goes on from a model file."""
    draw = Random(3)
    labels = [draw.randrange(2) for _ in range(300)]
    said = [draw.choice([-1, 0, 1]) for _ in labels]
    for pair in ((0, 1), ("no", "yes")):
        one, many = Ledger(Labels(pair)), Ledger(Labels(pair))
        for label, code in zip(labels, said, strict=True):
            one.record(pair[label], None if code < 0 else pair[code])
        for start in range(0, 300, 70):
            many.record_answers(np.array(labels[start : start + 70]), np.array(said[start : start + 70], np.int8))
        assert one.confusion == many.confusion
        assert one.abstentions == many.abstentions == said.count(-1)
        assert one.mistake_trials == many.mistake_trials
        assert (one.trials, one.mistakes, one.state()["trials"]) == (many.trials, many.mistakes, 300)
        again = Ledger.restore(many.state(), Labels(pair))
        assert (again.abstentions, again.mistakes, again.trials) == (many.abstentions, many.mistakes, 300)


@pytest.mark.parametrize("declared", [None, ("cow", "owl", "cat", "dog")])
def test_a_ledger_does_not_depend_on_blocks(declared: Any) -> None:
    """Nor does the model file that holds it."""
    draw = Random(5)
    names = ("cat", "dog", "cow", "owl")
    played = [(draw.choice(names), draw.choice((*names, None))) for _ in range(60)]
    for labels, trials, record in (
        (ManyLabels(declared), played, "record_codes"),
        (Labels(("cat", "dog")), [(y, None) for y, _ in played if y in ("cat", "dog")], "record_answers"),
    ):
        one = Ledger(labels)
        for label, prediction in trials:
            labels.code(label)
            one.record(label, prediction)
        truth = array(labels.code_type, [labels.code(label) for label, _ in trials])
        said = array(
            labels.code_type, [-1 if prediction is None else labels.code(prediction) for _, prediction in trials]
        )
        states = [one.state()]
        for size in (1, 7, 60):
            ledger = Ledger(labels)
            for first in range(0, len(trials), size):
                last = min(first + size, len(trials))
                if record == "record_codes":
                    ledger.record_codes(truth, said, first, last)
                else:
                    ledger.record_answers(truth[first:last], said[first:last])
            assert list(ledger.confusion.items()) == list(one.confusion.items())
            states.append(ledger.state())
        assert all(json.dumps(state) == json.dumps(states[0]) for state in states)


def test_a_list_is_no_label() -> None:
    """The targets of a network may be lists: nothing is counted, and it is said."""
    ledger = Ledger()
    with pytest.raises(
        mb.BadData, match=r"^a ledger counts mistakes of single labels, not of lists or mappings: \[1.0\]$"
    ):
        ledger.record([1.0], [0.3])
    assert (ledger.trials, ledger.mistakes) == (0, 0)


def test_a_bound_that_is_not_below_the_trials_says_nothing() -> None:
    """In 20 trials nobody makes more than 20 mistakes; a bound that is met is not empty, whatever the trials."""
    ledger = Ledger()
    ledger.bound = mb.Perceptron().bound(margin=1, radius=20**0.5)
    assert (ledger.bound.mistakes, ledger.vacuous) == (20, False)  # no trial, nothing to say nothing about
    for trial in range(1, 22):
        ledger.record(1, int(trial > 3))
        assert ledger.vacuous == (trial <= 20)
        said = ", vacuous after "
        assert (said in str(ledger.verdict)) == ledger.vacuous
        assert ("vacuous" in bound_in_words(ledger.bound, ledger)) == ledger.vacuous
        assert ledger.verdict.kind == "within"
        if trial in (1, 20):
            assert str(ledger.verdict).endswith(f"{said}{trial} trial{'s' * (trial > 1)}")
    assert bound_in_words(ledger.bound) == bound_in_words(ledger.bound, ledger)
    met = Ledger()
    met.bound = mb.Perceptron().bound(margin=1, radius=2)
    for _ in range(4):
        met.record(1, 0)
    assert not met.vacuous


def test_an_abstention_is_no_mistake_but_an_error() -> None:
    ledger = Ledger()
    for label, prediction in ((1, 0), (0, 0), (1, None), (0, 0)):
        ledger.record(label, prediction)
    assert (ledger.mistakes, ledger.abstentions, ledger.error_rate) == (1, 1, 0.5)
