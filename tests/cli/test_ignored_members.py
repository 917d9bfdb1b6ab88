"""`--ignore` of members of JSON objects: learn, predict, explain, resume and export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from inputs.test_ignored_members import _rows


@pytest.mark.parametrize("more", [[], ["--bins", "3"], ["--standardize"], ["--cross", "2"], ["--array"]], ids=str)
def test_patterns_that_fit_members_are_not_said(run: Run, tmp_path: Path, more: list[str]) -> None:
    path, model = tmp_path / "log.json", tmp_path / "log.mb"
    rows = _rows()
    path.write_text(json.dumps(rows) if more == ["--array"] else "".join(json.dumps(row) + "\n" for row in rows))
    words = [word for name in ("ok", "resp", "resp.status", "us*", "okay", "re") for word in ("--ignore", name)]
    result = run(
        "learn", path, "--learner", "arow", "--model", model, *(word for word in more if word != "--array"), *words
    )
    assert result.code == 0, result.err
    said = [line for line in result.err.splitlines() if "nothing is called" in line]
    assert said == [f"mistakebound: ignore: nothing is called {name!r}" for name in ("okay", "re")]
    assert run("predict", model, path).code == 0
    shown = run("explain", model, "--instance-json", json.dumps(rows[0]))
    assert "ignored, as in the stream: ok=true" in shown.out or "ok=false" in shown.out
    assert "resp" in shown.out.partition("ignored")[2]


def test_resumed_and_exported(run: Run, tmp_path: Path) -> None:
    path, model, half = tmp_path / "log.jsonl", tmp_path / "log.mb", tmp_path / "half.mb"
    rows = _rows()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--learner", "arow", "--bins", "3", "--ignore", "ok", "--ignore", "resp.status"]
    assert run("learn", path, "--model", model, *words).code == 0
    assert run("learn", path, "--model", half, "--checkpoint", "50", *words).code == 0
    assert run("learn", path, "--model", half, "--checkpoint", "50", "--resume", *words).code == 0
    assert run("predict", half, path).out == run("predict", model, path).out
    written = tmp_path / "own.py"
    assert run("export", model, "--to", "python", "--output", written).code == 0
    module: dict[str, Any] = {}
    exec(written.read_text(), module)
    answers = [str(module["predict"](row)) for row in rows]
    assert answers == [line.split("\t")[0].split()[0] for line in run("predict", model, path).out.splitlines()]
