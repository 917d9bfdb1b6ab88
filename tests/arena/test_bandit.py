"""Bandit feedback: the Banditron against its twin, its bound over many seeds, and what it never hears."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.arena import Banditron


def stream(seed: int, count: int, k: int, d: int) -> tuple[list[list[float]], list[int], float]:
    """Points of a random W of length 1, those with a margin of less than 0.1 left out; the margin that they have."""
    draw = np.random.default_rng(seed)
    W = draw.normal(size=(k, d))
    W /= np.linalg.norm(W)
    rows, labels, margin = [], [], 9.0
    while len(rows) < count:
        x = draw.normal(size=d)
        x /= np.linalg.norm(x)
        scores = np.sort(W @ x)
        if scores[-1] - scores[-2] >= 0.1:
            rows.append(x.tolist())
            labels.append(int(np.argmax(W @ x)))
            margin = min(margin, scores[-1] - scores[-2])
    return rows, labels, margin


def test_twin_agrees() -> None:
    """The algorithm of the paper, dense, with the same draws."""
    rows, labels, _ = stream(1, 300, 3, 4)
    learner, W, gamma = Banditron(range(3), gamma=0.3, random_state=7), np.zeros((3, 4)), 0.3
    for t, (x, y) in enumerate(zip(rows, labels, strict=True)):
        best = int(np.argmax(W @ np.array(x)))
        p = np.full(3, gamma / 3)
        p[best] += 1 - gamma
        said = Random(f"7 {t}").choices(range(3), p.tolist())[0]
        assert learner.predict_one(x) == learner.predict_one(x) == said
        learner.hear_one(x, said, said == y)
        W[best] -= x
        if said == y:
            W[said] += np.array(x) / p[said]
    assert np.allclose([[row.get(str(j), 0.0) for j in range(1, 5)] for row in learner.weights], W)


def test_the_expected_bound_holds() -> None:
    rows, labels, margin = stream(2, 400, 3, 3)
    mistakes = []
    for seed in range(10):
        learner = Banditron(range(3), gamma=0.2, random_state=seed)
        ledger = mb.play(learner, list(zip(rows, labels, strict=True)), feedback="bandit", assume={"margin": margin})
        mistakes.append(ledger.mistakes)
        assert ledger.bound is not None
        assert ledger.bound.theorem is not None
        assert ledger.bound.theorem.expected
    assert sum(mistakes) / len(mistakes) <= ledger.bound.value
    assert max(mistakes) < 300  # and it learns: two of three would be wrong by guessing


class Nosy:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def predict_one(self, x: Any) -> int:
        return 0

    def hear_one(self, x: Any, prediction: int, right: bool) -> None:
        self.heard.append((prediction, right))


def test_only_right_or_wrong_is_told() -> None:
    learner = Nosy()
    ledger = mb.play(learner, [([1], 0), ([1], 2), ([0], 1)], feedback="bandit")
    assert learner.heard == [(0, True), (0, False), (0, False)]
    assert (ledger.trials, ledger.mistakes) == (3, 2)


def test_what_is_refused() -> None:
    with pytest.raises(mb.BadParameter, match=r"^feedback='bandit' needs a learner with hear_one"):
        mb.play(mb.Winnow1(n=2), [([1, 0], 1)], feedback="bandit")
    with pytest.raises(mb.BadParameter, match=r"^feedback must be 'label' or 'bandit': 'none'$"):
        mb.play(mb.Winnow1(n=2), [([1, 0], 1)], feedback="none")
    with pytest.raises(mb.BadParameter, match="classes must be two labels at least"):
        Banditron("a")
    with pytest.raises(mb.BadParameter, match="gamma must be a number > 0 and <= 1: 0"):
        Banditron("ab", gamma=0)
    with pytest.raises(mb.BadData, match="an instance must be"):
        Banditron("ab").predict_one("text")
    eager = Banditron("ab", gamma=0.9)
    eager.learn_one([1], "a")
    assert "gamma <= 1/2 fails (gamma = 0.9)" in str(eager.bound(margin=0.1).failed)
