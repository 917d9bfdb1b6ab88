"""scikit-learn's own checks, and its tools, on every estimator."""

from __future__ import annotations

import doctest
import inspect
import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import mistakebound as mb
import mistakebound.sklearn as estimators

ALL = [getattr(estimators, name)() for name in estimators.__all__]
ONLINE = [estimator for estimator in ALL if hasattr(estimator, "partial_fit")]
ORDER = "an online learner moves by what it has learned before: one large step is not several small ones"


def expected_failures(estimator: Any) -> dict[str, str]:
    """Checks of scikit-learn that an estimator does not pass, with the reason."""
    if isinstance(estimator, estimators.NaiveBayesClassifier) or not hasattr(estimator, "partial_fit"):
        return {}
    return {f"check_sample_weight_equivalence_on_{kind}_data": ORDER for kind in ("dense", "sparse")}


@parametrize_with_checks(ALL, expected_failed_checks=expected_failures)
def test_the_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def data() -> tuple[Any, Any]:
    X, y = make_classification(300, 12, n_informative=6, class_sep=1.5, random_state=3)
    return X, np.where(y == 1, "yes", "no")


def test_every_learner_that_takes_arrays_has_an_estimator() -> None:
    assert len(estimators.__all__) >= 12
    assert doctest.testmod(estimators).failed == 0


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_the_tools_of_scikit_learn(estimator: Any) -> None:
    X, y = data()
    pipeline = make_pipeline(StandardScaler(), clone(estimator))
    scores = cross_val_score(pipeline, X, y, cv=3, error_score="raise", n_jobs=1)
    # Winnow1 needs a target that is a disjunction: a weight that noise has eliminated never comes back.
    assert scores.mean() > (0.45 if isinstance(estimator, estimators.Winnow1Classifier) else 0.6)
    fitted = pipeline.fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(X) == fitted.predict(X)).all()
    calibrated = CalibratedClassifierCV(clone(estimator), cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (300, 2)


def test_a_grid_search_in_two_processes() -> None:
    X, y = data()
    search = GridSearchCV(estimators.AROWClassifier(), {"r": [0.1, 1.0], "passes": [1, 3]}, cv=3, n_jobs=2)
    assert search.fit(X, y).best_score_ > 0.7
    assert set(search.best_params_) == {"r", "passes"}


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_a_clone_has_the_parameters_and_joblib_keeps_what_was_learned(estimator: Any, tmp_path: Path) -> None:
    X, y = data()
    fitted = clone(estimator).fit(X, y)
    assert clone(fitted).get_params() == estimator.get_params()
    assert not hasattr(clone(fitted), "learner_")
    joblib.dump(fitted, tmp_path / "fitted.joblib")
    again = joblib.load(tmp_path / "fitted.joblib")
    assert (again.predict(X) == fitted.predict(X)).all()
    apart = joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(fitted.predict)(X) for _ in range(2))
    assert (np.array(apart) == fitted.predict(X)).all()


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_weights_are_routed_to_those_that_support_them(estimator: Any) -> None:
    X, y = data()
    weighted = "sample_weight" in inspect.signature(type(estimator).fit).parameters
    assert weighted == bool(type(estimator)._kind.weighted)
    if not weighted:
        with pytest.raises(TypeError, match="sample_weight"):
            clone(estimator).fit(X, y, sample_weight=np.ones(len(y)))
        return
    few = (np.arange(len(y)) % 3 == 0).astype(float)  # rows of weight 0 are left out
    with config_context(enable_metadata_routing=True):
        step = clone(estimator).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler(with_mean=False).set_fit_request(sample_weight=False), step)
        pipeline.fit(X, y, sample_weight=few)
    scaler = StandardScaler(with_mean=False).fit(X)
    alone = clone(estimator).fit(scaler.transform(X), y, sample_weight=few)
    assert (pipeline.predict(X) == alone.predict(scaler.transform(X))).all()


def test_auto_needs_no_settings() -> None:
    X, y = load_iris(return_X_y=True)
    estimator = estimators.AutoClassifier()
    assert cross_val_score(estimator, X, y, cv=3).mean() > 0.85
    shares = estimator.fit(X, y).predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    assert (estimator.classes_[shares.argmax(axis=1)] == estimator.predict(X)).all()
    few, told = data()
    pair = estimators.AutoClassifier(passes=1, shuffle=False).fit(few, told)
    learner = mb.Auto(labels=("no", "yes"))
    learner.learn_many(few, told)
    assert (pair.predict_proba(few) == learner.predict_proba_many(few)).all()
    thin = estimators.AutoClassifier().fit(sparse.csr_matrix(few), told)
    assert (thin.predict(sparse.csr_matrix(few)) == told).mean() > 0.8


