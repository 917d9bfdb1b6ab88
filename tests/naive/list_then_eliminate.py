"""List-Then-Eliminate over a list of functions, and what the list says of an instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any


class NaiveListThenEliminate:
    def __init__(self, concepts: Iterable[Callable[[Any], int]]) -> None:
        self.left = list(concepts)

    def vote(self, x: Any) -> tuple[int, int]:
        return sum(f(x) for f in self.left), len(self.left)

    def predict(self, x: Any) -> int | None:
        positive, total = self.vote(x)
        return 1 if positive == total else 0 if positive == 0 else None

    def learn(self, x: Any, label: int) -> bool:
        """False, and the list as before, if nothing would be left."""
        left = [f for f in self.left if f(x) == label]
        if left:
            self.left = left
        return bool(left)

    def best_query(self, domain: Sequence[Any]) -> Any:
        """The first instance that splits the list nearest to half; None if none splits it."""
        total = len(self.left)
        splits = [(abs(2 * self.vote(x)[0] - total), k) for k, x in enumerate(domain)]
        distance, place = min(splits)
        return None if distance == total else domain[place]
