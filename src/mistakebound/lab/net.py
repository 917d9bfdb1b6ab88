"""Networks: backpropagation on points of the plane, with what the network says everywhere on a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.lab.plane import read_points
from mistakebound.lab.session import Session
from mistakebound.learners.network.network import Network

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

GRID = 28  # cells a side
_EPOCHS = 20_000


class Net(Session):
    """A network of two inputs, one hidden layer and one output."""

    actions: ClassVar[tuple[str, ...]] = ("train",)

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        points = read_points(request)
        if len({label for _, _, label in points}) < 2:
            raise BadParameter("points must have both labels: a network has nothing to tell apart")
        self.X = [[x, y] for x, y, _ in points]
        self.y = [int(label) for _, _, label in points]
        self.low, self.high = request.number("low", -100, 100, -1.5), request.number("high", -100, 100, 1.5)
        if not self.low < self.high:
            raise BadParameter(f"low must be below high: {self.low:g}, {self.high:g}")
        self.hidden = request.whole("hidden", 1, 8, 3)
        seed = request.whole("seed", 0, 999_999, 1)
        self.network = Network([2, self.hidden, 1], eta=0.3, momentum=0.9, start=0.8, random_state=seed, classes=(0, 1))
        self.epochs = 0

    def opening(self, request: Request) -> dict[str, Any]:
        return {"grid": GRID, "frames": [], "weights": 4 * self.hidden + 1}

    def train(self, request: Request) -> dict[str, Any]:
        """So many epochs, then what came of them."""
        epochs = request.whole("epochs", 1, 200, 20)
        if self.epochs + epochs > _EPOCHS:
            raise BadParameter(f"a network is trained for at most {_EPOCHS:,} epochs here")
        for _ in range(epochs):
            request.check_time()
            self.network.learn_many(self.X, self.y)
            self.epochs += 1
        step = (self.high - self.low) / GRID
        middles = self.low + step * (np.arange(GRID) + 0.5)
        cells = [[float(x), float(y)] for y in middles for x in middles]
        outputs = self.network.outputs(self.X)[:, 0]
        said = self.network.predict_many(self.X)
        hidden = self.network.weights[0]
        return {
            "epochs": self.epochs,
            "field": [round(float(v), 4) for v in self.network.outputs(cells)[:, 0]],
            "outputs": [float(v) for v in outputs],
            "wrong": [place for place, label in enumerate(self.y) if int(said[place]) != label],
            "loss": float(np.mean((outputs - np.array(self.y)) ** 2)) / 2,
            "lines": [{"b": float(unit[0]), "w": [float(unit[1]), float(unit[2])]} for unit in np.asarray(hidden)],
        }
