"""Hundreds of labels from the command line: what is printed stays short, and says how much is left out."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

import mistakebound as mb
from cli.conftest import Run

LABELS = 1200


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = Random(7)
    path = tmp_path_factory.mktemp("many") / "rows.svm"
    told = [*range(LABELS), *(draw.randrange(LABELS) for _ in range(800))]
    draw.shuffle(told)
    path.write_text("".join(f"L{label} {label % 20 + 1}:1 {label // 20 % 20 + 30}:1\n" for label in told))
    return path


@pytest.fixture(scope="module")
def model(rows: Path) -> Path:
    path = rows.with_suffix(".mb")
    mb.learn(rows, learner="perceptron", model=path)
    return path


def test_learn(run: Run, rows: Path) -> None:
    told = run("learn", rows, "--learner", "perceptron")
    assert told.code == 0
    assert "labels: 768, so one-vs-all over perceptron" in told.err
    assert "among 1,200 labels" in " ".join(told.out.split())
    assert told.out.count("\n") < 40
    said = run("learn", rows, "--learner", "perceptron", "--json").json
    assert (len(said["labels"]), said["labels_left_out"]) == (1000, 200)
    assert len(said["confusion"]) == 1000
    assert said["confusion_left_out"] > 0
    counts = [count for _, _, count in said["confusion"]]
    assert counts == sorted(counts, reverse=True)
    assert all(label != guess for label, guess, _ in said["confusion"])


@pytest.mark.long
def test_eval(run: Run, rows: Path, model: Path) -> None:
    told = run("eval", model, rows)
    assert told.code == 0
    assert "and 1,180 more labels" in told.out
    assert "more pairs" in told.out
    assert told.out.count("\n") < 60
    said = run("eval", model, rows, "--json").json
    assert (len(said["classes"]), said["classes_left_out"]) == (1000, 200)
    assert len(said["confused"]) <= 1000
    wrong = sum(count for *_, count in said["confused"])
    assert wrong == said["mistakes"] or said["confused_left_out"]
    for part in said["classes"]:
        assert sum(part["predicted_as"].values()) == part["count"]


@pytest.mark.long
def test_explain(run: Run, model: Path) -> None:
    told = run("explain", model)
    assert "and 1,180 more labels" in told.out
    assert told.out.count("\n") < 300
    said = run("explain", model, "--json").json
    assert (len(said["members"]), said["members_left_out"], said["labels_left_out"]) == (1000, 200, 200)
    one = run("explain", model, "--instance", "3:1 31:1")
    assert one.out.count("\n") < 30
    assert "and 1,180 more" in one.out
    said = run("explain", model, "--instance", "3:1 31:1", "--json").json
    assert (len(said["members"]), said["members_left_out"]) == (1000, 200)
    assert said["prediction"] == said["members"][0]["label"]


def test_predict_compare_and_holdout(run: Run, rows: Path, model: Path, tmp_path: Path, long: bool) -> None:
    said = run("predict", model, rows).out.splitlines()
    assert len(said) == 2000
    assert {*said} <= {f"L{label}" for label in range(LABELS)}
    if not long:  # with some seven hundred labels
        rows = Path(shutil.copy(rows, tmp_path))
        rows.write_text("".join(rows.read_text().splitlines(keepends=True)[:900]))
    compared = run("compare", rows, "--learners", "perceptron")
    assert compared.code == 0
    assert (compared.out + compared.err).count("\n") < 40
    held = run("learn", rows, "--learner", "perceptron", "--holdout", "1/10", "--json").json
    assert held["trials"] == (1800 if long else 810)


@pytest.mark.parametrize("labels", [150, pytest.param(LABELS, marks=pytest.mark.long)])
def test_resume(run: Run, rows: Path, tmp_path: Path, labels: int) -> None:
    some = tmp_path / "some.svm"
    lines = rows.read_text().splitlines(keepends=True)
    some.write_text("".join(line for line in lines if int(line.split()[0][1:]) < labels) * (LABELS // labels))
    words = ("learn", some, "--learner", "perceptron", "--quiet", "--model")
    assert run(*words, tmp_path / "whole.mb", "--passes", 2).code == 0
    assert run(*words, tmp_path / "parts.mb", "--passes", 2, "--checkpoint", 900).code == 0
    assert run(*words, tmp_path / "parts.mb", "--passes", 2, "--checkpoint", 900, "--resume").code == 0
    whole, parts = (mb.load(tmp_path / name) for name in ("whole.mb", "parts.mb"))
    assert whole.learner.hypothesis == parts.learner.hypothesis
    assert whole.ledger is not None
    assert parts.ledger is not None
    assert whole.ledger.state() == parts.ledger.state()


def test_few_labels_have_the_whole_table(run: Run, tmp_path: Path) -> None:
    """Of up to 20 labels nothing is left out."""
    rows = tmp_path / "rows.svm"
    for labels, short in ((20, False), (21, True)):
        rows.write_text("".join(f"L{label} {label + 1}:1\n" for label in range(labels)) * 2)
        mb.learn(rows, learner="perceptron", model=tmp_path / "m.mb")
        assert ("more labels" in run("eval", tmp_path / "m.mb", rows).out) is short
        assert ("classes_left_out" in run("eval", tmp_path / "m.mb", rows, "--json").json) is short
        assert ("more labels" in run("explain", tmp_path / "m.mb").out) is short
