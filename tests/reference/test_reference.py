"""Ledgers and predictions are those that were kept before names and layout changed."""

from __future__ import annotations

import json

import pytest

from reference.cases import KEPT, Case, cases, play

RESULTS = json.loads(KEPT.read_text())
EVERY = list(cases())


def drawn(every: list[Case]) -> list[object]:
    """One case in three of each learner is played in short runs: each option stands there with a third of them."""
    places: dict[str, int] = {}
    found: list[object] = []
    for case in every:
        learner = case.name.partition(", ")[0]
        place = places[learner] = places.get(learner, len(places) - 1) + 1
        found.append(pytest.param(case, id=case.name, marks=[pytest.mark.long] * (place % 3 != 0)))
    return found


def test_every_case_is_kept_and_every_kept_one_is_a_case() -> None:
    assert [case.name for case in EVERY] == list(RESULTS)


@pytest.mark.parametrize("case", drawn(EVERY))
def test_as_it_was(case: Case) -> None:
    assert play(case) == RESULTS[case.name]
