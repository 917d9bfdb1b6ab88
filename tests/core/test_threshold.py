"""Another threshold than the learner's own: chosen as the naive twin chooses it, in blocks of any size."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb
from kernels.misuse import must_refuse
from mistakebound.cli import main
from mistakebound.core import threshold as module
from mistakebound.core.threshold import Threshold
from mistakebound.kernels import threshold as kernel
from naive import threshold as naive

rows_of = st.lists(
    st.tuples(
        st.one_of(st.sampled_from([0.0, -0.0, 1.0, -1.0, 1.125, 2.0**24, 1e300, -1e300, 1e-9, 0.5]), st.floats(-4, 4)),
        st.integers(0, 1), st.sampled_from([1.0, 2.0, 5.0]),
    ),
    max_size=80,
)  # fmt: skip


def counted(aim: str, rows: list[Any], size: int, theta: float = 0.0) -> Threshold:
    found = Threshold(aim)
    for at in range(0, len(rows), size):
        margins, labels, weights = ([row[k] for row in rows[at : at + size]] for k in range(3))
        scores = array("d", [margin + theta for margin in margins])
        found = found.counted(scores, array("b", labels), None, array("d", weights), theta)
    return found


@pytest.mark.kernel
@settings(max_examples=15)
@given(rows_of, st.sampled_from(["f1", "cost", "accuracy"]))
def test_the_twin_chooses_the_same(rows: list[Any], aim: str) -> None:
    module._FIRST, kept = 8, module._FIRST
    try:
        one, many = counted(aim, rows, 1), counted(aim, rows, 7)
    finally:
        module._FIRST = kept
    assert one.state() == many.state() == Threshold.restore(one.state()).state()
    if aim != "cost":
        rows = [(margin, label, 1.0) for margin, label, _ in rows]
    place = naive.best(aim, rows)
    cut = one.value
    if place == naive.OWN:
        assert cut is None
    else:
        assert cut == max(-1.7976931348623157e308, min(1.7976931348623157e308, naive.CUTS[place]))
    assert one.counts == naive.progressive(aim, rows, 8)
    own = [sum(w for m, y, w in rows if y == label and (m > 0) == said) for label in (0, 1) for said in (False, True)]
    assert one.own_counts == own


@pytest.mark.kernel
def test_misuse() -> None:
    call: dict[str, Any] = {
        "edges": module._EDGES[:], "cells": array("d", bytes(32 * kernel.SIDE)), "counts": array("d", bytes(32)),
        "state": array("q", [0, 8, 385]), "aim": kernel.F1, "theta": 0.0, "fixed": 0.0,
        "scores": array("d", [1.0, -1.0]), "labels": array("b", [1, 0]), "own": array("b", [1, 0]),
        "importance": array("d", [1.0, 1.0]),
    }  # fmt: skip

    def counted(count: Callable[..., int], call: dict[str, Any]) -> int:
        values = [*call.values()]
        try:
            return count(kernel.ScoreCounts(*values[:4]), *values[4:])
        except AssertionError:
            return kernel.CAPACITY

    names = ["labels", "own", "importance", "edges", "cells", "counts", "state"]
    must_refuse(kernel.count, call, names, kernel.CAPACITY, counted)
    assert counted(kernel.count, call) == kernel.OK
    assert kernel.best(array("d", [0.0]), kernel.F1) == kernel.CAPACITY


def test_a_threshold_that_is_given() -> None:
    found = Threshold(None, 0.5).counted(array("d", [0.4, 0.5, 0.6]), array("b", [1, 0, 1]))
    assert (found.value, found.counts) == (0.5, [1.0, 0.0, 1.0, 1.0])
    for state in (
        {},
        {"aim": "luck"},
        {"fixed": 3.0},
        {"counts": [1.0]},
        {"state": [1, 2, 9999]},
        {"cells": [[800, 1, 1]]},
    ):
        with pytest.raises(ValueError):
            Threshold.restore(Threshold("f1").state() | {"cells": [[1, 2]]} | state)


def rare(seed: int, rows: int = 3000) -> tuple[Any, list[str]]:
    """One row of twenty is of the positive label, and no line tells them apart for sure."""
    draw = np.random.default_rng(seed)
    labels = draw.random(rows) < 0.05
    return draw.normal(0.0, 1.0, (rows, 3)) + 1.2 * labels[:, None], np.where(labels, "sick", "well").tolist()


def test_f1_of_a_rare_label_is_better_and_counted_before_each_label(tmp_path: Path) -> None:
    X, y = rare(1)
    model = mb.learn((X, y), labels=("well", "sick"), maximize="f1", fast=True)
    threshold = model.ledger.threshold
    assert threshold is not None
    assert f1_of(threshold.counts) > f1_of(threshold.own_counts) + 0.05
    Z, told = rare(2)
    plain = mb.learn((X, y), labels=("well", "sick"), fast=True)
    found, without = model.evaluate((Z, told)), plain.evaluate((Z, told))
    assert found.f1 > without.f1 + 0.05
    assert found.threshold == model.threshold is not None
    scores = model.learner.score_many(Z)
    said = ["sick" if score > model.threshold else "well" for score in scores]
    assert model.predict(Z) == said
    assert [model.predict_one(row) for row in Z[:50]] == said[:50]
    model.save(tmp_path / "m.mb")
    back = mb.load(tmp_path / "m.mb")
    assert (back.threshold, back.predict(Z)) == (model.threshold, said)
    assert back.explain(list(Z[0])).prediction == said[0]
    back.threshold = 1e9
    assert set(back.predict(Z)) == {"well"}


def f1_of(counts: Any) -> float:
    return float(2 * counts[3] / (2 * counts[3] + counts[1] + counts[2]))


def test_one_positive_row_alone_does_not_move_the_threshold_into_the_negative_ones() -> None:
    """A rare label is hardly known after 128 rows; later ones are told apart by the learner's own threshold."""
    rows = [(-0.3 if row % 30 == 5 else -2.0, 0, 1.0) for row in range(128)]
    rows[3] = (-0.5, 1, 1.0)
    rows += [(2.0, 1, 1.0) if row % 50 == 49 else (-0.3 if row % 5 == 0 else -2.0, 0, 1.0) for row in range(272)]
    found = counted("f1", rows, 400)
    assert f1_of(found.counts) == f1_of(found.own_counts) > 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_f1_under_auto_is_no_worse_than_by_its_own_threshold(seed: int) -> None:
    X, y = rare(seed, 1000)
    threshold = mb.learn((X, y), labels=("well", "sick"), maximize="f1").ledger.threshold
    assert threshold is not None
    assert f1_of(threshold.counts) > f1_of(threshold.own_counts) - 0.01


