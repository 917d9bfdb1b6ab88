"""Ledgers and predictions are those that were kept before names and layout changed."""

from __future__ import annotations

import json

import pytest

from reference.cases import KEPT, Case, cases, play

RESULTS = json.loads(KEPT.read_text())
EVERY = list(cases())


def test_every_case_is_kept_and_every_kept_one_is_a_case() -> None:
    assert [case.name for case in EVERY] == list(RESULTS)


@pytest.mark.parametrize("case", EVERY, ids=[case.name for case in EVERY])
def test_as_it_was(case: Case) -> None:
    assert play(case) == RESULTS[case.name]
