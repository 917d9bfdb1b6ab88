"""The kernels of averaging: misuse and overflow.  (Their results: tests/learners/test_averaged_perceptron.py)"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from kernels.misuse import contents, must_refuse, played
from mistakebound.kernels import averaging as kernel

UNIT = 2.0**-64


def rows() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
    }  # fmt: skip


def noting() -> dict[str, Any]:
    return rows() | {
        "labels": array("b", [1, 0]), "predictions": array("b", [0, 1]), "importance": array("d", [1.0, 0.5]),
        "rows": 2, "trials": array("q", [10]), "biased": True, "sums": array("d", [0.0] * 3),
        "bias": array("d", [0.0]), "state": array("q", [0]),
    }  # fmt: skip


def scoring() -> dict[str, Any]:
    return rows() | {
        "rows": 2, "weights": array("d", [1.0, 2.0, 4.0]), "sums": array("d", [0.0, UNIT, 4 * UNIT]), "bias": 1.0,
        "bias_sum": 2 * UNIT, "trials": 4, "scale": 1.0, "predictions": array("b", [0] * 2),
        "scores": array("d", [0.0] * 2),
        "dense": 2, "extra_keys": array("Q", [2**62]), "keys": array("Q", [0] * 2), "places": array("I", [0] * 2),
        "state": array("q", [0]),
    }  # fmt: skip


def noted(note: Callable[..., int], call: dict[str, Any]) -> int:
    """`note` also says of how many of the rows."""
    return played(lambda batch, *others: note(batch, call["rows"], *others), call)


def buffers(call: dict[str, Any]) -> list[str]:
    return [name for name, held in call.items() if isinstance(held, array)]


def test_misuse_of_note() -> None:
    must_refuse(kernel.note, noting(), buffers(noting()), kernel.CAPACITY, noted)
    for changes in (
        {"rows": -1}, {"trials": array("q", [-1])}, {"indptr": array("q", [0, 3, 2])},
        {"indptr": array("q", [-1, 2, 3])}, {"slots": array("I", [0, 3, 1])},
    ):  # fmt: skip
        call = noting() | changes
        before = contents(call)
        assert noted(kernel.note, call) == kernel.CAPACITY
        assert contents(call) == before


def test_only_mistakes_are_noted_each_with_the_trials_before_it() -> None:
    call = noting()
    assert noted(kernel.note, call) == kernel.OK
    assert [u / UNIT for u in call["sums"]] == [10 * 1.0, -11 * 1.5, 10 * 2.0]
    assert call["bias"][0] / UNIT == 10 - 5.5
    assert call["trials"][0] == 12
    call = noting() | {"predictions": array("b", [1, 0])}
    assert noted(kernel.note, call) == kernel.OK
    assert not any(call["sums"])
    assert not any(call["bias"])
    call = noting() | {"biased": False, "rows": 1, "values": array("d"), "importance": array("d")}
    assert noted(kernel.note, call) == kernel.OK
    assert [u / UNIT for u in (*call["sums"], *call["bias"])] == [10.0, 0.0, 10.0, 0.0]


def test_misuse_of_score_and_average() -> None:
    must_refuse(kernel.score, scoring(), buffers(scoring()), kernel.CAPACITY, played)
    for changes in (
        {"rows": -1}, {"trials": 0}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 3, 1])},
    ):  # fmt: skip
        call = scoring() | changes
        before = contents(call)
        assert played(kernel.score, call) == kernel.CAPACITY
        assert contents(call) == before
    call = {"weights": array("d", [1.0]), "sums": array("d", [0.0]), "trials": 1, "out": array("d", [9.0])}
    must_refuse(kernel.average, call, ["sums", "out"], kernel.CAPACITY)
    assert kernel.average(*(call | {"trials": 0}).values()) == kernel.CAPACITY


def test_scores() -> None:
    call = scoring()
    assert played(kernel.score, call) == kernel.OK
    assert call["scores"].tolist() == [1.0 + 2.0 * 3.0 + 0.5, 3.0 * 1.75 + 0.5]
    assert call["predictions"].tolist() == [1, 1]
    quiet = scoring() | {"scores": array("d"), "bias": -30.0}
    assert played(kernel.score, quiet) == kernel.OK
    assert quiet["predictions"].tolist() == [0, 0]
    assert quiet["state"][kernel.ROW] == 2


def test_a_sum_beyond_the_doubles_stops_at_its_row() -> None:
    for changes in (
        {"weights": array("d", [1.0, 1e308, 4.0])},
        {"values": array("d", [1.0, 0.0, 19.0]), "scale": 1e307},
    ):
        call = scoring() | changes
        assert played(kernel.score, call) == kernel.OVERFLOW
        assert call["state"][kernel.ROW] == 1
