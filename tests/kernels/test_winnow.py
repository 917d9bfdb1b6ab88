"""The kernel of Winnow: misuse.  (Its results: tests/learners/test_winnow_twin.py)"""

from __future__ import annotations

from array import array
from typing import Any

from kernels.misuse import must_refuse
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear._powers import BIAS, PowerTable

RUNS = {"B": kernel.run_byte, "H": kernel.run_narrow, "I": kernel.run_wide}


def arguments(code: str) -> dict[str, Any]:
    """Two rows of three attributes, n unknown, alpha = 1.5."""
    table = PowerTable(1.5, code, -3, 3)
    return {
        "slots": array("Q", [0, 2, 1]), "indptr": array("q", [0, 2, 3]), "labels": array("b", [1, 0]), "first": 0,
        "last": 2, "codes": array(code, [BIAS[code]] * 3), "starts": array("B", [0, 0, 0]),
        "scale": array("B", [0, 0, 0]), "frame": array("q", table.frame), "power": array("d", table.power),
        "units": array("h", table.units), "half": array("d", [2.0**-s for s in range(256)]), "theta": 2.5,
        "or_equal": False, "grows": True, "eliminate": False, "learn": True, "forced": -1,
        "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2), "state": array("q", [0, 3]),
    }  # fmt: skip


def test_misuse() -> None:
    names = ["slots", "indptr", "labels", "codes", "starts", "scale", "frame", "half", "predictions", "scores"]
    for code, run in RUNS.items():
        must_refuse(run, arguments(code), [*names, "units", "state"], kernel.CAPACITY)
        for changes in (
            {"first": -1}, {"first": 2, "last": 1}, {"indptr": array("q", [0, 3, 2])},
            {"indptr": array("q", [-1, 2, 3])}, {"slots": array("Q", [0, 2**63, 1])},
            {"state": array("q", [0, -1])},
        ):  # fmt: skip
            assert run(*(arguments(code) | changes).values()) == kernel.CAPACITY, changes


def test_a_table_that_is_too_short() -> None:
    for code, run in RUNS.items():
        call = arguments(code)
        cut = call["frame"][kernel.TOP] - call["frame"][kernel.LOW]
        call |= {"power": call["power"][:cut], "units": call["units"][:cut]}
        assert run(*call.values()) == kernel.CAPACITY


def test_it_asks_for_more_of_the_table() -> None:
    for code, run in RUNS.items():
        for exponent, label, status in ((3, 1, kernel.EDGE), (-3, 0, kernel.EDGE), (0, 1, kernel.OK)):
            call = arguments(code) | {"theta": 1e9 if label else 1e-9, "labels": array("b", [label, label])}
            call["codes"][0] += exponent
            before = call["codes"][:]
            assert run(*call.values()) == status
            assert (call["codes"] == before) == (status != kernel.OK)


def test_codes_that_the_table_does_not_reach() -> None:
    """No shorter code leads outside the table, and no 32-bit code below it; above it the learner lets none come."""
    for width, odd in (("B", (0, 1, 2, 255)), ("H", (0, 1, 2, 2**16 - 1)), ("I", (0, 1, 2, BIAS["I"] - 4))):
        run = RUNS[width]
        for code in odd:
            call = arguments(width) | {"learn": False}
            call["codes"][0] = code
            assert run(*call.values()) in (kernel.OK, kernel.CAPACITY, kernel.UNDECIDED)


def test_a_verdict_is_for_one_row() -> None:
    """Two rows of one weight 1/1.5 with theta just there: the verdict on the first decides nothing for the second."""
    call = arguments("H") | {"slots": array("Q", [0, 1]), "indptr": array("q", [0, 1, 2]), "labels": array("b", [1, 1])}
    call |= {"theta": 1.5**-1, "grows": False, "codes": array("H", [BIAS["H"] - 1] * 3)}
    assert kernel.run_narrow(*call.values()) == kernel.UNDECIDED
    assert kernel.run_narrow(*(call | {"forced": 1}).values()) == kernel.UNDECIDED
    assert call["state"][kernel.ROW] == 1
