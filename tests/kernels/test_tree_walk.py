"""Walking down a tree: buffers that do not fit together are refused."""

from __future__ import annotations

from array import array
from collections.abc import Callable
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
DATA: dict[str, Any] = {"stride": 4, "codes": CODES, "limits": array("i", [2]), "numbers": NUMBERS, "numeric": 1}
SHARES: dict[str, Any] = {
    "arity": array("i", [2, 0, 2, 0, 0]),
    "part": array("d", [1.0, 0.5, 0.5, 0.75, 0.25]),
    "chances": array("d", [0, 1, 0, 1, 0, 1, 1, 0, 0, 1]),
}


def walk(stop: bool) -> dict[str, Any]:
    return {**TREE, **DATA, **SHARES, "rows": 4, "stop": stop, "out": array("i", [9] * 4)}


def share() -> dict[str, Any]:
    return {**TREE, **DATA, **SHARES, "leaves": array("i", [1, 3, 4, -1]), "out": array("d", [7.0] * 8)}


def called(run: Callable[..., int], call: dict[str, Any]) -> int:
    values = [*call.values()]
    try:
        rows = kernel.TreeRows(*values[:3])
        rows.take_rows(*values[3:8])
        rows.take_shares(*values[8:11])
        return run(rows, *values[11:])
    except AssertionError:
        return kernel.MISFIT


def test_walk() -> None:
    """A missing value goes to the child for it, or stops the row."""
    call = walk(False)
    assert called(kernel.walk, call) == 0
    assert call["out"].tolist() == [1, 3, 4, 4]
    call = walk(True)
    assert called(kernel.walk, call) == 1
    assert call["out"].tolist() == [1, 3, 4, -1]


def test_share() -> None:
    call = share()
    assert called(kernel.share, call) == kernel.OK
    assert call["out"].tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.75, 0.25]


@pytest.mark.parametrize("code", [2, 100])
def test_a_code_without_a_value(code: int) -> None:
    call = walk(False)
    call["codes"] = array("i", [0, code, 1, -1])
    assert called(kernel.walk, call) == kernel.MISFIT
    assert call["out"].tolist() == [9] * 4


def test_misuse() -> None:
    must_refuse(kernel.walk, walk(False), ["codes", "numbers", "thresholds", "out"], kernel.MISFIT, called)
    names = ["codes", "numbers", "thresholds", "arity", "part", "chances", "out"]
    must_refuse(kernel.share, share(), names, kernel.MISFIT, called)
    assert called(kernel.walk, walk(False) | {"rows": 5}) == kernel.MISFIT
    assert kernel.share(kernel.TreeRows(*TREE.values()), array("i"), array("d")) == kernel.MISFIT, "without shares"
