"""Sorting the rows of a block, in place."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import ascending as kernel

small = st.integers(0, 40)
wide = st.one_of(small, st.integers(2**31 - 2, 2**31 + 2), st.integers(2**32 - 3, 2**32 - 1))
huge = st.one_of(wide, st.integers(2**32, 2**63 - 1))
lengths = st.one_of(st.integers(0, 12), st.integers(250, 262))


@st.composite
def blocks(draw: st.DrawFn, code: str) -> list[list[int]]:
    """Rows, some with an id twice, some of a length at which another way of sorting begins."""
    rows = draw(st.lists(st.lists(wide if code == "I" else huge, max_size=12), max_size=5))
    if draw(st.booleans()):
        length, step = draw(lengths), draw(st.sampled_from([1, 7919, 2**22 - 3]))
        row = [(k * step + 17) % 2**32 for k in range(length)]
        rows.append(draw(st.sampled_from([row, row[::-1], row[1::2] + row[::2]])))
    return rows


def expected(rows: list[list[int]]) -> tuple[list[int], list[int], int]:
    """Slow and obvious: the keys, where each of them stood before, and whether all rows ascend."""
    keys: list[int] = []
    places: list[int] = []
    for row in rows:
        whole = len(set(row)) == len(row)
        order = sorted(range(len(row)), key=row.__getitem__) if whole else range(len(row))
        places += [len(keys) + k for k in order]
        keys += [row[k] for k in order]
    return keys, places, int(all(len(set(row)) == len(row) for row in rows))


@pytest.mark.parametrize("code", ["I", "Q"])
@pytest.mark.parametrize("real", [False, True])
@given(data=st.data())
def test_rows_are_sorted_with_their_values(code: str, real: bool, data: st.DataObject) -> None:
    rows = data.draw(blocks(code))
    flat = [key for row in rows for key in row]
    ends = array("q", [sum(map(len, rows[:r])) for r in range(len(rows) + 1)])
    widest = max(map(len, rows), default=0)
    keys, values = array(code, flat), array("d", range(len(flat)) if real else ())
    scratch = array("Q", [0] * widest), array("I", [0] * widest), array("d", [0.0] * widest)
    status = kernel.sort(ends, keys, values, len(rows), *scratch)
    wanted_keys, places, wanted = expected(rows)
    assert (keys.tolist(), status) == (wanted_keys, wanted)
    if real:
        assert values.tolist() == places


def test_misuse() -> None:
    call = {
        "indptr": array("q", [0, 2, 3]), "keys": array("Q", [3, 1, 2]), "values": array("d", [3, 1, 2]), "rows": 2,
        "scratch": array("Q", [0, 0]), "places": array("I", [0, 0]), "kept": array("d", [0, 0]),
    }  # fmt: skip
    short = call | {"keys": array("I", [3, 1, 2])}
    must_refuse(kernel.sort, call, ["indptr", "keys", "values", "scratch", "places", "kept"], -1)
    must_refuse(kernel.sort, short, ["indptr", "keys", "values", "scratch", "places", "kept"], -1)
    for ends in ([0, 3, 2], [-1, 2, 3], [0, 4, 3]):
        assert kernel.sort(*(call | {"indptr": array("q", ends)}).values()) == -1
    assert kernel.sort(*(call | {"rows": -1}).values()) == -1
