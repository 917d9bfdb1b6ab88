"""River's own checks and tools on every classifier."""

from __future__ import annotations

import copy
import doctest
from array import array
from typing import Any

import pytest
from river import datasets, drift, ensemble, evaluate, metrics, preprocessing
from river.checks import yield_checks

import mistakebound as mb
import mistakebound.river as classifiers
from mistakebound.core.calibration import CalibrationTable

ALL = [getattr(classifiers, name)() for name in classifiers.__all__]
CASES = [(model, check) for model in ALL for check in yield_checks(model)]


@pytest.mark.parametrize(("model", "check"), CASES, ids=lambda one: getattr(one, "__name__", type(one).__name__))
def test_the_checks_of_river(model: Any, check: Any) -> None:
    check(copy.deepcopy(model))


@pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)
def test_progressive_validation_is_the_learner_alone(model: Any) -> None:
    rows = list(datasets.Phishing().take(400))
    found = evaluate.progressive_val_score(iter(rows), model.clone(), metrics.Accuracy())
    learner = type(model)._kind(labels=(False, True))
    right = 0
    for number, (x, y) in enumerate(rows):
        values = {name: float(value > 0) if learner.binary else float(value) for name, value in x.items()}
        right += number > 0 and learner.predict_one(values) == y  # River leaves a row out that has no prediction yet
        learner.learn_one(values, y)
    assert round(found.get() * 399) == right


def test_more_labels_texts_and_weights() -> None:
    model = classifiers.Perceptron()
    assert model.predict_one({"sound": "woof"}) is None
    for sound, label in (("woof", "dog"), ("miaow", "cat"), ("moo", "cow")) * 3:
        model.learn_one({"sound": sound, "tail": True, "age": None}, label, w=2.0)
    assert [model.predict_one({"sound": sound}) for sound in ("woof", "miaow", "moo")] == ["dog", "cat", "cow"]
    assert model.learner.name == "one-vs-all"
    told = classifiers.AROW()
    told.learn_one({"a": 1}, True)
    with pytest.raises(mb.BadData, match="labels must be of one kind"):
        told.learn_one({"a": 1}, "yes")


def test_pipelines_metrics_and_detectors_of_river() -> None:
    model = preprocessing.StandardScaler() | classifiers.AROW()
    metric, detector = metrics.F1(), drift.ADWIN()
    for x, y in datasets.Phishing().take(600):
        said = model.predict_one(x)
        if said is not None:
            metric.update(y, said)
            detector.update(float(said != y))
        model.learn_one(x, y)
    assert metric.get() > 0.8
    assert doctest.testmod(classifiers).failed == 0


def test_probabilities_of_auto() -> None:
    model = classifiers.Auto()
    assert model.predict_proba_one({"a": 1.0}) == {}
    metric = metrics.LogLoss()
    for x, y in datasets.Phishing().take(400):
        shares = model.predict_proba_one(x)
        if shares:
            metric.update(y, shares)
        model.learn_one(x, y)
    assert metric.get() < 0.5
    wider = classifiers.Auto()
    for sound, label in (("woof", "dog"), ("miaow", "cat"), ("moo", "cow")) * 5:
        wider.learn_one({"sound": sound}, label)
    shares = wider.predict_proba_one({"sound": "moo"})
    assert max(shares, key=shares.get) == "cow"  # type: ignore[arg-type]
    assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("model", ALL, ids=lambda model: type(model).__name__)
def test_ensembles_and_detectors_of_river_that_ask_for_probabilities(model: Any) -> None:
    rows = list(datasets.Phishing().take(600))
    for wrapped in (
        drift.DriftRetrainingClassifier(model.clone(), drift.binary.DDM()),
        ensemble.ADWINBaggingClassifier(model.clone(), n_models=2, seed=1),
    ):
        evaluate.progressive_val_score(iter(rows), wrapped, metrics.Accuracy())
    area = evaluate.progressive_val_score(iter(rows), model.clone(), metrics.ROCAUC())
    assert area.get() > (0.4 if "Winnow" in type(model).__name__ else 0.85)


def test_probabilities_of_scores_are_calibrated() -> None:
    model, learner, tables = classifiers.AROW(), mb.AROW(labels=(False, True)), CalibrationTable()
    for x, y in datasets.Phishing().take(500):
        values = {name: float(value) for name, value in x.items()}
        score = learner.score_one(values)
        expected = tables.probabilities([score], 0.0)[0]
        shares = model.predict_proba_one(x)
        assert shares in ({}, {False: 1 - expected, True: expected})
        tables.count(array("d", [score]), array("b", [y]), 0, 1)
        learner.learn_one(values, y)
        model.learn_one(x, y)
    wide, right, said = preprocessing.StandardScaler() | classifiers.AROW(), 0, 0.0
    for x, y in datasets.ImageSegments().take(1000):
        shares = wide.predict_proba_one(x)
        if shares:
            assert sum(shares.values()) == pytest.approx(1)
            most = max(shares, key=shares.get)  # type: ignore[arg-type]
            right, said = right + (most == y), said + shares[most]
        wide.learn_one(x, y)
    assert len(shares) == 7
    assert right > 750
    assert abs(right - said) < 200, "about as often as it says"
