"""VW files: the rows of the plain reader for every block size, a clear error for every bad line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inputs.vw_texts import rows_of, texts
from mistakebound import kernels
from mistakebound.core.block import Block
from mistakebound.core.errors import BadData
from mistakebound.io import vw
from mistakebound.io.reader import run
from mistakebound.io.vw import VwReader
from naive.vw_reader import Row, read

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def rows_and_error(reader: VwReader, threads: int = 1) -> tuple[list[Row], BadData | None]:
    rows: list[Row] = []

    def handle(block: Block) -> None:
        rows.extend(rows_of(block))

    try:
        run(reader, handle, threads)
    except BadData as e:
        return rows, e
    return rows, None


@same_file
@given(texts(), st.integers(1, 300), st.booleans())
@example(b"1 |n a b\n1 | n^a n^b\n", 300, False)
@example(b"1 | a b\n1 | c d x:y\n1 | c e d a\n", 300, False)
@example(b"1 | a:2\n1 | b:1\n1 3 | a\n1 | a\n", 300, False)
@example(b"1 | 12345678 1234567 12345678: 123456789 12345678\n", 300, False)
@example(b"1 |" + b"".join(b" %d" % (k * k % 977) for k in range(400)) + b"\n1 | 5 x: 6\n", 5000, False)
@example(
    b"1 | a\n" * 40 + b"\n2 3 | b:2\n1 | a x:y\n3 2 | c c\n" + b"1 | w" + b" d e" * 150 + b"\n1 | a\n", 9000, False
)
@example(b"1 | a\n" + b"1 | w" + b" d e" * 150 + b" x:\n2 2 | a:3\n1 | f\n", 9000, False)
@example(b"1 | a a\n1 | b\n\xff | c c\n1 | d\n", 300, False)
@example(b"1 | a a\n1 | b\xff\n1 | c:3\n", 300, False)
def test_any_block_size_gives_the_plain_rows(tmp_path: Path, text: bytes, size: int, ok: bool) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(text)
    rows, bad = read(text, ok)
    reader = VwReader(path, block_bytes=size, on_error="skip", unlabelled_ok=ok)
    assert rows_and_error(reader) == (rows, None)
    assert reader.skipped == len(bad)
    assert [line for line, _ in reader.skipped_lines] == bad
    got, error = rows_and_error(VwReader(path, block_bytes=size, unlabelled_ok=ok))
    assert got == [row for row in rows if not bad or row[0] < bad[0]]
    assert (error.line if error else None) == (bad[0] if bad else None)


@same_file
@given(texts(), st.integers(1, 200))
def test_threads_agree(tmp_path: Path, text: bytes, size: int) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(text)
    results = []
    for threads in (1, 2, 3):
        reader = VwReader(path, block_bytes=size, on_error="skip")
        results.append((rows_and_error(reader, threads), reader.line, reader.offset))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 a b", "the row has no | before its attributes: '1 a b'"),
        (b"| a", "the row has no label: '| a'"),
        (b"1| a", "the row has no label ('1' touches the |, so that it is a tag): '1| a'"),
        (b"1 | a:", "attribute 'a' has no value: '1 | a:'"),
        (b"1 | a :1", "an attribute has no name: '1 | a :1'"),
        (
            b"1 | a:1e308 a:1e308",
            "the values of a repeated attribute have no finite sum: '1 | a:1e308 a:1e308'",
        ),
        (b"1 | a:much", "the value 'much' of attribute 'a' is not a finite decimal number: '1 | a:much'"),
        (b"1 | a:nan|b", "the value 'nan' of attribute 'a' is not a finite decimal number: '1 | a:nan|b'"),
        (
            b"1 |n:1e200 a:1e200",
            "the value '1e200' of attribute 'a' is not a finite decimal number: '1 |n:1e200 a:1e200'",
        ),
        (b"1 |n:x a", "the scale 'x' of namespace 'n' is not a finite decimal number: '1 |n:x a'"),
        (b"1 |:2 a", "a namespace has a scale and no name: '1 |:2 a'"),
        (b"1 |\xff a", "the namespace '\\\\xff' is not UTF-8: '1 |\\\\xff a'"),
        (b"1 | b \xff", "attribute '\\\\xff' is not UTF-8: '1 | b \\\\xff'"),
        (b"\xff | b", "the label '\\\\xff' is not UTF-8: '\\\\xff | b'"),
        (b"1 0 | a", "the weight '0' is not a finite number above 0: '1 0 | a'"),
        (b"1 x | a", "the weight 'x' is not a finite number above 0: '1 x | a'"),
        (
            b"1 2 3 | a",
            "'3' is one word too many: only label, weight and tag come before the first |: '1 2 3 | a'",
        ),
        (
            b"1:2.0 3:1 | a",
            "'1:2.0' is a label with costs, or one of several labels: "
            "only one plain label per row is supported: '1:2.0 3:1 | a'",
        ),
        (
            b"1,2 | a",
            "'1,2' is a label with costs, or one of several labels: "
            "only one plain label per row is supported: '1,2 | a'",
        ),
        (b"1 | a\x00", "the line has a control character (byte 0x00): '1 | a\\x00'"),
        (b"1 | a\rb", "the line has a control character (byte 0x0d): '1 | a\\rb'"),
        (b"1 \x01| a", "the line has a control character (byte 0x01): '1 \\x01| a'"),
    ],
)
def test_nasty_lines(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "events.vw"
    path.write_bytes(b"1 | a\n\n0 | b\n" + line + b"\n1 | c\n")
    rows, error = rows_and_error(VwReader(path))
    assert str(error) == f"{path}:4: {message}"
    assert [row[0] for row in rows] == [1, 3]
    reader = VwReader(path, on_error="skip")
    assert [row[0] for row in rows_and_error(reader)[0]] == [1, 3, 5]
    assert reader.skipped_lines == [(4, message[: message.rindex(": '")])]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (b"1 |", (b"1", 1.0, [])),
        (b"-1 2.5 'house_7|size:3 b", (b"-1", 2.5, [("size^b", 3.0)])),
        (
            b"spam 'it |f free:2 now|g:0.5 free:3 x",
            (b"spam", 1.0, [("f^free", 2.0), ("f^now", 1.0), ("g^free", 1.5), ("g^x", 0.5)]),
        ),
        (b"0 tag| a:0 b:-1", (b"0", 1.0, [("a", 0.0), ("b", -1.0)])),
        (b"1 | a a", (b"1", 1.0, [("a", 2.0)])),
        (b"1 | a b:2 a:-1 |f a b b |f b:0.5", (b"1", 1.0, [("a", 0.0), ("b", 2.0), ("f^a", 1.0), ("f^b", 2.5)])),
        (b"1 |  x:1e-3 \t y ", (b"1", 1.0, [("x", 1e-3), ("y", 1.0)])),
        (b"1 \xff| a", (b"1", 1.0, [("a", 1.0)])),
    ],
)
def test_lines_of_the_format(tmp_path: Path, line: bytes, row: tuple) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(line + b"\n")
    assert rows_and_error(VwReader(path)) == ([(1, *row)], None)
    assert read(line) == ([(1, *row)], [])


def test_names_of_bad_lines_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(b"1 | a\n1 | new names of a bad row:x\n1 | b a new\n")
    (block,) = VwReader(path, on_error="skip")
    assert block.columns is not None
    assert block.columns.texts() == ["a", "b", "new"]


def test_a_great_many_names_and_labels(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(
        b"".join(
            b"%d | %d %d_long_name:2 |space %d\n" % (k % 6000, k, k * 7 % 9001, k)
            for k in range(12_000 if kernels.compiled() else 2_000)
        )
    )
    wanted = read(path.read_bytes())
    assert wanted[1] == []
    for size in (500, 1 << 20):
        assert rows_and_error(VwReader(path, block_bytes=size)) == (wanted[0], None)


def test_names_that_take_more_room_than_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.vw"
    row = b"1 |" + b"n" * 300 + b" a b c d e f g h i j k l m n o p\n"
    path.write_bytes(b"1 | a\n" + row * 3 + row.replace(b" a", b" z"))
    wanted = read(path.read_bytes())[0]
    for size in (10, 700, 5000):
        assert rows_and_error(VwReader(path, block_bytes=size)) == (wanted, None)
    monkeypatch.setattr(vw, "LONGEST_NAMES", 1000)
    rows, error = rows_and_error(VwReader(path, block_bytes=400))
    assert len(rows) == 1
    assert str(error).startswith(f"{path}:2: the names of the row, each with its namespace, take more than")


def test_a_byte_order_mark_is_no_part_of_the_label(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(b"\xef\xbb\xbf1 | a\r\n2 | a")
    for size in (1, 7, 100):
        assert [row[1] for row in rows_and_error(VwReader(path, block_bytes=size))[0]] == [b"1", b"2"]
