"""Bayes' theorem over finite hypotheses: the definition, version spaces, least squares, code lengths, refusals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import fsum, inf, isclose, log, log2, pi
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb
from naive.posterior import naive_posterior, naive_votes

FEWER = settings(max_examples=settings().max_examples * 2 // 5)  # each example is a whole posterior in fractions
CUBE = list(product((0, 1), repeat=3))
bayes = mb.bayes


def noisy(rate: Fraction) -> Any:
    return lambda t, h, x: 1 - rate if h(x) == t else rate


def random_prior(draw: Random, size: int) -> list[Fraction]:
    parts = [draw.randrange(0, 5) for _ in range(size - 1)] + [1]
    return [Fraction(part, sum(parts)) for part in parts]


@FEWER
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_the_definition(seed: int, examples: int) -> None:
    draw = Random(seed)
    H = list(mb.concepts.Conjunctions(3))[: draw.randrange(1, 9)]
    prior, rate = random_prior(draw, len(H)), Fraction(draw.randrange(1, 5), 10)
    data = [(draw.choice(CUBE), draw.randrange(2)) for _ in range(examples)]
    expected, evidence = naive_posterior(H, prior, noisy(rate), data)
    found = bayes.posterior(H, prior, bayes.LabelNoise(rate), data)
    assert found.exact
    assert list(found.probabilities) == expected
    assert found.evidence == evidence
    assert isclose(found.log_evidence, log(evidence), abs_tol=1e-12)
    assert found.map_hypothesis is H[expected.index(max(expected))]
    likelihoods = [naive_posterior([h], [Fraction(1)], noisy(rate), data)[1] for h in H]
    assert bayes.ml_hypothesis(H, bayes.LabelNoise(rate), data) is H[likelihoods.index(max(likelihoods))]
    for x in CUBE:
        votes = naive_votes(H, expected, noisy(rate), (0, 1), x)
        assert found.predictive(x) == {0: votes[0], 1: votes[1]}
        assert found.classify(x) == int(votes[1] > votes[0])


@FEWER
@given(st.integers(0, 10**6))
def test_logs_agree_with_fractions(seed: int) -> None:
    draw = Random(seed)
    biases = [Fraction(draw.randrange(1, 10), 10) for _ in range(4)]
    tosses = draw.choices("HT", k=50)
    prior = random_prior(draw, 4)
    exact = bayes.posterior(range(4), prior, lambda toss, h: biases[h] if toss == "H" else 1 - biases[h], tosses)
    floats = bayes.posterior(
        range(4), prior, lambda toss, h: float(biases[h]) if toss == "H" else 1 - float(biases[h]), tosses
    )
    assert exact.exact
    assert not floats.exact
    assert np.allclose([float(p) for p in exact.probabilities], floats.probabilities, rtol=1e-11, atol=0)
    assert isclose(exact.log_evidence, floats.log_evidence, rel_tol=1e-12)


def test_a_long_run_does_not_underflow() -> None:
    found = bayes.posterior([0.5, 0.51], None, lambda toss, h: h if toss else 1 - h, [1, 0] * 50_000 + [1] * 2000)
    assert found.evidence == 0.0  # no double can hold it
    expected = 2000 * log(0.51 / 0.5) + 50_000 * log(0.51 * 0.49 / 0.25)
    assert isclose(log(found[0.51] / found[0.5]), expected, rel_tol=1e-9)


@pytest.mark.parametrize("concepts", [mb.concepts.Conjunctions(3), mb.concepts.DecisionLists(3)], ids=str)
def test_noise_free_posterior_is_uniform_on_the_version_space(concepts: Any) -> None:
    for seed in range(10):
        draw, target = Random(seed), concepts.sample(seed)
        data = [(x, target(x)) for x in draw.choices(CUBE, k=seed)]
        halving = mb.Halving(concepts)
        for x, t in data:
            halving.learn_one(x, t)
        found = bayes.posterior(concepts, data=data)
        assert list(found.support) == halving.remaining_concepts(10**6)
        for h, p in found:
            assert p == (Fraction(1, halving.size) if all(h(x) == t for x, t in data) else 0)
        assert found.evidence == Fraction(halving.size, concepts.count())
        assert set(found.support) == {h for h, p in found if p == max(found.probabilities)}  # all of them are MAP


def test_rows_of_a_matrix_and_functions_of_anything() -> None:
    table = mb.concepts.FiniteClass([[0, 0, 1], [0, 1, 1], [1, 1, 1]])
    found = bayes.posterior(table, data=[(1, 1)])
    assert list(found.probabilities) == [0, Fraction(1, 2), Fraction(1, 2)]
    assert [str(h) for h in found.support] == ["row 1", "row 2"]
    words = [str.islower, str.isalpha, str.isdigit]
    assert bayes.posterior(words, [0.2, 0.3, 0.5], None, [("a", True)]).map_hypothesis is str.isalpha
    three = [lambda x: "abc"[x % 3], lambda x: "abc"[x % 2]]
    noisy_letters = bayes.posterior(three, None, bayes.LabelNoise(0.2, labels="abc"), [(2, "c"), (3, "a")])
    assert noisy_letters.probabilities == (Fraction(64, 65), Fraction(1, 65))
    assert noisy_letters.classify(5) == "c"


def test_probabilities_of_labels() -> None:
    coins = [lambda x: Fraction(1, 2), lambda x: Fraction(9, 10)]
    found = bayes.posterior(coins, None, bayes.Probabilities(), [(0, 1), (0, 1)])
    assert found[coins[1]] == Fraction(81, 106)
    assert found.predictive(0)[1] == Fraction(25, 106) / 2 + Fraction(81, 106) * Fraction(9, 10)
    weather = [lambda x: {"sun": 0.7, "rain": 0.3}, lambda x: {"sun": 0.1, "rain": 0.9}]
    wet = bayes.posterior(weather, [0.5, 0.5], bayes.Probabilities(), [("mon", "rain")])
    assert isclose(wet[weather[0]], 0.25)
    assert wet.classify("tue") == "rain"


@FEWER
@given(st.integers(0, 10**6))
def test_least_squares_is_maximum_likelihood_under_gaussian_noise(seed: int) -> None:
    draw = Random(seed)
    lines = [lambda x, a=a, b=b: a * x + b for a in range(-2, 3) for b in range(-1, 2)]
    target, sigma = draw.choice(lines), draw.choice([0.1, 1.0, 5.0])
    data = [(x, target(x) + draw.gauss(0, sigma)) for x in range(draw.randrange(1, 8))]
    best = bayes.ml_hypothesis(lines, bayes.GaussianNoise(sigma), data)
    assert best is bayes.least_squares(lines, data)
    errors = [fsum((t - h(x)) ** 2 for x, t in data) for h in lines]
    assert isclose(sum((t - best(x)) ** 2 for x, t in data), min(errors), rel_tol=1e-9)
    found = bayes.posterior(lines, None, bayes.GaussianNoise(sigma), data)
    density = [
        np.prod([np.exp(-((t - h(x)) ** 2) / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma**2) for x, t in data])
        for h in lines
    ]
    if min(density) > 0:
        assert isclose(found.evidence, float(np.mean(density)), rel_tol=1e-9)


def test_squared_errors_are_told_apart_exactly() -> None:
    """Two hypotheses whose squared errors differ by less than a double of their size can hold."""
    far = [lambda x: 2.0**-30, lambda x: -(2.0**-30)]
    data = [(0, 1e9), (1, -1e9), (2, -1e-9)]
    assert bayes.least_squares(far, data) is far[1]
    assert bayes.ml_hypothesis(far, bayes.GaussianNoise(1e9), data) is far[1]
    assert bayes.map_hypothesis(far, None, bayes.GaussianNoise(1e9), data) is far[1]  # MAP is ML if all are alike


def test_numbers_that_no_double_can_hold() -> None:
    tiny = Fraction(1, 10**400)
    mixed = bayes.posterior("ab", None, lambda example, h: tiny if example else 0.5, [1, 0])
    assert isclose(mixed.log_evidence, -400 * log(10) + log(0.5))
    near, off = (lambda x: 1.0), (lambda x: 0.0)
    narrow = bayes.posterior([near, off], None, bayes.GaussianNoise(1e-200), [(0, 1)])
    assert narrow.probabilities == (1.0, 0.0)
    assert isclose(narrow.log_likelihoods[0], 200 * log(10) - 0.5 * log(2 * pi))
    assert bayes.posterior([near, off], None, bayes.GaussianNoise(1.7e308), [(0, 1)]).probabilities == (0.5, 0.5)


def test_code_lengths_of_the_same_hypothesis_twice() -> None:
    assert isclose(sum(bayes.code_lengths("aa", ["1/4", "3/4"]).shortest), log2(4 / 3))
    arrays = [np.array([0, 1]), np.array([1, 0])]  # whose == is no truth value
    assert bayes.code_lengths(arrays, ["1/4", "3/4"], lambda e, h: 1).best is arrays[1]


@FEWER
@given(st.integers(0, 10**6))
def test_code_lengths(seed: int) -> None:
    draw = Random(seed)
    H = list(mb.concepts.MonotoneConjunctions(3))
    prior, rate = random_prior(draw, len(H)), Fraction(1, 8)
    data = [(draw.choice(CUBE), draw.randrange(2)) for _ in range(6)]
    lengths = bayes.code_lengths(H, prior, bayes.LabelNoise(rate), data)
    assert lengths.best is bayes.map_hypothesis(H, prior, bayes.LabelNoise(rate), data)
    totals = []
    for (h, of_h, of_data), p in zip(lengths, prior, strict=True):
        wrong = sum(h(x) != t for x, t in data)
        assert isclose(of_h, -log2(p) if p else inf, abs_tol=1e-12)
        assert isclose(of_data, -wrong * log2(1 / 8) - (6 - wrong) * log2(7 / 8), abs_tol=1e-9)
        totals.append(of_h + of_data)
    assert isclose(sum(lengths.shortest), min(totals), abs_tol=1e-9)
    assert str(lengths).splitlines()[1].endswith(f"  {lengths.best}")


def test_drawing_follows_the_posterior() -> None:
    found = bayes.posterior("abc", ["1/2", "1/3", "1/6"], lambda example, h: 1)
    draw = Random(1)
    counts = dict.fromkeys("abc", 0)
    for _ in range(6000):
        counts[found.draw(draw)] += 1
    assert abs(counts["a"] - 3000) < 200
    assert abs(counts["b"] - 2000) < 200
    assert found.draw(7) == found.draw(7)
    sure = bayes.posterior("abc", [0, 1, 0], lambda example, h: 1)
    assert {sure.draw(seed) for seed in range(50)} == {"b"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: bayes.posterior([]), "there must be at least one hypothesis"),
        (lambda: bayes.posterior(5), "hypotheses must be a class of concepts or a list: 5"),
        (lambda: bayes.posterior([abs], data=5), "data must be a list of examples: 5"),
        (lambda: bayes.posterior([abs], data=[5]), r"data must be pairs \(x, t\): 5"),
        (lambda: bayes.posterior([abs], data=[(1, 2, 3)]), r"data must be pairs \(x, t\): \(1, 2, 3\)"),
        (lambda: bayes.posterior([abs], None, bayes.GaussianNoise(1), [5]), r"data must be pairs \(x, t\): 5"),
        (lambda: bayes.posterior("ab", data=[(1, 1)]), "hypotheses must be functions of x, or .*: 'a'"),
        (lambda: bayes.posterior([str], None, bayes.Probabilities(), [(2, 1)]), "probabilities that sum to 1: '2'"),
        (lambda: bayes.posterior("a", None, lambda e, h: Decimal("nan"), [1]), "likelihood must be a number >= 0: De"),
        (lambda: bayes.GaussianNoise("x"), "sigma must be a number > 0: 'x'"),
        (
            lambda: bayes.posterior([abs], None, bayes.GaussianNoise(1), [(0, 1e200)]),
            "likelihood must be > 0 .*: it is 0 for all 1 on 1 examples",
        ),
        (lambda: bayes.posterior("ab", [0.5, 0.4]), "prior must sum to 1: 0.9"),
        (lambda: bayes.posterior("ab", [0.5, 0.25, 0.25]), "prior must be as many numbers .* 2: 3"),
        (lambda: bayes.posterior("ab", [1.5, -0.5]), "prior must be a number >= 0: -0.5"),
        (lambda: bayes.posterior("ab", ["x", 1]), "prior must be a number >= 0: 'x'"),
        (lambda: bayes.posterior("ab", [float("nan"), 1]), "prior must be a number >= 0: nan"),
        (lambda: bayes.posterior("ab", {"a": 1}), "prior must have every hypothesis: b has none"),
        (lambda: bayes.posterior("ab", "flat"), "prior must be 'uniform', .*: 'flat'"),
        (lambda: bayes.posterior("ab", 1), "prior must be 'uniform', .*: 1"),
        (lambda: bayes.posterior("ab", None, "noise"), "likelihood must be a function of .*: 'noise'"),
        (lambda: bayes.posterior("ab", None, lambda e, h: 0, [1]), "likelihood must be > 0 for a hypothesis .* all 2"),
        (lambda: bayes.posterior("ab", [1, 0], lambda e, h: h == "b", [1]), "likelihood must be > 0"),
        (lambda: bayes.posterior("ab", None, lambda e, h: -1, [1]), "likelihood must be a number >= 0: .*-1"),
        (lambda: bayes.posterior("ab", None, lambda e, h: "x", [1]), "likelihood must be a number >= 0: 'x'"),
        (lambda: bayes.posterior("ab", None, lambda e, h: float("nan"), [1]), "likelihood must be a number >= 0: nan"),
        (lambda: bayes.LabelNoise(1.5), "rate must be a number >= 0 and <= 1: 1.5"),
        (lambda: bayes.LabelNoise(0.1, labels=[1]), r"labels must be at least two, all different: \(1,\)"),
        (lambda: bayes.GaussianNoise(0), "sigma must be a number > 0: 0"),
        (lambda: bayes.least_squares([lambda x: x], [(0, "a")]), "data must be pairs"),
        (lambda: bayes.least_squares([lambda x: x], [(0, inf)]), "data must be pairs"),
        (lambda: bayes.posterior([abs], None, bayes.GaussianNoise(1), [(1, 1)]).classify(1), "one of labels"),
        (lambda: bayes.posterior([abs], None, bayes.Probabilities(), [(2, 1)]), "probabilities that sum to 1"),
        (lambda: bayes.posterior([abs])[max], "a hypothesis must be one of the 1"),
        (
            lambda: bayes.posterior([abs], None, lambda e, h: 1).classify(0),
            r"likelihood must sum to 1 over the labels \(0, 1\)",
        ),
    ],
)
def test_what_is_refused(call: Any, said: str) -> None:
    with pytest.raises((mb.BadParameter, mb.BadData), match=said):
        call()


def test_the_text_of_a_posterior() -> None:
    found = bayes.posterior(mb.concepts.Conjunctions(3), data=[((1, 1, 0), 1)])
    lines = str(found).splitlines()
    assert lines[:2] == ["    P(h|D)", "  0.125000        1/8  true"]
    assert lines[-1] == "19 ruled out"
    many = str(bayes.posterior(range(30), None, lambda example, h: 0.5, [1])).splitlines()
    assert (many[1].split(), many[-1]) == (["0.033333", "0"], "20 more")


def test_floats_that_miss_1_by_rounding_are_a_prior() -> None:
    third = bayes.posterior("abc", np.full(3, 1 / 3))
    assert third.probabilities == (Fraction(1, 3),) * 3
