"""Cells of a column to numbers; a matrix of cells without those that are missing."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inputs.tables import numbers, odd, words
from kernels.misuse import must_refuse
from mistakebound.kernels import cells as kernel
from naive.table_reader import number

digits = st.text(st.sampled_from("0123456789.-+eE"), max_size=24)
blanks = st.sampled_from(["", "", " ", "\t", " \t "])
cells = st.builds("{}{}{}".format, blanks, st.one_of(numbers, digits, words, odd), blanks)


@given(st.lists(cells, max_size=8))
def test_the_same_numbers_as_float(column: list[str]) -> None:
    data = [cell.encode() for cell in column]
    ends = array("i", [0])
    for cell in data:
        ends.append(ends[-1] + len(cell))
    values, kinds = array("d", bytes(8 * len(data))), array("b", bytes(len(data)))
    scratch = bytearray(max(map(len, data), default=0) + kernel.SLACK)
    strange = kernel.numbers(b"".join(data), ends, len(data), scratch, values, kinds)
    assert strange == len(data) - kinds.count(kernel.NUMBER)
    for cell, value, kind in zip(column, values, kinds, strict=True):
        bare = cell.strip(" \t")
        if bare in ("", "?"):
            assert (kind, value) == (kernel.MISSING, 1.0)
        elif number(bare) is None:
            assert (kind, value) == (kernel.OTHER, 1.0)
        else:
            assert (kind, repr(value)) == (kernel.NUMBER, repr(number(bare)))


def test_misuse() -> None:
    call = {
        "text": b"12", "ends": array("i", [0, 1, 2]), "rows": 2, "scratch": bytearray(17),
        "values": array("d", [0, 0]), "kinds": array("b", [0, 0]),
    }  # fmt: skip
    assert kernel.numbers(*call.values()) == 0
    must_refuse(kernel.numbers, call, ["text", "ends", "scratch", "values", "kinds"], -1)
    for ends in ([0, 2, 1], [-1, 1, 2], [0, 1, 3]):
        assert kernel.numbers(*(call | {"ends": array("i", ends)}).values()) == -1
    assert kernel.numbers(*(call | {"rows": -1}).values()) == -1


def matrix() -> dict[str, Any]:
    """Three rows of two cells, of which the last one is missing."""
    return {
        "keys": array("Q", [0, 3, 1, 4, 2, 4]), "values": array("d", [1, 2, 3, 4, 5, 6]),
        "present": array("B", [1, 1, 1, 1, 1, 0]), "kept": array("B", [1, 0, 1]), "indptr": array("q", [9] * 3),
        "used": array("B", [9] * 5),
    }  # fmt: skip


@given(st.integers(0, 5), st.integers(0, 6), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_a_matrix_without_its_missing_cells(width: int, rows: int, real: bool, whole: bool, draw: Any) -> None:
    cells = [[(draw.randrange(8), draw.random(), draw.random() < 0.7) for _ in range(width)] for _ in range(rows)]
    flat = [cell for row in cells for cell in row]
    kept = [draw.random() < 0.7 for _ in range(rows)]
    keys, values = array("Q", [cell[0] for cell in flat]), array("d", [cell[1] for cell in flat if real])
    present = array("B", [cell[2] for cell in flat if not whole])
    indptr, used = array("q", [9] * (sum(kept) + 1)), bytearray(b"\x09" * 8)
    wanted = [[c for c in row if whole or c[2]] for row, good in zip(cells, kept, strict=True) if good]
    left = kernel.compress(keys, values, present, array("B", kept), indptr, used)
    assert left == sum(map(len, wanted))
    assert keys[:left].tolist() == [cell[0] for row in wanted for cell in row]
    assert values[: left * real].tolist() == [cell[1] for row in wanted for cell in row if real]
    assert indptr.tolist() == [sum(map(len, wanted[:r])) for r in range(len(wanted) + 1)]
    assert [key for key, there in enumerate(used) if there] == sorted({cell[0] for row in wanted for cell in row})
    numbers = array("q", [20 - key for key in range(8)])
    assert kernel.renumber(keys, left, numbers)
    assert keys[:left].tolist() == [20 - cell[0] for row in wanted for cell in row]


def test_a_matrix_that_does_not_fit() -> None:
    must_refuse(kernel.compress, matrix(), ["keys", "values", "present", "indptr", "used"], -1)
    assert kernel.compress(*(matrix() | {"kept": array("B", [1] * 4)}).values()) == -1
    assert not kernel.renumber(array("Q", [0, 2]), 2, array("q", [1, 2]))
    assert not kernel.renumber(array("Q", [0]), 2, array("q", [1, 2]))
    assert not kernel.renumber(array("Q", [0]), -1, array("q", [1, 2]))
