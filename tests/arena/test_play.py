"""One loop for every learner and teacher: same trials, same ledger, whichever way they come in."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.core.theorem import Lemma
from mistakebound.io import open_stream
from mistakebound.model.trainer import learn_stream

LEARNERS = ["winnow1", "winnow2", "perceptron", "disjunction-elimination"]


def examples(seed: int, rows: int = 80, n: int = 12) -> tuple[np.ndarray, list[int]]:
    """Rows labelled by x2 | x5."""
    rng = random.Random(seed)
    X = np.array([[int(rng.random() < 0.3) for _ in range(n)] for _ in range(rows)])
    return X, [int(row[1] or row[4]) for row in X]


def write_libsvm(path: Path, X: np.ndarray, y: list[int]) -> Path:
    lines = [
        " ".join([str(label), *(f"{j + 1}:1" for j in np.flatnonzero(row))]) for row, label in zip(X, y, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def account(ledger: mb.Ledger) -> tuple[object, ...]:
    return ledger.trials, ledger.confusion, list(ledger.mistake_trials), str(ledger.verdict)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_way_in_gives_the_same_ledger_and_hypothesis(name: str, tmp_path: Path) -> None:
    X, y = examples(1)
    make = mb.learners.find(name)
    path = write_libsvm(tmp_path / "rows.svm", X, y)
    ways = {
        "pair": (X, y),
        "sparse": (csr_matrix(X), y),
        "pairs": [({str(j + 1) for j in np.flatnonzero(row)}, label) for row, label in zip(X, y, strict=True)],
        "teacher": mb.teachers.Replay(X.tolist(), y),
        "file": str(path),
        "path": path,
    }
    learner = make()
    expected = mb.play(learner, ways.pop("pair"))
    assert expected.mistakes > 0
    for way, teacher in ways.items():
        other = make()
        assert account(mb.play(other, teacher)) == account(expected), way
        assert other.hypothesis == learner.hypothesis, way

    blocks = make()
    ledger = mb.Ledger(blocks.labels)
    learn_stream(blocks, open_stream(path, block_bytes=64), ledger)
    assert account(ledger)[:3] == account(expected)[:3]
    assert blocks.hypothesis == learner.hypothesis


def test_trials_are_numbered_from_one_and_can_be_limited() -> None:
    ledger = mb.play(mb.learners.DisjunctionElimination(2), [({"1"}, 0), ({"1"}, 0), ({"2"}, 0)], trials=2)
    assert (ledger.trials, list(ledger.mistake_trials), ledger.false_positives) == (2, [1], 1)


def test_inconsistent_labels_end_the_play_with_a_verdict() -> None:
    learner = mb.learners.ConjunctionElimination(2)
    ledger = mb.play(learner, [({"1"}, 1), ({"1"}, 0), ({"1"}, 1)])
    assert (ledger.trials, ledger.mistakes, ledger.verdict.kind) == (2, 2, "inconsistent")
    assert str(ledger.verdict) == "stopped: trial 2: no consistent conjunction"
    assert learner.predict_one({"1"}) == 1


def test_bad_data_says_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n# a note\n0 2:0.5\n")
    with pytest.raises(mb.BadData) as caught:
        mb.play(mb.Winnow2(), path)
    assert (caught.value.source, caught.value.line) == (str(path), 3)
    with pytest.raises(mb.BadData, match="an example is a pair"):
        mb.play(mb.Winnow2(), [{"1"}])


def test_a_weight_goes_to_the_learner_which_may_refuse_it() -> None:
    class Weighted(mb.teachers.Teacher):
        def next_trial(self) -> mb.teachers.Trial:
            return mb.teachers.Trial({"1"}, weight=2.5, tag="heavy")

        def label(self, trial: mb.teachers.Trial, prediction: object) -> int:
            return 1

    with pytest.raises(mb.BadParameter, match=r"takes whole weights up to 1,048,576: 2\.5"):
        mb.play(mb.Winnow1(), Weighted(), trials=1)


def test_dont_know_is_no_mistake_and_any_object_can_play() -> None:
    class Shy:
        def predict_one(self, x: object) -> None:
            return None

        def learn_one(self, x: object, y: object) -> None: ...

    ledger = mb.play(Shy(), [({"a"}, "red"), ({"b"}, "green"), ({"c"}, "blue")])
    assert (ledger.trials, ledger.mistakes, ledger.abstentions) == (3, 0, 3)
    assert ledger.confusion == {("red", None): 1, ("green", None): 1, ("blue", None): 1}
    assert ledger.bound is None


def test_lemmas_are_checked_after_every_mistake_and_refute() -> None:
    target = mb.teachers.RandomTarget("x1 | x2", n=30, trials=300, density=0.2, seed=3)
    assert mb.play(mb.Winnow1(n=30, rule=">="), target, lemmas=True).verdict.kind == "within"
    # With labels that are no disjunction of one attribute, Lemma 5 fails for k = 1.
    several = mb.teachers.RandomTarget("x1 | x2 | x3 | x4 | x5", n=30, trials=300, density=0.2, seed=3)
    ledger = mb.play(mb.Winnow1(n=30), several, assume={"k": 1}, lemmas=True)
    assert ledger.verdict.kind == "refuted"
    assert "Lemma 5" in ledger.verdict
    assert "k = 1" in ledger.verdict


def test_a_lemma_without_assumptions_accuses_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    never = Lemma("Lemma 0", source="nowhere", statement="1 = 0", holds=lambda learner, u, v, facts: False)
    monkeypatch.setattr(mb.Winnow1, "lemmas", (never,))
    ledger = mb.play(mb.Winnow1(n=3), [({"1"}, 1), ({"1"}, 1)], lemmas=True)
    assert ledger.trials == 1, "play stops at the first failure"
    assert "an error in this program" in ledger.verdict


def test_watch_sees_every_trial() -> None:
    seen: list[tuple[int, int, int]] = []
    mb.play(
        mb.learners.DisjunctionElimination(1),
        [({"1"}, 0), ({"1"}, 0)],
        watch=lambda trial, label, prediction, ledger: seen.append((ledger.trials, label, prediction)),
    )
    assert seen == [(1, 0, 1), (2, 0, 0)]


def test_the_bound_stands_beside_the_count() -> None:
    ledger = mb.play(mb.Winnow1(n=8), [({"1"}, 1)], assume={"k": 1})
    assert ledger.bound is not None
    assert ledger.bound.value == pytest.approx(2 * (3 + 1) + 1)
    assert ledger.mistakes <= ledger.bound
    assert mb.play(mb.Winnow1(n=8), [({"1"}, 1)]).bound is None


def test_trials_are_counted_from_where_the_ledger_stands() -> None:
    learner, rows = mb.Winnow1(n=3), [({"1"}, 1)] * 9
    ledger = mb.play(learner, rows, trials=2)
    assert mb.play(learner, rows, trials=3, ledger=ledger).trials == 5


def test_a_declared_n_comes_before_the_teachers() -> None:
    ledger = mb.play(mb.Winnow1(n=30), mb.teachers.RandomTarget("x1 | x2", n=20, trials=50, density=0.2, seed=3))
    assert ledger.bound is not None
    assert ledger.bound.facts["n"] == 30
