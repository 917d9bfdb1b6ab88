"""Damaged SciPy matrices: everything that takes one refuses them with our own error, and nothing crashes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("words", [[], pytest.param(["all"], marks=pytest.mark.long)])
def test_no_damaged_matrix_is_believed(words: list[str]) -> None:
    child = Path(__file__).parent / "matrix_child.py"
    done = subprocess.run([sys.executable, str(child), *words], capture_output=True, text=True, check=False)
    said = done.stdout.split("\r")
    assert done.returncode == 0, f"{said[-1].strip()[-2000:] or said[-2:]}\n{done.stderr[-2000:]}"
