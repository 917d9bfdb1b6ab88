"""What Bayesian learners are told: hypotheses (a class or a list of functions) and a prior, fit for a model file."""

from __future__ import annotations

from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter
from mistakebound.learners.finite.class_parameter import ClassParameter
from mistakebound.theory.bayes.prior import exact_number, hypotheses_of, prior_of


class HypothesesParameter(ClassParameter):
    """A class of concepts, by its text where it has one; or a list of functions."""

    __slots__ = ()

    @property
    def rule(self) -> str:
        return super().rule + " or a list of functions"

    def check(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)) and value and all(map(callable, value)):
            return tuple(value)
        return super().check(value)


class PriorParameter(Parameter):
    """ "uniform", or the probabilities of the hypotheses in their order, kept as texts of fractions.

    >>> PriorParameter("prior", help="").parse("0.5, 1/4,1/4")
    ['1/2', '1/4', '1/4']
    """

    __slots__ = ()

    def __init__(self, name: str, *, help: str) -> None:
        super().__init__(name, "word", "uniform", words=("uniform",), help=help)

    @property
    def rule(self) -> str:
        return "'uniform' or as many probabilities as there are hypotheses, with the sum 1"

    def check(self, value: Any) -> Any:
        if isinstance(value, str) and value == "uniform":
            return value
        if isinstance(value, (list, tuple)):
            return [str(exact_number(self.name, number)) for number in value]
        raise BadParameter(f"{self.name} must be {self.rule}: {value!r}")

    def parse(self, text: str) -> Any:
        return self.check(text if text == "uniform" else [part.strip() for part in text.split(",")])


def prior_texts(hypotheses: Any, prior: Any) -> Any:
    """A prior in any form (a mapping, a function, an array) as the parameter keeps it."""
    if prior is None or (isinstance(prior, str) and prior == "uniform"):
        return "uniform"
    try:
        return [str(p) for p in prior_of(hypotheses_of(hypotheses), prior)]
    except (BadParameter, TypeError) as error:
        raise BadParameter(f"prior must be {PriorParameter('prior', help='').rule} ({error}): {prior!r}") from None
