"""P(example | h): noise-free, with noisy labels, given by the hypotheses themselves, Gaussian, or any function.

Examples are taken to be independent once the hypothesis is known: P(D | h) is a product.  Whole numbers and fractions
stay exact; a float makes it a sum of logarithms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import exp, fsum, inf, log, pi
from typing import Any, TypeAlias

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.plain_sum import plain_sum
from mistakebound.theory.bayes.prior import exact_number, hypotheses_of

Number: TypeAlias = Fraction | float


class Likelihood(ABC):
    """The contract of a likelihood: what a hypothesis says about an example.

    A subclass writes `__call__(example, h)`, P(example | h); for examples (x, t) also `chances(h, x)`, P(t | h, x) of
    every label t, by which labels are predicted.

    Examples
    --------
    >>> class Heads(Likelihood):
    ...     def __call__(self, example, h):
    ...         return h if example == "H" else 1 - h
    >>> from mistakebound.bayes import posterior
    >>> round(posterior([0.25, 0.75], None, Heads(), "HH")[0.75], 6)
    0.9
    """

    @abstractmethod
    def __call__(self, example: Any, h: Any) -> Any:
        """P(example | h)."""

    def chances(self, h: Any, x: Any) -> Mapping[Any, Any]:
        """P(t | h, x) of every label t that h does not rule out."""
        raise BadParameter(f"likelihood must be one of labels to predict one: {self!r}")

    def of_all(self, h: Any, data: Sequence[Any]) -> Number | Log:
        """P(D | h): a fraction, or a logarithm where a factor is a float."""
        factors: Counter[Any] = Counter()
        for example in data:
            factor = self(example, h)
            if factor == 0:
                return Fraction(0)
            factors[_checked(factor)] += 1
        if any(isinstance(factor, float) for factor in factors):
            return Log(fsum(count * _log(factor) for factor, count in factors.items()))
        product = Fraction(1)
        for factor, count in factors.items():
            product *= factor**count
        return product

    def __repr__(self) -> str:
        return type(self).__name__


class Log:
    """A number by its natural logarithm; `order` sorts as the number does where its logarithm is rounded."""

    __slots__ = ("order", "value")

    def __init__(self, value: float, order: Any = None) -> None:
        self.value = value
        self.order = value if order is None else order


def log_of(number: Fraction | Log) -> float:
    """The natural logarithm, also of a fraction whose numerator no double can hold.

    >>> round(log_of(Fraction(1, 10**400)), 6) == round(-400 * log(10), 6)
    True
    """
    if isinstance(number, Log):
        return number.value
    return log(number.numerator) - log(number.denominator) if number else -inf


def _log(factor: Number) -> float:
    return log_of(factor) if isinstance(factor, Fraction) else log(factor)


def _checked(factor: Any) -> Number:
    try:
        number: Number = Fraction(factor) if isinstance(factor, (int, Fraction, Decimal)) else float(factor)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number < inf:
        raise BadParameter(f"likelihood must be a number >= 0: {factor!r}")
    return number


def _pair(example: Any) -> tuple[Any, Any]:
    try:
        x, t = example
    except (TypeError, ValueError):
        raise BadData(f"data must be pairs (x, t): {example!r}") from None
    return x, t


def _said(h: Any, x: Any) -> Any:
    if not callable(h):
        raise BadParameter(f"hypotheses must be functions of x, or the likelihood one that can read them: {h!r}")
    return h(x)


class NoiseFree(Likelihood):
    """Labels without noise: P((x, t) | h) is 1 where h(x) = t, else 0.

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.3.1.

    Examples
    --------
    >>> NoiseFree()((7, 1), lambda x: x > 5), NoiseFree()((7, 0), lambda x: x > 5)
    (1, 0)
    """

    def __call__(self, example: Any, h: Any) -> int:
        x, t = _pair(example)
        return int(_said(h, x) == t)

    def chances(self, h: Any, x: Any) -> Mapping[Any, Fraction]:
        return {_said(h, x): Fraction(1)}


class LabelNoise(Likelihood):
    """Labels with noise: the label is h(x), but with probability `rate` one of the others, all alike.

    Parameters
    ----------
    rate : number
        Probability of a wrong label; between 0 and 1.
    labels : sequence, default (0, 1)
        All labels; at least two, all different.

    Examples
    --------
    >>> LabelNoise(0.1)((7, 1), lambda x: x > 5), LabelNoise(0.1, labels="abc").chances(lambda x: "a", 0)["b"]
    (Fraction(9, 10), Fraction(1, 20))
    """

    def __init__(self, rate: Any, labels: Sequence[Any] = (0, 1)) -> None:
        self.rate = exact_number("rate", rate)
        self.labels = tuple(labels)
        if self.rate > 1:
            raise BadParameter(f"rate must be a number >= 0 and <= 1: {rate!r}")
        if len(set(self.labels)) < max(2, len(self.labels)):
            raise BadParameter(f"labels must be at least two, all different: {self.labels!r}")
        self._other = self.rate / (len(self.labels) - 1)

    def __call__(self, example: Any, h: Any) -> Fraction:
        x, t = _pair(example)
        return 1 - self.rate if _said(h, x) == t else self._other if t in self.labels else Fraction(0)

    def chances(self, h: Any, x: Any) -> Mapping[Any, Fraction]:
        said = _said(h, x)
        if said not in self.labels:
            raise BadData(f"a hypothesis must give one of the labels {self.labels}: {said!r}")
        return {t: 1 - self.rate if t == said else self._other for t in self.labels}

    def __repr__(self) -> str:
        return f"LabelNoise({self.rate})"


class Probabilities(Likelihood):
    """Labels drawn by the hypothesis: h(x) is P(t | h, x), a mapping from labels, or a number, the probability of 1.

    Examples
    --------
    >>> Probabilities()(("any", 0), lambda x: 0.25), Probabilities()(("any", "b"), lambda x: {"a": 0.5, "b": 0.5})
    (0.75, 0.5)
    """

    def __call__(self, example: Any, h: Any) -> Any:
        x, t = _pair(example)
        return self.chances(h, x).get(t, 0)

    def chances(self, h: Any, x: Any) -> Mapping[Any, Any]:
        given = said = _said(h, x)
        try:
            said = given if isinstance(given, Mapping) else {0: 1 - given, 1: given}
            good = all(0 <= p <= 1 for p in said.values()) and abs(plain_sum(said.values()) - 1) <= 1e-9
        except TypeError:
            good = False
        if not good:
            raise BadData(f"a hypothesis must give probabilities that sum to 1: {said!r}")
        return said  # type: ignore[no-any-return]


class GaussianNoise(Likelihood):
    """Numbers with Gaussian noise: the target value is h(x) plus noise of standard deviation `sigma`.

    Parameters
    ----------
    sigma : float
        Standard deviation; > 0.

    Notes
    -----
    Theorem.  The hypothesis of greatest likelihood is the one of least squared error.  Squared errors are summed
    exactly.

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.4.

    Examples
    --------
    >>> round(GaussianNoise(2.0)((1, 5.0), lambda x: 3.0), 6)
    0.120985
    """

    def __init__(self, sigma: float) -> None:
        try:
            self.sigma = float(sigma)
        except (TypeError, ValueError, OverflowError):
            self.sigma = 0.0
        if not 0 < self.sigma < inf:
            raise BadParameter(f"sigma must be a number > 0: {sigma!r}")

    def __call__(self, example: Any, h: Any) -> float:
        found = self.of_all(h, [example])
        return exp(found.value)

    def of_all(self, h: Any, data: Sequence[Any]) -> Log:
        squares = squared_error(h, data)
        constant = len(data) * (log(self.sigma) + 0.5 * log(2 * pi))
        try:
            exponent = float(squares / (2 * Fraction(self.sigma) ** 2))
        except OverflowError:  # so far away that the density is 0
            exponent = inf
        return Log(-exponent - constant, -squares)

    def __repr__(self) -> str:
        return f"GaussianNoise({self.sigma:g})"


def squared_error(h: Callable[[Any], Any], data: Sequence[Any]) -> Fraction:
    """The sum of (t - h(x))^2, exactly for the numbers as they are.

    >>> squared_error(lambda x: 2 * x, [(1, 2.5), (2, 4)])
    Fraction(1, 4)
    """
    total = Fraction(0)
    for x, t in map(_pair, data):
        said = _said(h, x)
        try:
            total += (Fraction(t) - Fraction(said)) ** 2
        except (TypeError, ValueError, OverflowError):
            raise BadData(f"data must be pairs (x, t) with a finite number t, and h(x) another: {(x, t)!r}") from None
    return total


class OfFunction(Likelihood):
    """Any function of (example, h); of examples (x, t) it can predict labels where it knows which there are."""

    def __init__(self, function: Callable[[Any, Any], Any], labels: Sequence[Any]) -> None:
        self.function = function
        self.labels = labels

    def __call__(self, example: Any, h: Any) -> Any:
        return self.function(example, h)

    def chances(self, h: Any, x: Any) -> Mapping[Any, Any]:
        found = {t: self.function((x, t), h) for t in self.labels}
        if abs(plain_sum(found.values()) - 1) > 1e-9:
            raise BadParameter(f"likelihood must sum to 1 over the labels {tuple(self.labels)}: {found!r}")
        return found

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", "a function")


def likelihood_of(given: Likelihood | Callable[[Any, Any], Any] | None, labels: Sequence[Any] = (0, 1)) -> Likelihood:
    """Noise-free, unless another is given."""
    if given is None:
        return NoiseFree()
    if isinstance(given, Likelihood):
        return given
    if not callable(given):
        raise BadParameter(f"likelihood must be a function of (example, hypothesis), or None for no noise: {given!r}")
    return OfFunction(given, labels)


def least_squares(hypotheses: Iterable[Any], data: Iterable[tuple[Any, Any]]) -> Any:
    """The hypothesis with the least sum of squared errors.

    Parameters
    ----------
    hypotheses : iterable of functions
        At least one.
    data : iterable of (x, t)
        t is a finite number.

    Returns
    -------
    object
        The first hypothesis that makes the sum of (t - h(x))^2 smallest; the sums are exact.

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.4.

    Examples
    --------
    >>> lines = [lambda x, slope=slope: slope * x for slope in (1, 2, 3)]
    >>> least_squares(lines, [(1, 1.8), (2, 4.1), (3, 6.3)]) is lines[1]
    True
    """
    shown = tuple(data)
    return min(hypotheses_of(hypotheses), key=lambda h: squared_error(h, shown))
