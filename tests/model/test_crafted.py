"""Models with a right checksum whose schema nobody could have written: one short error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core import model_file


@pytest.mark.parametrize(
    ("name", "value"),
    [("columns", [1.5, "b"]), ("columns", 7), ("header", 7), ("header", [{}, "b"]), ("header", [["a"]]), ("kinds", {})],
)
@pytest.mark.parametrize("row", [{"a": "x", "b": 1}, "x,1", ("x", 1)])
def test_a_schema_that_makes_no_sense(name: str, value: Any, row: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\nx,1,0\nz,2,1\n")
    for learner in ("perceptron", "naive-bayes"):
        options = {"bins": 2} if learner == "naive-bayes" else {}
        mb.learn(path, label="y", learner=learner, model=tmp_path / "m.mb", **options)
        header, arrays = model_file.read(tmp_path / "m.mb")
        header["reader"][name] = value
        model_file.write(tmp_path / "m.mb", header, arrays)
        with pytest.raises(mb.MistakeboundError) as caught:
            mb.load(tmp_path / "m.mb").predict_one(row)
        assert len(str(caught.value)) < 300
