"""`mistakebound compare`: one reading, one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.rows import write_rows, write_table


def by_name(result) -> dict:
    return {entry["name"]: entry for entry in result.json["learners"]}


def test_each_learner_counts_as_learn_does(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    found = by_name(run("compare", path, "--assume", "k=2", "--json"))
    assert {"winnow1", "winnow2", "perceptron"} <= set(found)
    for name in ("winnow1", "winnow2"):
        alone = run("learn", path, "--learner", name, "--assume", "k=2", "--json").json
        same = ("trials", "mistakes", "error_rate", "recent", "bound", "theorem", "verdict", "parameters", "attributes")
        assert {key: found[name][key] for key in same} == {key: alone[key] for key in same}
    assert found["winnow1"]["bytes"] > 300
    assert found["winnow1"]["seconds"] >= 0


def test_the_table_is_for_people(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    result = run("compare", path, "--learners", "winnow2,perceptron", "--window", "80")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"2 learners on {path}, ")
    assert "recent: error % of the last 80" in result.out
    assert max(map(len, result.out.splitlines()[1:])) < 80


def test_settings_and_names_of_ones_own(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    words = ("--learners", "winnow2, bold=winnow2", "--set", "bold.alpha=8", "--json")
    found = by_name(run("compare", path, *words))
    assert (found["winnow2"]["parameters"]["alpha"], found["bold"]["parameters"]["alpha"]) == (1.5, 8.0)
    assert found["bold"]["learner"] == "winnow2"
    assert found["bold"]["mistakes"] != found["winnow2"]["mistakes"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--learners", "winow2"), "did you mean winnow2?"),
        (("--learners", "winnow2,winnow2"), "appears twice; rename one: other=winnow2"),
        (("--learners", "winnow2,"), "--learners must be names or NAME=LEARNER"),
        (("--learners", "a="), "--learners must be names or NAME=LEARNER"),
        (("--learners", "decision-tree"), "use `mistakebound learn`"),
        (("--learners", "halving"), "--set concepts=..."),
        (("--set", "alpha=2"), "--set must be LEARNER.NAME=VALUE here: alpha=2"),
        (("--set", "winow.alpha=2"), "--set must name one of "),
        (("--set", "winnow2.beta=2"), "winnow2 has no parameter beta"),
        (("--set", "winnow2.alpha=0.5"), "alpha must be a number > 1: 0.5"),
        (("--assume", "q=1"), "q is not a fact that any of these learners can use"),
        (("--window", "0"), "--window must be >= 1: 0"),
        (("--seed", "3"), "--seed needs --shuffle"),
        (("--plot", "curves.pdf"), "must end in .png or .svg"),
        (("--threads", "0"), "--threads must be >= 1"),
    ],
)
def test_mistyped_words_are_said(run, stream, words, said):
    result = run("compare", stream, *words)
    assert result.code == 2
    assert said in result.err


def test_a_table_with_numbers_leaves_winnow_out(run, tmp_path: Path):
    path = write_table(tmp_path / "days.csv", 200)
    words = ("--label", "label", "--labels", "no,yes", "--ignore", "w", "--learners", "winnow2,perceptron")
    result = run("compare", path, *words)
    assert result.code == 0
    assert "winnow2" in result.out.splitlines()[-2] + result.out.splitlines()[-1]
    assert "cannot take these rows" in result.out
    assert "days.csv:2" in result.out.replace("\n", "")
    binned = by_name(run("compare", path, *words, "--bins", "4", "--json"))
    assert binned["winnow2"]["refused"] is None
    refused = run("compare", path, *words[:-1], "winnow1,winnow2")
    assert (refused.code, "none of these learners" in refused.err) == (3, True)


def test_bad_lines(run, tmp_path: Path):
    path = tmp_path / "bad.svm"
    path.write_text("+1 1:1\n-1 x:1\n-1 2:1\n+1 1:0.5\n")
    failed = run("compare", path, "--learners", "perceptron,winnow2")
    assert (failed.code, "bad.svm:2: attribute 'x'" in failed.err) == (3, True)
    result = run("compare", path, "--learners", "perceptron,winnow2", "--on-error", "skip", "--json")
    assert (result.json["skipped"], "skipped: " in result.err) == (1, True)
    assert {name: (e["trials"], e["skipped"]) for name, e in by_name(result).items()} == {
        "perceptron": (3, 0), "winnow2": (2, 1),
    }  # fmt: skip


def test_another_order_is_the_same_for_all_and_every_time(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    words = ("compare", path, "--learners", "winnow2,perceptron", "--json")
    found = [
        {name: e["mistakes"] for name, e in by_name(run(*words, *more)).items()}
        for more in ((), ("--shuffle",), ("--shuffle", "--seed", "1"), ("--shuffle", "--seed", "2"))
    ]
    assert found[1] == found[2]
    assert found[0] != found[1] != found[3]
    alone = run("learn", path, "--learner", "winnow2", "--shuffle", "--json").json
    assert alone["mistakes"] == found[1]["winnow2"]


def test_the_picture(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    assert run("compare", path, "--plot", tmp_path / "curves.svg", "--quiet").code == 0
    assert "winnow1: " in (tmp_path / "curves.svg").read_text()
    stolen = tmp_path / "events.svg"
    stolen.write_text(path.read_text())
    assert "--plot is an input of this command" in run("compare", stolen, "--format", "libsvm", "--plot", stolen).err


def test_learn_says_the_recent_error(run, stream):
    said = run("learn", stream, "--learner", "winnow1", "--set", "n=4", "--window", "2").out
    assert "  recent      1 error in the last 2 trials (50.00 %)" in said
    found = run("learn", stream, "--learner", "winnow1", "--set", "n=4", "--json").json
    assert found["recent"] == {"trials": 6, "errors": 3, "error_rate": 0.5}
    assert run("learn", stream, "--window", "0").code == 2


def test_the_verdict_says_when_the_bound_was_passed(run, tmp_path: Path):
    """Also in a run that goes on from a model, as far as that run knows."""
    path, model = tmp_path / "x.svm", tmp_path / "x.mb"
    path.write_text("+1 1:1\n-1 1:1\n" * 20)
    words = ("--learner", "winnow1", "--set", "n=2", "--assume", "k=1", "--model", model)
    first = run("learn", path, *words, "--json").json
    # 5 are allowed; the mistakes are at the trials 1, 3, 4 (w1 = 4, eliminated), 5, 7, 9, ...
    assert (first["verdict"]["kind"], first["verdict"]["trial"]) == ("refuted", 9)
    text = "no monotone disjunction of at most 1 of 2 attributes explains these labels"
    assert first["verdict"]["text"].endswith(f"(exceeded at trial 9): {text}")
    again = run("learn", path, "--from", model, "--json").json
    assert again["verdict"]["trial"] is None
    assert f"(exceeded before trial 41): {text}" in again["verdict"]["text"]
    assert again["recent"]["trials"] == 40


def test_a_fact_of_the_attributes_that_were_asked_for(run, tmp_path: Path):
    path = write_rows(tmp_path / "events.svm", 400)
    words = ("--reduce", "decision-list", "--attributes", "300", "--assume", "rules=2", "--json")
    found = by_name(run("compare", path, "--learners", "winnow2", *words))["winnow2"]
    assert "a decision list of at most 2 rules over the literals of 300 attributes" in found["theorem"]["assumes"]
    assert found["mistakes"] == run("learn", path, "--learner", "winnow2", *words).json["mistakes"]
