"""The spread of attributes: which rows are in the sample, and buffers that do not fit together."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest

from kernels.misuse import must_refuse
from mistakebound import kernels
from mistakebound.kernels import slots
from mistakebound.kernels import spread as kernel
from mistakebound.kernels.row_batch import RowBatch
from naive import spread as naive

pytestmark = pytest.mark.kernel


def call() -> dict[str, Any]:
    return {
        "slots": array("I", [3, 1, 3]), "values": array("d", [1.0, 2.0, 3.0]), "indptr": array("q", [0, 2, 3]),
        "rows": 2, "base": 0, "numbers": array("I", [0, 2, 0, 1]), "counts": array("I", [0, 0]),
        "moments": array("d", [0.0] * 4), "state": array("q", [0, 0]), "mark": 5,
    }  # fmt: skip


def added(add: Callable[..., bool], call: dict[str, Any]) -> bool:
    values = [*call.values()]
    try:
        return add(RowBatch(*values[:4]), *values[4:])
    except AssertionError:
        return False


def test_which_rows_count() -> None:
    """One attribute that is in every row: what is added to its count tells the rows of the sample."""
    size = 20_000 if kernels.compiled() else 6_000
    found, one = [], RowBatch(array("I", [0]), array("d"), array("q", [0, 1]), 1)
    for start in range(0, size, 7):  # any number of rows at a time
        rows = min(7, size - start)
        for row in range(rows):
            state, counts = array("q", [start + row, 0]), array("I", [0])
            assert kernel.add(one, 0, array("I", [1]), counts, array("d"), state, 1)
            found.append(counts[0])
    assert found == [naive.weight(row) for row in range(size)]
    state, counts = array("q", [0, 0]), array("I", [0])
    rows_at_once = RowBatch(array("I", bytes(4 * size)), array("d"), array("q", range(size + 1)), size)
    assert kernel.add(rows_at_once, 0, array("I", [1]), counts, array("d"), state, 9)
    assert (counts[0], state.tolist()) == (sum(found), [size, 9])
    assert abs(counts[0] - size) <= 16, "the sample stands for all rows"


def test_misuse() -> None:
    names = ["slots", "values", "indptr", "numbers", "counts", "moments", "state"]
    must_refuse(kernel.add, call(), names, False, added)
    for changes in ({"rows": -1}, {"rows": 3}, {"base": -1}, {"indptr": array("q", [0, 2, 1])}):
        assert not added(kernel.add, call() | changes), changes
    assert added(kernel.add, call())


def test_numbers_outside() -> None:
    assert not slots.number(array("I", [1, 9]), 0, 2, array("I", bytes(8)))
    assert not slots.number(array("I", [1]), 0, 2, array("I", bytes(8)))
