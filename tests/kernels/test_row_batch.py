"""A batch of rows checks its buffers as they are given, and a kernel refuses one that lacks what it needs."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from kernels.misuse import batch_of, contents, shortened
from mistakebound.kernels import passive_aggressive, perceptron
from mistakebound.kernels.row_batch import CAPACITY, OK, OTHER, RowBatch

NONE = array("d")


def call() -> dict[str, Any]:
    return {
        "slots": array("I", [0, 2, 1]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
        "rows": 2, "labels": array("b", [1, 0]), "importance": array("d", [1.0, 0.5]),
        "predictions": array("b", [0] * 2), "scores": array("d", [0.0] * 2), "state": array("q", [0]),
        "dense": 3, "extra_keys": array("Q"), "keys": array("Q", [0] * 2), "places": array("I", [0] * 2),
        "base": 0, "bits": array("Q", [0]), "order": array("I", [0] * 3), "table": array("q", [0]),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", [n for n, held in call().items() if isinstance(held, array) and n not in ("extra_keys", "bits")]
)
def test_a_buffer_that_is_too_short_is_refused(name: str) -> None:
    short = shortened(call(), name)
    before = contents(short)
    with pytest.raises(AssertionError, match=r"there |a row |the table "):
        batch_of(short)
    assert contents(short) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": -1}, {"rows": 3}, {"indptr": array("q", [0, 3, 2])}, {"indptr": array("q", [-1, 2, 3])},
        {"table": array("q", [-1])}, {"table": array("q", [1])},
    ],
)  # fmt: skip
def test_rows_that_make_no_sense_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        batch_of(call() | changes)


def played(batch: RowBatch, size: int = 3) -> int:
    weights = array("d", bytes(8 * size))
    words = memoryview(weights).cast("B").cast("Q")
    return perceptron.run(batch, weights, words, array("d", bytes(40)), 1.0, True)


def test_a_kernel_refuses_a_batch_that_lacks_something() -> None:
    """No room for predictions, none to sort in, a slot without a key, a slot without a weight."""
    assert played(batch_of(call())) == OK
    bare = RowBatch(*(call()[name] for name in ("slots", "values", "indptr", "rows")))
    assert played(bare) == CAPACITY
    bare.answer(array("b", [0] * 2), NONE, array("q", [0]))
    assert played(bare) == CAPACITY
    bare.sort_by(False, 2, array("Q"), array("Q", [0] * 2), array("I", [0] * 2))
    assert played(bare) == CAPACITY
    bare.sort_by(False, 2, array("Q", [2**62]), array("Q", [0] * 2), array("I", [0] * 2))
    assert played(bare) == OK
    assert played(bare, 2) == CAPACITY
    learned = array("d", bytes(16))
    assert (
        passive_aggressive.run(bare, array("d", [0.0] * 2), array("d", bytes(32)), 1.0, 0.0, True, learned) == CAPACITY
    )


def test_rows_whose_ends_have_changed_are_refused() -> None:
    given = call()
    batch = batch_of(given)
    given["indptr"][2] = 10**6
    assert played(batch) == CAPACITY


def test_a_batch_whose_buffers_were_refused_is_refused() -> None:
    """Whoever goes on after an AssertionError: what was given then is there, and too short."""
    batch, short = batch_of(call()), shortened(call(), "scores")
    with pytest.raises(AssertionError):
        batch.answer(short["predictions"], short["scores"], short["state"])
    assert played(batch) == CAPACITY
    for name in ("order", "table"):
        batch, short = batch_of(call()), shortened(call(), name)
        with pytest.raises(AssertionError):
            batch.enter(*(short[one] for one in ("base", "bits", "order", "table")))
        assert played(batch) == CAPACITY, name
    batch = batch_of(call())
    with pytest.raises(AssertionError):
        batch.__init__(array("I", [0]), NONE, array("q", [0, 1, 2, 9]), 3)  # type: ignore[misc]
    assert played(batch) == CAPACITY


@pytest.mark.parametrize(("base", "status"), [(0, OK), (61, OK), (62, OTHER), (1000, OTHER)])
def test_ids_that_are_not_their_own_slots_are_told_apart(base: int, status: int) -> None:
    """The bits of a table are those of 64 small ids; the largest slot is 2."""
    assert played(batch_of(call() | {"base": base})) == status
