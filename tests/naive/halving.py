"""The halving algorithm over a list of functions: Littlestone's, or with tie=1 and prune="mistakes" Chandola's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class NaiveHalving:
    def __init__(self, concepts: Iterable[Callable[[Any], int]], tie: int = 0, prune: str = "always") -> None:
        self.consist = list(concepts)
        self.tie = tie
        self.prune = prune

    def predict(self, x: Any) -> int:
        ones = len([f for f in self.consist if f(x) == 1])
        zeros = len([f for f in self.consist if f(x) == 0])
        if ones == zeros:
            return self.tie
        return 1 if ones > zeros else 0

    def learn(self, x: Any, label: int) -> int | None:
        """The prediction; None for "no consistent concept", the state unchanged."""
        prediction = self.predict(x)
        left = [f for f in self.consist if f(x) == label]
        if not left:
            return None
        if self.prune == "always" or prediction != label:
            self.consist = left
        return prediction
