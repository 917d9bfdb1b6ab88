"""Littlestone's lower bounds are below the exact values."""

from __future__ import annotations

from math import comb, floor, log2

import pytest

from mistakebound.concepts import DNF, Conjunctions, MonotoneDisjunctions
from mistakebound.theory.littlestone import disjunction_bound, lower_bounds, opt
from mistakebound.theory.vc import vc_dimension


def test_disjunctions():
    for n in range(1, 8):
        for k in range(1, n + 1):
            assert disjunction_bound(n, k) == k * floor(log2(n / k))
            exactly, at_most = MonotoneDisjunctions(n, k, exactly=True), MonotoneDisjunctions(n, k)
            assert disjunction_bound(n, k) <= opt(exactly).value <= opt(at_most).value
            assert [bound.value for bound in lower_bounds(exactly)] == [disjunction_bound(n, k)]
            assert all(bound.value <= opt(at_most).value for bound in lower_bounds(at_most))
            assert len(lower_bounds(at_most)) == (2 if n > 1 else 1)


@pytest.mark.parametrize(("n", "terms", "literals"), [(4, 1, 1), (6, 2, 2), (8, 1, 2), (8, 3, 2), (5, 4, 2)])
def test_dnf(n, terms, literals):
    concept_class = DNF(n, terms, literals)
    [bound] = lower_bounds(concept_class)
    assert bound.quantity == "vc"
    best = max(literals * terms * floor(log2(n / m)) for m in range(literals, n + 1) if terms <= comb(m, literals))
    assert bound.value == best
    if concept_class.count() < 500:
        assert bound.value <= vc_dimension(concept_class).value


def test_no_theorem_no_bound():
    assert lower_bounds(Conjunctions(3)) == []
    assert lower_bounds(MonotoneDisjunctions(3, 0)) == []
    assert lower_bounds(DNF(4, 2, 2, monotone=False)) == []
