"""The kernel that looks at the rows of a CSR matrix.  (What is made of them: tests/core/test_matrix.py)"""

from __future__ import annotations

from array import array
from math import inf, nan
from typing import Any

import pytest

from kernels.misuse import must_refuse
from mistakebound.kernels import matrix as kernel

KINDS = ["i", "q"]
WIDTH = 10
WELL = [[0, 4, 9], [], [2, 3, 5, 8], [7]]


def arguments(code: str, rows: list[list[int]], data: list[float] | None = None, width: int = WIDTH) -> dict[str, Any]:
    columns = [column for row in rows for column in row]
    indptr = [0]
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    return {
        "indptr": array("q", indptr), "columns": array(code, columns),
        "data": memoryview(array("d", [1.0] * len(columns) if data is None else data)).cast("B").cast("Q"),
        "own": array(code, [-7] * len(columns)), "rows": len(rows), "width": width, "state": array("q", [-1, -1, -1]),
    }  # fmt: skip


def bad_columns(code: str) -> list[int]:
    """Negative and too large, by one and as far as the bits go: as unsigned of fewer bits some would be small."""
    most = 2 ** (31 if code == "i" else 63)
    far = [] if code == "i" else [2**32, -(2**32) + 1, 2**32 + 3]
    return [-1, -2, -most, WIDTH, WIDTH + 1, most - 1, *far]


@pytest.mark.parametrize("code", KINDS)
def test_rows_that_are_well(code: str) -> None:
    call = arguments(code, WELL)
    assert kernel.copy(*call.values()) == kernel.OK
    assert (call["state"][kernel.REAL], call["state"][kernel.ASCENDING]) == (0, 1)
    assert call["own"] == call["columns"]
    for rows in ([], [[]], [[], []]):
        call = arguments(code, rows, width=0)
        assert kernel.copy(*call.values()) == kernel.OK
        assert (call["state"][kernel.REAL], call["state"][kernel.ASCENDING]) == (0, 1)


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("code", KINDS)
def test_a_bad_column_is_found_wherever_it_is(code: str, ascending: bool) -> None:
    """First, in the middle and last, in the first row, in one within and in the last; the row is named."""
    for bad in bad_columns(code):
        for row in range(3):
            for place in range(3):
                rows = [[1, 4, 8], [2, 5, 9], [0, 3, 6]]
                rows[row][place] = bad
                if ascending:
                    rows[row].sort()
                else:
                    rows[2 - row].reverse()
                call = arguments(code, rows)
                assert kernel.copy(*call.values()) == kernel.BAD_COLUMN, rows
                assert call["state"][kernel.ROW] == row, rows


@pytest.mark.parametrize("code", KINDS)
def test_a_bad_column_in_the_middle_of_a_row_that_falls_only_there(code: str) -> None:
    """The ends of the row are well, and so is every other row."""
    for bad in bad_columns(code):
        call = arguments(code, [[0, 1], [3, bad, 5], [], [8]])
        assert kernel.copy(*call.values()) == kernel.BAD_COLUMN
        assert call["state"][kernel.ROW] == 1


@pytest.mark.parametrize("code", KINDS)
def test_the_width_is_the_first_column_that_is_too_large(code: str) -> None:
    for row in ([0, 4], [4, 0], [1, 4, 2]):
        assert kernel.copy(*arguments(code, [row], width=5).values()) == kernel.OK
        assert kernel.copy(*arguments(code, [row], width=4).values()) == kernel.BAD_COLUMN
    assert kernel.copy(*arguments(code, [[0]], width=0).values()) == kernel.BAD_COLUMN
    assert kernel.copy(*arguments(code, [[2**31 - 1]], width=2**31).values()) == kernel.OK
    assert kernel.copy(*arguments(code, [[-1]], width=2**63).values()) == kernel.BAD_COLUMN
    if code == "q":
        assert kernel.copy(*arguments(code, [[2**32 + 1, 2**40]], width=2**40 + 1).values()) == kernel.OK
        assert kernel.copy(*arguments(code, [[2**32 + 1, 2**40]], width=2**40).values()) == kernel.BAD_COLUMN


@pytest.mark.parametrize("value", [inf, -inf, nan])
@pytest.mark.parametrize("code", KINDS)
def test_a_value_that_is_not_finite_is_found_wherever_it_is(code: str, value: float) -> None:
    for rows in (WELL, [[9, 4, 0], [], [2, 3, 5, 8], [7]]):
        for place, row in enumerate([0, 0, 0, 2, 2, 2, 2, 3]):
            data = [1.0] * 8
            data[place] = value
            call = arguments(code, rows, data)
            assert kernel.copy(*call.values()) == kernel.BAD_VALUE
            assert (call["state"][kernel.ROW], call["state"][kernel.REAL]) == (row, 1)


