"""Whole tables from files: the same cells for any size of chunks and number of threads, errors with their lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import csv
from mistakebound.io.table_file import read_table_file

TEXT = "y,a,n\n" + "".join(f"{'yes' if k % 3 else 'no'},v{k * k % 11}, {k / 4}\n" for k in range(700))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_pieces_and_threads_do_not_matter(threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    reader = csv.CsvReader
    monkeypatch.setattr(csv, "CsvReader", lambda *a, **k: reader(*a, **k, block_bytes=97))
    read = read_table_file(path, {"label": "y"}, threads=threads)
    assert [read.table.cell(k, 0) for k in range(700)] == [f"v{k * k % 11}" for k in range(700)]
    assert read.table.column("n").data.tolist() == [k / 4 for k in range(700)]
    assert read.labels is not None
    assert [read.labels.values[code] for code in read.labels.codes] == ["yes" if k % 3 else "no" for k in range(700)]
    assert read.table.column("a").values == tuple(dict.fromkeys(f"v{k * k % 11}" for k in range(700)))
    assert read.table.lines is not None
    assert read.table.lines.tolist() == list(range(2, 702))


def test_values_stand_in_the_order_of_first_appearance(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("label,kind\nno,b\nyes,a\nno,c\nno,b\nyes,?\nno,a\n")
    read = read_table_file(path, {"label": "label"})
    assert read.table.column("kind").values == ("b", "a", "c")
    assert read.labels is not None
    assert list(read.labels.values) == ["no", "yes"]


def test_several_files_packed_or_not_are_one_table(tmp_path: Path) -> None:
    one, two = tmp_path / "1.csv", tmp_path / "2.csv.gz"
    one.write_text("y,a\n1,x\n0,?\n")
    two.write_bytes(gzip.compress(b"a,y\nz,1.0\n"))
    read = read_table_file([one, two], {"label": "y"})
    assert [read.table.row(k)["a"] for k in range(3)] == ["x", None, "z"]
    assert read.labels is not None
    assert read.labels.values == (1, 0)
    assert read.labels.codes.tolist() == [0, 1, 0]
    again = read_table_file(one, read.settings | {"remembered": True})
    assert again.table.schema.names == ("a",)


def test_bins_make_names_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,n\n" + "".join(f"1,{k}\n" for k in range(10)) + "1,\n")
    read = read_table_file(path, {"label": "y", "bins": 2})
    column = read.table.column("n")
    assert column.nominal
    assert column.data.tolist() == [0] * 5 + [1] * 5 + [-1]
    assert column.values[0].startswith("n<=")


def test_errors_have_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text, line, what in (
        ("y,a\n1,x\n,y\n", 3, "the row has no label"),
        ("y,n\n1,1\n1,x\n", 3, "'x' in the numeric column 'n'"),
        ("y,a\n1,x,2\n", 2, "the row has 3 cells, the header has 2"),
    ):
        path.write_text(text)
        with pytest.raises(BadData, match=what) as error:
            read_table_file(path, {"label": "y"} | ({"numeric": ["n"]} if "n" in text[:4] else {}))
        assert error.value.line == line


def test_what_has_no_meaning_for_a_whole_table(tmp_path: Path) -> None:
    path = tmp_path / "t.svm"
    path.write_text("1 3:1 4:1\n")
    with pytest.raises(BadParameter, match=r"the learner needs a table .csv, tsv, .*."):
        read_table_file(path)
    with pytest.raises(BadParameter, match="hash is not supported"):
        read_table_file(path, {"hash": 4})
    with pytest.raises(BadParameter, match="at least one file"):
        read_table_file([])


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,a\n")
    read = read_table_file(path, {"label": "y"})
    assert read.table.rows == 0
    assert read.table.names == ("a",)
    assert read.labels is None


def test_watching_sees_the_rows_come(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    seen: list[int] = []
    read_table_file(path, {"label": "y"}, watch=lambda reader, rows: seen.append(rows))
    assert seen[-1] == 700
    assert np.all(np.diff(seen) > 0)
