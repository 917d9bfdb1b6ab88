"""Tables: the same rows for every block size and number of threads, a clear error for every bad row."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from inputs.tables import read_all, settings_of, texts, written
from mistakebound.core.errors import BadData
from mistakebound.io import table_window
from mistakebound.io.csv import CsvReader
from mistakebound.io.source import Chunk
from mistakebound.io.table_records import RecordCutter
from mistakebound.io.table_settings import DELIMITERS
from naive import table_reader

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
FORMATS = {"csv": ",", "tsv": "\t"}


@pytest.fixture
def small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that small tables go beyond what their columns are decided by."""
    monkeypatch.setattr(table_window, "CELLS", 3)
    monkeypatch.setattr(table_window, "MOST_ROWS", 6)
    monkeypatch.setattr(table_window, "MOST_BYTES", 80)


@pytest.mark.usefixtures("small_window")
@same_file
@given(st.data(), st.integers(1, 200), st.integers(1, 3), st.booleans())
def test_any_block_size_and_threads_give_the_plain_rows(
    tmp_path: Path, data: st.DataObject, size: int, threads: int, ok: bool
) -> None:
    format = data.draw(st.sampled_from(["csv", "tsv"]))
    asked = settings_of(data.draw, format)
    text = data.draw(texts(("a", "b", "c", "d"), FORMATS[format]))
    try:
        table = table_reader.read(text, asked, ok, 3, 6, 80)
    except ValueError:  # bins for a column that has no number to begin with
        assume(False)
    path, asked = written(tmp_path, text), asked | {"delimiter": DELIMITERS[format], "no_header": False}
    reader = CsvReader(path, asked, block_bytes=size, unlabelled_ok=ok, on_error="skip")
    rows, error = read_all(reader, threads)
    assert error is None
    assert rows == table.rows
    assert reader.settings["kinds"] == table.kinds
    assert (reader.settings.get("bins") or {}) == table.bins
    assert [line for line, _ in reader.skipped_lines] == table.bad
    assert reader.skipped == len(table.bad)
    assert reader.offset in (len(text), len(text) + 1)  # one more when the last line has no newline
    # The same with the settings that were found, and up to the first error.
    rows, error = read_all(CsvReader(path, reader.settings, block_bytes=size, unlabelled_ok=ok), threads)
    first = table.bad[0] if table.bad else len(text) + 2
    assert rows == [row for row in table.rows if row[0] < first]
    assert (error.line if isinstance(error, BadData) else None) == (table.bad[0] if table.bad else None)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"1,2", "the row has 2 cells, the header has 3: '1,2'"),
        (b"7", "the row has 1 cell, the header has 3: '7'"),
        (b"1,2,3,", "the row has 4 cells, the header has 3: '1,2,3,'"),
        (b"1\x00,2,3", "the row has a NUL (byte 0x00): '1\\x00,2,3'"),
        (b"1,2,3\r4,5,6", "the row has a carriage return without a newline: '1,2,3\\r4,5,6'"),
        (b'1,"2"2,3', "text follows a closing quote: '1,\"2\"2,3'"),
        (b"\x00,\xff,3", "the row has a NUL (byte 0x00): '\\x00,\\\\xff,3'"),
        (b"1,\xff", "the row is not UTF-8: '1,\\\\xff'"),
        (b"1,\xff,3", "the row is not UTF-8: '1,\\\\xff,3'"),
        (b",2,3", "the row has no label: ',2,3'"),
        (b'"?",2,3', "the row has no label: '\"?\",2,3'"),
        (b"1,x,3", "'x' in the numeric column 'age' is not a finite decimal number: '1,x,3'"),
        (b"1,inf,3", "'inf' in the numeric column 'age' is not a finite decimal number: '1,inf,3'"),
        (b"1,1e999,3", "'1e999' in the numeric column 'age' is not a finite decimal number: '1,1e999,3'"),
        (b"1,1 2,3", "'1 2' in the numeric column 'age' is not a finite decimal number: '1,1 2,3'"),
        (b"1,2,0", "the weight '0' is not a finite decimal number > 0: '1,2,0'"),
        (b"1,2,-1", "the weight '-1' is not a finite decimal number > 0: '1,2,-1'"),
        (b"1,2,", "the weight '' is not a finite decimal number > 0: '1,2,'"),
        (b"1,2,inf", "the weight 'inf' is not a finite decimal number > 0: '1,2,inf'"),
        (
            b"1," + b"9" * 60 + b"x,1",
            f"'{'9' * 37}...' in the numeric column 'age' is not a finite decimal number: '1,{'9' * 60}x,1'",
        ),
    ],
)
def test_nasty_rows(tmp_path: Path, row: bytes, message: str) -> None:
    path = written(tmp_path, b'class,age,w\n1,"2",1\n\n0,3,"\n2"\n' + row + b"\n1,4,1\n")
    asked = {"format": "csv", "label": "class", "weights": "w", "numeric": ["age"]}
    rows, error = read_all(CsvReader(path, asked))
    assert str(error) == f"{path}:4: the weight '\\n2' is not a finite decimal number > 0: '0,3,\"'"
    assert [row[0] for row in rows] == [2]
    path = written(tmp_path, b'class,age,w\n1,"2",1\n\n0,3,"2"\n' + row + b"\n1,4,1\n")
    reader = CsvReader(path, asked)
    rows, error = read_all(reader)
    assert str(error) == f"{path}:5: {message}"
    assert [row[0] for row in rows] == [2, 4]
    assert reader.position() == {"line": 4, "offset": path.read_bytes().index(row)}
    reader = CsvReader(path, asked, on_error="skip")
    assert [row[0] for row in read_all(reader)[0]] == [2, 4, 6]
    assert reader.skipped_lines == [(5, message[: message.rindex(": '")])]


