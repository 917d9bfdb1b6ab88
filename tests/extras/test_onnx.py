"""Models exported to ONNX say what the model says, by the reference evaluator and by onnxruntime."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator

import mistakebound as mb
from model.exported import CASES, answers, in_file, learned, table

ROWS = table(1000, 2, whole=False)
_MISSING = ("", "na", "?")


def fed(data: bytes, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Columns as the graph wants them: numbers with NaN for what is missing, texts without blanks around them."""
    found: dict[str, Any] = {}
    for own in onnx.load_from_string(data).graph.input:
        cells = [str(row.get(own.name, "")).strip() for row in rows]
        if own.type.tensor_type.elem_type == onnx.TensorProto.STRING:
            found[own.name] = np.array([[cell] for cell in cells], dtype=object)
        else:
            found[own.name] = np.array([[np.nan if cell.lower() in _MISSING else float(cell)] for cell in cells])
    return found


def compare(model: mb.Model, asked: list[Any], said: Any, *, reference: bool = False, **more: Any) -> None:
    data = model.export("onnx", **more)
    assert isinstance(data, bytes)
    inputs, (labels, shares) = fed(data, asked), said
    found = [onnxruntime.InferenceSession(data).run(None, inputs)]
    if reference:
        found.append(ReferenceEvaluator(onnx.load_from_string(data)).run(None, inputs))
    for own in found:
        assert own[0].tolist() == labels
        if shares is not None:
            assert np.allclose(own[1], shares, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_onnx_says_what_the_model_says(case: str, tmp_path: Path) -> None:
    model = learned(tmp_path, case, dates=False)
    rows = [{name: row[name] for name in row if name != "since"} for row in ROWS]
    said = answers(model, in_file(rows, tmp_path / "rows.csv"))
    compare(model, rows, said, reference=case in ("arow", "winnow cross", "tree", "naive-bayes", "many labels"))


def test_rules_and_lists_of_attributes(tmp_path: Path) -> None:
    rows = [[k >> j & 1 for j in range(6)] for k in range(64)]
    asked = [{str(j + 1): row[j] for j in range(6)} for row in rows]
    targets: dict[str, Any] = {
        "conjunction-elimination": lambda x: x[0] and not x[3],
        "disjunction-elimination": lambda x: x[1] or x[4],
        "decision-list-learner": lambda x: x[2] if x[0] else not x[5],
    }
    for name, target in targets.items():
        lines = [f"{int(bool(target(x)))} " + " ".join(f"{j + 1}:1" for j in range(6) if x[j]) for x in rows * 4]
        (tmp_path / "rules.svm").write_text("\n".join(lines) + "\n")
        parameters = {"n": 6} if name != "disjunction-elimination" else {}
        model = mb.learn(tmp_path / "rules.svm", learner=name, parameters=parameters)
        labels, shares = answers(model, tmp_path / "rules.svm")
        compare(model, asked, (labels[:64], shares[:64]))


def test_auto_is_the_approximation_in_python(tmp_path: Path) -> None:
    learned(tmp_path, "arow", dates=False)
    model = mb.learn(tmp_path / "people.csv", label="rich", learner="auto")
    rows = [{name: row[name] for name in row if name != "since"} for row in table(500, 5)]
    path = in_file(rows, tmp_path / "rows.csv")
    made: dict[str, Any] = {}
    exec(str(model.export("python", rows=path)), made)
    shares = [[made["predict_proba"](row)[label] for label in model.labels] for row in rows]
    compare(model, rows, ([made["predict"](row) for row in rows], shares), rows=path)


def test_the_same_bytes_every_time_and_missing_words_in_any_case(tmp_path: Path) -> None:
    model = learned(tmp_path, "winnow", dates=False)
    path = tmp_path / "rich.mb"
    model.save(path)
    code = f"import sys, mistakebound as mb; sys.stdout.buffer.write(mb.load({str(path)!r}).export('onnx'))"
    seeds = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    made = [subprocess.run([sys.executable, "-c", code], env=env, stdout=-1, check=True).stdout for env in seeds]
    assert made[0] == made[1] == model.export("onnx")
    rows = [
        {"age": "40", "job": word, "member": "true", "height": "1.7"} for word in ("NaN", "nAn", "N/a", "NULL", "x")
    ]
    compare(model, rows, answers(model, in_file(rows, tmp_path / "rows.csv")))


def test_what_onnx_cannot_do(tmp_path: Path) -> None:
    with pytest.raises(mb.BadParameter, match="ONNX cannot read the dates of the model"):
        learned(tmp_path, "arow").export("onnx")
    with pytest.raises(mb.BadParameter, match="refusing to overwrite"):
        learned(tmp_path, "arow", dates=False).export("onnx", tmp_path / "people.csv")
