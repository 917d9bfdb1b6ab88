"""Balcan's algorithm for decision lists: h is a list of sets of rules (attribute, sign, label); attribute None is T."""

from __future__ import annotations

Rule = tuple[int | None, bool, int]


class NaiveDecisionListLearner:
    def __init__(self, n: int) -> None:
        literals = [(j, sign) for j in range(n) for sign in (True, False)] + [(None, True)]
        self.order: list[Rule] = [(j, sign, label) for j, sign in literals for label in (1, 0)]
        self.h: list[set[Rule]] = [set(self.order)]

    def fires(self, rule: Rule, x: tuple[int, ...]) -> bool:
        attribute, sign, _ = rule
        return attribute is None or (x[attribute] == 1) == sign

    def level(self, x: tuple[int, ...]) -> int:
        return next(i for i, rules in enumerate(self.h) if any(self.fires(rule, x) for rule in rules))

    def predict(self, x: tuple[int, ...]) -> int:
        rules = self.h[self.level(x)]
        return next(rule for rule in self.order if rule in rules and self.fires(rule, x))[2]

    def learn(self, x: tuple[int, ...], label: int) -> int:
        prediction, i = self.predict(x), self.level(x)
        if prediction != label:
            wrong = {rule for rule in self.h[i] if self.fires(rule, x) and rule[2] != label}
            if i + 1 == len(self.h):
                self.h.append(set())
            self.h[i] -= wrong
            self.h[i + 1] |= wrong
        return prediction
