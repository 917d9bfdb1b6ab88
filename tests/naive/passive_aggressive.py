"""Passive-aggressive learning (Crammer et al. 2006) in plain floats, added up in the order of the perceptron."""

from __future__ import annotations

from naive.perceptron import canonical


class NaivePassiveAggressive:
    def __init__(self, variant: str, C: float, bias: bool) -> None:
        self.variant, self.C, self.biased = variant, C, bias
        self.w: dict[str, float] = {}  # in the order of first appearance
        self.bias = 0.0

    def _known(self, x: dict[str, float]) -> list[str]:
        """The names of x that have appeared: ids by number, then texts as they appeared."""
        return [name for name in sorted(self.w, key=lambda name: canonical(name)[:2]) if x.get(name)]

    def score(self, x: dict[str, float]) -> float:
        total = 0.0
        for name in self._known(x):
            total += self.w[name] * x[name]
        return total + self.bias if self.biased else total

    def learn(self, x: dict[str, float], label: int, weight: float = 1.0) -> int:
        """label is 0 or 1; y = -1 or +1."""
        y = 1.0 if label == 1 else -1.0
        score = self.score(x)
        for name in sorted((name for name in x if x[name] and name not in self.w), key=canonical):
            self.w[name] = 0.0
        loss = max(0.0, 1.0 - y * score)
        squared = 0.0
        for name in self._known(x):
            squared += x[name] * x[name]
        if self.biased:
            squared += 1.0
        if loss > 0.0 and squared > 0.0:
            if self.variant == "plain":
                tau = loss / squared
            elif self.variant == "I":
                tau = min(self.C * weight, loss / squared)
            else:
                tau = loss / (squared + 1.0 / (2.0 * self.C) / weight)
            for name in self._known(x):
                self.w[name] += (y * tau) * x[name]
            if self.biased:
                self.bias += y * tau
        return int(score > 0)
