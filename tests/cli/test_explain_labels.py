"""`explain` of many labels: the attributes for and against each, and what they add for one row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb


def animals() -> list[dict[str, Any]]:
    return [
        {"sound": "miaow", "legs": 4, "label": "cat"}, {"sound": "woof", "legs": 4, "label": "dog"},
        {"sound": "moo", "legs": 4, "label": "cow"},
    ] * 20  # fmt: skip


def test_the_report_names_features_of_each_label(tmp_path: Path, run: Any) -> None:
    mb.learn(animals(), "label", fast=True, model=tmp_path / "animals.mb")
    out = run("explain", tmp_path / "animals.mb").out
    assert "cat         for: sound=miaow (+" in out
    assert "              against: sound=woof (-" in out
    assert max(map(len, out.splitlines())) < 80
    found = run("explain", tmp_path / "animals.mb", "--json").json["members"]
    assert found[0]["attributes"][0].keys() == {"name", "weight", "spread", "effect"}


def test_one_row_of_many_labels(tmp_path: Path, run: Any) -> None:
    model = mb.learn(animals(), "label", learner="perceptron", model=tmp_path / "animals.mb")
    said = model.explain({"sound": "woof", "legs": 4})
    assert said.prediction == "dog"
    lines = str(said).splitlines()
    assert lines[0] == "predicts dog"
    head = next(line for line in lines if line.strip().startswith("attribute"))
    assert head.split() == ["attribute", "value", *["adds", "to", "dog"], *head.split()[5:]]
    for answer in said.as_json()["members"]:
        total = sum(term["amount"] for term in answer["terms"]) + answer["bias"]
        assert total == pytest.approx(answer["score"])
    out = run("explain", tmp_path / "animals.mb", "--instance-json", '{"sound": "woof", "legs": 4}').out
    assert out.splitlines() == lines
