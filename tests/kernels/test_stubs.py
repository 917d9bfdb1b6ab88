"""The type stubs are those that tools/stubs.py writes."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def stubs(checkout: Path) -> dict[str, Any]:
    return runpy.run_path(str(checkout / "tools/stubs.py"))


def test_the_stubs_are_those_of_the_kernels(stubs: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert stubs["main"](True) == 0, capsys.readouterr().out


def test_every_stub_has_its_kernel(stubs: dict[str, Any]) -> None:
    folder = stubs["FOLDER"]
    assert {p.stem for p in folder.glob("*.pyi")} == {p.stem for p in folder.glob("[a-z]*.py")}


def test_types_of_a_kernel(stubs: dict[str, Any]) -> None:
    source = '''
OK, FULL = range(2)
_HIDDEN = 3
Key = cython.fused_type(cython.uint, cython.ulonglong)
@cython.cfunc
def inner(a: cython.int) -> cython.int: ...
def run(ids: cython.const[Key][::1], text: cython.uchar[::1], w: cython.double[::1], learn: cython.bint) -> cython.int:
    """What it does."""
class Table(TextTable):
    # seen: size: int
    def __init__(self, size):  # type: (int) -> None
        self.size = size
    def _private(self) -> cython.int: ...
    def grow(self, by: cython.Py_ssize_t = 1) -> cython.void: ...
'''
    assert stubs["stub"](source) == (
        "from typing_extensions import Buffer\n\n"
        "from mistakebound.kernels._buffers import Floats, Ints\n"
        "from mistakebound.kernels.texts import TextTable\n\n"
        "OK: int\nFULL: int\n\n"
        "def run(ids: Ints, text: Buffer, w: Floats, learn: bool) -> int: ...\n\n"
        "class Table(TextTable):\n"
        "    size: int\n"
        "    def __init__(self, size: int) -> None: ...\n"
        "    def grow(self, by: int = 1) -> None: ...\n"
    )


def test_a_long_signature_is_split_as_the_formatter_does(stubs: dict[str, Any]) -> None:
    names = [f"parameter_{k}" for k in range(8)]
    source = f"def run({', '.join(f'{n}: cython.int' for n in names)}) -> cython.int: ..."
    lines = stubs["stub"](source).splitlines()
    assert lines == ["def run(", *(f"    {n}: int," for n in names), ") -> int: ..."]
