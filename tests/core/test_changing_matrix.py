"""A matrix that another thread changes while it is learned: no crash, and no error but our own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.changing_matrix import LEARNERS

KINDS = ["indices", "wide indices", "indptr", "data"]
SHORT = [("winnow2", "wide indices"), ("standardised", "indptr")]
CASES = [(*case, 0.3) for case in SHORT] + [
    pytest.param(name, kind, 5.0, marks=pytest.mark.long) for name in LEARNERS for kind in KINDS
]


@pytest.mark.some(1)
@pytest.mark.parametrize(("name", "kind", "seconds"), CASES)
def test_nothing_but_our_own_errors(name: str, kind: str, seconds: float) -> None:
    child = Path(__file__).with_name("changing_matrix.py")
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(child), name, kind, str(seconds)],
        capture_output=True, text=True, timeout=60 + 10 * seconds, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
