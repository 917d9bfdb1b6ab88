"""The general EM loop: any E and M step, stopping rules, a likelihood that never falls (Mitchell 1997, section 6.12).

GaussianMeans runs on this same loop.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter

_MAX_ITER = Parameter("max_iter", "integer", 100, at_least=1, help="maximum steps")
_TOL = Parameter("tol", "number", 1e-6, at_least=0, help="stop after a step that gains less")
_ROUNDING = 1e-10  # of the log-likelihood: what a sum of many terms may lose


class EMRun:
    """What a run of EM found, and the way there.

    `log_likelihoods` has one number per step, of the hypothesis that the step made, none smaller than the one before.
    """

    def __init__(self, start: Any, expectations: Any, log_likelihood: float, keep: bool) -> None:
        self.hypothesis = start
        self.expectations = expectations  # of the E step of `hypothesis`
        self.start_log_likelihood = log_likelihood
        self.log_likelihoods: list[float] = []
        self.hypotheses: list[Any] | None = [start] if keep else None
        self.stopped = ""  # by which rule, in words
        self.converged = False  # whether that was the rule of tol

    @property
    def log_likelihood(self) -> float:
        """Of the hypothesis found."""
        return self.log_likelihoods[-1] if self.log_likelihoods else self.start_log_likelihood

    @property
    def steps(self) -> int:
        return len(self.log_likelihoods)

    def __repr__(self) -> str:
        return f"<EM: {self.steps} steps, log-likelihood {self.log_likelihood:.6g}, {self.stopped}>"

    def _take(self, hypothesis: Any, expectations: Any, log_likelihood: float) -> float:
        """One step; what it gained."""
        before = self.log_likelihood
        gain = log_likelihood - before
        if gain < -_ROUNDING * max(1.0, abs(before)):
            raise BadParameter(
                "m_step must not lower the log-likelihood: "
                f"step {self.steps + 1} took it from {before!r} to {log_likelihood!r}"
            )
        if gain < 0 and self.steps:  # by rounding: the top is reached, and the step is not taken
            self.stopped, self.converged = "no step raises the log-likelihood any more", True
            return gain
        self.hypothesis, self.expectations = hypothesis, expectations
        self.log_likelihoods.append(log_likelihood)
        if self.hypotheses is not None:
            self.hypotheses.append(hypothesis)
        return gain


def em(
    e_step: Callable[[Any, Any], tuple[Any, float]],
    m_step: Callable[[Any, Any], Any],
    start: Any,
    data: Any,
    *,
    max_iter: int = 100,
    tol: float = 1e-6,
    stop: Callable[[EMRun], bool] | None = None,
    progress: Callable[[int, float], object] | None = None,
    keep: bool = False,
) -> EMRun:
    """The EM loop: climbs from `start` to a local maximum of the likelihood, by your own E and M steps.

    Parameters
    ----------
    e_step : function of (hypothesis, data)
        Returns (expectations, log-likelihood): whatever of the hidden variables the M step wants to know, and the
        finite log-likelihood of the hypothesis.
    m_step : function of (expectations, data)
        Returns the next hypothesis.
    start : object
        The first hypothesis.
    data : object
        Handed to both steps as it is.
    max_iter : int, default 100
        Steps at most; >= 1.
    tol : float, default 1e-6
        A step that raises the log-likelihood by less than this ends the loop; >= 0.  With 0 it ends when rounding lets
        no step gain any more.
    stop : function of (run) or None, default None
        Asked after every step; true ends the loop.
    progress : function of (step, log_likelihood) or None, default None
        Told of every step.
    keep : bool, default False
        Keep all hypotheses, as run.hypotheses.

    Returns
    -------
    EMRun
        `hypothesis`, `expectations`, `log_likelihoods` (one per step), `stopped` (by which rule) and `converged`.

    Notes
    -----
    Algorithm::

        h = start
        repeat:
            expectations, L = e_step(h, data)
            h = m_step(expectations, data)
        until the gain in L is below tol, stop(run) is true, or max_iter steps were made

    Theorem.  A true E and M step never lower the likelihood.  A log-likelihood that falls by more than rounding is an
    error: one of the two steps is not what it should be.

    References
    ----------
    Dempster, Laird and Rubin 1977, Maximum likelihood from incomplete data via the EM algorithm.
    Mitchell 1997, Machine Learning, section 6.12.3.

    Examples
    --------
    >>> def whose(heights, data):  # two coins, heads of ten tosses: which one was it, if their biases are `heights`?
    ...     from math import log
    ...
    ...     chances = [[p**h * (1 - p) ** (10 - h) for p in heights] for h in data]
    ...     return [[c / sum(row) for c in row] for row in chances], sum(log(sum(row) / 2) for row in chances)
    >>> def biases(shares, data):
    ...     return [sum(s[c] * h for s, h in zip(shares, data)) / sum(10 * s[c] for s in shares) for c in (0, 1)]
    >>> run = em(whose, biases, [0.6, 0.5], [5, 9, 8, 4, 7])
    >>> [round(p, 2) for p in run.hypothesis], run.converged
    ([0.8, 0.52], True)
    """
    _check_functions({"e_step": e_step, "m_step": m_step})
    _check_functions({"stop": stop, "progress": progress}, None)
    most, least_gain = _MAX_ITER.check(max_iter), _TOL.check(tol)
    run = EMRun(start, *_expected(e_step, start, data), keep)
    while True:
        hypothesis = m_step(run.expectations, data)
        gain = run._take(hypothesis, *_expected(e_step, hypothesis, data))
        if run.stopped:
            return run
        if progress is not None:
            progress(run.steps, run.log_likelihood)
        if stop is not None and stop(run):
            run.stopped = "stopped by stop()"
        elif gain < least_gain:
            run.stopped, run.converged = f"a step gained less than tol = {least_gain:g}", True
        elif run.steps == most:
            run.stopped = f"stopped after max_iter = {most} steps"
        if run.stopped:
            return run


def _check_functions(given: dict[str, Any], *others: object) -> None:
    for name, function in given.items():
        if not callable(function) and function not in others:
            raise BadParameter(f"{name} must be a function: {function!r}")


def _expected(e_step: Callable[[Any, Any], Any], hypothesis: Any, data: Any) -> tuple[Any, float]:
    found = e_step(hypothesis, data)
    if isinstance(found, tuple) and len(found) == 2:
        try:
            log_likelihood = float(found[1])
        except (TypeError, ValueError):
            log_likelihood = float("nan")
        if isfinite(log_likelihood):
            return found[0], log_likelihood
        raise BadParameter(f"e_step must return a finite log-likelihood beside the expectations: {found[1]!r}")
    raise BadParameter(f"e_step must return (expectations, log-likelihood): {type(found).__name__}")
