"""True error, training error, whether a sample exhausts a version space, and learning without a target in H.

Over a finite distribution everything is exact, in fractions; where there is only a sample, an estimate comes with its
Clopper-Pearson interval.  The agnostic learner takes the least training error; overfitting comes with its witness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.formula import parse
from mistakebound.core.errors import BadParameter
from mistakebound.core.exact import fraction_of
from mistakebound.core.optional import scipy_module
from mistakebound.theory.sample_bounds import Real, exact_share

Labeller: TypeAlias = Callable[[Any], Any]
Distribution: TypeAlias = Mapping[Any, Any] | Iterable[Any]


def weighted(distribution: Distribution) -> list[tuple[Any, Fraction]]:
    """Instances with their exact probabilities: of a mapping, or all the same for a list.

    >>> weighted({"a": 1, "b": 3})[1], weighted(["a", "b"])[0]
    (('b', Fraction(3, 4)), ('a', Fraction(1, 2)))
    """
    if isinstance(distribution, Mapping):
        pairs = []
        for x, given in distribution.items():
            weight = fraction_of(int(given) if isinstance(given, bool) else given)
            if weight is None:
                raise BadParameter(f"a distribution must give every instance a weight >= 0: {given!r} is not a number")
            pairs.append((x, weight))
    else:
        pairs = [(x, Fraction(1)) for x in distribution]
    total = sum((weight for _, weight in pairs), Fraction(0))
    if total <= 0 or any(weight < 0 for _, weight in pairs):
        raise BadParameter("a distribution must give every instance a weight >= 0, and some instance more than 0")
    return [(x, weight / total) for x, weight in pairs]


def labeller(name: str, given: Labeller | str) -> Labeller:
    """A function of an instance, or the text of a concept."""
    if isinstance(given, str):
        return parse(given)
    if not callable(given):
        raise BadParameter(f"{name} must be a function of an instance, or the text of a concept: {given!r}")
    return given


def hypotheses_given(hypotheses: Iterable[Labeller] | str) -> Iterable[Labeller]:
    """Functions of an instance, a class of concepts, or the text of a class."""
    return class_given(hypotheses) if isinstance(hypotheses, str) else hypotheses


def true_error(hypothesis: Labeller | str, target: Labeller | str, distribution: Distribution) -> Fraction:
    """The true error of a hypothesis: the probability of an instance that the target labels differently.

    Parameters
    ----------
    hypothesis, target : function or str
        Functions of an instance, or texts of concepts.
    distribution : mapping or iterable
        Instance to weight (>= 0, any sum > 0), or instances of equal weight.

    Returns
    -------
    Fraction
        The error, exact.

    References
    ----------
    Mitchell 1997, Machine Learning, section 7.2.

    Examples
    --------
    >>> from itertools import product
    >>> import mistakebound as mb
    >>> parse = mb.concepts.parse
    >>> true_error(parse("x1"), parse("x1 & x2"), product((0, 1), repeat=3))
    Fraction(1, 4)
    """
    h, f = labeller("hypothesis", hypothesis), labeller("target", target)
    return sum((p for x, p in weighted(distribution) if p and h(x) != f(x)), Fraction(0))


def training_error(hypothesis: Labeller | str, examples: Iterable[tuple[Any, Any]]) -> Fraction:
    """The training error of a hypothesis: the share of the examples that it labels otherwise.

    Parameters
    ----------
    hypothesis : function or str
        A function of an instance, or the text of a concept.
    examples : iterable of (x, label)

    Returns
    -------
    Fraction
        The error, exact; 0 for no examples.

    References
    ----------
    Mitchell 1997, Machine Learning, section 7.2.

    Examples
    --------
    >>> training_error("x1", [((1, 0), 1), ((1, 1), 0), ((0, 1), 0)])
    Fraction(1, 3)
    """
    h = labeller("hypothesis", hypothesis)
    wrong = [h(x) != label for x, label in examples]
    return Fraction(sum(wrong), len(wrong) or 1)


def error_interval(wrong: int, of: int, confidence: Real = 0.95) -> tuple[float, float]:
    """The Clopper-Pearson confidence interval for an error rate.

    Parameters
    ----------
    wrong : int
        Examples that were mislabelled; >= 0.
    of : int
        Independent examples in all; >= 1 and >= wrong.
    confidence : number, default 0.95
        > 0 and < 1.

    Returns
    -------
    (float, float)
        The ends of the interval: it holds the error rate with at least this confidence.

    Notes
    -----
    The ends are quantiles of beta distributions; the interval is never too short.  It is for one moment that was chosen
    beforehand; `Ledger.certificate` has one for all times at once.

    References
    ----------
    Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case of the binomial.

    Examples
    --------
    >>> [round(end, 4) for end in error_interval(3, 100)]
    [0.0062, 0.0852]
    >>> error_interval(0, 10)[0], error_interval(10, 10)[1]
    (0.0, 1.0)
    """
    counts = [fraction_of(count) for count in (wrong, of)]
    if any(count is None or count.denominator > 1 for count in counts):
        raise BadParameter(f"wrong and of must be whole numbers: {wrong!r}, {of!r}")
    wrong, of = (int(count or 0) for count in counts)
    if not 0 <= wrong <= of or of < 1:
        raise BadParameter(f"wrong must be between 0 and the number of examples, at least 1: {wrong} of {of}")
    tail = float(1 - exact_share("confidence", confidence)) / 2
    betaincinv = scipy_module("special", "an interval for an error").betaincinv
    low = float(betaincinv(wrong, of - wrong + 1, tail)) if wrong else 0.0
    high = float(betaincinv(wrong + 1, of - wrong, 1 - tail)) if wrong < of else 1.0
    return low, high


class Exhaustion:
    """Whether every consistent hypothesis has a true error below epsilon; if not, `witness` is one of largest error."""

    def __init__(self, epsilon: Fraction, consistent: int, worst: Fraction, witness: Any) -> None:
        self.epsilon = epsilon
        self.consistent = consistent  # hypotheses that fit the sample
        self.worst = worst  # the largest true error among them
        self.witness = witness if worst >= epsilon else None

    def __bool__(self) -> bool:
        return self.worst < self.epsilon

    def __repr__(self) -> str:
        if not self.consistent:
            return f"<exhausted: no hypothesis is consistent with the sample, epsilon {self.epsilon}>"
        said = "exhausted" if self else f"not exhausted, by {self.witness}"
        return f"<{said}: {self.consistent} consistent, largest error {self.worst}, epsilon {self.epsilon}>"


def is_epsilon_exhausted(
    hypotheses: Iterable[Labeller] | str,
    target: Labeller | str,
    sample: Iterable[Any],
    distribution: Distribution,
    epsilon: Real,
) -> Exhaustion:
    """Whether a sample epsilon-exhausts the version space: every hypothesis that fits it has an error below epsilon.

    Parameters
    ----------
    hypotheses : iterable of functions, ConceptClass or str
        The hypothesis space H.
    target : function or str
        Labels the sample.
    sample : iterable
        Instances, without labels.
    distribution : mapping or iterable
        Instance to weight (>= 0), or instances of equal weight.
    epsilon : number
        > 0 and < 1.

    Returns
    -------
    Exhaustion
        True or false by `bool`; `consistent`, how many hypotheses agree with the sample; `worst`, the largest true
        error among them; `witness`, one with that error, or None where it is below epsilon.

    References
    ----------
    Haussler 1988, Quantifying inductive bias.  Mitchell 1997, Machine Learning, section 7.3.1.

    Examples
    --------
    >>> from itertools import product
    >>> import mistakebound as mb
    >>> H, target, cube = mb.concepts.Conjunctions(3), mb.concepts.parse("x1 & x2"), list(product((0, 1), repeat=3))
    >>> is_epsilon_exhausted(H, target, [(1, 1, 0), (1, 1, 1), (1, 0, 1)], cube, 0.25)
    <not exhausted, by all of (x2): 2 consistent, largest error 1/4, epsilon 1/4>
    >>> bool(is_epsilon_exhausted(H, target, cube, cube, 0.01))
    True
    """
    limit, points, shown = exact_share("epsilon", epsilon), weighted(distribution), list(sample)
    f = labeller("target", target)
    seen = [(x, f(x)) for x in shown]
    truth = [(x, p, f(x)) for x, p in points]
    consistent, worst, witness = 0, Fraction(-1), None
    for hypothesis in hypotheses_given(hypotheses):
        if all(hypothesis(x) == label for x, label in seen):
            consistent += 1
            error = sum((p for x, p, label in truth if hypothesis(x) != label), Fraction(0))
            if error > worst:
                worst, witness = error, hypothesis
    return Exhaustion(limit, consistent, worst, witness)


@dataclass(repr=False, eq=False)
class Fit:
    """A hypothesis with its training error."""

    hypothesis: Any
    training_error: Fraction

    def __repr__(self) -> str:
        return f"<{self.hypothesis}: training error {self.training_error}>"


def least_training_error(hypotheses: Iterable[Labeller] | str, examples: Iterable[tuple[Any, Any]]) -> Fit:
    """The agnostic learner: the hypothesis of least training error.

    Parameters
    ----------
    hypotheses : iterable of functions, ConceptClass or str
        The hypothesis space H; not empty.
    examples : iterable of (x, label)

    Returns
    -------
    Fit
        `hypothesis`, the first of several in the order of H, and its `training_error`.

    References
    ----------
    Haussler 1992, Decision theoretic generalizations of the PAC model.  Mitchell 1997, Machine Learning, section 7.3.2.

    Examples
    --------
    >>> import mistakebound as mb
    >>> xor = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 0)]
    >>> least_training_error(mb.concepts.Conjunctions(2), xor)
    <x1 & ~x2: training error 1/4>
    """
    shown = list(examples)
    best: Fit | None = None
    for hypothesis in hypotheses_given(hypotheses):
        error = training_error(hypothesis, shown)
        if best is None or error < best.training_error:
            best = Fit(hypothesis, error)
            if error == 0:
                break
    if best is None:
        raise BadParameter("hypotheses must be a class with at least one concept: it is empty")
    return best


@dataclass(repr=False, eq=False)
class Overfitting:
    """h overfits, because `better` has the larger training error and the smaller true error."""

    better: Any
    training: tuple[Fraction, Fraction]  # of h, of the other
    true: tuple[Fraction, Fraction]

    def __repr__(self) -> str:
        (train, other), (real, lower) = self.training, self.true
        return f"<overfits: {self.better} has training error {other} > {train}, true error {lower} < {real}>"


def overfits(
    hypothesis: Labeller | str,
    hypotheses: Iterable[Labeller] | str,
    examples: Iterable[tuple[Any, Any]],
    target: Labeller | str,
    distribution: Distribution,
) -> Overfitting | None:
    """Whether a hypothesis overfits the examples: another has a larger training error, but a smaller true error.

    Parameters
    ----------
    hypothesis : function or str
        The hypothesis in question.
    hypotheses : iterable of functions, ConceptClass or str
        The hypothesis space H, in which the other is looked for.
    examples : iterable of (x, label)
        The training examples; their labels may be wrong.
    target : function or str
        Says the true labels.
    distribution : mapping or iterable
        Instance to weight (>= 0), or instances of equal weight.

    Returns
    -------
    Overfitting or None
        The proof, `better`, the hypothesis of least true error; None: it does not overfit.

    References
    ----------
    Mitchell 1997, Machine Learning, section 3.7.1.

    Examples
    --------
    >>> import mistakebound as mb
    >>> from itertools import product
    >>> parse, cube = mb.concepts.parse, list(product((0, 1), repeat=3))
    >>> noisy = [((1, 1, 0), 1), ((1, 0, 1), 0), ((0, 0, 1), 0)]  # the second label is false
    >>> overfits(parse("x1 & ~x3"), mb.concepts.Conjunctions(3), noisy, parse("x1"), cube)
    <overfits: all of (x1) has training error 1/3 > 0, true error 0 < 1/4>
    """
    shown, points = list(examples), list(distribution.items() if hasattr(distribution, "items") else distribution)
    space: Any = dict(points) if hasattr(distribution, "items") else points
    train, real = training_error(hypothesis, shown), true_error(hypothesis, target, space)
    found: Overfitting | None = None
    for other in hypotheses_given(hypotheses):
        more = training_error(other, shown)
        if more > train:
            lower = true_error(other, target, space)
            if lower < (real if found is None else found.true[1]):
                found = Overfitting(other, (train, more), (real, lower))
    return found
