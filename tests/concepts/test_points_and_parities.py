"""Intervals of points; parities."""

from __future__ import annotations

import numpy as np
import pytest

from mistakebound.concepts import Between, Disjunction, Intervals, Parity, Singletons, Thresholds, parse
from mistakebound.core.errors import BadParameter


def test_sets_of_points():
    def sets(C):
        finite = C.finite()
        return [tuple(x[0] for x in C.domain() if finite.label(c, finite.position(x))) for c in range(finite.size)]

    assert sets(Thresholds(3)) == [(), (1,), (1, 2), (1, 2, 3)]
    assert sets(Intervals(3)) == [(), (1,), (1, 2), (1, 2, 3), (2,), (2, 3), (3,)]
    assert sets(Singletons(3)) == [(1,), (2,), (3,)]
    assert sets(Singletons(2, empty=True)) == [(), (1,), (2,)]
    assert Thresholds(4).finite([(2,), (3,)]).size == 3
    assert Thresholds(4).finite([(2,), (2.5,)]).size == 3


def test_between():
    f = Between(2, 4.5)
    assert str(f) == "2 <= x1 <= 9/2"
    assert parse(str(f)) == f
    assert parse("-1 <= age <= 3") == Between(-1, 3, "age")
    assert [f([value]) for value in (1.9, 2, 4.5, 4.6)] == [0, 1, 1, 0]
    assert f.evaluate_many(np.array([[1.9], [2], [4.5], [4.6]])).tolist() == [0, 1, 1, 0]
    assert Between(-1, 1, "b").evaluate_many(np.array([[5]])).tolist() == [1]
    assert parse("-x1 >= -2") in Thresholds(4)
    assert parse("x1 >= 2") not in Thresholds(4)
    assert parse("x1 >= 2") in Intervals(4)
    with pytest.raises(BadParameter, match="both ends must be finite numbers"):
        Between(float("nan"), 1)


def test_the_empty_set_of_points_is_readable():
    for C in (Thresholds(3), Intervals(3), Singletons(3, empty=True)):
        first = next(iter(C))
        assert str(first) == "x1 in {}"
        assert parse(str(first)) == first == parse("1 <= x1 <= 0") == parse("x1 IN ∅") == Between(2, 1)
        assert [first([value]) for value in (-1, 0, 1, 2)] == [0, 0, 0, 0]
    assert str(Between(1, 0, "free money")) == "'free money' in {}"
    assert parse("'free money' in { }") == Between(1, 0, "free money")
    assert parse("in in {}") == Between(1, 0, "in")
    assert parse("in | out") == Disjunction(["in", "out"])
    for text, at in (
        ("x1 in", "position 6"),
        ("x1 in {", "position 8"),
        ("x1 in {1}", "position 8"),
        ("x1 in {} x", "pos"),
    ):
        with pytest.raises(BadParameter, match=at):
            parse(text)


def test_a_concept_of_bits_is_no_set_of_points():
    """It is not defined on the points beyond 1: membership says so, it does not fail."""
    assert parse("x1 ^ false") not in Intervals(3)
    assert parse("x1") not in Thresholds(3)
    assert parse("x1") in Thresholds(1)


def test_parity():
    f = Parity(["2", "10", "2", "b"])
    assert str(f) == "x10 ^ b"
    assert parse("x2 ^ x10 ⊕ x2 ^ b") == f
    assert f({"b"}) == 1
    assert f({"b", "10", "2"}) == 0
    assert str(Parity(["4"])) == "x4 ^ false"
    assert str(Parity()) == "false ^ false"
    with pytest.raises(BadParameter, match="attributes must be given as a list"):
        Parity("12")


@pytest.mark.parametrize(
    "C", [Thresholds(1), Thresholds(7), Intervals(1), Intervals(6), Singletons(5), Singletons(4, True)]
)
def test_counts_and_samples_of_points_are_those_of_the_list(C):
    members = list(C)
    assert C.count() == len(members)
    assert [C.member(rank) for rank in range(len(members))] == members


def test_many_points_are_counted_and_drawn_at_once():
    m = 10**30
    assert Thresholds(m).count() == m + 1
    assert Intervals(m).count() == m * (m + 1) // 2 + 1
    assert Singletons(m, empty=True).count() == m + 1
    for C in (Thresholds(m), Intervals(m), Singletons(m)):
        f = C.sample(1)
        assert f == C.sample(1) != C.sample(2)
        assert 1 <= f.low <= f.high <= m
