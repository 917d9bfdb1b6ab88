"""Tables in memory, their schema, the codes of their labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.schema import Schema
from mistakebound.core.table import CodedLabels, Column, Table, label_codes


def weather() -> Table:
    sky = Column("sky", "nominal", ["sunny", "rainy"], np.array([0, 1, -1, -2]))
    return Table([sky, Column("degrees", "numeric", [], np.array([21.0, np.nan, 3.5, 0.0]))])


def test_cells_that_are_missing_or_unseen_are_none() -> None:
    assert weather().row(3) == {"sky": None, "degrees": 0.0}
    assert weather().column("sky").missing.tolist() == [False, False, True, False]
    assert weather().cell(1, 1) is None


def test_take_keeps_columns_and_lines() -> None:
    table = Table(weather().columns, source="w.csv", lines=np.array([2, 3, 5, 8]))
    some = table.take([2, 0])
    assert [some.row(k)["degrees"] for k in range(2)] == [3.5, 21.0]
    assert str(some.complain("wrong", 0)) == "w.csv:5: wrong"
    assert Table((), rows=5).take(slice(1, 3)).rows == 2


def test_columns_of_other_lengths_and_unknown_names_are_refused() -> None:
    with pytest.raises(BadData, match="column 'b' has 1 cells, the table has 2 rows"):
        Table([Column("a", "numeric", [], np.zeros(2)), Column("b", "numeric", [], np.zeros(1))])
    with pytest.raises(BadParameter, match="column must be one of 'sky', 'degrees': 'wind'"):
        weather().column("wind")


@pytest.mark.parametrize(
    "columns",
    [
        [["", "nominal", []]], [["a", "nominal", ["x", "x"]]], [["a", "text", []]], [["a", "numeric", ["1"]]],
        [["a", "nominal", []], ["a", "numeric", []]], [[3, "nominal", []]], [["a", "nominal", [1]]],
    ],
)  # fmt: skip
def test_a_schema_that_no_table_has_is_refused(columns: list[Any]) -> None:
    with pytest.raises(BadParameter):
        Schema.restore(columns)


def test_classes_are_sorted_whatever_the_order_of_rows() -> None:
    assert label_codes([3, "b", 1, "a", 3])[0] == (1, 3, "a", "b")
    assert label_codes(np.array([2.0, 1.0, 2.0]))[1].tolist() == [1, 0, 1]
    assert label_codes([True, False])[0] == (False, True)
    assert label_codes([1, True, 1.0])[0] == (1,)  # they mean the same
    assert label_codes(["1", 1])[0] == (1, "1")


def test_given_classes_keep_their_order_and_refuse_others() -> None:
    assert label_codes(["x", "y"], ("y", "z", "x"))[1].tolist() == [2, 0]
    table = Table((), rows=2, source="t.csv", lines=np.array([2, 3]))
    with pytest.raises(BadData, match=r"t.csv:3: label 'q' is not one of 'x', 'y'"):
        label_codes(["x", "q"], ("x", "y"), table)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_has_its_row(missing: Any) -> None:
    with pytest.raises(BadData, match="row 1: the row has no label"):
        label_codes(["a", missing])
    with pytest.raises(BadData, match="row 0: the row has no label"):
        label_codes(CodedLabels(["a"], np.array([-1, 0], np.int32)))


def test_labels_that_are_no_labels() -> None:
    for bad in ([[1], [2]], [float("inf")], [object()]):
        with pytest.raises(BadData, match="a label must be"):
            label_codes(bad)
    with pytest.raises(BadParameter, match="y must be"):
        label_codes("column")
    with pytest.raises(BadData, match="there are 1 labels for 4 rows"):
        label_codes(["a"], table=weather())
