"""The standard optimal algorithm over a list of functions, with K by its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class NaiveStandardOptimal:
    def __init__(self, concepts: Iterable[Callable[[Any], int]], instances: Iterable[Any]) -> None:
        self.instances = list(instances)
        self.consist = frozenset(tuple(f(x) for x in self.instances) for f in concepts)
        self._k: dict[frozenset[tuple[int, ...]], int] = {}

    def split(self, concepts: frozenset[tuple[int, ...]], j: int, label: int) -> frozenset[tuple[int, ...]]:
        return frozenset(f for f in concepts if f[j] == label)

    def k(self, concepts: frozenset[tuple[int, ...]]) -> int:
        """The height of the tallest complete mistake tree: one more than a pair of subtrees that both exist."""
        if not concepts:
            return -1
        if concepts not in self._k:
            best = 0
            for j in range(len(self.instances)):
                zero, one = self.split(concepts, j, 0), self.split(concepts, j, 1)
                if zero and one:
                    best = max(best, 1 + min(self.k(zero), self.k(one)))
            self._k[concepts] = best
        return self._k[concepts]

    def predict(self, x: Any) -> int:
        j = self.instances.index(x)
        return int(self.k(self.split(self.consist, j, 1)) > self.k(self.split(self.consist, j, 0)))

    def learn(self, x: Any, label: int) -> int | None:
        """The prediction; None for "no consistent concept", the state unchanged."""
        prediction = self.predict(x)
        left = self.split(self.consist, self.instances.index(x), label)
        if not left:
            return None
        self.consist = left
        return prediction
