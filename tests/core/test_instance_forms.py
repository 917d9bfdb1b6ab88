"""What an instance may be."""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData
from mistakebound.core.instance import read_instance


def pairs(x: Any, names: Any = None) -> dict[str, float]:
    instance = read_instance(x, names)
    values = instance.values if instance.values is not None else [1.0] * len(instance.names)
    return dict(zip(instance.names, values, strict=True))


@pytest.mark.parametrize(
    "x",
    [
        {"1": 1, "3": 1}, {"1": 1, "2": 0, "3": True}, {"1", "3"}, frozenset({"1", "3"}), ["1", "3"], ("3", "1"),
        iter(["1", "3"]), {"1": 0, "3": 0}.keys(), [1, 0, 1], (1.0, 0.0, 1.0), [True, False, True],
        np.array([1, 0, 1]), np.array([True, False, True]), np.array([1, 0, 1], dtype=np.uint8), np.array(["1", "3"]),
        array("d", [1, 0, 1]), [1, -0.0, 1], [Fraction(1), 0, np.float32(1)],
        (value for value in (1, 0, 1)),
    ],
)  # fmt: skip
def test_forms_of_one_instance(x: Any) -> None:
    assert pairs(x) == {"1": 1.0, "3": 1.0}


def test_real_values_and_names() -> None:
    assert pairs([0.5, 0, -2]) == {"1": 0.5, "3": -2.0}
    assert pairs([0.5, 0, -2], names=["a", "b", "c"]) == {"a": 0.5, "c": -2.0}
    assert pairs([]) == pairs({}) == pairs(set()) == {}
    assert pairs({"a": Fraction(1, 2), "b": np.float32(0.5)}) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("free", "not one text"), (b"free", "not one text"), (5, "not int"), (None, "not NoneType"),
        (["a", "a"], "appears twice"), (["a", 1], "cannot mix"), ([1, "a"], "cannot mix"), ({1, 2}, "is not a text"),
        ({1: 1}, "is not"), ({"a": 1, 2: 3}, "is not"), ({"a": "1"}, "not a finite number"),
        ({"a": None}, "not a finite number"), ([1, float("nan")], "not a finite number"),
        ({"a": 10**400}, "not a finite number"), ({"a": np.array([1, 2])}, "not a finite number"),
        (np.ones((1, 2)), "1 dimension"), (np.array(5), "1 dimension"), ([[1], [2]], "not a finite number"),
        ({"a": 1j}, "not a finite number"),
    ],
)  # fmt: skip
def test_what_is_no_instance(x: Any, message: str) -> None:
    with pytest.raises(BadData, match=message):
        read_instance(x)


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", 1]])
def test_names_that_do_not_fit(names: Any) -> None:
    with pytest.raises(BadData):
        read_instance([1, 0], names)


def test_the_first_name_that_finds_no_place_is_named() -> None:
    with pytest.raises(BadData, match="'b' is beyond the declared n = 2"):
        mb.Winnow1(n=2).learn_one({"c", "b", "1", "a"}, 1)
    assert mb.Winnow1(n=2, labels=(0, 1)).learn_one({"b", "a"}, 1) == 0


def test_rows_without_names_after_rows_with_names() -> None:
    """None of their attributes is known to the learner: it would answer by its bias alone."""
    X = np.array([[1.0, 0.0], [0.0, 2.0]])
    message = r"^a row of numbers needs names=: (perceptron|one-vs-all|expand) has learned attributes with names"
    for learner in (mb.Perceptron(labels=(0, 1)), mb.OneVsAll(), mb.transforms.expand(mb.Perceptron(labels=(0, 1)), 2)):
        assert learner.learn_many(X, [0, 1]).tolist()[1] == 0  # no names at all
        assert learner.predict_one([0.0, 1.0]) == 1
        learner = type(learner)() if learner.inner is None else mb.transforms.expand(mb.Perceptron(), 2)
        learner.learn_many(X, [0, 1], names=["a", "b"])
        for call in (
            lambda learner: learner.predict_one([0.0, 1.0]),
            lambda learner: learner.score_one(np.array([0.0, 1.0])),
            lambda learner: learner.learn_one((0.0, 1.0), 1),
            lambda learner: learner.predict_many(X),
            lambda learner: learner.learn_many(X, [0, 1]),
        ):
            with pytest.raises(mb.BadData, match=message):
                call(learner)
        assert learner.predict_one([0.0, 1.0], names=["a", "b"]) == learner.predict_one({"b": 1.0}) == 1
        named = [learner.predict_one({"a": 1.0}), learner.predict_one({"b": 2.0})]
        assert learner.predict_many(X, names=["a", "b"]).tolist() == named
        assert learner.predict_one({"7": 1.0}) in (0, 1)  # a name that happens to be a number
