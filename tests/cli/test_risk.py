"""`learn --iid`: bounds for the risk in the report and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import Run


def test_shown_where_it_is_declared(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1 3:1\n0 2:1 3:1\n" * 400)
    words = ["learn", path, "--learner", "perceptron", "--iid"]
    said = run(*words).out
    assert "on average of the hypotheses" in said
    assert "chosen" in said
    assert all(len(line) <= 80 for line in said.splitlines() if str(tmp_path) not in line)
    assert "hypotheses" not in run(*words[:-1]).out
    found = json.loads(run(*words, "--json").out)["risk"]
    assert found["level"] == 0.95
    assert found["chosen"]["high"] == found["model"] < 0.02
    assert json.loads(run(*words, "--passes", "2", "--json").out)["risk"] is None
