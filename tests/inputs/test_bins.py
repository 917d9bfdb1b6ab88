"""Where numbers are cut, and what the bins are called."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.core.errors import BadParameter
from mistakebound.io.bins import bin_names, check_bins, cut_points
from naive import table_reader

values = st.one_of(st.integers(-5, 5).map(float), st.floats(allow_nan=False, allow_infinity=False), st.just(-0.0))


@given(st.lists(values, min_size=1, max_size=30), st.integers(2, 12))
def test_cuts_are_quantiles(numbers: list[float], bins: int) -> None:
    cuts = cut_points(numbers, bins)
    assert cuts == table_reader.cuts(numbers, bins)
    assert cuts == cut_points(numbers[::-1], bins)
    assert 1 <= len(cuts) < bins
    assert all(low < high for low, high in pairwise(cuts))
    for low, high in pairwise(cuts):
        assert any(low < number <= high for number in numbers)  # no bin is empty
    check_bins(cuts, "x")
    assert len(set(bin_names("x", cuts))) == len(cuts) + 1


def test_runs_are_equal_where_nothing_ties() -> None:
    cuts = cut_points(range(1000), 4)
    assert cuts == [249.0, 499.0, 749.0]
    assert cut_points([], 3) == []


def test_names() -> None:
    assert bin_names("x", [0.0]) == ["x<=0", "x>0"]
    assert bin_names("x", [-1.5, 1e-7, 1e300]) == [
        "x<=-1.5",
        "x in (-1.5,1e-07]",
        "x in (1e-07,1e+300]",
        "x>1e+300",
    ]


@pytest.mark.parametrize(
    ("bins", "column", "message"),
    [
        (1, "", "bins must be >= 2 and <= 1000: 1"),
        (1001, "", "bins must be >= 2 and <= 1000: 1001"),
        (0, "a", "bins of column 'a' must be >= 2 and <= 1000: 0"),
        (True, "", "bins must be a number, or one for each of some columns: True"),
        ([1.0], "", "bins must be a number, or one for each of some columns: [1.0]"),
        ("3", "a", "bins of column 'a' must be a number of bins or a list of ascending cuts: '3'"),
        ([], "a", "bins of column 'a' must be a number of bins or a list of ascending cuts: []"),
        ([1, 1], "a", "bins of column 'a' must be a number of bins or a list of ascending cuts: [1, 1]"),
        ([1, "2"], "a", "bins of column 'a' must be a number of bins or a list of ascending cuts: [1, '2']"),
        ([float("nan")], "a", "bins of column 'a' must be a number of bins or a list of ascending cuts: [nan]"),
    ],
)
def test_what_cannot_be_bins(bins: Any, column: str, message: str) -> None:
    with pytest.raises(BadParameter) as e:
        check_bins(bins, column)
    assert str(e.value) == message
