"""The kernels of the calibration table and of the reliability of probabilities against their twins."""

from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.core.calibration import CalibrationTable
from mistakebound.kernels import calibration as kernel
from naive import reliability as naive
from naive.calibration import Table

scores = st.floats(-1e6, 1e6)
rows = st.lists(st.tuples(scores, st.integers(0, 1)), max_size=60)


@settings(max_examples=40)
@given(rows, st.lists(scores, max_size=3), st.integers(0, 60))
def test_counts_and_probabilities_are_the_twins(played, asked, cut) -> None:
    table, twin = CalibrationTable(), Table()
    whole = array("d", [score for score, _ in played]), array("b", [label for _, label in played])
    cut = min(cut, len(played))
    table.count(*whole, 0, cut)
    table.count(*whole, cut, len(played))
    for score, label in played:
        twin.count(score, label)
    assert table.means.tolist() == [twin.mean, twin.rows]
    assert (table.cells[::2].tolist(), table.cells[1::2].tolist()) == (twin.no, twin.yes)
    curve = table.curve.tolist()
    assert curve == sorted(curve)
    assert curve == pytest.approx(twin.curve(), abs=1e-12)
    found = table.probabilities(asked, 0.0).tolist()
    assert found == pytest.approx([twin.probability(score) for score in asked], abs=1e-9)
    assert all(0 < share < 1 for share in found)


@given(rows)
def test_a_saved_table_goes_on(played) -> None:
    table = CalibrationTable()
    for score, label in played:
        table.count(array("d", [score]), array("b", [label]), 0, 1)
    again = CalibrationTable.restore(table.state())
    assert (again.cells, again.means) == (table.cells, table.means)


def test_sums_beyond_the_doubles() -> None:
    table = CalibrationTable()
    table.count(array("d", [math.inf, -math.inf, 1.0]), array("b", [1, 0, 1]), 0, 3)
    assert math.isfinite(table.means[0])
    assert [0 < share < 1 for share in table.probabilities([math.inf, -math.inf, 0.0], 0.0)] == [True] * 3


def test_a_score_that_is_huge_beside_those_counted() -> None:
    table = CalibrationTable()
    table.count(array("d", [1e-20, -1e-20] * 20), array("b", [1, 0] * 20), 0, 40)
    assert table.probabilities([1e300, -math.inf], 0.0).tolist() == [table.curve[-1], table.curve[0]]


def test_the_threshold_is_the_middle() -> None:
    table, moved = CalibrationTable(), CalibrationTable()
    found, labels = array("d", [2.0, -1.0, 0.5]), array("b", [1, 0, 0])
    table.count(found, labels, 0, 3)
    moved.count(array("d", [score + 4 for score in found]), labels, 0, 3, theta=4.0)
    assert moved.state() == table.state()
    assert moved.probabilities([5.0], 4.0) == table.probabilities([1.0], 0.0)


NO_SUMS = bytes(8 * (2 + 3 * kernel.BINS))
weights = st.sampled_from([0.0, 1e-20, 0.1, 0.5, 1.0]) | st.floats(0, 1)


@settings(max_examples=60)
@given(st.data(), st.integers(1, 4), st.integers(0, 20))
def test_reliability_is_the_twins(data, labels, rows) -> None:
    told = []
    for _ in range(rows):
        given_weights = data.draw(st.lists(weights, min_size=labels, max_size=labels).filter(any))
        shares = [weight / math.fsum(given_weights) for weight in given_weights]
        told.append((shares, data.draw(st.integers(0, labels - 1))))
    sums = array("q", NO_SUMS)
    flat, codes = array("d", [share for shares, _ in told for share in shares]), array("i", [code for _, code in told])
    assert kernel.reliability(flat, labels, codes, sums) == kernel.OK
    wanted = naive.sums(told)
    assert sums[2:].tolist() == wanted[2:]
    assert all(abs(found - right) <= rows for found, right in zip(sums[:2], wanted, strict=False))
    if labels == 2:
        alone, twin = array("q", NO_SUMS), naive.sums([((1 - shares[1], shares[1]), code) for shares, code in told])
        assert kernel.pair_reliability(flat[1::2], array("b", codes), alone) == kernel.OK
        assert alone[2:].tolist() == twin[2:]
        assert all(abs(found - right) <= rows for found, right in zip(alone[:2], twin, strict=False))


def test_what_is_no_probability_or_no_label_is_refused() -> None:
    sums, most = array("q", NO_SUMS), kernel.MOST_ROWS + 1
    for share, code in ((math.nan, 0), (math.inf, 0), (0.5, 2), (0.5, -1)):
        assert kernel.reliability(array("d", [0.5, share]), 2, array("i", [code]), sums) == kernel.CAPACITY
    assert kernel.reliability(array("d", [1.0]) * most, 1, array("i", [0]) * most, sums) == kernel.CAPACITY
    for shares, codes in (([0.5, math.nan], [0, 1]), ([0.5] * most, [0] * most)):
        assert kernel.pair_reliability(array("d", shares), array("b", codes), sums) == kernel.CAPACITY
    assert not any(sums)


def test_the_worst_loss_of_the_most_rows_has_no_overflow() -> None:
    assert -math.log(2.0**-52) * kernel.UNIT * kernel.MOST_ROWS < 2**62


def test_misuse() -> None:
    call = {
        "scores": array("d", [1.0, 2.0]), "labels": array("b", [0, 1]), "first": 0, "last": 2, "theta": 0.0,
        "cells": array("q", bytes(16 * kernel.CELLS)), "means": array("d", [0.0, 0.0]),
    }  # fmt: skip
    told = {"shares": array("d", [0.5] * 6), "labels": 3, "codes": array("i", [0, 2]), "sums": array("q", NO_SUMS)}
    must_refuse(kernel.reliability, told, ["shares", "codes", "sums"], kernel.CAPACITY)
    told = {"shares": array("d", [0.5] * 2), "codes": array("b", [0, 1]), "sums": array("q", NO_SUMS)}
    must_refuse(kernel.pair_reliability, told, list(told), kernel.CAPACITY)
    must_refuse(kernel.count, call, ["scores", "labels", "cells", "means"], kernel.CAPACITY)
    assert kernel.count(*(call | {"first": 3}).values()) == kernel.CAPACITY
    assert kernel.probabilities(array("d", [1.0]), 0.0, 1.0, array("d", [0.5]), array("d", [0.0])) == kernel.CAPACITY


@pytest.mark.parametrize(
    "state", [None, [1.0], [-1.0, []], [1.0, [[33, 1, 0]]], [1.0, [[2, 0, 0]]], [1.0, [[2, 1, 0], [2, 0, 1]]]]
)
def test_a_table_that_makes_no_sense(state) -> None:
    with pytest.raises(ValueError, match="calibration"):
        CalibrationTable.restore(state)
