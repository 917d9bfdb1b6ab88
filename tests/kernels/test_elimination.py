"""The kernels of the elimination algorithms: misuse.  (Their results: tests/learners/test_elimination.py)"""

from __future__ import annotations

from array import array
from typing import Any

from kernels.misuse import must_refuse, played
from mistakebound.kernels import elimination as kernel


def rows() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "indptr": array("q", [0, 2, 3]), "labels": array("b", [1, 1]), "rows": 2,
    }  # fmt: skip


def disjunction() -> dict[str, Any]:
    return rows() | {
        "gone": array("B", [0] * 3), "learn": True, "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2),
        "state": array("q", [0]),
    }  # fmt: skip


def conjunction() -> dict[str, Any]:
    return rows() | {
        "flags": array("B", [0] * 3), "alive": array("I", [0] * 2), "learn": True, "predictions": array("b", [0] * 2),
        "scores": array("d", [0.0] * 2), "state": array("q", [0] * 3),
    }  # fmt: skip


def test_misuse() -> None:
    common = ["slots", "indptr", "labels", "predictions", "scores", "state"]
    must_refuse(kernel.disjunction, disjunction(), [*common, "gone"], kernel.CAPACITY, played)
    must_refuse(kernel.conjunction, conjunction(), [*common, "flags", "alive"], kernel.CAPACITY, played)
    for changes in (
        {"rows": -1}, {"rows": 3}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1])},
    ):  # fmt: skip
        assert played(kernel.disjunction, disjunction() | changes) == kernel.CAPACITY
        assert played(kernel.conjunction, conjunction() | changes) == kernel.CAPACITY
    for state in ([0, 1, 3], [0, 1, -1]):
        assert played(kernel.conjunction, conjunction() | {"state": array("q", state)}) == kernel.CAPACITY
    call = conjunction() | {"alive": array("I", [9, 0, 0]), "state": array("q", [0, 1, 1])}
    assert played(kernel.conjunction, call) == kernel.CAPACITY


def test_well_used() -> None:
    assert played(kernel.disjunction, disjunction()) == kernel.OK
    call = conjunction()
    assert played(kernel.conjunction, call) == kernel.OK
    assert call["state"].tolist() == [2, 1, 0]
    assert call["flags"].tolist() == [kernel.NOT_NEGATED] * 3


def test_an_inconsistent_row_changes_nothing() -> None:
    call = disjunction() | {"gone": array("B", [1, 1, 1])}
    assert played(kernel.disjunction, call) == kernel.INCONSISTENT
    assert call["gone"].tolist() == [1, 1, 1]
    assert call["state"][kernel.ROW] == 0