def test_a_quote_that_is_never_closed(tmp_path: Path) -> None:
    path = written(tmp_path, b'y,a\n1,x\n0,"x\n1,x\n' * 1)
    for size in (1, 8, 100):
        rows, error = read_all(CsvReader(path, {"format": "csv", "label": "y"}, block_bytes=size))
        assert len(rows) == 1
        assert str(error) == f"{path}:3: a quote is not closed: '0,\"x'"


def test_a_row_longer_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mistakebound.io.table_records.LONGEST_RECORD", 4096)
    asked = {"format": "csv", "label": "y"}
    path = written(tmp_path, b"y,a\n1," + b"x" * 4000 + b"\n0,x\n")
    assert len(read_all(CsvReader(path, asked, block_bytes=64))[0]) == 2
    path = written(tmp_path, b"y,a\n1,x\n0," + b"x" * 5000 + b"\n0,x\n")
    rows, error = read_all(CsvReader(path, asked, block_bytes=64))
    assert str(error) == f"{path}:3: the row is longer than 4096 bytes"
    assert len(rows) == 1
    path = written(tmp_path, b'y,a\n1,x\n0,"' + b"x\n" * 5000)
    error = read_all(CsvReader(path, asked, block_bytes=64))[1]
    assert str(error) == f"{path}:3: the row is longer than 4096 bytes: is a quote not closed?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", ":1: the file is empty"),
        (b"\n\r\n", ":3: there is no header line"),
        (b"\xef\xbb\xbf", ":2: there is no header line"),
        (b"y,\xff\n1,2\n", ":1: the header is not UTF-8; convert it (iconv -f ENCODING -t UTF-8)"),
        (b"y,\x00\n1,2\n", ":1: the header has a NUL (byte 0x00)"),
        (b'y,"a\n1,2\n', ":1: a quote is not closed"),
        (b"y\ra\n", ":1: the header has a carriage return without a newline"),
        (b"y,a,a=b\n1,x,x\n", ":1: columns 'a' and 'a=b' could make the same attribute"),
        (b"y,a=b,a\n1,x,x\n", ":1: columns 'a' and 'a=b' could make the same attribute"),
        (b"y,a=,a\n1,1,x\n", ":1: columns 'a=' and 'a' could make the same attribute"),
    ],
)
def test_headers_that_cannot_be(tmp_path: Path, text: bytes, message: str) -> None:
    path = written(tmp_path, text)
    for size in (1, 100):
        for threads in (1, 2):
            rows, error = read_all(CsvReader(path, {"format": "csv", "label": "y"}, block_bytes=size), threads)
            assert rows == []
            assert str(error) == f"{path}{message}"


@pytest.mark.parametrize("text", [b"", b"y,a,a=b\n1,x,x\n" * 9, b"a,b\n1,2\n"])
def test_nothing_is_read_behind_a_header_that_cannot_be(tmp_path: Path, text: bytes) -> None:
    """Whoever reads on before the failure is said, as another thread does, finds the end."""
    reader = CsvReader(written(tmp_path, text), {"format": "csv", "label": "y"}, block_bytes=8)
    first, second = reader.chunk(), reader.chunk()
    assert reader.fill(first)
    assert first.failure is not None
    assert not reader.fill(second)
    assert second.failure is None
    assert not reader.fill(first)


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    for text in (b"y,a", b"y,a\n", b"\xef\xbb\xbfy,a\r\n\r\n"):
        reader = CsvReader(written(tmp_path, text), {"format": "csv", "label": "y"})
        assert read_all(reader) == ([], None)
        assert reader.settings["kinds"] == {"a": "nominal"}


def test_labels_alone(tmp_path: Path) -> None:
    path = written(tmp_path, b'y\n1\n\n""\n0\n')
    reader = CsvReader(path, {"format": "csv", "label": "y"}, on_error="skip")
    assert read_all(reader) == ([(2, b"1", 1.0, {}), (5, b"0", 1.0, {})], None)
    assert reader.skipped_lines == [(4, "the row has no label")]


