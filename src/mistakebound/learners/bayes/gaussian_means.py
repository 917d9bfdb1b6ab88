"""EM for the means of k Gaussians with equal weights and one known variance, in any dimension (Mitchell 1997, 6.12)."""

from __future__ import annotations

from itertools import count
from math import isinf, pi
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.params import Parameter
from mistakebound.core.protocol import BatchLearner
from mistakebound.core.text_table import WIDTH, aligned
from mistakebound.learners.bayes.points import LARGEST, PointThreads, points_in, points_of, responsibilities
from mistakebound.learners.em_loop import EMRun, em

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from typing import ClassVar

    from mistakebound.core.table import Table
    from mistakebound.learners.bayes.points import Floats

_FLOOR = 4e-308  # a responsibility that is no more than this was too small for a double
_SLACK = 1e-6  # relative: what a sum of responsibilities may lose
_TRIES = 50  # points looked at for each mean of a random start, to find different ones


class EqualGaussians:
    """k Gaussians of the same weight and variance, as a value."""

    def __init__(self, means: Floats, variance: float) -> None:
        self.means = means
        self.variance = variance

    def density(self, x: Any) -> float:
        """The density at one point: the mean of k times (2 pi variance)^(-d/2) e^(-distance^2 / (2 variance))."""
        k, d = self.means.shape
        apart = ((points_of(np.atleast_1d(x)[None, :], d) - self.means) ** 2).sum(axis=1)
        return float(np.exp(-apart / (2 * self.variance)).sum() / k * (2 * pi * self.variance) ** (-d / 2))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EqualGaussians):
            return NotImplemented
        return self.variance == other.variance and np.array_equal(self.means, other.means)

    def __hash__(self) -> int:
        return hash((self.variance, self.means.tobytes()))

    def __str__(self) -> str:
        places = "; ".join(", ".join(f"{number:.6g}" for number in mean) for mean in self.means)
        return f"{len(self.means)} Gaussians of variance {self.variance:g} at {places}"

    def __repr__(self) -> str:
        return f"<{self}>"


