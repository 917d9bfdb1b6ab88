"""The wheel that holds only hunt: made of the sources, it works where nothing else is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLAGS = "".join(f"--opt{number}\n" for number in range(12))
FAILS = 'case "$*" in *opt3*opt7*) echo together; exit 1;; esac'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, ROOT / "tools/setbisect", folder], capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing in it but what the wheel holds."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    return folder / "bin/python"


def run(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MISTAKEBOUND"))}
    return subprocess.run([python, "-W", "error", *words], cwd=folder, env=clean, capture_output=True, text=True)


def test_every_mode_runs_without_anything_else(python: Path, tmp_path: Path) -> None:
    (tmp_path / "flags.txt").write_text(FLAGS)
    command = ["--", "sh", "-c", FAILS, "sh", "{}"]
    done = run(python, tmp_path, "-m", "setbisect", "flags", "flags.txt", "--json", "--log", "log", *command)
    assert (done.returncode, json.loads(done.stdout)["culprits"]) == (0, ["--opt3", "--opt7"]), done.stderr
    assert "setbisect: run 1: 12 of 12 on: bad" in done.stderr
    flaky = run(python, tmp_path, "-m", "setbisect", "flags", "flags.txt", "--confidence", "0.9", "--quiet", *command)
    assert "--opt3" in flaky.stdout, flaky.stderr
    env = run(python, tmp_path, "-m", "setbisect", "env", "A,B", "--quiet", "--", "sh", "-c", 'test -z "$B"')
    assert env.stdout.startswith("the culprit is B\n"), env.stderr
    reduced = run(python, tmp_path, "-m", "setbisect", "reduce", "flags.txt", "--quiet", "--", "sh", "-c",
                  '! grep -q opt5 "$1"', "sh", "{}")  # fmt: skip
    assert (tmp_path / "flags.reduced.txt").read_text().strip() == "opt5", reduced.stderr


def test_commands_have_the_environment_that_it_was_given(python: Path, tmp_path: Path) -> None:
    (tmp_path / "flags.txt").write_text("--a\n--b\n")
    command = ["--", "sh", "-c", 'env >> seen; case "$*" in *b*) exit 1;; esac', "sh", "{}"]
    run(python, tmp_path, "-m", "setbisect", "flags", "flags.txt", "--quiet", *command)
    assert {line.partition("=")[0] for line in (tmp_path / "seen").read_text().splitlines()} <= {
        *os.environ, "PWD", "OLDPWD", "SHLVL", "_",
    }  # fmt: skip


def test_it_speaks_under_its_own_name(python: Path, tmp_path: Path) -> None:
    shown = run(python, tmp_path, "-m", "setbisect", "--help")
    assert shown.stdout.startswith("usage: setbisect MODE WHAT COMMAND")
    assert "mistakebound" not in shown.stdout
    assert len(shown.stdout.splitlines()) <= 24
    wrong = run(python, tmp_path, "-m", "setbisect", "flags", "missing.txt", "--", "true", "{}")
    assert (wrong.returncode, wrong.stderr) == (1, "setbisect: missing.txt: No such file or directory\n")
    library = "import setbisect; print(setbisect.hunt(lambda on: 'c' in on, list('abcd')))"
    assert run(python, tmp_path, "-c", library).stdout == "<Hunt: the culprit is c; 6 runs>\n"


def test_no_file_of_it_is_about_anything_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        assert len(names) < 90
        assert not any(name.endswith((".so", ".pyd")) for name in names)
        assert not [name for name in names if b"import mistakebound" in file.read(name)]
        metadata = file.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert "Name: setbisect\n" in metadata
    assert "Requires-Dist" not in metadata


@pytest.mark.long
def test_pip_installs_it(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    install = [tmp_path / "env/bin/python", "-m", "pip", "install", "-q", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    done = subprocess.run([tmp_path / "env/bin/setbisect", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("setbisect ")


def test_hunt_never_imports_numpy() -> None:
    script = (
        "import sys, mistakebound as mb\n"
        "mb.hunt(lambda on: 'b' in on, ['a', 'b'], confidence=0.9)\n"
        "mb.hunt(lambda on: {'b', 'c'} <= on or 'd' in on, list('abcdef'))\n"
        "import mistakebound.cli.hunt, mistakebound.cli.hunt_report, mistakebound.cli.hunt_reduce\n"
        "print([name for name in ('numpy', 'scipy', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
