"""Compiled or source: what runs, what is said, and that a stale build is never used silently."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from mistakebound.kernels._selection import SHARED, Selection, checksum, record_name

SUFFIX = EXTENSION_SUFFIXES[0]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder that looks like a finished build of two kernels."""
    for name in ("first.py", "second.py", "first.pxd", "_private.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    for name in ("first", "second", SHARED):
        (tmp_path / (name + SUFFIX)).touch()
    sources = ("first.py", "second.py", "first.pxd")
    (tmp_path / record_name()).write_text("".join(f"{s} {checksum(str(tmp_path / s))}\n" for s in sources))
    return tmp_path


def problem(folder: Path) -> str:
    return Selection(str(folder), "").problem() or ""


def test_a_finished_build_is_used(built: Path) -> None:
    selection = Selection(str(built), "")
    assert selection.problem() is None
    assert selection.compiled()
    assert selection.names() == ["first", "second"]
    spec = selection.find_spec("mistakebound.kernels.first")
    assert spec is not None
    assert spec.origin == str(built / ("first" + SUFFIX))


def test_source_on_request(built: Path) -> None:
    selection = Selection(str(built), "source")
    assert not selection.compiled()
    spec = selection.find_spec("mistakebound.kernels.first")
    assert spec is not None
    assert spec.origin == str(built / "first.py")


@pytest.mark.parametrize("changed", ["first.py", "second.py", "first.pxd"])
def test_a_changed_source_makes_the_build_stale(built: Path, changed: str) -> None:
    before = (built / changed).stat()
    (built / changed).write_text(f"# {changed[:-1]}!\n")  # same size, same time: only the text differs
    os.utime(built / changed, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert f"are stale ({changed} changed since the build)" in problem(built)


def test_file_times_alone_do_not_make_it_stale(built: Path) -> None:
    for source in built.glob("*.p*"):
        os.utime(source, (2e9, 2e9))
    assert problem(built) == ""


def test_a_new_declaration_file_makes_it_stale(built: Path) -> None:
    (built / "second.pxd").write_text("# types for second.py\n")
    assert "second.pxd changed" in problem(built)


def test_an_installed_package_has_no_declaration_files(built: Path) -> None:
    (built / "first.pxd").unlink()
    assert problem(built) == ""


def test_extensions_without_a_record_are_not_trusted(built: Path) -> None:
    (built / record_name()).unlink()
    assert "are stale (first.pxd, first.py, second.py changed" in problem(built)


def test_an_incomplete_build_says_what_is_missing(built: Path) -> None:
    (built / ("second" + SUFFIX)).unlink()
    assert "are incomplete (no second)" in problem(built)


def test_no_build(built: Path) -> None:
    for extension in built.glob("*" + SUFFIX):
        extension.unlink()
    assert "are missing" in problem(built)
    assert "install a C compiler" in problem(built)


def test_in_a_checkout_the_remedy_is_make_build(tmp_path: Path, built: Path) -> None:
    folder = tmp_path / "src" / "mistakebound" / "kernels"
    folder.mkdir(parents=True)
    (folder / "first.py").touch()
    (tmp_path / "setup.py").touch()
    assert problem(folder).endswith("run `make build`")


def test_compiled_on_request_fails_instead_of_falling_back(built: Path) -> None:
    (built / "first.py").write_text("# edited\n")
    with pytest.raises(ImportError, match=r"are stale \(first.py changed since the build\)"):
        Selection(str(built), "compiled").find_spec("mistakebound.kernels.second")


def test_one_warning_then_the_source_of_every_kernel(built: Path) -> None:
    (built / "first.py").write_text("# edited\n")
    selection = Selection(str(built), "")
    with pytest.warns(RuntimeWarning, match="are stale") as seen:
        specs = [selection.find_spec(f"mistakebound.kernels.{n}") for n in ("second", "first", "second")]
    assert len(seen) == 1
    # All from source: the kernels share C functions, so a compiled one cannot stand beside an uncompiled one.
    assert [s and s.origin for s in specs] == [str(built / n) for n in ("second.py", "first.py", "second.py")]


def test_private_modules_are_never_compiled_and_say_nothing(built: Path) -> None:
    for extension in built.glob("*" + SUFFIX):
        extension.unlink()
    spec = Selection(str(built), "").find_spec("mistakebound.kernels._private")
    assert spec is not None
    assert spec.origin == str(built / "_private.py")


def test_an_unknown_choice_is_refused(built: Path) -> None:
    with pytest.raises(ValueError, match="MISTAKEBOUND_KERNELS must be 'source' or 'compiled': 'fast'"):
        Selection(str(built), "fast")


def test_importing_the_package_of_kernels_imports_no_kernel() -> None:
    code = "import mistakebound.kernels as k; print([n for n in k.names() if hasattr(k, n)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_shared_part_belongs_to_a_build(built: Path) -> None:
    (built / (SHARED + SUFFIX)).unlink()
    assert f"are incomplete (no {SHARED})" in problem(built)