@pytest.mark.parametrize("estimator", ONLINE, ids=lambda e: type(e).__name__)
def test_one_pass_without_shuffling_is_partial_fit_in_pieces(estimator: Any) -> None:
    X, y = data()
    more = {"binarize": 0.0} if "binarize" in estimator.get_params() else {}
    plain = {"passes": 1, "shuffle": False} if "passes" in estimator.get_params() else {}
    whole = clone(estimator).set_params(**plain, **more).fit(X, y)
    pieces = clone(estimator).set_params(**more)
    for start in range(0, len(y), 70):
        pieces.partial_fit(X[start : start + 70], y[start : start + 70], classes=["yes", "no"])
    assert (whole.predict(X) == pieces.predict(X)).all()
    if hasattr(whole, "decision_function"):
        assert (whole.decision_function(X) == pieces.decision_function(X)).all()


def test_the_learner_behind_an_estimator_is_the_learner_alone() -> None:
    X, y = data()
    estimator = estimators.AROWClassifier(r=0.5, passes=1, shuffle=False).fit(X, y)
    learner = mb.AROW(r=0.5, labels=("no", "yes"))
    learner.learn_many(X, y)
    assert (estimator.decision_function(X) == learner.score_many(X)).all()
    assert (estimator.predict(X) == learner.predict_many(X)).all()


def test_scores_decide_and_a_sparse_matrix_is_the_dense_one() -> None:
    X, y = load_iris(return_X_y=True)
    estimator = estimators.PassiveAggressiveClassifier().fit(X, y)
    assert (estimator.classes_[estimator.decision_function(X).argmax(axis=1)] == estimator.predict(X)).all()
    thin = estimators.PassiveAggressiveClassifier().fit(sparse.csr_matrix(X), y)
    assert (thin.decision_function(X) == estimator.decision_function(X)).all()


def test_names_of_a_frame_reach_the_learner() -> None:
    pandas = pytest.importorskip("pandas")
    X, y = data()
    frame = pandas.DataFrame(X[:, :2], columns=["height", "mass"])
    linear = estimators.AROWClassifier().fit(frame, y)
    assert set(linear.feature_names_in_) == {"height", "mass"}
    assert "height" in str(linear.learner_.hypothesis)
    winnow = estimators.Winnow2Classifier(binarize=0).fit(frame, y)
    assert winnow.learner_.score_one({"height>0"}) != winnow.learner_.score_one({"never seen"})
    with pytest.raises(ValueError, match="feature names"):
        linear.predict(frame.rename(columns={"mass": "weight"}))


def test_flags_are_said_and_refused() -> None:
    X, y = data()
    flags = estimators.Winnow2Classifier().fit(X, y)
    assert (flags._flags.cuts == np.median(X[:1000], axis=0)).all()
    with pytest.raises(mb.BadParameter, match="binarize must be 'median'"):
        estimators.Winnow2Classifier(binarize="mean").fit(X, y)
    with pytest.raises(mb.BadData, match=r"0 (and|or) 1"):
        estimators.Winnow2Classifier(binarize=None).fit(X, y)
    with pytest.raises(mb.BadParameter, match="alpha must be a number > 1"):
        estimators.Winnow2Classifier(alpha=0.5).fit(X, y)
    with pytest.raises(mb.BadParameter, match="passes must be a whole number >= 1"):
        estimators.AROWClassifier(passes=0).fit(X, y)
    with pytest.raises(TypeError, match="has no parameter 'q'"):
        estimators.AROWClassifier(q=1)


def test_the_running_median_stops_at_a_thousand_rows() -> None:
    rows = np.arange(3000.0).reshape(-1, 1)
    labels = (rows[:, 0] % 2).astype(int)
    estimator = estimators.Winnow2Classifier()
    for start in range(0, 3000, 600):
        estimator.partial_fit(rows[start : start + 600], labels[start : start + 600], classes=[0, 1])
        assert estimator._flags.cuts[0] == (299.5 if start == 0 else 499.5)


def test_weights_repeat_rows_in_the_median() -> None:
    rng = np.random.default_rng(5)
    from mistakebound.sklearn._binarize import Flags

    for _ in range(200):
        values = rng.integers(0, 9, (int(rng.integers(1, 12)), 1)).astype(float)
        weights = rng.integers(1, 4, len(values))
        flags = Flags("median")
        flags.look_at(values, weights.astype(float))
        assert flags.cuts[0] == np.median(np.repeat(values[:, 0], weights))
