"""The kernel of Winnow: misuse.  (Its results: tests/learners/test_winnow_twin.py)"""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from kernels.misuse import batch_of, contents, must_refuse
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear.powers import PowerTable, bias_of

# Cells of codes alone, where the start is part of the exponent, and of codes with a start: typecode -> (shift, merged).
KINDS = [("B", 8, True), ("H", 8, False), ("H", 16, True), ("I", 16, False), ("I", 32, True), ("Q", 32, False)]


def arguments(code: str, shift: int, merged: bool) -> dict[str, Any]:
    """Two rows of three attributes, n unknown, alpha = 1.5."""
    table = PowerTable(1.5, shift, -3, 3)
    return {
        "slots": array("I", [0, 2, 1]), "indptr": array("q", [0, 2, 3]), "labels": array("b", [1, 0]),
        "importance": array("d", [1.0, 1.0]), "rows": 2, "first": 0,
        "cells": array(code, [bias_of(shift)] * 3), "starts": array("B", [0, 0, 0]),
        "frame": array("q", [*table.frame, 1, merged, 0, 0]), "power": array("d", table.power),
        "units": array("h", table.units), "half": array("d", [2.0**-s for s in range(256)]),
        "flat": array("d"), "theta": 2.5,
        "learn": True, "forced": -1, "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2),
        "state": array("q", [0, 3, *[0] * 258]), "base": 0, "bits": array("Q", [0b111]),
        "order": array("I", [0, 1, 2, 0, 0, 0]), "table": array("q", [3]),
    }  # fmt: skip


def run(call: dict[str, Any]) -> int:
    names = "frame", "power", "units", "half", "flat", "theta"
    try:
        batch, table = batch_of(call), kernel.WeightTable(*(call[name] for name in names))
    except AssertionError:
        return kernel.CAPACITY
    return kernel.run(batch, call["cells"], call["starts"], table, call["first"], call["forced"])


@pytest.mark.parametrize("kind", KINDS)
def test_misuse(kind: Any) -> None:
    names = ["slots", "indptr", "labels", "importance", "cells", "starts", "frame", "half", "predictions", "scores"]
    names += ["units", "state", "order", "table"]
    must_refuse(kernel.run, arguments(*kind), names, kernel.CAPACITY, lambda _, call: run(call))
    for changes in (
        {"first": -1}, {"first": 3}, {"rows": -1}, {"rows": 3}, {"indptr": array("q", [0, 3, 2])},
        {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1]), "order": array("I")}, {"slots": array("I", [0, 3, 1])},
        {"state": array("q", [0, -1, *[0] * 258])},
    ):  # fmt: skip
        assert run(arguments(*kind) | changes) == kernel.CAPACITY, changes
    call = arguments(*kind)
    call["frame"][kernel.SHIFT] = 12
    assert run(call) == kernel.CAPACITY
    if not kind[2]:
        call = arguments(*kind)
        call["frame"][kernel.MERGED] = 1
        assert run(call) == kernel.CAPACITY, "a cell with a start does not index the table as it is"


@pytest.mark.parametrize("kind", KINDS)
def test_new_attributes_start_and_are_entered(kind: Any) -> None:
    """Three have appeared; two more in one row: 2**-(2 + 2*2) each."""
    call = arguments(*kind) | {"cells": array(kind[0], [0, bias_of(kind[1]), 0]), "bits": array("Q", [0b10])}
    call |= {"order": array("I", [1, 0, 0, 0]), "table": array("q", [1]), "rows": 1}
    assert run(call) == kernel.OK
    assert call["order"].tolist() == [1, 0, 2, 0]
    assert (call["bits"][0], call["table"][0], call["state"][kernel.SEEN]) == (0b111, 3, 5)
    assert call["starts"].tolist() == [6, 0, 6]
    assert call["state"][kernel.STARTS + 6] == 2
    call = arguments(*kind) | {"slots": array("I", [0, 64, 1]), "cells": array(kind[0], [0] * 65)}
    call |= {"starts": array("B", [0] * 65)}
    before = contents(call)
    assert run(call) == kernel.OTHER
    assert contents(call) == before
    nothing = {"bits": array("Q"), "order": array("I"), "table": array("q")}
    assert run(call | nothing) == kernel.OK


def test_a_table_that_is_too_short() -> None:
    for kind in KINDS:
        call = arguments(*kind)
        cut = call["frame"][kernel.TOP] - call["frame"][kernel.LOW]
        call |= {"power": call["power"][:cut], "units": call["units"][:cut]}
        assert run(call) == kernel.CAPACITY


