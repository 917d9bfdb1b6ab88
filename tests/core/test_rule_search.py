"""The search for a short rule: the plain twin's rule on random rows, and what weights alone allow."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.labels import Labels
from mistakebound.core.rule_search import RuleRows, best_rule, is_short
from naive import short_rule

POOL = [("a", 3.0), ("b", -2.0), ("c", 1.5), ("d", -1.0), ("e", 0.5), ("f", 0.25)]
SETS = st.frozensets(st.sampled_from("abcdef"))


def rows_of(rows: list[short_rule.Row]) -> RuleRows:
    seen = Counter(rows)
    columns = [np.array([name in on for on, _ in seen], bool) for name, _ in POOL]
    return RuleRows(POOL, columns, np.array([yes for _, yes in seen], bool), np.array(list(seen.values()), np.int64))


@given(st.lists(st.tuples(SETS, st.booleans()), max_size=40), st.integers(1, 6))
def test_the_twin_finds_the_same_rule(rows: list[short_rule.Row], terms: int) -> None:
    found = best_rule(Labels(), rows_of(rows), terms)
    assert (found.names, found.least, found.unless, found.positive) == short_rule.best_rule(POOL, rows, terms)
    assert rows_of(rows).agreement(found) == short_rule.agreement(
        (found.names, found.least, found.unless, found.positive), rows
    )


@given(st.integers(1, 3), st.sets(st.sampled_from("acef"), min_size=1), st.sets(st.sampled_from("bd")))
def test_rules_that_are_there_are_found(least: int, names: set[str], unless: set[str]) -> None:
    """On all sets of attributes, where the answers are those of a rule of this kind."""
    least = min(least, len(names))
    draw = random.Random(1)
    sets = [frozenset(name for k, name in enumerate("abcdef") if number >> k & 1) for number in range(64)]
    rows = [(on, len(on & names) >= least and not on & unless) for on in sets for _ in range(draw.randrange(1, 4))]
    found = best_rule(Labels(), rows_of(rows), 6)
    assert rows_of(rows).agreement(found) >= 0.97 * len(rows)


@pytest.mark.parametrize(("gains", "names"), [(6, ("a", "c")), (4, ("a",))])
def test_an_attribute_more_has_its_price(gains: int, names: tuple[str, ...]) -> None:
    """A hundredth of the 500 rows that a constant gets wrong."""
    rows = [(frozenset("a"), True)] * (500 - gains) + [(frozenset("c"), True)] * gains + [(frozenset(), False)] * 500
    found = best_rule(Labels(), rows_of(rows), 6)
    assert (found.names, found.least, found.unless) == (names, 1, ())


def test_what_is_short() -> None:
    assert is_short(0, 0, 0)
    assert not is_short(949, 500, 1000)
    assert is_short(950, 500, 1000)
    assert not is_short(994, 990, 1000)
    assert is_short(995, 990, 1000)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("x3 | x17 | x40", "IF x17 OR x3 OR x40 THEN 1 ELSE 0"),
        ("x9", "IF x9 THEN 1 ELSE 0"),
    ],
)
def test_a_disjunction_learned_by_winnow(target: str, text: str) -> None:
    learner = mb.Winnow1(n=200)
    mb.play(learner, mb.teachers.RandomTarget(target, n=200, trials=4_000, density=0.05, seed=3))
    assert sorted(str(learner.hypothesis.rule()).split()) == sorted(text.split())


def test_at_least_two_of_three_learned_by_winnow2() -> None:
    learner = mb.Winnow2(n=30, delta=0.5)
    mb.play(learner, mb.teachers.RandomTarget("2 of x1, x2, x3", n=30, trials=5_000, density=0.3, seed=3))
    rule = learner.hypothesis.rule()
    assert rule is not None
    assert str(rule).startswith("IF at least 2 of ")
    assert set(rule.attributes) == {"1", "2", "3"}


def test_where_the_weights_allow_no_rule() -> None:
    many = mb.Winnow1(n=100)
    mb.play(
        many,
        mb.teachers.RandomTarget(" | ".join(f"x{k}" for k in range(1, 30)), n=100, trials=6_000, density=0.02, seed=1),
    )
    assert many.hypothesis.rule() is None  # more attributes than a short rule has
    assert many.hypothesis.rule(40) is None  # 2^10 combinations are looked at, not more
    new = mb.Perceptron()
    assert str(new.hypothesis.rule()) == "ALWAYS 0"


def test_rules_of_eliminations_are_their_own() -> None:
    conjunction = mb.learners.ConjunctionElimination(4, labels=("no", "yes"))
    assert str(conjunction.hypothesis.rule()) == "ALWAYS no"
    conjunction.learn_one([1, 0, 0, 1], "yes")
    conjunction.learn_one([1, 0, 1, 1], "yes")
    conjunction.learn_one([0, 1, 0, 0], "no")
    assert str(conjunction.hypothesis.rule()) == "IF x1 AND x4 AND NOT x2 THEN yes ELSE no"
    assert conjunction.hypothesis.rule(2) is None
    disjunction = mb.learners.DisjunctionElimination(3)
    disjunction.learn_one([1, 0, 1], 0)
    disjunction.learn_one([0, 1, 0], 1)
    assert str(disjunction.hypothesis.rule()) == "IF x2 THEN 1 ELSE 0"
