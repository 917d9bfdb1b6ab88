"""Parameters: one declaration, one rule, one error shape."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.params import Parameter, check_all

ALPHA = Parameter("alpha", "number", 2.0, above=1)
N = Parameter("n", "integer", None, at_least=1, optional=True)
THETA = Parameter("theta", "number", None, above=0, words=("n", "n/2"), optional=True)
FLAG = Parameter("bias", "flag", True)
RULE = Parameter("rule", "word", ">", words=(">", ">="))


@pytest.mark.parametrize(
    ("parameter", "value", "checked"),
    [
        (ALPHA, 2, 2.0), (ALPHA, Fraction(3, 2), 1.5), (ALPHA, np.float32(1.5), 1.5), (N, 5.0, 5), (N, None, None),
        (N, np.int64(7), 7), (N, 2**70, 2**70), (THETA, "n/2", "n/2"), (THETA, None, None), (FLAG, False, False),
        (FLAG, np.True_, True), (RULE, ">=", ">="),
    ],
)  # fmt: skip
def test_good_values(parameter: Parameter, value: Any, checked: Any) -> None:
    found = parameter.check(value)
    assert found == checked
    assert type(found) is type(checked)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (ALPHA, 1), (ALPHA, "2"), (ALPHA, True), (ALPHA, float("nan")), (ALPHA, float("inf")), (ALPHA, None),
        (ALPHA, 10**400), (N, 0), (N, 1.5), (N, 10**400), (N, "5"), (N, float("nan")), (THETA, "m"), (THETA, 0),
        (FLAG, 1), (FLAG, None), (FLAG, "true"), (RULE, "<"), (RULE, None), (RULE, 1), (ALPHA, [2]),
    ],
)  # fmt: skip
def test_bad_values(parameter: Parameter, value: Any) -> None:
    with pytest.raises(BadParameter) as caught:
        parameter.check(value)
    assert str(caught.value) == f"{parameter.name} must be {parameter.rule}: {shown(value)}"


def test_rules_in_words() -> None:
    assert [p.rule for p in (ALPHA, N, THETA, FLAG, RULE)] == [
        "a number > 1", "a whole number >= 1, or left out", "'n', 'n/2' or a number > 0, or left out", "true or false",
        "'>' or '>='",
    ]  # fmt: skip


def test_texts_of_the_command_line() -> None:
    assert [ALPHA.parse("1.5"), N.parse("none"), N.parse("12"), THETA.parse(" n "), FLAG.parse("no")] == [
        1.5, None, 12, "n", False
    ]  # fmt: skip
    for parameter, text in ((ALPHA, "x"), (N, "1.5"), (FLAG, "maybe"), (RULE, "=>"), (ALPHA, "nan")):
        with pytest.raises(BadParameter, match=rf"^{parameter.name} must be "):
            parameter.parse(text)


def test_unknown_names() -> None:
    with pytest.raises(BadParameter, match="beta is not a parameter here: known are alpha, n"):
        check_all((ALPHA, N), {"beta": 1})
    assert check_all((ALPHA, N), {"n": 3}) == {"alpha": 2.0, "n": 3}


def test_fractions_on_the_command_line() -> None:
    """In Python a fraction is Fraction(3, 2); as text it is 3/2, and words with a slash stay words."""
    assert [ALPHA.parse("3/2"), N.parse("12/4"), THETA.parse("n/2"), THETA.parse("1/4")] == [1.5, 3, "n/2", 0.25]
    for parameter, text in ((ALPHA, "3/0"), (N, "1/2"), (ALPHA, "3/x"), (ALPHA, "1e400/1")):
        with pytest.raises(BadParameter, match=rf"^{parameter.name} must be .+: "):
            parameter.parse(text)
