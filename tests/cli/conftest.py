"""A command line in this process, and small files for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mistakebound.cli import main

# x3 decides.  Winnow1 with n = 4 promotes at the rows 1, 3 and 5: then x3 weighs 8 and x1 2, against a threshold of 4.
ROWS = ["+1 1:1 3:1", "-1 2:1 4:1", "+1 3:1", "-1 1:1 2:1", "+1 3:1", "+1 2:1 3:1"]


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """run("learn", file, ...): exit code and both outputs; argparse's own exits count as exits."""

    def call(*words: object) -> Result:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "events.svm"
    path.write_text("\n".join(ROWS) + "\n")
    return path


@pytest.fixture
def model(run: Run, stream: Path, tmp_path: Path) -> Path:
    path = tmp_path / "events.mb"
    words = ("--learner", "winnow1", "--set", "n=4", "--assume", "k=1")
    assert run("learn", stream, *words, "--model", path, "--quiet").code == 0
    return path
