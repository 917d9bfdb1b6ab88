"""The Bayes-optimal classifier (Mitchell 1997, section 6.7): every hypothesis votes with its posterior."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.theorem import Condition, Theorem
from mistakebound.learners.bayes._bayesian import HYPOTHESES, NOISE, PRIOR, BayesianLearner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mistakebound.learners.bayes._belief import FunctionBelief


def _weighted_majority(f: Mapping[str, Any]) -> float:
    """Who was wrong is multiplied by beta = noise / (1 - noise): a mistake leaves (1 + beta) / 2 of all at most."""
    beta = f["noise"] / (1 - f["noise"])
    lost = f["noisy"] * -log(beta) if f["noisy"] else 0.0
    return float((-log(f["least_prior"]) + lost) / log(2 / (1 + beta)))


WEIGHTED_MAJORITY = Theorem(
    "weighted majority",
    source="Littlestone and Warmuth 1994, Theorem 2.1, with a prior for the start weights",
    statement="mistakes <= (ln 1/P(target) + noisy ln 1/beta) / ln(2/(1 + beta)), beta = noise/(1 - noise)",
    assumes="the target is a hypothesis with a prior of {least_prior} or more, and {noisy} labels are not its own",
    needs=("least_prior", "noise", "noisy"),
    formula=_weighted_majority,
    conditions=(
        Condition("noise < 1/2", ("noise",), lambda f: bool(f["noise"] < 0.5)),
        Condition("noisy = 0 where noise = 0", ("noise", "noisy"), lambda f: bool(f["noise"] > 0 or f["noisy"] == 0)),
    ),
)


class BayesOptimal(BayesianLearner):
    """The Bayes-optimal classifier: every hypothesis of a finite class votes with its posterior probability.

    Parameters
    ----------
    concepts : ConceptClass, str or list of functions
        The class of the target, its text, or a list of functions of anything.
    noise : float, default 0.0
        Rate of wrong labels; >= 0 and <= 0.5.
    prior : "uniform", sequence, mapping or function, default "uniform"
        P(h) before the first label; the probabilities sum to 1.
    likelihood : Likelihood, function or None, default None
        How a hypothesis makes labels, in place of `noise`: mb.bayes.LabelNoise for more than two labels,
        mb.bayes.Probabilities, or a function of ((x, t), h).
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        P(h | D) = P(h) for every hypothesis h
        for each trial (x, y):
            predict the label t with the largest sum over h of P(t | h, x) * P(h | D); at a tie the first
            P(h | D) = P(y | h, x) * P(h | D) / (the sum of these over all h)

    With a uniform prior and no noise this is the halving algorithm.

    Theorem.  The target is a hypothesis with the prior probability P, `noisy` labels are not its own, noise < 1/2, and
    noisy = 0 where noise = 0.  With beta = noise/(1 - noise), ::

        mistakes <= (ln(1 / P) + noisy * ln(1 / beta)) / ln(2 / (1 + beta))

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.7.  Ma 2019, CS3244 notes, section 5.1.
    Littlestone and Warmuth 1994, The weighted majority algorithm, Theorem 2.1, with a prior for the start weights.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = BayesOptimal(MonotoneDisjunctions(4, 2), noise=0.1)
    >>> learner.learn_one([1, 1, 0, 0], 1), round(learner.predict_proba_one([0, 0, 1, 0])[1], 6)
    (1, 0.338806)
    >>> from mistakebound.bayes import Probabilities
    >>> coins = BayesOptimal([lambda x: 0.5, lambda x: 0.1], likelihood=Probabilities())
    >>> coins.predict_one("a toss"), coins.learn_one("a toss", 1), coins.learn_one("a toss", 1)
    (0, 0, 0)
    >>> [round(p, 4) for _, p in coins.posterior()], round(coins.predict_proba_one("a toss")[1], 4)
    ([0.9615, 0.0385], 0.4846)
    """

    name = "bayes-optimal"
    summary = "any finite class or list of functions: all vote with their posterior, noise at a known rate"
    hypothesis_class = "votes of a finite class"
    search_order = "Bayes' theorem over the whole class"
    inductive_bias = "the prior"
    noise_effect = "is part of the likelihood"
    parameters = (HYPOTHESES, NOISE, PRIOR)
    theorems = (WEIGHTED_MAJORITY,)
    assumable: ClassVar[dict[str, str]] = {"noisy": "labels that are not the target's own"}
    _by = "the vote"

    def _say(self, active: Sequence[int]) -> tuple[int, float, int]:
        yes = self._votes(active)
        winner, score = self._score(yes)
        return int(winner > 0), score, yes

    def _label_of(self, belief: FunctionBelief, x: Any) -> Any:
        votes = belief.votes(x)
        return max(votes, key=votes.__getitem__)

    def _in_words(self, terms: int) -> str:
        shown = self.posterior(terms)
        said = "; ".join(f"{h} ({p:.3g})" for h, p in shown)
        size = self.size if self._functions is None else sum(map(bool, self._functions.posterior()))
        return f"{self._by} of {size:,}: {said}" + (f"; {size - len(shown):,} more" if size > len(shown) else "")