class GaussianMeans(BatchLearner):
    """EM for a mixture of k Gaussians with equal weights and one known variance: finds the means.

    Parameters
    ----------
    k : int
        Number of Gaussians; >= 1.
    variance : float
        Variance shared by all Gaussians, the same in every direction; > 0.
    restarts : int, default 1
        Random starts; >= 1.  The run with the largest likelihood is kept.
    max_iter : int, default 100
        Steps of a run at most; >= 1.
    tol : float, default 1e-6
        A step that raises the log-likelihood per point by less than this ends a run; >= 0.
    random_state : int, default 0
        Seed of the starts; >= 0.  A start is k of the points.

    Notes
    -----
    Algorithm::

        means = k of the points, drawn at random
        repeat:
            E step:  E[z_ij] = exp(-|x_i - mean_j|^2 / (2*variance)) / (the sum of these over all j)
            M step:  mean_j = (sum over i of E[z_ij] * x_i) / (sum over i of E[z_ij])
        until a step gains less than tol per point, or after max_iter steps

    Theorem.  No step lowers the likelihood of the points.  What is found is a local maximum; `restarts` tries several.

    References
    ----------
    Dempster, Laird and Rubin 1977, Maximum likelihood from incomplete data via the EM algorithm.
    Mitchell 1997, Machine Learning, section 6.12.  Ma 2019, CS3244 notes, section 5.

    Examples
    --------
    >>> points = [0.8, 1.0, 1.2, 4.9, 5.0, 5.1]
    >>> learner = GaussianMeans(k=2, variance=0.1).fit(points)
    >>> print(learner.hypothesis)
    2 Gaussians of variance 0.1 at 1; 5
    >>> learner.predict_many([0.0, 9.0]).tolist(), learner.responsibilities.round(3).tolist()[0]
    ([0, 1], [1.0, 0.0])
    """

    name = "gaussian-means"
    summary = "points without labels: the means of k Gaussians of one known variance, by EM"
    hypothesis_class = "mixtures of Gaussians"
    search_order = "EM, uphill in likelihood"
    inductive_bias = "Gaussians with one known variance"
    noise_effect = "is part of the model"
    takes = "points"
    saves = True
    many_classes = True
    probabilities = True
    parameters = (
        Parameter("k", "integer", at_least=1, grid=(2,), help="number of Gaussians"),
        Parameter("variance", "number", above=0, grid=(1.0,), help="variance shared by all Gaussians"),
        Parameter("restarts", "integer", 1, at_least=1, grid=(1, 2), help="random starts, of which the best is kept"),
        Parameter("max_iter", "integer", 100, at_least=1, help="maximum steps of a run"),
        Parameter("tol", "number", 1e-6, at_least=0, help="stop after a step that gains less per point"),
        Parameter("random_state", "integer", 0, at_least=0, help="random seed of the starts"),
    )

    def __init__(
        self,
        k: int,
        variance: float,
        restarts: int = 1,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            k=k, variance=variance, restarts=restarts, max_iter=max_iter, tol=tol, random_state=random_state
        )
        if isinf(0.5 / self.settings["variance"]):
            raise BadParameter(f"variance must be a number > 1e-307: {variance!r}")
        self._run: EMRun | None = None
        self._points: Floats | None = None  # not in a model file
        self._count = 0  # of them
        self.columns: tuple[str, ...] | None = None  # of the table that they came from

    def fit_table(self, table: Table, **more: Any) -> None:
        """Learn the columns of numbers of a table; `more` as of `fit`."""
        names = tuple(column.name for column in table.columns if not column.nominal)
        self.fit(points_in(table, names), **more)
        self.columns = names

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        start: Any = None,
        threads: int | None = None,
        progress: Callable[[int, float], object] | None = None,
    ) -> GaussianMeans:
        """Learn from points: rows of numbers, or a list of numbers; `y` is not looked at.

        `start` are k means to begin with, instead of random ones.  The result does not depend on `threads`.
        """
        points = points_of(X)
        workers = None if threads is None else _THREADS.check(threads)
        pool = PointThreads(points, self.settings["k"], self.settings["variance"], workers)
        self.fit_pool(pool, lambda places: points[places], points, start=start, progress=progress)
        return self

    def fit_pool(
        self,
        pool: Any,
        take: Callable[[list[int]], Floats],
        points: Floats | None = None,
        *,
        start: Any = None,
        progress: Callable[[int, float], object] | None = None,
    ) -> None:
        """Learn from whoever takes the sums of all points (`PointThreads`); `take` gives points by their numbers."""
        k, draw = self.settings["k"], Random(self.settings["random_state"])
        best: EMRun | None = None
        try:
            if k > pool.count:
                raise BadParameter(f"k must be at most the number of points, {pool.count}: {k}")
            for _ in range(1 if start is not None else self.settings["restarts"]):
                means = _random_start(pool.count, take, k, draw) if start is None else _given_start(start, k, pool.d)
                run = em(
                    _e_step, _m_step, means, pool, max_iter=self.settings["max_iter"],
                    tol=self.settings["tol"] * pool.count, progress=progress, keep=True,
                )  # fmt: skip
                if best is None or run.log_likelihood > best.log_likelihood:
                    best = run
        finally:
            pool.close()
        with self._lock:
            self._run, self._points, self._count, self.columns = best, points, pool.count, None

    @property
    def run(self) -> EMRun:
        """The run that was kept: its history, and why it stopped."""
        if self._run is None:
            raise BadParameter("GaussianMeans has learned nothing yet: call fit(X) first")
        return self._run

    @property
    def means(self) -> Floats:
        """One row per mean."""
        found: Floats = self.run.hypothesis
        return found

    @property
    def way(self) -> Floats:
        """The means before the first step and after each: steps + 1 times k rows."""
        return np.array(self.run.hypotheses)

    @property
    def log_likelihoods(self) -> list[float]:
        """Of the points, after every step: no number is smaller than the one before."""
        return self.run.log_likelihoods

    @property
    @reading
    def responsibilities(self) -> Floats:
        """E[z]: for every point that was learned (a row) the probability of each mean."""
        return responsibilities(self.points, self.means, self.settings["variance"])

    @property
    @reading
    def shares(self) -> Floats:
        """What share of the points each mean is responsible for: they sum to 1."""
        weights: Floats = self.run.expectations[1] / self._count
        return weights

    @property
    def points(self) -> Floats:
        """What was learned, one point per row."""
        assert self.run is not None  # or it says that there was no fit
        if self._points is None:
            raise BadParameter("a model file does not hold the training points; use predict_proba_many")
        return self._points

    def as_points(self, X: Any) -> Floats:
        """Other points, checked to have as many numbers as the means."""
        return points_of(X, self.means.shape[1])

    @property
    @reading
    def hypothesis(self) -> EqualGaussians:
        return EqualGaussians(self.means.copy(), self.settings["variance"])

    @reading
    def predict_proba_many(self, X: Any) -> Floats:
        """For every point of X (a row) the probability of each mean."""
        return responsibilities(self.as_points(X), self.means, self.settings["variance"])

    def predict_many(self, X: Any) -> Any:
        """The number of the likeliest mean of every point of X, from 0."""
        return self.predict_proba_many(X).argmax(axis=1)

    def predict_one(self, x: Any) -> int:
        """The number of the likeliest mean of one point, from 0."""
        return int(self.predict_many([x])[0])

    def predict_proba_one(self, x: Any) -> dict[int, float]:
        """The number of each mean with its probability."""
        return dict(enumerate(self.predict_proba_many([x])[0].tolist()))

    @reading
    def log_likelihood(self, X: Any) -> float:
        """Of other points, under the means found."""
        points = self.as_points(X)
        pool = PointThreads(points, self.settings["k"], self.settings["variance"], 1)
        return pool.sums(self.means)[2]

    # What was learned, in words.

    def fit_facts(self) -> list[tuple[str, str]]:
        restarts = self.settings["restarts"]
        best = f", the best of {restarts} starts" if restarts > 1 else ""
        return [
            ("steps", f"{self.run.steps}: {self.run.stopped}"),
            ("likelihood", f"log {self.run.log_likelihood:,.4f}{best}"),
        ]

    def fit_json(self) -> dict[str, Any]:
        run = self.run
        return {
            "log_likelihood": run.log_likelihood, "log_likelihoods": run.log_likelihoods, "steps": run.steps,
            "converged": run.converged, "stopped": run.stopped,
        }  # fmt: skip

    def fit_progress(self, watch: Callable[[int, int, str], None], given: dict[str, Any]) -> dict[str, Any]:
        total, steps = self.settings["restarts"] * self.settings["max_iter"], count(1)

        def progress(step: int, log_likelihood: float) -> None:
            watch(next(steps), total, f" steps at most, log-likelihood {log_likelihood:,.1f}")

        return {"progress": progress}

    unknown_class: ClassVar[None] = None
    label: ClassVar[None] = None

    @property
    def classes(self) -> tuple[int, ...]:
        """The numbers of the means, from 0: what is predicted."""
        return tuple(range(self.settings["k"]))

    def _names(self) -> tuple[str, ...]:
        return self.columns or tuple(f"x{number}" for number in range(1, self.means.shape[1] + 1))

    def remarks(self, table: Table) -> list[str]:
        names = [column.name for column in table.columns if column.nominal]
        return [f"left out, because they are not numeric: {', '.join(names)}"] if names else []

    @reading
    def lines(self, top: int) -> list[str]:
        """The means, one a line."""
        shares, names = self.shares, self._names()
        rows = [("mean", *names, "share of points")]
        for m, mean in enumerate(self.means):
            rows.append((str(m), *(f"{number:.6g}" for number in mean), f"{shares[m]:.4f}"))
        return [f"  {line}".rstrip() for line in aligned(rows, ">" * len(rows[0]), WIDTH - 2)]

    @reading
    def as_json(self, top: int) -> dict[str, Any]:
        return {"columns": list(self._names()), "means": self.means.tolist(), "shares": self.shares.tolist()}

    def table_points(self, table: Table) -> Floats:
        """The rows of a table as points, by the columns that were learned."""
        return points_in(table, self._names())

    def predict_table(self, table: Table) -> Any:
        return self.proba_table(table).argmax(axis=1).astype(np.int32)

    def proba_table(self, table: Table) -> Floats:
        if not table.rows:
            return np.empty((0, self.settings["k"]))
        return self.predict_proba_many(self.table_points(table))

    def explain_row(self, table: Table, row: int) -> list[str]:
        """The likeliest mean of a row, and the probability of each."""
        shares = self.proba_table(table.take(slice(row, row + 1)))[0]
        lines = [f"mean {int(shares.argmax())}, because its probability is the largest:"]
        return lines + [f"  {m}: {share:.4f}" for m, share in enumerate(shares)]

    # Model files.

    @property
    def _holds_state(self) -> bool:
        return self._run is not None

    def _check_saved(self) -> None:
        assert self.run is not None  # or it says that there was no fit

    def _unsaved(self) -> dict[str, Any]:
        return {"_run": self._run, "_points": self._points}

    def _state(self) -> dict[str, Any]:
        return {
            "points": self._count,
            "dimensions": self.means.shape[1],
            "stopped": self.run.stopped,
            "converged": self.run.converged,
            "columns": None if self.columns is None else list(self.columns),
        }

    def _arrays(self) -> dict[str, Any]:
        return {
            "way": np.ascontiguousarray(self.way).reshape(-1),
            "log_likelihoods": np.array([self.run.start_log_likelihood, *self.run.log_likelihoods]),
            "weights": np.ascontiguousarray(self.run.expectations[1]),
        }

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        way, likelihoods, weights = (arrays[name] for name in ("way", "log_likelihoods", "weights"))
        k, d, count = self.settings["k"], state["dimensions"], state["points"]
        if type(d) is not int or type(count) is not int or d < 1 or count < k:
            raise ValueError("there are not as many points as means")
        if any(numbers.typecode != "d" for numbers in (way, likelihoods, weights)):
            raise ValueError("the means are not doubles")
        if not likelihoods or len(way) != len(likelihoods) * k * d or len(weights) != k:
            raise ValueError("expected one likelihood per step and one weight per mean")
        means, shares = np.array(way), np.array(weights)
        if not (np.abs(means) <= LARGEST).all() or not np.isfinite(likelihoods).all():
            raise ValueError("a mean or a likelihood is not a finite number")
        if not (shares >= 0).all() or not abs(float(shares.sum()) - count) <= _SLACK * count:
            raise ValueError("the weights of the means are not those of so many points")
        if type(state["converged"]) is not bool or not isinstance(state["stopped"], str):
            raise TypeError("the reason why the run stopped is missing")
        names = state.get("columns")
        if names is not None and (len(names) != d or not all(isinstance(name, str) for name in names)):
            raise ValueError("expected one name per column")
        hypotheses = list(means.reshape(-1, k, d))
        run = EMRun(hypotheses[0], (None, shares, hypotheses[-1]), likelihoods[0], keep=True)
        run.hypothesis, run.hypotheses, run.log_likelihoods = hypotheses[-1], hypotheses, list(likelihoods[1:])
        run.stopped, run.converged = state["stopped"], state["converged"]
        self._run, self._count = run, count
        self.columns = None if names is None else tuple(names)


