"""Claims of flaky hunts: what their pairs say is what they claim, and the error is split over all of them."""

from __future__ import annotations

import random
from itertools import combinations
from math import exp

import pytest

from mistakebound.hunting.claims import Claim, Trials, all_sets_claim, culprits_claim, minimal_claim

N = 4
FULL = (1 << N) - 1


def monotone_commands() -> list[frozenset[int]]:
    """The bad sets of every monotone command of four flags that is good with none and bad with all."""
    found = {frozenset({FULL})}
    waiting = list(found)
    while waiting:
        bad = waiting.pop()
        for on in range(1, FULL):
            if on not in bad and all(on | 1 << flag in bad for flag in range(N) if not on >> flag & 1):
                more = bad | {on}
                if more not in found:
                    found.add(more)
                    waiting.append(more)
    return sorted(found, key=sorted)


def claims() -> list[Claim]:
    found = []
    for size in range(1, N + 1):
        for culprits in combinations(range(N), size):
            found += [culprits_claim(kind, culprits, N) for kind in ("any", "all")]
    found.append(all_sets_claim("neither", (0b0001, 0b0110), (0b0011, 0b0101), N))
    found.append(all_sets_claim("neither", (0b0011, 0b0110, 0b0101), (0b0011, 0b0110, 0b0101), N))
    return found


def test_a_claim_is_right_if_and_only_if_all_its_pairs_are() -> None:
    """For every monotone command of two rates: a pair is right if its first set is bad and its second one good."""
    commands = monotone_commands()
    assert len(commands) == 166  # Dedekind's number without the two constants
    for claim in claims():
        for bad in commands:
            is_right = all((on in bad) == claim.is_bad(on) for on in range(FULL + 1))
            assert is_right == all(first in bad and second not in bad for first, second in claim.pairs)


def test_a_wrong_claim_has_a_pair_whose_first_set_does_not_fail_more_often() -> None:
    """Whether it is bad or good, which is what the error of a whole claim rests on."""
    for claim in claims():
        for bad in monotone_commands():
            if any((on in bad) != claim.is_bad(on) for on in range(FULL + 1)):
                assert any((first in bad) <= (second in bad) for first, second in claim.pairs)


def test_a_minimal_claim_is_about_one_flag_less() -> None:
    assert minimal_claim("one", (0b1,)).pairs == ((0b1, 0),)
    claim = minimal_claim("one", (0b111,), lambda on: on & 0b100 and on)
    assert claim.pairs == ((0b111, 0b110), (0b111, 0b101), (0b111, 0))
    assert not claim.complete


def test_runs_from_before_a_claim_do_not_prove_it() -> None:
    trials, claim = Trials(0.01), culprits_claim("any", (0,), N)
    for _ in range(50):
        trials.record(0b1, True)
        trials.record(0b1110, False)
    trials.make(claim, (0, 50), (50, 0))
    assert not trials.is_proved(claim)
    assert trials.counts(claim, 0b1) == (0, 0)


def test_the_error_is_split_over_the_claims() -> None:
    trials = Trials(0.01)
    for flag in range(N):
        trials.make(culprits_claim("any", (flag,), N), (0, 50), (50, 0))
    limits = [trial.limit for trial in trials._trials.values()]
    assert limits == sorted(limits)
    assert sum(2.718281828459045**-limit for limit in limits) < 0.01


@pytest.mark.parametrize("weight", [0.1, 0.7, 1.0])
def test_a_claim_takes_its_weight_of_the_error_that_is_left(weight: float) -> None:
    trials = Trials(0.01)
    many = [culprits_claim("any", (flag,), 40) for flag in range(40)]
    for claim in many:
        trials.make(claim, (0, 50), (50, 0), weight)
    shares = [exp(-trials._trials[claim].limit) for claim in many]
    assert sum(shares) < 0.01
    assert shares[0] == pytest.approx(0.01 * min(weight, 0.9))
    assert shares[1] == pytest.approx((0.01 - shares[0]) * min(weight, 2 / 3))
    assert shares[-1] > 1e-8 or weight < 0.5  # not so small that nothing could be proved


def test_wanted_runs_are_even_and_only_those_of_open_pairs() -> None:
    trials, claim = Trials(0.01), culprits_claim("all", (0, 1), N)
    trials.make(claim, (0, 20), (20, 0))
    assert sorted(trials.wanted(claim, 6)) == sorted([*claim.runs] * 2)
    while not trials.is_proved(claim):
        for on in trials.wanted(claim, 3):
            trials.record(on, claim.is_bad(on))
    assert trials.wanted(claim, 3) == []


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.9])
def test_claims_about_a_command_that_flags_do_not_matter_for(rate: float) -> None:
    """At an error of 0.1, four claims, one after the other: 20 of 200 are allowed on average."""
    draw, wrong = random.Random(f"claims {rate}"), 0
    for _ in range(200):
        trials = Trials(0.1)
        made = [culprits_claim("any", (flag,), N) for flag in range(N)]
        for claim in made:
            trials.make(claim, (7, 3), (9, 1))
            for _ in range(20):
                for on in claim.runs:
                    trials.record(on, draw.random() < rate)
        wrong += any(trials.is_proved(claim) for claim in made)
    assert wrong <= 20 + 3 * 4.3
