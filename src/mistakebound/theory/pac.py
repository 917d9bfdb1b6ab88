"""True error, training error, and whether a sample exhausts a version space (row T7): M section 6.

Over a finite distribution everything is exact, in fractions; where there is only a sample, an estimate comes with its
Clopper-Pearson interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.formula import parse
from mistakebound.core.errors import BadParameter
from mistakebound.core.exact import fraction_of
from mistakebound.theory.sample_size import Real, exact_share

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
                raise BadParameter(f"a distribution must give every instance a weight >= 0: {given!r} is no number")
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
    """The probability of an instance that both label differently.

    >>> from itertools import product
    >>> import mistakebound as mb
    >>> parse = mb.concepts.parse
    >>> true_error(parse("x1"), parse("x1 & x2"), product((0, 1), repeat=3))
    Fraction(1, 4)
    """
    h, f = labeller("hypothesis", hypothesis), labeller("target", target)
    return sum((p for x, p in weighted(distribution) if p and h(x) != f(x)), Fraction(0))


def training_error(hypothesis: Labeller | str, examples: Iterable[tuple[Any, Any]]) -> Fraction:
    """The share of the examples (x, label) that the hypothesis labels otherwise; 0 of none."""
    h = labeller("hypothesis", hypothesis)
    wrong = [h(x) != label for x, label in examples]
    return Fraction(sum(wrong), len(wrong) or 1)


def error_interval(wrong: int, of: int, confidence: Real = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval for an error rate, when `wrong` of `of` independent examples were mislabelled.

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
    from scipy.special import betaincinv

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
    """Whether the version space of a sample is epsilon-exhausted: every error in it < epsilon, exactly.

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
