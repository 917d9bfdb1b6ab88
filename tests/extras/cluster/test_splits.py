"""Ranges of files: together they have the rows of the file, each with its line, wherever the file is cut."""

from __future__ import annotations

import csv
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mistakebound.cluster.splits import cut_files, scan
from mistakebound.core.errors import BadData, BadParameter, FileChanged
from mistakebound.io import open_stream, table_records
from mistakebound.io.ranges import FileRange

Row = tuple[int, int, bytes]


def rows_of(stream: Any) -> list[Row]:
    found: list[Row] = []
    for block in stream:
        for row in range(block.rows):
            label = block.label_tokens[block.tokens[row]]
            found.append((int(block.lines[row]), block.indptr[row + 1] - block.indptr[row], bytes(label)))
    return found


def make(folder: Path, kind: str) -> Path:
    draw = random.Random(kind)
    path = folder / f"rows.{kind}"
    rows = [(draw.choice(["red", 'a "b"', "two\nlines", ""]), draw.randrange(9), draw.choice("ny")) for _ in range(700)]
    if kind == "csv":
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("colour", "size", "label"), *rows])
    elif kind == "parquet":
        names = ("colour", "size", "label")
        columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        pq.write_table(pa.table(columns), path, row_group_size=90)
    elif kind == "jsonl":
        lines = [json.dumps({"colour": c, "size": s, "label": y}) for c, s, y in rows]
        path.write_text("\n".join(lines), encoding="utf-8")  # the last line has no newline
    elif kind == "vw":
        path.write_text("".join(f"{'1' if y == 'y' else '-1'} |a s{s} t:{s}\n\n" for _, s, y in rows))
    elif kind == "text":
        path.write_text("".join(f"{y}\tword{s} and another word\n" for _, s, y in rows))
    else:
        path.write_text("".join(f"{'+1' if y == 'y' else '-1'} {s + 1}:1 20:0.5\n# said\n" for _, s, y in rows))
    return path


@pytest.mark.parametrize("kind", ["svm", "vw", "csv", "jsonl", "parquet", "text"])
@pytest.mark.parametrize("parts", [1, 2, 7, 60])
def test_ranges_have_the_rows_of_the_file(kind: str, parts: int, here: Any, tmp_path: Path) -> None:
    path = make(tmp_path, kind)
    given = {"format": "text"} if kind == "text" else {"format": "auto"}
    with open_stream([str(path)], given) as stream:
        whole, settings = rows_of(stream), stream.settings
    lists = cut_files(here, [str(path)], settings, lambda size: parts)
    counted = [part.with_line() for ranges in lists for part in ranges]
    assert [row for part in counted for row in rows_of(open_stream([part], settings))] == whole
    assert len(lists) <= parts
    assert parts == 1 or len(lists) > 1
    if kind not in ("csv", "parquet"):
        assert len(lists) == parts


def test_files_follow_each_other_in_one_list(here: Any, tmp_path: Path) -> None:
    path = str(make(tmp_path, "svm"))
    lists = cut_files(here, [path, path, path], {"format": "libsvm"}, lambda size: 2)
    sizes = [sum((part.end or 0) - part.start for part in ranges) for ranges in lists]
    assert len(lists) == 2
    assert abs(sizes[0] - sizes[1]) < 100
    assert len(lists[0]) == len(lists[1]) == 2


def test_what_cannot_be_cut_is_one_range(here: Any, tmp_path: Path) -> None:
    plain = make(tmp_path, "svm")
    packed = tmp_path / "rows.svm.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    (whole,) = cut_files(here, [str(packed)], {"format": "libsvm"}, lambda size: 4)
    with open_stream([str(plain)], {"format": "libsvm"}) as stream:
        assert rows_of(open_stream(whole, {"format": "libsvm"})) == rows_of(stream)
    array = tmp_path / "rows.json"
    array.write_text('[{"a": 1, "label": "y"},\n {"a": 2, "label": "n"},\n {"a": 3, "label": "y"}]')
    assert len(cut_files(here, [str(array)], {"format": "jsonl", "label": "label"}, lambda size: 3)) == 1


def test_a_file_that_pyarrow_finds(here: Any, tmp_path: Path) -> None:
    path = make(tmp_path, "svm")
    far, near = (
        [row for ranges in cut_files(here, [name], {"format": "libsvm"}, lambda size: 3) for part in ranges
         for row in rows_of(open_stream([part], {"format": "libsvm"}))]
        for name in (path.as_uri(), str(path))
    )  # fmt: skip
    assert far == near


def test_a_file_that_grew_and_a_pipe(here: Any, tmp_path: Path) -> None:
    path = make(tmp_path, "svm")
    ((part,),) = cut_files(here, [str(path)], {"format": "libsvm"}, lambda size: 1)
    with open(path, "a", encoding="ascii") as file:
        file.write("+1 3:1\n")
    with pytest.raises(FileChanged, match="it had"):
        open_stream([part], {"format": "libsvm"})
    with pytest.raises(BadParameter, match="is a pipe: write it to shared storage"):
        cut_files(
            here, ["/dev/stdin" if Path("/dev/stdin").is_fifo() else "/dev/null"], {"format": "libsvm"}, lambda size: 1
        )


def test_a_range_is_read_in_the_dialect_of_the_file(here: Any, tmp_path: Path) -> None:
    """A row that is no row, far behind the first range, says that quotes are doubled, and not bare."""
    path = tmp_path / "rows.tsv"
    path.write_text("colour\tsize\tlabel\n" + '"a ""b"""\t2\tn\nred\t3\ty\n' * 20 + "red\t3\n")
    given = {"format": "tsv", "label": "label"}
    with open_stream([str(path)], given, on_error="skip") as stream:
        whole, settings = rows_of(stream), stream.settings
    for parts in (2, 9):
        lists = cut_files(here, [str(path)], settings, lambda size, parts=parts: parts)
        found = [row for ranges in lists for row in rows_of(open_stream(ranges, settings, on_error="skip"))]
        assert found == whole
        assert len(lists) == parts


def test_no_boundary_behind_a_row_that_is_too_long_is_certain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_records, "LONGEST_RECORD", 1 << 20)
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "x" * (3 << 20) + "\n1,2\n")
    size = path.stat().st_size
    assert scan(FileRange(str(path), 0, size, size=size), ",")[1]
    path.write_text("a,b\n1,2\n")
    assert scan(FileRange(str(path), 0, 8, size=8), ",") == (2, False)


def test_a_damaged_parquet_file(here: Any, tmp_path: Path) -> None:
    path = make(tmp_path, "parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadData, match=r"rows\.parquet: the file is not Parquet"):
        cut_files(here, [str(path)], {"format": "parquet"}, lambda size: 2)
