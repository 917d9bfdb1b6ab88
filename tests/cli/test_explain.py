from __future__ import annotations

from pathlib import Path

import mistakebound as mb


def test_json(run, model):
    found = run("explain", model, "--top", "2", "--json").json
    assert found["learner"] == "winnow1"
    assert (found["rule"], found["threshold"]) == (">", 4.0)
    assert found["attributes"][0] == {"name": "3", "weight": 8.0}
    assert len(found["attributes"]) == 2
    assert found["hypothesis"].startswith("8*x3 + ")
    assert (found["bound"], found["theorem"]["source"]) == (7.0, "Littlestone 1988, Theorem 7")


def test_text(run, model):
    out = run("explain", model).out
    assert "predicts    +1 when 8*x3 + " in out
    assert "bound       7 by Littlestone 1988, Theorem 7" in out
    assert any(line.split() == ["3", "8"] for line in out.splitlines())
    assert max(map(len, out.splitlines())) < 80


def test_names_that_are_texts(run, tmp_path: Path):
    learner = mb.Perceptron(labels=("ham", "spam"))
    learner.learn_one({"free money": 1, "now": 2}, "spam")
    learner.save(tmp_path / "mail.mb")
    found = run("explain", tmp_path / "mail.mb", "--json").json
    assert found["attributes"] == [{"name": "now", "weight": 2.0}, {"name": "free money", "weight": 1.0}]
    assert (found["bias"], found["trials"], found["bound"]) == (1.0, None, None)
    assert "predicts    spam when" in run("explain", tmp_path / "mail.mb").out


def test_literals_of_an_elimination(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("1 1:1 4:1\n0 2:1 3:1\n1 1:1\n")
    assert run("learn", rows, "--learner", "conjunction-elimination", "--set", "n=4", "--model", model).code == 0
    assert run("explain", model, "--json").json["literals"] == {"kept": 3, "dropped": 5}
    lines = run("explain", model).out.splitlines()
    assert "  literals    3 kept, 5 dropped" in lines
    assert lines[-3:] == ["  1", "  ~2", "  ~3"]


def test_remaining_attributes_of_an_elimination(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("0 2:1 3:1\n1 1:1\n")
    assert run("learn", rows, "--learner", "disjunction-elimination", "--model", model).code == 0
    assert run("explain", model, "--json").json["literals"] == {"kept": 1, "dropped": 2}


def test_top_must_not_be_negative(run, model):
    result = run("explain", model, "--top", "-1")
    assert (result.code, result.err) == (2, "mistakebound: --top must be >= 0: -1\n")
    assert run("explain", model, "--top", "0").code == 0
