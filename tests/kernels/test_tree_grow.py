"""Growing: buffers that do not fit together are refused and left alone; work can be stopped anywhere and goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mistakebound.core.table import Column, Table
from mistakebound.kernels import tree_grow as kernel
from mistakebound.learners.tree import _growing, grow_options
from mistakebound.learners.tree._growing import grow, tree_buffers
from mistakebound.learners.tree.grow_options import GrowOptions

# What may have any length (more is asked for, or it is computed), beside what is refused when it is shorter.
FREE = {"table", "active", "stack", "masks", "w"}


def rows(missing: bool) -> tuple[Table, np.ndarray]:
    """Nominal columns of few and of many values, and a numeric one."""
    draw = np.random.default_rng(3)
    few = draw.integers(-1 if missing else 0, 3, 40)
    many = draw.integers(-1 if missing else 0, 9, 40)
    table = Table(
        [
            Column("few", "nominal", "abc", few),
            Column("many", "nominal", "abcdefghi", many),
            Column("number", "numeric", (), draw.normal(size=40).round(1)),
        ]
    )
    return table, draw.integers(0, 3, 40).astype(np.int32)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for module in (_growing, grow_options):
        monkeypatch.setattr(module, "NARROW", 4)
    monkeypatch.setattr(_growing, "_NODES", 1)
    growth = _growing._Growth(*rows(False), 3, GrowOptions(binary=True, level=0.5, min_leaf=1), None)
    return {**growth.buffers, "options": growth.options, "least": 1.0}


def test_misuse(call: dict[str, Any]) -> None:
    for name in call.keys() - FREE - {"least"}:
        if not len(call[name]):
            continue
        copies = {key: value if key == "least" else value.copy() for key, value in call.items()}
        copies[name] = copies[name][:-1]
        before = {key: np.array(value).tobytes() for key, value in copies.items()}
        assert kernel.grow(tree_buffers(copies)) == kernel.MISFIT, name
        assert {key: np.array(value).tobytes() for key, value in copies.items()} == before, name


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("columns", 0, 100),
        ("columns", 1, 3),
        ("columns", 2, -1),
        ("columns", 3, 10_000),
        ("columns", 5, -3),
        ("options", 0, 0),
        ("options", 1, 1000),
        ("options", 2, 1000),
        ("options", 9, 1),
        ("stack", 0, 1),
        ("stack", 2, 1000),
        ("stack", 3, 1000),
        ("active", 0, 4),
        ("active", 1, 3),
        ("state", 1, 1000),
    ],
)
def test_numbers_out_of_range(call: dict[str, Any], name: str, place: int, value: int) -> None:
    call[name][place] = value
    assert kernel.grow(tree_buffers(call)) == kernel.MISFIT


@pytest.mark.parametrize("missing", ["common", "common_in_class", "fractions"])
@pytest.mark.parametrize("binary", [False, True])
def test_room_for_one_node(monkeypatch: pytest.MonkeyPatch, missing: str, binary: bool) -> None:
    """With room for a node at first and a pause after each: the same tree; fractions need more rows than there are."""
    table, codes = rows(True)
    how = GrowOptions(missing=missing, binary=binary, min_leaf=1)
    expected = grow(table, codes, 3, how)
    asked = set()
    room = _growing._Growth._more_room

    def more(self: Any, status: int, needed: int) -> None:
        asked.add(status)
        room(self, status, needed)

    monkeypatch.setattr(_growing._Growth, "_more_room", more)
    monkeypatch.setattr(_growing, "_NODES", 1)
    monkeypatch.setattr(grow_options, "_PAUSE", 0)
    for module in (_growing, grow_options):
        monkeypatch.setattr(module, "NARROW", 4)
    assert grow(table, codes, 3, how) == expected
    assert asked >= {1, 2, 3, 6} | ({4} if binary else {5} if missing == "fractions" else set())


def test_sorting_by_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows with more than 65,536 different numbers would take long uncompiled: three digits of few rows do."""
    draw = np.random.default_rng(0)
    numbers = draw.permutation(300).astype(float)
    codes = (numbers > 150).astype(np.int32)
    table = Table([Column("x", "numeric", (), numbers)])
    tree = grow(table, codes, 2, GrowOptions(min_leaf=1))
    assert tree.threshold[0] == 150.5
    assert tree.size == 3