@pytest.mark.parametrize("code", KINDS)
def test_of_several_faults_the_first_is_told(code: str) -> None:
    """Row by row, entry by entry; of one entry, the column."""
    data = [1.0, 1.0, nan, 1.0, 1.0, inf]
    for rows, status, row in (
        ([[0, 1], [2, 3], [-1, 4]], kernel.BAD_VALUE, 1),
        ([[0, 1], [2, -1], [3, 4]], kernel.BAD_VALUE, 1),
        ([[0, 1], [-1, 2], [3, 4]], kernel.BAD_COLUMN, 1),
        ([[0, 10], [2, 3], [4, 5]], kernel.BAD_COLUMN, 0),
    ):
        call = arguments(code, rows, data)
        assert kernel.copy(*call.values()) == status
        assert call["state"][kernel.ROW] == row


@pytest.mark.parametrize("code", KINDS)
def test_one_value_that_is_not_one_makes_rows_real(code: str) -> None:
    for value in (0.0, -1.0, 2.0, 1 + 2.0**-52, 5e-324, 1.7e308):
        for place in range(8):
            data = [1.0] * 8
            data[place] = value
            call = arguments(code, WELL, data)
            assert kernel.copy(*call.values()) == kernel.OK
            assert (call["state"][kernel.REAL], call["state"][kernel.ASCENDING]) == (1, 1)


@pytest.mark.parametrize("code", KINDS)
def test_rows_ascend_strictly_each_by_itself(code: str) -> None:
    for rows, ascending in (
        ([[5], [4], [3]], 1),
        ([[0, 9], [0, 1]], 1),
        ([[1, 0], [2, 3]], 0),
        ([[2, 3], [1, 0]], 0),
        ([[0, 1, 1]], 0),
        ([[1, 1, 2]], 0),
        ([[0, 5, 4, 9]], 0),
    ):
        call = arguments(code, rows)
        assert kernel.copy(*call.values()) == kernel.OK
        assert (call["state"][kernel.REAL], call["state"][kernel.ASCENDING]) == (0, ascending), rows


@pytest.mark.parametrize("code", KINDS)
def test_rows_that_are_looked_at_in_several_parts(code: str) -> None:
    """A row falls, or is outside, in a part of its own; from part to part and from row to row columns may fall."""
    rows = [[*range(start, start + 1500)] for start in (900, 800, 0, 1, 5)] + [[*range(9000)], [], [3]]
    for row in (None, *range(6)):
        mixed = [list(row) for row in rows]
        if row is not None:
            mixed[row][700:702] = reversed(mixed[row][700:702])
        call = arguments(code, mixed, width=9000)
        assert kernel.copy(*call.values()) == kernel.OK
        assert call["state"][kernel.ASCENDING] == (row is None)
        assert call["own"] == call["columns"]
        if row is not None:
            mixed[row][-1] = 9000
            call = arguments(code, mixed, width=9000)
            assert kernel.copy(*call.values()) == kernel.BAD_COLUMN
            assert call["state"][kernel.ROW] == row


@pytest.mark.parametrize("code", KINDS)
def test_what_is_outside_the_rows_is_not_looked_at(code: str) -> None:
    call = arguments(code, [[-1, 0], [3, 4], [99]], [nan, 1.0, 1.0, 1.0, inf])
    call |= {"indptr": array("q", [2, 3, 4, 5]), "rows": 2}
    assert kernel.copy(*call.values()) == kernel.OK
    assert call["own"].tolist() == [-7, -7, 3, 4, -7]
    assert (call["state"][kernel.REAL], call["state"][kernel.ASCENDING]) == (0, 1)


@pytest.mark.parametrize("code", KINDS)
def test_misuse(code: str) -> None:
    must_refuse(kernel.copy, arguments(code, WELL), ["indptr", "columns", "data", "own", "state"], kernel.CAPACITY)
    for changes in (
        {"rows": -1}, {"rows": 5}, {"indptr": array("q")},
        {"indptr": array("q", [-1, 3, 3, 7, 8])}, {"indptr": array("q", [0, 3, 2, 7, 8])},
        {"indptr": array("q", [0, 9, 3, 7, 8])}, {"indptr": array("q", [0, 3, 3, 7, 9])},
        {"indptr": array("q", [0, 3, 3, 8, 7])},
    ):  # fmt: skip
        call = arguments(code, WELL) | changes
        assert kernel.copy(*call.values()) == kernel.CAPACITY, changes
        assert call["state"].tolist() == [-1, -1, -1]
