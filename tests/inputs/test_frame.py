"""Tables from data frames, files, mappings and arrays: the same cells, whatever they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.core.table import MISSING, UNSEEN, label_codes
from mistakebound.io.frame import split_label, table_of

ROWS: list[dict[str, Any]] = [
    {"sky": "sunny", "degrees": 21, "wet": "no"},
    {"sky": None, "degrees": -3.5, "wet": "no"},
    {"sky": "rainy", "degrees": None, "wet": "yes"},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


def csv(folder: Path) -> Path:
    path = folder / "w.csv"
    path.write_text("sky,degrees,wet\nsunny,21,no\n?,-3.5,no\n\nrainy,,yes\n")
    return path


def forms(folder: Path) -> dict[str, Any]:
    return {
        "mappings": ROWS,
        "columns": COLUMNS,
        "arrow": pa.table(COLUMNS),
        "file": csv(folder),
        "name": str(csv(folder)),
    }


def test_every_form_gives_the_same_table(tmp_path: Path) -> None:
    for form, X in forms(tmp_path).items():
        table = table_of(X)
        assert table.schema.columns == (
            ("sky", "nominal", ("sunny", "rainy")), ("degrees", "numeric", ()), ("wet", "nominal", ("no", "yes")),
        ), form  # fmt: skip
        assert [table.row(k) for k in range(3)] == ROWS, form


def test_the_label_may_be_a_column_of_every_form(tmp_path: Path) -> None:
    for form, X in forms(tmp_path).items():
        table, y = split_label(X, "wet")
        assert table.names == ("sky", "degrees"), form
        assert label_codes(y, table=table)[1].tolist() == [0, 0, 1], form
        with pytest.raises(BadParameter, match="'nope'"):
            split_label(X, "nope")
    assert split_label(ROWS, [1, 0, 1])[1] == [1, 0, 1]


def test_arrays_have_numbered_columns() -> None:
    table = table_of(np.array([[1, 2], [3, 4]]))
    assert table.names == ("x1", "x2")
    assert table.column("x2").data.tolist() == [2.0, 4.0]
    with pytest.raises(BadData, match="1 dimensions"):
        table_of(np.zeros(3))
    with pytest.raises(BadData, match="inf in column 'x1' is not a finite number"):
        table_of(np.array([[np.inf]]))


def test_kinds_may_be_told() -> None:
    table = table_of({"a": [1, 2, None], "b": ["3", "4.5", None]}, nominal=["a"], numeric=["b"])
    assert table.schema.columns == (("a", "nominal", ("1", "2")), ("b", "numeric", ()))
    assert table.column("b").data.tolist()[:2] == [3.0, 4.5]
    with pytest.raises(BadData, match="row 1: 'x' in the numeric column 'b' is not a finite number"):
        table_of({"b": ["3", "x"]}, numeric=["b"])
    with pytest.raises(BadParameter, match="must name columns"):
        table_of({"b": ["3", "x"]}, numeric=["c"])


def test_truth_values_and_categories_are_names() -> None:
    table = table_of(pa.table({"t": [True, None, False], "c": pa.array(["u", "v", "u"]).dictionary_encode()}))
    assert table.schema.columns == (("t", "nominal", ("True", "False")), ("c", "nominal", ("u", "v")))
    declared = pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), pa.array(["low", "high"]))
    assert table_of(pa.table({"c": declared})).column("c").values == ("low", "high")


def test_declared_values_keep_their_order_and_refuse_others(tmp_path: Path) -> None:
    for X in (ROWS, csv(tmp_path)):
        table = table_of(X, declared={"sky": ["foggy", "rainy", "sunny"]})
        assert table.column("sky").data.tolist() == [2, MISSING, 1]
        with pytest.raises(BadData, match="'rainy' is not a declared value of 'sky': 'sunny'") as error:
            table_of(X, declared={"sky": ["sunny"]})
    assert error.value.line == 5
    with pytest.raises(BadParameter, match="'moon'"):
        table_of(ROWS, declared={"moon": ["full"]})


def test_like_another_table(tmp_path: Path) -> None:
    schema = table_of(ROWS).schema
    new = table_of([{"wet": "maybe", "degrees": None, "sky": "rainy"}], like=schema)
    assert new.schema == schema
    assert [column.data.tolist()[0] for column in new.columns if column.nominal] == [1, UNSEEN]
    assert table_of(new, like=schema) is new
    again = table_of(table_of([{"sky": "x", "degrees": 1, "wet": None}]), like=schema)
    assert again.column("sky").data.tolist() == [UNSEEN]
    assert table_of([], like=schema).rows == 0
    assert table_of(csv(tmp_path), like=schema).row(2) == ROWS[2]
    with pytest.raises(BadData, match="it lacks 'sky', it has 'moon' beside them"):
        table_of([{"moon": "full", "degrees": 1, "wet": "no"}], like=schema)
    assert table_of([ROWS[0] | {"moon": 1}], like=schema, spare=["moon"]).names == schema.names
    with pytest.raises(BadData, match="'warm' in the numeric column 'degrees'"):
        table_of([ROWS[0] | {"degrees": "warm"}], like=schema)


@pytest.mark.parametrize("bad", [5, "no such file.csv", [1, 2], {"a": "text"}, [{"a": [1]}]])
def test_what_is_no_table(bad: Any) -> None:
    with pytest.raises(MistakeboundError):
        table_of(bad)


def test_columns_of_different_lengths() -> None:
    with pytest.raises(BadData, match="the same number of cells: 1, 2"):
        table_of({"a": [1], "b": [1, 2]})


def test_arrow_columns_that_hold_no_cells() -> None:
    import datetime

    with pytest.raises(BadData, match="column 'd' holds neither texts nor numbers: date32"):
        table_of(pa.table({"d": [datetime.date(2026, 1, 1)]}))
    assert table_of(pa.table({"n": pa.nulls(2)})).column("n").missing.all()


def test_a_file_with_other_columns(tmp_path: Path) -> None:
    """The same words as for a list: what kinds the columns had before is nothing that the caller asked for."""
    schema = table_of(ROWS).schema
    path = tmp_path / "other.csv"
    path.write_text("wind\nweak\n")
    with pytest.raises(BadData, match=r"other\.csv:1: the table has other columns .* lacks 'sky'.* has 'wind'"):
        table_of(path, like=schema)
    path.write_text("a [0],sky,degrees,wet\nspare,sunny,1,no\n")
    assert table_of(path, like=schema, spare=["a [0]"]).names == ("sky", "degrees", "wet")


def test_a_list_of_rows_is_an_array() -> None:
    listed, array = table_of([[1, 2.5], (3, None)]), table_of(np.array([[1, 2.5], [3, np.nan]]))
    assert listed.schema == array.schema
    assert listed.names == ("x1", "x2")
    assert [listed.row(j) for j in range(2)] == [{"x1": 1.0, "x2": 2.5}, {"x1": 3.0, "x2": None}]
    assert table_of([["a", 1], ["b", 2]]).column("x1").kind == "nominal"
    with pytest.raises(BadData, match="rows must have the same number of cells: 1, 2"):
        table_of([[1], [1, 2]])


def test_only_what_is_asked_for_must_be_there() -> None:
    schema = table_of(ROWS).schema
    asked = ["degrees"]
    for rows in (
        [{"degrees": 20.0, "moon": "full"}], {"degrees": [20.0], "moon": ["full"]},
        table_of([{"degrees": 20.0, "moon": "full"}]), pa.table({"moon": ["full"], "degrees": [20.0]}),
    ):  # fmt: skip
        found = table_of(rows, like=schema, asked=asked)
        assert found.schema == schema
        assert found.row(0) == dict.fromkeys(schema.names) | {"degrees": 20.0}
    with pytest.raises(BadData, match="it lacks 'degrees', it has 'moon' beside them"):
        table_of([{"moon": "full"}], like=schema, asked=asked)
    for rows, count in (([{}, {}], 2), ([{"moon": 1}], 1), ([], 0), (np.zeros((3, 0)), 3), ({"moon": [1, 2]}, 2)):
        assert table_of(rows, like=schema, asked=()).rows == count
    with pytest.raises(BadData, match="it lacks"):
        table_of([{}], like=schema, asked=asked)
