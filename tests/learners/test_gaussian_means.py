"""GaussianMeans: the twin's steps, a likelihood that never falls, any number of threads, restarts, what is refused."""

from __future__ import annotations

from array import array
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.learners import GaussianMeans
from naive.gaussian_means import naive_log_likelihood, naive_responsibilities, naive_step


def cloud(seed: int, n: int, d: int, k: int, spread: float = 4.0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    means = draw.normal(size=(k, d)) * spread
    return means[draw.integers(k, size=n)] + draw.normal(size=(n, d)), means


@settings(max_examples=settings().max_examples * 2 // 5)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 5), st.integers(5, 300))
@example(147668, 3, 3, 221)  # no step raises the likelihood after the second
def test_twin_agrees(seed: int, d: int, k: int, n: int) -> None:
    X, _ = cloud(seed, n, d, k)
    variance = float(np.random.default_rng(seed).choice([0.3, 1.0, 7.0]))
    start = X[:k]
    learner = GaussianMeans(k, variance, max_iter=3, tol=0.0).fit(X, start=start)
    means = start.tolist()
    for found in learner.log_likelihoods:
        means = naive_step(X.tolist(), means, variance)
        expected = naive_log_likelihood(X.tolist(), means, variance)
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-10)
    if len(learner.log_likelihoods) < 3:  # it stopped at the top: nor does the twin get higher, but by rounding
        assert learner.run.converged
        further = naive_log_likelihood(X.tolist(), naive_step(X.tolist(), means, variance), variance)
        assert further == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert np.allclose(learner.means, means, rtol=1e-10, atol=1e-10)
    shares = naive_responsibilities(X.tolist(), means, variance)
    assert np.allclose(learner.responsibilities, shares, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("d", "k"), [(1, 2), (1, 10), (2, 3), (8, 5), (31, 4)])
def test_the_likelihood_never_falls(d: int, k: int) -> None:
    X, _ = cloud(d + k, 3000, d, k, spread=2.0)
    for seed in range(3):
        learner = GaussianMeans(k, 1.0, max_iter=60, tol=0.0, random_state=seed).fit(X)
        steps = [learner.run.start_log_likelihood, *learner.log_likelihoods]
        assert all(b >= a for a, b in pairwise(steps))
        assert len(steps) == 61 or learner.run.stopped == "no step raises the log-likelihood any more"
        assert steps[-1] > steps[0]


def test_well_separated_means_are_found_by_restarts() -> None:
    X, means = cloud(3, 2000, 2, 4, spread=12.0)
    learner = GaussianMeans(4, 1.0, restarts=10, random_state=1).fit(X)
    found = learner.means[np.lexsort(learner.means.T)]
    assert np.allclose(found, means[np.lexsort(means.T)], atol=0.15)
    single = [GaussianMeans(4, 1.0, random_state=seed).fit(X).run.log_likelihood for seed in range(5)]
    assert learner.run.log_likelihood >= max(single) - 1e-6
    assert learner.run.converged
    labels = learner.predict_many(X)
    assert labels.tolist() == learner.responsibilities.argmax(axis=1).tolist()
    assert learner.log_likelihood(X) == pytest.approx(learner.run.log_likelihood, rel=1e-13)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_do_not_matter(threads: int) -> None:
    X, _ = cloud(5, 50_001, 3, 3)
    one = GaussianMeans(3, 1.0, max_iter=4).fit(X, threads=1)
    more = GaussianMeans(3, 1.0, max_iter=4).fit(X, threads=threads)
    assert one.means.tobytes() == more.means.tobytes()
    assert one.log_likelihoods == more.log_likelihoods
    assert one.hypothesis == more.hypothesis
    assert hash(one.hypothesis) == hash(more.hypothesis)


def test_far_away_and_tiny() -> None:
    """Means that no double's density reaches stay; data far from 0 lose nothing; one point, one mean."""
    far = GaussianMeans(2, 1e-4, max_iter=5).fit([0.0, 0.01, 0.02], start=[0.0, 1e6])
    assert far.means[1, 0] == 1e6
    assert far.means[0, 0] == pytest.approx(0.01)
    shifted = GaussianMeans(2, 0.01, max_iter=20).fit(np.array([0.0, 0.1, 3.0, 3.1]) + 1e8, start=[1e8, 1e8 + 3])
    assert np.allclose(shifted.means - 1e8, [[0.05], [3.05]], atol=1e-6)
    alone = GaussianMeans(1, 2.0).fit([[3.0, 4.0]])
    assert alone.means.tolist() == [[3.0, 4.0]]
    assert alone.responsibilities.tolist() == [[1.0]]
    same = GaussianMeans(2, 1.0).fit([[1.0]] * 5)
    assert same.means.tolist() == [[1.0], [1.0]]


def test_the_hypothesis_is_a_value() -> None:
    learner = GaussianMeans(2, 0.5).fit([0.0, 0.1, 5.0, 5.1], start=[0, 5])
    before = learner.hypothesis
    assert str(before) == "2 Gaussians of variance 0.5 at 0.05; 5.05"
    expected = np.exp(naive_log_likelihood([[0.3]], learner.means.tolist(), 0.5))
    assert before.density(0.3) == pytest.approx(expected)
    learner.fit([1.0, 2.0], start=[1, 2])
    assert before != learner.hypothesis
    assert str(before).endswith("0.05; 5.05")
    flat = GaussianMeans(1, 1.0).fit([[0.0, 0.0]])
    assert flat.hypothesis.density([0.0, 0.0]) == pytest.approx(1 / (2 * np.pi))


def test_many_kinds_of_points() -> None:
    X = np.array([[0.0, 1.0], [2.0, 3.0], [8.0, 9.0]])
    kinds = [X.tolist(), X.astype(np.float32), np.asfortranarray(X), X.astype(int), [tuple(row) for row in X]]
    fitted = [GaussianMeans(2, 1.0).fit(kind).means.tobytes() for kind in kinds]
    assert len(set(fitted)) == 1
    told: list[int] = []
    GaussianMeans(2, 1.0, restarts=2, max_iter=3, tol=0).fit(X, progress=lambda step, _: told.append(step))
    assert told == [1, 2, 3, 1, 2, 3]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: GaussianMeans(2, 0), "variance must be a number > 0: 0"),
        (lambda: GaussianMeans(2, -1.0), "variance must be a number > 0: -1.0"),
        (lambda: GaussianMeans(2, 1e-310), "variance must be a number > 1e-307: 1e-310"),
        (lambda: GaussianMeans(0, 1), "k must be a whole number >= 1: 0"),
        (lambda: GaussianMeans(2, 1, tol=-1), "tol must be a number >= 0: -1"),
        (lambda: GaussianMeans(2, 1, random_state=None), "random_state must be a whole number >= 0: None"),
        (lambda: GaussianMeans(4, 1).fit([1, 2, 3]), "k must be at most the number of points, 3: 4"),
        (lambda: GaussianMeans(1, 1).fit([]), r"X must have at least one point .*: shape \(0, 1\)"),
        (lambda: GaussianMeans(1, 1).fit([[1, 2], [1, float("nan")]]), "row 1: X must have .*: nan in column 1"),
        (lambda: GaussianMeans(1, 1).fit([1, float("inf")]), "row 1: X must have numbers between .*: inf"),
        (lambda: GaussianMeans(1, 1).fit([[1, 2], [3]]), "X must be points, all with as many numbers"),
        (lambda: GaussianMeans(1, 1).fit(["a"]), "X must be points, all with as many numbers"),
        (lambda: GaussianMeans(1, 1).fit([[[1]]]), "X must be points on a line or rows of numbers: 3 dimensions"),
        (lambda: GaussianMeans(1, 1).fit([[1, 2]]).predict_many([[1, 2, 3]]), "points of 2 numbers, .* means: 3"),
        (lambda: GaussianMeans(2, 1).fit([1, 2], start=[1]), r"start must be 2 means of 1 numbers: shape \(1,\)"),
        (lambda: GaussianMeans(1, 1).fit([1], start=["x"]), "start must be 1 means of 1 numbers: X must be points"),
        (lambda: GaussianMeans(1, 1).fit([1], threads=0), "threads must be a whole number >= 1: 0"),
        (lambda: GaussianMeans(1, 1).means, "has learned nothing yet"),
        (lambda: GaussianMeans(1, 1).responsibilities, "has learned nothing yet"),
    ],
)  # fmt: skip
def test_what_is_refused(call: Any, said: str) -> None:
    with pytest.raises((mb.BadParameter, mb.BadData), match=said):
        call()