def test_cells_are_read_as_text(tmp_path: Path) -> None:
    text = 'y,a,b\n1,NA, x \n0,null,"x"\n1,true,\ufeffx\n0,?,\n1,\'x\',\'x\'\n0,a,"x""y"\n'.encode()
    for size in (1, 20, 1000):
        rows, error = read_all(CsvReader(written(tmp_path, text), {"format": "csv", "label": "y"}, block_bytes=size))
        assert error is None
        assert [list(row[3]) for row in rows] == [
            ["b=x"],
            ["b=x"],
            ["a=true", "b=\ufeffx"],
            [],
            ["a='x'", "b='x'"],
            ["a=a", 'b=x"y'],
        ]


def test_a_chunk_that_was_kept_is_filled_again(tmp_path: Path) -> None:
    """The rest of the first chunk, behind the header, is short; later rows are not."""
    header = b"y," + b"a" * 150
    path = written(tmp_path, header + b"\n1,b\n" + b"".join(b"0,%0300d\n" % k for k in range(50)))
    rows, error = read_all(CsvReader(path, {"format": "csv", "label": "y", "nominal": ["a" * 150]}, block_bytes=200))
    assert error is None
    assert len(rows) == 51


def test_every_block_size_of_a_difficult_text(tmp_path: Path) -> None:
    text = '\ufeff"a\nb",y\n\ufeffx,1\nab"c,0\r\n"\r\n,""",1\n\n\ufeff"",0\n"\ufeff",1'.encode()
    path = written(tmp_path, text)
    wanted = [(3, "\ufeffx"), (4, 'ab"c'), (5, '\r\n,"'), (8, '\ufeff""'), (9, "\ufeff")]
    for size in range(1, len(text) + 5):
        rows, error = read_all(CsvReader(path, {"format": "csv", "label": "y"}, block_bytes=size))
        assert error is None
        assert [(row[0], *row[3]) for row in rows] == [(line, f"a\nb={cell}") for line, cell in wanted]


def test_pieces_are_no_longer_than_need_be(tmp_path: Path) -> None:
    path = written(tmp_path, b'a"b,y\n' + b'xy"z,1\n"p\nq",""\n' * 200)
    for size in range(1, 60):
        cutter, chunk = RecordCutter(path, size, ","), Chunk(size)
        chunks = []
        while cutter.fill(chunk):
            chunks.append(bytes(chunk.text[: chunk.end]))
        assert b"".join(chunks) == path.read_bytes()
        assert all(part.endswith((b"y\n", b"1\n", b'""\n')) for part in chunks)
        assert max(map(len, chunks)) <= max(size, 16)


def test_weights_stay_beside_their_rows(tmp_path: Path) -> None:
    path = written(tmp_path, b"y,w\n1,1\n0,0\n1,2.5\n1\n0,3\n")
    for size in (1, 100):
        reader = CsvReader(path, {"format": "csv", "label": "y", "weights": "w"}, block_bytes=size, on_error="skip")
        assert read_all(reader)[0] == [(2, b"1", 1.0, {}), (4, b"1", 2.5, {}), (6, b"0", 3.0, {})]


def test_many_bad_rows_are_counted_and_some_listed(tmp_path: Path) -> None:
    path = written(tmp_path, b"y,a\n" + b"1,1\n1\n0,x\n" * 250)
    for size in (20, 1000, 1 << 20):
        reader = CsvReader(path, {"format": "csv", "label": "y", "numeric": ["a"]}, block_bytes=size, on_error="skip")
        assert len(read_all(reader)[0]) == 250
        assert reader.skipped == 500
        assert [line for line, _ in reader.skipped_lines] == [k for k in range(2, 152) if k % 3 != 2]


@pytest.mark.long
def test_a_cell_of_fifty_million_bytes(tmp_path: Path) -> None:
    path = written(tmp_path, b"y,a\n1," + b"x" * 50_000_000 + b'\n0,"' + b"9\n" * 25_000_000 + b'"\n1,2\n')
    rows, error = read_all(CsvReader(path, {"format": "csv", "label": "y"}))
    assert error is None
    assert [len(next(iter(row[3]))) for row in rows] == [50_000_002, 50_000_002, 3]


def test_a_quoted_cell_of_any_length_is_looked_at(tmp_path: Path) -> None:
    """Longer than the limit of the standard library's own reader, which is left as it is for whoever else uses it."""
    before, long = csv.field_size_limit(), "x" * 200_000
    path = written(tmp_path, f'a,y\n"{long}",1\n"b, ""c""",0\n'.encode())
    reader = CsvReader(path, {"format": "csv", "label": "y"})
    rows, error = read_all(reader)
    assert error is None
    assert [row[3] for row in rows] == [{f"a={long}": 1.0}, {'a=b, "c"': 1.0}]
    assert csv.field_size_limit() == before
