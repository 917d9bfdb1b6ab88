"""Candidate elimination as the textbook has it (Mitchell 1997, table 2.5): S and G as sets of hypotheses.

A hypothesis is a tuple of constraints: a value, "?" or None for the empty constraint.
"""

from __future__ import annotations

from itertools import product
from typing import Any

Hypothesis = tuple[Any, ...]


def covers(h: Hypothesis, x: tuple[str, ...]) -> bool:
    return all(c == "?" or c == v for c, v in zip(h, x, strict=True))


def more_general_or_equal(h: Hypothesis, k: Hypothesis) -> bool:
    if None in k:
        return True
    return all(a == "?" or a == b for a, b in zip(h, k, strict=True))


class NaiveCandidateElimination:
    """Attributes must have two values at least, so that different tuples are different functions."""

    def __init__(self, values: list[list[str]]) -> None:
        self.values = values
        self.S: set[Hypothesis] = {(None,) * len(values)}
        self.G: set[Hypothesis] = {("?",) * len(values)}

    def learn(self, x: tuple[str, ...], label: int) -> None:
        if label:
            self.G = {g for g in self.G if covers(g, x)}
            for s in [s for s in self.S if not covers(s, x)]:
                self.S.remove(s)
                h = x if None in s else tuple(a if a == b else "?" for a, b in zip(s, x, strict=True))
                if any(more_general_or_equal(g, h) for g in self.G):
                    self.S.add(h)
            self.S = {s for s in self.S if not any(t != s and more_general_or_equal(s, t) for t in self.S)}
            return
        self.S = {s for s in self.S if not covers(s, x)}
        for g in [g for g in self.G if covers(g, x)]:
            self.G.remove(g)
            for j, constraint in enumerate(g):
                for value in self.values[j] if constraint == "?" else ():
                    h = (*g[:j], value, *g[j + 1 :])
                    if value != x[j] and any(more_general_or_equal(h, s) for s in self.S):
                        self.G.add(h)
        nothing = (None,) * len(self.values)
        if not self.G and nothing in self.S:  # the minimal specialisation of a full hypothesis is the empty one
            self.G.add(nothing)
        self.G = {g for g in self.G if not any(h != g and more_general_or_equal(h, g) for h in self.G)}

    def members(self) -> set[Hypothesis]:
        """By the representation theorem: everything between a member of S and a member of G."""
        every = [*product(*(["?", *values] for values in self.values)), (None,) * len(self.values)]
        return {
            h for h in every
            if any(more_general_or_equal(h, s) for s in self.S) and any(more_general_or_equal(g, h) for g in self.G)
        }  # fmt: skip