def test_tol_is_a_gain_for_every_point() -> None:
    """The same points a thousand times over are the same climb, step by step."""
    X = [0.0, 0.4, 1.0, 1.3, 2.0, 2.2]
    once = GaussianMeans(2, 1.0, tol=1e-4).fit(X, start=[0.9, 1.1])
    often = GaussianMeans(2, 1.0, tol=1e-4).fit(X * 1000, start=[0.9, 1.1])
    assert 1 < once.run.steps == often.run.steps < 100


def test_a_model_file_holds_all_but_the_points(tmp_path: Path) -> None:
    learner = GaussianMeans(k=2, variance=0.5, restarts=3).fit([[0.0, 1.0], [0.1, 1.0], [5.0, 4.0], [5.0, 4.1]])
    path = tmp_path / "means.mb"
    assert learner.save(path) == path.stat().st_size
    again = mb.load(path).learner
    assert type(again) is GaussianMeans
    assert again.settings == learner.settings
    assert again.hypothesis == learner.hypothesis
    assert np.array_equal(again.way, learner.way)
    assert np.array_equal(again.shares, learner.shares)
    assert again.log_likelihoods == learner.log_likelihoods
    assert repr(again.run) == repr(learner.run)
    assert (again.run.converged, again.run.start_log_likelihood) == (True, learner.run.start_log_likelihood)
    assert np.array_equal(again.predict_proba_many([[1.0, 1.0]]), learner.predict_proba_many([[1.0, 1.0]]))
    for ask in (lambda: again.points, lambda: again.responsibilities):
        with pytest.raises(mb.BadParameter, match="a model file does not hold the training points"):
            ask()
    assert again.save(tmp_path / "again.mb") == learner.save(path)
    assert (tmp_path / "again.mb").read_bytes() == path.read_bytes()


