"""Parquet and Arrow files: what typed cells mean by the plain twin, texts that are not UTF-8, damaged files."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.tables import rows_of
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.io import open_stream
from mistakebound.io.reader import run
from mistakebound.io.table_file import read_table_file
from naive import typed_table_reader

FORMATS = ("parquet", "arrow", "stream")
TEXTS = st.sampled_from(
    ["", "?", " ?", "a", " a ", "é", "a=b", "x,y", "nan", "1e400", "7", "-2.5", "\n", "\0", "b" * 300]
)
WHOLE = st.integers(-(2**31), 2**31 - 1)
FLOATS = st.sampled_from([0.0, -0.0, 1.0, -3.0, 0.5, -2.25, 123456789.0, float("nan"), float("inf"), float("-inf")])
COLUMNS: dict[str, tuple[Any, Any]] = {
    "int8": (pa.int8(), st.integers(-128, 127)),
    "uint64": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "int64": (pa.int64(), WHOLE),
    "half": (pa.float16(), st.sampled_from([0.0, 1.0, 0.5, -2.0, float("nan"), float("inf")])),
    "float": (pa.float32(), FLOATS),
    "double": (pa.float64(), FLOATS),
    "decimal": (pa.decimal128(10, 2), st.integers(-99999, 99999).map(lambda cents: Decimal(cents) / 100)),
    "string": (pa.string(), TEXTS),
    "large": (pa.large_string(), TEXTS),
    "words": (pa.dictionary(pa.int8(), pa.string()), TEXTS),
    "truth": (pa.bool_(), st.booleans()),
    "nothing": (pa.null(), st.none()),
}
NUMBERS = ("int8", "uint64", "int64", "half", "float", "double", "decimal")


def write(path: Path, table: pa.Table, format: str, rows: int = 7) -> Path:
    if format == "parquet":
        pq.write_table(table, path, row_group_size=rows)
    else:
        new = pa.ipc.new_file if format == "arrow" else pa.ipc.new_stream
        with pa.OSFile(str(path), "wb") as file, new(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)
    return path


def read(path: Path, settings: dict[str, Any], on_error: str, block: int, ok: bool) -> tuple[list[Any], Any, Any]:
    rows: list[Any] = []
    stream = open_stream(path, settings, on_error=on_error, block_bytes=block, unlabelled_ok=ok)
    try:
        run(stream, lambda part: rows.extend(rows_of(part)), 2 if block == 100 else 1)
    except MistakeboundError as error:
        return rows, stream, error
    return rows, stream, None


@st.composite
def tables(draw: st.DrawFn) -> tuple[pa.Table, list[dict[str, Any]]]:
    count = draw(st.integers(0, 12))
    names = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=5, unique=True))
    columns = {}
    for name in names:
        type, values = COLUMNS[name]
        cells = draw(st.lists(st.one_of(values, values, values, st.none()), min_size=count, max_size=count))
        if name == "half":
            cells = [None if cell is None else np.float16(cell) for cell in cells]
        columns[name] = pa.array(cells, type)
    kind = draw(st.sampled_from([pa.int64(), pa.string(), pa.float64(), pa.bool_()]))
    labels = draw(st.lists(st.sampled_from([0, 1, 1, None]), min_size=count, max_size=count))
    columns["y"] = pa.array([None if y is None else str(y) if kind == pa.string() else y for y in labels]).cast(kind)
    table = pa.table(columns)
    return table, [{name: plain(cell) for name, cell in row.items()} for row in table.to_pylist()]


def plain(cell: Any) -> Any:
    return float(cell) if isinstance(cell, np.floating) else cell


@given(
    made=tables(),
    format=st.sampled_from(FORMATS),
    block=st.sampled_from([1, 100, 1 << 20]),
    ok=st.booleans(),
    data=st.data(),
)
def test_typed_cells_are_read_as_the_twin_reads_them(
    tmp_path_factory: pytest.TempPathFactory, made: Any, format: str, block: int, ok: bool, data: st.DataObject
) -> None:
    table, plain_rows = made
    path = write(tmp_path_factory.getbasetemp() / "typed", table, format)
    names = [name for name in table.column_names if name != "y"]
    told = {name: data.draw(st.sampled_from(["", "", "nominal", "numeric"])) for name in names}
    kinds = {name: told[name] or ("numeric" if name in NUMBERS else "nominal") for name in names}
    settings = {"format": "parquet" if format == "parquet" else "arrow", "label": "y"}
    for kind in ("nominal", "numeric"):
        settings[kind] = [name for name in names if told[name] == kind]  # type: ignore[assignment]
    wanted, bad = typed_table_reader.read(plain_rows, kinds, "y", ok)
    rows, stream, error = read(path, settings, "skip", block, ok)
    assert (rows, error) == (wanted, None)
    assert [line for _, line, _ in stream.skipped_lines] == bad
    rows, _, error = read(path, settings, "fail", block, ok)
    assert rows == [row for row in wanted if not bad or row[0] < bad[0]]
    assert (None if error is None else error.line) == (bad[0] if bad else None)


def not_utf8(type: Any) -> Any:
    """Four texts, of which the third is not UTF-8."""
    data = pa.array([b"a", None, b"\xff\xfe", b"b"], pa.large_binary() if type == pa.large_string() else pa.binary())
    texts = pa.Array.from_buffers(type, len(data), data.buffers())
    return texts


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("where", ["c", "y"])
@pytest.mark.parametrize("kind", ["string", "large", "dictionary"])
def test_texts_that_are_not_utf8_are_bad_rows(format: str, where: str, kind: str, tmp_path: Path) -> None:
    texts = not_utf8(pa.large_string() if kind == "large" else pa.string())
    if kind == "dictionary":
        words = pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"\xff\xfe", b"b"]).buffers())
        texts = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 2], pa.int8()), words)
    good = pa.array(["1", "1", "1", "0"])
    columns = {"y": good, "c": texts} if where == "c" else {"y": texts, "c": good}
    path = write(tmp_path / "t", pa.table(columns), format, 3 if kind != "dictionary" else 9)
    settings = {"label": "y", "format": "parquet" if format == "parquet" else "arrow"}
    for block in (1, 1 << 20):
        rows, stream, error = read(path, settings, "skip", block, True)
        if (format, kind) == ("parquet", "dictionary"):  # Arrow itself refuses the column
            assert str(error) == f"{path}: the file cannot be read: Invalid UTF8 payload"
            return
        assert error is None
        assert ([row[0] for row in rows], stream.skipped) == ([1, 2, 4], 1)
        assert stream.skipped_lines == [(str(path), 3, f"the text in column {where!r} is not UTF-8")]
        rows, _, error = read(path, settings, "fail", block, True)
        assert [row[0] for row in rows] == [1, 2]
        assert str(error) == f"{path}:3: the text in column {where!r} is not UTF-8"
    with pytest.raises(BadData, match="is not UTF-8"):
        read_table_file(path, settings, unlabelled_ok=True)


@pytest.mark.parametrize(("count", "seed"), [(60, 1), pytest.param(4_000, 2, marks=pytest.mark.long)])
def test_damaged_files_are_refused_or_mean_something(count: int, seed: int) -> None:
    words = [sys.executable, str(Path(__file__).with_name("arrow_child.py")), str(count), str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_cut_anywhere_is_never_read_as_a_whole_one(format: str, tmp_path: Path) -> None:
    table = pa.table({"y": [k % 2 for k in range(40)], "c": [f"w{k % 7}" for k in range(40)]})
    path = write(tmp_path / "t", table, format, 10)
    data = path.read_bytes()
    settings = {"label": "y", "format": "parquet" if format == "parquet" else "arrow"}
    # A stream of Arrow may end behind any of its batches: the mark at its end may be missing.
    for size in range(0, len(data) - (8 if format == "stream" else 0), max(1, len(data) // 60)):
        path.write_bytes(data[:size])
        rows, _, error = read(path, settings, "skip", 1 << 20, False)
        assert isinstance(error, BadData) or (format == "stream" and len(rows) % 10 == 0 and len(rows) < 40), size


def test_tables_without_columns_or_rows(tmp_path: Path) -> None:
    for format in FORMATS:
        path = write(tmp_path / "t", pa.table({"y": pa.array([], pa.int64()), "c": pa.array([], pa.string())}), format)
        settings = {"label": "y", "format": "parquet" if format == "parquet" else "arrow"}
        assert read(path, settings, "fail", 1 << 20, False)[0::2] == ([], None)
        path = write(tmp_path / "t", pa.table({}), format)
        assert isinstance(read(path, settings, "fail", 1 << 20, False)[2], BadParameter)
        path = write(tmp_path / "t", pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["y", "y"]), format)
        assert read(path, settings, "fail", 1 << 20, False)[2] is None  # the second is called "y (2)"
