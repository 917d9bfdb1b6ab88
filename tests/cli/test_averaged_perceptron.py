"""On the command line too: trials by the last weights, everything else by the average."""

from __future__ import annotations

from math import fsum
from random import Random

import pytest


@pytest.fixture
def stream(tmp_path):
    draw = Random(4)
    target = [draw.uniform(-1, 1) for _ in range(20)]
    lines = []
    for _ in range(700):
        row = {j: round(draw.uniform(-1, 1), 2) or 1 for j in sorted(draw.sample(range(20), 6))}
        label = fsum(target[j] * value for j, value in row.items()) > 0
        lines.append(f"{int(label ^ (draw.random() < 0.1))} " + " ".join(f"{j + 1}:{v}" for j, v in row.items()) + "\n")
    (tmp_path / "learn.svm").write_text("".join(lines[:400]))
    (tmp_path / "new.svm").write_text("".join(lines[400:]))
    return tmp_path


def test_the_ledger_is_the_perceptrons_and_the_model_predicts_better(run, stream):
    found = {}
    for name in ("perceptron", "averaged-perceptron"):
        model = str(stream / f"{name}.mb")
        learned = run("learn", str(stream / "learn.svm"), "--learner", name, "--model", model, "--json").json
        later = run("eval", model, str(stream / "new.svm"), "--json").json
        found[name] = learned["mistakes"], later["mistakes"]
    assert found["averaged-perceptron"][0] == found["perceptron"][0]
    assert found["averaged-perceptron"][1] < found["perceptron"][1]


def test_going_on_from_a_model_is_learning_in_one_go(run, stream):
    whole, first, both = (str(stream / name) for name in ("whole.mb", "first.mb", "both.mb"))
    for learner in ("averaged-perceptron", "passive-aggressive"):
        files = [str(stream / "learn.svm"), str(stream / "new.svm")]
        run("learn", *files, "--learner", learner, "--model", whole, "--threads", "2")
        run("learn", files[0], "--learner", learner, "--model", first)
        run("learn", files[1], "--from", first, "--model", both)
        said = [run("explain", model, "--top", "30", "--json").json for model in (whole, both)]
        assert said[0]["hypothesis"] == said[1]["hypothesis"]
