"""Growth of mistakes, PAC over targets and distributions, over-fitting: the experiments say what theory says."""

from __future__ import annotations

from fractions import Fraction

import pytest

import mistakebound as mb
from mistakebound.arena import hard_distributions, measure_growth, overfitting_experiment, pac_sweep


def test_elimination_is_linear_and_winnow_logarithmic() -> None:
    ns = [8, 16, 32, 64]
    linear = measure_growth(
        lambda n, k: mb.learners.DisjunctionElimination(n),
        lambda n, k: mb.teachers.Replay([({str(j)}, 0) for j in range(1, n + 1)]),
        ns,
    )
    assert [p.mistakes for p in linear.points] == ns
    fit = linear.fit()
    assert (fit.law, fit.error) == ("power of n", pytest.approx(0, abs=1e-9))
    assert fit.b == pytest.approx(1)
    logarithmic = measure_growth(
        lambda n, k: mb.Winnow1(n=n), lambda n, k: mb.teachers.DisjunctionAdversary(n, k), ns, [1, 2]
    )
    assert logarithmic.within_bounds
    for size in (1, 2):
        fit = logarithmic.fit(size)
        assert fit.law == "log n"
        assert fit.b >= size - 1e-9  # k floor(log2(n/k)) at least
    assert len(logarithmic.points) == 8
    assert str(logarithmic).count("\n") == 8
    assert all(p.seconds > 0 for p in logarithmic.points)


def test_what_a_fit_needs() -> None:
    one = measure_growth(lambda n, k: mb.Winnow1(n=n), lambda n, k: mb.teachers.DisjunctionAdversary(n, k), [8])
    with pytest.raises(mb.BadParameter, match="a fit needs two values of n"):
        one.fit()
    with pytest.raises(mb.BadParameter, match="one game at least"):
        measure_growth(lambda n, k: None, lambda n, k: None, [])


def test_the_promise_holds_for_all_targets_and_is_broken_by_too_few_examples() -> None:
    C = mb.concepts.MonotoneDisjunctions(3)
    m = mb.sample_size(C.count(), 0.2, 0.1)
    kept = pac_sweep(lambda: mb.learners.DisjunctionElimination(3), C, m=m, epsilon=0.2, delta=0.1, runs=10)
    assert len(kept.cases) == 8 * 4
    assert not kept.refuted
    few = pac_sweep(lambda: mb.learners.DisjunctionElimination(3), C, m=2, epsilon=0.2, delta=0.1, runs=20, targets=3)
    assert few.refuted
    assert few.worst.found.failures > 4
    assert "refute the promise" in str(few)


def test_hard_distributions_are_distributions() -> None:
    found = hard_distributions("conjunctions n=3", Fraction(1, 10), random=3)
    assert list(found) == ["uniform", "shattered", "random 1", "random 2", "random 3"]
    assert all(sum(weights.values()) == 1 for weights in found.values())
    assert mb.theory.shatters("conjunctions n=3", list(found["shattered"]))
    assert max(found["shattered"].values()) == Fraction(3, 5)


def test_over_fitting_grows_with_attributes_and_shrinks_with_data() -> None:
    found = overfitting_experiment([3, 15], [40, 300], repeats=2, seed=1)
    assert found.at(15, 40).gap > found.at(3, 40).gap
    assert found.at(15, 40).gap > found.at(15, 300).gap
    assert found.at(3, 300).gap < 0.1
    assert str(found).splitlines()[1].split() == ["attributes", "40", "rows", "300", "rows"]
    with pytest.raises(mb.BadParameter, match="3 attributes"):
        overfitting_experiment([2])
