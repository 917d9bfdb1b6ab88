"""Balanced Winnow with its two weights as the papers have them: products of factors, no votes, no hyperbolic sines.

The weights are Decimals of many digits: where the sum of a row is not next to 0, its sign is that of the real numbers.
"""

from __future__ import annotations

from decimal import Context, Decimal

WIDE = Context(prec=80, Emax=10**9, Emin=-(10**9))


class NaiveBalancedWinnow:
    def __init__(self, eta: float, thickness: float, bias: bool) -> None:
        self.eta, self.thickness, self.biased = Decimal(eta), Decimal(thickness), bias
        self.up: dict[str, Decimal] = {}  # in the order of first appearance
        self.down: dict[str, Decimal] = {}
        self.votes: dict[str, float] = {}  # the logarithm of `up`, over eta

    def extended(self, x: dict[str, float]) -> dict[str, float]:
        return x | {"the bias": 1.0} if self.biased else x

    def sums(self, x: dict[str, float]) -> tuple[Decimal, Decimal]:
        """(for - against, for + against)"""
        lead, total = Decimal(0), Decimal(0)
        for name, value in self.extended(x).items():
            up, down = self.up.get(name, Decimal(1)), self.down.get(name, Decimal(1))
            lead = WIDE.add(lead, WIDE.multiply(WIDE.subtract(up, down), Decimal(value)))
            total = WIDE.add(total, WIDE.multiply(WIDE.add(up, down), abs(Decimal(value))))
        return lead, total

    def near(self, x: dict[str, float], y: int) -> tuple[bool, bool]:
        """Whether doubles may see another sign of the sum, and another answer to whether the thickness is reached."""
        lead, total = self.sums(x)
        slack = total * Decimal("1e-10")
        return bool(abs(lead) <= slack), bool(abs(y * lead - self.thickness * total) <= slack)

    def learn(self, x: dict[str, float], label: int, said: int, weight: float = 1.0) -> int:
        """label is 0 or 1; y = -1 or +1.  Where the sum is next to 0, the prediction is what `said` says."""
        lead, total = self.sums(x)
        y = 1 if label == 1 else -1
        prediction = said if self.near(x, y)[0] else int(lead > 0)
        for name, value in self.extended(x).items():
            if value:
                self.up.setdefault(name, Decimal(1))
                self.down.setdefault(name, Decimal(1))
                self.votes.setdefault(name, 0.0)
        if prediction != label or y * lead < WIDE.multiply(self.thickness, total):
            for name, value in self.extended(x).items():
                if value:
                    factor = WIDE.exp(WIDE.multiply(self.eta, Decimal(y * weight * value)))
                    self.up[name] = WIDE.multiply(self.up[name], factor)
                    self.down[name] = WIDE.divide(self.down[name], factor)
                    self.votes[name] += y * weight * value
        return prediction
