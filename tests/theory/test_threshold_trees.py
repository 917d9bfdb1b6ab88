"""Mistake trees of linear threshold functions, grown by an attribute: they verify, and opt is not below them."""

from __future__ import annotations

from itertools import product

import mistakebound as mb
from mistakebound.theory.threshold_trees import spread, sums_in_order, taller_tree, threshold_bound


def test_an_attribute_more_is_n_levels_more() -> None:
    tree = mb.opt("linear-thresholds n=1").tree
    assert tree is not None
    for n in (1, 2, 3):
        taller = taller_tree(tree)
        assert taller.depth == tree.depth + n
        assert taller.verify(mb.concepts.LinearThresholds(n + 1))
        tree = taller
    assert tree.depth == threshold_bound(4) == 8


def test_opt_is_not_below() -> None:
    for n in (1, 2, 3, 4):
        found = mb.opt(f"linear-thresholds n={n}").value
        assert found is not None
        assert found >= threshold_bound(n) == mb.theory.lower_bounds(f"linear-thresholds n={n}")[0].value
    assert mb.theory.lower_bounds("linear-thresholds n=6")[0].value == 17


def test_spread_is_the_same_function() -> None:
    rows = list(product((0, 1), repeat=3))
    for concept in mb.concepts.LinearThresholds(3):
        weights, theta = spread(concept, 3)
        sums = sums_in_order(weights, rows)
        assert len({total for total, _ in sums}) == 8
        assert all((total >= theta) == concept(row) for total, row in sums)
