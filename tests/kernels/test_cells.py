"""Cells of a column to numbers."""

from __future__ import annotations

from array import array

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
