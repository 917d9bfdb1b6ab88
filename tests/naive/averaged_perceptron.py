"""The averaged perceptron of Freund and Schapire 1999: every weight vector of every trial, added up exactly.

Their figure 1 gives each vector the number of trials that it survived, the one of its birth included; the average is
over the vectors after each trial.
"""

from __future__ import annotations

from fractions import Fraction

from naive.perceptron import NaivePerceptron


class NaiveAveragedPerceptron(NaivePerceptron):
    def __init__(self, eta: float, bias: bool) -> None:
        super().__init__(eta, bias)
        self.trials = 0
        self.total: dict[str, Fraction] = {}
        self.total_bias = Fraction(0)

    def learn(self, x: dict[str, float], label: int) -> int:
        prediction = super().learn(x, label)
        self.trials += 1
        for name, weight in self.units.items():
            self.total[name] = self.total.get(name, Fraction(0)) + Fraction(weight)
        self.total_bias += Fraction(self.units_of_bias)
        return prediction

    def average(self) -> dict[str, Fraction]:
        return {name: Fraction(self.eta) * total / self.trials for name, total in self.total.items()}

    def average_bias(self) -> Fraction:
        return Fraction(self.eta) * self.total_bias / max(1, self.trials)

    def average_score(self, x: dict[str, float]) -> Fraction:
        known = self.average()
        return sum((known[name] * Fraction(x[name]) for name in x if name in known), self.average_bias())
