"""Another table read as the first one was, and a table read on from where the work stopped."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from inputs.tables import read_all, rows_of, written
from mistakebound.core.errors import BadData
from mistakebound.io import open_stream
from mistakebound.io.csv import CsvReader
from mistakebound.io.reader import run
from naive.table_reader import Row

ASKED = {"format": "csv", "label": "y", "weights": "w", "bins": {"b": 2}}
FIRST = b"y,a,b,c,w\n1,x,1,5,1\n0,y,2,6,2\n1,,3,,.5\n"


@pytest.fixture
def remembered(tmp_path: Path) -> dict[str, Any]:
    reader = CsvReader(written(tmp_path, FIRST, "first.csv"), ASKED)
    assert read_all(reader)[1] is None
    found: dict[str, Any] = json.loads(json.dumps(reader.settings))
    assert found == reader.settings
    return found


def test_the_order_of_columns_is_free(tmp_path: Path, remembered: dict[str, Any]) -> None:
    rows = read_all(CsvReader(tmp_path / "first.csv", ASKED))[0]
    assert rows[0] == (2, b"1", 1.0, {"a=x": 1.0, "b<=2": 1.0, "c": 5.0})
    path = written(tmp_path, b"w,c,b,a,y\n1,5,1,x,1\n2,6,2,y,0\n.5,,3,,1\n")
    again = read_all(CsvReader(path, remembered))[0]
    assert again == rows
    assert [list(row[3]) for row in again] == [list(row[3]) for row in rows]


def test_kinds_and_cuts_are_not_decided_again(tmp_path: Path, remembered: dict[str, Any]) -> None:
    path = written(tmp_path, b"y,a,b,c,w\n1,7,100,1,1\n0,8,200,2,1\n")
    reader = CsvReader(path, remembered)
    assert [row[3] for row in read_all(reader)[0]] == [
        {"a=7": 1.0, "b>2": 1.0, "c": 1.0},
        {"a=8": 1.0, "b>2": 1.0, "c": 2.0},
    ]
    assert reader.settings == remembered
    path = written(tmp_path, b"y,a,b,c,w\n1,7,low,1,1\n")
    error = read_all(CsvReader(path, remembered))[1]
    assert str(error) == f"{path}:2: 'low' in the numeric column 'b' is not a finite decimal number: '1,7,low,1,1'"


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"y,a,b,w", ["columns missing from {path}, taken as empty: 'c'"]),
        (b"y,a,b,c,w,d,e", ["columns that the model does not know, ignored: 'd', 'e'"]),
        (
            b"y,A,b,c,w",
            [
                "columns missing from {path}, taken as empty: 'a'",
                "columns that the model does not know, ignored: 'A'",
            ],
        ),
    ],
)
def test_other_columns_are_said(tmp_path: Path, remembered: dict[str, Any], header: bytes, said: list[str]) -> None:
    cells = {b"y": b"1", b"a": b"x", b"w": b"2"}
    row = b",".join(cells.get(name, b"1") for name in header.split(b","))
    path = written(tmp_path, header + b"\n" + row)
    reader = CsvReader(path, remembered)
    rows, error = read_all(reader)
    assert error is None
    assert len(rows) == 1
    assert reader.assumed == [line.format(path=path) for line in said]
    absent = "c" if b"c" not in header else "a" if b"a" not in header else None
    assert {name[:1] for name in rows[0][3]} == {"a", "b", "c"} - {absent}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"a,b,c,w", "it lacks 'y' and has 'a', 'b', 'c', 'w'"),
        (b"y,a,b,c", "it lacks 'w' and has 'y', 'a', 'b', 'c'"),
        (b"y,w,d", "it lacks 'a', 'b', 'c' and has 'y', 'w', 'd'"),
        (b"1,2,3,4,5", "it lacks 'y', 'w' and has '1', '2', '3', '4', '5'; the first line must be the header"),
    ],
)
def test_other_columns_are_refused(tmp_path: Path, remembered: dict[str, Any], header: bytes, message: str) -> None:
    path = written(tmp_path, header + b"\n")
    error = read_all(CsvReader(path, remembered))[1]
    assert isinstance(error, BadData)
    assert str(error) == f"{path}:1: the table has other columns than expected: {message}"


def test_rows_to_be_labelled_need_no_label_and_no_weight(tmp_path: Path, remembered: dict[str, Any]) -> None:
    path = written(tmp_path, b"a,b,c\nx,1,5\n")
    assert read_all(CsvReader(path, remembered, unlabelled_ok=True))[0] == [
        (2, None, 1.0, {"a=x": 1.0, "b<=2": 1.0, "c": 5.0})
    ]
    path = written(tmp_path, b"y,a,b,c\n0,x,1,5\n?,x,1,5\n")
    assert [row[1] for row in read_all(CsvReader(path, remembered, unlabelled_ok=True))[0]] == [b"0", None]


def test_columns_that_are_ignored_may_come_and_go(tmp_path: Path) -> None:
    path = written(tmp_path, b"id,y,a,user 1\nq,1,x,x\n2,0,y,x\n")
    reader = CsvReader(path, {"format": "csv", "label": "y", "ignore": ["id", "user*"]})
    assert [row[3] for row in read_all(reader)[0]] == [{"a=x": 1.0}, {"a=y": 1.0}]
    assert reader.settings["columns"] == ["y", "a"]
    path = written(tmp_path, b"y,a,user 2\n1,x,\n")
    assert [row[3] for row in read_all(CsvReader(path, reader.settings))[0]] == [{"a=x": 1.0}]


TEXT = b'y,a,b\n\n1,x,1\n0,"y\n,",2\n1,,3\n0\n\n0,z,4\n1,x,5\n0,"""",6\n0,"p\nq",6\n1,x,7'


