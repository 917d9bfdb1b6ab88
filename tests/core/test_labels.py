"""Labels: which pairs are known, what is refused, how they come back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import Labels


@pytest.mark.parametrize(
    "pair", [(0, 1), (-1, 1), (False, True), ("0", "1"), ("-1", "+1"), ("false", "true"), (0.0, 1.0)]
)
def test_known_pairs_in_either_order(pair: tuple[Any, Any]) -> None:
    for order in ((0, 1), (1, 0)):
        labels = Labels()
        assert [labels.code(pair[code]) for code in order] == list(order)
        assert labels.values == pair
        assert labels.settled


def test_the_first_negative_label_decides() -> None:
    labels = Labels()
    assert labels.code(1) == 1
    assert labels.values == (0, 1)
    assert labels.code(-1) == 0
    assert labels.values == (-1, 1)
    with pytest.raises(BadData, match="label 0 is neither -1 nor 1"):
        labels.code(0)


def test_spellings_in_files_are_kept() -> None:
    labels = Labels()
    assert [labels.code_of_text(text) for text in ("+1", "1", "1.0", "-1", "-1.0")] == [1, 1, 1, 0, 0]
    assert (labels.text(0), labels.text(1), labels.values) == ("-1", "+1", (-1, 1))


@pytest.mark.parametrize(
    "pair", [("ham", "spam"), (1, 2), (1, 0), (0, "yes"), (2.5, -3), ("nan", "inf"), (True, False)]
)
def test_declared_pairs(pair: tuple[Any, Any]) -> None:
    labels = Labels(pair)
    assert [labels.code(label) for label in pair] == [0, 1]
    assert [labels.code_of_text(str(label)) for label in pair] == [0, 1]
    assert labels.values == pair
    with pytest.raises(BadData, match="is neither"):
        labels.code("third")
    again = Labels.restore(json.loads(json.dumps(labels.state())))
    assert [again.code(label) for label in pair] == [0, 1]
    assert again.values == pair


@pytest.mark.parametrize(
    "pair",
    [
        "ab", (1,), (1, 2, 3), (1, 1), (1, "1.0"), (True, "true"), (None, 1), 5, ([1], [2]), (b"a", b"b"),
        ((1, 2), (3, 4)), (float("nan"), 1),
    ],
)  # fmt: skip
def test_what_is_no_pair(pair: Any) -> None:
    with pytest.raises(BadParameter, match=r"^labels must be a pair .+: "):
        Labels(pair)


def test_numpy_scalars_become_plain() -> None:
    for labels in (Labels(), Labels((np.int64(0), np.int64(1))), Labels(np.array([0, 1]))):
        assert [labels.code(np.int64(0)), labels.code(np.float64(1.0)), labels.code(np.bool_(True))] == [0, 1, 1]
        assert type(labels.values[0]) is int
        json.dumps(labels.state())


@pytest.mark.parametrize("label", ["spam", 2, 0.5, None, float("nan"), [1], {}, "", b"1"])
def test_unknown_labels(label: Any) -> None:
    labels = Labels()
    with pytest.raises(BadData):
        labels.code(label)
    assert not labels.settled
    assert labels.code(0) == 0


def test_codes_of_a_prediction_made_before_the_pair_was_settled() -> None:
    labels = Labels()
    labels.code(1)
    early = labels.values[0]
    labels.code(-1)
    assert labels.codes_of(-1, early) == (0, 0)
    assert labels.codes_of("x", None) == (-1, -1)
