"""The kernels of AROW: misuse.  (Their results: tests/learners/test_arow.py)"""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest

from kernels.misuse import BATCH, batch_of, must_refuse, played
from mistakebound.kernels import arow, arow_full

ROWS: dict[str, Any] = {
    "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
    "ordered": False, "labels": array("b", [1, 0]), "importance": array("d", [1.0, 1.0]), "rows": 2,
}  # fmt: skip
HOW: dict[str, Any] = {
    "r": 1.0, "biased": True, "learn": True, "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2),
    "dense": 2, "extra_keys": array("Q", [2**62]), "keys": array("Q", [0] * 2), "places": array("I", [0] * 2),
}  # fmt: skip
STATE = {"state": array("q", [0])}


def diagonal() -> dict[str, Any]:
    kept = {"cells": array("d", [0.0] * 3 * arow.WIDTH)}
    return fresh(ROWS | kept | {"scalars": array("d", [0.0] * 6)} | HOW | {"products": array("d", [0.0] * 2)} | STATE)


def full() -> dict[str, Any]:
    kept = {
        "ranks": array("I", [1, 3, 2]), "count": 4, "weights": array("d", [0.0] * 4), "sums": array("d", [0.0] * 4),
        "factors": array("d", [float(j % 5 == 0) for j in range(16)]), "width": 4, "scalars": array("d", [0.0] * 4),
    }  # fmt: skip
    return fresh(ROWS | kept | HOW | {"scratch": array("d", [0.0] * 24)} | STATE)


def fresh(call: dict[str, Any]) -> dict[str, Any]:
    return {name: value[:] if isinstance(value, array) else value for name, value in call.items()}


def full_run(run: Any, call: dict[str, Any]) -> int:
    names = "weights", "sums", "factors", "width", "scalars", "scratch", "r", "biased"
    assert {*call} == {*BATCH, *names, "ranks", "count"} - {"base", "bits", "order", "table"}
    try:
        batch, kept = batch_of(call), arow_full.FullCovariance(*(call[name] for name in names))
    except AssertionError:
        return arow_full.CAPACITY
    return int(run(batch, kept, call["ranks"], call["count"]))


HOW_TO = {arow: played, arow_full: full_run}
CALLS = {arow: diagonal, arow_full: full}


@pytest.mark.parametrize("kernel", CALLS, ids=["diagonal", "full"])
def test_misuse(kernel: Any) -> None:
    call = CALLS[kernel]()
    names = [name for name, value in call.items() if isinstance(value, array)]
    must_refuse(kernel.run, call, names, kernel.CAPACITY, HOW_TO[kernel])
    changes: list[dict[str, Any]] = [
        {"rows": -1}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"slots": array("I", [0, 2**31, 1])},
    ]  # fmt: skip
    if kernel is arow_full:
        changes += [{"count": 3}, {"count": 0}, {"count": 5}, {"width": 5}, {"ranks": array("I", [1, 4, 2])}]
    for change in changes:
        assert HOW_TO[kernel](kernel.run, CALLS[kernel]() | change) == kernel.CAPACITY, change


def test_well_used() -> None:
    call = diagonal()
    assert played(arow.run, call) == arow.OK
    # x~ = (1, 2, 1): variance 6, step 1/7, the bias at 6/7.  Then x~ = (3, 1) has the score 1/7 and variance 9 + 6/7.
    step = 8 / 7 / (10 + 6 / 7)
    weights, spent, sums = (call["cells"][k :: arow.WIDTH].tolist() for k in (arow.WEIGHT, arow.SPENT, arow.SUM))
    assert weights == pytest.approx([1 / 7, -3 * step, 2 / 7])
    assert spent == pytest.approx([1 / 6, 9 / (1 + 6 / 7), 4 / 3])
    assert sums == [1.0, -3.0, 2.0]
    assert call["scalars"].tolist() == pytest.approx([1 / 7 - step * 6 / 7, 1 / 6 + 1 / 10, 0.0, 0.0, 1.0, 1.0])
    assert arow.energy(array("d", [1.0]), array("d")) == -1.0


