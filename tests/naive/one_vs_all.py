"""One against all from its definition: every label's learner hears the whole history, "it is" or "it is not"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class NaiveOneVsAll:
    def __init__(self, make: Callable[[], Any], theta: float, declared: list[Any] | None = None) -> None:
        self.make, self.theta = make, theta
        self.history: list[Any] = []
        self.bases: dict[Any, Any] = {label: make() for label in declared or []}

    def predict(self, x: Any) -> Any:
        """The label whose learner says yes with the largest score, else says no with the largest; the first such."""
        best, held = None, (-1, 0.0)
        for label, base in self.bases.items():
            here = base.predict(x), getattr(base, "sum", base.score)(x) - self.theta
            if held[0] < 0 or here > held:
                best, held = label, here
        return best

    def learn(self, x: Any, label: Any, weight: float = 1.0) -> Any:
        prediction = self.predict(x)
        if label not in self.bases:
            newcomer = self.make()
            for row, earlier in self.history:
                hear(newcomer, row, 0, earlier)
            self.bases[label] = newcomer
        for other, base in self.bases.items():
            hear(base, x, int(other == label), weight)
        self.history.append((x, weight))
        return prediction


def hear(learner: Any, x: Any, label: int, weight: float) -> None:
    """Not every twin gives a weight a meaning."""
    learner.learn(x, label) if weight == 1.0 else learner.learn(x, label, weight)
