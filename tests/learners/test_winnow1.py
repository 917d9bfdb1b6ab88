"""Winnow1: the bounds hold, are met where theory says so, and are the numbers that the papers give."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import log, log2, pi
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from learners.play import provoke, rows

PAPERS: dict[str, dict[str, Any]] = {
    "Littlestone, alpha 2": {"alpha": 2.0, "theta": "n", "rule": ">"},
    "Littlestone, alpha 1.5": {"alpha": 1.5, "theta": "n", "rule": ">"},
    "Littlestone, alpha 3": {"alpha": 3.0, "theta": "n", "rule": ">"},
    "Chan": {"alpha": 2.0, "theta": "n", "rule": ">="},
    "Chandola": {"alpha": 2.0, "theta": "n/2", "rule": ">="},
}


@pytest.mark.parametrize("paper", PAPERS)
@given(n=st.integers(1, 30), k=st.integers(0, 5), seed=st.integers(0, 10**6))
def test_bounds_and_lemmas_hold_on_disjunctions(paper: str, n: int, k: int, seed: int) -> None:
    draw = Random(seed)
    relevant = {str(j) for j in draw.sample(range(1, n + 1), min(k, n))}
    learner = mb.Winnow1(n=n, **PAPERS[paper])
    ledger = provoke(learner, lambda active: bool(active & relevant), rows(draw, n, 60), {"k": len(relevant)})
    assert ledger.verdict.kind == "within"
    for theorem in learner.theorems:
        bound = theorem.bound(learner.all_facts({"k": len(relevant)}))
        assert bound.value is None or ledger.mistakes <= bound.value
    assert mb.Winnow1(n=n, **PAPERS["Chan"]).bound(k=len(relevant)).theorem.source


@given(
    n=st.integers(1, 30), k=st.integers(0, 5), seed=st.integers(0, 10**6), alpha=st.sampled_from([1.5, 2.0, 10.0]),
    theta=st.sampled_from([None, 0.2, 3.0]), named=st.booleans(),
)  # fmt: skip
def test_bound_with_n_unknown(n: int, k: int, seed: int, alpha: float, theta: Any, named: bool) -> None:
    draw = Random(seed)
    relevant = {str(j) for j in draw.sample(range(1, n + 1), min(k, n))}
    learner = mb.Winnow1(alpha=alpha, theta=theta)
    fact: dict[str, Any] = {"relevant": sorted(relevant)} if named else {"k": len(relevant)}
    shown = list(rows(draw, n, 60))
    if not any(shown):
        return
    ledger = provoke(learner, lambda active: bool(active & relevant), iter(shown), fact)
    assert ledger.bound is not None
    if ledger.mistakes:
        assert ledger.verdict.kind == "within"
        assert ledger.bound.theorem.name == "the start-weights theorem"
        told = learner.bound(n=10**9, k=len(relevant))
        assert ledger.mistakes <= ledger.bound.value
        assert ledger.mistakes <= told.value


@cache
def worst(n: int, alpha: Fraction, theta: Fraction, rule: str, k: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """The most mistakes that any sequence forces, target x1 | .. | xk, with such a sequence: by trying everything."""

    @cache
    def longest(w: tuple[Fraction, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        best: tuple[int, tuple[tuple[int, ...], ...]] = (0, ())
        for x in product((0, 1), repeat=n):
            total = sum(weight for weight, bit in zip(w, x, strict=True) if bit)
            prediction = total > theta or (total == theta and rule == ">=")
            if prediction == any(x[:k]):
                continue
            factor = Fraction(0) if prediction else alpha
            after = tuple(weight * factor if bit else weight for weight, bit in zip(w, x, strict=True))
            count, rest = longest(after)
            if count + 1 > best[0]:
                best = count + 1, (x, *rest)
        return best

    return longest((Fraction(1),) * n)


@pytest.mark.parametrize(
    ("paper", "n", "k", "forced"),
    [
        ("Chan", 1, 0, 1), ("Chan", 2, 0, 1), ("Chan", 3, 0, 1), ("Chandola", 2, 0, 2),  # met exactly
        ("Littlestone, alpha 1.5", 3, 1, 4), ("Littlestone, alpha 1.5", 3, 3, 9),  # more than half
        ("Littlestone, alpha 2", 3, 1, 3), ("Littlestone, alpha 2", 2, 2, 4), ("Chan", 3, 1, 3),  # more than 2/5
        ("Littlestone, alpha 3", 3, 1, 3),
    ],
)  # fmt: skip
def test_worst_sequences_come_near_the_bound(paper: str, n: int, k: int, forced: int) -> None:
    """Found by exhaustive search; replayed on the learner; never above the bound, and met where k = 0."""
    learner = mb.Winnow1(n=n, **PAPERS[paper])
    found, sequence = worst(n, Fraction(learner.alpha), Fraction(learner.theta), PAPERS[paper]["rule"], k)
    assert found == forced
    mistakes = sum(learner.learn_one(x, int(any(x[:k]))) != int(any(x[:k])) for x in sequence)
    bound = learner.bound(k=k)
    assert mistakes == forced <= bound.value
    assert mistakes == bound.mistakes if k == 0 else mistakes > 0.4 * bound.value


@given(
    n=st.integers(2, 20), k=st.integers(0, 4), seed=st.integers(0, 10**6),
    start=st.sampled_from(["1/n", 0.3, 8.0, 0.01]),
    theta=st.sampled_from(["n", 1.0, 0.2]), alpha=st.sampled_from([1.5, 2.0]),
)  # fmt: skip
def test_bound_from_start_weights(n: int, k: int, seed: int, start: Any, theta: Any, alpha: float) -> None:
    draw = Random(seed)
    relevant = {str(j) for j in draw.sample(range(1, n + 1), min(k, n))}
    learner = mb.Winnow1(alpha=alpha, theta=theta, n=n, start=start)
    ledger = provoke(learner, lambda active: bool(active & relevant), rows(draw, n, 60), {"k": len(relevant)})
    assert ledger.verdict.kind == "within"
    assert ledger.bound.theorem.name == "the start-weights theorem"
    start, theta = learner.first_start, learner.theta
    u = max(0.0, log(theta / start) / log(alpha) + 1)
    assert ledger.bound.value == pytest.approx(alpha * len(relevant) * u + n * start / theta)


def test_the_bound_from_small_start_weights_is_met() -> None:
    """No target at all: every attribute must be eliminated alone, which costs n*start/theta mistakes."""
    learner = mb.Winnow1(n=6, theta=1.0, start=1.0, rule=">=")
    other = mb.Winnow1(n=6, theta=0.25, start=0.25, rule=">=")
    for which in (learner, other):
        assert sum(which.learn_one({str(j)}, 0) for j in range(1, 7)) == 6 == which.bound(k=0).value


def test_exhaustive_search_never_passes_the_bound() -> None:
    for paper in PAPERS.values():
        for n in (1, 2, 3):
            for k in range(n + 1):
                learner = mb.Winnow1(n=n, **paper)
                found, _ = worst(n, Fraction(learner.alpha), Fraction(learner.theta), paper["rule"], k)
                assert found <= learner.bound(k=k).value


def test_chans_warning() -> None:
    """A target with a negated literal: one false positive kills every weight."""
    learner = mb.Winnow1(alpha=2, theta=2, n=2, rule=">=")
    assert learner.learn_one([1, 1], 0) == 1
    assert learner.weights() == {"1": 0.0, "2": 0.0}
    assert learner.learn_one([0, 1], 1) == 0
    assert learner.learn_one([0, 1], 1) == 0
    assert learner.weights() == {"1": 0.0, "2": 0.0}


def test_theorem_numbers() -> None:
    for k in (1, 5, 17):
        seven = 2 * k * (log2(1000) + 1) + 1
        assert mb.Winnow1(n=1000).bound(k=k).value == pytest.approx(seven)
        assert mb.Winnow1(n=1000, rule=">=").bound(k=k).value == pytest.approx(2 * k * log2(2000) + 1)
        assert mb.Winnow1(n=1000, theta="n/2").bound(k=k).value == pytest.approx(2 * k * log2(1000) + 2)
        other = mb.Winnow1(alpha=1.5, theta=40, n=1000).bound(k=k)
        assert other.value == pytest.approx(1.5 * k * (log(40) / log(1.5) + 1) + 25)
    assert mb.Winnow1(n=1000).bound(k=5).mistakes == 110
    unknown = mb.Winnow1().bound(k=3, n=10**6)
    assert unknown.value == pytest.approx(2 * 3 * (29 + 1) + pi**2 / 6)


def test_failing_conditions_are_named() -> None:
    assert "k must be given" in mb.Winnow1(n=10).bound().failed
    low = mb.Winnow1(n=10, theta=0.1)
    reasons = {theorem.name: theorem.failing(low.all_facts({"k": 1})) for theorem in low.theorems}
    assert "theta >= 1/alpha fails (theta = 0.1, alpha = 2)" in reasons["Theorem 7"]
    assert "theta = n fails" in reasons["Chan's bound"]
    assert low.bound(k=1).value == pytest.approx(100)  # a weight of 1 is above theta: nothing is ever promoted
    assert "start weights of 1" in mb.Winnow1.theorems[0].failing(mb.Winnow1().all_facts({"k": 1, "n": 5}))


@pytest.mark.parametrize(
    "facts", [{"k": 2.5}, {"k": -1}, {"k": "many"}, {"relevant": 5}, {"k": ["a"]}, {"k": True}, {"k": float("nan")}]
)
def test_facts_that_mean_nothing_are_refused(facts: dict[str, Any]) -> None:
    for learner in (mb.Winnow1(n=9), mb.Winnow1(), mb.Winnow2(n=9)):
        with pytest.raises(mb.BadParameter, match=r" must be .+: "):
            learner.bound(**facts)


def test_n_is_not_told_twice() -> None:
    with pytest.raises(mb.BadParameter, match="n must be 9"):
        mb.Winnow1(n=9).bound(n=10, k=1)


def test_more_mistakes_than_allowed_refute_the_assumption() -> None:
    learner, draw = mb.Winnow1(n=6), Random(1)
    parity = provoke(learner, lambda active: len(active) % 2 == 1, rows(draw, 6, 4000), {"k": 1}, lemmas=False)
    assert parity.verdict.kind == "refuted"
    assert "no monotone disjunction of at most 1 of 6 attributes" in parity.verdict


def test_start_weights_of_what_was_told() -> None:
    """n told and seen are the same n; a relevant attribute that has not appeared may start as low as the last of n."""
    learner = mb.Winnow1()
    learner.learn_one({"1", "2", "3"}, 0)
    assert learner.bound(k=1, n=3).value == learner.bound(k=1).value == pytest.approx(2 * (3 + 1) + 3 / 8)
    told = learner.bound(relevant=["1", "new"], n=1000)
    assert told.value == pytest.approx(2 * ((3 + 1) + (17 + 1)) + pi**2 / 6)
    assert learner.bound(relevant=["1", "new"]).value == pytest.approx(2 * (3 + 1) + 3 / 8)


def test_chans_bound_is_for_his_rule() -> None:
    learner = mb.Winnow1(n=8)
    assert "the rule is >= fails" in learner.theorems[1].failing(learner.all_facts({"k": 1}))


@pytest.mark.parametrize(
    ("learner", "name", "u", "most"),
    [
        (mb.Winnow1(n=8), "Lemma 3", 3, 4), (mb.Winnow1(n=8, alpha=3), "Lemma 3", 2, 5),
        (mb.Winnow1(n=8, rule=">="), "Chan's Lemma 2.1", 3, 4), (mb.Winnow2(n=8), "Lemma 7", 2, 6),
    ],
)  # fmt: skip
def test_lemmas_that_count_allow_what_they_say_and_no_more(learner: Any, name: str, u: int, most: int) -> None:
    lemma = next(lemma for lemma in learner.lemmas if lemma.name == name)
    facts = learner.all_facts({"k": 1})
    assert lemma.applies(facts)
    assert lemma.holds(learner, u, most, facts)
    assert not lemma.holds(learner, u, most + 1, facts)
