"""Fields of files that anybody may have written, and values in messages."""

from __future__ import annotations

from typing import Any

import pytest

from mistakebound.core.errors import BadData, BadModel, BadParameter, cut, named, shown
from mistakebound.core.fields import MOST, Fields, is_label, is_number

HUGE = 10**400


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        ("whole", [0, 3, MOST], [None, True, -1, 1.0, MOST + 1, HUGE, "3", [3]]),
        ("number", [0, -1.5, 3, 1e300], [None, True, float("nan"), float("inf"), HUGE, "3", []]),
        ("text", ["", "a"], [None, 3, ["a"], {}]),
        ("flag", [True, False], [None, 0, 1, "true"]),
        ("values", [[], [1]], [None, (), "ab", {}]),
        ("wholes", [[], [0, 5]], [None, [-1], [True], [1.5], [MOST + 1], "12"]),
        ("texts", [[], ["a"]], [None, [1], "ab"]),
        ("record", [{}, {"a": 1}], [None, [], "a"]),
        ("label", [None, "a", 1, 0.5, True], [[], {}, float("nan"), HUGE]),
    ],
)
def test_a_field_is_of_its_kind_or_named_in_an_error(read: str, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert getattr(Fields({"f": value}, "the file"), read)("f") == value
    for value in bad:
        with pytest.raises(ValueError, match=r"^f in the file must be ") as caught:
            getattr(Fields({"f": value}, "the file"), read)("f")
        assert str(caught.value).endswith(f": {shown(value)}")
    with pytest.raises(ValueError, match=r"^the file has no f$"):
        getattr(Fields({}, "the file"), read)("f")


@pytest.mark.parametrize("read", ["whole", "text", "values", "record"])
def test_null_or_nothing_is_a_value_where_that_is_said(read: str) -> None:
    for values in ({}, {"f": None}):
        assert getattr(Fields(values, "the file"), read)("f", none=True) is None
    with pytest.raises(ValueError, match=r"or null: 1\.5"):
        getattr(Fields({"f": 1.5}, "the file"), read)("f", none=True)


def test_ranges_and_inner_objects() -> None:
    fields = Fields({"n": 5, "in": {"m": 1}}, "the file")
    assert fields.whole("n", 5, 5) == 5
    for least, most in ((6, 9), (0, 4)):
        with pytest.raises(ValueError, match=f"a whole number >= {least} and <= {most}: 5"):
            fields.whole("n", least, most)
    with pytest.raises(ValueError, match=r"m in in of the file must be a text: 1"):
        fields.fields("in").text("m")
    with pytest.raises(ValueError, match=r"n of the file must be an object: 5"):
        fields.fields("n")
    assert ("n" in fields, "m" in fields) == (True, False)


def test_numbers_and_labels() -> None:
    assert [is_number(value) for value in (1, 0.5, True, "1", HUGE, float("inf"), None)] == [1, 1, 0, 0, 0, 0, 0]
    assert [is_label(value) for value in (1, 0.5, True, "1", HUGE, float("inf"), None)] == [1, 1, 1, 1, 0, 0, 0]


def test_no_message_is_long() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ("x" * 200_000, list(range(100_000)), HUGE, 10**5000, deep, {"a": "b" * 1000}):
        assert len(shown(value)) <= 80
    while deep:  # or Python takes it apart by recursion
        deep = deep[0]
    for kind in (BadParameter, BadModel):
        assert len(str(kind("x" * 200_000))) <= 1000
        assert str(kind("short")) == "short"
    assert len(str(BadData("x" * 200_000, source="rows.svm", line=3, text="y" * 200_000))) < 1100
    assert str(BadData("x" * 200_000, source="rows.svm", line=3)).startswith("rows.svm:3: xxx")
    assert [len(cut("x" * 1000, most)) for most in (20, 80, 81, 500)] == [20, 80, 81, 500]
    assert (named("a b.svm"), named("a\x1b[2J"), len(named("x" * 5000))) == ("a b.svm", repr("a\x1b[2J"), 200)
