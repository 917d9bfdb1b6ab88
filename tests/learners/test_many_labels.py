"""Many labels: 127, 300 and 5,000 of them against a twin, in every way in, and the 65,536th, which is refused."""

from __future__ import annotations

import pickle
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.ledger import Ledger
from mistakebound.core.many_labels import MOST, ManyLabels
from naive.one_vs_all import NaiveOneVsAll
from naive.perceptron import NaivePerceptron

WIDTH = 24


def stream(labels: int, rows: int, seed: int = 1) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Every label appears, in no order; its rows are alike."""
    draw = Random(seed)
    told = [*range(labels), *(draw.randrange(labels) for _ in range(rows - labels))]
    draw.shuffle(told)
    likeness = [[draw.random() < 0.3 for _ in range(WIDTH)] for _ in range(labels)]
    X = np.array([[on != (draw.random() < 0.05) for on in likeness[label]] for label in told], float)
    return X, [f"L{label}" for label in told]


class MatrixTwin:
    """Perceptrons against all as the rows of one matrix; the first is that of a label that never comes."""

    def __init__(self, labels: int) -> None:
        self.codes: dict[str, int] = {}
        self.weights = np.zeros((labels + 1, WIDTH + 1))

    def learn(self, x: Any, label: str) -> str | None:
        x, count = np.append(x, 1.0), len(self.codes)
        scores = self.weights[1 : count + 1] @ x
        said = None if not count else [*self.codes][int(scores.argmax())]
        if label not in self.codes:
            self.codes[label] = count = count + 1
            self.weights[count] = self.weights[0]
        part = self.weights[: count + 1]
        truth = np.zeros(count + 1)
        truth[self.codes[label]] = 1.0
        part += np.outer(truth - (part @ x > 0), x)
        return said


@pytest.mark.parametrize(
    ("labels", "rows"), [(127, 1000), (300, 1500), pytest.param(5000, 6000, marks=pytest.mark.long)]
)
def test_twin_agrees(labels: int, rows: int) -> None:
    X, y = stream(labels, rows)
    twin, learner, ledger = MatrixTwin(labels), mb.OneVsAll(), Ledger()
    expected = [twin.learn(x, label) for x, label in zip(X, y, strict=True)]
    assert learner.learn_many(csr_matrix(X), y, ledger=ledger).tolist() == expected
    assert learner.labels.values == tuple(twin.codes)
    assert ledger.mistakes == sum(said not in (None, label) for said, label in zip(expected, y, strict=True))
    for label in ("L0", f"L{labels - 1}", y[0], y[-1]):
        base, row = learner.base(label), twin.weights[twin.codes[label]]
        assert (base.bias, base.weights()) == (row[-1], {str(k + 1): row[k] for k in range(WIDTH)})


@pytest.mark.kernel
def test_twin_of_single_learners_agrees() -> None:
    X, y = stream(127, 135)
    twin, learner = NaiveOneVsAll(lambda: NaivePerceptron(1.0, True), 0.0), mb.OneVsAll()
    rows = [{str(k + 1): 1.0 for k in np.flatnonzero(x).tolist()} for x in X]
    assert learner.learn_many(X, y).tolist() == [twin.learn(x, label) for x, label in zip(rows, y, strict=True)]


def state(learner: Any) -> Any:
    return learner._header(), {name: bytes(values) for name, values in learner._all_arrays().items()}


@pytest.mark.parametrize(
    ("base", "answers"), [("perceptron", 1), ("perceptron(eta=0.1)", 1 << 23), ("winnow2(n=24)", 700), ("arow", 700)]
)
def test_every_cut_of_the_rows_is_the_same(
    monkeypatch: pytest.MonkeyPatch, base: str, answers: int, long: bool
) -> None:
    X, y = stream(130, 150) if long else stream(60, 80)
    single, said, ledger = mb.OneVsAll(base), [], Ledger()
    ledger.labels = single.labels
    for x, label in zip(X, y, strict=True):
        said.append(single.learn_one(x, label))
        ledger.record(label, said[-1])
    monkeypatch.setattr("mistakebound.learners.ensemble.one_vs_all._ANSWERS", answers)
    blocks, counted = mb.OneVsAll(base), Ledger()
    assert blocks.learn_many(csr_matrix(X), y, ledger=counted).tolist() == said
    assert state(blocks) == state(single)
    assert (counted.state(), counted.mistake_trials) == (ledger.state(), ledger.mistake_trials)
    assert blocks.predict_many(X).tolist() == [single.predict_one(x) for x in X]
    assert blocks.score_many(X).tolist() == [single.score_one(x) for x in X]


def write(path: Path, X: Any, y: list[str]) -> Path:
    lines = (f"{label} {' '.join(f'{k + 1}:1' for k in np.flatnonzero(x))}\n" for x, label in zip(X, y, strict=True))
    path.write_text("".join(lines))
    return path


def test_every_way_in_and_out(tmp_path: Path, long: bool) -> None:
    count, half_way = (300, 450) if long else (130, 200)
    X, y = stream(count, 2 * half_way)
    whole = mb.OneVsAll()
    said = whole.learn_many(X, y).tolist()
    file = write(tmp_path / "rows.svm", X, y)
    model = mb.learn(file, learner="one-vs-all")
    assert state(model.learner)[1] == state(whole)[1]
    assert model.predict(file) == whole.predict_many(X).tolist()
    found = model.evaluate(file)
    assert (found.trials, len(found.classes)) == (2 * half_way, count)
    assert found.mistakes == sum(guess != label for guess, label in zip(whole.predict_many(X), y, strict=True))
    half = mb.OneVsAll()
    assert half.learn_many(X[:half_way], y[:half_way]).tolist() == said[:half_way]
    half.save(tmp_path / "half.mb")
    copies = mb.load(tmp_path / "half.mb").learner, copy(half), pickle.loads(pickle.dumps(half)), half
    for again in copies:
        assert again.learn_many(X[half_way:], y[half_way:]).tolist() == said[half_way:]
        assert state(again) == state(whole)
    scores = whole.scores_of_labels(X[0])
    assert scores == [(label, whole.base(label).score_one(X[0]), 0.0) for label in whole.learned()]
    assert max(scores, key=lambda found: found[1])[0] == whole.predict_one(X[0])


@pytest.mark.long
def test_labels_are_found_in_the_first_rows(tmp_path: Path) -> None:
    X, y = stream(60, 1200)
    model = mb.learn(write(tmp_path / "rows.svm", X, y), learner="arow")
    assert repr(model.learner) == "OneVsAll(base='arow')"
    assert sorted(model.labels) == sorted({*y})
    arrays = mb.learn((X, y), learner="arow")
    assert state(arrays.learner)[1] == state(model.learner)[1]


def test_bad_rows_between_new_labels(tmp_path: Path, long: bool) -> None:
    """A label whose only row is passed over never was."""
    X, y = stream(200, 400) if long else stream(80, 160)
    good = write(tmp_path / "good.svm", X, y).read_text().splitlines()
    bad = [line for k, row in enumerate(good) for line in ([f"bad{k} 3:2"] if k % 3 == 0 else []) + [row]]
    (tmp_path / "bad.svm").write_text("\n".join(bad) + "\n")
    options: dict[str, Any] = {"learner": "one-vs-all", "parameters": {"base": "winnow2"}}
    clean = mb.learn(tmp_path / "good.svm", **options)
    with pytest.warns(UserWarning, match="134 bad rows were skipped" if long else "54 bad rows were skipped"):
        passed = mb.learn(tmp_path / "bad.svm", on_error="skip", **options)
    assert passed.labels == clean.labels
    assert state(passed.learner) == state(clean.learner)
    assert passed.ledger.state() == clean.ledger.state()


def named(count: int) -> mb.OneVsAll:
    """A learner that knows so many labels by name, of which it has learned none."""
    learner = mb.OneVsAll()
    for label in range(count):
        learner.labels.code(label)
    return learner


@pytest.mark.long
def test_there_can_be_65_535_labels(tmp_path: Path) -> None:
    learner = named(MOST - 1)
    learner.learn_one({"1"}, "last")
    assert (learner.predict_one({"1"}), len(learner.labels)) == ("last", MOST)
    with pytest.raises(mb.BadData, match=r"label 'more' is one too many: at most 65,535 labels are supported"):
        learner.learn_one({"1"}, "more")
    with pytest.raises(mb.BadData, match=r"row 1: label 'more' is one too many: at most 65,535 labels"):
        learner.learn_many(np.array([[1.0], [1.0]]), ["last", "more"])
    assert (len(learner.labels), learner.learned()) == (MOST, ["last"])
    file = tmp_path / "rows.svm"
    file.write_text("last 1:1\n7 2:1\nmore 3:1\n")
    learner.save(tmp_path / "m.mb")
    with pytest.raises(mb.BadData, match=r"rows\.svm:3: label 'more' is one too many: at most 65,535 labels"):
        mb.learn(file, start=tmp_path / "m.mb")
    with pytest.warns(UserWarning, match="1 bad rows were skipped"):
        again = mb.learn(file, start=tmp_path / "m.mb", on_error="skip").learner
    assert (again.learned(), again.labels.values) == (["last", 7], learner.labels.values)


def test_more_labels_than_there_can_be(tmp_path: Path) -> None:
    with pytest.raises(mb.BadParameter, match=r"labels must be at most 65,535: 65,536"):
        mb.OneVsAll(labels=range(MOST + 1))
    path = tmp_path / "m.mb"
    named(2).save(path)
    header, arrays = model_file.read(path)
    header["labels"] |= {"values": [*range(MOST + 1)], "spelling": [None] * (MOST + 1)}
    model_file.write(path, header, arrays)
    with pytest.raises(mb.errors.BadModel, match="there are 65,536 labels, more than 65,535") as refused:
        mb.load(path)
    assert len(str(refused.value)) < 300


def test_messages_list_few_labels() -> None:
    with pytest.raises(mb.BadData, match="were declared: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 290 more"):
        mb.OneVsAll(labels=range(300)).learn_one({"a"}, "x")
    assert len(ManyLabels(range(MOST))) == MOST


@pytest.mark.long
def test_65_535_labels_are_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of two attributes, many at once: each asks tens of thousands of base learners."""
    monkeypatch.setattr("mistakebound.learners.ensemble.one_vs_all._ANSWERS", 1 << 25)
    told = [*range(MOST), *range(465)]
    X, y = np.zeros((len(told), WIDTH)), [f"L{label}" for label in told]
    for k, label in enumerate(told):
        X[k, [label % WIDTH, label // WIDTH % WIDTH]] = 1.0
    learner, twin = mb.OneVsAll(), MatrixTwin(MOST)
    said = learner.learn_many(csr_matrix(X), y).tolist()
    assert len(learner.learned()) == MOST
    for k in range(3000):
        assert said[k] == twin.learn(X[k], y[k])
    learner.save(tmp_path / "m.mb")
    again = mb.load(tmp_path / "m.mb").learner
    assert again.predict_many(X[:500]).tolist() == learner.predict_many(X[:500]).tolist()
    with pytest.raises(mb.BadData, match="at most 65,535 labels are supported"):
        again.learn_one(X[0], "more")