def test_it_asks_for_more_of_the_table() -> None:
    for kind in KINDS:
        for exponent, label, status in ((3, 1, kernel.EDGE), (-3, 0, kernel.EDGE), (0, 1, kernel.OK)):
            call = arguments(*kind) | {"theta": 1e9 if label else 1e-9, "labels": array("b", [label, label])}
            call["cells"][0] += exponent
            before = call["cells"][:]
            assert run(call) == status
            assert (call["cells"] == before) == (status != kernel.OK)


def test_an_update_of_several_steps() -> None:
    """All steps are within the filled table and the width of the codes, or the kernel asks and nothing is changed."""
    for kind in KINDS:
        bias = bias_of(kind[1])
        for label, steps, status in (
            (1, 3, kernel.OK), (1, 4, kernel.EDGE), (0, 3, kernel.OK), (0, 4, kernel.EDGE), (1, bias, kernel.WIDEN),
            (0, bias - 1, kernel.WIDEN),
        ):  # fmt: skip
            call = arguments(*kind) | {"theta": 1e9 if label else 1e-9, "labels": array("b", [label] * 2)}
            call |= {"importance": array("d", [steps, 1.0]), "rows": 1}
            before, moved = call["cells"][:], steps if label else -steps
            assert run(call) == status
            made = status == kernel.OK
            assert call["cells"].tolist() == ([bias + moved, bias, bias + moved] if made else before.tolist())
            assert call["state"][kernel.LEAST :].tolist() == [steps * made] * 2
        for weight in (0.0, -1.0, float("nan"), 2.0**41):
            call = arguments(*kind) | {"theta": 1e9, "importance": array("d", [weight] * 2)}
            assert run(call) == kernel.CAPACITY


def test_codes_that_the_table_does_not_reach() -> None:
    """No shorter code leads outside the table, and no 32-bit code below it; above it the learner lets none come."""
    for kind in KINDS:
        bias = bias_of(kind[1])
        for code in (0, 1, 2, bias - 4, 2 * bias - 1):
            call = arguments(*kind) | {"learn": False}
            call["cells"][0] = code
            assert run(call) in (kernel.OK, kernel.CAPACITY, kernel.UNDECIDED)
        call["cells"][1] = 2 ** (8 * call["cells"].itemsize) - 1  # no start is so large
        assert run(call) in (kernel.OK, kernel.CAPACITY, kernel.UNDECIDED)


def test_a_verdict_is_for_one_row() -> None:
    """Two rows of one weight 1/1.5 with theta just there: the verdict on the first decides nothing for the second."""
    call = arguments("H", 16, True) | {"slots": array("I", [0, 1]), "indptr": array("q", [0, 1, 2])}
    call |= {"labels": array("b", [1, 1])}
    call |= {"theta": 1.5**-1, "cells": array("H", [bias_of(16) - 1] * 3)}
    assert run(call) == kernel.UNDECIDED
    assert run(call | {"forced": 1}) == kernel.UNDECIDED
    assert call["state"][kernel.ROW] == 1


def test_cells_of_two_bytes_in_one_table() -> None:
    """The same play with and without the table of all weights, and no table that a cell could leave."""
    kind = KINDS[1]
    flat, call = array("d", [0.0] * 65536), arguments(*kind) | {"scores": array("d")}
    assert kernel.flatten(8, call["power"], call["half"], 76, flat)
    assert flat[5 << 8 | bias_of(8) + 1] == 1.5 * 2.0**-5
    other = arguments(*kind) | {"flat": flat, "scores": array("d")}
    assert run(call) == run(other) == kernel.OK
    assert call["cells"] == other["cells"] != arguments(*kind)["cells"]
    assert run(arguments(*kind) | {"flat": flat[:-1]}) == kernel.CAPACITY
    wide = arguments(*KINDS[3]) | {"flat": flat}
    assert run(wide) == kernel.CAPACITY
    assert not kernel.flatten(8, call["power"], call["half"], 257, flat)
    assert not kernel.flatten(8, call["power"], call["half"], 76, flat[:100])


def test_ids_above_slots() -> None:
    call = arguments(*KINDS[0]) | {
        "cells": array("B", [0, 0, 0]),
        "base": 7,
        "bits": array("Q", [0]),
        "scores": array("d"),
    }
    call |= {"order": array("I", [0] * 4), "table": array("q", [0]), "state": array("q", [0, 0, *[0] * 258])}
    assert run(call) == kernel.OK
    assert call["order"].tolist()[:3] == [7, 9, 8]
    assert call["bits"][0] == 0b111 << 7
    assert run(call | {"base": 62, "table": array("q", [0])}) == kernel.OTHER
