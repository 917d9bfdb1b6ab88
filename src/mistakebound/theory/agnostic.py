"""Learning without supposing that the target is in H (row T8): least training error, and overfitting with its witness.

M section 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.theory.pac import Distribution, Labeller, hypotheses_given, training_error, true_error


class Fit:
    """A hypothesis with its training error."""

    def __init__(self, hypothesis: Any, training_error: Fraction) -> None:
        self.hypothesis = hypothesis
        self.training_error = training_error

    def __repr__(self) -> str:
        return f"<{self.hypothesis}: training error {self.training_error}>"


def least_training_error(hypotheses: Iterable[Labeller] | str, examples: Iterable[tuple[Any, Any]]) -> Fit:
    """The agnostic learner: the hypothesis of least training error, the first of several in the order of H.

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


class Overfitting:
    """h overfits, because `better` has the larger training error and the smaller true error."""

    def __init__(self, better: Any, training: tuple[Fraction, Fraction], true: tuple[Fraction, Fraction]) -> None:
        self.better = better
        self.training = training  # of h, of the other
        self.true = true

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
    """The hypothesis of H that proves that `hypothesis` overfits the examples, of least true error; None: it does not.

    h overfits when some h' of H has a larger training error, but a smaller true error over the distribution.

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
