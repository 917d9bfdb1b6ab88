"""Walking down a tree: buffers that do not fit together are refused."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from kernels.misuse import must_refuse
from mistakebound.kernels import tree_walk as kernel

# Root: x <= 1.5 goes to a leaf, else a colour: red or green.  Rows: (1, -), (2, red), (2, green), (2, missing).
CODES = array("i", [0, 0, 1, -1])
NUMBERS = array("d", [1.0, 2.0, 2.0, 2.0])
TREE: dict[str, Any] = {
    "nodes": array("i", [-2, 1, 0, -1, -1, -1, -1, -1, 0, 3, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1]),
    "thresholds": array("d", [1.5, 0, 0, 0, 0]),
    "masks": array("B", []),
}
DATA: dict[str, Any] = {"codes": CODES, "limits": array("i", [2]), "numbers": NUMBERS, "numeric": 1}


def walk(stop: bool) -> dict[str, Any]:
    return {"rows": 4, "stride": 4, "stop": stop, **DATA, **TREE, "out": array("i", [9] * 4)}


def share() -> dict[str, Any]:
    leaves = array("i", [1, 3, 4, -1])
    more = {
        "arity": array("i", [2, 0, 2, 0, 0]),
        "part": array("d", [1.0, 0.5, 0.5, 0.75, 0.25]),
        "chances": array("d", [0, 1, 0, 1, 0, 1, 1, 0, 0, 1]),
        "waiting": array("i", bytes(20)),
        "weight": array("d", bytes(40)),
        "out": array("d", [7.0] * 8),
    }
    return {"rows": 4, "stride": 4, "classes": 2, "leaves": leaves, **DATA, **TREE, **more}


def test_walk() -> None:
    """A missing value goes to the child for it, or stops the row."""
    call = walk(False)
    assert kernel.walk(**call) == 0
    assert call["out"].tolist() == [1, 3, 4, 4]
    call = walk(True)
    assert kernel.walk(**call) == 1
    assert call["out"].tolist() == [1, 3, 4, -1]


def test_share() -> None:
    call = share()
    assert kernel.share(**call) == 0
    assert call["out"].tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.75, 0.25]


@pytest.mark.parametrize("code", [2, 100])
def test_a_code_without_a_value(code: int) -> None:
    call = walk(False)
    call["codes"] = array("i", [0, code, 1, -1])
    assert kernel.walk(**call) == -1
    assert call["out"].tolist() == [9] * 4


def test_misuse() -> None:
    must_refuse(kernel.walk, walk(False), ["codes", "numbers", "thresholds", "out"], -1)
    names = ["leaves", "codes", "numbers", "thresholds", "arity", "part", "chances", "waiting", "weight", "out"]
    must_refuse(kernel.share, share(), names, -1)
