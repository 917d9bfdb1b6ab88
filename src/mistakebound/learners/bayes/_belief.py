"""Posteriors, one example after the other: over a class of concepts, and over a list of functions with any likelihood.

Over a class labels are noisy at a known rate, and all is exact, as sets of bits. A concept that contradicted k labels
has the weight prior * r^k, r = noise / (1 - noise): so all concepts of the same prior that contradicted as many are one
set, and their votes are counted at once.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, fsum, inf, lcm
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.theory.bayes.likelihood import Log, log_of
from mistakebound.theory.bayes.posterior import drawn, votes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from mistakebound.theory.bayes.likelihood import Likelihood

_SURE = 1e-9  # a margin of votes, as a share of all, that rounding cannot turn


class ConceptBelief:
    """Sets of concepts by prior and by the number of labels contradicted; a value: learning makes another."""

    __slots__ = ("groups", "levels", "noise")

    def __init__(self, groups: Sequence[tuple[Fraction, int]], levels: dict[int, int], noise: Fraction) -> None:
        self.groups = groups  # (prior of one concept, the set of those who have it), none with prior 0
        self.levels = levels  # k: the concepts that contradicted k labels more than the best have; none is empty
        self.noise = noise

    @property
    def alive(self) -> int:
        """The concepts whose posterior is not 0."""
        every = 0
        for level in self.levels.values():
            every |= level
        return every

    def lead(self, yes: int) -> tuple[int, float]:
        """Who wins between those who say 1 (`yes`) and the others, 1, -1 or 0; and the margin as a share of all."""
        if len(self.levels) == 1 and len(self.groups) == 1:
            ones, every = (self.levels[0] & yes).bit_count(), self.levels[0].bit_count()  # votes alike
            return _sign(2 * ones - every), (2 * ones - every) / every
        ratio, top = float(self.noise / (1 - self.noise)), max(prior for prior, _ in self.groups)
        one = zero = 0.0
        for prior, members in self.groups:
            share = float(prior / top)
            for k, level in self.levels.items():
                here = level & members
                ones = (here & yes).bit_count()
                weight = share * ratio**k
                one += weight * ones
                zero += weight * (here.bit_count() - ones)
        if abs(one - zero) > _SURE * (one + zero):
            return _sign(one - zero), (one - zero) / (one + zero)
        cells = self.cells()
        exact = sum(weight * (2 * (here & yes).bit_count() - here.bit_count()) for weight, here in cells)
        total = sum(weight * here.bit_count() for weight, here in cells)
        return _sign(exact), float(Fraction(exact, total))

    def cells(self) -> list[tuple[int, int]]:
        """(weight of one concept, set): whole numbers in the proportion of the posterior."""
        wrong, right = self.noise.numerator, self.noise.denominator - self.noise.numerator
        scale, last = lcm(*(prior.denominator for prior, _ in self.groups)), max(self.levels)
        powers = {k: wrong**k * right ** (last - k) for k in self.levels}
        return [
            (int(prior * scale) * powers[k], level & members)
            for prior, members in self.groups
            for k, level in self.levels.items()
            if level & members
        ]

    def after(self, agree: int) -> ConceptBelief | None:
        """When those who `agree` with a label were right; None when nobody who is left was."""
        if not self.noise:
            left = self.levels[0] & agree
            return ConceptBelief(self.groups, {0: left}, self.noise) if left else None
        moved: dict[int, int] = {}
        for k, level in self.levels.items():
            for more, part in ((0, level & agree), (1, level & ~agree)):
                if part:
                    moved[k + more] = moved.get(k + more, 0) | part
        best = min(moved)
        return ConceptBelief(self.groups, {k - best: moved[k] for k in sorted(moved)}, self.noise)

    def least(self) -> Fraction:
        """The smallest posterior that is not 0."""
        cells = self.cells()
        return Fraction(min(weight for weight, _ in cells), sum(weight * here.bit_count() for weight, here in cells))

    def draw(self, chance: Random) -> tuple[int, int]:
        """A set and a place in it: the concept drawn from the posterior is the so-manieth of the set."""
        cells = self.cells()
        left = chance.randrange(sum(weight * here.bit_count() for weight, here in cells))
        for weight, here in cells:
            size = weight * here.bit_count()
            if left < size:
                return here, left // weight
            left -= size
        raise AssertionError("the weights sum to their sum")

    def form(self) -> Any:
        """Equal for equal posteriors over the same class."""
        return tuple(self.groups), tuple(self.levels.items()), self.noise


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def groups_of(prior: Sequence[Fraction]) -> list[tuple[Fraction, int]]:
    """The concepts by their prior, those with none left out.

    >>> groups_of([Fraction(1, 4), Fraction(1, 2), Fraction(0), Fraction(1, 4)])
    [(Fraction(1, 4), 9), (Fraction(1, 2), 2)]
    """
    places: dict[Fraction, list[int]] = {}
    for c, p in enumerate(prior):
        if p:
            places.setdefault(p, []).append(c)
    found = []
    for p, members in places.items():
        bits = bytearray(len(prior) // 8 + 1)
        for c in members:
            bits[c >> 3] |= 1 << (c & 7)
        found.append((p, int.from_bytes(bits, "little")))
    return found


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
