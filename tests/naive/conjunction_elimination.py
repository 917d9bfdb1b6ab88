"""Balcan's elimination for conjunctions, over a fixed list of attributes: h is a set of literals (name, sign)."""

from __future__ import annotations


class NaiveConjunctionElimination:
    def __init__(self, names: list[str]) -> None:
        self.h = {(name, sign) for name in names for sign in (True, False)}

    def predict(self, active: set[str]) -> int:
        return int(all((name in active) == sign for name, sign in self.h))

    def learn(self, active: set[str], label: int) -> int | None:
        """The prediction; None for "no consistent conjunction", the state unchanged."""
        prediction = self.predict(active)
        if prediction == 0 and label == 1:
            self.h = {(name, sign) for name, sign in self.h if (name in active) == sign}
        if prediction == 1 and label == 0:
            return None
        return prediction
