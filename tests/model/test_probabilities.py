"""Probabilities of a model: by the table of scores that were made before each label, or a learner's own."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from cli.conftest import Run
from mistakebound import io as streams
from mistakebound.io import pass_source
from mistakebound.model.plan import Plan
from mistakebound.model.training import Training
from naive.calibration import Table
from naive.expand import conjunctions

LEARNERS = [
    "arow",
    "perceptron",
    "coin-betting",
    "passive-aggressive",
    "balanced-winnow",
    "winnow2",
    "weighted-majority",
]


def rows_of(count: int, labels: int = 2) -> list[dict[str, Any]]:
    draw = Random(11)
    rows = []
    for _ in range(count):
        on = [name for name in "abcdef" if draw.random() < 0.5] or ["a"]
        kind = 2 * ("a" in on) + ("b" in on) if draw.random() < 0.8 else draw.randrange(4)
        rows.append({"words": on, "y": kind if labels > 2 else int(kind > 1)})
    return rows


def twin(rows: list[dict[str, Any]], learner: Any, theta: float) -> Table:
    """Every row is scored, then learned."""
    table = Table()
    for row in rows:
        x = {f"words={name}": 1.0 for name in row["words"]}
        table.count(learner.score_one(x) - theta, row["y"])
        learner.learn_one(x, row["y"])
    return table


@pytest.mark.parametrize("name", LEARNERS)
def test_the_table_is_that_of_scores_before_labels(name: str) -> None:
    rows = rows_of(300)
    model = mb.learn(rows, "y", learner=name)
    bare = mb.learners.find(name)(labels=(0, 1))
    found, naive = model.ledger.calibration.tables[1], twin(rows, bare, bare.decision[1])
    assert (found.cells[::2].tolist(), found.cells[1::2].tolist()) == (naive.no, naive.yes)
    assert found.means[0] == naive.mean
    for row in rows[:20]:
        share = naive.probability(model.score_one(row) - bare.decision[1])
        assert model.predict_proba_one(row) == pytest.approx({0: 1 - share, 1: share}, abs=1e-12)


def test_transforms_have_the_scores_of_what_they_make() -> None:
    rows = rows_of(200)
    model = mb.learn(rows, "y", learner="perceptron", cross=2)
    bare, naive = mb.Perceptron(labels=(0, 1)), Table()
    for row in rows:
        x = conjunctions({f"words={name}" for name in row["words"]}, cross=2)
        naive.count(bare.score_one(x), row["y"])
        bare.learn_one(x, row["y"])
    assert model.ledger.calibration.tables[1].means[0] == naive.mean


def test_the_complement_has_the_scores_of_the_label() -> None:
    rows = rows_of(200)
    model = mb.learn(rows, "y", learner="winnow2", reduce="conjunction", parameters={"n": 6})
    share = {bool(model.score_one(row) >= model.learner.decision[1]): model.predict_proba_one(row)[1] for row in rows}
    assert share[True] > share[False]


def test_of_more_labels_each_has_a_table_from_its_first_row_on() -> None:
    rows = rows_of(300, labels=4)
    model = mb.learn(rows, "y", learner="perceptron")
    bare = mb.OneVsAll("perceptron")
    tables: dict[Any, Table] = {}
    for row in rows:
        x = {f"words={name}": 1.0 for name in row["words"]}
        for label, score, theta in bare.scores_of_labels(x):
            tables.setdefault(label, Table()).count(score - theta, int(row["y"] == label))
        bare.learn_one(x, row["y"])
    for code, label in enumerate(model.labels):
        found, naive = model.ledger.calibration.tables[code], tables[label]
        assert (found.cells[::2].tolist(), found.cells[1::2].tolist()) == (naive.no, naive.yes)
    shares = model.predict_proba_one(rows[0])
    each = {
        label: tables[label].probability(score)
        for label, score, _ in bare.scores_of_labels({f"words={name}": 1.0 for name in rows[0]["words"]})
    }
    assert shares == pytest.approx({label: share / sum(each.values()) for label, share in each.items()}, abs=1e-9)


@pytest.mark.parametrize("labels", [2, 4])
def test_blocks_and_threads_do_not_matter(tmp_path: Path, labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.svm"
    rows = [f"{row['y']} {' '.join(f'{ord(name) - 96}:1' for name in row['words'])}" for row in rows_of(400, labels)]
    path.write_text("\n".join(rows) + "\n")
    states = []
    for block, threads in ((64, 1), (1000, 2), (1 << 20, 1)):
        monkeypatch.setattr(pass_source, "open_stream", functools.partial(streams.open_stream, block_bytes=block))
        states.append(mb.learn(str(path), fast=True, threads=threads).ledger.calibration.state())
    assert states[0] == states[1] == states[2]
    assert len(states[0]) == {2: 1, 4: 4}[labels]


def test_saved_resumed_and_later_passes(tmp_path: Path) -> None:
    rows = rows_of(300)
    whole = mb.learn(rows, "y", learner="perceptron")
    path = tmp_path / "half.mb"
    mb.learn(rows[:120], "y", learner="perceptron").save(path)
    model = mb.learn(rows[120:], "y", start=path)
    assert model.ledger.calibration.state() == whole.ledger.calibration.state()
    again = mb.learn(rows, "y", learner="perceptron", passes=3)
    assert again.ledger.calibration.state() == whole.ledger.calibration.state()
    whole.save(path)
    assert mb.load(path).predict_proba_one(rows[0]) == whole.predict_proba_one(rows[0])


@pytest.mark.parametrize("labels", [2, 4])
@pytest.mark.parametrize("learner", ["arow", "naive-bayes", "decision-tree"])
def test_one_row_and_many_agree(tmp_path: Path, learner: str, labels: int) -> None:
    path = tmp_path / "rows.csv"
    cells = [
        ",".join(["yn"[name in row["words"]] for name in "abcdef"] + [f"k{row['y']}"]) for row in rows_of(80, labels)
    ]
    path.write_text("\n".join(["a,b,c,d,e,f,y", *cells]) + "\n")
    model = mb.learn(str(path), "y", learner=learner)
    many = model.predict_proba(str(path))
    assert many.shape == (80, labels)
    assert many.sum(axis=1) == pytest.approx(1.0)
    single = [model.predict_proba_one(line) for line in cells]
    assert [list(one) for one in single[:1]] == [list(model.labels)]
    assert np.array_equal(many, [list(one.values()) for one in single])
    found = model.evaluate(str(path))
    assert found.reliability.rows == 80
    codes = [[str(label) for label in model.labels].index(line.rpartition(",")[2]) for line in cells]
    told = many[np.arange(80), codes]
    assert found.reliability.log_loss == pytest.approx(-np.log(told).mean(), abs=1e-9)


def test_brier_and_calibration_error_by_hand() -> None:
    X = [[1.0, 0.0], [0.0, 1.0]] * 40
    model = mb.learn((X, [1, 0] * 40), learner="perceptron")
    told = model.predict_proba(X)[:, 1]
    found = model.evaluate((X, [1, 0] * 39 + [0, 1])).reliability
    truth = np.array([1, 0] * 39 + [0, 1])
    assert found.brier == pytest.approx(((told - truth) ** 2).mean(), abs=1e-9)
    gaps = [abs(told[told == share].mean() - truth[told == share].mean()) / 2 for share in np.unique(told)]
    assert found.calibration_error == pytest.approx(sum(gaps), abs=1e-9)


def test_who_has_none_says_why() -> None:
    model = mb.learn(rows_of(20), "y", learner="averaged-perceptron")
    with pytest.raises(mb.BadParameter, match="averaged-perceptron does not support probabilities: it plays its"):
        model.predict_proba_one({"words": ["a"]})
    learner = mb.Perceptron()
    learner.learn_one({"a"}, 1)
    with pytest.raises(mb.BadParameter, match="did not count scores"):
        mb.Model(learner).predict_proba_one({"a"})


def test_a_learner_with_probabilities_keeps_them() -> None:
    learner = mb.learners.BayesOptimal("monotone-disjunctions n=3")
    learner.learn_one([1, 0, 0], 1)
    assert mb.Model(learner).predict_proba_one([1, 1, 0]) == learner.predict_proba_one([1, 1, 0])


@pytest.mark.some(1)
@pytest.mark.parametrize("labels", [2, 4])
def test_commands(tmp_path: Path, run: Run, labels: int, long: bool) -> None:
    path, out = tmp_path / "rows.svm", tmp_path / "m.mb"
    rows = [f"{row['y']} {' '.join(f'{ord(name) - 96}:1' for name in row['words'])}" for row in rows_of(100, labels)]
    path.write_text("\n".join(rows) + "\n")
    assert run("learn", path, "--model", out).code == 0
    model = mb.load(out)
    shares = model.predict_proba(str(path)).tolist()
    said = model.predict(str(path))
    lines = run("predict", out, path, "--probabilities").out.splitlines()
    column = {label: place for place, label in enumerate(model.labels)}
    assert lines == [f"{label}\t{row[column[label]]!r}" for label, row in zip(said, shares, strict=True)]
    both = run("predict", out, path, "--scores", "--probabilities").out.splitlines()
    assert [line.split("\t")[::2] for line in both] == [line.split("\t") for line in lines]
    first = json.loads(run("predict", out, path, "--probabilities", "--json").out.splitlines()[0])
    assert list(first["probabilities"].values()) == shares[0]
    picture = tmp_path / "r.svg"
    plot = ("--plot", picture) if labels == 2 or long else ()
    found = run("eval", out, path, "--json", *plot).json
    assert {"log_loss", "brier", "calibration_error", "reliability"} <= set(found)
    assert sum(part["rows"] for part in found["reliability"]) == 100
    assert not plot or "calibration error" in picture.read_text()
    assert "log loss" in run("eval", out, path).out


def test_commands_refuse_in_one_sentence(tmp_path: Path, run: Run) -> None:
    path, out = tmp_path / "rows.svm", tmp_path / "m.mb"
    path.write_text("1 1:1\n0 2:1\n")
    run("learn", path, "--model", out, "--learner", "averaged-perceptron")
    for words in (["predict", out, path, "--probabilities"], ["eval", out, path, "--plot", tmp_path / "r.png"]):
        result = run(*words)
        assert (result.code, "does not support probabilities" in result.err) == (2, True)


def test_a_run_for_its_counts_alone_counts_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{'+1' if k % 3 else '-1'} {k % 3 + 1}:1 {k % 7 + 4}:2\n" for k in range(200)))
    works = [Training(Plan([str(path)], mb.AROW, {}, keeps_model=keeps)) for keeps in (True, False)]
    for work in works:
        work.learn()
    kept, bare = (work.ledger for work in works)
    assert (kept.trials, kept.mistake_trials) == (bare.trials, bare.mistake_trials)
    assert kept.calibration is not None
    assert kept.spread is not None
    assert bare.calibration is bare.spread is None
