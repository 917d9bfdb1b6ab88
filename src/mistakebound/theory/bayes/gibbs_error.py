"""Gibbs against the Bayes-optimal classifier, exactly: averaged over the prior, and for every fixed target.

At any data D and instance x let p_t = P(t | x, D).  The optimum errs with probability 1 - max p_t, Gibbs, which draws h
from the posterior and t from P(t | h), with 1 - sum p_t^2: at most twice as much.  That is an average over targets that
are drawn from the prior.  For one fixed target Gibbs may err while the optimum never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from mistakebound.core.plain_sum import plain_sum
from mistakebound.theory.bayes.likelihood import Likelihood, Number, likelihood_of
from mistakebound.theory.bayes.posterior import Posterior
from mistakebound.theory.bayes.prior import hypotheses_of, prior_of
from mistakebound.theory.pac import Distribution, weighted


class GibbsErrors:
    """The errors of Gibbs' classifier and of the Bayes-optimal one: what `gibbs_against_optimum` returns.

    `optimum` and `gibbs` are averaged over the prior; `failing` are the targets for which Gibbs errs more than twice as
    often as the optimum; `holds` says that on average it does not.

    Parameters
    ----------
    prior : sequence of Fraction
        P(target) of each.
    by_target : list of (target, optimum, gibbs)
        The errors for each fixed target.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> errors = GibbsErrors([half, half], [("a", Fraction(0), Fraction(1, 4)), ("b", half, half)])
    >>> errors.holds, [target for target, *_ in errors.failing]
    (True, ['a'])
    """

    def __init__(self, prior: Sequence[Fraction], by_target: list[tuple[Any, Number, Number]]) -> None:
        self.by_target = by_target
        self.optimum: Number = sum((p * row[1] for p, row in zip(prior, by_target, strict=True)), Fraction(0))
        self.gibbs: Number = sum((p * row[2] for p, row in zip(prior, by_target, strict=True)), Fraction(0))

    @property
    def holds(self) -> bool:
        """Gibbs' error is at most twice the optimum's, on average: it always is."""
        exact = isinstance(self.gibbs, Fraction) and isinstance(self.optimum, Fraction)
        return self.gibbs <= 2 * self.optimum + (0 if exact else 1e-12)

    @property
    def failing(self) -> list[tuple[Any, Number, Number]]:
        """The fixed targets for which Gibbs errs more than twice as often as the optimum."""
        return [row for row in self.by_target if row[2] > 2 * row[1]]

    def __repr__(self) -> str:
        return (
            f"<averaged over the prior: optimum {self.optimum}, Gibbs {self.gibbs}; "
            f"more than twice for {len(self.failing)} of {len(self.by_target)} fixed targets>"
        )


def gibbs_against_optimum(
    hypotheses: Iterable[Any],
    prior: Any = None,
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    shown: Iterable[Any] = (),
    asked: Distribution = (),
    *,
    labels: Sequence[Any] = (0, 1),
) -> GibbsErrors:
    """The exact errors of Gibbs' classifier and of the Bayes-optimal one, averaged over the prior and for every target.

    Parameters
    ----------
    hypotheses : iterable or ConceptClass
        The hypotheses, each a function of an instance.
    prior : sequence, mapping, function or None, default None
        P(h); the probabilities sum to 1.  None: uniform.
    likelihood : Likelihood, function or None, default None
        P(example | h).  None: labels without noise.
    shown : iterable, default ()
        Instances that the target labels first; all sequences of labels that it can give are gone through.
    asked : mapping or iterable, default ()
        The distribution of the instance that is then predicted: instance to weight, or instances of equal weight.
    labels : sequence, default (0, 1)
        The labels that a likelihood that is a function is about.

    Returns
    -------
    GibbsErrors
        `optimum` and `gibbs`, averaged over the prior; `by_target`; `failing`, the targets for which Gibbs errs more
        than twice as often.

    Notes
    -----
    Theorem.  On average over targets drawn from the prior, Gibbs errs at most twice as often as the optimum.  For one
    fixed target that may fail.

    References
    ----------
    Haussler, Kearns and Schapire 1994, Bounds on the sample complexity of Bayesian learning.
    Mitchell 1997, Machine Learning, sections 6.7 and 6.8.

    Examples
    --------
    >>> import mistakebound as mb
    >>> errors = gibbs_against_optimum(mb.concepts.Thresholds(4), shown=[(2,)], asked=[(1,), (2,), (3,), (4,)])
    >>> errors
    <averaged over the prior: optimum 3/20, Gibbs 11/60; more than twice for 2 of 5 fixed targets>
    """
    space = hypotheses_of(hypotheses)
    believed, rule, points = prior_of(space, prior), likelihood_of(likelihood, labels), weighted(asked)
    optimum: list[Number] = [Fraction(0)] * len(space)
    gibbs: list[Number] = [Fraction(0)] * len(space)
    questions = tuple(shown)

    def go(labelled: list[tuple[Any, Any]], chances: list[Any]) -> None:
        """`chances` are P(labels so far | h)."""
        if len(labelled) < len(questions):
            x = questions[len(labelled)]
            said = [rule.chances(h, x) if chance else {} for h, chance in zip(space, chances, strict=True)]
            for t in dict.fromkeys(t for row in said for t in row):
                after = [chance * row.get(t, 0) for chance, row in zip(chances, said, strict=True)]
                if any(p and chance for p, chance in zip(believed, after, strict=True)):
                    go([*labelled, (x, t)], after)
            return
        found = Posterior(space, believed, rule, labelled)
        for x, share in points:
            votes = found.predictive(x)
            best = max(votes, key=votes.__getitem__)
            for c, (h, chance) in enumerate(zip(space, chances, strict=True)):
                if chance:
                    truth = rule.chances(h, x)
                    optimum[c] += chance * share * (1 - truth.get(best, 0))
                    gibbs[c] += chance * share * (1 - plain_sum(p * truth.get(t, 0) for t, p in votes.items()))

    go([], [Fraction(1)] * len(space))
    # A target that the prior rules out can give labels that no hypothesis explains: it is left out.
    rows = [(p, row) for p, *row in zip(believed, space, optimum, gibbs, strict=True) if p]
    return GibbsErrors([p for p, _ in rows], [(h, best, drawn) for _, (h, best, drawn) in rows])
