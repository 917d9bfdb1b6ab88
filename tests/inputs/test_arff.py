"""ARFF: what its header declares, how its rows are quoted, what is refused with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mistakebound.core.errors import BadData
from mistakebound.io import open_stream
from mistakebound.io.table_file import read_table_file

HEAD = (
    "@relation r\n@attribute 'a b' {x, 'y z', \"q'\"}\n@attribute n INTEGER\n@attribute s string\n@attribute c {0,1}\n"
)


def rows(folder: Path, data: str, head: str = HEAD) -> tuple[list[dict[str, Any]], Any]:
    path = folder / "t.arff"
    path.write_text(head + "@data\n" + data)
    read = read_table_file(path, {"label": "c"})
    assert read.labels is not None
    return [read.table.row(k) for k in range(read.table.rows)], read


def test_quotes_comments_and_missing_cells(tmp_path: Path) -> None:
    data = "x,1,'it\\'s, so',0\n% no row\n\n 'y z' , ? , \"a\\\"b\" , 1\n\"q'\",-2.5,?,0 % behind\n"
    got, read = rows(tmp_path, data)
    assert got == [
        {"a b": "x", "n": 1.0, "s": "it's, so"},
        {"a b": "y z", "n": None, "s": 'a"b'},
        {"a b": "q'", "n": -2.5, "s": None},
    ]
    assert read.table.lines.tolist() == [7, 10, 11]


def test_sparse_rows(tmp_path: Path) -> None:
    got, _ = rows(tmp_path, "{1 3, 2 'u v', 3 1}\n{}\n")
    assert got == [{"a b": "x", "n": 3.0, "s": "u v"}, {"a b": "x", "n": 0.0, "s": None}]


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        ("w,1,s,0\n", 7, "'w' is not a declared value of 'a b'"),
        ("x,1,s,0\nx,one,s,0\n", 8, "'one' in the numeric column 'n'"),
        ("x,1,s\n", 7, "the row has 3 cells, the header has 4"),
        ("x,1,'s,0\n", 7, "a quote is not closed"),
        ("{9 1}\n", 7, "is not a column number below 4"),
        ("{1 1\n", 7, "a sparse row is not closed"),
    ],
)
def test_bad_rows_have_their_lines(data: str, line: int, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=what) as error:
        rows(tmp_path, data)
    assert error.value.line == line


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("@relation r\n", "no attribute is declared"),
        ("@relation r\n@attribute\n", "a name and a type"),
        ("@relation r\n@attribute a colour\n", "the type must be"),
        ("@relation r\n@attribute a {x,y\n", "the list of values is not closed"),
        ("@relation r\nhello\n", "must begin with @relation"),
    ],
)
def test_bad_headers(head: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=what):
        rows(tmp_path, "", head)


def test_rows_that_are_passed_over_have_their_lines(tmp_path: Path) -> None:
    """Undeclared values and broken quotes, also behind cells with line breaks, which take lines of their own in CSV."""
    path = tmp_path / "t.arff"
    data = "x,1,'two\\nlines',0\nw,1,s,0\nx,2,'a\\nb\\nc',1\n\nx,1,'s,0\nx,one,s,1\n{1 1, 1 2}\nx,3,s,1\nw,3,s,1\n"
    path.write_text(HEAD + "@data\n" + data)
    for block in (1, 30, 1 << 16):
        lines = []
        with open_stream(path, {"label": "c"}, on_error="skip", block_bytes=block) as stream:
            for part in stream:
                assert part.lines is not None
                lines += list(part.lines[: part.rows])
            assert lines == [7, 9, 14]
            assert stream.skipped == 5
            assert [line for _, line, _ in stream.skipped_lines] == [8, 11, 12, 13, 15]
            messages = [message for _, _, message in stream.skipped_lines]
        assert messages[0] == messages[-1] == "'w' is not a declared value of 'a b'"
        assert messages[1:4] == [
            "a quote is not closed, or text follows one",
            "'one' in the numeric column 'n' is not a finite decimal number",
            "column 1 appears twice in a sparse row",
        ]


def test_going_on_behind_rows_that_were_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(HEAD + "@data\n" + "x,1,'two\\nlines',0\nw,1,s,0\nx,2,s,1\n" * 40)
    for stop in (1, 2, 5):
        with open_stream(path, {"label": "c"}, on_error="skip", block_bytes=60) as stream:
            blocks = iter(stream)
            rows = sum(next(blocks).rows for _ in range(stop))
            position = stream.position()
        with open_stream(path, {"label": "c"}, on_error="skip") as stream:
            stream.seek(position)
            assert rows + sum(part.rows for part in stream) == 80
            assert stream.skipped == 40  # with those before
            assert {line % 3 for _, line, _ in stream.skipped_lines} == {2}
