"""Small tables for the tests of trees, and a tree of the kernel beside its twin."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from mistakebound.core.table import Column, Table
from mistakebound.learners.tree.flat_tree import FlatTree
from naive.decision_tree import Node

SEVERAL = ("a", "b", "c", "d")


@st.composite
def tables(draw: st.DrawFn, *, missing: bool = True, rows: int = 14) -> tuple[Table, np.ndarray, int]:
    """A table of nominal and numeric columns with missing values, classes, how many classes."""
    count = draw(st.integers(1, rows))
    columns = []
    for j in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            values = SEVERAL[: draw(st.integers(1, 4))]
            cells = draw(st.lists(st.integers(-1 if missing else 0, len(values) - 1), min_size=count, max_size=count))
            columns.append(Column(f"c{j}", "nominal", values, np.array(cells)))
        else:
            number = st.integers(0, 6).map(float)
            cell = st.one_of(st.just(float("nan")), number, number, number) if missing else number
            cells = draw(st.lists(cell, min_size=count, max_size=count))
            columns.append(Column(f"c{j}", "numeric", (), np.array(cells)))
    classes = draw(st.integers(2, 3))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=count, max_size=count))
    return Table(columns), np.array(labels, dtype=np.int32), classes


def examples_of(table: Table, codes: np.ndarray) -> list[tuple[dict[str, Any], int, float]]:
    return [(table.row(row), int(code), 1.0) for row, code in enumerate(codes)]


def values_of(table: Table) -> dict[str, tuple[str, ...]]:
    return {column.name: column.values for column in table.columns if column.nominal}


def assert_same(tree: FlatTree, table: Table, twin: Node, node: int = 0) -> None:
    """Node by node: the test, the branches, the counts, the class."""
    assert np.allclose(tree.counts[node], twin.counts, atol=1e-9), (node, tree.counts[node], twin)
    assert tree.label[node] == twin.label
    if twin.attribute is None:
        assert tree.arity[node] == 0
        return
    assert tree.column[node] == table.names.index(twin.attribute), (node, twin)
    if twin.threshold is not None:
        assert tree.threshold[node] == twin.threshold
    children = tree.children(node)
    assert len(children) == len(twin.children)
    for child, below in zip(children, twin.children, strict=True):
        assert_same(tree, table, below, child)
