"""A tree grown from the counts of its nodes is the tree that is grown from the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mistakebound.core.table import Column, Table
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.grow_options import GrowOptions
from mistakebound.learners.tree.node_splits import CountedNode, NodeSplits


def drawn(seed: int, rows: int, values: tuple[int, ...], classes: int, missing: float) -> tuple[Table, Any]:
    draw = np.random.default_rng(seed)
    columns = []
    for k, count in enumerate(values):
        data = draw.integers(0, count, rows)
        data[draw.random(rows) < missing] = -1
        columns.append(Column(f"c{k}", "nominal", [f"v{j}" for j in range(count)], data))
    labels = sum(column.data for column in columns[:2]) + draw.integers(0, 2, rows)
    return Table(columns), (labels % classes).astype(np.int32)


def counted(table: Table, codes: Any, classes: int, how: GrowOptions) -> FlatTree:
    """Every node's rows are counted by a loop, and dealt to its children row by row."""
    splits = NodeSplits([len(column.values) for column in table.columns], table.rows, classes, how)
    root = splits.root(np.bincount(codes, minlength=classes))
    waiting: list[tuple[CountedNode, list[int]]] = [(root, list(range(table.rows)))]
    while waiting:
        node, rows = waiting.pop(0)  # by levels, where the kernel goes depth first
        counts = np.zeros(splits.begins[-1], np.int64)
        for column, begin in zip(table.columns, splits.begins.tolist(), strict=False):
            for row in rows:
                value = column.data[row] if column.data[row] >= 0 else len(column.values)
                counts[begin + value * classes + codes[row]] += 1
        splits.split(node, counts)
        if node.column < 0:
            continue
        tested = table.columns[node.column]
        branch = node.branch_of(len(tested.values))  # its last line is that of code -1
        for number, child in enumerate(node.children):
            own = [row for row in rows if branch[tested.data[row], codes[row]] == number]
            assert child.counts.tolist() == np.bincount(codes[own], minlength=classes).tolist()
            if child.open:
                waiting.append((child, own))
    return splits.tree(root)


@pytest.mark.parametrize(
    ("how", "missing"),
    [
        (GrowOptions(min_leaf=1), 0.0),
        (GrowOptions(), 0.2),
        (GrowOptions(missing="common_in_class", ratio=True), 0.2),
        (GrowOptions(missing="common_in_class", binary=True, min_leaf=3), 0.3),
        (GrowOptions(binary=True, max_depth=4, random_state=3), 0.1),
        (GrowOptions(ratio=True, guard=False, max_depth=2, level=0.9), 0.0),
        (GrowOptions(cost="tan_schlimmer", costs=(1.0, 5.0, 2.0), level=0.5), 0.1),
        (GrowOptions(cost="nunez", costs=(4.0, 1.0, 2.0), omega=0.5, missing="fractions"), 0.0),
    ],
)
@pytest.mark.parametrize("classes", [2, 4])
def test_the_tree_of_the_rows(how: GrowOptions, missing: float, classes: int) -> None:
    for seed, values in enumerate([(2, 3, 4), (5, 300, 2)]):  # 300: more than fit into a byte
        table, codes = drawn(seed, 250, values, classes, missing)
        expected = grow(table, codes, classes, how)
        found = counted(table, codes, classes, how)
        assert found == expected
        assert found.size > 3


def test_nothing_to_split() -> None:
    table, _ = drawn(0, 20, (2, 3, 4), 2, 0.0)
    for codes in (np.zeros(20, np.int32), np.ones(20, np.int32)):
        assert counted(table, codes, 2, GrowOptions()) == grow(table, codes, 2, GrowOptions())
