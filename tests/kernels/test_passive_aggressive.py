"""The kernel of passive-aggressive learning: misuse and overflow.  (Its results: tests/learners)"""

from __future__ import annotations

from array import array
from math import inf
from typing import Any

import pytest

from kernels.misuse import contents, must_refuse, played
from mistakebound.kernels import passive_aggressive as kernel


def arguments() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
        "labels": array("b", [1, 0]), "importance": array("d", [1.0, 0.5]), "rows": 2,
        "weights": array("d", [0.0] * 3), "scalars": array("d", [0.0] * 4), "most": inf, "slack": 0.0,
        "biased": True, "learn": True,
        "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2), "dense": 2,
        "extra_keys": array("Q", [2**62]), "keys": array("Q", [0] * 2), "places": array("I", [0] * 2),
        "learned": array("d", [0.0] * 2), "state": array("q", [0]),
    }  # fmt: skip


def test_misuse() -> None:
    call = arguments()
    must_refuse(
        kernel.run, call, [name for name, held in call.items() if isinstance(held, array)], kernel.CAPACITY, played
    )
    for changes in (
        {"rows": -1}, {"rows": 3}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1])}, {"slots": array("I", [0, 3, 1])},
    ):  # fmt: skip
        changed = arguments() | changes
        before = contents(changed)
        assert played(kernel.run, changed) == kernel.CAPACITY
        assert contents(changed) == before


def test_well_used() -> None:
    """(1, 2, 1 of the bias) is 6 long squared; then 1/6 of the bias is all that the second row has."""
    call = arguments()
    assert played(kernel.run, call) == kernel.OK
    step = (1 + 1 / 6) / 10
    assert call["weights"].tolist() == [1 / 6, -step * 3.0, 2 / 6]
    assert call["scalars"].tolist() == [1 / 6 - step, 10.0, 6.0, 0.5]
    assert call["predictions"].tolist() == [0, 1]
    assert call["scores"].tolist() == [0.0, 1 / 6]


def test_steps_are_held_back() -> None:
    first, second = arguments() | {"most": 0.125}, arguments() | {"slack": 2.0}
    assert played(kernel.run, first) == played(kernel.run, second) == kernel.OK
    assert first["weights"].tolist() == [0.125, -0.0625 * 3.0, 0.25]  # half as far, by the weight of the row
    assert second["weights"].tolist() == [0.125, -(1.125 / 14) * 3.0, 0.25]


@pytest.mark.parametrize(
    ("weights", "values", "changes"),
    [
        ([1e308, 0.0, 1e308], [10.0, 10.0, 1.0], {}),  # a sum
        ([0.0] * 3, [1e200, 1.0, 1.0], {}),  # the length of a row
        ([0.0] * 3, [1e-200, 1e-200, 1.0], {"biased": False}),  # a step
        ([1.7e308, 0.0, -1.7e308], [0.5, 1.0, 1.0], {"biased": False}),  # a weight
        (
            [-1.75e308, 0.0, 0.0],
            [1.0, 0.0, 1.0],
            {"slack": -1.2, "scalars": array("d", [1.1e308, 0.0, 0.0, 0.0])},
        ),  # bias
    ],
)
def test_overflow_changes_nothing(weights: list[float], values: list[float], changes: dict[str, Any]) -> None:
    call = arguments() | {"weights": array("d", weights), "values": array("d", values), "scores": array("d")} | changes
    before = call["scalars"].tolist()
    assert played(kernel.run, call) == kernel.OVERFLOW
    assert call["weights"].tolist() == weights
    assert call["scalars"].tolist() == before
    assert call["state"][kernel.ROW] == 0