_THREADS = Parameter("threads", "integer", None, at_least=1)


def _e_step(means: Floats, pool: PointThreads) -> tuple[tuple[Floats, Floats, Floats], float]:
    sums, weights, log_likelihood = pool.sums(means)
    return (sums, weights, means), log_likelihood


def _m_step(expected: tuple[Floats, Floats, Floats], pool: PointThreads) -> Floats:
    """The mean of the points, each counted as its responsibility says; a mean that no point is near stays."""
    sums, weights, means = expected
    lost = weights <= _FLOOR * pool.count
    moved: Floats = np.where(lost[:, None], means, sums / np.where(lost, 1.0, weights)[:, None])
    return moved


def _random_start(count: int, take: Callable[[list[int]], Floats], k: int, draw: Random) -> Floats:
    """k of so many points, different ones as far as a few draws find them."""
    chosen: dict[bytes, int] = {}
    points = take(draw.sample(range(count), min(count, _TRIES * k)))
    for place, point in enumerate(points):
        chosen.setdefault(point.tobytes(), place)
        if len(chosen) == k:
            break
    places = list(chosen.values())
    places += [place for place in range(len(points)) if place not in places][: k - len(places)]
    return points[places].copy()


def _given_start(start: Any, k: int, d: int) -> Floats:
    try:
        means = points_of(start, d if np.ndim(start) == 1 and k == 1 else None)
    except BadData as error:
        raise BadParameter(f"start must be {k} means of {d} numbers: {error}") from None
    if means.shape != (k, d):
        raise BadParameter(f"start must be {k} means of {d} numbers: shape {np.shape(start)}")
    return means.copy()
