"""Which Python `make` takes: every interpreter is tried by running it, and one that is too old is refused at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

USED = ("sh", "make", "sed", "grep", "sort", "ls", "tr", "rm", "touch", "dirname", "date", "tar", "mkdir", "expand")
pytestmark = pytest.mark.skipif(
    os.name == "nt" or not all(map(shutil.which, USED)), reason="needs make and what else a Unix has"
)
# What tools/pythons asks an interpreter: its version, or, with an argument, its path if it is of that version.
FAKE = """#!/bin/sh
[ $# = 3 ] || { echo {version}; exit; }
[ "$3" = {version} ] && echo "$0"
"""


class Machine:
    """A folder of programs without a Python, and a folder of pyenv."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.bin, self.pyenv, self.checkout = folder / "bin", folder / "pyenv", checkout
        self.bin.mkdir()
        for name in USED:
            (self.bin / name).symlink_to(shutil.which(name) or "")

    def add(self, name: str, version: str, folder: Path | None = None) -> Path:
        return self.program((folder or self.bin) / name, FAKE.replace("{version}", version))

    def add_to_pyenv(self, release: str) -> Path:
        version = release.rpartition(".")[0]
        return self.add(f"python{version}", version, self.pyenv / "versions" / release / "bin")

    def program(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run(self, *words: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "PYENV_ROOT": str(self.pyenv), "HOME": str(self.pyenv), **variables}
        return subprocess.run(words, cwd=cwd or self.checkout, env=environment, capture_output=True, text=True)

    def pythons(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("sh", "tools/pythons", *words)


@pytest.fixture
def machine(tmp_path: Path, checkout: Path) -> Machine:
    return Machine(tmp_path, checkout)


def test_the_list_has_what_runs_and_the_newest_version_first(machine: Machine) -> None:
    """A shim may exist and fail, and 3.12.10 is later than 3.12.9."""
    old, good = machine.add("python3.11", "3.11"), machine.add("python3.14", "3.14")
    machine.program(
        machine.bin / "python3.12", "#!/bin/sh\necho 'pyenv: python3.12: command not found' >&2; exit 127\n"
    )
    machine.program(machine.bin / "python3.13", "#!/bin/sh\nexit 1\n")
    for release in ("3.12.9", "3.12.10", "3.10.4", "3.11.7"):
        machine.add_to_pyenv(release)
    later = machine.pyenv / "versions/3.12.10/bin/python3.12"
    done = machine.pythons("list")
    assert (done.stdout, done.stderr) == (f"3.14 {good}\n3.12 {later}\n3.11 {old}\n", "")


def test_python3_is_taken_where_it_is_new_enough(machine: Machine) -> None:
    machine.add("python3.14", "3.14")
    for version in ("3.11", "3.12", "3.14", "3.15", "4.0"):
        machine.add("python3", version)
        done = machine.pythons("choose")
        assert (done.stdout, done.stderr) == ("python3\n", "")


@pytest.mark.parametrize("old", ["3.10", "3.9", "2.7"])
def test_where_python3_is_too_old_the_newest_other_one_is_taken(machine: Machine, old: str) -> None:
    machine.add("python3", old)
    machine.add_to_pyenv("3.11.4")
    newest = machine.add_to_pyenv("3.13.0")
    done = machine.pythons("choose")
    assert (done.stdout, done.stderr) == (f"{newest}\n", f"python3 is Python {old}: using {newest}\n")


def test_where_there_is_none_a_sentence_says_so(machine: Machine) -> None:
    none = "and no python3.11 to python3.14 was found on PATH or under pyenv"
    done = machine.pythons("choose")
    assert done.stdout == f"Mistakebound needs Python 3.11 or newer, but there is no python3 that runs, {none}\n"
    machine.add("python3", "3.10")
    done = machine.pythons("choose")
    assert done.stdout == f"Mistakebound needs Python 3.11 or newer, but python3 is Python 3.10, {none}\n"
    assert done.stderr == ""


def test_a_named_one_is_taken_or_refused_and_no_other_is_looked_for(machine: Machine) -> None:
    machine.add("python3.14", "3.14")
    old, good = machine.add("old", "3.10"), machine.add("good", "3.12")
    assert machine.pythons("choose", str(good)).stdout == f"{good}\n"
    refused = machine.pythons("choose", str(old)).stdout
    assert refused == f"Mistakebound needs Python 3.11 or newer, but PYTHON={old} is Python 3.10\n"
    refused = machine.pythons("choose", "nothing").stdout
    assert refused == "Mistakebound needs Python 3.11 or newer, but PYTHON=nothing does not run\n"


@pytest.mark.parametrize("named", [False, True])
def test_make_refuses_an_old_python_in_one_sentence(
    machine: Machine, checkout: Path, tmp_path: Path, named: bool
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    shutil.copytree(checkout / "tools", tree / "tools")
    for name in ("Makefile", "constraints.txt", "pyproject.toml", "setup.py"):
        shutil.copy(checkout / name, tree)
    old = machine.add("python3", "3.10")
    variables = {"PYTHON": str(old)} if named else {}
    for goal in ("run", "test", "lint", "build"):
        done = machine.run("make", goal, cwd=tree, **variables)
        assert done.returncode == 2
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert ": *** Mistakebound needs Python 3.11 or newer, but " in line
    assert not (tree / ".venv").exists()
    if named:  # also where something is set up already, and where a shim says something of its own
        machine.program(tree / ".venv/bin/python", "#!/bin/sh\necho Python 3.12.1\n")
        shim = machine.program(machine.bin / "shim", "#!/bin/sh\necho 'shim: command not found' >&2\nexit 127\n")
        for refused in (old, shim):
            done = machine.run("make", "run", cwd=tree, PYTHON=str(refused))
            (line,) = done.stderr.splitlines()
            assert ": *** Mistakebound needs Python 3.11 or newer, but " in line
        assert (tree / ".venv/bin/python").exists()
    assert machine.run("make", cwd=tree).returncode == 0  # the list of goals needs no Python


def test_every_python_is_tested_or_said_to_be_missing(machine: Machine, checkout: Path, tmp_path: Path) -> None:
    """`make test` in a folder of its own for each; one that fails does not stop the others."""
    tree = tmp_path / "tree"
    tree.mkdir()
    shutil.copytree(checkout / "tools", tree / "tools")
    (tree / "Makefile").write_text(
        "test:\n\t@echo testing with $(PYTHON); case $(PYTHON) in *3.12) exit 1;; esac; touch tested\n"
    )
    paths = {version: machine.add(f"python{version}", version) for version in ("3.11", "3.12", "3.14")}
    done = machine.run("sh", "tools/test-pythons", cwd=tree)
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if line.startswith("testing")] == [
        f"testing with {path}" for path in paths.values()
    ]
    summary = done.stdout.splitlines()[-4:]
    assert [line.partition(" in ")[0] for line in summary] == [
        "Python 3.11: passed", "Python 3.12: FAILED", "Python 3.13: not installed, skipped", "Python 3.14: passed",
    ]  # fmt: skip
    assert [(tree / f"build/python-{version}/tested").exists() for version in paths] == [True, False, True]
    assert machine.run("sh", "tools/test-pythons", "3.11", "3.14", cwd=tree).returncode == 0
    assert machine.run("sh", "tools/test-pythons", "3.13", cwd=tree).returncode == 1  # nothing was tested
