"""Weighted majority in fractions, from Littlestone and Warmuth 1994: weights, votes, a factor at every mistake."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from naive.one_vs_all import hear


class NaiveWeightedMajority:
    def __init__(self, experts: list[Any], beta: float) -> None:
        self.experts, self.beta = experts, Fraction(beta)
        self.weights = [Fraction(1)] * len(experts)

    def votes(self, x: Any) -> list[int]:
        return [expert.predict(x) for expert in self.experts]

    def predict(self, x: Any) -> int:
        votes = self.votes(x)
        q = [sum(w for w, vote in zip(self.weights, votes, strict=True) if vote == label) for label in (0, 1)]
        return int(q[1] > q[0])

    def learn(self, x: Any, label: int, weight: float = 1.0) -> int:
        prediction = self.predict(x)
        for number, vote in enumerate(self.votes(x)):
            if vote != label:
                self.weights[number] *= self.beta ** int(weight)
        for expert in self.experts:
            hear(expert, x, label, weight)
        return prediction


class NaiveRandomized(NaiveWeightedMajority):
    """The draws, fractions in [0, 1), are given from outside."""

    def __init__(self, experts: list[Any], beta: float, draws: list[Fraction]) -> None:
        super().__init__(experts, beta)
        self.draws = draws
        self.expected = Fraction(0)

    def predict(self, x: Any) -> int:
        target, prefix = self.draws[0] * sum(self.weights), Fraction(0)
        for weight, vote in zip(self.weights, self.votes(x), strict=True):
            prefix += weight
            if prefix > target:
                return vote
        raise AssertionError("a draw below 1 falls on someone")

    def learn(self, x: Any, label: int, weight: float = 1.0) -> int:
        wrong = sum(w for w, vote in zip(self.weights, self.votes(x), strict=True) if vote != label)
        self.expected += wrong / sum(self.weights)
        prediction = super().learn(x, label, weight)
        self.draws = self.draws[1:]
        return prediction
