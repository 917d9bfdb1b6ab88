"""The elimination algorithm for monotone disjunctions: h is the set of attributes not yet ruled out."""

from __future__ import annotations


class NaiveDisjunctionElimination:
    def __init__(self, names: list[str]) -> None:
        self.h = set(names)

    def predict(self, active: set[str]) -> int:
        return int(bool(self.h & active))

    def learn(self, active: set[str], label: int) -> int | None:
        """The prediction; None where no monotone disjunction is consistent, the state unchanged."""
        prediction = self.predict(active)
        if prediction == 1 and label == 0:
            self.h -= active
        if prediction == 0 and label == 1:
            return None
        return prediction