def table(path: Path, seed: int) -> Path:
    X, y = rare(seed, 1500)
    lines = [f"{','.join(f'{value:.4f}' for value in row)},{label}" for row, label in zip(X, y, strict=True)]
    path.write_text("\n".join(["a,b,c,class", *lines]) + "\n")
    return path


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other, model = table(tmp_path / "a.csv", 3), table(tmp_path / "b.csv", 4), tmp_path / "m.mb"
    learn = ["learn", str(file), "--labels", "well,sick", "--model", str(model)]
    assert main([*learn, "--maximize", "f1"]) == 0
    said = capsys.readouterr().out
    assert "sick where the score is above" in said
    assert "before each label" in said
    assert mb.load(model).threshold == mb.learn(file, labels=("well", "sick"), maximize="f1").threshold
    assert main(["eval", str(model), str(other), "--json"]) == 0
    chosen = capsys.readouterr().out
    assert main(["eval", str(model), str(other), "--threshold", "0", "--json"]) == 0
    at_zero = capsys.readouterr().out
    import json

    assert json.loads(chosen)["f1"] > json.loads(at_zero)["f1"]
    assert json.loads(at_zero)["threshold"] == 0.0
    assert main(["predict", str(model), str(other), "--threshold", "-1000"]) == 0
    assert set(capsys.readouterr().out.split()) == {"sick"}
    assert main([*learn, "--cost", "sick=20", "--maximize", "cost", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["threshold"]["maximize"] == "cost"
    assert main(["eval", str(model), str(other)]) == 0
    assert "  cost " in capsys.readouterr().out


def test_resumed_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, model = table(tmp_path / "a.csv", 5), tmp_path / "m.mb"
    whole = mb.learn(file, labels=("well", "sick"), maximize="f1", passes=2)
    mb.learn(file, labels=("well", "sick"), maximize="f1", model=model, checkpoint=200)
    assert mb.learn(file, start=model).ledger.threshold is not None
    assert whole.ledger.threshold.state()["state"][0] == 1500, "rows of the second pass have been learned before"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threshold": 1, "maximize": "f1"}, "threshold and maximize exclude each other"),
        ({"maximize": "luck"}, "maximize must be one of accuracy, f1, cost: 'luck'"),
        ({"threshold": "high"}, "threshold must be a number: 'high'"),
        ({"maximize": "f1", "learner": "averaged-perceptron"}, "averaged-perceptron does not support maximize"),
        ({"maximize": "f1", "learner": "naive-bayes"}, "maximize is not supported here"),
        ({"maximize": "f1", "holdout": 5}, "maximize cannot be combined with holdout"),
        ({"maximize": "f1", "labels": ("a", "b", "c")}, "maximize is only for two labels"),
    ],
)  # fmt: skip
def test_what_cannot_be(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(mb.BadParameter, match=said):
        mb.learn(table(tmp_path / "a.csv", 6), **options)
