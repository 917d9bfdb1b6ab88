"""Hunts that are told a wrong number of culprits, and commands that often cannot tell: no crash, no false claim."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import mistakebound as mb
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.minimal_sets import MOST_SETS
from mistakebound.hunting.search import FirstSearch
from mistakebound.theory.group_testing import culprit_prior

FLAGS = [f"f{i}" for i in range(8)]


def command(terms: list[set[str]]) -> Callable[[frozenset[str]], bool]:
    return lambda on: any(term <= on for term in terms)


@pytest.mark.some(8)
@pytest.mark.parametrize("kind", ["auto", "any", "all"])
@pytest.mark.parametrize("k", range(1, 9))
def test_every_wrong_number_of_culprits_is_survived(k: int, kind: str) -> None:
    for names in (FLAGS[:1], FLAGS[3:4], FLAGS[7:], FLAGS[2:5], FLAGS[:6], FLAGS):
        for terms in ([{name} for name in names], [set(names)]):
            for jobs in (1, 3) if k > 5 else (1,):
                found = mb.hunt(command(terms), FLAGS, kind, k=k, jobs=jobs)
                assert found.culprits == tuple(names)
                assert (k == len(names)) == (not found.notes)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_planning_ahead_comes_to_an_end_when_there_is_little_to_run(n: int) -> None:
    """With more jobs than sets, a number of culprits that may turn out wrong must not be searched for ever."""
    for k in range(1, n + 1):
        found = mb.hunt(command([{"f0"}]), FLAGS[:n], "all", k=k, jobs=9)
        assert found.culprits == ("f0",)


def test_many_culprits_of_a_known_number() -> None:
    """A quotient of weights that no double holds."""
    stage = FirstSearch(culprit_prior(2000, 400), good=1589, bad=1590)
    assert stage.question.chance < 1e-300


def test_nothing_is_claimed_that_could_not_be_told() -> None:
    """Commands of several failing sets, some of whose runs cannot be told."""
    draw = random.Random(11)
    seen: dict[str, int] = {}
    for _ in range(250):
        flags = FLAGS[: draw.randrange(3, 6)]
        terms = [set(draw.sample(flags, draw.randrange(1, len(flags)))) for _ in range(draw.randrange(1, 4))]
        bad = command(terms)
        untold = {frozenset(name for name in flags if draw.random() < 0.5) for _ in range(draw.randrange(8))}
        untold -= {frozenset(), frozenset(flags)}
        found = mb.hunt(lambda on, bad=bad, untold=untold: None if on in untold else bad(on), flags)
        minimal = {frozenset(term) for term in terms if not any(other < term for other in terms)}
        if found.complete:
            assert set(found.sets) == minimal
        if found.verdict.kind == "confirmed":
            assert found.complete
        elif found.verdict.kind == "unverified":
            assert "had no clear answer" in str(found.verdict)
        elif found.kind == "one":
            (failing,) = found.sets
            assert bad(failing)
            assert not any(failing - {name} not in untold and bad(failing - {name}) for name in failing)
        seen[found.verdict.kind] = seen.get(found.verdict.kind, 0) + 1
    assert set(seen) == {"confirmed", "unverified", "neither", "cannot tell", "minimal"}


def test_a_run_that_ends_after_its_set_is_decided_changes_nothing() -> None:
    """With several jobs repeats are under way when there are enough."""
    decisions = Decisions(4, 0.9, 0.1, 0.1)
    while not decisions.settled(3):
        decisions.record(3, True)
    for late in (None, False, False, False, False, False, False, False, False):
        decisions.record(3, late)
        assert decisions.answer(3) is True


def test_many_minimal_failing_sets_are_not_all_looked_for() -> None:
    found = mb.hunt(lambda on: len(on) >= 2, FLAGS)
    assert (found.kind, len(found.sets), found.complete) == ("neither", MOST_SETS, False)
    assert all(len(failing) == 2 for failing in found.sets)
