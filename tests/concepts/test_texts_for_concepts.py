"""Where a concept is asked for, its text will do, in Python as on the command line."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import mistakebound as mb
from mistakebound.concepts import Conjunctions, LinearThreshold, parse
from mistakebound.core.errors import BadParameter

CUBE = list(product((0, 1), repeat=2))


def test_equality():
    assert parse("x1 | x2").same_function("~x1 or x1") is False
    assert parse("x1").same_function("all of (x1)")
    with pytest.raises(BadParameter, match="position 5"):
        parse("x1").same_function("x1 &")


def test_errors_of_hypotheses():
    assert mb.theory.true_error("x1", "x1 & x2", CUBE) == Fraction(1, 4)
    assert mb.theory.training_error("x1", [((1, 0), 1), ((0, 0), 1)]) == Fraction(1, 2)
    assert mb.theory.is_epsilon_exhausted("conjunctions n=2", "x1", CUBE, CUBE, "1/10")
    assert mb.theory.overfits("x1", "conjunctions n=2", [((1, 0), 1)], "x1", CUBE) is None
    for bad in (3, None):
        with pytest.raises(BadParameter, match="must be a function of an instance, or the text of a concept"):
            mb.theory.true_error(bad, "x1", CUBE)
        with pytest.raises(BadParameter, match="must be a function of an instance, or the text of a concept"):
            mb.theory.training_error(bad, [((1, 0), 1)])


def test_targets_of_the_worst_case():
    learner = mb.Halving("conjunctions n=2")
    C = Conjunctions(2)
    by_text, by_concept = (
        mb.theory.worst_case(learner, C, targets=[target]) for target in ("x1 & x2", parse("x1 & x2"))
    )
    assert by_text.value == by_concept.value
    with pytest.raises(BadParameter, match=r"targets must be concepts of the class: x1 \| x2"):
        mb.theory.worst_case(learner, C, targets=["x1 | x2"])
    with pytest.raises(BadParameter, match="learner must have learn_one and predict_one: None"):
        mb.theory.worst_case(None, C)


def test_a_class_of_hypotheses_by_its_text():
    by_text = mb.bayes.posterior("conjunctions n=1", data=[([1], 1)])
    assert [str(h) for h in by_text.hypotheses] == [str(h) for h in Conjunctions(1)]
    with pytest.raises(BadParameter, match="query_depth takes a class"):
        mb.arena.fewest_questions("conjunctions n=1")


def test_numbers_with_an_exponent():
    assert parse("1e3*x1 + 2.5E-1*x2 >= 5e-1") == LinearThreshold({"1": 1000, "2": "1/4"}, "1/2")
    assert parse("1e1 <= x1 <= 2e1") == parse("10 <= x1 <= 20")
    assert parse("if x1 then 1else 0") == parse("if x1 then 1 else 0")
    for bad in ("1e999999999*x1 >= 1", "1e-99999999999999999999999*x1 >= 1", "1e*x1 >= 1", "1e3 of x1"):
        with pytest.raises(BadParameter, match=r"position [12]"):
            parse(bad)
