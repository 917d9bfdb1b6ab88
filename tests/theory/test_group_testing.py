"""The three numbers that describe what is possible give the same chances and bits as a list of all sets."""

from __future__ import annotations

from math import exp, fsum, inf, lgamma, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.theory.group_testing import CulpritPrior, FirstCulprit, log2_choose, most_open
from naive import group_testing as naive


@given(st.data())
def test_chances_and_bits_are_those_of_a_list_of_all_sets(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 9), "n")
    k = data.draw(st.none() | st.integers(1, n), "k")
    prior, possible = CulpritPrior(n, k), naive.weights(n, k)
    found = place = dirty = 0
    truth = data.draw(st.sampled_from(sorted(possible, key=sorted)), "truth")
    while place < n and not (dirty == 1 or (not found and place == n - 1)):
        left = n - place
        assert prior.bits(found, left, dirty) == pytest.approx(naive.entropy(possible.values()), abs=1e-9)
        for size in range(1, (dirty or left) + 1):
            expected = naive.hit(possible, range(place, place + size))
            assert prior.hit(found, left, dirty, size) == pytest.approx(expected, abs=1e-9)
        if k is not None and (found == k or left == k - found):
            break
        size, chance = prior.best_size(found, left, dirty)
        chances = [naive.hit(possible, range(place, place + s)) for s in range(1, dirty or left + 1)]
        assert abs(chance - 0.5) == pytest.approx(min(abs(c - 0.5) for c in chances), abs=1e-9)
        tested = frozenset(range(place, place + size))
        is_hit = bool(tested & truth)
        possible = naive.left_by(possible, lambda c, t=tested, h=is_hit: bool(c & t) == h)
        if not is_hit:
            place, dirty = place + size, max(0, dirty - size)
        elif size == 1:
            place, found, dirty = place + 1, found + 1, 0
        else:
            dirty = size


@pytest.mark.parametrize("n", [2, 5, 8])
def test_both_kinds_at_once(n: int) -> None:
    """bad(end) as a function of how many flags are on, over all disjunctions and conjunctions."""
    first, listed = FirstCulprit(CulpritPrior(n)), naive.weights(n)
    places: dict[tuple[str, frozenset[int]], int] = {}
    for culprits in listed:
        places["any", culprits] = min(culprits) + 1
        places["all", culprits] = max(culprits) + 1
    for good in range(n):
        for bad in range(good + 2, n + 1):
            here = {key: listed[key[1]] for key, place in places.items() if good < place <= bad}
            total = fsum(here.values())
            chances = {
                end: fsum(w for key, w in here.items() if places[key] <= end) / total for end in range(good + 1, bad)
            }
            end, chance = first.best_end(good, bad)
            assert chance == pytest.approx(chances[end])
            assert abs(chance - 0.5) == pytest.approx(min(abs(c - 0.5) for c in chances.values()))
            functions: dict[object, float] = {}
            for (kind, culprits), weight in here.items():
                key = culprits if len(culprits) == 1 else (kind, culprits)  # one culprit: the same function
                functions[key] = functions.get(key, 0.0) + weight / total
            assert first.bits(good, bad) == pytest.approx(naive.entropy(functions.values()))


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (0, 3000),
        (0, 2999),
        (0, 1000),
        (1, 2999),
        (1, 300),
        (2, 2990),
        (40, 2950),
        (40, 2000),
        (1500, 1500),
        (1500, 900),
    ],
)
def test_sums_that_are_cut_short_are_whole(found: int, left: int) -> None:
    """Every part of both sums, one by one."""
    n = 3000

    def log_choose(n: int, k: int) -> float:
        return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)

    def log_weight(left: int) -> float:
        parts = [
            log_choose(left, j) - log_choose(n, found + j) - 2 * log(found + j) for j in range(found == 0, left + 1)
        ]
        largest = max(parts)
        return largest + log(fsum(exp(part - largest) for part in parts))

    prior = CulpritPrior(n)
    smaller = left // 2
    expected = log_weight(left) - log_weight(smaller)
    assert prior.log_weight(found, left) - prior.log_weight(found, smaller) == pytest.approx(expected, rel=1e-9)


def test_many_culprits_among_many_flags_do_not_underflow() -> None:
    prior = CulpritPrior(10_000)
    assert prior.log_weight(3000, 5000) > -inf
    assert 0 < prior.hit(3000, 5000, 0, 1) < 1
    assert prior.bits(3000, 5000, 0) > 1000


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40).map(sorted), st.integers(1, 5))
def test_most_open_looks_at_all_numbers(chances: list[float], least: int) -> None:
    found, chance = most_open(least, least + len(chances) - 1, lambda number: chances[number - least])
    assert chance == chances[found - least]
    assert abs(chance - 0.5) == min(abs(c - 0.5) for c in chances)


def test_bits_of_a_set() -> None:
    assert log2_choose(16, 1) == 4
    assert log2_choose(10, 3) == pytest.approx(6.906890595608519)  # log2 120
    assert log2_choose(10, 10) == 0
