"""For every decision list the mu separates with delta, on all instances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import mistakebound as mb
from mistakebound.concepts import DecisionList, Literal, Separated, list_separation
from mistakebound.concepts.separated import any_list
from naive.expand import decide

Rules = tuple[tuple[Literal, int], ...]


def lists(n: int, most: int) -> list[tuple[Rules, int]]:
    """Every list of at most so many rules, as it is written: the same literal may stand twice."""
    rules = [
        (Literal(str(j), positive), label) for j in range(1, n + 1) for positive in (True, False) for label in (0, 1)
    ]
    return [(chosen, default) for m in range(most + 1) for chosen in product(rules, repeat=m) for default in (0, 1)]


def holding(n: int, code: int) -> set[Literal]:
    return {Literal(str(j), bool(code >> j - 1 & 1)) for j in range(1, n + 1)}


@pytest.mark.parametrize(("n", "most"), [(1, 4), (2, 3), pytest.param(3, 3, marks=pytest.mark.long)])
def test_every_list_is_separated(n: int, most: int) -> None:
    for rules, default in lists(n, most):
        found = list_separation(rules, default)
        zeros = sum(2 ** (len(rules) - i) for i, (_, label) in enumerate(rules, 1) if not label) + (default == 0)
        assert (found.total, found.delta) == (zeros, Fraction(1, zeros) if zeros else 1)
        assert all(weight > 0 for weight in found.mu.values())
        if zeros:
            assert sum(found.mu.values()) == Fraction(2 ** len(rules) - 1, zeros)
        # What `any_list` promises: the same list, padded to the largest T by x1 and its negation.
        delta, most_mu = any_list(most)
        largest = max(1, 2**most - 1)
        mu = {literal: weight * max(1, zeros) for literal, weight in found.mu.items()}
        if 0 < zeros <= largest:
            mu = {literal: weight / largest for literal, weight in mu.items()}
            for literal in (Literal("1"), ~Literal("1")):
                mu[literal] = mu.get(literal, Fraction(0)) + Fraction(largest - zeros, largest)
        constant = all(label == default for _, label in rules)
        assert zeros <= largest or (constant and default == 0)
        if constant:  # an empty list is the same function
            mu = list_separation([], default).mu if default else {}
        assert sum(mu.values(), Fraction(0)) <= most_mu
        for code in range(1 << n):
            on = holding(n, code)
            label = decide([(a.name, a.positive, b) for a, b in rules], default, {a.name for a in on if a.positive})
            for weights, gap in ((found.mu, found.delta), (mu, delta)):
                total = sum((weight for literal, weight in weights.items() if literal in on), Fraction(0))
                assert total >= 1 if label else total <= 1 - gap


def test_as_members_of_the_separated_class() -> None:
    """The witness is one for the class F(X, delta) over 2n attributes, X being the instances with their complements."""
    n = 3
    X = [[*(code >> j & 1 for j in range(n)), *(1 - (code >> j & 1) for j in range(n))] for code in range(1 << n)]
    for text in (
        "if x1 then 0 else if ~x2 then 1 else if x3 then 1 else 0",
        "if x2 then 1 else if x3 then 1 else 0",
        "else 1",
    ):
        f = mb.concepts.parse(text)
        assert isinstance(f, DecisionList)
        found = list_separation(f)
        mu = [found.mu.get(Literal(str(j)), 0) for j in (1, 2, 3)] + [
            found.mu.get(~Literal(str(j)), 0) for j in (1, 2, 3)
        ]
        assert Separated(2 * n, found.delta, X).is_witness(f, mu)
        larger = min(Fraction(1), found.delta * Fraction(3, 2))
        assert larger == found.delta or not Separated(2 * n, larger, X).is_witness(f, mu)


def test_misuse() -> None:
    with pytest.raises(mb.BadParameter, match="a rule's label must be 0 or 1: 2"):
        list_separation([("1", 2)])
    with pytest.raises(mb.BadParameter, match="a rule's label must be 0 or 1: '1'"):
        list_separation([], "1")  # type: ignore[arg-type]
    with pytest.raises(mb.BadParameter, match="rules must be a whole number from 0 to 1000: -1"):
        any_list(-1)
