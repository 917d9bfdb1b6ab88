"""AROW in plain floats, with dicts: figure 1 of Crammer, Kulesza and Dredze 2009, and its diagonal form.

The full covariance is U D U', updated by the rule of Bierman 1977; `ExactArow` is figure 1 to the letter, in fractions.

Sums over a row go over ids in ascending order, then texts by first appearance, the bias last.
"""

from __future__ import annotations

from fractions import Fraction

from naive.perceptron import canonical

BIAS = "the bias"


class NaiveArow:
    def __init__(self, r: float, covariance: str, bias: bool) -> None:
        self.r, self.full, self.biased = r, covariance == "full", bias
        self.w: dict[str, float] = {BIAS: 0.0}  # in the order of first appearance, after the bias
        self.upper: dict[tuple[str, str], float] = {}  # full: U, whose diagonal is 1
        self.middle: dict[str, float] = {}  # full: D, 1 at first
        self.precision: dict[str, float] = {}  # diagonal: the inverse of the variance, less 1

    def row(self, x: dict[str, float]) -> list[tuple[str, float]]:
        known = [name for name in self.w if name != BIAS and x.get(name)]
        ordered = sorted(known, key=lambda name: canonical(name)[:2])
        return [(name, x[name]) for name in ordered] + ([(BIAS, 1.0)] if self.biased else [])

    def variance(self, name: str) -> float:
        if not self.full:
            return 1.0 / (1.0 + self.precision.get(name, 0.0))
        total, order = self.middle.get(name, 1.0), list(self.w)
        for later in order[order.index(name) + 1 :]:
            total += self.upper.get((name, later), 0.0) ** 2 * self.middle.get(later, 1.0)
        return total

    def score(self, x: dict[str, float]) -> float:
        total = 0.0
        for name, value in self.row(x):
            total += self.w[name] * value
        return total

    def learn(self, x: dict[str, float], label: int, weight: float = 1.0) -> int:
        for name in sorted((name for name in x if x[name] and name not in self.w), key=canonical):
            self.w[name] = 0.0
        score, row = self.score(x), self.row(x)
        y = 1.0 if label == 1 else -1.0
        if y * score < 1.0:
            (self.learn_full if self.full else self.learn_diagonal)(row, y, 1.0 - y * score, self.r / weight)
        return int(score > 0)

    def learn_full(self, row: list[tuple[str, float]], y: float, loss: float, r: float) -> None:
        order, x = list(self.w), dict(row)
        product, total = dict.fromkeys(order, 0.0), r
        ordered = [name for name in order if name in x and name != BIAS] + [BIAS] * self.biased
        for j, name in enumerate(order):
            f = x.get(name, 0.0)
            for other in ordered:
                if order.index(other) < j:
                    f += self.upper.get((other, name), 0.0) * x[other]
            v = self.middle.get(name, 1.0) * f
            for other in order[:j]:
                u = self.upper.get((other, name), 0.0)
                self.upper[other, name] = u + (-f / total) * product[other]
                product[other] += v * u
            product[name] = v
            self.middle[name] = self.middle.get(name, 1.0) * (total / (total + f * v))
            total += f * v
        for name in order:
            self.w[name] += y * (loss / total) * product[name]

    def learn_diagonal(self, row: list[tuple[str, float]], y: float, loss: float, r: float) -> None:
        variance = 0.0
        for name, value in row:
            variance += value / (1.0 + self.precision.get(name, 0.0)) * value
        alpha = loss / (variance + r)
        for name, value in row:
            product = value / (1.0 + self.precision.get(name, 0.0))
            self.w[name] += y * alpha * product
            # V - (V*x)^2/(variance + r) is the inverse of 1/V + x^2/(r + variance - V*x^2).
            others = max(0.0, variance - product * value)
            self.precision[name] = self.precision.get(name, 0.0) + value * value / (r + others)


class ExactArow:
    """Instances are lists of so many numbers, with the 1 of the bias where there is one."""

    def __init__(self, r: float, size: int) -> None:
        self.r = Fraction(r)
        self.w = [Fraction(0)] * size
        self.covariance = [[Fraction(i == j) for j in range(size)] for i in range(size)]

    def score(self, x: list[float]) -> Fraction:
        return sum((w * Fraction(value) for w, value in zip(self.w, x, strict=True)), Fraction(0))

    def learn(self, x: list[float], label: int, weight: float = 1.0) -> None:
        y, values = 2 * label - 1, [Fraction(value) for value in x]
        loss = 1 - y * self.score(x)
        if loss <= 0:
            return
        product = [sum(a * b for a, b in zip(row, values, strict=True)) for row in self.covariance]
        beta = 1 / (sum(a * b for a, b in zip(product, values, strict=True)) + self.r / Fraction(weight))
        self.w = [w + y * loss * beta * p for w, p in zip(self.w, product, strict=True)]
        for row, p in zip(self.covariance, product, strict=True):
            row[:] = [entry - beta * p * q for entry, q in zip(row, product, strict=True)]
