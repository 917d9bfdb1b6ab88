"""Backpropagation from the textbook (Ma 2019, definition 4.5, momentum and penalty after it), unit by unit.

weights[l][j][i] is the weight of input i of unit j in layer l, input 0 being the constant 1.
"""

from __future__ import annotations

from math import exp, fsum, log


def sigmoid(y: float) -> float:
    return 1 / (1 + exp(-y)) if y > -700 else 0.0


class Network:
    def __init__(
        self,
        weights: list[list[list[float]]],
        eta: float,
        momentum: float = 0.0,
        decay: float = 0.0,
        loss: str = "squared",
        output: str = "sigmoid",
        ties: list[list[tuple[int, int, int]]] | None = None,
    ) -> None:
        self.weights = [[list(unit) for unit in layer] for layer in weights]
        self.last = [[[0.0] * len(unit) for unit in layer] for layer in weights]
        self.eta, self.momentum, self.decay, self.loss, self.output = eta, momentum, decay, loss, output
        self.ties = ties or []

    def values(self, x: list[float]) -> list[list[float]]:
        """Step 1: what every unit says, the inputs first."""
        found = [list(x)]
        for layer in self.weights:
            sums = [fsum(w * v for w, v in zip(unit, [1.0, *found[-1]], strict=True)) for unit in layer]
            if layer is self.weights[-1] and self.output == "linear":
                found.append(sums)
            elif layer is self.weights[-1] and self.output == "sign":
                found.append([1.0 if s > 0 else -1.0 for s in sums])
            else:
                found.append([sigmoid(s) for s in sums])
        return found

    def lost(self, x: list[float], t: list[float]) -> float:
        o = self.values(x)[-1]
        if self.loss == "likelihood":
            return -fsum(a * log(b) + (1 - a) * log(1 - b) for a, b in zip(t, o, strict=True))
        return fsum((a - b) ** 2 for a, b in zip(t, o, strict=True)) / 2

    def learn(self, x: list[float], t: list[float]) -> None:
        values = self.values(x)
        o = values[-1]
        plain = self.loss == "likelihood" or self.output != "sigmoid"
        deltas = [[(b - a) if plain else a * (1 - a) * (b - a) for a, b in zip(o, t, strict=True)]]  # step 2
        for layer in range(len(self.weights) - 1, 0, -1):  # step 3, with the weights from before the update
            deltas.insert(
                0,
                [
                    h * (1 - h) * fsum(unit[i + 1] * d for unit, d in zip(self.weights[layer], deltas[0], strict=True))
                    for i, h in enumerate(values[layer])
                ],
            )
        way = {}
        for layer, units in enumerate(self.weights):  # steps 4 and 5
            for j, unit in enumerate(units):
                for i, w in enumerate(unit):
                    source = 1.0 if i == 0 else values[layer][i - 1]
                    way[layer, j, i] = deltas[layer][j] * source - 2 * self.decay * w
        for group in self.ties:
            total = fsum(way[place] for place in group)
            for place in group:
                way[place] = total
        for (layer, j, i), down in way.items():
            step = self.eta * down + self.momentum * self.last[layer][j][i]
            self.last[layer][j][i] = step
            self.weights[layer][j][i] += step
