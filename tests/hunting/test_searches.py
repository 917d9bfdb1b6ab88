"""The stages of a hunt: every set of culprits is found, reductions are minimal, contradictions are found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mistakebound.hunting.minimal_sets import MinimalSets
from mistakebound.hunting.reduction import Proof, Structure, reduction
from mistakebound.hunting.search import FirstSearch, Search
from mistakebound.hunting.state import Stage, bits_of, numbers_of
from mistakebound.hunting.verdict import contradiction
from mistakebound.theory.group_testing import CulpritPrior
from naive import group_testing as naive
from naive import monotone

Oracle = Callable[[int], bool | None]


def target(kind: str, culprits: int) -> Callable[[int], bool]:
    if kind == "any":
        return lambda on: bool(on & culprits)
    return lambda on: on & culprits == culprits


def played(stage: Stage, oracle: Oracle) -> tuple[Stage, list[tuple[int, bool | None]]]:
    asked = []
    while (question := stage.question) is not None:
        answer = oracle(question.on)
        asked.append((question.on, answer))
        stage = stage.after(answer)
        assert len(asked) < 1000
    return stage, asked


@pytest.mark.parametrize("n", [1, 2, 5, 7])
@pytest.mark.parametrize("kind", ["any", "all"])
@pytest.mark.parametrize("how", ["known", "unknown", "auto"])
def test_every_set_of_culprits_is_found_without_asking_twice(n: int, kind: str, how: str) -> None:
    unknown = CulpritPrior(n)
    for culprits in range(1, 1 << n):
        prior = CulpritPrior(n, culprits.bit_count()) if how == "known" else unknown
        stage: Stage = FirstSearch(prior) if how == "auto" else Search(prior, kind)
        found, asked = played(stage, target(kind, culprits))
        assert isinstance(found, Search)
        assert bits_of(found.found, n) == culprits
        assert found.kind == kind or culprits.bit_count() == 1
        sets = [on for on, _ in asked]
        assert len(set(sets)) == len(sets)


@pytest.mark.parametrize("kind", ["any", "all"])
def test_chances_are_those_of_a_list_of_all_sets(kind: str) -> None:
    """The chance that goes with each question is right: the stage knows no less than all answers say."""
    n = 6
    for culprits in (0b000001, 0b100000, 0b010100, 0b101101):
        stage, possible = Search(CulpritPrior(n), kind), naive.weights(n)
        while (question := stage.question) is not None:
            bad = {c: target(kind, bits_of(c, n))(question.on) for c in possible}
            assert question.chance == pytest.approx(sum(w for c, w in possible.items() if bad[c]))
            answer = target(kind, culprits)(question.on)
            possible = naive.left_by(possible, lambda c, bad=bad, answer=answer: bad[c] == answer)
            stage = stage.after(answer)
        assert [bits_of(c, n) for c in possible] == [culprits]


@pytest.mark.parametrize("kind", ["any", "all"])
def test_what_cannot_be_told_is_asked_otherwise(kind: str) -> None:
    """Sets of some sizes cannot be told; what is found is right all the same, or it is said that it is stuck."""
    n, stuck = 7, 0
    prior = CulpritPrior(n)
    for untold, culprits in product((2, 3, 5), range(1, 1 << n)):
        oracle = target(kind, culprits)
        for first in (Search(prior, kind), FirstSearch(prior)):
            stage, _ = played(first, lambda on, o=oracle, u=untold: None if on.bit_count() == u else o(on))
            if getattr(stage, "stuck", False):
                stuck += 1
                continue
            assert isinstance(stage, Search)
            found = bits_of(stage.found, n)
            if stage.kind == kind or culprits.bit_count() == 1:
                assert found == culprits
            else:  # not even the kind could be told: what that leads to is for the verification
                stuck += 1
    assert stuck < 0.1 * 6 * (1 << n), "most can be told by other sets"


@given(st.integers(1, 12), st.booleans(), st.data())
def test_a_reduction_finds_a_set_from_which_nothing_can_be_taken(n: int, blocks: bool, data: st.DataObject) -> None:
    """For any command that is bad with all on and not with all off, monotone or not, with blocks or without."""
    bad = data.draw(st.sets(st.integers(1, (1 << n) - 1), max_size=30), "bad") | {(1 << n) - 1}
    untold = data.draw(st.sets(st.integers(0, (1 << n) - 1), max_size=10), "untold") - bad
    parents = [data.draw(st.integers(-1, number - 1), "parent") for number in range(n)] if blocks else []
    first = reduction((1 << n) - 1, n, Structure(parents))
    stage, asked = played(first, lambda on: None if on in untold else on in bad)
    assert isinstance(stage, Proof)
    failing = bits_of(stage.failing, n)
    assert failing in bad
    answers = dict(asked)
    for flag in stage.failing:
        without = failing ^ (1 << flag)
        assert without == 0 or not answers[without]


@given(st.integers(2, 12), st.data())
def test_a_reduction_runs_no_set_that_lacks_what_its_flags_need(n: int, data: st.DataObject) -> None:
    needs = {flag: data.draw(st.integers(0, (1 << flag) - 1), "needs") for flag in range(n)}
    culprits = data.draw(st.integers(1, (1 << n) - 1), "culprits")
    stage, asked = played(reduction((1 << n) - 1, n, Structure(needs=needs)), lambda on: on & culprits == culprits)
    assert isinstance(stage, Proof)
    for on, _ in asked:
        assert all(needs[flag] & ~on == 0 for flag in numbers_of(on))
    expected = culprits
    for flag in reversed(range(n)):
        if expected >> flag & 1:
            expected |= needs[flag]
    assert bits_of(stage.failing, n) == expected


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_all_minimal_sets_of_every_monotone_command(n: int) -> None:
    for number, family in enumerate(monotone.antichains(n)):
        stage, _ = played(MinimalSets(reduction((1 << n) - 1, n), n, True), monotone.fails_with(family))
        assert isinstance(stage, MinimalSets)
        assert stage.complete
        assert sorted(stage.sets) == sorted(family), number


@given(st.sampled_from(["any", "all"]), st.integers(1, 4), st.data())
def test_a_contradiction_is_found_if_and_only_if_nothing_fits(kind: str, n: int, data: st.DataObject) -> None:
    answers = list(data.draw(st.dictionaries(st.integers(0, (1 << n) - 1), st.booleans()), "answers").items())
    found = contradiction(kind, answers, n)
    assert bool(found) == (not monotone.fits(kind, answers, n))
    assert set(found) <= set(answers)
    for spared in found:
        assert monotone.fits(kind, [answer for answer in found if answer != spared], n), "all of them are needed"


@given(st.integers(1, 4), st.data())
def test_two_runs_contradict_each_other_if_a_bad_set_lies_in_a_good_one(n: int, data: st.DataObject) -> None:
    answers = list(data.draw(st.dictionaries(st.integers(0, (1 << n) - 1), st.booleans()), "answers").items())
    expected = any(bad and not worse and on | over == over for (on, bad), (over, worse) in product(answers, answers))
    found = contradiction("monotone", answers, n)
    assert bool(found) == expected
    if found:
        (on, bad), (over, worse) = found
        assert (bad, worse, on | over) == (True, False, over)


def test_bits_and_numbers() -> None:
    for size in range(4):
        for chosen in combinations(range(10), size):
            assert numbers_of(bits_of(chosen, 10)) == list(chosen)
    assert bits_of(range(3, 7), 10) == bits_of((3, 4, 5, 6), 10) == bits_of(range(6, 2, -1), 10)
    assert bits_of(range(3, 3), 10) == 0
