"""Reduced-error, pessimistic and MDL pruning against their twins, on trees of chance splits."""

from __future__ import annotations

import numpy as np
import pytest

from learners.random_trees import random_codes, random_table, random_tree
from mistakebound.learners.tree._prune import (
    additional_errors,
    additional_errors_of_one,
    code_length,
    mdl,
    pessimistic,
    reduced_error,
)
from mistakebound.learners.tree.shape import leaves_below, preorder, subtree_sizes
from naive import tree_prunings as naive

SEEDS = range(30)


def grown(seed, rows=60, classes=3, depth=5):
    table = random_table(seed, rows)
    codes = random_codes(seed, rows, classes)
    return table, codes, random_tree(seed, table, codes, classes, depth)


def same_tree(tree, node):
    """Whether a FlatTree has the nodes of a nested tree."""
    expected = [(found.column if not found.leaf else -1, found.label, found.counts) for found in node.walk()]
    order = np.argsort(preorder(tree))
    return expected == [(int(tree.column[n]), int(tree.label[n]), tree.counts[n].tolist()) for n in order]


def cells(table):
    """Rows of codes and numbers, None where missing."""
    columns = [[None if gap else value for gap, value in zip(c.missing, c.data.tolist(), strict=True)]
               for c in table.columns]  # fmt: skip
    return list(zip(*columns, strict=True))


def test_shapes():
    for seed in SEEDS[:8]:
        _, _, tree = grown(seed)
        walked = list(naive.nested(tree).walk())
        order = preorder(tree)
        assert [int(order[node.number]) for node in walked] == list(range(tree.size))
        for node in walked:
            below = list(node.walk())
            assert subtree_sizes(tree)[node.number] == len(below)
            assert leaves_below(tree)[node.number] == sum(found.leaf for found in below)


@pytest.mark.parametrize("fractions", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_reduced_error_goes_step_by_step_like_the_twin(missing, fractions):
    steps = 0
    for seed in SEEDS[:15]:
        _, _, tree = grown(seed)
        validation = random_table(seed + 1000, 40, missing=missing)
        codes = random_codes(seed + 1000, 40, 3)
        for row in range(0, 40, 2):  # a tree that is right more often than chance is worth more than its root
            codes[row] = tree.label[tree.path(validation, row)[-1]]
        root = naive.nested(tree)
        expected = naive.reduced_error(root, cells(validation), codes.tolist(), fractions)
        pruned, trace = reduced_error(tree, validation, codes, fractions=fractions)
        assert [step[:2] for step in trace] == [step[:2] for step in expected]
        assert [step[2:] for step in trace] == [pytest.approx(step[2:]) for step in expected]
        assert same_tree(pruned, root)
        steps += len(trace)
    assert steps > len(SEEDS[:15])


def test_a_perfect_tree_keeps_every_test_that_a_validation_row_needs():
    table, _, tree = grown(3)
    leaf = [tree.path(table, row)[-1] for row in range(table.rows)]
    kept, _ = reduced_error(tree, table, tree.label[leaf], fractions=True)
    assert [kept.label[kept.path(table, row)[-1]] for row in range(table.rows)] == tree.label[leaf].tolist()


@pytest.mark.parametrize("confidence", [0.01, 0.1, 0.25, 0.5, 1.0])
def test_added_errors(confidence):
    cases = [
        (n, e) for n in (0.4, 1.0, 1.2, 2.0, 3.5, 7.0, 50.0, 1000.0) for e in (0.0, 0.3, 0.99995, 1.0, 1.7, 6.0, 49.0)
    ]
    cases = [(n, e) for n, e in cases if e <= n]
    rows, errors = np.array(cases).T
    expected = [naive.added_errors(n, e, confidence) for n, e in cases]
    assert additional_errors(rows, errors, confidence) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert [additional_errors_of_one(n, e, confidence) for n, e in cases] == pytest.approx(
        expected, rel=1e-12, abs=1e-12
    )
    assert additional_errors(np.zeros(1), np.zeros(1), confidence).tolist() == [0.0]
    assert additional_errors_of_one(0, 0, confidence) == 0.0


def test_quinlans_example():
    """C4.5's book, chapter 4: leaves of 6, 9 and 1 rows without errors are charged 3.273, as one leaf 2.512 of 16."""
    leaves = additional_errors(np.array([6.0, 9.0, 1.0]), np.zeros(3), 0.25)
    assert leaves.sum() == pytest.approx(6 * 0.206 + 9 * 0.143 + 1 * 0.750, abs=0.01)
    as_leaf = 1 + additional_errors(np.array([16.0]), np.ones(1), 0.25)[0]
    assert as_leaf == pytest.approx(16 * 0.157, abs=0.01)
    assert as_leaf < leaves.sum()


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.6])
def test_pessimistic_like_the_twin(confidence):
    changed = 0
    for seed in SEEDS:
        _, _, tree = grown(seed, classes=2)
        root = naive.nested(tree)
        naive.pessimistic(root, confidence)
        pruned = pessimistic(tree, confidence)
        assert same_tree(pruned, root)
        changed += pruned.size < tree.size
    assert changed > len(SEEDS) // 2


def test_description_length_is_the_least_of_all_prunings():
    changed = 0
    for seed in SEEDS[:10]:
        table, _, tree = grown(seed, rows=40, classes=2, depth=3)
        thresholds = len(set(table.columns[2].data.tolist())) - 1
        totals = {}
        for cut in naive.prunings(naive.nested(tree)):
            root = naive.nested(tree)
            for node in root.walk():
                node.cut = node.number in cut
            parts = naive.bits(root, [None, None, thresholds], 2)
            totals[cut] = sum(parts)
            flags = np.array([number in cut for number in range(tree.size)])
            assert tuple(code_length(tree.restrict(flags), table)) == pytest.approx(parts)
        pruned, after, before = mdl(tree, table)
        assert after.total == pytest.approx(min(totals.values()))
        assert before.total == pytest.approx(totals[frozenset()])
        assert after == code_length(pruned, table)
        changed += after.total < before.total
    assert changed > 5
