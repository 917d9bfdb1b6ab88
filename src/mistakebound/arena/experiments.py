"""Draw samples, learn, measure: whether the promise of a sample size is kept."""

from __future__ import annotations

import random
from dataclasses import dataclass

from mistakebound.arena.play import play
from mistakebound.core.protocol import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Any

    from mistakebound.theory.pac import Distribution, Labeller
    from mistakebound.theory.sample_bounds import Real


@dataclass(repr=False, eq=False)
class PacExperiment:
    """The true errors of many runs, beside what was promised: `error < epsilon` in all but a share `delta` of them."""

    m: int
    epsilon: Fraction
    delta: Fraction
    errors: list[Fraction]  # of each run, exact
    training_mistakes: list[int]  # of each run's hypothesis on its own sample: 0 for a consistent learner

    @property
    def failures(self) -> int:
        """Runs whose hypothesis has an error of epsilon or more."""
        return sum(error >= self.epsilon for error in self.errors)

    @property
    def failure_rate(self) -> float:
        return self.failures / len(self.errors)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true probability of a failure lies, by Clopper and Pearson, with 95 percent confidence."""
        from mistakebound.theory.pac import error_interval

        return error_interval(self.failures, len(self.errors))

    @property
    def refuted(self) -> bool:
        """Whether there were so many failures that their probability is surely above delta."""
        return self.interval[0] > self.delta

    def __repr__(self) -> str:
        return (
            f"<{len(self.errors)} runs of {self.m} examples: {self.failures} failures, "
            f"mean error {float(sum(self.errors) / len(self.errors)):.4f}, largest {float(max(self.errors)):.4f}>"
        )


def pac_experiment(
    make: Callable[[], Any],
    target: Labeller,
    distribution: Distribution,
    *,
    m: int,
    epsilon: Real,
    delta: Real,
    runs: int = 100,
    seed: int = 0,
) -> PacExperiment:
    """Tests the promise of a sample size: draws samples, learns, and measures the true error of each hypothesis.

    Parameters
    ----------
    make : function
        Returns a new learner.
    target : function
        Labels the instances.
    distribution : mapping or iterable
        Instance to weight (>= 0), or instances of equal weight.
    m : int
        Examples of a run; >= 0.
    epsilon, delta : number
        The promise: an error below epsilon in all but a share delta of the runs; > 0 and < 1.
    runs : int, default 100
        How often; >= 1.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    PacExperiment
        `errors` of all runs (exact), `failures`, `failure_rate`, `interval` (Clopper and Pearson, 95 percent),
        `refuted`.

    References
    ----------
    Mitchell 1997, Machine Learning, section 7.3.

    Examples
    --------
    >>> from itertools import product
    >>> import mistakebound as mb
    >>> m = mb.sample_size(3**5, 0.1, 0.05)
    >>> found = pac_experiment(
    ...     lambda: mb.learners.ConjunctionElimination(5),
    ...     mb.concepts.parse("x1 & ~x3"),
    ...     product((0, 1), repeat=5),
    ...     m=m,
    ...     epsilon=0.1,
    ...     delta=0.05,
    ...     runs=20,
    ...     seed=1,
    ... )
    >>> found.m, found.failures, found.refuted
    (85, 0, False)
    """
    from mistakebound.theory.pac import weighted
    from mistakebound.theory.sample_bounds import exact_share, whole_number

    runs, m = whole_number("runs", runs, 1), whole_number("m", m)
    limit, risk = exact_share("epsilon", epsilon), exact_share("delta", delta)
    points = weighted(distribution)
    instances, chances = [x for x, _ in points], [float(p) for _, p in points]
    truth = [target(x) for x in instances]
    errors, training = [], []
    for run in range(runs):
        draw = random.Random(f"{seed} {run}")
        drawn = draw.choices(range(len(points)), chances, k=m)
        learner = make()
        play(learner, [(instances[j], truth[j]) for j in drawn])
        said = [counted(learner, x, learner.predict_one(x)) for x in instances]
        errors.append(sum((p for (_, p), a, b in zip(points, said, truth, strict=True) if a != b), 0 * points[0][1]))
        training.append(sum(said[j] != truth[j] for j in drawn))
    return PacExperiment(m, limit, risk, errors, training)
