"""The posterior over a list of functions with any likelihood, one example after the other."""

from __future__ import annotations

from fractions import Fraction
from math import exp, fsum, inf
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.theory.bayes.likelihood import Log, log_of
from mistakebound.theory.bayes.vote import drawn, votes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from mistakebound.theory.bayes.likelihood import Likelihood


class FunctionBelief:
    """Weights in the proportion of the posterior, fractions until a float comes, then logarithms; a value."""

    __slots__ = ("hypotheses", "likelihood", "weights")

    def __init__(self, hypotheses: tuple[Any, ...], likelihood: Likelihood, weights: Sequence[Fraction | Log]) -> None:
        self.hypotheses = hypotheses
        self.likelihood = likelihood
        self.weights = tuple(weights)

    @property
    def exact(self) -> bool:
        return not any(isinstance(weight, Log) for weight in self.weights)

    def posterior(self) -> list[Any]:
        """P(h | D), fractions or floats."""
        if self.exact:
            weights: list[Any] = list(self.weights)
            total = sum(weights, Fraction(0))
            return [weight / total for weight in weights]
        logs = [log_of(weight) for weight in self.weights]
        top = max(logs)
        shares = [exp(value - top) for value in logs]
        return [share / fsum(shares) for share in shares]

    def votes(self, x: Any) -> dict[Any, Any]:
        """P(t | x, D), the labels in order."""
        return votes(zip(self.hypotheses, self.posterior(), strict=True), self.likelihood, x)

    def after(self, x: Any, label: Any) -> FunctionBelief:
        """When x had the label; NoConsistentHypothesis when no hypothesis that is left allows it."""
        factors = [self.likelihood.of_all(h, [(x, label)]) for h in self.hypotheses]
        exact = self.exact and not any(isinstance(factor, Log) for factor in factors)
        weights: list[Any] = []
        for weight, factor in zip(self.weights, factors, strict=True):
            if exact:
                weights.append(weight * factor)  # type: ignore[operator]
            else:
                value = log_of(weight) + log_of(factor)  # type: ignore[arg-type]
                weights.append(Log(value) if value > -inf else Fraction(0))
        if not any(weights):
            raise NoConsistentHypothesis(f"no hypothesis of {len(self.hypotheses)} allows the label {label!r}")
        return FunctionBelief(self.hypotheses, self.likelihood, weights)

    def draw(self, chance: Random) -> Any:
        """A hypothesis drawn from the posterior."""
        return drawn(self.hypotheses, self.posterior(), chance)

    def label_drawn(self, h: Any, x: Any, chance: Random) -> Any:
        """A label drawn from P(t | h, x)."""
        said = self.likelihood.chances(h, x)
        if not said:
            raise BadData(f"a hypothesis must give a label: {h!r} gives none")
        return drawn(tuple(said), list(said.values()), chance)

    def form(self) -> Any:
        weights = tuple(weight.value if isinstance(weight, Log) else weight for weight in self.weights)
        return self.hypotheses, repr(self.likelihood), weights
