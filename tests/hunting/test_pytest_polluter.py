"""The plugin that finds the tests which make another one fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = "mistakebound.hunting.pytest_polluter"


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_a.py").write_text(
        "import os\ndef test_one(): pass\ndef test_sets(): os.environ['POLLUTED'] = '1'\ndef test_fails(): assert 0\n"
    )
    (tmp_path / "test_b.py").write_text(
        "import os, pytest\n@pytest.mark.parametrize('x', ['a b', 'c'])\ndef test_many(x): pass\n"
        "def test_clean(): assert 'POLLUTED' not in os.environ\ndef test_last(): pass\n"
    )
    return tmp_path


def run(folder: Path, victim: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    words = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "--hunt-polluter", victim]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_polluter_is_found(tests: Path) -> None:
    done = run(tests, "test_b.py::test_clean")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_b.py::test_clean fails after other tests: the culprit is test_a.py::test_sets" in done.stdout
    assert "pytest test_a.py::test_sets test_b.py::test_clean" in done.stdout


@pytest.mark.long
def test_what_is_no_polluted_test(tests: Path) -> None:
    done = run(tests, "test_b.py::test_last")
    assert (done.returncode, "good with all tests before it on" in done.stdout) == (13, True)
    done = run(tests, "test_b.py::none")
    assert (done.returncode, "is not among the 7 collected tests" in done.stderr) == (4, True)


def test_nothing_is_imported_until_it_is_used() -> None:
    program = f"import sys; import {PLUGIN}; print([n for n in sys.modules if n.startswith('mistakebound.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(["mistakebound.core", "mistakebound.core.lazy", "mistakebound.hunting", PLUGIN])
