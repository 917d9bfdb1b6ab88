"""Bayes' theorem over finitely many hypotheses: posterior, evidence, MAP, ML, predictions (Mitchell 1997, chapter 6).

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

_BITS = 117  # of a random number: 64 more than a double has
_SHOWN = 10  # hypotheses in the text of a posterior
_READABLE = 9  # characters of a fraction there


def votes(beliefs: Iterable[tuple[Any, Any]], likelihood: Likelihood, x: Any) -> dict[Any, Any]:
    """P(t | x, D) of every label, for (h, P(h | D)): the labels in order, or as they come where they have none."""
    found: dict[Any, Any] = {}
    for h, p in beliefs:
        if p:
            for t, chance in likelihood.chances(h, x).items():
                found[t] = found.get(t, 0) + p * chance
    try:
        return {t: found[t] for t in sorted(found)}
    except TypeError:
        return found


def drawn(things: Sequence[Any], chances: Sequence[Any], chance: Random) -> Any:
    """One of the things, each with its chance: the same on every machine.

    >>> from random import Random
    >>> [drawn("ab", [0.9, 0.1], Random(seed)) for seed in range(8)].count("b")
    0
    """
    left = Fraction(chance.getrandbits(_BITS), 1 << _BITS)
    possible = [(thing, share) for thing, share in zip(things, chances, strict=True) if share]
    for thing, share in possible:
        left -= Fraction(share)
        if left < 0:
            return thing
    return possible[-1][0]  # floats may sum to a little less than 1


class Posterior:
    """P(h | D) of every hypothesis, and what follows from it: what `posterior` returns.

    `exact` says whether the numbers are fractions.  `evidence` is P(D), `log_evidence` its natural logarithm, which
    does not underflow.

    Parameters
    ----------
    hypotheses : tuple
        The hypotheses.
    prior : tuple of Fraction
        P(h) of each, in their order.
    likelihood : Likelihood
        P(example | h).
    data : sequence
        The examples.

    Examples
    --------
    >>> found = posterior([0.5, 0.25], None, lambda toss, h: h, "HH")
    >>> found[0.5], found.map_hypothesis, len(found)
    (0.8, 0.5, 2)
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
        """P(t | x, D) of every label: each hypothesis votes with its posterior."""
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
    """The posterior P(h | D) of every hypothesis, by Bayes' theorem.

    Parameters
    ----------
    hypotheses : iterable, ConceptClass or str
        A class of concepts, a list of functions, or any list that the likelihood knows how to read.
    prior : sequence, mapping, function or None, default None
        P(h): numbers in the order of the hypotheses, hypothesis to number, or a function of the hypothesis; they sum to
        1.  None: uniform.
    likelihood : Likelihood, function or None, default None
        P(example | h): LabelNoise, Probabilities, GaussianNoise, or any function of (example, h).  None: examples (x,
        t) without noise.
    data : iterable, default ()
        The examples.
    labels : sequence, default (0, 1)
        The labels that a likelihood that is a function is about.

    Returns
    -------
    Posterior
        Iterates over (h, P(h | D)); has `evidence`, `map_hypothesis`, `ml_hypothesis`, `classify`, `predictive`,
        `draw`.

    Notes
    -----
    P(h | D) = P(D | h) P(h) / P(D), P(D) the sum of P(D | h) P(h) over all h.  Whole numbers and fractions stay exact.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 6.2 and 6.3.  Ma 2019, CS3244 notes, section 5.

    Examples
    --------
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
    """The MAP hypothesis: the one of largest posterior probability.

    Parameters
    ----------
    hypotheses, prior, likelihood, data
        As of `posterior`.

    Returns
    -------
    object
        The hypothesis; of several the first in the order given.

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.3 (Brute-force MAP learning).

    Examples
    --------
    >>> map_hypothesis([0.5, 0.9], [0.99, 0.01], lambda toss, h: h if toss == "H" else 1 - h, "HHHH")
    0.5
    """
    return posterior(hypotheses, prior, likelihood, data).map_hypothesis


def ml_hypothesis(
    hypotheses: Iterable[Any],
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
) -> Any:
    """The maximum-likelihood hypothesis: the one under which the data are likeliest.

    Parameters
    ----------
    hypotheses, likelihood, data
        As of `posterior`.

    Returns
    -------
    object
        The hypothesis; of several the first in the order given.  It is the MAP hypothesis under a uniform prior.

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.2.

    Examples
    --------
    >>> ml_hypothesis([0.5, 0.9], lambda toss, h: h if toss == "H" else 1 - h, "HHHH")
    0.9
    """
    return posterior(hypotheses, None, likelihood, data).ml_hypothesis


class CodeLengths:
    """The code lengths of every hypothesis and of the data given it: what `code_lengths` returns.

    Each row is (h, -log2 P(h), -log2 P(D | h)), in bits, under the codes that are optimal for both.

    Parameters
    ----------
    found : Posterior
        The posterior.

    Examples
    --------
    >>> found = CodeLengths(posterior([0.5, 0.25], None, lambda toss, h: h, "HH"))
    >>> found.best, found.shortest
    (0.5, (1.0, 2.0))
    """

    def __init__(self, found: Posterior) -> None:
        bits = log(2)
        self.rows: list[tuple[Any, float, float]] = [
            (h, _bits(log_of(p) / bits), _bits(log_likelihood / bits))
            for h, p, log_likelihood in zip(found.hypotheses, found.prior, found.log_likelihoods, strict=True)
        ]
        self._best = found.map_place

    @property
    def best(self) -> Any:
        """The hypothesis with the shortest description of both: decided exactly where the posterior is exact."""
        return self.rows[self._best][0]

    @property
    def shortest(self) -> tuple[float, float]:
        """Its two code lengths, in bits."""
        return self.rows[self._best][1:]

    def __iter__(self) -> Iterator[tuple[Any, float, float]]:
        return iter(self.rows)

    def __str__(self) -> str:
        lines = [f"{'h':>10} {'D given h':>10} {'both':>10}  bits"]
        order = sorted(range(len(self.rows)), key=lambda place: (place != self._best, sum(self.rows[place][1:])))
        for place in order:
            h, first, second = self.rows[place]
            lines.append(f"{first:10.3f} {second:10.3f} {first + second:10.3f}  {h}")
        return "\n".join(lines)


def _bits(logarithm: float) -> float:
    return inf if logarithm == -inf else abs(logarithm) if abs(logarithm) < 1e-12 else -logarithm


def code_lengths(
    hypotheses: Iterable[Any],
    prior: Any = None,
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
) -> CodeLengths:
    """The two code lengths of every hypothesis, in bits: of itself, and of the data given it.

    Parameters
    ----------
    hypotheses, prior, likelihood, data
        As of `posterior`.

    Returns
    -------
    CodeLengths
        Iterates over (h, -log2 P(h), -log2 P(D | h)); `best` is the hypothesis with the shortest sum.

    Notes
    -----
    Theorem.  Under codes that are optimal for the prior and the likelihood the shortest description is that of the MAP
    hypothesis (minimum description length).

    References
    ----------
    Rissanen 1978, Modeling by shortest data description.  Mitchell 1997, Machine Learning, section 6.6.

    Examples
    --------
    >>> from mistakebound.bayes import LabelNoise
    >>> import mistakebound as mb
    >>> H, shown = mb.concepts.MonotoneConjunctions(2), [((1, 1), 1), ((1, 0), 1), ((0, 1), 0), ((1, 1), 1)]
    >>> print(code_lengths(H, [0.5, 0.2, 0.2, 0.1], LabelNoise(0.1), shown))
             h  D given h       both  bits
         2.322      0.608      2.930  all of (x1)
         1.000      3.778      4.778  true
         3.322      3.778      7.100  x1 & x2
         2.322      6.948      9.270  all of (x2)
    """
    return CodeLengths(posterior(hypotheses, prior, likelihood, data))
