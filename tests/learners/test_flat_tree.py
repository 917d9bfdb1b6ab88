"""Trees as arrays: walks, restriction, and model files that are no trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.tree_games import tables
from mistakebound.core.errors import BadModel
from mistakebound.core.table import Column, Table
from mistakebound.learners.tree import walk
from mistakebound.learners.tree._growing import grow
from mistakebound.learners.tree.flat_tree import FlatTree
from mistakebound.learners.tree.grow_options import GrowOptions
from mistakebound.learners.tree.walk import classify, probabilities


def small() -> tuple[FlatTree, Table]:
    """Two kinds of tests: a set of values, a threshold."""
    sky = Column("sky", "nominal", ("s", "r", "f"), np.array([0, 0, 1, 1, 2, 2]))
    table = Table([sky, Column("x", "numeric", (), np.array([1.0, 2.0, 1.0, 2.0, 3.0, 4.0]))])
    return grow(table, np.array([0, 1, 2, 2, 2, 2], dtype=np.int32), 3, GrowOptions(binary=True, min_leaf=1)), table


@settings(max_examples=settings().max_examples // 2)
@given(tables(), st.booleans(), st.data())
def test_restriction(grown: tuple[Table, np.ndarray, int], binary: bool, data: st.DataObject) -> None:
    """A row comes to the same leaf, or to the pruned node above it; the masks go along."""
    table, codes, classes = grown
    tree = grow(table, codes, classes, GrowOptions(binary=binary, min_leaf=1))
    prune = np.array(data.draw(st.lists(st.booleans(), min_size=tree.size, max_size=tree.size)))
    cut = tree.restrict(prune)
    assert cut.restrict(np.zeros(cut.size, dtype=bool)) == cut
    for row in range(table.rows):
        way = tree.path(table, row)
        ends = [step for step, node in enumerate(way) if prune[node]] or [len(way) - 1]
        short = cut.path(table, row)
        assert len(short) == ends[0] + 1
        assert [tuple(cut.counts[node]) for node in short] == [tuple(tree.counts[node]) for node in way[: len(short)]]
    assert FlatTree.restore(cut.arrays(), table.schema, classes) == cut


@settings(max_examples=settings().max_examples // 2)
@given(tables(), st.booleans(), st.sampled_from(["common", "common_in_class", "fractions"]))
def test_walks(grown: tuple[Table, np.ndarray, int], binary: bool, missing: str) -> None:
    """The kernel's walk is the one by hand; with fractions the chances are those of the branches, by their rows."""
    table, codes, classes = grown
    tree = grow(table, codes, classes, GrowOptions(binary=binary, min_leaf=1, missing=missing))

    def chances(node: int, row: int) -> np.ndarray:
        column = table.columns[tree.column[node]] if tree.arity[node] else None
        if column is None:
            while not tree.counts[node].any():
                node = tree.parents()[node]
            return tree.counts[node] / tree.counts[node].sum()
        if missing == "fractions" and column.cell(row) is None:
            sizes = {child: tree.counts[child].sum() for child in tree.children(node)}
            return sum(size / sum(sizes.values()) * chances(child, row) for child, size in sizes.items() if size)
        return chances(tree.first[node] + tree.branch(node, table, row), row)

    found = probabilities(tree, table, fractions=missing == "fractions")
    labels = classify(tree, table, fractions=missing == "fractions")
    for row in range(table.rows):
        expected = chances(0, row)
        assert found[row] == pytest.approx(expected)
        assert expected[labels[row]] == pytest.approx(max(expected))


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of two rows in three threads: the same."""
    tree, table = small()
    labels, chances = classify(tree, table, fractions=True), probabilities(tree, table, fractions=True)
    monkeypatch.setattr(walk, "_BLOCK", 2)
    monkeypatch.setattr(walk, "_PART", 2)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1, 2}, raising=False)
    assert classify(tree, table, fractions=True).tolist() == labels.tolist() == [0, 1, 2, 2, 2, 2]
    assert probabilities(tree, table, fractions=True).tolist() == chances.tolist()
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1}, raising=False)
    parts: list[tuple[int, int]] = []
    walk._in_parts(lambda first, last: parts.append((first, last)), 5)
    assert sorted(parts) == [(0, 2), (2, 5)]  # no row is left out where parts are not equal


def test_shape() -> None:
    tree, table = small()
    assert tree.parents().tolist() == [-1, 0, 0, 1, 1]
    assert [level.tolist() for level in tree.levels()] == [[0], [1, 2], [3, 4]]
    assert (tree.size, tree.leaves, tree.depth, list(tree.children(0))) == (5, 3, 2, [1, 2])
    assert [tree.label[tree.path(table, row)[-1]] for row in range(6)] == [0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("column", 0, 9),
        ("column", 0, -2),
        ("column", 2, 0),
        ("column", 1, 0),
        ("arity", 0, 3),
        ("arity", 2, 2),
        ("arity", 0, -1),
        ("first", 0, 0),
        ("first", 1, 1),
        ("first", 1, 100),
        ("label", 0, 3),
        ("label", 0, -1),
        ("otherwise", 0, 2),
        ("otherwise", 1, -1),
        ("mask_start", 0, 1),
        ("mask_start", 1, 0),
        ("masks", 0, 2),
        ("threshold", 1, float("nan")),
        ("threshold", 0, 1.0),
        ("counts", 0, -1.0),
        ("counts", 0, float("inf")),
    ],
)
def test_arrays_that_are_no_tree(name: str, place: int, value: Any) -> None:
    tree, table = small()
    arrays = tree.arrays()
    arrays[name][place] = value
    with pytest.raises(BadModel, match="tree"):
        FlatTree.restore(arrays, table.schema, 3)


def test_tests_without_rows() -> None:
    tree, table = small()
    arrays = tree.arrays()
    arrays["counts"][:3] = 0
    with pytest.raises(BadModel, match="without rows"):
        FlatTree.restore(arrays, table.schema, 3)


def test_arrays_that_do_not_fit() -> None:
    tree, table = small()
    for name in tree.arrays():
        for wrong in (tree.arrays()[name][:-1], tree.arrays()[name].astype("f4")):
            with pytest.raises(BadModel):
                FlatTree.restore({**tree.arrays(), name: wrong}, table.schema, 3)
        with pytest.raises(BadModel, match=name):
            FlatTree.restore({key: value for key, value in tree.arrays().items() if key != name}, table.schema, 3)