def test_nothing_is_saved_before_the_first_fit(tmp_path: Path) -> None:
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        GaussianMeans(k=2, variance=1.0).save(tmp_path / "means.mb")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda header, arrays: header["state"].update(points=1),
        lambda header, arrays: header["state"].update(points=1.5),
        lambda header, arrays: header["state"].update(points=9),
        lambda header, arrays: header["state"].update(dimensions=0),
        lambda header, arrays: header["state"].update(dimensions=2),
        lambda header, arrays: header["state"].update(dimensions="1"),
        lambda header, arrays: header["state"].update(converged=1),
        lambda header, arrays: header["state"].update(stopped=None),
        lambda header, arrays: header["state"].pop("stopped"),
        lambda header, arrays: header["parameters"].update(k=3),
        lambda header, arrays: arrays.update(way=array("d")),
        lambda header, arrays: arrays.update(log_likelihoods=array("d"), way=array("d")),
        lambda header, arrays: arrays.update(weights=array("d", [-1.0, 5.0])),
        lambda header, arrays: arrays.update(weights=array("d", [4.0])),
        lambda header, arrays: arrays.update(weights=array("d", [float("nan"), 2.0])),
        lambda header, arrays: arrays.update(weights=array("q", [2, 2])),
        lambda header, arrays: arrays["way"].__setitem__(0, float("nan")),
        lambda header, arrays: arrays["way"].__setitem__(0, 1e200),
        lambda header, arrays: arrays["log_likelihoods"].__setitem__(0, float("inf")),
        lambda header, arrays: arrays.pop("way"),
    ],
)
def test_model_files_that_contradict_themselves(spoil: Any, tmp_path: Path) -> None:
    path = tmp_path / "means.mb"
    GaussianMeans(k=2, variance=0.5).fit([0.0, 0.1, 5.0, 5.1]).save(path)
    header, arrays = model_file.read(path)
    spoil(header, arrays)
    model_file.write(path, header, arrays)
    with pytest.raises(mb.errors.BadModel):
        mb.load(path)
