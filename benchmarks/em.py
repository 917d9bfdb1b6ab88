"""GaussianMeans: an iteration of EM against scikit-learn's spherical mixture and against numpy, in the same run.

A million points.  An iteration is the difference between a fit of several steps and one of a single step, divided by
the steps between, so that nobody's set-up counts; taken in turns, the best of --rounds.  scikit-learn estimates
variances and weights too, which costs it little beside the rest; the numpy loop does just what GaussianMeans does.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from _processes import verdict

import mistakebound as mb

TARGETS = {(1, 2): 10.0, (1, 10): 10.0, (8, 2): 10.0, (8, 10): 6.0}  # (d, k)
STEPS = 5


def cloud(n: int, d: int, k: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(d * 100 + k)
    means = draw.normal(size=(k, d)) * 3
    return means[draw.integers(k, size=n)] + draw.normal(size=(n, d)), means + draw.normal(size=(k, d)) * 0.5


def numpy_em(X: Any, means: Any, steps: int) -> tuple[Any, float]:
    """The usual way to write it with arrays, variance 1."""
    log_likelihood = 0.0
    for _ in range(steps + 1):
        squares = (X**2).sum(axis=1)[:, None] - 2 * X @ means.T + (means**2).sum(axis=1)
        logs = -0.5 * squares
        top = logs.max(axis=1, keepdims=True)
        parts = np.exp(logs - top)
        totals = parts.sum(axis=1, keepdims=True)
        log_likelihood = float((top + np.log(totals)).sum())
        shares = parts / totals
        found, means = means, shares.T @ X / shares.sum(axis=0)[:, None]
    d = X.shape[1]
    return found, log_likelihood - len(X) * (0.5 * d * np.log(2 * np.pi) + np.log(len(found)))


def sklearn_em(X: Any, means: Any, steps: int) -> Any:
    from sklearn.mixture import GaussianMixture

    k = len(means)
    model = GaussianMixture(
        k, covariance_type="spherical", tol=0.0, max_iter=steps, means_init=means, weights_init=np.full(k, 1 / k),
        precisions_init=np.ones(k), init_params="random_from_data", random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has not converged: it was not asked to
        return model.fit(X)


def ours(X: Any, means: Any, steps: int, threads: int | None) -> mb.learners.GaussianMeans:
    return mb.learners.GaussianMeans(len(means), 1.0, max_iter=steps, tol=0.0).fit(X, start=means, threads=threads)


def an_iteration(runs: dict[str, Callable[[int], object]], rounds: int) -> dict[str, float]:
    """Seconds of one, for each."""
    best = {(name, steps): float("inf") for name in runs for steps in (1, 1 + STEPS)}
    for _ in range(rounds):
        for name, steps in best:
            start = time.perf_counter()
            runs[name](steps)
            best[name, steps] = min(best[name, steps], time.perf_counter() - start)
    return {name: (best[name, 1 + STEPS] - best[name, 1]) / STEPS for name in runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--points", type=int, default=1_000_000)
    options = parser.parse_args()
    peer = importlib.util.find_spec("sklearn") is not None
    if not peer:
        print("scikit-learn is left out: it is not installed here (`make bench` installs it)")
    print(f"{'d':>3} {'k':>3}  {'who':24} {'ms an iteration':>16}")
    said = []
    for (d, k), target in TARGETS.items():
        X, means = cloud(options.points, d, k)
        runs: dict[str, Callable[[int], object]] = {
            "GaussianMeans": lambda steps, X=X, means=means: ours(X, means, steps, None),
            "GaussianMeans, 1 thread": lambda steps, X=X, means=means: ours(X, means, steps, 1),
            "numpy": lambda steps, X=X, means=means: numpy_em(X, means, steps),
        }
        if peer:
            runs["scikit-learn"] = lambda steps, X=X, means=means: sklearn_em(X, means, steps)
        found, log_likelihood = numpy_em(X, means, 2)
        learner = ours(X, means, 2, None)
        if not np.allclose(found, learner.means, rtol=0, atol=1e-9):
            raise SystemExit("numpy finds other means")
        if abs(log_likelihood - learner.run.log_likelihood) > 1e-9 * abs(log_likelihood):
            raise SystemExit("numpy finds another likelihood")
        seconds = an_iteration(runs, options.rounds)
        for name, value in seconds.items():
            print(f"{d:3} {k:3}  {name:24} {1000 * value:16.1f}")
        mine = seconds["GaussianMeans"]
        if peer:
            said.append(verdict(f"d = {d}, k = {k}, against scikit-learn", target, seconds["scikit-learn"] / mine))
        print(f"{'':8} against numpy: {seconds['numpy'] / mine:.1f} times")
    print("", *said, sep="\n")


if __name__ == "__main__":
    main()
