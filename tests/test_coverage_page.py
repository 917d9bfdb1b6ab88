"""docs/coverage.md tells the truth: every row exists once, every name can be imported, every test is there."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The rows of the mission, by their letters.
ROWS = {
    "P": 4, "C": 8, "W": 5, "H": 2, "E": 2, "D": 1, "N": 1, "Q": 2, "A": 1, "T": 8, "V": 6, "R": 11, "G": 12,
    "Y": 7, "X": 13,
}  # fmt: skip


def page() -> list[list[str]]:
    """The cells of every line of a table that begins with a row's identifier."""
    lines = (ROOT / "docs" / "coverage.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cells if re.fullmatch(r"[A-Z]\d+", row[0])]


def served() -> list[list[str]]:
    return [row for row in page() if len(row) == 4]


def test_every_row_stands_once() -> None:
    expected = [f"{letter}{number}" for letter, count in ROWS.items() for number in range(1, count + 1)]
    assert sorted(row[0] for row in page()) == sorted(expected)


@pytest.mark.parametrize("row", served(), ids=lambda row: row[0])
def test_names_exist(row: list[str]) -> None:
    names = re.findall(r"`(mb\.[\w.]+)`", row[2])
    assert names, "a served row names what serves it"
    for name in names:
        thing: object = importlib.import_module("mistakebound")
        for part in name.split(".")[1:]:
            thing = getattr(thing, part)


@cache
def functions_of(file: str) -> set[str]:
    return {*re.findall(r"^ *def (\w+)\(", (ROOT / file).read_text(), re.MULTILINE)}


@pytest.mark.parametrize("row", served(), ids=lambda row: row[0])
def test_tests_exist(row: list[str]) -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row[3])
    assert tests, "a served row names the test that proves it"
    for file, name in tests:
        assert (ROOT / file).is_file(), file
        functions = functions_of(file)
        assert not name or name in functions, f"{file} has no {name}"
        assert any(function.startswith("test_") for function in functions), f"{file} tests nothing"
