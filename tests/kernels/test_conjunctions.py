"""Conjunctions as numbers: every one once, in ascending order, and nothing outside a buffer."""

from __future__ import annotations

from array import array
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import shortened
from mistakebound.kernels import conjunctions as kernel
from mistakebound.kernels.key_rows import NewRows
from mistakebound.kernels.row_batch import RowBatch

pytestmark = pytest.mark.kernel


def total(n: int, k: int, factor: int) -> int:
    return sum(comb(n, i) * factor**i for i in range(1, k + 1))


def rank(literals: tuple[tuple[int, int], ...], k: int, factor: int) -> int:
    """By the formula in the kernel's first lines; literals are (number, negated), ascending."""
    *rest, (j, s) = literals
    own = total(j, k, factor) + s * (1 + total(j, k - 1, factor))
    return own if not rest else own + 1 + rank(tuple(rest), k - 1, factor)


def call(
    rows: list[list[int]],
    k: int,
    *,
    size: int = 0,
    values: list[float] | None = None,
    code: str = "I",
    by_bits: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """Arguments for rows of slots, where slot 2*j + 1 is attribute number j of 16."""
    factor = 2 if size else 1
    numbers = array("I", [0] * 40)
    for j in range(16):
        numbers[2 * j + 1] = j + 1
    sums = array("Q", bytes(8 * 33 * (k + 1)))
    assert kernel.fill_sums(sums, k, 0, factor) == 33
    indptr = array("q", [0])
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    room = 3000
    return {
        "slots": array("I", [slot for row in rows for slot in row]), "values": array("d", values or []),
        "indptr": indptr, "last": len(rows), "base": 0, "numbers": numbers, "seen": 16, "sums": sums, "known": 32,
        "levels": k, "size": size, "limit": 10**6,
        "members": array("Q", bytes(8 * 40)), "places": array("I", bytes(4 * 40)),
        "bits": array("Q", [0] * (32 if by_bits else 0)),
        "member_values": array("d", bytes(8 * 40)), "lists": array(code, bytes(array(code).itemsize * room)),
        "list_values": array("d", bytes(8 * room)), "ends": array("q", bytes(8 * 84)),
        "out_indptr": array("q", bytes(8 * (len(rows) + 1))), "out": array(code, bytes(array(code).itemsize * room)),
        "out_values": array("d", bytes(8 * room)), "state": array("q", [0, 0]),
    } | changes  # fmt: skip


def expanded(arguments: dict[str, Any]) -> int:
    values = [*arguments.values()]
    try:
        rows, expansion = RowBatch(*values[:4]), kernel.Expansion(*values[4:7])
        expansion.take_space(*values[7:12])
    except AssertionError:
        return kernel.CAPACITY
    expansion.take_room(*values[12:19])
    return kernel.expand(expansion, rows, NewRows(*values[19:22]), values[22])


def made(arguments: dict[str, Any]) -> list[list[int]]:
    ends, keys = arguments["out_indptr"], arguments["out"]
    return [keys[ends[r] : ends[r + 1]].tolist() for r in range(arguments["state"][kernel.ROW])]


@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_ranks_are_every_number_once(k: int, factor: int) -> None:
    n = 5
    found = [
        rank(tuple((j, signs >> i & 1) for i, j in enumerate(numbers)), k, factor)
        for size in range(1, k + 1)
        for numbers in combinations(range(n), size)
        for signs in range(factor**size)
    ]
    assert sorted(found) == list(range(total(n, k, factor)))


@given(
    st.lists(st.lists(st.integers(0, 11), unique=True, max_size=7), max_size=5),
    st.integers(1, 4),
    st.sampled_from([0, 12]),
    st.sampled_from("IQ"),
    st.integers(0, 1),
    st.booleans(),
)
def test_rows_are_those_of_the_formula(
    rows: list[list[int]], k: int, size: int, code: str, base: int, by_bits: bool
) -> None:
    k = min(k, 3) if size else k
    arguments = call(
        [[2 * j + 1 - base for j in row] for row in rows], k, size=size, code=code, base=base, by_bits=by_bits
    )
    found: list[list[int]] = []
    while len(found) < len(rows):
        status = expanded(arguments)
        part = [
            arguments["out"][a:b].tolist()
            for a, b in zip(arguments["out_indptr"], arguments["out_indptr"][1:], strict=False)
        ][: arguments["state"][kernel.ROW] - len(found)]
        assert status == kernel.OK or (status == kernel.FULL and part)
        found += part
    for row, keys in zip(rows, found, strict=True):
        literals = [(j, 0) for j in row] + [(j, 1) for j in range(size) if j not in row]
        wanted = [
            rank(chosen, k, 2 if size else 1)
            for chosen_size in range(1, k + 1)
            for chosen in combinations(sorted(literals), chosen_size)
        ]
        assert keys == sorted(wanted)
    assert not any(arguments["bits"])


def test_values_are_products_and_new_attributes_are_numbered_from_seen_on() -> None:
    arguments = call([[5, 0, 3, 2]], 2, values=[2.0, 3.0, 5.0, 7.0])
    assert expanded(arguments) == kernel.OK
    # Attributes 2 and 1, and two that have not appeared: 16 (slot 0) and 17 (slot 2).
    own = {1: 5.0, 2: 2.0, 16: 3.0, 17: 7.0}
    wanted = {rank(((j, 0),), 2, 1): own[j] for j in own}
    wanted |= {rank(((i, 0), (j, 0)), 2, 1): own[i] * own[j] for i, j in combinations(sorted(own), 2)}
    assert dict(zip(made(arguments)[0], arguments["out_values"], strict=False)) == wanted


def test_statuses() -> None:
    wide, narrow = [2 * j + 1 for j in range(12)], [1, 3]
    arguments = call([narrow, wide], 2, limit=77)
    assert expanded(arguments) == kernel.LIMIT
    assert arguments["state"].tolist() == [1, 12]
    assert made(arguments) == [[0, 1, 2]]
    assert expanded(call([wide], 2, limit=78)) == kernel.OK
    arguments = call([narrow, wide], 2, known=11)
    assert expanded(arguments) == kernel.FAR
    assert arguments["state"][kernel.ROW] == 1
    arguments = call([narrow, narrow], 2, values=[1.0, 2.0, 1e200, 1e200])
    assert expanded(arguments) == kernel.INFINITE
    assert arguments["state"][kernel.ROW] == 1
    for name in ("out", "members", "places", "lists", "ends", "out_indptr"):
        arguments = call([narrow, narrow], 2)
        arguments[name] = arguments[name][: {"out": 5, "lists": 3, "ends": 5, "out_indptr": 1}.get(name, 1)]
        assert expanded(arguments) == kernel.FULL, name


def test_sums_end_before_two_to_the_63() -> None:
    """Of up to 16 literals there is room for some hundred attributes."""
    sums = array("Q", bytes(8 * 17 * 2000))
    count = kernel.fill_sums(sums, 16, 0, 2)
    assert total(count - 1, 16, 2) < 2**63 <= total(count, 16, 2)
    assert sums[17 * (count - 1) + 16] == total(count - 1, 16, 2)
    half = array("Q", bytes(8 * 17 * 2000))
    part = array("Q", bytes(8 * 17 * 30))
    assert kernel.fill_sums(part, 16, 0, 2) == 30
    half[: 17 * 30] = part
    assert kernel.fill_sums(half, 16, 30, 2) == count
    assert half[: 17 * count] == sums[: 17 * count]


def test_misuse() -> None:
    arguments = call([[1, 3], [5, 7]], 2, values=[1.0, 2.0, 3.0, 4.0])
    for name in ("slots", "values", "indptr", "state"):
        fresh = shortened(arguments, name)
        assert expanded(fresh) == kernel.CAPACITY, name
    for changes in (
        {"last": -1}, {"last": 3}, {"levels": 0}, {"known": -1}, {"known": 34}, {"limit": -1}, {"limit": 1 << 40},
        {"size": 33}, {"size": -1}, {"base": 41}, {"base": 34}, {"size": 1}, {"state": array("q", [-1, 0])},
        {"state": array("q", [3, 0])}, {"list_values": array("d")}, {"numbers": array("I", [0] * 3)},
        {"indptr": array("q", [2, 0, 4])}, {"indptr": array("q", [-1, 2, 4])}, {"out_indptr": array("q")},
    ):  # fmt: skip
        fresh = call([[1, 3], [5, 7]], 2, values=[1.0, 2.0, 3.0, 4.0]) | changes
        assert expanded(fresh) == kernel.CAPACITY, changes
    for levels, first, factor in ((0, 0, 1), (1, -1, 1), (1, 0, 0), (1, 0, 3)):
        assert kernel.fill_sums(array("Q", bytes(32)), levels, first, factor) == -1
