"""Without a C compiler the package installs, works on the uncompiled kernels and says so once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import mistakebound.kernels

PACKAGE = Path(mistakebound.kernels.__file__).parent.parent
ENDING = EXTENSION_SUFFIXES[0].rpartition(".")[2]
EXTENSIONS = sorted(PACKAGE.glob(f"kernels/*{EXTENSION_SUFFIXES[0]}"))
needs_build = pytest.mark.skipif(not EXTENSIONS, reason="needs compiled kernels beside the sources")

# Two kernels, one of which shares a C function with the other when compiled.
SORT = """
import sys
from array import array
from mistakebound.kernels import attributes, sorting
keys, payload = array("Q", [5, 1, 3]), array("I", [0, 1, 2])
sorting.sort(keys, payload, 3)
print(keys.tolist(), payload.tolist(), {s.__file__.rpartition(".")[2] for s in (attributes, sorting)})
"""
SORTED = "[1, 3, 5] [1, 2, 0]"


# As the command line starts: its modules import kernels.
LEARN = "import sys; sys.argv[1:] = ['learn', 'rows.svm', '--quiet']; from mistakebound.cli import process; process()"


def copy(target: Path, *, compiled: bool) -> Path:
    """The package somewhere else; gives the folder to put on the path."""
    leave = () if compiled else ("*.so", "*.pyd", "_built*.txt")
    shutil.copytree(PACKAGE, target / "mistakebound", ignore=shutil.ignore_patterns("__pycache__", *leave))
    return target


def run(path: Path, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    keep = {k: v for k, v in os.environ.items() if k not in ("MISTAKEBOUND_KERNELS", "PYTHONWARNINGS")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**keep, "PYTHONPATH": str(path), **variables},
        cwd=path,
        capture_output=True,
        text=True,
    )


def test_uncompiled_kernels_work_and_say_so_once(tmp_path: Path) -> None:
    done = run(copy(tmp_path, compiled=False), SORT)
    assert done.stdout == f"{SORTED} {{'py'}}\n"
    said = [line for line in done.stderr.splitlines() if "compiled kernels are missing" in line]
    assert len(said) == 1
    assert len(done.stderr.splitlines()) == 1


def test_the_warning_is_one_line_in_a_script_too(tmp_path: Path) -> None:
    """A warning at a line of a file would be followed by that line."""
    copy(tmp_path, compiled=False)
    (tmp_path / "script.py").write_text("import mistakebound as mb\nmb.Perceptron().learn_one({'a'}, 1)\n")
    done = run(tmp_path, "import runpy; runpy.run_path('script.py')")
    assert done.returncode == 0
    assert "RuntimeWarning: mistakebound: the compiled kernels are missing; " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_command_line_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_text("+1 3:1\n-1 2:1\n")
    done = run(copy(tmp_path, compiled=False), LEARN)
    assert done.returncode == 0
    assert done.stderr.startswith("mistakebound: the compiled kernels are missing; ")
    assert len(done.stderr.splitlines()) == 1


def test_whoever_asks_for_the_message_replaces_the_warning(tmp_path: Path) -> None:
    ask = "import sys, mistakebound.kernels as k; print(k.missing_message(), file=sys.stderr)\n"
    done = run(copy(tmp_path, compiled=False), ask + SORT)
    assert done.stderr.startswith("mistakebound: the compiled kernels are missing; ")
    assert len(done.stderr.splitlines()) == 1


def test_source_on_request_is_quiet(tmp_path: Path) -> None:
    done = run(copy(tmp_path, compiled=False), SORT, MISTAKEBOUND_KERNELS="source")
    assert (done.stdout, done.stderr) == (f"{SORTED} {{'py'}}\n", "")


def test_compiled_on_request_fails_when_there_are_none(tmp_path: Path) -> None:
    done = run(copy(tmp_path, compiled=False), SORT, MISTAKEBOUND_KERNELS="compiled")
    assert done.returncode == 1
    assert "ImportError: mistakebound: the compiled kernels are missing" in done.stderr


@needs_build
def test_a_current_build_is_used_and_quiet(tmp_path: Path) -> None:
    done = run(copy(tmp_path, compiled=True), SORT)
    assert (done.stdout, done.stderr) == (f"{SORTED} {{{ENDING!r}}}\n", "")


@needs_build
def test_a_stale_build_is_not_used(tmp_path: Path) -> None:
    path = copy(tmp_path, compiled=True)
    with (path / "mistakebound/kernels/sorting.py").open("a") as source:
        source.write("\n# edited\n")
    done = run(path, SORT)
    assert done.stdout == f"{SORTED} {{'py'}}\n"
    assert "are stale (sorting.py changed since the build)" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = run(path, SORT, MISTAKEBOUND_KERNELS="compiled")
    assert "ImportError: mistakebound: the compiled kernels are stale (sorting.py changed" in done.stderr


def checked_out(checkout: Path, tree: Path) -> Path:
    """A copy of the checkout, as a clean clone has it."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "_built*.txt", "*.egg-info")
    shutil.copytree(checkout / "src", tree / "src", ignore=leave)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(checkout / name, tree)
    return tree


def test_a_build_without_a_compiler_is_quick_and_says_so_once(checkout: Path, tmp_path: Path) -> None:
    tree = checked_out(checkout, tmp_path / "tree")
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    variables = {**os.environ, "CC": "/bin/false", "CXX": "/bin/false"}
    variables.pop("MISTAKEBOUND_REQUIRE_COMPILE", None)
    done = subprocess.run(command, cwd=tree, env=variables, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.startswith("the kernels stay uncompiled, because no C compiler works here: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tree / "build/cython").exists()  # no C is written that nobody can compile


def install(checkout: Path, tmp_path: Path, **variables: str) -> Path:
    """Install from a copy of the checkout into a folder of its own, as pip would from a clean clone."""
    tree, site = checked_out(checkout, tmp_path / "tree"), tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    command = [*pip, "--target", str(site), str(tree)]
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return site


@pytest.mark.long
def test_install_without_a_compiler(checkout: Path, tmp_path: Path) -> None:
    site = install(checkout, tmp_path, CC="/bin/false", CXX="/bin/false")
    done = run(site, SORT)
    assert done.stdout == f"{SORTED} {{'py'}}\n"
    assert "compiled kernels are missing" in done.stderr
    assert "install a C compiler, then `pip install --force-reinstall" in done.stderr


@pytest.mark.long
def test_install_with_a_compiler(checkout: Path, tmp_path: Path) -> None:
    site = install(checkout, tmp_path, MISTAKEBOUND_REQUIRE_COMPILE="1")
    done = run(site, SORT)
    assert (done.stdout, done.stderr) == (f"{SORTED} {{{ENDING!r}}}\n", "")
    kernels = {p.name for p in (site / "mistakebound/kernels").iterdir()}
    assert {"sorting.py", "sorting.pyi"} <= kernels
    assert not [name for name in kernels if name.endswith((".pxd", ".c"))]
    assert (site / "mistakebound/py.typed").exists()