def test_well_used_in_full() -> None:
    call = full()
    assert full_run(arow_full.run, call) == arow_full.OK
    factors = call["factors"].tolist()
    assert all(factors[4 * j + i] == 0.0 for j in range(4) for i in range(j + 1, 4))
    assert all(0.0 < factors[5 * j] < 1.0 for j in range(4))
    assert call["weights"][1:3].tolist() != [1 / 7, 2 / 7]  # the second row has moved what the bias has to do with
    call = full() | {"ranks": array("I", [1, 0, 2])}
    assert full_run(arow_full.run, call) == arow_full.UNPLACED
    assert call["state"][arow_full.ROW] == 1
    assert call["weights"].tolist() == pytest.approx([1 / 7, 1 / 7, 2 / 7, 0.0])


def test_overflow_changes_nothing() -> None:
    """A weight, what is spent, the step, the squares, the sum."""
    row = {"slots": array("I", [0, 2]), "indptr": array("q", [0, 2]), "rows": 1, "biased": False, "scores": array("d")}
    for kept, values, r in (
        ({arow.WEIGHT: [1.7e308, 0.0, -1.7e308]}, [0.5, 1.0], 1e-3),
        ({arow.SPENT: [1.7e308, 0.0, 0.0]}, [1e-100, 1.0], 1e-308),
        ({arow.SPENT: [1.7e308, 0.0, 0.0]}, [], 1e-308),
        ({arow.WEIGHT: [1e308, 0.0, -1.0e308]}, [], 1e-320),
        ({}, [1e-200, 1e-200], 1e-320),
        ({}, [1e200, 1.0], 1.0),
        ({arow.WEIGHT: [1.7e308, 0.0, 1.7e308]}, [1.0, 1.0], 1.0),
        ({arow.WEIGHT: [1.7e308, 0.0, 1.7e308]}, [], 1.0),
    ):
        call = diagonal() | row | {"values": array("d", values), "r": r}
        for column, numbers in kept.items():
            call["cells"][column :: arow.WIDTH] = array("d", numbers)
        before = {name: call[name][:] for name in ("cells", "scalars")}
        assert played(arow.run, call) == arow.OVERFLOW
        assert {name: call[name] for name in before} == before
    row = {"slots": array("I", [0]), "indptr": array("q", [0, 1]), "rows": 1, "scores": array("d")}
    for weight, scalars, value, r in (
        (-1.7e308, [1.7e308, 0.0, 0.0, 0.0, 0.0, 0.0], 1.5, 1e-3),  # the weight goes towards 0, the bias beyond
        (0.0, [0.0, 1.7e308, 0.0, 0.0, 0.0, 0.0], 1e-100, 1e-308),
        (0.0, [0.0] * 6, 0.0, 1e-320),
    ):
        call = diagonal() | row | {"values": array("d", [value]), "r": r, "scalars": array("d", scalars)}
        call["cells"][arow.WEIGHT] = weight
        assert played(arow.run, call) == arow.OVERFLOW
        assert (call["cells"][arow.WEIGHT], call["scalars"].tolist()) == (weight, scalars)
    row = {"slots": array("I", [0, 2]), "indptr": array("q", [0, 2]), "rows": 1, "scores": array("d")}
    for weights, values, r in (
        ([0.0, 1.7e308, -1.7e308, 0.0], [0.5, 1.0], 1e-3),
        ([0.0] * 4, [1e200, 1.0], 1.0),
        ([0.0] * 4, [1e150, 1.0], 1e-10),
        ([0.0, 1.7e308, 1.7e308, 0.0], [1.0, 1.0], 1.0),
    ):
        call = full() | row | {"values": array("d", values), "r": r, "weights": array("d", weights)}
        before = {name: call[name][:] for name in ("weights", "sums", "factors", "scalars")}
        assert full_run(arow_full.run, call) == arow_full.OVERFLOW
        assert {name: call[name] for name in before} == before


