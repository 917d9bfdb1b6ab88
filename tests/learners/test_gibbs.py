"""Gibbs as a learner: it draws by the posterior, exactly; its games replay; its expected mistakes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.learners import Gibbs
from mistakebound.learners.bayes._belief import ConceptBelief, groups_of
from mistakebound.learners.bayes.gibbs import _nth
from mistakebound.teachers import RandomTarget


class Every(Random):
    """Stands for all numbers that can be drawn, one after the other."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number = number
        self.asked = 0

    def randrange(self, stop: int) -> int:  # type: ignore[override]
        self.asked = stop
        return self.number


def test_every_draw_together_is_the_posterior() -> None:
    """Of all whole numbers that may be drawn, each concept gets the share that the posterior gives it."""
    prior = [Fraction(1, 6), Fraction(1, 3), Fraction(0), Fraction(1, 2)]
    groups = groups_of(prior)
    belief = ConceptBelief(groups, {0: 0b1011}, Fraction(1, 4))
    for agree in (0b0110, 0b0011, 0b1010):
        belief = belief.after(agree) or belief
    wrong = [2, 0, None, 2]
    weights = [p * Fraction(1, 3) ** (k or 0) for p, k in zip(prior, wrong, strict=True)]
    first = Every(0)
    belief.draw(first)
    counts = Counter(_nth(*belief.draw(Every(number))) for number in range(first.asked))
    shares = {1 << c: w / sum(weights) for c, w in enumerate(weights) if w}
    assert {one: Fraction(count, first.asked) for one, count in counts.items()} == shares


def test_the_nth_of_a_long_set() -> None:
    draw = Random(5)
    members = draw.getrandbits(5000) | 1 << 5000
    places = [c for c in range(5001) if members >> c & 1]
    for place in (0, 1, 17, len(places) // 2, len(places) - 1):
        assert _nth(members, place) == 1 << places[place]


@pytest.mark.some(2)
@pytest.mark.parametrize("noise", [0.0, 0.25])
@pytest.mark.parametrize("functions", [False, True])
def test_predictions_have_the_probabilities_of_the_votes(noise: float, functions: bool) -> None:
    concepts = mb.concepts.MonotoneDisjunctions(3)
    H: Any = list(concepts) if functions else concepts
    said = 0
    for seed in range(500):
        learner = Gibbs(H, noise, random_state=seed, labels=None if functions else (0, 1))
        learner.learn_one((1, 1, 0), 1)
        said += learner.predict_one((0, 1, 1))
    share = mb.learners.BayesOptimal(H, noise)
    share.learn_one((1, 1, 0), 1)
    expected = share.predict_proba_one((0, 1, 1))[1]
    assert abs(said / 500 - expected) < 4 * (expected * (1 - expected) / 500) ** 0.5
    assert learner.score_one((0, 1, 1)) == share.score_one((0, 1, 1))


def test_a_game_replays_and_its_hypothesis_is_what_it_says() -> None:
    concepts = mb.concepts.Conjunctions(4)
    games = [mb.play(Gibbs(concepts, random_state=s), RandomTarget("x1 & ~x3", n=4, trials=40, seed=2))
             for s in (1, 1, 2)]  # fmt: skip
    assert list(games[0].mistake_trials) == list(games[1].mistake_trials) != list(games[2].mistake_trials)
    learner = Gibbs(concepts, random_state=9)
    for x, label in (((1, 1, 0, 1), 1), ((0, 1, 0, 1), 0)):
        before = learner.hypothesis
        told = before(x)
        assert learner.learn_one(x, label) == told
        assert before(x) == told  # it does not change when the learner goes on
    assert str(learner.hypothesis).endswith(f", drawn from {learner.size}")
    drawn = mb.concepts.parse(str(learner.hypothesis).split(", drawn")[0])
    for x in ((0, 0, 0, 0), (1, 1, 0, 1), (1, 0, 0, 0)):
        assert learner.predict_one(x) == drawn(x)


def test_expected_mistakes_on_a_fixed_sequence() -> None:
    """1 - p <= -ln p: summed over noise-free trials, Gibbs expects at most ln |C| mistakes; here, exactly."""
    concepts = mb.concepts.MonotoneDisjunctions(5, 2)
    for seed in range(5):
        target, draw, data = concepts.sample(seed), Random(seed), []
        expected = Fraction(0)
        for _ in range(15):
            x = tuple(draw.randrange(2) for _ in range(5))
            expected += 1 - Fraction(mb.bayes.posterior(concepts, data=data).predictive(x).get(target(x), 0))
            data.append((x, target(x)))
        assert expected <= log(concepts.count())


def test_several_labels() -> None:
    letters = [lambda x: "abc"[x % 3], lambda x: "abc"[x % 2]]
    counts = Counter(Gibbs(letters, random_state=s).predict_one(2) for s in range(400))
    assert set(counts) == {"a", "c"}
    assert abs(counts["a"] - 200) < 50

    def made(seed: int) -> Any:
        return Gibbs(letters, likelihood=mb.bayes.LabelNoise(0.3, labels="abc"), random_state=seed)

    noisy = Counter(made(s).predict_one(0) for s in range(400))
    assert abs(noisy["a"] - 280) < 50
    assert noisy["b"] + noisy["c"] == 400 - noisy["a"]
