"""Find-S over tuples of constraints: a value, "?" or None for the empty constraint."""

from __future__ import annotations

from typing import Any


class NaiveFindS:
    def __init__(self, n: int) -> None:
        self.h: list[Any] = [None] * n

    def predict(self, x: tuple[str, ...]) -> int:
        return int(all(c == "?" or c == v for c, v in zip(self.h, x, strict=True)))

    def learn(self, x: tuple[str, ...], label: int) -> None:
        if label == 1:
            for j, value in enumerate(x):
                if self.h[j] is None:
                    self.h[j] = value
                elif self.h[j] not in ("?", value):
                    self.h[j] = "?"