def test_overflow_in_the_last_column_takes_the_first_ones_back() -> None:
    """The factors are worked out in one pass, in their place: what was changed before it failed is as it was."""
    for weights, values, r in (
        ([0.0] * 4, [1e-3, 1e-3, 1e160], 1.0),  # the squares
        ([0.0, 1.7e308, -1.7e308, 0.0], [0.5, 1.0, 0.1], 1e-3),  # a weight, when all factors are new
        ([0.0] * 4, [1e-9, 1e150, 1e100], 1e-200),  # a factor
    ):
        call = full()
        assert full_run(arow_full.run, call) == arow_full.OK
        assert sum(factor not in (0.0, 1.0) for factor in call["factors"]) > 6
        call |= {
            "slots": array("I", [0, 2, 1]), "values": array("d", values), "indptr": array("q", [0, 3]), "rows": 1,
            "keys": array("Q", [0] * 3), "places": array("I", [0] * 3), "scores": array("d"), "biased": False,
            "weights": array("d", weights), "scratch": array("d", [7.0] * 24), "r": r,
        }  # fmt: skip
        before = {name: call[name][:] for name in ("weights", "sums", "factors", "scalars")}
        assert full_run(arow_full.run, call) == arow_full.OVERFLOW
        assert {name: call[name] for name in before} == before


def _drawn(draw: Random, width: int, rows: int, sizes: list[float]) -> dict[str, Any]:
    """Rows of up to `width` - 1 attributes, some values 0, of these sizes, and nothing learned yet."""
    slots, values, indptr = array("I"), array("d"), array("q", [0])
    for _ in range(rows):
        for slot in sorted(draw.sample(range(width - 1), draw.randint(0, width - 1))):
            slots.append(slot)
            values.append(draw.choice([0.0, draw.gauss(0, 1), 1.0]) * draw.choice(sizes))
        indptr.append(len(slots))
    return {
        "slots": slots, "values": values, "indptr": indptr, "ordered": True, "rows": rows, "learn": True,
        "labels": array("b", [draw.randint(0, 1) for _ in range(rows)]), "r": 1.0, "biased": draw.random() < 0.5,
        "importance": array("d", [draw.choice([1.0, 1.0, 0.3, 4.0]) for _ in range(rows)]),
        "predictions": array("b", bytes(rows)), "scores": array("d", bytes(8 * rows)), "dense": width,
        "extra_keys": array("Q"), "keys": array("Q", bytes(8 * width)), "places": array("I", bytes(4 * width)),
        "ranks": array("I", draw.sample(range(1, width), width - 1)), "count": width, "width": width,
        "weights": array("d", bytes(8 * width)), "sums": array("d", bytes(8 * width)),
        "factors": array("d", [float(j % (width + 1) == 0) for j in range(width * width)]),
        "scalars": array("d", bytes(32)), "scratch": array("d", [7.0] * (width + 2) * width),
        "state": array("q", [0]),
    }  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("sizes", [[1.0], [1.0, 1e8], [1.0, 1e-170, 1e40], [1e75, 1e-75, 1.0], [1e-3, 1e150]])
