"""The few largest of many numbers; the distinct ones, counted."""

from __future__ import annotations

import math
from array import array
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import ranking as kernel


@given(st.lists(st.sampled_from([-5.0, 5.0, -2.0, 2.0, 0.0, 1.5]), max_size=30), st.integers(0, 8))
def test_largest(values: list[float], wanted: int) -> None:
    """By size, and of equal ones the first."""
    out = array("I", [0] * wanted)
    found = kernel.largest(array("d", values), len(values), wanted, out)
    assert out[:found].tolist() == sorted(range(len(values)), key=lambda k: -abs(values[k]))[:wanted]


ROWS = st.lists(st.tuples(st.integers(0, 1), st.floats(allow_nan=False) | st.integers(-3, 3).map(float)), max_size=40)


def bits(scores: list[float]) -> memoryview:
    return memoryview(array("Q", array("d", scores).tobytes()))


def distinct(rows: list[tuple[int, float]]) -> tuple[array, array]:
    scratch, keys, counts = (array(kind, bytes(8 * size * len(rows))) for kind, size in (("Q", 1), ("Q", 1), ("q", 2)))
    codes = array("b", [code for code, _ in rows])
    found = kernel.distinct(bits([score for _, score in rows]), codes, scratch, keys, counts)
    return keys[:found], counts[: 2 * found]


@given(ROWS)
def test_distinct(rows: list[tuple[int, float]]) -> None:
    """In the order of the scores, -0.0 the same as 0.0."""
    keys, counts = distinct(rows)
    counted = Counter((score, code) for code, score in rows)
    assert counts.tolist() == [
        counted[score, code] for score in sorted({score for _, score in rows}) for code in (0, 1)
    ]
    assert keys.tolist() == sorted(set(keys))


def test_what_is_no_number_is_one_score_above_all_others() -> None:
    rows = [(1, math.nan), (0, math.inf), (1, -math.nan), (0, -math.inf)]
    assert distinct(rows)[1].tolist() == [1, 0, 1, 0, 0, 2]


@given(ROWS, st.integers(0, 40))
def test_merge(rows: list[tuple[int, float]], cut: int) -> None:
    keys, counts = array("Q", bytes(8 * len(rows))), array("q", bytes(16 * len(rows)))
    found = kernel.merge(*distinct(rows[:cut]), *distinct(rows[cut:]), keys, counts)
    assert (keys[:found], counts[: 2 * found]) == distinct(rows)


@given(st.lists(st.tuples(*2 * [st.integers(0, 5) | st.just(10**10)]), max_size=8))
def test_pairs(counted: list[tuple[int, int]]) -> None:
    """Also where the number has more than 64 bits."""
    sums = array("q", bytes(32))
    assert kernel.pairs(array("q", [count for both in counted for count in both]), sums) == 0
    wins = sum(
        (2 * (j < i) + (j == i)) * counted[i][1] * counted[j][0] for i in range(len(counted)) for j in range(i + 1)
    )
    assert sums[:2].tolist() == [sum(both[code] for both in counted) for code in (0, 1)]
    assert (sums[2] << 24) + sums[3] == wins


def test_misuse() -> None:
    call = {"values": array("d", [1.0, 2.0]), "count": 2, "wanted": 2, "out": array("I", [0, 0])}
    must_refuse(kernel.largest, call, ["values", "out"], -1)
    found = distinct([(0, 1.0), (1, 2.0)])
    call = {"scores": array("Q", [1, 2]), "codes": array("b", [0, 1]), "scratch": array("Q", [0, 0])}
    call |= {"keys": array("Q", [0, 0]), "counts": array("q", [0] * 4)}
    must_refuse(kernel.distinct, call, list(call), -1)
    call = dict(zip(("one", "counts", "other", "others"), (*found, *found), strict=True))
    call |= {"keys": array("Q", [0] * 4), "merged": array("q", [0] * 8)}
    must_refuse(kernel.merge, call, list(call), -1)
    must_refuse(kernel.pairs, {"counts": found[1], "sums": array("q", [0] * 4)}, ["counts", "sums"], -1)
