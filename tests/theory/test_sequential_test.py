"""A sequential test is wrong no more often than it says, worked out exactly; and parts of an error never exceed it."""

from __future__ import annotations

import pytest

from mistakebound.core.errors import BadParameter
from mistakebound.theory.sequential_test import SequentialTest, spent


def wrong_rate(test: SequentialTest, failing: float, error: float, wrong: bool) -> float:
    """The probability of the wrong decision when each run fails with probability `failing`, over at most 400 runs."""
    open_ends, rate = {0: 1.0}, 0.0  # fails so far -> probability
    for run in range(1, 400):
        following: dict[int, float] = {}
        for fails, mass in open_ends.items():
            for more, share in ((1, failing), (0, 1 - failing)):
                decision = test.decision(fails + more, run - fails - more, error)
                if decision is None:
                    following[fails + more] = following.get(fails + more, 0.0) + mass * share
                elif decision is wrong:
                    rate += mass * share
        open_ends = following
    assert sum(open_ends.values()) < 1e-3
    return rate


@pytest.mark.parametrize(("false_alarms", "misses"), [(0.1, 0.1), (0.02, 0.6), (0.3, 0.4), (0.5, 0.05)])
@pytest.mark.parametrize("error", [0.2, 0.05, 0.001])
def test_wrong_decisions_are_as_rare_as_stated(false_alarms: float, misses: float, error: float) -> None:
    test = SequentialTest(false_alarms, misses)
    for share in (1.0, 0.5):  # of the stated rates: they are limits
        good_called_bad = wrong_rate(test, share * false_alarms, error, wrong=True)
        bad_called_good = wrong_rate(test, 1 - share * misses, error, wrong=False)
        assert good_called_bad <= error
        assert bad_called_good <= error
        if share == 1.0 and error == 0.2:
            assert max(good_called_bad, bad_called_good) > 0.005, "the test is not idle"


def test_needed_is_a_lower_limit_that_is_met() -> None:
    test = SequentialTest(0.1, 0.3)
    for fails in range(4):
        for passes in range(4):
            if test.decision(fails, passes, 0.01) is not None:
                continue
            needed = test.needed(fails, passes, 0.01)
            decided = [
                test.decision(fails + more, passes + steps - more, 0.01) is not None
                for steps in range(1, needed + 1)
                for more in range(steps + 1)
            ]
            assert any(decided)
            assert not any(decided[: sum(range(2, needed + 1))]), "not before"


def test_parts_of_an_error_are_never_more_than_it() -> None:
    parts = [spent(0.01, number, 10) for number in range(5000)]
    assert sum(parts[:10]) == pytest.approx(0.005)
    assert sum(parts) < 0.01
    assert parts == sorted(parts, reverse=True)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ((0.0, 0.1), "false_alarms must be > 0 and < 1: 0.0"),
        ((0.1, 1.0), "misses must be > 0 and < 1: 1.0"),
        ((0.5, 0.5), "false_alarms [+] misses must be < 1: 1.0"),
    ],
)
def test_rates_that_tell_nothing(rates: tuple[float, float], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        SequentialTest(*rates)
