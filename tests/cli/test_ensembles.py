"""More than two labels, and several learners at once, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb

KINDS = ["cat", "dog", "cow"]


@pytest.fixture
def animals(tmp_path: Path) -> Path:
    """The same rows in four formats; the third label appears late."""
    draw = Random(1)
    lines: dict[str, list[str]] = {"svm": [], "vw": [], "jsonl": [], "csv": ["a,b,c,kind"]}
    for row in range(400):
        kind = draw.randrange(3 if row > 50 else 2)
        on = [int(draw.random() < (0.9 if j == kind else 0.2)) for j in range(3)]
        lines["svm"].append(f"{kind + 1} " + " ".join(f"{j + 1}:1" for j in range(3) if on[j]))
        lines["vw"].append(f"{kind + 1} | " + " ".join(f"{j + 1}" for j in range(3) if on[j]))
        lines["csv"].append(",".join([*map(str, on), KINDS[kind]]))
        lines["jsonl"].append(json.dumps({"label": KINDS[kind]} | {str(j + 1): 1 for j in range(3) if on[j]}))
    for ending, text in lines.items():
        (tmp_path / f"animals.{ending}").write_text("\n".join(text) + "\n")
    return tmp_path


def learned(run: Any, *words: Any) -> dict[str, Any]:
    result = run("learn", *map(str, words), "--json")
    assert result.code == 0, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


def test_every_format_gives_the_same_mistakes(run: Any, animals: Path) -> None:
    one = learned(run, animals / "animals.svm", "--learner", "one-vs-all")
    assert sorted(one["labels"]) == [1, 2, 3]
    assert one["abstentions"] == 1
    for name, more in (("vw", []), ("jsonl", ["--label", "label"]), ("csv", ["--label", "kind"])):
        other = learned(run, animals / f"animals.{name}", "--learner", "one-vs-all", *more)
        assert other["mistakes"] == one["mistakes"], name
        assert sorted(map(str, other["labels"])) == sorted(map(str, one["labels"] if name == "vw" else KINDS))


def test_blocks_and_threads_do_not_matter_and_learn_one_agrees(run: Any, animals: Path, tmp_path: Path) -> None:
    learner = mb.OneVsAll("winnow2")
    ledger = mb.play(learner, str(animals / "animals.svm"))
    for threads in (1, 2):
        model = tmp_path / f"{threads}.mb"
        found = learned(
            run, animals / "animals.svm", "--learner", "one-vs-all", "--set", "base=winnow2", "--threads", threads,
            "--model", model,
        )  # fmt: skip
        assert found["mistakes"] == ledger.mistakes
        assert mb.load(model).learner.hypothesis == learner.hypothesis
    assert (tmp_path / "1.mb").read_bytes() == (tmp_path / "2.mb").read_bytes()


def test_going_on_from_a_model(run: Any, animals: Path, tmp_path: Path) -> None:
    lines = (animals / "animals.svm").read_text().splitlines(keepends=True)
    (tmp_path / "a.svm").write_text("".join(lines[:40]))
    (tmp_path / "b.svm").write_text("".join(lines[40:]))
    whole, half = tmp_path / "whole.mb", tmp_path / "half.mb"
    base = "--learner", "one-vs-all", "--set", "base.eta=0.3"
    one = learned(run, animals / "animals.svm", *base, "--model", whole)
    assert one["parameters"] == {"base": "perceptron(eta=0.3)"}
    learned(run, tmp_path / "a.svm", *base, "--model", half)
    two = learned(run, tmp_path / "b.svm", "--from", half, "--model", half)
    assert two["mistakes"] == one["mistakes"]
    assert sorted(map(str, two["confusion"])) == sorted(map(str, one["confusion"]))
    assert mb.load(half).learner.hypothesis == mb.load(whole).learner.hypothesis


def test_predict_eval_explain_inspect(run: Any, animals: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.mb")
    learned(run, animals / "animals.csv", "--label", "kind", "--learner", "one-vs-all", "--model", model)
    said = run("predict", model, str(animals / "animals.csv")).out.split()
    assert len(said) == 400
    assert set(said) == set(KINDS)
    result = json.loads(run("eval", model, str(animals / "animals.csv"), "--json").out)
    labels = [line.split(",")[-1] for line in (animals / "animals.csv").read_text().split()[1:]]
    assert result["mistakes"] == sum(a != b for a, b in zip(said, labels, strict=True))
    table = {entry["label"]: entry["predicted_as"] for entry in result["classes"]}
    assert table["cat"]["dog"] == sum(a == "dog" and b == "cat" for a, b in zip(said, labels, strict=True))
    assert "said cow" in run("eval", model, str(animals / "animals.csv")).out
    text = run("explain", model).out
    assert all(kind in text for kind in KINDS)
    told = json.loads(run("explain", model, "--instance", "1,0,0", "--json").out)
    assert told["prediction"] == told["members"][0]["label"]
    assert [entry["label"] for entry in json.loads(run("explain", model, "--json").out)["members"]] == list(
        mb.load(model).learner.labels.values
    )
    assert "labels       " + ", ".join(mb.load(model).learner.labels.values) in run("explain", model, "--header").out
    (tmp_path / "odd.csv").write_text("a,b,c,kind\n1,0,0,yak\n")
    bad = run("eval", model, str(tmp_path / "odd.csv"))
    assert bad.code == 3
    assert "label 'yak' is not one of the model's" in bad.err


def test_holdout_may_hold_a_label_that_is_new(run: Any, animals: Path, tmp_path: Path) -> None:
    (tmp_path / "held.svm").write_text("1 1:1\n9 2:1\n")
    found = learned(
        run, animals / "animals.svm", "--learner", "one-vs-all", "--holdout", tmp_path / "held.svm", "--passes", 2
    )
    assert [held["rows"] for held in found["holdout"]] == [2, 2]
    assert all(held["mistakes"] >= 1 for held in found["holdout"])


def test_declared_labels_are_all_that_there_are(run: Any, animals: Path) -> None:
    closed = learned(run, animals / "animals.svm", "--learner", "one-vs-all", "--labels", "1,2,3")
    assert (closed["labels"], closed["abstentions"]) == (["1", "2", "3"], 0)
    bad = run("learn", str(animals / "animals.svm"), "--learner", "one-vs-all", "--labels", "1,2")
    assert bad.code == 3
    assert "label 3 is not one of those that were declared: 1 and 2" in bad.err


def test_a_third_label_beside_two_that_are_declared_names_the_learner_for_it(run: Any, tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("0 1:1\n1 2:1\n2 3:1\n")
    for learner in ("winnow2", "perceptron", "weighted-majority"):
        result = run("learn", str(tmp_path / "x.svm"), "--learner", learner, "--labels", "0,1")
        assert result.code == 3
        assert "x.svm:3: label 2 is neither '0' nor '1'; more than two labels are for --learner" in result.err


def test_a_model_without_labels_says_so(run: Any, tmp_path: Path) -> None:
    mb.OneVsAll().save(tmp_path / "m.mb")
    (tmp_path / "x.svm").write_text("1 1:1\n")
    for command in ("predict", "eval"):
        result = run(command, str(tmp_path / "m.mb"), str(tmp_path / "x.svm"))
        assert result.code == 2
        assert "the model has not learned any label yet" in result.err
    assert run("explain", str(tmp_path / "m.mb")).code == 0


def test_weighted_majority(run: Any, tmp_path: Path) -> None:
    draw = Random(2)
    rows = [sorted({draw.randrange(1, 40) for _ in range(6)}) for _ in range(500)]
    text = [f"{int(3 in row or 5 in row)} " + " ".join(f"{a}:1" for a in row) for row in rows]
    (tmp_path / "x.svm").write_text("\n".join(text) + "\n")
    model, file = str(tmp_path / "m.mb"), str(tmp_path / "x.svm")
    experts = "winnow2(alpha=2),perceptron"
    found = learned(run, file, "--learner", "weighted-majority", "--set", f"experts={experts}", "--model", model)
    assert found["verdict"]["kind"] == "within"
    assert found["theorem"]["name"] == "the weighted majority theorem at beta = 1/2"
    alone = learned(run, file, "--learner", "winnow2", "--set", "alpha=2")
    members = json.loads(run("explain", model, "--json").out)["members"]
    assert [member["expert"] for member in members] == ["winnow2(alpha=2.0)", "perceptron"]
    assert members[0]["mistakes"] == alone["mistakes"]
    assert found["mistakes"] <= found["bound"]
    assert "winnow2" in run("explain", model, "--header").out
    refuted = run("learn", file, "--learner", "weighted-majority", "--assume", "m=0", "--strict", "--quiet")
    assert refuted.code == 5
    drawn = "--learner", "randomized-weighted-majority", "--assume", "m=0", "--strict"
    assert run("learn", file, *drawn, "--quiet").code == 0
    assert learned(run, file, *drawn)["verdict"]["kind"] == "above expectation"
    (tmp_path / "y.svm").write_text("1 1:1\n0 2:0.5\n")
    bad = run("learn", str(tmp_path / "y.svm"), "--learner", "weighted-majority", "--set", f"experts={experts}")
    assert bad.code == 3
    assert "y.svm:2: attribute '2' has the value 0.5, but winnow2 in weighted-majority takes 0 and 1 only" in bad.err
    assert run("learn", str(tmp_path / "y.svm"), "--learner", "weighted-majority").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner", "one-vs-all", "--set", "base=nothing"], "base must be an online learner"),
        (["--learner", "one-vs-all", "--set", "base.rate=1"], "base.rate is not a parameter of perceptron: base.eta"),
        (["--learner", "one-vs-all", "--set", "base.eta=-1"], "eta must be a number > 0: -1"),
        (["--learner", "one-vs-all", "--set", "eta=1"], "one-vs-all has no parameter eta"),
        (["--learner", "weighted-majority", "--set", "experts=perceptron,"], "experts must be online learners"),
        (["--learner", "weighted-majority", "--set", "beta=1"], "beta must be a number > 0 and < 1: 1"),
        (
            ["--learner", "one-vs-all", "--set", "base=decision-list-learner(n=3)", "--cost", "1=3"],
            "one-vs-all does not support --cost",
        ),
    ],
)
def test_mistypes(run: Any, tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "x.svm").write_text("1 1:1\n")
    result = run("learn", str(tmp_path / "x.svm"), *words)
    assert result.code == 2
    assert said in result.err
