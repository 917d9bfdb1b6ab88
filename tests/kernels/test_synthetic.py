"""The generator of streams against a plain one."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.kernels.synthetic import CAPACITY, RowSource, write_rows

MASK = 2**64 - 1


def splitmix64(state: int) -> Iterator[int]:
    """Steele, Lea and Flood 2014, as in the reference C code by Vigna."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def plain_rows(n: int, active: int, relevant: list[int], rows: int, seed: int) -> bytes:
    random = splitmix64(seed)
    out = b""
    for _ in range(rows):
        ids = {1 + next(random) % n for _ in range(active)}
        if next(random) >> 63:
            ids.add(relevant[next(random) % len(relevant)])
            out += b"pos"
        else:
            ids -= set(relevant)
            out += b"neg!"
        out += b"".join(b" %d:1" % key for key in sorted(ids)) + b"\n"
    return out


def generated(n: int, active: int, relevant: list[int], rows: int, seed: int) -> tuple[int, bytes, int]:
    random, out = array("Q", [seed]), bytearray(rows * (4 + 22 * (active + 1) + 1))
    size = write_rows(RowSource(n, active, array("Q", relevant), b"neg!", b"pos", random), rows, out)
    return size, bytes(out[:size]), random[0]


def test_the_reference_sequence() -> None:
    assert next(splitmix64(1234567)) == 6457827717110365317


@given(
    st.one_of(st.integers(1, 40), st.integers(1, 2**63 - 1)),
    st.integers(0, 40),
    st.sets(st.integers(1, 40), min_size=1, max_size=6),
    st.integers(0, 5),
    st.integers(0, MASK),
)
def test_agrees_with_the_plain_generator(n: int, active: int, relevant: set[int], rows: int, seed: int) -> None:
    size, text, _ = generated(n, active, sorted(relevant), rows, seed)
    assert text == plain_rows(n, active, sorted(relevant), rows, seed)
    assert size == len(text)


def test_the_state_goes_on_where_it_stopped() -> None:
    _, both, _ = generated(100, 10, [3, 5], 8, 42)
    _, first, state = generated(100, 10, [3, 5], 3, 42)
    _, rest, _ = generated(100, 10, [3, 5], 5, state)
    assert first + rest == both


def test_buffers_that_do_not_fit_are_refused() -> None:
    relevant, random = array("Q", [2]), array("Q", [0])
    for n, active, ids, state in ((0, 3, relevant, random), (9, -1, relevant, random), (9, 3, relevant[:0], random)):
        with pytest.raises(AssertionError):
            RowSource(n, active, ids, b"0", b"1", state)
    with pytest.raises(AssertionError):
        RowSource(9, 3, relevant, b"0", b"1", random[:0])
    source = RowSource(9, 3, relevant, b"0", b"1", random)
    assert write_rows(source, 1, bytearray(89)) == write_rows(source, -1, bytearray(90)) == CAPACITY
    assert write_rows(source, 1, bytearray(90)) > 0
