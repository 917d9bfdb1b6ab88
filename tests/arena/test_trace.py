"""The trace of a game: every trial with what changed, in every form."""

from __future__ import annotations

import copy
import json
import pickle

import mistakebound as mb


def game() -> mb.Ledger:
    rows = [([1, 0, 1], 1), ([0, 1, 0], 0), ([1, 0, 0], 1), ([0, 0, 1], 0), ([1, 1, 1], 1)]
    return mb.play(mb.Winnow1(n=3, theta=1.5, labels=(0, 1)), rows, assume={"k": 1}, trace=True)


def test_every_trial_with_its_hypotheses() -> None:
    ledger = game()
    trace = ledger.trace
    assert len(trace) == ledger.trials == 5
    assert sum(trial.mistake for trial in trace.trials) == ledger.mistakes
    for first, second in zip(trace.trials, trace.trials[1:], strict=False):
        assert first.after == second.before
    for trial in trace.trials:
        # Lemmas move only at mistakes or when an attribute appears.
        assert trial.mistake or not {"Lemma 3", "Lemma 5"} & {found.name for found in trial.lemmas}
        assert all(found.slack >= -1e-9 for found in trial.lemmas)


def test_a_learner_without_lemmas_and_one_behind_a_transform() -> None:
    rows = [({"a": 2.0}, 1), ({"a": -1.0, "b": 1.0}, 0)]
    trace = mb.play(mb.Perceptron(labels=(0, 1)), rows, trace=True).trace
    assert [trial.instance for trial in trace.trials] == ["a=2.0", "a=-1.0 b"]
    assert all(not trial.lemmas for trial in trace.trials)
    behind = mb.transforms.expand(mb.Winnow1(n=2, labels=(0, 1)), negate=True)
    found = mb.play(behind, [([0, 1], 1)], assume={"k": 1}, trace=True).trace
    assert {lemma.name for lemma in found.trials[0].lemmas} == {"Lemma 3", "Lemma 4", "Lemma 5"}


def test_every_form() -> None:
    trace = game().trace
    data = json.loads(json.dumps(trace.as_json()))
    assert [row["number"] for row in data] == [1, 2, 3, 4, 5]
    assert data[0]["lemmas"][0].keys() == {"name", "left", "right", "slack"}
    text = str(trace)
    assert text.splitlines()[0].split() == ["trial", "instance", "prediction", "label", "hypothesis"]
    assert "wrong" in text
    html = trace.html()
    assert html.count("<tr>") == len(text.splitlines())
    assert "&gt; 1.5" in html
    assert r" > 1.5$" in trace.latex()


def test_names_mean_nothing_to_html_or_tex() -> None:
    rows = [({"<script>", "50%_off&more\\"}, 1)]
    trace = mb.play(mb.Winnow1(labels=(0, 1)), rows, trace=True).trace
    assert "<script>" not in trace.html()
    assert r"50\%\_off\&more\textbackslash{}" in trace.latex()


def test_a_ledger_with_a_trace_can_be_copied() -> None:
    ledger = game()
    for twin in (copy.deepcopy(ledger), pickle.loads(pickle.dumps(ledger))):
        assert str(twin.trace) == str(ledger.trace)
