"""`--learner auto` in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mistakebound as mb
from cli.conftest import Run
from learners.test_auto import mixed_rows


@pytest.mark.parametrize("labels", [2, 3])
def test_commands(tmp_path: Path, run: Run, labels: int) -> None:
    path, out = tmp_path / "rows.csv", tmp_path / "m.mb"
    lines = [f"{'flag0' in x},{x['number']},{(label + (x['number'] > 2)) % labels}" for x, label in mixed_rows(150)]
    path.write_text("a,b,y\n" + "\n".join(lines) + "\n")
    assert run("learn", path, "--label", "y", "--learner", "auto", "--model", out).code == 0
    model = mb.load(out)
    told = run("predict", out, path, "--probabilities").out.splitlines()
    shares = model.predict_proba(str(path))
    assert [line.split("\t")[0] for line in told] == list(map(str, model.predict(str(path))))
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert "log loss" in run("eval", out, path).out
    assert run("explain", out).code == 0
    found = run("explain", out, path, "--row", "3", "--json").json
    assert found["prediction"] is not None
    if labels == 2:
        told = json.loads(run("explain", out, "--json").out)
        assert set(told["members"]) >= {"arow(r=0.1), unit rows", "arow(r=10), full"}
        assert run("explain", out, "--plot", tmp_path / "shares.svg").code == 0
        assert "coin-betting" in (tmp_path / "shares.svg").read_text()
