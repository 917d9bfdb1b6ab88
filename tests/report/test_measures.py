from __future__ import annotations

from array import array
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.report import measures
from mistakebound.report.measures import Measures, RankSums

SCORED = st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4)), max_size=60)


def naive_area(pairs: list[tuple[int, float]]) -> Fraction | None:
    """Every positive against every negative."""
    positives = [score for code, score in pairs if code]
    negatives = [score for code, score in pairs if not code]
    if not positives or not negatives:
        return None
    won = sum(Fraction(1) if p > n else Fraction(1, 2) if p == n else Fraction(0) for p in positives for n in negatives)
    return won / (len(positives) * len(negatives))


@given(SCORED, st.integers(1, 7), st.sampled_from([1, 5, 1 << 16]))
def test_the_area_is_exact_whatever_the_blocks(pairs, size, pending):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "_PENDING", pending)
        ranks = RankSums()
        for at in range(0, len(pairs), size):
            part = pairs[at : at + size]
            ranks.add(array("b", [code for code, _ in part]), array("d", [score / 3 for _, score in part]))
        wanted = naive_area(pairs)
        assert ranks.area() == (None if wanted is None else float(wanted))
        assert ranks.area() == (None if wanted is None else float(wanted))


@given(SCORED, st.integers(1, 7), st.sampled_from([1, 5, 1 << 16]))
def test_streams_are_added(pairs, size, pending):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "_PENDING", pending)
        whole = RankSums()
        for at in range(0, len(pairs), size):
            part, codes, scores = RankSums(), *zip(*pairs[at : at + size], strict=True)
            part.add(array("b", codes), array("d", scores))
            whole.merge(part)
        wanted = naive_area(pairs)
        assert whole.area() == (None if wanted is None else float(wanted))
        kept = [len(keys) for keys, _ in whole._runs]
        assert sum(kept) == len({score for _, score in pairs})


def test_no_more_is_kept_than_twice_the_distinct_scores(monkeypatch):
    monkeypatch.setattr(measures, "_PENDING", 1)
    ranks = RankSums()
    for k in range(300):
        ranks.add(array("b", [k % 2]), array("d", [k * 7 % 100]))
        assert sum(len(keys) for keys, _ in ranks._runs) <= 2 * min(k + 1, 100)


def test_zeros_of_both_signs_tie():
    ranks = RankSums()
    ranks.add(array("b", [0, 1]), array("d", [0.0, -0.0]))
    assert ranks.area() == 0.5


def test_buffers_may_be_used_again():
    ranks = RankSums()
    codes, scores = array("b", [0, 1]), array("d", [1.0, 2.0])
    ranks.add(codes, scores)
    codes[1], scores[1] = 0, -9.0
    assert ranks.area() == 1.0


def test_codes_of_more_rows_than_scores():
    ranks = RankSums()
    ranks.add(array("b", [0, 1]), array("d", [1.0]))
    with pytest.raises(AssertionError, match="do not fit together"):
        ranks.area()


def test_rates_over_nothing_are_none():
    nothing = Measures([0, 0, 0, 0], None)
    assert (nothing.error_rate, nothing.precision, nothing.recall, nothing.f1) == (None, None, None, None)
    assert Measures([3, 0, 1, 0], 0.5).f1 == 0.0
