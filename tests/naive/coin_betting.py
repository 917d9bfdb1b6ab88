"""Coin betting, a coin for each attribute, from docs/theorems.md.

Sums are over ids in ascending order, then texts as they appeared, the bias last.
"""

from __future__ import annotations

from math import exp, lgamma, log, pi

from naive.perceptron import canonical

BIAS = "the bias"


class Coin:
    """Bets on the signs of outcomes; `given` is all the money that it ever had from outside."""

    def __init__(self, wealth: float) -> None:
        self.first = wealth
        self.total = self.size = self.wealth = self.most = self.given = 0.0

    @property
    def weight(self) -> float:
        return self.total / (self.size + self.most) * (self.wealth / self.most) if self.most > 0 else 0.0

    def hear(self, g: float, reach: float) -> float:
        """An outcome, which could have been `reach` in size; what cutting it off costs."""
        kept, weight = g, self.weight
        if self.most > 0:
            kept = max(-self.most, min(self.most, g))
            self.wealth += kept * weight
        self.total += kept
        self.size += abs(kept)
        if reach > self.most:
            money = self.first * (1 - self.most / reach)
            self.wealth += money
            self.given += money
            self.most = reach
        return (kept - g) * weight

    @property
    def promised(self) -> float:
        """What the lemma says that the wealth is, at least: the wealth of Krichevsky and Trofimov's bets."""
        n, s = 1 + self.size / self.most, self.total / self.most
        logs = (n - 1) * log(2) + lgamma((n + s) / 2) + lgamma((n - s) / 2) - log(pi) - lgamma(n)
        return self.first * exp(logs)


class NaiveCoinBetting:
    def __init__(self, wealth: float, bias: bool) -> None:
        self.wealth = wealth
        self.coins: dict[str, Coin] = {}  # in the order of first appearance
        self.own = Coin(wealth) if bias else None
        self.cut = 0.0

    def _known(self, x: dict[str, float]) -> list[str]:
        return [name for name in sorted(self.coins, key=lambda name: canonical(name)[:2]) if x.get(name)]

    @property
    def w(self) -> dict[str, float]:
        return {name: coin.weight for name, coin in self.coins.items()}

    @property
    def bias(self) -> float:
        return self.own.weight if self.own else 0.0

    @property
    def put(self) -> float:
        own = [self.own] if self.own else []
        return sum(coin.given for coin in [*self.coins.values(), *own]) + self.cut

    def score(self, x: dict[str, float]) -> float:
        total = 0.0
        for name in self._known(x):
            total += self.coins[name].weight * x[name]
        return total + self.own.weight if self.own else total

    def learn(self, x: dict[str, float], label: int, weight: float = 1.0) -> int:
        score = self.score(x)
        for name in sorted((name for name in x if x[name] and name not in self.coins), key=canonical):
            self.coins[name] = Coin(self.wealth)
        chance = 1.0 / (1.0 + exp(-score)) if score >= 0 else exp(score) / (1.0 + exp(score))
        g = weight * (label - chance)
        for name in self._known(x):
            if weight * abs(x[name]) > 0:
                self.cut += self.coins[name].hear(g * x[name], weight * abs(x[name]))
        if self.own:
            self.cut += self.own.hear(g, weight)
        return int(score > 0)
