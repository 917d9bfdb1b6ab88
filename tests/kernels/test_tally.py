"""Counting for the ledger."""

from __future__ import annotations

from array import array
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import tally as kernel


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=40), st.integers(0, 10), st.integers(1, 10**12)
)
def test_counts(played: list[tuple[int, int]], first: int, trial: int) -> None:
    first = min(first, len(played))
    labels, predictions = array("b", [y for y, _ in played]), array("b", [p for _, p in played])
    counts, mistakes = array("q", [5, 5, 5, 5]), array("q", [0] * len(played))
    wrong = kernel.tally(labels, predictions, first, len(played), trial, counts, mistakes)
    part = played[first:]
    assert counts.tolist() == [5 + part.count(pair) for pair in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert mistakes[:wrong].tolist() == [trial + r for r, (y, p) in enumerate(part) if y != p]


def test_tokens() -> None:
    out = array("b", bytes(4))
    assert kernel.translate(array("i", [1, -1, 0, 1]), array("b", [1, 0]), 4, out) == 0
    assert out.tolist() == [0, -1, 1, 0]
    assert kernel.translate(array("i", [2]), array("b", [1, 0]), 1, out) == -1


codes_of_many = st.sampled_from([0, 1, 126, 127, 128, 300, 65_534])


@given(st.lists(st.tuples(codes_of_many, st.one_of(codes_of_many, st.integers(-2, -1))), max_size=40))
def test_counts_of_many(played: list[tuple[int, int]]) -> None:
    labels, predictions = array("i", [y for y, _ in played]), array("i", [p for _, p in played])
    size = len(played)
    right, mistakes, pairs = array("q", bytes(8 * 65_535)), array("q", bytes(8 * size)), array("q", bytes(8 * size))
    wrong = kernel.tally_many(labels, predictions, 0, size, 7, right, mistakes, pairs)
    assert mistakes[:wrong].tolist() == [7 + r for r, (y, p) in enumerate(played) if y != p >= 0]
    assert {code: count for code, count in enumerate(right) if count} == Counter(y for y, p in played if y == p)
    others = [(y, max(p, -1)) for y, p in played if y != p]
    assert [divmod(pair, kernel.PAIR) for pair in pairs[: len(others)]] == [(y, p + 1) for y, p in others]
    assert sum(right) + len(others) == size


def test_tokens_of_many() -> None:
    out = array("i", bytes(16))
    assert kernel.translate_many(array("i", [1, -1, 0, 1]), array("i", [65_534, 300]), 4, out) == 0
    assert out.tolist() == [300, -1, 65_534, 300]
    assert kernel.translate_many(array("i", [2]), array("i", [1, 0]), 1, out) == -1


def test_misuse_of_many() -> None:
    call = {
        "labels": array("i", [0, 1]), "predictions": array("i", [1, 1]), "first": 0, "last": 2, "trial": 1,
        "right": array("q", [0] * 2), "mistakes": array("q", [0] * 2), "pairs": array("q", [0] * 2),
    }  # fmt: skip
    must_refuse(kernel.tally_many, call, ["labels", "predictions", "mistakes", "pairs"], -1)
    strange = (
        {"right": array("q", [0])},
        {"predictions": array("i", [kernel.PAIR - 1, 1])},
        {"labels": array("i", [0, -1])},
    )
    for changes in ({"first": -1}, {"first": 2, "last": 1}, *strange):
        assert kernel.tally_many(*(call | changes).values()) == -1
    tokens = {"tokens": array("i", [0, 0]), "codes": array("i", [1]), "rows": 2, "out": array("i", [0, 0])}
    must_refuse(kernel.translate_many, tokens, ["tokens", "out", "codes"], -1)


def test_misuse() -> None:
    call = {
        "labels": array("b", [0, 1]), "predictions": array("b", [1, 1]), "first": 0, "last": 2, "trial": 1,
        "counts": array("q", [0] * 4), "mistakes": array("q", [0] * 2),
    }  # fmt: skip
    must_refuse(kernel.tally, call, ["labels", "predictions", "counts", "mistakes"], -1)
    for changes in ({"first": -1}, {"first": 2, "last": 1}):
        assert kernel.tally(*(call | changes).values()) == -1
    tokens = {"tokens": array("i", [0, 0]), "codes": array("b", [1]), "rows": 2, "out": array("b", [0, 0])}
    must_refuse(kernel.translate, tokens, ["tokens", "out", "codes"], -1)
