"""The certificate: right at all times at once, for rows that are alike, drift, or answer to what came before."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.certificate import _BETS, AVERAGE_ERROR, certificate, log_wealth
from mistakebound.core.errors import BadParameter
from mistakebound.core.ledger import Ledger

LIMIT = -math.log(0.05)


def wealth_twin(errors: Any, trials: int, mean: Any) -> Any:
    """The logarithm of the mixture, for many streams at once, straight from the formula."""
    bets = np.array([bet for bet, _, _ in _BETS])[:, None]
    shares = np.exp(np.array([share for _, _, share in _BETS]))[:, None]
    with np.errstate(over="ignore"):
        return np.log(np.sum(shares * np.exp(bets * errors - trials * np.log1p(mean * np.expm1(bets))), axis=0))


def alike(chance: Any, errors: Any, sums: Any, t: int) -> Any:
    return np.linspace(0.001, 0.6, len(errors))


def drifting(chance: Any, errors: Any, sums: Any, t: int) -> Any:
    return 0.3 + 0.29 * np.sin(t / np.linspace(3, 300, len(errors)))


def random_walk(chance: Any, errors: Any, sums: Any, t: int) -> Any:
    return chance.random(len(errors)) ** 4


def stops_when_ahead(chance: Any, errors: Any, sums: Any, t: int) -> Any:
    """A fair coin until the errors are far from what was to be expected; then no more chance."""
    ahead = errors - sums
    return np.where(np.abs(ahead) > 0.9 * np.sqrt(t + 1), (ahead < 0).astype(float), 0.5)


def pushes(chance: Any, errors: Any, sums: Any, t: int) -> Any:
    """Rare errors while there are too many of them, frequent ones while there are too few."""
    return np.where(errors > sums, 0.02, 0.6)


@pytest.mark.parametrize("world", [alike, drifting, random_walk, stops_when_ahead, pushes])
@pytest.mark.parametrize(
    ("streams", "trials"), [(250, 250), pytest.param(10_000, 1_000, marks=pytest.mark.long)], ids=["few", "many"]
)
def test_all_intervals_of_a_run_are_right_at_once(world: Any, streams: int, trials: int) -> None:
    """Not in more than 5 % of the streams is one interval wrong, at whatever trial."""
    chance = np.random.default_rng(trials)
    errors, sums, wrong = np.zeros(streams), np.zeros(streams), np.zeros(streams, bool)
    for t in range(trials):
        p = world(chance, errors, sums, t)
        sums += p
        errors += chance.random(streams) < p
        wrong |= wealth_twin(errors, t + 1, np.clip(sums / (t + 1), 0, 1)) >= LIMIT
    assert wrong.mean() <= 0.05
    assert world is not alike or streams < 10_000 or wrong.any()  # the level is not out of reach


def test_the_interval_is_where_the_wealth_is_small() -> None:
    for errors, trials in ((0, 1), (0, 40), (1, 40), (7, 40), (39, 40), (40, 40), (300, 2000), (1, 100_000)):
        found = certificate(errors, trials)
        assert 0 <= found.low <= errors / trials <= found.high <= 1
        for mean in np.linspace(0.0005, 0.9995, 200):
            wealth = wealth_twin(np.array([float(errors)]), trials, mean)[0]
            assert (wealth < LIMIT) == (found.low < mean < found.high), (errors, trials, mean)
            if math.isfinite(wealth) and abs(wealth) < 300:
                assert log_wealth(errors, trials, float(mean)) == pytest.approx(wealth, rel=1e-9, abs=1e-9)


def test_the_bets_are_shares_of_one() -> None:
    assert sum(Fraction(math.exp(share)) for _, _, share in _BETS) == pytest.approx(1, abs=1e-12)
    assert all(gain == math.expm1(bet) for bet, gain, _ in _BETS)


def test_not_much_wider_than_an_interval_for_one_moment() -> None:
    """Within 3.9 standard deviations from a hundred trials to a hundred millions; 1.96 are for one moment only."""
    for errors, trials in ((20, 100), (200, 1000), (4689, 32_561), (10**5, 10**6), (10**7, 10**8)):
        share, found = errors / trials, certificate(errors, trials)
        assert (found.high - found.low) / 2 < 3.9 * math.sqrt(share * (1 - share) / trials)


def test_mirrored_and_nested() -> None:
    for errors, trials in ((0, 10), (3, 10), (20, 700)):
        found, mirrored = certificate(errors, trials), certificate(trials - errors, trials)
        assert mirrored.high == pytest.approx(1 - found.low, abs=1e-3)
        wider = certificate(errors, trials, 0.999)
        assert wider.low <= found.low
        assert wider.high >= found.high


def test_words() -> None:
    assert str(certificate(4689, 32_561)) == "14.4 % ± 0.7 % (95 %)"
    assert str(certificate(0, 100, 0.99)) == "at most 8.4 % (99 %)"
    assert str(certificate(0, 100)) == "at most 6.8 % (95 %)"  # 6.72: no more is said than was proved
    assert str(certificate(1, 1000)) == "0.0 % to 1.1 % (95 %)"
    assert str(certificate(10, 10)) == "49 % to 100 % (95 %)"
    assert repr(certificate(3, 10)) == "Certificate(0.00948 .. 0.8436, level=0.95)"
    assert certificate(0, 0).as_json()["high"] == 1.0
    assert "docs/theorems.md" in AVERAGE_ERROR.source
    assert AVERAGE_ERROR.name in repr(AVERAGE_ERROR)


def test_what_is_said_covers_the_interval() -> None:
    """In either form, whatever is rounded: no more is said than was proved."""
    forms = set()
    for trials in (40, 333, 1000, 32_561, 10**6, 123_456_789):
        for errors in {trials // 2, trials // 3, trials // 7, trials // 10, trials // 20, 3 * trials // 4, trials - 1}:
            found = certificate(errors, trials)
            text = str(found).removesuffix(" (95 %)").replace(" %", "")
            a, b = map(float, text.split(" ± " if "±" in text else " to "))
            low, high = (a - b, a + b) if "±" in text else (a, b)
            forms.add("±" in text)
            assert low <= 100 * found.low + 1e-9, (errors, trials)
            assert 100 * found.high <= high + 1e-9, (errors, trials)
    assert forms == {True, False}


@pytest.mark.parametrize(("errors", "trials", "level"), [(1, 2, 0.0), (1, 2, 1.0), (3, 2, 0.9), (-1, 2, 0.9)])
def test_refused(errors: int, trials: int, level: float) -> None:
    with pytest.raises(BadParameter):
        certificate(errors, trials, level)


def test_in_a_ledger_abstentions_are_errors_and_passes_are_no_new_rows(tmp_path: Any) -> None:
    ledger = Ledger()
    for label, prediction in ((1, 0), (1, None), (1, 1), (0, 0)) * 5:
        ledger.record(label, prediction)
    found = ledger.certificate(0.9)
    assert found is not None
    assert (found.errors, found.trials, found.level) == (10, 20, 0.9)
    X, y = [[1, 0], [0, 1]] * 20, [1, 0] * 20
    twice = mb.learn((np.array(X), y), learner="perceptron", passes=2)
    assert twice.ledger is not None
    assert twice.ledger.passes == 2
    assert twice.ledger.certificate() is None
    twice.save(tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").ledger.certificate() is None
