"""Littlestone's lower bounds are below the exact values."""

from __future__ import annotations

from math import comb, floor, log2

import pytest

from mistakebound.concepts import DNF, Conjunctions, MonotoneConjunctions, MonotoneDisjunctions
from mistakebound.theory.few_attributes import mistake_tree
from mistakebound.theory.littlestone import disjunction_bound, lower_bounds, opt
from mistakebound.theory.theorem_trees import theorem_depth
from mistakebound.theory.vc import vc_dimension


def test_disjunctions():
    for n in range(1, 8):
        for k in range(1, n + 1):
            assert disjunction_bound(n, k) == k * floor(log2(n / k))
            exactly, at_most = MonotoneDisjunctions(n, k, exactly=True), MonotoneDisjunctions(n, k)
            assert disjunction_bound(n, k) <= opt(exactly).value <= opt(at_most).value
            for concept_class in (
                exactly,
                at_most,
                MonotoneConjunctions(n, k),
                MonotoneConjunctions(n, k, exactly=True),
            ):
                bounds = lower_bounds(concept_class)
                assert bounds[0].value == disjunction_bound(n, k)
                assert all(bound.value <= opt(concept_class).value for bound in bounds)
                assert len(bounds) >= (2 if n > 1 and not concept_class.exactly else 1)
                assert theorem_depth(concept_class) == max(0, *(int(bound.value) for bound in bounds))


@pytest.mark.parametrize("kind", [MonotoneDisjunctions, MonotoneConjunctions])
@pytest.mark.parametrize("exactly", [False, True])
def test_the_theorem_is_proved_by_a_mistake_tree(kind, exactly):
    for n in range(1, 10):
        for k in range(1, n + 1):
            concept_class = kind(n, k, exactly=exactly)
            tree = mistake_tree(concept_class, theorem_depth(concept_class))
            assert tree.depth == theorem_depth(concept_class)
            assert tree.verify(concept_class)


def test_the_best_number_of_blocks():
    assert lower_bounds(MonotoneDisjunctions(20, 7))[-1].formula == "j floor(log2(n/j)), j = 5"
    assert lower_bounds(MonotoneDisjunctions(20, 7))[-1].value == 10
    assert lower_bounds(MonotoneDisjunctions(9, 8, exactly=True))[-1].value == 1


def test_opt_begins_at_the_theorem():
    """Without any time the interval has the theorem's end, and the theorem's tree proves it."""
    found = opt(MonotoneDisjunctions(14, 3), timeout=0)
    assert found.lower >= 6
    assert found.verify()
    assert found.tree.depth == found.lower


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