@pytest.mark.parametrize("most", [0.0, 1e40, 1.7e308])
def test_many_rows_are_as_one_by_one(sizes: list[float], most: float) -> None:
    """Many rows are worked out at once where they surely stay finite; one row always keeps what it changes."""
    draw, failed = Random(len(repr(sizes))), 0
    for width in [*range(2, 12), 17, 40]:
        call = _drawn(draw, width, 30, sizes)
        for j in range(3 * width if most else 0):  # factors and a weight that a model file may hold
            call["factors"][draw.randrange(j % width, width) * width + j % width] = draw.choice([0.5, 1.0, most])
        call["weights"][0] = most if width == 11 else 0.0
        alone = fresh(call)
        status = full_run(arow_full.run, call)
        for row in range(30):
            at, end = call["indptr"][row : row + 2]
            one = alone | {"slots": alone["slots"][at:end], "values": alone["values"][at:end], "rows": 1}
            one |= {"indptr": array("q", [0, end - at]), "labels": alone["labels"][row : row + 1]}
            one |= {"importance": alone["importance"][row : row + 1], "predictions": array("b", [0])}
            one |= {"scores": array("d", [0.0]), "state": array("q", [0])}
            last = full_run(arow_full.run, one)
            if last != arow_full.OK:
                break
            assert one["scores"][0].hex() == call["scores"][row].hex(), (width, row)
        assert status == last
        assert call["state"][0] == (30 if status == arow_full.OK else row)
        for name in ("weights", "sums", "factors", "scalars"):
            assert [x.hex() for x in call[name]] == [x.hex() for x in alone[name]], (width, name)
        failed += status == arow_full.OVERFLOW
    assert (failed > 0) == (1e150 in sizes or most > 1e300), "rows that leave the doubles were among them"


@pytest.mark.kernel
def test_a_step_that_is_too_large_for_a_factor() -> None:
    """The sum of the row and all numbers before it are finite; step times factor is not."""
    call = _drawn(Random(1), 4, 3, [1.0])
    call |= {"slots": array("I", [2] * 3), "values": array("d", [1.0] * 3), "indptr": array("q", range(4))}
    call |= {"labels": array("b", [1] * 3), "importance": array("d", [1.0] * 3), "ranks": array("I", [1, 2, 3])}
    call["factors"][3 * 4 + 1] = 1e49
    call["weights"][3] = -1e262
    before = {name: call[name][:] for name in ("weights", "sums", "factors", "scalars")}
    assert full_run(arow_full.run, call) == arow_full.OVERFLOW
    assert {name: call[name] for name in before} == before


def test_predictions_need_no_room_for_the_matrix() -> None:
    call = full() | {"learn": False, "scratch": array("d")}
    assert full_run(arow_full.run, call) == arow_full.OK


def test_a_zero_of_an_attribute_that_has_no_place_is_nothing() -> None:
    one = full() | {
        "slots": array("I", [0, 1, 2]),
        "values": array("d", [2.0, 3.0, 0.0]),
        "indptr": array("q", [0, 1, 3]),
    }
    other = full() | {"slots": array("I", [0, 1]), "values": array("d", [2.0, 3.0]), "indptr": array("q", [0, 1, 2])}
    for call in (one, other):
        call["ranks"] = array("I", [1, 3, 0])
        assert full_run(arow_full.run, call) == arow_full.OK
    assert [one[name] for name in ("weights", "factors", "scalars")] == [
        other[name] for name in ("weights", "factors", "scalars")
    ]


@pytest.mark.parametrize("kernel", CALLS, ids=["diagonal", "full"])
def test_weights_beyond_the_doubles_change_nothing(kernel: Any) -> None:
    """The sum of an attribute, of the bias, and of the updates without a mistake."""
    for importance, values, changes in (
        ([1.7e308, 1.7e308], [1.0, 1.0, 1.0], {"labels": array("b", [1, 1]), "r": 1e300}),
        ([1e308, 1.0], [10.0, 1.0, 1.0], {"r": 1e308, "biased": False}),
    ):
        call = CALLS[kernel]() | {"importance": array("d", importance), "values": array("d", values)} | changes
        assert HOW_TO[kernel](kernel.run, call) == kernel.OVERFLOW
        row = call["state"][kernel.ROW]
        fewer = CALLS[kernel]() | {"importance": array("d", importance), "values": array("d", values)} | changes
        fewer["rows"] = row
        assert HOW_TO[kernel](kernel.run, fewer) == kernel.OK
        for name in {"cells", "weights", "sums", "scalars"} & call.keys():
            assert call[name] == fewer[name]
            assert all(number - number == 0.0 for number in call[name])
