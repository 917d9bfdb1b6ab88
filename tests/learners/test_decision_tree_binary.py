"""One value against the rest: at every node no other test has more gain; all work spaces give the same tree."""

from __future__ import annotations

from math import fsum, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.tree_games import examples_of, tables
from mistakebound.core.table import Column, Table
from mistakebound.learners.tree import _growing, grow_options
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.grow_options import GrowOptions

Rows = list[tuple[dict[str, object], int, float]]


def gain(branches: list[Rows], classes: int) -> float:
    def bits(rows: Rows) -> float:
        shares = [sum(label == c for _, label, _ in rows) / len(rows) for c in range(classes)]
        return -fsum(share * log2(share) for share in shares if share)

    every = [row for branch in branches for row in branch]
    return bits(every) - sum(len(branch) / len(every) * bits(branch) for branch in branches)


def candidates(table: Table, rows: Rows) -> list[list[Rows]]:
    """All pairs of branches that a column makes."""
    out = []
    for column in table.columns:
        values = sorted({row[column.name] for row, _, _ in rows})
        if column.nominal:
            sets = [{value} for value in values] if len(values) > 1 else []
        else:
            sets = [set(values[:cut]) for cut in range(1, len(values))]
        out += [[[e for e in rows if (e[0][column.name] in s) == one] for one in (True, False)] for s in sets]
    return out


def check(tree: FlatTree, table: Table, rows: Rows, classes: int, min_leaf: int, node: int = 0) -> None:
    assert tree.counts[node].tolist() == [sum(label == c for _, label, _ in rows) for c in range(classes)]
    allowed = [branches for branches in candidates(table, rows) if min(map(len, branches)) >= min_leaf]
    most = max((gain(branches, classes) for branches in allowed), default=-1.0)
    if tree.arity[node] == 0:
        assert not allowed or len({label for _, label, _ in rows}) == 1
        return
    column = table.columns[tree.column[node]]
    start = tree.mask_start[node]
    chosen: list[Rows] = [[], []]
    for row in rows:
        value = row[0][column.name]
        if column.nominal:
            chosen[1 - tree.masks[start + column.values.index(str(value))]].append(row)
        else:
            chosen[int(value > tree.threshold[node])].append(row)
    assert gain(chosen, classes) == pytest.approx(most, abs=1e-9)
    for child, branch in zip(tree.children(node), chosen, strict=True):
        check(tree, table, branch, classes, min_leaf, child)


@pytest.mark.kernel
@settings(max_examples=settings().max_examples // 2)
@given(tables(missing=False))
def test_no_test_has_more_gain(grown: tuple[Table, np.ndarray, int]) -> None:
    """Pure or without a test that parts the rows: else a test, and none is better."""
    table, codes, classes = grown
    check(
        grow(table, codes, classes, GrowOptions(binary=True, min_leaf=1)), table, examples_of(table, codes), classes, 1
    )


@settings(max_examples=settings().max_examples // 2)
@given(
    tables(rows=20),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["common", "common_in_class", "fractions"]),
)
def test_narrow_and_wide_columns(grown: tuple[Table, np.ndarray, int], binary: bool, ratio: bool, missing: str) -> None:
    """Columns of many values are counted by sorting: the same tree, bit for bit."""
    table, codes, classes = grown
    how = GrowOptions(binary=binary, ratio=ratio, missing=missing, min_leaf=1)
    narrow = grow(table, codes, classes, how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_growing, "NARROW", 2)
        patch.setattr(grow_options, "NARROW", 2)
        assert grow(table, codes, classes, how) == narrow
        patch.setattr(grow_options, "_PAUSE", 0)
        patch.setattr(_growing, "_NODES", 1)
        assert grow(table, codes, classes, how) == narrow


def test_many_values_and_classes() -> None:
    """A column of 300 values that decides the class is taken apart value by value."""
    values = [f"v{k}" for k in range(300)]
    cells = np.arange(600, dtype=np.int32) % 300
    codes = ((cells * 7) % 5).astype(np.int32)
    table = Table([Column("c", "nominal", values, cells), Column("n", "numeric", (), np.arange(600.0) % 7)])
    tree = grow(table, codes, 5, GrowOptions(binary=True, min_leaf=1))
    leaves = [tree.path(table, row)[-1] for row in range(600)]
    assert (tree.label[leaves] == codes).all()
    assert set(tree.column[tree.arity > 0]) == {0}


@pytest.mark.kernel
def test_a_value_that_does_not_occur_is_one_of_the_rest() -> None:
    cells = np.array([0, 0, 0, 0, 1], dtype=np.int32)  # b parts the classes; a is commonest, c does not occur
    table = Table([Column("c", "nominal", "abc", cells)])
    tree = grow(table, np.array([0, 0, 0, 0, 1], dtype=np.int32), 2, GrowOptions(binary=True, min_leaf=1))
    start = tree.mask_start[0]
    assert tree.masks[start : start + 3].tolist() == [1, 0, 0]  # a against the rest: of equal gains the first
