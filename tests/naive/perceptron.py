"""The perceptron in plain floats: sums over ids in ascending order, then texts by first appearance, the bias last.

What is learned is in units of eta, on which no prediction depends; eta times it is what people see.
"""

from __future__ import annotations


def canonical(name: str) -> tuple[int, int, str]:
    """Ids by number, then texts: the order in which the new names of one instance are numbered."""
    if name == "0" or (name[:1] in "123456789" and name.isascii() and name.isdigit() and int(name) < 2**63):
        return 0, int(name), ""
    return 1, 0, name


class NaivePerceptron:
    def __init__(self, eta: float, bias: bool) -> None:
        self.eta, self.biased = eta, bias
        self.units: dict[str, float] = {}  # in the order of first appearance
        self.units_of_bias = 0.0

    @property
    def w(self) -> dict[str, float]:
        return {name: self.eta * weight for name, weight in self.units.items()}

    @property
    def bias(self) -> float:
        return self.eta * self.units_of_bias

    def sum(self, x: dict[str, float]) -> float:
        total = 0.0
        for name in sorted(self.units, key=lambda name: canonical(name)[:2]):  # texts stay as they appeared
            if x.get(name):
                total += self.units[name] * x[name]
        return total + self.units_of_bias if self.biased else total

    def score(self, x: dict[str, float]) -> float:
        return self.eta * self.sum(x)

    def predict(self, x: dict[str, float]) -> int:
        return int(self.sum(x) > 0)

    def learn(self, x: dict[str, float], label: int, weight: float = 1.0) -> int:
        """label is 0 or 1; y = -1 or +1."""
        prediction = self.predict(x)
        for name in sorted((name for name in x if x[name] and name not in self.units), key=canonical):
            self.units[name] = 0.0
        if prediction != label:
            y = weight if label == 1 else -weight
            for name, value in x.items():
                if value:
                    self.units[name] += y * value
            if self.biased:
                self.units_of_bias += y
        return prediction
