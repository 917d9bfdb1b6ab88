"""Saving, copying and pickling are written once: what a family or an algorithm gives comes back."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound import learners
from mistakebound.core.persistence import Persistent
from mistakebound.core.protocol import BatchLearner

ONCE = ("save", "model_size", "copy", "__copy__", "__deepcopy__", "__reduce__")


class Majority(BatchLearner):
    """A learner of one's own, which says nothing of model files."""

    name = "majority"
    said: Any = None

    def fit(self, X: Any, y: Any) -> Majority:
        self.said = [max(y, key=y.count)]
        return self

    @property
    def hypothesis(self) -> Any:
        return self.said


@pytest.mark.parametrize("name", learners.names())
def test_no_learner_has_a_version_of_its_own(name: str) -> None:
    found = learners.find(name)
    assert found.saves
    for method in ONCE:
        assert getattr(found, method) is getattr(Persistent, method), method


def test_a_learner_without_a_model_file_is_copied_by_its_attributes(tmp_path: Path) -> None:
    learner = Majority().fit([[1], [2], [3]], [0, 1, 1])
    for twin in (learner.copy(), copy.copy(learner), copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))):
        assert twin.said == [1]
        twin.said.append(5)
        assert learner.said == [1]
    assert learner.model_size() is None
    with pytest.raises(mb.BadParameter, match="majority has no model file"):
        learner.save(tmp_path / "model.mb")
    assert not [*tmp_path.iterdir()]


def test_what_a_file_does_not_hold_is_in_a_copy() -> None:
    rows, labels = [{"a": str(k % 3), "b": str(k % 2)} for k in range(12)], [k % 2 for k in range(12)]
    tree = mb.DecisionTree(prune="pessimistic").fit(rows, labels)
    for twin in (tree.copy(), pickle.loads(pickle.dumps(tree))):
        assert twin.unpruned == tree.unpruned
        assert twin.trace == tree.trace
    means = mb.learners.GaussianMeans(2, 1.0).fit([0.0, 1.0, 9.0, 10.0])
    assert means.copy().points.tolist() == means.points.tolist()
    assert mb.NaiveBayes(attributes="words", declared=["a"]).copy().declared == ["a"]


@pytest.mark.parametrize("name", ["decision-tree", "naive-bayes", "table-network"])
def test_what_was_not_fitted_has_nothing_to_save(name: str, tmp_path: Path) -> None:
    learner: Any = learners.find(name)()
    assert not learner.copy().fitted
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        learner.save(tmp_path / "model.mb")
