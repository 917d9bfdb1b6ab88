"""The kernel of the perceptron: misuse and overflow.  (Its results: tests/learners/test_perceptron.py)"""

from __future__ import annotations

from array import array
from math import inf
from typing import Any

from kernels.misuse import contents, must_refuse, played
from mistakebound.kernels import perceptron as kernel


def arguments() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
        "labels": array("b", [1, 0]), "importance": array("d", [1.0, 0.5]), "rows": 2,
        "weights": array("d", [0.0] * 3), "words": array("Q", [0] * 3),
        "scalars": array("d", [0.0] * 5), "scale": 1.0, "biased": True, "learn": True,
        "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2), "dense": 2,
        "extra_keys": array("Q", [2**62]), "keys": array("Q", [0] * 2),
        "places": array("I", [0] * 2), "state": array("q", [0]), "base": 0,
        "bits": array("Q", [0b100]), "order": array("I", [2, 0, 0, 0]), "table": array("q", [1]),
    }  # fmt: skip


def test_misuse() -> None:
    names = [
        "slots",
        "values",
        "indptr",
        "labels",
        "weights",
        "words",
        "scalars",
        "predictions",
        "scores",
        "keys",
        "places",
        "importance",
    ]
    must_refuse(kernel.run, arguments(), [*names, "extra_keys", "state", "order", "table"], kernel.CAPACITY, played)
    for changes in (
        {"rows": -1}, {"rows": 3}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1]), "order": array("I")},
    ):  # fmt: skip
        assert played(kernel.run, arguments() | changes) == kernel.CAPACITY


def test_well_used() -> None:
    call = arguments()
    assert played(kernel.run, call) == kernel.OK
    assert call["weights"].tolist() == [1.0, -1.5, 2.0]
    assert call["scalars"].tolist() == [0.5, 10.0, 0.5, 1.0, inf]


def test_small_ids_are_entered() -> None:
    call = arguments()
    assert played(kernel.run, call) == kernel.OK
    assert call["order"].tolist() == [2, 0, 1, 0]
    assert (call["bits"][0], call["table"][0]) == (0b111, 3)
    call = arguments() | {"slots": array("I", [0, 64, 1]), "weights": array("d", [0.0] * 65), "dense": 64}
    call["words"] = array("Q", [0] * 65)
    before = contents(call)
    assert played(kernel.run, call) == kernel.OTHER
    assert contents(call) == before
    nothing = {"bits": array("Q"), "order": array("I"), "table": array("q")}
    assert played(kernel.run, call | nothing) == kernel.OK


def test_overflow_changes_nothing() -> None:
    for weights, values in (([1e308, 0.0, 0.0], [10.0, 1.0, 1.0]), ([-1e10, 0, 0.0], [1e-300, 1.0, 1.0])):
        call = arguments() | {
            "weights": array("d", weights),
            "values": array("d", values),
            "labels": array("b", [0, 0]),
        }
        if weights[0] < 0:
            call |= {"labels": array("b", [1, 0]), "values": array("d", [1.0, 1.7e308, 1.0]), "scale": 2.0}
        assert played(kernel.run, call) == kernel.OVERFLOW
        assert call["weights"].tolist() == weights
        assert call["scalars"].tolist() == [0.0] * 5
        assert call["state"][kernel.ROW] == 0


def test_the_reach_is_that_of_weights_and_bias() -> None:
    for weights, bias, reach in (
        ([1.0, -3.0], 2.0, 3.0), ([1.0, -3.0], -7.0, 7.0), ([], 4.0, 4.0), ([], 0.0, 0.0),
        ([1.0, -3.0], 0.5, inf), ([], 0.5, inf), ([0.5, 3.0], 2.0, inf), ([3.0, -0.5], 2.0, inf),
    ):  # fmt: skip
        assert kernel.reach(array("d", weights), bias) == reach


def test_a_bias_alone_that_would_overflow_changes_nothing() -> None:
    """One row with the value -1: its weight would become 0."""
    call = arguments() | {"slots": array("I", [0]), "values": array("d", [-1.0]), "indptr": array("q", [0, 1])}
    call |= {"weights": array("d", [1.0, 0.0, 0.0]), "scalars": array("d", [1.0, 0.0, 0.0, 0.0, 0.0])}
    call |= {"scale": 1e308, "rows": 1, "scores": array("d")}
    assert played(kernel.run, call) == kernel.OVERFLOW
    assert call["weights"].tolist() == [1.0, 0.0, 0.0]
    assert call["scalars"].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert call["state"][kernel.ROW] == 0
