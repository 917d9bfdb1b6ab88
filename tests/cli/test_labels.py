"""`learn` and `compare` without --labels: what they find, what they say of it, and what comes out again."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from cli.conftest import Run

NURSERY = ["not_recom", "very_recom", "priority", "spec_prior"]


def table(path: Path, labels: list[str], rows: int = 400, late: str | None = None) -> Path:
    """A table with a header, in which two columns tell the label; the last rows may have another one."""
    chance, lines = random.Random(1), ["health,finance,class\n"]
    for row in range(rows):
        place = chance.randrange(len(labels))
        label = late if late is not None and row > rows - 50 else labels[place]
        lines.append(f"h{place % 2},f{chance.randrange(3) * 10 + place},{label}\n")
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["spam", "ham"], "labels: ham, spam (positive: spam)"),
        (["YES", "no"], "labels: no, YES (positive: YES)"),
        (["2", "10"], "labels: 2, 10 (positive: 10)"),
        (["007", "+01.50"], "labels: +01.50, 007 (positive: 007)"),
        (NURSERY, "labels: 4, so one-vs-all over auto"),
        (["only"], "labels: only only so far (negative)"),
        (["Yes"], "labels: only Yes so far (positive)"),
    ],
)
def test_what_is_found_is_said(run: Run, tmp_path: Path, labels: list[str], said: str) -> None:
    path, model = table(tmp_path / "rows.csv", labels), tmp_path / "m.mb"
    words = ("learn", path, "--label", "class", "--model", model)
    found = run(*words)
    assert (found.code, found.err) == (0, f"mistakebound: {said}\n")
    assert run(*words, "--json").json["labels_found"] == said.removeprefix("labels: ")
    assert run(*words, "--quiet").err == ""
    out = run("predict", model, path).out.split()
    assert set(out) <= {*labels}, "labels come out as they are spelled"
    cells = [line.split(",")[2] for line in path.read_text().splitlines()[1:]]
    wrong = sum(a != b for a, b in zip(out, cells, strict=True))
    if len(labels) > 1:
        measured = run("eval", model, path, "--json").json
        assert measured["mistakes"] == wrong
        named = measured["confusion"] if len(labels) == 2 else [entry["label"] for entry in measured["classes"]]
        assert sorted(named) == sorted(labels)
        explained = run("explain", model).out
        assert all(label in explained for label in labels)
        assert set(labels) & set(run("explain", model, path, "--row", 1).out.split())
    assert {*run("explain", model, "--header", "--json").json["labels"]["spelling"]} - {None} == {*labels}


@pytest.mark.parametrize(("labels", "values"), [(["0", "1"], [0, 1]), (["-1", "+1"], [-1, 1]),
                                                (["False", "True"], [False, True])])  # fmt: skip
def test_of_the_known_pairs_nothing_is_said(run: Run, tmp_path: Path, labels: list[str], values: list[Any]) -> None:
    path = table(tmp_path / "rows.csv", labels)
    found = run("learn", path, "--label", "class", "--json")
    assert (found.err, found.json["labels"], found.json["labels_found"]) == ("", values, None)


def test_labels_that_are_given_are_not_looked_for(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "rows.csv", ["spam", "ham"])
    words = ("learn", path, "--label", "class", "--json")
    turned = run(*words, "--labels", "spam,ham")
    assert (turned.err, turned.json["labels"], turned.json["labels_found"]) == ("", ["spam", "ham"], None)
    assert run(*words).json["labels"] == ["ham", "spam"]
    many = table(tmp_path / "many.csv", NURSERY)
    closed = run("learn", many, "--label", "class", "--labels", ",".join(NURSERY), "--learner", "winnow2", "--json")
    assert (closed.json["learner"], closed.json["parameters"]) == ("one-vs-all", {"base": "winnow2"})
    assert closed.json["labels"] == NURSERY
    assert closed.json["abstentions"] == 0
    bad = run("learn", many, "--label", "class", "--labels", "a,b,c")
    assert bad.code == 3
    assert "is not one of those that were declared: a, b and c" in bad.err


def test_as_with_labels_that_are_declared(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "rows.csv", ["spam", "ham"])
    for learner in ("winnow2", "arow", "perceptron", "weighted-majority", "balanced-winnow", "passive-aggressive"):
        words = ("learn", path, "--label", "class", "--learner", learner, "--json", "--passes", 2)
        found, told = run(*words).json, run(*words, "--labels", "ham,spam").json
        assert {name: found[name] for name in ("trials", "mistakes_by_pass", "false_positives", "labels")} == {
            name: told[name] for name in ("trials", "mistakes_by_pass", "false_positives", "labels")
        }


def test_a_third_label_in_the_middle(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "rows.csv", ["no", "yes"], rows=1100, late="maybe")
    model = tmp_path / "m.mb"
    found = run("learn", path, "--label", "class", "--model", model, "--json")
    assert found.err.splitlines() == [
        "mistakebound: labels: no, yes (positive: yes)",
        f"mistakebound: labels: 'maybe' in {path}:1053 is a third label, so one-vs-all over auto from there on",
    ]
    assert (found.json["labels"], found.json["trials"]) == (["no", "yes", "maybe"], 1100)
    assert sum(count for _, _, count in found.json["confusion"]) == 1100
    compared = run("compare", path, "--label", "class", "--learners", "auto,winnow2", "--json")
    entry = next(entry for entry in compared.json["learners"] if entry["name"] == "auto")
    for name in ("learner", "parameters", "trials", "mistakes", "confusion", "labels", "recent"):
        assert entry[name] == found.json[name]
    assert f"'maybe' in {path}:1053 is a third label, so one-vs-all over each learner of two" in compared.err
    assert compared.json["labels_found"].startswith("'maybe' in ")
    shuffled = run("learn", path, "--label", "class", "--shuffle", "--json")
    assert shuffled.json["labels_found"] == "3, so one-vs-all over auto"


def test_a_third_label_and_an_assumption(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("no 1:1\nyes 2:1\n" * 550 + "maybe 3:1\n" + "yes 2:1\n")
    words = ("learn", path, "--learner", "winnow2", "--set", "n=5", "--assume", "k=1", "--json")
    refused = run(*words)
    assert refused.code == 3
    assert "rows.svm:1101: label 'maybe' is neither 'no' nor 'yes'" in refused.err
    assert run(*words, "--on-error", "skip").json["trials"] == 1101
    path.write_text("".join(f"{k * k % 7 % 2} {k % 5 + 1}:1\n" for k in range(1100)) + "2 3:1\n0 1:1\n")
    assert run("learn", path, *words[2:], "--strict", "--on-error", "skip").code == 5  # what was refuted stays so


@pytest.mark.parametrize("labels", [["spam", "ham"], NURSERY])
def test_standard_input_loses_nothing(
    run: Run, tmp_path: Path, labels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(tmp_path / "rows.csv", labels, 1500)
    words = ("--label", "class", "--format", "csv", "--json")
    whole = run("learn", path, *words).json
    with path.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        piped = run("learn", "-", *words).json
        for found in (whole, piped):
            del found["seconds"]
        assert piped == whole
    model = mb.learn(path, "class")
    assert (model.ledger.trials, model.ledger.mistakes) == (whole["trials"], whole["mistakes"])
    assert list(model.labels) == whole["labels"]


def test_compare_says_what_it_found(run: Run, tmp_path: Path) -> None:
    two, four = table(tmp_path / "two.csv", ["spam", "ham"]), table(tmp_path / "four.csv", NURSERY)
    found = run("compare", two, "--label", "class", "--learners", "arow,perceptron", "--json")
    assert found.err == "mistakebound: labels: ham, spam (positive: spam)\n"
    assert found.json["labels_found"] == "ham, spam (positive: spam)"
    declared = run(
        "compare", two, "--label", "class", "--learners", "arow,perceptron", "--labels", "ham,spam", "--json"
    )
    assert [entry["mistakes"] for entry in declared.json["learners"]] == [
        entry["mistakes"] for entry in found.json["learners"]
    ]
    many = run("compare", four, "--label", "class", "--learners", "winnow2,one-vs-all,p=perceptron", "--json")
    assert many.err == "mistakebound: labels: 4, so one-vs-all over each learner of two\n"
    by_name = {entry["name"]: entry for entry in many.json["learners"]}
    assert by_name["winnow2"]["parameters"] == {"base": "winnow2"}
    assert by_name["p"]["mistakes"] == by_name["one-vs-all"]["mistakes"]
    learned = run("learn", four, "--label", "class", "--learner", "winnow2", "--json").json
    assert by_name["winnow2"]["mistakes"] == learned["mistakes"]
    crossed = run("compare", four, "--label", "class", "--cross", 2, "--json")
    assert crossed.code == 0
    assert {entry["trials"] for entry in crossed.json["learners"] if entry["verdict"]["kind"] == "no bound"} == {400}
    assert run("compare", four, "--label", "class", "--quiet").err == ""


def test_many_labels_need_a_learner_that_can_be_a_base(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "rows.csv", NURSERY)
    words = ("learn", path, "--label", "class")
    for more, error in (
        (("--learner", "candidate-elimination"), "candidate-elimination does not learn row by row"),
        (("--labels", "priority"), "--labels must be NEG,POS: 'priority'"),
        (("--labels", "a,b,b"), "labels must be a list of at least two different labels"),
    ):
        result = run(*words, *more)
        assert result.code == 2
        assert error in result.err
        assert result.err.count("\n") == 1
    assert run(*words, "--learner", "naive-bayes").code == 0, "it takes many labels by itself"


def test_a_number_is_no_class(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("x,price\n" + "".join(f"a,{price}.25\n" for price in range(300)))
    for command in ("learn", "compare"):
        result = run(command, path, "--label", "price")
        assert result.code == 3
        assert f"{path}: regression is not supported: the label has more than 20 different values" in result.err
        assert "decimal numbers among them ('0.25', '1.25', ...); cut it into classes" in result.err
        assert result.err.count("\n") == 1
    with pytest.raises(mb.BadData, match="regression is not supported"):
        mb.learn(path, "price")


def test_rows_without_labels_and_no_rows(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("ham 1:1\n3:1\n")
    result = run("learn", path)
    assert result.code == 3
    assert f"{path}:2: the row has no label: '3:1'" in result.err
    path.write_text("")
    empty = run("learn", path, "--json")
    assert (empty.code, empty.err) == (3, f"mistakebound: {path}: there are no rows to learn from\n")


def test_a_cost_of_a_label_that_is_found(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "rows.csv", ["spam", "ham"])
    words = ("learn", path, "--label", "class", "--learner", "perceptron", "--json")
    found, told = run(*words, "--cost", "spam=5").json, run(*words, "--cost", "spam=5", "--labels", "ham,spam").json
    assert found["mistakes"] == told["mistakes"]
    assert found["false_positives"] == told["false_positives"]
    third = run(*words, "--cost", "eggs=5")
    assert third.code == 3
    assert "cost is given for 'eggs', which is not a label; the labels are ham and spam" in third.err


def test_predictions_as_json_have_the_labels(run: Run, tmp_path: Path) -> None:
    path, model = table(tmp_path / "rows.csv", ["No", "yes"]), tmp_path / "m.mb"
    assert run("learn", path, "--label", "class", "--model", model, "--quiet").code == 0
    found = {json.loads(line)["label"] for line in run("predict", model, path, "--json").out.splitlines()}
    assert found == {"No", "yes"}
    assert mb.load(model).predict_one({"health": "h0", "finance": "f0"}) == "No"


def test_a_version_space_finds_its_labels(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sport.csv"
    path.write_text("Sky,Wind,Enjoy\nSunny,Strong,Yes\nRainy,Strong,No\nSunny,Weak,Yes\n")
    found = run("version-space", path, "--label", "Enjoy", "--json")
    assert found.json == run("version-space", path, "--label", "Enjoy", "--labels", "No,Yes", "--json").json
    path.write_text(path.read_text() + "Rainy,Weak,Maybe\n")
    refused = run("version-space", path, "--label", "Enjoy")
    assert refused.code == 3
    assert "Maybe" in refused.err or "Yes" in refused.err
