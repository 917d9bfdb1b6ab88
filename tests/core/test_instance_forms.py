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
