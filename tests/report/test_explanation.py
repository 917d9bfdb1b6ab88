from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.core.protocol import counted
from mistakebound.report.explanation import apart, explain_one

NAMES = [*"abcde", "3", "17"]
INSTANCES = st.dictionaries(st.sampled_from(NAMES), st.just(1), max_size=6)
REAL = st.dictionaries(st.sampled_from(NAMES), st.floats(-10, 10, allow_nan=False), max_size=6)
LEARNERS: dict[str, Any] = {
    "winnow1": mb.Winnow1,
    "winnow1, n": lambda: mb.Winnow1(n=20),
    "winnow1, >=": lambda: mb.Winnow1(n=20, alpha=1.5, theta=2.0, rule=">="),
    "winnow2": mb.Winnow2,
    "winnow2, ties": lambda: mb.Winnow2(n=20, alpha=10.0, theta=1.0, rule=">="),
    "perceptron": mb.Perceptron,
    "perceptron, no bias": lambda: mb.Perceptron(eta=0.1, bias=False),
    "disjunction": mb.learners.DisjunctionElimination,
    "conjunction": mb.learners.ConjunctionElimination,
}


def taught(make: Any, examples: list[tuple[dict[str, float], int]]) -> Any:
    learner = make()
    for x, y in examples:
        try:
            learner.learn_one(x, y)
        except mb.NoConsistentHypothesis:
            break
    return learner


@pytest.mark.parametrize("kind", LEARNERS)
@given(data=st.data())
def test_the_parts_make_the_decision(kind, data):
    instances = REAL if kind.startswith("perceptron") else INSTANCES
    learner = taught(LEARNERS[kind], data.draw(st.lists(st.tuples(instances, st.integers(0, 1)), max_size=12)))
    x = data.draw(instances)
    before = learner.hypothesis
    found = explain_one(learner, x)
    assert found.prediction == counted(learner, x, learner.predict_one(x)), (
        "a class without a name yet is said, not None"
    )
    assert found.total == learner.score_one(x)
    above = found.total > found.threshold or (found.rule == ">=" and found.total == found.threshold)
    assert above == found.positive == (found.prediction == learner.labels.values[1])
    if kind != "conjunction" or learner.started:
        parts = sum((Fraction(term.amount) for term in found.terms), Fraction(found.bias or 0))
        assert float(parts) == pytest.approx(found.total, rel=1e-12, abs=1e-9)
    sizes = [abs(term.amount) for term in found.terms]
    assert sizes == sorted(sizes, reverse=True)
    if kind != "conjunction":
        assert {term.name for term in found.terms} == {name for name, value in x.items() if value}
        unseen = {term.name for term in found.terms if term.note == "never seen"}
        assert unseen == {name for name, value in x.items() if value and name not in learner.attributes.names()}
    assert learner.hypothesis == before
    assert json.loads(json.dumps(found.as_json()))["terms"] == [term.as_json() for term in found.terms]
    shown = found.decision().split()
    compared = {">": float.__gt__, ">=": float.__ge__, "<=": float.__le__, "<": float.__lt__}[shown[1]]
    assert compared(float(shown[0]), float(shown[2].rstrip(":")))


def test_new_attributes_of_winnow_share_a_start_weight():
    learner = mb.Winnow2()
    learner.learn_one({"a", "b", "c"}, 1)
    for width in (1, 2, 3, 9):
        x = {f"new{number}" for number in range(width)}
        found = explain_one(learner, x | {"a"})
        assert sum(term.amount for term in found.terms) == found.total
        assert sum(term.note == "never seen" for term in found.terms) == width


def test_perceptron_in_words():
    learner = mb.Perceptron(labels=("ham", "spam"))
    learner.learn_one({"free": 1, "now": 2}, "spam")
    found = mb.inspection.explain_one(learner, {"free": 3, "now": -0.25, "lunch": 1})
    assert str(found).splitlines() == [
        "3.5 > 0: predicts spam",
        "  attribute  value  weight  adds",
        "  free           3       1    +3",
        "  now        -0.25       2  -0.5",
        "  lunch          1       0     0  never seen",
        "  the bias                    +1",
        "  total                      3.5",
    ]


def test_more_terms_are_added_up():
    learner = mb.Perceptron()
    learner.learn_one({"a": 4, "b": 2, "c": 1}, 1)
    found = explain_one(learner, {"a": 1, "b": 1, "c": 1})
    assert found.lines(1)[1:] == [
        "  attribute  value  weight  adds",
        "  a              1       4    +4",
        "  2 more                      +3",
        "  the bias                    +1",
        "  total                        8",
    ]
    assert (found.as_json(1)["more"], len(found.as_json(1)["terms"])) == (2, 1)
    assert found.as_json()["more"] == 0


def test_literals_that_decided():
    learner = mb.learners.ConjunctionElimination()
    assert explain_one(learner, {"a"}).lines()[0] == "-1 < 0: predicts 0"
    assert "every literal and its negation" in str(explain_one(learner, {"a"}))
    learner.learn_one({"a", "b"}, 1)
    learner.learn_one({"a", "c"}, 0)
    learner.learn_one({"a", "b", "d"}, 1)
    found = explain_one(learner, {"b", "c", "d", "e"})
    assert [(term.name, term.amount, term.note) for term in found.terms] == [
        ("a", -1.0, "must be on"),
        ("~c", -1.0, "must be off"),
        ("~e", -1.0, "never seen: must be off"),
        ("b", 0.0, ""),
        ("d", 0.0, "free"),
    ]
    assert found.decision() == "-3 < 0: predicts 0"
    assert explain_one(learner, {"a", "b"}).decision() == "0 >= 0: predicts 1"


def test_alternatives_that_decided():
    learner = mb.learners.DisjunctionElimination()
    learner.learn_one({"a", "b"}, 0)
    learner.learn_one({"c"}, 1)
    found = explain_one(learner, {"a", "c", "new"})
    assert [(term.name, term.amount, term.note) for term in found.terms] == [
        ("c", 1.0, ""), ("new", 1.0, "never seen"), ("a", 0.0, "dropped by a negative example"),
    ]  # fmt: skip
    assert found.decision() == "2 > 0: predicts 1"


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-3, 3))
def test_apart_shows_which_is_larger(threshold, steps):
    from math import inf, nextafter

    total = threshold
    for _ in range(abs(steps)):
        total = nextafter(total, inf if steps > 0 else -inf)
    left, right = map(float, apart(total, threshold))
    assert (left > right, left == right) == (total > threshold, total == threshold)


def test_a_sum_beyond_the_doubles_is_still_json():
    learner = mb.Winnow1(n=4, alpha=1e200, theta=1e300)
    for _ in range(2):
        learner.learn_one({"a"}, 1)
    found = explain_one(learner, {"a"})
    assert found.decision() == "inf > 1e+300: predicts 1"
    assert (found.as_json()["total"], found.as_json()["terms"][0]["amount"]) == (None, None)


def test_bad_instances_and_learners_are_said():
    with pytest.raises(BadData, match="takes 0 and 1 only"):
        explain_one(mb.Winnow2(), {"a": 0.5})

    with pytest.raises(MistakeboundError, match="int has no weights"):
        explain_one(5, {"a"})
    with pytest.raises(MistakeboundError, match="halving has no weights"):
        explain_one(mb.Halving("monotone-disjunctions n=3"), {"1"})
