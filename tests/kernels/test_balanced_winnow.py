"""The kernel of balanced Winnow: misuse.  (Its results: tests/learners/test_balanced_winnow.py)"""

from __future__ import annotations

from array import array
from math import inf, sinh
from typing import Any

from kernels.misuse import must_refuse, played
from mistakebound.kernels import balanced_winnow as kernel


def arguments() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
        "ordered": False, "labels": array("b", [1, 0]), "importance": array("d", [1.0, 0.5]), "rows": 2,
        "votes": array("d", [0.0] * 3), "gaps": array("d", [0.0] * 3), "scalars": array("d", [0.0] * 5), "eta": 0.5,
        "thickness": 0.1, "biased": True, "learn": True,
        "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2), "dense": 2,
        "extra_keys": array("Q", [2**62]), "keys": array("Q", [0] * 2), "places": array("I", [0] * 2),
        "sums": array("d", [0.0] * 2), "state": array("q", [0]),
    }  # fmt: skip


def test_misuse() -> None:
    names = [name for name, value in arguments().items() if isinstance(value, array)]
    must_refuse(kernel.run, arguments(), names, kernel.CAPACITY, played)
    for changes in (
        {"rows": -1}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1])},
    ):  # fmt: skip
        assert played(kernel.run, arguments() | changes) == kernel.CAPACITY
    assert kernel.open_gaps(array("d", [1.0]), 1.0, array("d")) == -1


def test_well_used() -> None:
    call = arguments()
    assert played(kernel.run, call) == kernel.OK
    assert call["votes"].tolist() == [1.0, -1.5, 2.0]
    assert call["gaps"].tolist() == [2 * sinh(0.5), 2 * sinh(-0.75), 2 * sinh(1.0)]
    assert call["scalars"].tolist() == [0.5, 3.0, 0.0, 0.5, 1.0]
    assert call["scores"].tolist() == [0.0, 2 * sinh(0.5)]
    assert call["state"][kernel.ROW] == 2


def test_gaps_beyond_the_doubles() -> None:
    gaps = array("d", [0.0] * 3)
    assert kernel.open_gaps(array("d", [1000.0, -1000.0, 0.0]), 1.0, gaps) == 0
    assert gaps.tolist() == [inf, -inf, 0.0]
    assert kernel.log_total(array("d"), 1.0) == 0.0


def test_a_value_of_zero_scales_nothing() -> None:
    """exp(2000) stands beside exp(800), and counts nothing."""
    call = arguments() | {"values": array("d", [0.0, 2.0, 3.0]), "votes": array("d", [4000.0, 0.0, 1600.0])}
    call |= {"gaps": array("d", [inf, 0.0, inf]), "learn": False, "labels": array("b")}
    assert played(kernel.run, call) == kernel.OK
    assert call["predictions"].tolist() == [1, 0]
    assert call["scores"].tolist() == [1.7976931348623157e308, 0.0]


def test_weights_beyond_the_doubles_change_nothing() -> None:
    call = arguments() | {"importance": array("d", [1e308, 1e308]), "labels": array("b", [1, 1]), "thickness": 0.99}
    call |= {"eta": 1.0, "biased": False, "values": array("d", [1e-308, 0.0, 1e-308])}
    call["scalars"][kernel.EXTRA] = 1.7e308
    before = call["scalars"][:]
    assert played(kernel.run, call) == kernel.OVERFLOW
    assert (call["scalars"], call["votes"].tolist()) == (before, [0.0] * 3)
