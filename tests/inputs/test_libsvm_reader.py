"""libsvm files: the same rows for every block size, a clear error for every bad line, nothing lost before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inputs.rows import rows_of, texts
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.io import open_stream, source
from mistakebound.io.libsvm import LibsvmReader
from mistakebound.io.rows import KEPT_LINES
from naive.libsvm_reader import Row, read

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def rows_and_error(reader: LibsvmReader) -> tuple[list[Row], BadData | None]:
    rows: list[Row] = []
    try:
        with reader:
            for block in reader:
                rows += rows_of(block)
    except BadData as e:
        return rows, e
    return rows, None


@same_file
@given(texts(), st.integers(1, 300), st.booleans())
def test_any_block_size_gives_the_plain_rows(tmp_path: Path, text: bytes, size: int, ok: bool) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    rows, bad = read(text, ok)
    reader = LibsvmReader(path, block_bytes=size, on_error="skip", unlabelled_ok=ok)
    assert rows_and_error(reader) == (rows, None)
    assert reader.skipped == len(bad)
    assert [line for line, _ in reader.skipped_lines] == bad
    assert reader.offset >= len(text)  # one more when the last line has no newline
    got, error = rows_and_error(LibsvmReader(path, block_bytes=size, unlabelled_ok=ok))
    assert got == [row for row in rows if not bad or row[0] < bad[0]]
    assert (error.line if error else None) == (bad[0] if bad else None)


def test_every_block_size_from_16(tmp_path: Path) -> None:
    text = b"+1 1:1 22:0.5 333:1 # x\r\n\n-1 qid:3 4444:-2\n# no row\nz 55555:1 666666:1 7777777:1e3\n\t+1\n+1 8:1"
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    wanted = read(text)[0]
    assert len(wanted) == 5
    for size in range(16, len(text) + 20):
        assert rows_and_error(LibsvmReader(path, block_bytes=size)) == (wanted, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 x:1", "attribute 'x' is not a number: '1 x:1'"),
        (b"1 -3:1", "attribute '-3' is not a number: '1 -3:1'"),
        (b"1 1.5:1", "attribute '1.5' is not a number: '1 1.5:1'"),
        (b"1 :1", "attribute '' is not a number: '1 :1'"),
        (b"1 7", "'7' is not attribute:value: '1 7'"),
        (b"1 spam#", "'spam' is not attribute:value: '1 spam#'"),
        (b"1 3:", "attribute 3 has no value: '1 3:'"),
        (b"1 3: 1", "attribute 3 has no value: '1 3: 1'"),
        (b"1 3:nan", "the value 'nan' of attribute 3 is not a finite decimal number: '1 3:nan'"),
        (b"1 3:-inf", "the value '-inf' of attribute 3 is not a finite decimal number: '1 3:-inf'"),
        (b"1 3:1e400", "the value '1e400' of attribute 3 is not a finite decimal number: '1 3:1e400'"),
        (b"1 3:0x1p3", "the value '0x1p3' of attribute 3 is not a finite decimal number: '1 3:0x1p3'"),
        (b"1 3:1_0", "the value '1_0' of attribute 3 is not a finite decimal number: '1 3:1_0'"),
        (b"1 3:1:1", "the value '1:1' of attribute 3 is not a finite decimal number: '1 3:1:1'"),
        (b"1 3:1\xff", "the value '1\\\\xff' of attribute 3 is not a finite decimal number: '1 3:1\\\\xff'"),
        (
            b"1 9223372036854775808:1",
            "attribute '9223372036854775808' is above 2^63 - 1: '1 9223372036854775808:1'",
        ),
        (
            b"1 18446744073709551617:1",
            "attribute '18446744073709551617' is above 2^63 - 1: '1 18446744073709551617:1'",
        ),
        (b"1:1 2:1", "the row has no label: '1:1 2:1'"),
        (b"qid:1 2:1", "the row has no label: 'qid:1 2:1'"),
        (b"1 qid:1qid:2", "the query '1qid:2' is not a number: '1 qid:1qid:2'"),
        (b"1 qid:x 2:1", "the query 'x' is not a number: '1 qid:x 2:1'"),
        (b"\xff\xfe 2:1", "the label '\\\\xff\\\\xfe' is not UTF-8: '\\\\xff\\\\xfe 2:1'"),
        (b"\x001 2:1", "the line has a control character (byte 0x00): '\\x001 2:1'"),
        (b"1 2:1\x00", "the line has a control character (byte 0x00): '1 2:1\\x00'"),
        (b"1 2:1\r-1 2:1", "the line has a control character (byte 0x0d): '1 2:1\\r-1 2:1'"),
    ],
)
def test_nasty_lines(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "events.svm"
    path.write_bytes(b"1 1:1\n\n0 2:1\n" + line + b"\n1 3:1\n")
    rows, error = rows_and_error(LibsvmReader(path))
    assert str(error) == f"{path}:4: {message}"
    assert [row[0] for row in rows] == [1, 3]
    reader = LibsvmReader(path, on_error="skip")
    assert [row[0] for row in rows_and_error(reader)[0]] == [1, 3, 5]
    assert reader.skipped_lines == [(4, message[: message.rindex(": '")])]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (b"1", (b"1", [])),
        (b"1#2:1", (b"1", [])),
        (b"  lone\t", (b"lone", [])),
        (b"1 0:1 0:2", (b"1", [(0, 1.0), (0, 2.0)])),
        (b"1 9223372036854775807:1 3:0", (b"1", [(3, 0.0), (2**63 - 1, 1.0)])),
        (b"1 7:2 3:1 7:0", (b"1", [(7, 2.0), (3, 1.0), (7, 0.0)])),
        (b"1 0000000000000000000000000000042:1", (b"1", [(42, 1.0)])),
        (b"caf\xc3\xa9 1:1\r", ("café".encode(), [(1, 1.0)])),
        (b"1 1:1 qid:7 2:1 qid:8", (b"1", [(1, 1.0), (2, 1.0)])),
        (b"1 3:1e-400", (b"1", [(3, 0.0)])),
        (b"1,2 3:+.5e1", (b"1,2", [(3, 5.0)])),
        (b"1 2:1 # \x00\xff\r:", (b"1", [(2, 1.0)])),
    ],
)
def test_odd_lines_with_a_meaning(tmp_path: Path, line: bytes, row: tuple[bytes, object]) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(line)
    assert rows_and_error(LibsvmReader(path)) == ([(1, *row)], None)


def test_long_lines_are_shown_where_the_trouble_is(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1" + b" 1:1" * 1000 + b" oops:1" + b" 2:1" * 1000)
    error = rows_and_error(LibsvmReader(path))[1]
    assert error is not None
    assert error.text is not None
    assert "oops:1" in error.text
    assert len(error.text) <= 80


def test_unlabelled_rows(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1:1 2:1\nyes 3:1\n 4:1\nqid:1 5:1\n")
    rows, error = rows_and_error(LibsvmReader(path, unlabelled_ok=True))
    assert error is None
    assert [row[1] for row in rows] == [None, b"yes", None, None]
    assert [row[2][-1][0] for row in rows] == [2, 3, 4, 5]


@pytest.mark.parametrize("text", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf"])
def test_files_without_rows(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    assert list(LibsvmReader(path)) == []


def test_a_byte_order_mark_is_no_part_of_the_label(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"\xef\xbb\xbf+1 1:1\n\xef\xbb\xbf+1 1:1\n")
    for size in (1, 3, 7, 100):
        rows = rows_and_error(LibsvmReader(path, block_bytes=size))[0]
        assert [row[1] for row in rows] == [b"+1", b"\xef\xbb\xbf+1"]


def test_many_bad_lines_are_counted_and_some_listed(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\nbad line\n" * 250)
    for size in (20, 1000, 1 << 20):
        reader = LibsvmReader(path, block_bytes=size, on_error="skip")
        assert sum(block.rows for block in reader) == 250
        assert reader.skipped == 250
        assert [line for line, _ in reader.skipped_lines] == list(range(2, 2 + 2 * KEPT_LINES, 2))


def test_more_labels_than_anybody_meant(tmp_path: Path) -> None:
    count = 10_000
    path = tmp_path / "x.svm"
    path.write_bytes(b"".join(b"%d.5 1:1\n" % k for k in range(count)))
    labels = [row[1] for row in rows_and_error(LibsvmReader(path))[0]]
    assert labels == [b"%d.5" % k for k in range(count)]


def test_a_line_longer_than_the_block_and_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n2" + b" 5:1" * 2000 + b"\n3 1:1\n")
    rows = rows_and_error(LibsvmReader(path, block_bytes=32))[0]
    assert [len(row[2]) for row in rows] == [1, 2000, 1]
    monkeypatch.setattr(source, "LONGEST_LINE", 4096)
    rows, error = rows_and_error(LibsvmReader(path, block_bytes=32))
    assert len(rows) == 1
    assert str(error) == f"{path}:2: the line is longer than 4096 bytes"


def test_where_the_reader_stands(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    text = b"1 1:1\n# c\n" * 50
    path.write_bytes(text)
    reader = LibsvmReader(path, block_bytes=64)
    assert reader.progress() == (0, len(text))
    places = []
    for _ in reader:
        places.append((reader.offset, reader.line))
        assert text[: reader.offset].count(b"\n") == reader.line
    assert places[-1] == (len(text), 100)
    assert reader.progress() == (len(text), len(text))
    assert reader.settings == {"format": "libsvm"}


def test_parameters_and_files_that_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    with pytest.raises(
        BadParameter, match=r"^format must be one of auto, libsvm, vw, csv, tsv, arff, .*, text: 'xls'$"
    ):
        open_stream(path, {"format": "xls"})
    with pytest.raises(BadParameter, match=r"^on_error must be 'fail' or 'skip': 'stop'$"):
        open_stream(path, on_error="stop")
    with pytest.raises(BadParameter, match=r"^block_bytes must be >= 1: 0$"):
        open_stream(path, block_bytes=0)
    with pytest.raises(MistakeboundError, match=r"x\.svm: No such file or directory$"):
        open_stream(path)
    with pytest.raises(MistakeboundError, match=r": Is a directory$"):
        open_stream(tmp_path)


@pytest.mark.long
def test_a_line_of_fifty_million_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1" + b" 5:1" * 12_500_000 + b"\n2 1:" + b"1" * 50_000_000 + b"\n")
    reader = LibsvmReader(path)
    blocks = iter(reader)
    assert next(blocks).indptr[1] == 12_500_000
    with pytest.raises(BadData, match=r":2: the value '1{37}\.\.\.' of attribute 1 is not a finite"):
        next(blocks)


@pytest.mark.parametrize("size", [1, 40, 1 << 20])
def test_rows_in_any_order_come_in_ascending_order(tmp_path: Path, size: int) -> None:
    """A block of such rows is as good as one that was written so; one with an id twice is not."""
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 9:1 3:1\n1 3:1 9:1\n1 5000000000:1 4:1 2:1\n")
    assert all(block.ascending for block in LibsvmReader(path, block_bytes=size))
    assert not any(block.ascending for block in LibsvmReader(path, {"hash": 8}, block_bytes=1 << 20))
    path.write_bytes(b"1 9:1 3:1\n1 3:1 9:1 3:1\n")
    assert [block.ascending for block in LibsvmReader(path, block_bytes=1 << 20)] == [False]
