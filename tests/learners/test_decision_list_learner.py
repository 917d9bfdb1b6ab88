"""The decision-list learner: Balcan's example, the twin's trace, the invariant, the exact worst cases."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from naive.decision_list_learner import NaiveDecisionListLearner


def test_balcans_example() -> None:
    """n = 2, the target x1 => 0, else ~x2 => 1, else 0; first 01, then 00."""
    learner = mb.learners.DecisionListLearner(2)
    everything = "{x1 => 1, x1 => 0, ~x1 => 1, ~x1 => 0, x2 => 1, x2 => 0, ~x2 => 1, ~x2 => 0, true => 1, true => 0}"
    assert str(learner.hypothesis) == everything
    assert learner.learn_one([0, 1], 0) == 1
    assert str(learner.hypothesis) == (
        "{x1 => 1, x1 => 0, ~x1 => 0, x2 => 0, ~x2 => 1, ~x2 => 0, true => 0} else {~x1 => 1, x2 => 1, true => 1}"
    )
    assert learner.learn_one([0, 0], 1) == 0
    assert str(learner.hypothesis) == (
        "{x1 => 1, x1 => 0, x2 => 0, ~x2 => 1} else {~x1 => 1, ~x1 => 0, x2 => 1, ~x2 => 0, true => 1, true => 0}"
    )
    assert learner.levels[0] == ["x1 => 1", "x1 => 0", "x2 => 0", "~x2 => 1"]
    assert (learner.level_of("1", True, 1), learner.level_of("1", False, 1)) == (0, 1)


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(
    st.tuples(*[st.integers(0, 1)] * n), st.integers(0, 1)), max_size=40))))  # fmt: skip
def test_twin_agrees(played: Any) -> None:
    n, trials = played
    learner, twin = mb.learners.DecisionListLearner(n), NaiveDecisionListLearner(n)
    for x, label in trials:
        assert learner.predict_one(x) == twin.predict(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        for level, rules in enumerate(twin.h):
            for attribute, sign, value in rules:
                if attribute is not None:
                    assert learner.level_of(str(attribute + 1), sign, value) == level
        assert [len(rules) for rules in learner.levels] == [len(rules) for rules in twin.h if rules]


rules = st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 1)), max_size=6)
rows = st.lists(st.tuples(*[st.integers(0, 1)] * 6), max_size=80)


@given(rules, st.integers(0, 1), rows)
def test_bound_and_invariant(target: Any, default: int, shown: Any) -> None:
    """Rule i of the target never goes below level i."""
    learner, mistakes = mb.learners.DecisionListLearner(6), 0
    for x in shown:
        label = next((value for j, sign, value in target if (x[j] == 1) == sign), default)
        mistakes += learner.learn_one(x, label) != label
        for i, (j, sign, value) in enumerate(target):
            assert learner.level_of(str(j + 1), sign, value) <= i
    assert mistakes <= learner.bound(rules=len(target) + 1).value == 26 * (len(target) + 2)
    assert mistakes <= learner.bound().value


def shortest(n: int) -> tuple[list[tuple[int, ...]], dict[tuple[int, ...], int]]:
    """All instances, and for every function of a decision list (its labels) the rules of its shortest one."""
    cube = list(product((0, 1), repeat=n))
    found = {(b,) * len(cube): 1 for b in (0, 1)}
    newest = list(found)
    while newest:
        longer = {}
        for f, j, sign, b in product(newest, range(n), (0, 1), (0, 1)):
            g = tuple(b if x[j] == sign else old for x, old in zip(cube, f, strict=True))
            if g not in found:
                longer[g] = found[f] + 1
        found |= longer
        newest = list(longer)
    return cube, found


def worst(learner: Any, cube: Any, f: Any, known: dict[Any, int]) -> int:
    form = learner.hypothesis
    if form not in known:
        known[form] = 0
        for x, label in zip(cube, f, strict=True):
            if learner.predict_one(x) != label:
                other = learner.copy()
                other.learn_one(x, label)
                known[form] = max(known[form], 1 + worst(other, cube, f, known))
    return known[form]


@pytest.mark.parametrize(("n", "golden"), [(1, [2, 1]), (2, [2, 4, 3])])
def test_exact_worst_cases(n: int, golden: list[int]) -> None:
    """Over every target of L rules and every sequence."""
    check_worst_cases(n, golden)


@pytest.mark.long
def test_exact_worst_cases_of_three_attributes() -> None:
    check_worst_cases(3, [2, 6, 7, 10])


def check_worst_cases(n: int, golden: list[int]) -> None:
    cube, lists = shortest(n)
    found = dict.fromkeys(lists.values(), 0)
    for f, length in lists.items():
        found[length] = max(found[length], worst(mb.learners.DecisionListLearner(n), cube, f, {}))
    assert [found[length] for length in sorted(found)] == golden
    for length, mistakes in found.items():
        assert mistakes <= mb.learners.DecisionListLearner(n).bound(rules=length).mistakes


def test_bad_parameters() -> None:
    with pytest.raises(mb.BadParameter, match="n must be a whole number >= 1: 0"):
        mb.learners.DecisionListLearner(0)
    with pytest.raises(mb.BadParameter, match="between 1 and 2: '3'"):
        mb.learners.DecisionListLearner(2).level_of("3", True, 1)
    with pytest.raises(mb.BadParameter, match="rules must be a whole number"):
        mb.learners.DecisionListLearner(2).bound(rules=1.5)
    assert "L >= 1 fails" in mb.learners.DecisionListLearner(2).theorems[0].failing({"n": 2, "rules": 0})
    with pytest.raises(mb.BadData, match="beyond the declared n = 2"):
        mb.learners.DecisionListLearner(2).learn_one({"free"}, 1)


def test_long_hypotheses_are_shortened() -> None:
    learner = mb.learners.DecisionListLearner(30)
    assert learner.hypothesis.text(3) == "{x1 => 1, x1 => 0, ~x1 => 1, 119 more}"
    learner.learn_one({"7"}, 0)
    assert learner.top(5) == [("7", -1.0)]
