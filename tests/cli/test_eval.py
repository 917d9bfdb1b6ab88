from __future__ import annotations

from pathlib import Path

import pytest


def test_json(run, model, tmp_path: Path):
    rows = tmp_path / "held-out.svm"
    rows.write_text("+1 3:1\n+1 1:1\n-1 2:1 3:1\n-1 2:1\n-1 1:1\n")
    before = model.read_bytes()
    result = run("eval", model, rows, "--json")
    assert result.code == 0
    found = result.json
    assert (found["trials"], found["mistakes"], found["error_rate"]) == (5, 2, 0.4)
    assert found["confusion"] == {"-1": {"-1": 2, "+1": 1}, "+1": {"-1": 1, "+1": 1}}
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)
    # scores: 8 and 2 of the positives, 9, 1 and 2 of the negatives: 3 pairs won, 1 tied, of 6
    assert found["auc"] == 3.5 / 6
    assert model.read_bytes() == before


def test_text(run, model, stream):
    result = run("eval", model, stream)
    assert result.code == 0
    for line in ("  error rate   0.0000", "  AUC          1.0000", "  label +1             0             4"):
        assert line in result.out.splitlines()


def test_one_class_has_no_area(run, model, tmp_path: Path):
    rows = tmp_path / "positive.svm"
    rows.write_text("+1 1:1\n")
    found = run("eval", model, rows, "--json").json
    assert (found["auc"], found["precision"], found["recall"]) == (None, None, 0.0)
    assert "AUC not defined here" in " ".join(run("eval", model, rows).out.split())


def test_an_empty_stream_has_no_rates(run, model, tmp_path: Path):
    rows = tmp_path / "empty.svm"
    rows.write_text("")
    result = run("eval", model, rows, "--json")
    assert (result.code, result.out) == (3, "")
    assert f"{rows}: there are no rows to measure the model on" in result.err


@pytest.mark.parametrize("label", ["0", "2", "spam"])
def test_a_label_that_the_model_does_not_know_is_bad_data(run, model, tmp_path: Path, label):
    rows = tmp_path / "other.svm"
    rows.write_text(f"+1 3:1\n-1 2:1\n{label} 1:1\n")
    result = run("eval", model, rows)
    assert result.code == 3
    assert f"{rows}:3: label '{label}' is not one of the model's, -1 and +1" in result.err


def test_a_label_may_be_spelled_otherwise(run, model, tmp_path: Path):
    rows = tmp_path / "spelled.svm"
    rows.write_text("1.0 3:1\n1 3:1\n-1.0 2:1\n")
    assert run("eval", model, rows, "--json").json["mistakes"] == 0


def test_a_row_without_label_is_bad_data(run, model, tmp_path: Path):
    rows = tmp_path / "bare.svm"
    rows.write_text("+1 3:1\n3:1\n")
    result = run("eval", model, rows)
    assert (result.code, result.out) == (3, "")
    assert f"{rows}:2:" in result.err
