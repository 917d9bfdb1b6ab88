"""What commands say of files without rows, files behind options, and models that know one label."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

import mistakebound as mb


def test_a_file_without_rows_is_bad_data(run: Run, tmp_path: Path) -> None:
    empty, model, rows = tmp_path / "empty.svm", tmp_path / "m.mb", tmp_path / "rows.svm"
    empty.write_text("\n# nothing\n")
    rows.write_text("1 3:1\n0 4:1\n")
    for words in (("learn", empty, "--model", model), ("learn", empty, "--json"), ("compare", empty)):
        result = run(*words)
        assert (result.code, result.out) == (3, "")
        assert result.err == f"mistakebound: {empty}: there are no rows to learn from\n"
    assert not model.exists()
    assert run("learn", rows, "--model", model).code == 0
    known = model.read_bytes()
    assert run("learn", empty, "--from", model, "--model", model).code == 3
    assert model.read_bytes() == known
    result = run("eval", model, empty)
    assert (result.code, result.out) == (3, "")
    assert "there are no rows to measure the model on" in result.err
    with pytest.raises(mb.BadData, match=r"empty\.svm: there are no rows to learn from"):
        mb.learn(empty)


def test_a_file_behind_an_option_is_said(run: Run, tmp_path: Path) -> None:
    for words in (("learn", "a.svm", "--model", "m.mb", "b.svm"), ("explain", "m.mb", "--top", 3, "b.svm")):
        result = run(*words)
        assert result.code == 2
        said = "unexpected argument 'b.svm': put every FILE before the options, or write --option=VALUE"
        assert said in result.err
    assert "there is no option --nothing" in run("learn", "a.svm", "--nothing").err


def test_a_model_of_one_label_names_only_that(run: Run, tmp_path: Path) -> None:
    rows, other, model = tmp_path / "rows.txt", tmp_path / "other.txt", tmp_path / "m.mb"
    rows.write_text("ham\thello there\nham\tyou too\n")
    other.write_text("ham\thello there\neggs\tyou too\n")
    assert run("learn", rows, "--fast", "--format", "text", "--model", model).code == 0
    for command in ("eval", "explain"):
        result = run(command, model, other)
        assert result.code == 3
        assert f"{other}:2: label 'eggs' is not one of the model's, ham" in result.err
        assert "and 1" not in result.err


def test_learners_shows_what_learn_takes(run: Run) -> None:
    shown = run("learners", "network").out
    assert shown.startswith("network: ")
    assert "the same as table-network" in shown
    assert "epochs" in shown
    listed = run("learners", "network", "--json").json[0]
    assert listed["name"] == "network"
    assert listed["parameters"] == run("learners", "table-network", "--json").json[0]["parameters"]
