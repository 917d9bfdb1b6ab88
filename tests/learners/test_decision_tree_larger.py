"""Larger tables than Hypothesis draws, against the twin: C4.5's least side, ties broken by little, missing numbers."""

from __future__ import annotations

import numpy as np
import pytest

from learners.tree_games import assert_same, examples_of, values_of
from mistakebound.core.table import Column, Table
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.grow_options import GrowOptions
from naive.decision_tree import Learner


def drawn(seed: int, rows: int, missing: float) -> tuple[Table, np.ndarray]:
    """Two numeric columns and a nominal one that tell a little of three classes, one of them rare."""
    draw = np.random.default_rng(seed)
    codes = draw.choice(3, rows, p=[0.5, 0.4, 0.1]).astype(np.int32)
    columns = []
    for j in range(2):
        numbers = np.round(codes * draw.random() + draw.normal(size=rows), 1)
        numbers[draw.random(rows) < missing * (1 + codes) / 2] = np.nan
        columns.append(Column(f"x{j}", "numeric", (), numbers))
    cells = (codes + draw.integers(0, 3, rows)) % 4
    cells[draw.random(rows) < missing] = -1
    columns.append(Column("c", "nominal", "abcd", cells))
    return Table(columns), codes


def both(table: Table, codes: np.ndarray, how: GrowOptions, criterion: str) -> None:
    tree = grow(table, codes, 3, how)
    twin = Learner(values_of(table), 3, criterion, missing=how.missing, min_leaf=how.min_leaf, max_depth=how.max_depth)
    assert_same(tree, table, twin.learn(examples_of(table, codes), list(table.names)))


@pytest.mark.parametrize("missing", ["common", "common_in_class", "fractions"])
@pytest.mark.parametrize("ratio", [False, True])
def test_gaps_in_numbers(missing: str, ratio: bool) -> None:
    for seed in range(12):
        table, codes = drawn(seed, 16, 0.4)
        both(table, codes, GrowOptions(missing=missing, ratio=ratio, min_leaf=1), "gain_ratio" if ratio else "gain")


@pytest.mark.parametrize(("rare", "least"), [(4, 4), (3, 3), (2, 3)])
def test_least_side(rare: int, least: int) -> None:
    """With 3 classes and 90 rows a side has 3 at least: fewer rows of a class of their own are not cut off alone."""
    codes = np.arange(90, dtype=np.int32) % 2
    codes[:rare] = 2
    table = Table([Column("x", "numeric", (), np.arange(90.0))])
    how = GrowOptions(ratio=True, min_leaf=1, max_depth=1)
    assert grow(table, codes, 3, how).counts[1].sum() == least
    both(table, codes, how, "gain_ratio")


def test_least_side_is_25_at_most() -> None:
    """A tenth of the 400 rows that a class has on average would be 40."""
    codes = (np.arange(800) < 30).astype(np.int32)
    table = Table([Column("x", "numeric", (), np.arange(800.0))])
    assert grow(table, codes, 2, GrowOptions(ratio=True, max_depth=1)).counts.tolist() == [[770, 30], [0, 30], [770, 0]]


@pytest.mark.long
@pytest.mark.parametrize("missing", ["common", "common_in_class", "fractions"])
@pytest.mark.parametrize("ratio", [False, True])
def test_many(missing: str, ratio: bool) -> None:
    for seed in range(100, 150):
        table, codes = drawn(seed, 60, 0.3)
        both(table, codes, GrowOptions(missing=missing, ratio=ratio, min_leaf=2), "gain_ratio" if ratio else "gain")
