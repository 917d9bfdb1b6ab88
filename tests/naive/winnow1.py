"""Winnow1 from Littlestone's table, in fractions: slow, obvious, exact."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log2


def start_weight(appeared: int) -> Fraction:
    """n unknown: 2^-(b + 2*ceil(log2(b+1))), b = floor(log2 J); J is small here, so log2 is good enough."""
    b = floor(log2(appeared))
    return Fraction(1, 2 ** (b + 2 * ceil(log2(b + 1))))


class NaiveWinnow1:
    """w starts at `start`, with n unknown times 2^-s; predict 1 iff the sum of active weights is > or >= theta."""

    def __init__(self, alpha: float, theta: float, declared: bool, rule: str, start: float = 1.0) -> None:
        self.alpha, self.theta = Fraction(alpha), Fraction(theta)
        self.declared, self.rule, self.start = declared, rule, Fraction(start)
        self.w: dict[str, Fraction] = {}

    def weight(self, name: str, active: set[str]) -> Fraction:
        if name in self.w:
            return self.w[name]
        if self.declared:
            return self.start
        return self.start * start_weight(len(self.w.keys() | active))

    def predict(self, active: set[str]) -> int:
        total = sum((self.weight(name, active) for name in active), Fraction(0))
        return int(total > self.theta or (total == self.theta and self.rule == ">="))

    def learn(self, active: set[str], label: int, weight: int = 1) -> int:
        prediction = self.predict(active)
        self.w |= {name: self.weight(name, active) for name in active}
        if prediction == 0 and label == 1:
            for name in active:
                self.w[name] *= self.alpha**weight
        if prediction == 1 and label == 0:
            self.punish(active, weight)
        return prediction

    def punish(self, active: set[str], weight: int) -> None:
        for name in active:
            self.w[name] = Fraction(0)