def rows_and_places(stream: Any) -> list[tuple[dict[str, Any], list[Row]]]:
    found: list[tuple[dict[str, Any], list[Row]]] = []
    run(stream, lambda block: found.append((json.loads(json.dumps(stream.position())), rows_of(block))))
    return found


@pytest.mark.some(6)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("size", [1, 20, 40, 1000])
def test_going_on_from_any_block(tmp_path: Path, packed: bool, known: bool, size: int) -> None:
    path = written(tmp_path, gzip.compress(TEXT) if packed else TEXT)
    asked: dict[str, Any] = {"format": "csv", "label": "y"}
    first = open_stream(path, asked, on_error="skip", block_bytes=size)
    places = rows_and_places(first)
    rows = [row for _, part in places for row in part]
    assert [row[0] for row in rows] == [3, 4, 6, 9, 10, 11, 12, 14]
    done = 0
    for place, part in places:
        done += len(part)
        for other in (1, 17, 30, 1000):
            again = open_stream(path, first.settings if known else asked, on_error="skip", block_bytes=other)
            again.seek(place)
            assert [row for _, part in rows_and_places(again) for row in part] == rows[done:]
            assert (again.line, again.offset) == (first.line, first.offset)
            assert again.settings["kinds"] == {"a": "nominal", "b": "numeric"}
            assert again.skipped == first.skipped


def test_going_on_before_the_first_row_and_behind_the_end(tmp_path: Path) -> None:
    path = written(tmp_path, b"y,a\n1,x\n")
    asked: dict[str, Any] = {"format": "csv", "label": "y"}
    reader = CsvReader(path, asked)
    reader.seek(reader.position())
    assert len(read_all(reader)[0]) == 1
    for packed in (False, True):
        path.write_bytes(gzip.compress(b"y,a\n1,x\n") if packed else b"y,a\n1,x\n")
        for size in (1, 1000):
            reader = CsvReader(path, asked, block_bytes=size)
            reader.seek({"line": 2, "offset": 8})
            assert read_all(reader) == ([], None)
            assert reader.position() == {"line": 2, "offset": 8}
            reader = CsvReader(path, asked, block_bytes=size)
            reader.seek({"line": 9, "offset": 99})
            assert "the text ends before byte 99" in str(read_all(reader)[1])


def test_several_files_are_one_table(tmp_path: Path) -> None:
    one = written(tmp_path, b"y,a,b\n1,x,1\n", "one.csv")
    two = written(tmp_path, b"\xef\xbb\xbfb,y,a\r\n2,0,7\r\n", "two.csv")
    stream = open_stream([one, two], {"label": "y"})
    rows = [row for _, part in rows_and_places(stream) for row in part]
    assert rows == [(2, b"1", 1.0, {"a=x": 1.0, "b": 1.0}), (2, b"0", 1.0, {"a=7": 1.0, "b": 2.0})]
    three = written(tmp_path, b"y,c\n1,x\n", "three.csv")
    for threads in (1, 2, 3):
        seen: list[int] = []
        with pytest.raises(BadData) as e:
            run(open_stream([one, three], {"label": "y"}), lambda block, seen=seen: seen.append(block.rows), threads)
        assert (
            str(e.value) == f"{three}:1: the table has other columns than expected: it lacks 'a', 'b' and has 'y', 'c'"
        )
        assert seen == [1]
