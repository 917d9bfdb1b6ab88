"""Which columns are numeric: by their first cells, as asked, or as remembered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inputs.tables import read_all, written
from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.io import table_window
from mistakebound.io.csv import CsvReader

ASKED = {"format": "csv", "label": "y"}


def kinds_of(path: Path, size: int = 1 << 20, **asked: Any) -> tuple[dict[str, str], MistakeboundError | None]:
    reader = CsvReader(path, ASKED | asked, block_bytes=size)
    error = read_all(reader)[1]
    return reader.settings.get("kinds", {}), error


def table(cells: list[str]) -> bytes:
    return "".join(["y,a\n", *(f"1,{cell}\n" for cell in cells)]).encode()


@pytest.mark.parametrize("size", [100, 3000, 1 << 20])
def test_the_first_thousand_cells_decide(tmp_path: Path, size: int) -> None:
    path = written(tmp_path, table([*["1.5"] * 999, "x", *["2"] * 10]))
    assert kinds_of(path, size) == ({"a": "nominal"}, None)
    path = written(tmp_path, table([*["1.5"] * 1000, "x", *["2"] * 10]))
    kinds, error = kinds_of(path, size)
    assert kinds == {"a": "numeric"}
    assert str(error) == f"{path}:1002: 'x' in the numeric column 'a' is not a finite decimal number: '1,x'"
    path = written(tmp_path, table([*["?", ""] * 600, *["1.5"] * 999, "x"]))
    assert kinds_of(path, size) == ({"a": "nominal"}, None)
    path = written(tmp_path, table(["?", ""] * 600))
    assert kinds_of(path, size) == ({"a": "nominal"}, None)


@pytest.mark.parametrize("size", [100, 3000, 1 << 20])
def test_how_far_it_is_looked(tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, table([*["?"] * 499, "7", "x", *["?"] * 500]))
    assert kinds_of(path, size)[0] == {"a": "nominal"}
    monkeypatch.setattr(table_window, "MOST_ROWS", 501)
    assert kinds_of(path, size)[0] == {"a": "nominal"}
    monkeypatch.setattr(table_window, "MOST_ROWS", 500)
    assert kinds_of(path, size)[0] == {"a": "numeric"}
    monkeypatch.setattr(table_window, "MOST_ROWS", 499)
    assert kinds_of(path, size)[0] == {"a": "nominal"}
    monkeypatch.setattr(table_window, "MOST_ROWS", 1000)
    for most, kind in ((path.read_bytes().index(b"1,x"), "numeric"), (path.read_bytes().index(b"1,x") + 1, "nominal")):
        monkeypatch.setattr(table_window, "MOST_BYTES", most)
        assert kinds_of(path, size)[0] == {"a": kind}


def test_no_more_is_read_than_it_takes(tmp_path: Path) -> None:
    path = written(tmp_path, table(["1"] * 50_000))
    for asked in ({}, {"nominal": ["a"]}, {"numeric": ["a"]}):
        reader = CsvReader(path, ASKED | asked, block_bytes=1000)
        assert reader.fill(reader.chunk())
        assert reader.progress()[0] <= 1 << 17  # what holds the first thousand rows, in units of 64 KB
        reader.close()


def test_as_asked(tmp_path: Path) -> None:
    path = written(tmp_path, b"y,a,b,c\n1,1,2,x\n0,3,4,y\n")
    reader = CsvReader(path, ASKED | {"nominal": ["a"]})
    assert [row[3] for row in read_all(reader)[0]] == [
        {"a=1": 1.0, "b": 2.0, "c=x": 1.0},
        {"a=3": 1.0, "b": 4.0, "c=y": 1.0},
    ]
    assert reader.settings == ASKED | {
        "nominal": ["a"],
        "columns": ["y", "a", "b", "c"],
        "kinds": {"a": "nominal", "b": "numeric", "c": "nominal"},
    }
    error = kinds_of(path, numeric=["c"])[1]
    assert str(error) == f"{path}:2: 'x' in the numeric column 'c' is not a finite decimal number: '1,1,2,x'"


def test_bins_by_the_first_cells(tmp_path: Path) -> None:
    body = "".join(f"{k % 2},{k},{k % 2}\n" for k in range(1000)) + "1,5000,7\n0,-3,\n"
    path = written(tmp_path, f"y,a,b\n{body}".encode())
    for size in (100, 1 << 20):
        reader = CsvReader(path, ASKED | {"bins": 4, "keep": ["a"]}, block_bytes=size)
        rows = read_all(reader)[0]
        assert reader.settings["bins"] == {"a": [249.0, 499.0, 749.0], "b": [0.0]}
        assert [list(rows[k][3]) for k in (0, 249, 250, 999, 1000, 1001)] == [
            ["a<=249", "b<=0"],
            ["a<=249", "b>0"],
            ["a in (249,499]", "b<=0"],
            ["a>749", "b>0"],
            ["a>749", "b>0"],
            ["a<=249"],
        ]
    reader = CsvReader(path, ASKED | {"bins": {"a": 2}})
    assert read_all(reader)[0][0][3] == {"a<=499": 1.0, "b": 0.0}
    assert reader.settings["bins"] == {"a": [499.0]}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"label": "Y"}, "{path} has no column 'Y' for label (did you mean 'y'?); its columns are 'y', 'a', 'b', 'c'"),
        ({"weights": "w"}, "{path} has no column 'w' for weights; its columns are 'y', 'a', 'b', 'c'"),
        ({"weights": "y"}, "label and weights must be two columns: 'y'"),
        ({"nominal": ["d"]}, "{path} has no column 'd' for nominal; its columns are 'y', 'a', 'b', 'c'"),
        ({"numeric": ["y"]}, "numeric must name attributes of {path}, and column 'y' is not one"),
        (
            {"bins": {"a": 3}, "ignore": ["a*"]},
            "bins must name attributes of {path}, and column 'a' is not one",
        ),
        ({"numeric": ["a"], "nominal": ["a"]}, "numeric cannot name a column that is nominal: 'a'"),
        ({"bins": {"a": 3}, "nominal": ["a"]}, "bins cannot name a column that is nominal: 'a'"),
        ({"bins": {"b": 3}}, "bins must name numeric columns, and the first cells of this one are not numbers: 'b'"),
        (
            {"bins": 3, "numeric": ["b"]},
            "bins need a column with numbers in its first rows: 'b' has none",
        ),
    ],
)
def test_what_this_table_has_not(tmp_path: Path, asked: dict[str, Any], message: str) -> None:
    path = written(tmp_path, b"y,a,b,c\n1,1,x,\n")
    error = read_all(CsvReader(path, ASKED | asked))[1]
    assert isinstance(error, BadParameter)
    assert str(error) == message.format(path=path)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"format": "vw"}, "format must be one of csv, tsv, arff, parquet, arrow: 'vw'"),
        ({"label": 3}, "label must be the name of a column: 3"),
        ({"nominal": "a"}, "nominal must be a list of names of columns: 'a'"),
        ({"numeric": [1]}, "numeric must be a list of names of columns: [1]"),
        ({"nominal": ["a", "a"]}, "nominal must name each column once: 'a', 'a'"),
        ({"bins": 1}, "bins must be >= 2 and <= 1000: 1"),
        ({"bins": {"a": [2, 1]}}, "bins of column 'a' must be a number of bins or a list of ascending cuts: [2, 1]"),
        ({"kinds": {"a": "odd"}}, "kinds must say nominal or numeric of each column: {'a': 'odd'}"),
        ({"kinds": ["a"]}, "kinds must say nominal or numeric of each column: ['a']"),
        ({"columns": ["y", "a"], "kinds": {}}, "columns, kinds, bins, label and weights must fit together"),
        (
            {"columns": ["y", "a"], "kinds": {"a": "nominal"}, "bins": {"a": [1.0]}},
            "columns, kinds, bins, label and weights must fit together",
        ),
        (
            {"columns": ["y", "a"], "kinds": {"a": "numeric"}, "bins": 3},
            "columns, kinds, bins, label and weights must fit together",
        ),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter) as e:
        CsvReader(tmp_path / "none.csv", ASKED | asked)
    assert str(e.value) == message


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2", "07"], "nominal"),
        (["-01", "2", "3"], "nominal"),
        (["0", "0.5", "-0.5"], "numeric"),
        (["10", "100", "0"], "numeric"),
        ([" 007", "12"], "nominal"),
    ],
)
def test_a_leading_zero_makes_codes(tmp_path: Path, cells: list[str], kind: str) -> None:
    assert kinds_of(written(tmp_path, table(cells))) == ({"a": kind}, None)


def test_numbers_that_only_go_up_count(tmp_path: Path) -> None:
    def whole(numbers: list[float]) -> dict[str, str]:
        rows = (f"1,{('x', 'y')[row % 2]},{number}\n" for row, number in enumerate(numbers))
        return kinds_of(written(tmp_path, "".join(["y,stays,a\n", *rows]).encode()))[0]

    up = list(range(3, 103, 2))
    assert whole(up) == {"stays": "nominal"}
    for kept in (up[1:], [*up[:20], *up[19:]], [*up[:-1], 4.5], [*up[1:], 1]):  # few, a tie, half a one, one below
        assert whole(kept) == {"stays": "nominal", "a": "numeric"}, kept


def test_missing_words_may_stand_between_blanks(tmp_path: Path) -> None:
    path = written(tmp_path, table(["1", " Gone ", "2", "gone"]))
    assert kinds_of(path, missing=["gone"]) == ({"a": "numeric"}, None)
    assert kinds_of(path) == ({"a": "nominal"}, None)
    path = written(tmp_path, table(["1", "Ñññ", "2", "30"]))  # as many letters, but more bytes
    assert kinds_of(path, missing=["ñññ"]) == ({"a": "numeric"}, None)


def test_codes_are_said(tmp_path: Path) -> None:
    reader = CsvReader(written(tmp_path, table(["01067", "80331"])), ASKED)
    read_all(reader)
    assert reader.assumed == ["nominal: 'a', codes with leading zeros (--numeric takes numbers)"]


def test_how_many_new_cells_make_ids(tmp_path: Path) -> None:
    def texts(new: int, cells: int) -> bytes:
        """A column with so many different texts, beside one that stays."""
        rows = (f"1,{('x', 'y')[row % 2]},t{min(row, new - 1)}\n" for row in range(cells))
        return "".join(["y,stays,a\n", *rows]).encode()

    kept, left = {"stays": "nominal", "a": "nominal"}, {"stays": "nominal"}
    assert kinds_of(written(tmp_path, texts(49, 49)))[0] == kept
    assert kinds_of(written(tmp_path, texts(50, 50)))[0] == left
    assert kinds_of(written(tmp_path, texts(90, 100)))[0] == kept
    assert kinds_of(written(tmp_path, texts(91, 100)))[0] == left
