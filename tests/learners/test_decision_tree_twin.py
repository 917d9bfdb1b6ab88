"""The kernel's trees are those of the twin, node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.tree_games import assert_same, examples_of, tables, values_of
from mistakebound.core.table import Table
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.grow_options import GrowOptions
from naive.decision_tree import Learner

GROWN = tuple[Table, np.ndarray, int]


def both(grown: GROWN, **how: Any) -> None:
    table, codes, classes = grown
    cost = how.get("cost")
    costs = tuple(0.5 + j for j in range(len(table.columns))) if cost else ()
    tree = grow(table, codes, classes, GrowOptions(**how, costs=costs))
    ratio = how.pop("ratio", False)
    twin = Learner(values_of(table), classes, "gain_ratio" if ratio else "gain", **how)
    twin.costs = dict(zip(table.names, costs, strict=False))
    assert_same(tree, table, twin.learn(examples_of(table, codes), list(table.names)))


@pytest.mark.kernel
@given(tables(missing=False), st.booleans(), st.booleans(), st.integers(1, 3))
def test_without_missing_values(grown: GROWN, ratio: bool, guard: bool, min_leaf: int) -> None:
    both(grown, ratio=ratio, guard=guard, min_leaf=min_leaf)


@pytest.mark.kernel
@given(tables(), st.sampled_from(["common", "common_in_class", "fractions"]), st.booleans(), st.integers(1, 2))
def test_missing_values(grown: GROWN, missing: str, ratio: bool, min_leaf: int) -> None:
    both(grown, ratio=ratio, missing=missing, min_leaf=min_leaf)


@settings(max_examples=settings().max_examples // 2)
@given(tables(), st.sampled_from(["tan_schlimmer", "nunez"]), st.floats(0, 1), st.booleans())
def test_costs(grown: GROWN, cost: str, omega: float, ratio: bool) -> None:
    both(grown, ratio=ratio, guard=False, cost=cost, omega=omega, min_leaf=1)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 2)
@given(tables(), st.floats(0.01, 1), st.one_of(st.none(), st.integers(0, 3)))
def test_significance_and_depth(grown: GROWN, level: float, max_depth: int | None) -> None:
    both(grown, level=level, max_depth=max_depth, min_leaf=1)


@pytest.mark.kernel
@given(
    tables(),
    st.sampled_from(["common", "common_in_class", "fractions"]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_weights(grown: GROWN, missing: str, ratio: bool, draw: Any) -> None:
    """Weights are those of the twin's examples, and whole ones give the tree of the rows repeated."""
    table, codes, classes = grown
    weights = np.array([draw.choice([0.5, 1.0, 1.0, 2.0, 3.0]) for _ in range(table.rows)])
    how: dict[str, Any] = {"missing": missing, "min_leaf": 1, "guard": True}
    tree = grow(table, codes, classes, GrowOptions(ratio=ratio, **how), weights)
    twin = Learner(values_of(table), classes, "gain_ratio" if ratio else "gain", **how)
    examples = [(row, label, w) for (row, label, _), w in zip(examples_of(table, codes), weights.tolist(), strict=True)]
    assert_same(tree, table, twin.learn(examples, list(table.names)))
    counts = np.array([draw.choice([1, 1, 2, 4]) for _ in range(table.rows)])
    one = grow(table, codes, classes, GrowOptions(ratio=ratio, **how), counts.astype(np.float64))
    rows = np.repeat(np.arange(table.rows), counts)
    many = grow(table.take(rows), codes[rows], classes, GrowOptions(ratio=ratio, **how))
    for name, numbers in one.arrays().items():
        assert np.allclose(np.asarray(numbers), np.asarray(many.arrays()[name]), equal_nan=True), name
