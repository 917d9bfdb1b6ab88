"""Seeded random targets: the labels are the target's, the density is what was asked for, the seed is all."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.concepts import parse


def trials(teacher: mb.teachers.RandomTarget) -> list[tuple[frozenset[str], int]]:
    found = []
    while (trial := teacher.next_trial()) is not None:
        found.append((trial.x, teacher.label(trial, None)))
    return found


def test_labels_density_and_seed() -> None:
    played = trials(mb.teachers.RandomTarget("x3 | x17", n=50, trials=2000, density=0.2, seed=7))
    assert len(played) == 2000
    assert all(label == ("3" in x or "17" in x) for x, label in played)
    names = {str(j) for j in range(1, 51)}
    assert set().union(*(x for x, _ in played)) == names
    mean = sum(len(x) for x, _ in played) / 2000
    assert 9.5 < mean < 10.5  # 50 * 0.2, and the standard error is 0.06
    assert trials(mb.teachers.RandomTarget("x3 | x17", n=50, trials=2000, density=0.2, seed=7)) == played
    assert trials(mb.teachers.RandomTarget("x3 | x17", n=50, trials=2000, density=0.2, seed=8)) != played


def test_every_attribute_is_on_as_often() -> None:
    counts = dict.fromkeys(map(str, range(1, 11)), 0)
    for x, _ in trials(mb.teachers.RandomTarget("x1", n=10, trials=4000, density=0.3, seed=1)):
        for name in x:
            counts[name] += 1
    assert all(1100 < count < 1300 for count in counts.values())  # 1200, standard deviation 29


def test_a_density_too_small_for_one_minus_it() -> None:
    assert trials(mb.teachers.RandomTarget("x1", n=9, trials=3, density=1e-17)) == [(frozenset(), 0)] * 3


def test_full_density() -> None:
    assert trials(mb.teachers.RandomTarget("x1 & x2", n=2, trials=3, density=1.0)) == [(frozenset({"1", "2"}), 1)] * 3


def test_a_target_is_drawn_from_a_class() -> None:
    teacher = mb.teachers.RandomTarget("monotone-disjunctions n=20 k=3 exactly", n=20, trials=1, seed=5)
    assert len(teacher.target.attributes) == 3
    assert teacher.target == mb.teachers.RandomTarget("monotone-disjunctions n=20 k=3 exactly", n=20, seed=5).target
    assert teacher.facts() == {"n": 20, "k": 3, "r": 1}
    drawn = {mb.teachers.RandomTarget("monotone-disjunctions n=20 k=3 exactly", n=20, seed=s).target for s in range(20)}
    assert len(drawn) > 10


def test_facts_of_the_target() -> None:
    assert mb.teachers.RandomTarget("2 of x1, x5, x9", n=9).facts() == {"n": 9, "k": 3, "r": 2}
    assert mb.teachers.RandomTarget("x1 & ~x5", n=9).facts() == {"n": 9, "literals": 2}
    assert mb.teachers.RandomTarget("~x1 | x5", n=9).facts() == {"n": 9}
    assert mb.teachers.RandomTarget(parse("x1 | x5"), n=9, noise=0.1).facts() == {}, "noisy labels have no target"


@pytest.mark.parametrize("labels", [(-1, 1), ("ham", "spam"), (1, 0)])
def test_whatever_the_learner_calls_its_labels(labels: Any) -> None:
    plain, named = (
        mb.play(
            mb.Winnow1(n=20, labels=pair), mb.teachers.RandomTarget("x3 | x17", n=20, trials=200, density=0.2, seed=1)
        )
        for pair in (None, labels)
    )
    assert plain.mistake_trials == named.mistake_trials
    assert plain.false_positives == named.false_positives


def test_noise_flips_labels() -> None:
    played = trials(mb.teachers.RandomTarget("x1", n=4, trials=4000, density=0.5, seed=2, noise=0.25))
    flipped = sum(label != ("1" in x) for x, label in played)
    assert 880 < flipped < 1120  # 1000, standard deviation 27


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "x9", "n": 5}, "target may use the attributes x1 to x5 only: '9' is not one of them"),
        ({"target": "x0", "n": 5}, "target may use the attributes x1 to x5 only: '0' is not one of them"),
        ({"target": "free", "n": 5}, "target may use the attributes x1 to x5 only: 'free' is not one of them"),
        ({"target": "x1", "n": 0}, "n must be a whole number >= 1: 0"),
        ({"target": "x1", "n": 5, "density": 0.0}, "density must be > 0 and <= 1: 0.0"),
        ({"target": "x1", "n": 5, "density": 1.5}, "density must be > 0 and <= 1: 1.5"),
        ({"target": "x1", "n": 5, "noise": -0.5}, "noise must be >= 0 and <= 1: -0.5"),
        ({"target": "x1", "n": 5, "trials": -1}, "trials must be a whole number >= 0: -1"),
        ({"target": "x1", "n": 5, "trials": 2.5}, "trials must be a whole number >= 0: 2.5"),
        ({"target": "x1", "n": "5"}, "n must be a whole number >= 1: '5'"),
        ({"target": "x1", "n": 5, "noise": "much"}, "noise must be >= 0 and <= 1: 'much'"),
        ({"target": "x1", "n": 5, "density": None}, "density must be > 0 and <= 1: None"),
        ({"target": "x1", "n": 5, "seed": "a"}, "seed must be a whole number: 'a'"),
    ],
)
def test_bad_parameters(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(mb.BadParameter) as caught:
        mb.teachers.RandomTarget(**arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("tenth", ["1/10", "0.1", Fraction(1, 10), Decimal("0.1"), np.float32(0.1)])
def test_numbers_in_any_form(tenth: object) -> None:
    plain = trials(mb.teachers.RandomTarget("x1", n=9, trials=50, density=0.1, noise=0.1, seed=3))
    given = mb.teachers.RandomTarget(
        "x1", n=np.int64(9), trials=np.int32(50), density=tenth, noise=tenth, seed=np.int64(3)
    )
    assert trials(given) == plain
