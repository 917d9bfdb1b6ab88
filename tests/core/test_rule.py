"""Short rules as values: what they say of an instance, in words, and as JSON."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.labels import Labels
from mistakebound.core.rule import Rule, RuleList, show_name

MAIL = Labels(("ham", "spam"))
NAMES = "abcde"


@given(counted=st.integers(0, 3), least=st.integers(0, 3), excluded=st.integers(0, 2), positive=st.booleans())
def test_a_rule_by_its_definition(counted: int, least: int, excluded: int, positive: bool) -> None:
    rule = Rule(MAIL, NAMES[:counted], least, NAMES[counted : counted + excluded], positive=positive)
    for bits in itertools.product((0, 1), repeat=5):
        on = dict(zip(NAMES, bits, strict=True))
        holds = sum(bits[:counted]) >= least and not any(bits[counted : counted + excluded])
        assert rule(on) == ("spam" if holds == positive else "ham")
        assert rule({name for name in NAMES if on[name]}) == rule(on)


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), max_size=5), st.booleans())
def test_a_list_by_its_definition(steps: list[tuple[str, bool, bool]], default: bool) -> None:
    rules = RuleList(MAIL, steps, default)
    rows = list(itertools.product((0, 1), repeat=5))
    columns = {name: np.array([row[k] for row in rows], bool) for k, name in enumerate(NAMES)}
    wanted = []
    for row in rows:
        on = dict(zip(NAMES, row, strict=True))
        wanted.append(next((label for name, want, label in steps if bool(on[name]) == want), default))
        assert rules(on) == MAIL.values[wanted[-1]]
    assert np.broadcast_to(rules.decide(columns), (32,)).tolist() == wanted


@pytest.mark.parametrize(
    ("names", "least", "unless", "positive", "text"),
    [
        (["free"], 1, [], True, "IF 'free' THEN spam ELSE ham"),
        (["free", "txt"], 1, [], True, "IF 'free' OR 'txt' THEN spam ELSE ham"),
        (["free", "txt"], 2, ["ok"], True, "IF 'free' AND 'txt' AND NOT 'ok' THEN spam ELSE ham"),
        (
            ["odor=n", "7"],
            1,
            ["a & b", "c"],
            False,
            "IF (odor=n OR x7) AND NOT (('a' & 'b') OR 'c') THEN ham ELSE spam",
        ),
        (["a", "b", "c"], 2, [], True, "IF at least 2 of 'a', 'b', 'c' THEN spam ELSE ham"),
        ([], 0, ["a"], True, "IF NOT 'a' THEN spam ELSE ham"),
        ([], 0, [], False, "ALWAYS ham"),
    ],
)
def test_words(names: list[str], least: int, unless: list[str], positive: bool, text: str) -> None:
    rule = Rule(MAIL, names, least, unless, positive=positive)
    assert str(rule) == text
    as_json = json.loads(json.dumps(rule.as_json()))
    assert (as_json["text"], as_json["of"], as_json["unless"], as_json["at_least"]) == (text, names, unless, least)
    assert {as_json["then"], as_json["else"]} == {"ham", "spam"}


def test_names_as_a_rule_has_them() -> None:
    shown = {
        "3": "x3", "x3": "'x3'", "or": "'or'", "age<=3": "age<=3", "age in (3,5]": "'age in (3,5]'", "a=b c": "'a=b c'",
        "it's": "'it\\'s'", "\n": "'\\n'", " & ": "' & '", "a=1 & 7": "(a=1 & x7)",
    }  # fmt: skip
    assert {name: show_name(name) for name in shown} == shown


@given(st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=3, max_size=3), st.integers(0, 1)), max_size=12))
def test_a_decision_list_learner_is_one_list(examples: list[tuple[list[int], int]]) -> None:
    learner = mb.learners.DecisionListLearner(3)
    for x, y in examples:
        learner.learn_one(x, y)
    rule = learner.hypothesis.rule()
    assert isinstance(rule, RuleList)
    for x in itertools.product((0, 1), repeat=3):
        assert rule(x) == learner.predict_one(x)
