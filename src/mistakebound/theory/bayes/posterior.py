"""Bayes' theorem over finitely many hypotheses (rows Y1, Y2): posterior, evidence, MAP, ML, predictions; M section 5.

In fractions as long as prior and likelihood are whole numbers or fractions; with floats by logarithms, so that a long
run of data does not underflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import exp, fsum, inf, log
from random import Random
from typing import Any

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.theory.bayes.likelihood import Likelihood, Log, Number, likelihood_of, log_of
from mistakebound.theory.bayes.prior import hypotheses_of, prior_of
from mistakebound.theory.bayes.vote import drawn, votes

_SHOWN = 10  # hypotheses in the text of a posterior
_READABLE = 9  # characters of a fraction there


class Posterior:
    """P(h | D) of every hypothesis, and what follows from it.

    `exact` says whether the numbers are fractions.  `evidence` is P(D), `log_evidence` its natural logarithm, which
    does not underflow.
    """

    def __init__(
        self, hypotheses: tuple[Any, ...], prior: tuple[Fraction, ...], likelihood: Likelihood, data: Sequence[Any]
    ) -> None:
        self.hypotheses = hypotheses
        self.prior = prior
        self.likelihood = likelihood
        self.data = tuple(data)
        found: list[Any] = [likelihood.of_all(h, self.data) for h in hypotheses]
        self.exact = not any(isinstance(number, Log) for number in found)
        self.log_likelihoods = tuple(log_of(number) for number in found)
        self.probabilities: tuple[Number, ...]
        self.evidence: Number
        self._orders: list[Any] = found
        if not any(p and log_likelihood > -inf for p, log_likelihood in zip(prior, self.log_likelihoods, strict=True)):
            raise BadData(
                f"likelihood must be > 0 for a hypothesis with a prior > 0: it is 0 for all {len(hypotheses)} "
                f"on {len(self.data)} examples"
            )
        if self.exact:
            joint = [p * number for p, number in zip(prior, found, strict=True)]
            self.evidence = sum(joint, Fraction(0))
            self.probabilities = tuple(number / self.evidence for number in joint)
            self.log_evidence = log_of(self.evidence)
        else:
            self._orders = [number.order if isinstance(number, Log) else log_of(number) for number in found]
            logs = [log_of(p) + value for p, value in zip(prior, self.log_likelihoods, strict=True)]
            top = max(logs)
            total = fsum(exp(value - top) for value in logs)
            self.log_evidence = top + log(total)
            self.evidence = exp(self.log_evidence)
            self.probabilities = tuple(exp(value - top) / total for value in logs)

    def __getitem__(self, hypothesis: Any) -> Number:
        """P(h | D) of one hypothesis."""
        if hypothesis not in self.hypotheses:
            raise BadParameter(f"a hypothesis must be one of the {len(self)}: {hypothesis}")
        return self.probabilities[self.hypotheses.index(hypothesis)]

    def __iter__(self) -> Iterator[tuple[Any, Number]]:
        return zip(self.hypotheses, self.probabilities, strict=True)

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def support(self) -> tuple[Any, ...]:
        """The hypotheses that are still possible: on noise-free data, the version space."""
        return tuple(h for h, p in self if p)

    @property
    def map_place(self) -> int:
        """The place of `map_hypothesis`.  Under a uniform prior the order of likelihoods decides, which is finer."""
        uniform = len(set(self.prior)) == 1
        return max(range(len(self)), key=(self._orders if uniform else self.probabilities).__getitem__)

    @property
    def map_hypothesis(self) -> Any:
        """The first of the most probable ones."""
        return self.hypotheses[self.map_place]

    @property
    def ml_hypothesis(self) -> Any:
        """The first of those under which the data are likeliest, whatever the prior."""
        return self.hypotheses[max(range(len(self)), key=self._orders.__getitem__)]

    def predictive(self, x: Any) -> dict[Any, Number]:
        """P(t | x, D) of every label: each hypothesis votes with its posterior (row Y5)."""
        return votes(self, self.likelihood, x)

    def classify(self, x: Any) -> Any:
        """The Bayes-optimal label: argmax over t of the sum over h of P(t | h) P(h | D); the first of several."""
        found = self.predictive(x)
        return max(found, key=found.__getitem__)

    def draw(self, random_state: Any) -> Any:
        """A hypothesis drawn from the posterior: Gibbs' choice.  A seed, or a random.Random that goes on."""
        chance = random_state if isinstance(random_state, Random) else Random(random_state)
        return drawn(self.hypotheses, self.probabilities, chance)

    def __str__(self) -> str:
        ranked = sorted((pair for pair in self if pair[1]), key=lambda pair: -pair[1])
        lines = [f"{float(p):10.6f}  {_fraction(p):>9}  {h}" for h, p in ranked[:_SHOWN]]
        if len(ranked) > _SHOWN:
            lines.append(f"{len(ranked) - _SHOWN:,} more")
        if len(ranked) < len(self):
            lines.append(f"{len(self) - len(ranked):,} ruled out")
        return "\n".join([f"{'P(h|D)':>10}", *lines])

    def __repr__(self) -> str:
        return f"<posterior of {len(self)} hypotheses after {len(self.data)} examples, {len(self.support)} possible>"


def _fraction(p: Number) -> str:
    """A fraction that is short enough to be read."""
    text = str(p) if isinstance(p, Fraction) else ""
    return text if len(text) <= _READABLE else ""


def posterior(
    hypotheses: Iterable[Any],
    prior: Any = None,
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
    *,
    labels: Sequence[Any] = (0, 1),
) -> Posterior:
    """P(h | D) over a class of concepts, a list of functions, or any list that the likelihood knows how to read.

    `prior`: uniform (None), numbers in the order of the hypotheses, a mapping, or a function of the hypothesis; it must
    sum to 1.  `likelihood`: none for noise-free examples (x, t), one of this package (LabelNoise, Probabilities,
    GaussianNoise), or any function of (example, h).  `labels` are those that such a function is about.

    >>> import mistakebound as mb
    >>> found = posterior(mb.concepts.MonotoneConjunctions(2), None, None, [((1, 0), 0), ((1, 1), 1)])
    >>> [(str(h), str(p)) for h, p in found], found.evidence
    ([('true', '0'), ('all of (x1)', '0'), ('all of (x2)', '1/2'), ('x1 & x2', '1/2')], Fraction(1, 2))
    >>> tosses = posterior([0.5, 0.9], [0.99, 0.01], lambda toss, h: h if toss == "H" else 1 - h, "HHHHHHHH")
    >>> round(tosses[0.9], 6), tosses.ml_hypothesis, tosses.map_hypothesis
    (0.526768, 0.9, 0.9)
    """
    space = hypotheses_of(hypotheses)
    if not isinstance(data, Iterable):
        raise BadParameter(f"data must be a list of examples: {data!r}")
    return Posterior(space, prior_of(space, prior), likelihood_of(likelihood, labels), tuple(data))


def map_hypothesis(
    hypotheses: Iterable[Any],
    prior: Any = None,
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
) -> Any:
    """The most probable hypothesis, by brute force; of several the first in the order of H."""
    return posterior(hypotheses, prior, likelihood, data).map_hypothesis


def ml_hypothesis(
    hypotheses: Iterable[Any],
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
) -> Any:
    """The hypothesis under which the data are likeliest: MAP under a uniform prior."""
    return posterior(hypotheses, None, likelihood, data).ml_hypothesis
