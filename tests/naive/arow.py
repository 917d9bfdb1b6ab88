"""AROW in plain floats, with dicts: figure 1 of Crammer, Kulesza and Dredze 2009, and its diagonal form.

Sums over a row go over ids in ascending order, then texts by first appearance, the bias last.
"""

from __future__ import annotations

from naive.perceptron import canonical

BIAS = "the bias"


class NaiveArow:
    def __init__(self, r: float, covariance: str, bias: bool) -> None:
        self.r, self.full, self.biased = r, covariance == "full", bias
        self.w: dict[str, float] = {BIAS: 0.0}  # in the order of first appearance, after the bias
        self.covariance: dict[tuple[str, str], float] = {}  # full: every pair that is not as at first
        self.precision: dict[str, float] = {}  # diagonal: the inverse of the variance, less 1

    def row(self, x: dict[str, float]) -> list[tuple[str, float]]:
        known = [name for name in self.w if name != BIAS and x.get(name)]
        ordered = sorted(known, key=lambda name: canonical(name)[:2])
        return [(name, x[name]) for name in ordered] + ([(BIAS, 1.0)] if self.biased else [])

    def between(self, a: str, b: str) -> float:
        return self.covariance.get((a, b), float(a == b))

    def score(self, x: dict[str, float]) -> float:
        total = 0.0
        for name, value in self.row(x):
            total += self.w[name] * value
        return total

    def learn(self, x: dict[str, float], label: int) -> int:
        for name in sorted((name for name in x if x[name] and name not in self.w), key=canonical):
            self.w[name] = 0.0
        score, row = self.score(x), self.row(x)
        y = 1.0 if label == 1 else -1.0
        if y * score < 1.0:
            (self.learn_full if self.full else self.learn_diagonal)(row, y, 1.0 - y * score)
        return int(score > 0)

    def learn_full(self, row: list[tuple[str, float]], y: float, loss: float) -> None:
        product = {}
        for name in self.w:
            product[name] = 0.0
            for other, value in row:
                product[name] += self.between(name, other) * value
        variance = 0.0
        for name, value in row:
            variance += product[name] * value
        beta = 1.0 / (variance + self.r)
        for name in self.w:
            self.w[name] += y * (loss * beta) * product[name]
        for a in self.w:
            for b in self.w:
                self.covariance[a, b] = self.between(a, b) - (product[a] * product[b]) * beta

    def learn_diagonal(self, row: list[tuple[str, float]], y: float, loss: float) -> None:
        variance = 0.0
        for name, value in row:
            variance += value / (1.0 + self.precision.get(name, 0.0)) * value
        alpha = loss / (variance + self.r)
        for name, value in row:
            product = value / (1.0 + self.precision.get(name, 0.0))
            self.w[name] += y * alpha * product
            # V - (V*x)^2/(variance + r) is the inverse of 1/V + x^2/(r + variance - V*x^2).
            others = max(0.0, variance - product * value)
            self.precision[name] = self.precision.get(name, 0.0) + value * value / (self.r + others)
