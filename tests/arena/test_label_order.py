"""Labels that nobody declared: which is the positive one, and what one label alone may become."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mistakebound.arena.stream_labels import adopt, distinct, in_order, pair_in_words, usual
from mistakebound.core.errors import BadData
from mistakebound.core.labels import Labels, SureLabels, meaning

PAIRS = [
    ("ham", "spam"), ("no", "yes"), ("No", "YES"), ("NO", "yes"), ("n", "Y"), ("f", "t"), ("OFF", "on"),
    ("false", "yes"), ("no", "TRUE"), ("9", "10"), ("-2", "+1.5"), ("0", "1"), ("1", "2"), ("-1", "0"), ("1e1", "11"),
    ("0", "spam"), ("7", "a"), ("Apple", "banana"), ("apple", "Banana"), ("e", "p"), ("nowin", "won"), ("f", "m"),
    ("A", "a"), ("inf", "nan"), ("", "x"), ("democrat", "republican"), ("negative", "positive"),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_the_later_in_order_is_positive(pair: tuple[str, str]) -> None:
    assert in_order(pair) == in_order(pair[::-1]) == list(pair)


def test_values_of_arrays_are_ordered_as_their_texts() -> None:
    for one, two in itertools.permutations([(False, True), (2, 10), (-1.5, 3), (0, "a")], 2):
        for pair in (one, two):
            assert in_order(pair) == in_order(pair[::-1]) == list(pair)


@pytest.mark.parametrize(
    "found", [["0", "1"], ["-1", "+1"], ["true", "False"], ["1"], ["0"], ["-1"], ["0", "true"], []]
)
def test_known_pairs_are_settled_by_trials_as_always(found: list[str]) -> None:
    labels = SureLabels()
    adopt(labels, found)
    assert labels.state() == Labels().state()
    for text in found:
        labels.code_of_text(text)
    if len(found) == 2:
        plain = Labels()
        for text in found:
            plain.code_of_text(text)
        assert labels.state() == plain.state()
    assert usual(labels)


@pytest.mark.parametrize(
    ("alone", "second", "pair"),
    [
        ("ham", "spam", ("ham", "spam")), ("spam", "ham", ("spam", "ham")), ("yes", "no", ("no", "yes")),
        ("Yes", "maybe", ("maybe", "Yes")), ("no", "yes", ("no", "yes")), ("1", "2", (2, 1)), ("+1", "a", ("a", 1)),
        ("0", "2", (0, 2)), ("-1", "2", (-1, 2)), ("yes", "0", (0, "yes")), ("yes", "1", (1, "yes")),
        ("ham", "1", ("ham", 1)), ("ham", "0", ("ham", 0)), ("3", "1", (3, 1)), ("0", "1", (0, 1)),
        ("1", "-1", (-1, 1)), ("true", "x", ("x", True)),
    ],
)  # fmt: skip
def test_one_label_alone_and_the_second(alone: str, second: str, pair: tuple[Any, Any]) -> None:
    labels = SureLabels()
    adopt(labels, [alone])
    for _ in range(2):
        first = labels.code_of_text(alone)
    again = labels.copy()
    assert labels.code_ahead(second) == 1 - first
    assert (labels.code_of_text(second), labels.values, labels.settled) == (1 - first, pair, True)
    assert [labels.text(code) for code in (first, 1 - first)] == [alone, second]
    assert again.code_of_text(second) == 1 - first, "a copy is as open"
    with pytest.raises(BadData, match="label 'third' is neither"):
        labels.code_of_text("third")
    restored = Labels.restore(labels.state())
    assert [restored.code_of_text(text) for text in (alone, second)] == [first, 1 - first]


@pytest.mark.parametrize(
    ("alone", "values"),
    [("ham", ("ham", "not ham")), ("yes", ("not yes", "yes")), ("7", (7, "not 7")), ("0", (0, 1)), ("+1", (-1, 1)),
     ("true", (False, True)), ("False", (False, True))],
)  # fmt: skip
def test_beside_one_label_no_label_is_made_up(alone: str, values: tuple[Any, Any]) -> None:
    labels = SureLabels()
    adopt(labels, [alone])
    code = labels.code_of_text(alone)
    other = labels.values[1 - code]
    assert labels.values == values == Labels.restore(labels.state()).values
    if isinstance(other, str):
        assert labels.codes_of("other", other) == (1 - code, 1 - code), "said before the second label had a name"
        assert labels.codes_of(alone, other) == (code, 1 - code)


def test_without_a_stream_nothing_is_taken_that_is_not_declared() -> None:
    labels = Labels()
    with pytest.raises(BadData, match="label 'ham' is not known"):
        labels.code("ham")
    labels.code(0)
    with pytest.raises(BadData, match="label 2 is"):
        labels.code(2)


def test_labels_that_are_settled_stay() -> None:
    labels = Labels(("b", "a"))
    assert usual(labels)
    begun = Labels()
    begun.code("1")
    adopt(begun, ["a", "b"])
    assert begun.values[1] == "1"


def test_words() -> None:
    labels = Labels()
    adopt(labels, ["x" * 100])
    assert pair_in_words(labels).endswith("xxx so far (negative)")
    assert len(pair_in_words(labels)) < 100
    labels.code_of_text("yes")
    assert pair_in_words(labels).endswith(", yes (positive: yes)")


def test_distinct_labels_by_meaning() -> None:
    assert distinct(["+1", "1.0", True, "true", "a", "A", "-1"]) == ["+1", "a", "A", "-1"]


def test_large_whole_numbers_stay_apart() -> None:
    assert [meaning(text) for text in ("9007199254740992", "9007199254740993", "+7", "-0", "1" * 5000)] == [
        9007199254740992, 9007199254740993, 7, 0, "1" * 5000
    ]  # fmt: skip
