"""Frames of pandas and polars: the same model as from their file, the same predictions in any order of columns."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import mistakebound as mb

COLUMNS: dict[str, list[Any]] = {
    "age": [25, 61, 40, 33, 18] * 30,
    "job": ["clerk", "pilot", "pilot", None, "cook"] * 30,
    "height": [1.7, 1.8, 0.0, 1.9, None] * 30,
    "member": [True, False, True, True, False] * 30,
    "rich": ["no", "yes", "yes", "no", "no"] * 30,
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_as_its_file(kind: str, tmp_path: Path) -> None:
    frame = FRAMES[kind](COLUMNS)
    arrow = pa.table(frame) if kind != "pandas" else pa.Table.from_pandas(frame, preserve_index=False)
    pyarrow.feather.write_feather(arrow, tmp_path / "people.arrow", compression="uncompressed")
    model, by_file = mb.learn(frame, label="rich"), mb.learn(tmp_path / "people.arrow", label="rich")
    assert str(model.learner.hypothesis) == str(by_file.learner.hypothesis)
    assert model.ledger is not None
    assert by_file.ledger is not None
    assert model.ledger.mistakes == by_file.ledger.mistakes
    assert model.predict(frame) == by_file.predict(tmp_path / "people.arrow")


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_count_by_name(kind: str) -> None:
    model = mb.learn(FRAMES[kind](COLUMNS), label="rich")
    turned = FRAMES[kind]({name: COLUMNS[name] for name in ("member", "height", "age", "job")})
    assert model.predict(turned) == model.predict(FRAMES[kind](COLUMNS))
    one = {"age": 61, "job": "pilot", "height": 1.8, "member": False}
    assert model.predict_one(one) == model.predict(turned)[1]


def test_categories_nullable_integers_and_dates_of_pandas() -> None:
    frame = pd.DataFrame(COLUMNS)
    typed = frame.assign(
        job=frame["job"].astype("category"), age=frame["age"].astype("Int64"), since=pd.Timestamp("2024-01-28 10:30")
    )
    plain = mb.learn(frame, label="rich")
    model = mb.learn(typed, label="rich", ignore=["since*"])
    assert str(model.learner.hypothesis) == str(plain.learner.hypothesis)
    dated = mb.learn(typed, label="rich")
    assert "since month=1" in str(dated.learner.hypothesis)


def test_the_page_runs(checkout: Path) -> None:
    text = (checkout / "docs" / "python_tools.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, "python_tools.md", "exec"), {})
        assert said.getvalue().splitlines() == re.findall(r"print\(.*\)  # (.*)", block)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_file_is_read_without_pandas(tmp_path: Path, form: str) -> None:
    """Arrow imports it for some of its ways from and to Python, which takes longer than a small file does."""
    path = tmp_path / f"x.{form}"
    rows = {
        "colour": ["red", "blue", "?", "red"] * 20, "size": [1.5, 2.0, 7.0, 3.0] * 20,
        "day": ["2026-01-02", "2026-02-03", "", "2026-05-06"] * 20, "label": ["yes", "no", "no", "yes"] * 20,
    }  # fmt: skip
    if form == "csv":
        lines = [",".join(rows), *(",".join(map(str, cells)) for cells in zip(*rows.values(), strict=True))]
        path.write_text("\n".join(lines) + "\n")
    else:
        pq.write_table(pa.table(rows), path)
    code = (
        "import sys, mistakebound as mb\n"
        f"model = mb.learn({str(path)!r}, label='label')\n"
        "assert model.ledger.trials == 80\n"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
