"""The learner where none is named: `auto`, and where there is something to set, to transform or to hurry, AROW."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from cli.conftest import Run
from cli.rows import write_rows
from mistakebound.model import plan
from mistakebound.model.training import Training


def learner_of(model: mb.Model) -> str:
    """By its name; of one-vs-all that of the base."""
    learner: Any = model.learner
    return str(learner.settings["base"]) if learner.name == "one-vs-all" else str(learner.name)


@pytest.mark.parametrize(
    ("words", "given", "name"),
    [
        ([], {}, "auto"),
        (["--fast"], {"fast": True}, "arow"),
        (["--passes", "2"], {"passes": 2}, "auto"),
        (["--learner", "perceptron"], {"learner": "perceptron"}, "perceptron"),
        (["--set", "r=2"], {"parameters": {"r": 2}}, "arow"),
        (["--assume", "margin=0.1"], {"assume": {"margin": 0.1}}, "arow"),
        (["--cross", "2"], {"cross": 2}, "expand"),
        (["--standardize"], {"standardize": True}, "standardize"),
        (["--reduce", "conjunction", "--negate", "--attributes", "300"],
         {"reduce": "conjunction", "negate": True, "attributes": 300}, "expand"),
        (["--maximize", "f1"], {"maximize": "f1"}, "auto"),
        (["--cost", "1=3"], {"cost": {"1": 3}}, "auto"),
    ],
)  # fmt: skip
def test_which_learner_it_is(run: Run, tmp_path: Path, words: list[str], given: dict[str, Any], name: str) -> None:
    path, saved = write_rows(tmp_path / "rows.svm", 60), tmp_path / "m.mb"
    assert run("learn", path, *words, "--model", saved, "--quiet").code == 0
    by_call = mb.learn(path, **given)
    assert learner_of(mb.load(saved)) == learner_of(by_call) == name
    inner = by_call.learner.inner
    assert inner is None or inner.name == ("winnow2" if "reduce" in given else "arow")


def test_the_report_names_it(run: Run, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.svm", 40)
    assert run("learn", path).out.startswith("Auto() on ")
    assert run("learn", path, "--json").json["learner"] == "auto"
    assert run("learn", path, "--fast").out.startswith("AROW() on ")


@pytest.mark.parametrize("labels", [6, 7])
def test_more_labels_than_it_is_for(run: Run, tmp_path: Path, labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lane of `auto` for each label is slow where there are many: those found, and those declared."""
    assert plan.AUTO_LABELS == 100
    monkeypatch.setattr(plan, "AUTO_LABELS", 6)
    rows = [(k % labels, k) for k in range(2 * labels)]
    name = "auto" if labels <= plan.AUTO_LABELS else "arow"
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"c{label} {k % 7 + 1}:1 {k % 5 + 9}:1\n" for label, k in rows))
    assert f"one-vs-all over {name}" in run("learn", path).err
    assert learner_of(mb.learn(path)) == name
    assert learner_of(mb.learn((np.ones((2 * labels, 1)), [f"c{label}" for label, _ in rows]))) == name
    declared = ",".join(f"c{label}" for label in range(labels))
    assert run("learn", path, "--labels", declared, "--json").json["parameters"]["base"] == name
    assert learner_of(mb.learn(path, learner="auto")) == "auto"


def test_fast_beside_a_learner_is_refused(run: Run, tmp_path: Path) -> None:
    path, saved = write_rows(tmp_path / "rows.svm", 20), tmp_path / "m.mb"
    assert run("learn", path, "--model", saved, "--quiet").code == 0
    for words, other in ((("--learner", "winnow2"), "--learner"), (("--from", saved), "--from"),
                         (("--reduce", "conjunction"), "--reduce")):  # fmt: skip
        result = run("learn", path, "--fast", *words)
        assert (result.code, result.err) == (2, f"mistakebound: --fast is arow: leave out {other}\n")
    with pytest.raises(mb.BadParameter, match=r"^fast is arow: leave out learner$"):
        mb.learn(path, fast=True, learner="winnow2")


def test_uncompiled_it_is_the_fast_one_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "rows.svm", 20)
    monkeypatch.setattr(plan, "compiled", lambda: False)
    assert learner_of(mb.learn(path)) == "arow"
    from mistakebound.kernels._selection import Selection

    empty = tmp_path / "kernels"
    empty.mkdir()
    (empty / "sorting.py").write_text("")
    problem = Selection(str(empty), "").problem()
    assert problem is not None
    assert "`learn` takes the learner arow where it would take auto" in problem


class Killed(BaseException):
    pass


def test_a_run_of_the_old_default_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint of a version whose default was AROW goes on as it began."""
    path, saved = write_rows(tmp_path / "rows.svm", 400), tmp_path / "m.mb"
    words: dict[str, Any] = {"model": saved, "passes": 3, "checkpoint": 400}

    def save_and_die(self: Training, save: Any = Training.save) -> None:
        save(self)
        raise Killed

    with monkeypatch.context() as old:
        old.setattr(plan, "FOR_STREAMS", "arow")
        whole = mb.learn(path, **words | {"model": tmp_path / "whole.mb"})
        old.setattr(Training, "save", save_and_die)
        with pytest.raises(Killed):
            mb.learn(path, **words)
    assert mb.load(saved).ledger.trials == 400  # type: ignore[union-attr]
    resumed = mb.learn(path, **words, resume=True)
    assert resumed.learner.name == "arow"
    assert resumed.learner.hypothesis == whole.learner.hypothesis
    assert resumed.ledger.mistakes == whole.ledger.mistakes  # type: ignore[union-attr]
