"""The shortest consistent tree: the twin, trees that are consistent, examples where greed is longer."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.learners.tree.shortest import tests_of as count_tests
from naive.shortest_tree import fewest_tests


def random_rows(seed, rows):
    rng = Random(seed)
    drawn = {(rng.choice("ab"), rng.choice("xyz"), rng.choice("pq"), rng.randrange(4)) for _ in range(rows)}
    return [dict(zip("ABCN", row, strict=True)) for row in sorted(drawn)]


def test_random_tables_like_the_twin():
    longer = 0
    for seed in range(25):
        rows = random_rows(seed, 12)
        rng = Random(f"labels {seed}")
        labels = [rng.randrange(3 if seed % 2 else 2) for _ in rows]
        found = mb.learners.shortest_tree(rows, labels)
        expected = fewest_tests([tuple(row.values()) for row in rows], labels, ["nominal"] * 3 + ["numeric"])
        assert found.exact
        assert found.value == expected
        assert count_tests(found.tree) == expected
        assert found.tree.predict_many(rows) == labels
        assert found.greedy.predict_many(rows) == labels
        assert found.greedy_tests >= expected
        longer += found.greedy_tests > expected
    assert longer > 2


def test_greed_is_longer_on_a_multiplexer():
    """x0 says which of x1 and x2 counts: 3 tests; gain sees nothing in x0."""
    rows = [dict(zip(("x0", "x1", "x2", "x3"), map(str, x), strict=True)) for x in product((0, 1), repeat=4)]
    labels = [int(row["x1"] if row["x0"] == "0" else row["x2"]) for row in rows]
    found = mb.learners.shortest_tree(rows, labels)
    assert (found.value, found.greedy_tests > 3) == (3, True)
    assert found.tree.text().startswith("x0 = 0\n")
    assert str(found) == f"3 tests, the greedy tree has {found.greedy_tests}"


def test_one_class_needs_no_test():
    assert mb.learners.shortest_tree([{"a": 1}, {"a": 2}], ["x", "x"]).value == 0


def test_out_of_time():
    rng = np.random.RandomState(0)
    rows = rng.randint(0, 2, (200, 12))
    unique = np.unique(rows, axis=0)
    found = mb.learners.shortest_tree(unique, rng.randint(0, 2, len(unique)).tolist(), timeout=0.0)
    assert not found.exact
    assert 1 <= found.lower <= found.upper == found.greedy_tests
    assert found.tree is None
    assert "to" in str(found)


def test_refused():
    with pytest.raises(mb.NoConsistentHypothesis, match="row 0 and row 2 are equal, their labels are not"):
        mb.learners.shortest_tree([{"a": 1}, {"a": 2}, {"a": 1}], [0, 0, 1])
    with pytest.raises(mb.BadData, match="row 1: the shortest tree is for tables without gaps, and 'a' is missing"):
        mb.learners.shortest_tree([{"a": 1}, {"a": None}], [0, 1])
