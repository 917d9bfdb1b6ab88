"""Curves of a tree: every point is the accuracy of a tree that one could have had."""

from __future__ import annotations

import numpy as np
import pytest

import mistakebound as mb
from learners.random_trees import random_codes, random_table, random_tree
from mistakebound.arena.tree_curves import learning_curve, size_curve
from mistakebound.report.decision_tree import draw_tree_curves


def accuracy(tree, table, codes):
    said = [tree.label[tree.path(table, row)[-1]] for row in range(table.rows)]
    return float(np.mean(said == codes))


@pytest.mark.parametrize("seed", range(8))
def test_every_size_is_a_pruning(seed):
    training = random_table(seed, 60), random_codes(seed, 60, 2)
    validation = random_table(seed + 100, 40), random_codes(seed + 100, 40, 2)
    tree = random_tree(seed, *training, 2)
    points = size_curve(tree, training, validation, fractions=True)
    assert points[0][:1] == (1,)
    assert points[0].training == pytest.approx(np.bincount(training[1]).max() / 60)
    assert points[-1].at == tree.size
    assert points[-1].training == pytest.approx(accuracy(tree, *training))
    assert points[-1].validation == pytest.approx(accuracy(tree, *validation))
    sizes = [point.at for point in points]
    assert sizes == sorted(set(sizes))
    training_accuracy = [point.training for point in points]
    assert training_accuracy == sorted(training_accuracy)  # a split never makes more training errors


def test_the_learning_curve_ends_with_all_rows():
    training = random_table(1, 120), random_codes(1, 120, 2)
    validation = random_table(2, 60), random_codes(2, 60, 2)

    def grow(table, codes):
        learner = mb.DecisionTree(min_leaf=1)
        learner.fit_codes(table, codes, (0, 1))
        return learner

    heard = []
    points = learning_curve(grow, training, validation, watch=lambda done, of: heard.append((done, of)))
    assert [point.at for point in points] == [10 * k for k in range(1, 13)]
    whole = grow(*training)
    assert points[-1].training == pytest.approx(np.mean(whole.predict_table(training[0]) == training[1]))
    assert points[-1].validation == pytest.approx(np.mean(whole.predict_table(validation[0]) == validation[1]))
    assert heard[-1] == (56, 56)
    assert points == learning_curve(grow, training, validation)


@pytest.mark.some(1)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_picture(tmp_path, ending):
    path = tmp_path / f"curves.{ending}"
    curve = [(10 * k, 0.5 + 0.04 * k, 0.5 + 0.02 * k) for k in range(1, 12)]
    draw_tree_curves(str(path), curve, curve, title="a tree", pruned=("mdl", 30, 0.7))
    assert path.stat().st_size > 5000
    if ending == "svg":
        text = path.read_text()
        assert text.count(">validation<") == 2
        assert "30 nodes, 70.0 %" in text
