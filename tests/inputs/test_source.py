"""Files, standard input and gzip."""

from __future__ import annotations

import csv
import gzip
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.dialect import Dialect
from mistakebound.io.libsvm import LibsvmReader
from mistakebound.io.memory import TextInMemory
from mistakebound.io.rewritten import Rewritten
from mistakebound.io.source import Source
from zstd_module import zstd

TEXT = b"".join(b"%d %d:1 77:0.25\n" % (k % 2, k + 1) for k in range(20_000))


def read(source: Source, size: int = 1000) -> bytes:
    out, buffer = [], bytearray(size)
    while got := source.read_into(memoryview(buffer)):
        out.append(bytes(buffer[:got]))
    source.close()
    return b"".join(out)


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_plain_and_gzip_by_their_first_bytes(tmp_path: Path, size: int) -> None:
    text = TEXT[:5000] if size < 100 else TEXT
    for name, data in [("a.gz", text), ("a.svm", gzip.compress(text)), ("b", gzip.compress(text[:99]) * 2)]:
        (tmp_path / name).write_bytes(data)
    assert read(Source(tmp_path / "a.gz"), size) == text
    assert read(Source(tmp_path / "a.svm"), size) == text
    assert read(Source(tmp_path / "b"), size) == text[:99] * 2


@pytest.mark.parametrize("data", [b"", b"\x1f", b"1"])
def test_very_short_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert read(Source(tmp_path / "x")) == data


def test_gzip_members_empty_padded_and_large(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"") + b"\0\0\0" + gzip.compress(TEXT) + gzip.compress(b"") + b"\0" * 70_000)
    source = Source(path)
    assert read(source) == TEXT
    assert source.position == source.total == path.stat().st_size


def test_position_in_the_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(os.urandom(500_000)))
    source = Source(path)
    assert (source.position, source.total) == (0, path.stat().st_size)
    source.read_into(memoryview(bytearray(10)))
    source.close()
    assert 0 < source.position < path.stat().st_size


def rows_before(path: Path, size: int) -> tuple[int, str]:
    rows = 0
    try:
        for block in LibsvmReader(path, block_bytes=size):
            rows += block.rows
    except BadData as e:
        return rows, str(e)
    raise AssertionError("no error")


@pytest.mark.parametrize("keep", [0.2, 0.9, 0.99999])
def test_a_truncated_gzip_file(tmp_path: Path, keep: float) -> None:
    path = tmp_path / "x.svm.gz"
    whole = gzip.compress(TEXT)
    path.write_bytes(whole[: int(len(whole) * keep)])
    results = {rows_before(path, size) for size in (100, 5000, 1 << 20)}
    assert len(results) == 1
    rows, message = results.pop()
    assert rows > (0 if keep < 0.5 else 10_000)
    assert message.startswith(f"{path}:{rows + 1}: the gzip data stop in the middle, after ")
    assert message.endswith(" bytes: the end of member 1 was expected")


@pytest.mark.parametrize(("where", "words"), [(-6, "incorrect data check"), (-2, "incorrect length check")])
def test_a_damaged_gzip_file(tmp_path: Path, where: int, words: str) -> None:
    path = tmp_path / "x.svm.gz"
    data = bytearray(gzip.compress(TEXT))
    data[where] ^= 0x55
    path.write_bytes(data)
    results = {rows_before(path, size) for size in (100, 5000, 1 << 20)}
    assert len(results) == 1
    rows, message = results.pop()
    assert rows > 5_000
    assert message.startswith(f"{path}:{rows + 1}: the gzip data are damaged before byte {len(data)}: the rest of")
    assert words in message


def test_gzip_data_that_still_unpack_but_to_something_else(tmp_path: Path) -> None:
    path = tmp_path / "x.svm.gz"
    data = bytearray(gzip.compress(TEXT))
    data[-40] ^= 0x55
    path.write_bytes(data)
    results = {rows_before(path, size) for size in (100, 5000, 1 << 20)}
    assert len(results) == 1
    assert results.pop()[1].startswith(f"{path}:199")


def test_something_else_behind_gzip_data(tmp_path: Path) -> None:
    path = tmp_path / "x.svm.gz"
    path.write_bytes(gzip.compress(b"1 1:1\n") + b"tail")
    assert rows_before(path, 100) == (
        1,
        f"{path}:2: something else follows the gzip data, before byte {path.stat().st_size}: "
        "member 2 or the end was expected",
    )


READ_STDIN = """
from mistakebound.io import open_stream
reader = open_stream("-")
rows = sum(block.rows for block in reader)
print(rows, reader.name, *reader.progress())
"""


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT)])
def test_standard_input_through_a_pipe(data: bytes) -> None:
    done = subprocess.run([sys.executable, "-c", READ_STDIN], input=data, capture_output=True, check=True)
    assert done.stdout.decode().split() == ["20000", "<stdin>", str(len(data)), "None"]


def test_standard_input_from_a_file_and_bad_data_on_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1 1:1\noops oops\n")
    with path.open("rb") as file:
        done = subprocess.run([sys.executable, "-c", READ_STDIN], stdin=file, capture_output=True, check=False)
    assert b"<stdin>:2: 'oops' is not attribute:value: 'oops oops'" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX descriptors")
def test_a_descriptor_that_does_not_block(tmp_path: Path) -> None:
    script = "import os, sys; os.set_blocking(0, False)" + READ_STDIN
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    for start in range(0, len(TEXT), 100_000):
        child.stdin.write(TEXT[start : start + 100_000])
        child.stdin.flush()
        time.sleep(0.02)
    out, _ = child.communicate()
    assert out.split()[0] == b"20000"


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(MistakeboundError, match=r"^<stdin>: there is no standard input$"):
        Source("-")


def test_names_that_no_file_has() -> None:
    with pytest.raises(MistakeboundError, match="null"):
        Source("a\0b")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1 1:1\n")
    path.chmod(0)
    with pytest.raises(MistakeboundError, match=r": Permission denied$"):
        Source(path)


def test_zstd_by_its_first_bytes_in_frames(tmp_path: Path) -> None:
    skippable = b"\x5f\x2a\x4d\x18\x03\0\0\0xyz"
    for name, data in [
        ("a.svm", zstd.compress(TEXT)),
        ("b", zstd.compress(TEXT[:1000]) + skippable + zstd.compress(b"") + zstd.compress(TEXT[1000:])),
        ("c", skippable + zstd.compress(TEXT)),
    ]:
        path = tmp_path / name
        path.write_bytes(data)
        for size in (1000, 1 << 20):
            source = Source(path)
            assert read(source, size) == TEXT
            assert source.position == source.total == len(data)


@pytest.mark.parametrize("keep", [0.2, 0.9, 0.99999])
def test_a_truncated_zstd_file(tmp_path: Path, keep: float) -> None:
    path = tmp_path / "x.svm.zst"
    whole = zstd.compress(TEXT)
    path.write_bytes(whole[: int(len(whole) * keep)])
    results = {rows_before(path, size) for size in (100, 5000, 1 << 20)}
    assert len(results) == 1
    rows, message = results.pop()
    assert message.startswith(f"{path}:{rows + 1}: the zstd data stop in the middle, after ")
    assert message.endswith(" bytes: the end of frame 1 was expected")


def test_a_damaged_zstd_file(tmp_path: Path) -> None:
    path = tmp_path / "x.svm.zst"
    data = bytearray(zstd.compress(TEXT, options={zstd.CompressionParameter.checksum_flag: 1}))
    data[-2] ^= 0x55
    path.write_bytes(data)
    results = {rows_before(path, size) for size in (100, 5000, 1 << 20)}
    assert len(results) == 1
    rows, message = results.pop()
    assert message.startswith(
        f"{path}:{rows + 1}: the zstd data are damaged before byte {len(data)}: the rest of frame 1"
    )


def test_something_else_behind_zstd_data(tmp_path: Path) -> None:
    path = tmp_path / "x.svm.zst"
    path.write_bytes(zstd.compress(b"1 1:1\n") + b"tail")
    rows, message = rows_before(path, 100)
    assert rows == 1
    assert message.startswith(f"{path}:2: something else follows the zstd data, before byte ")
    assert message.endswith("frame 2 or the end was expected")


def test_a_zstd_frame_that_asks_for_much_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.svm.zst"
    engine = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    path.write_bytes(engine.compress(TEXT) + engine.flush())
    assert rows_before(path, 100) == (
        0,
        f"{path}:1: the zstd data are damaged before byte {path.stat().st_size}: the rest of frame 1 was expected "
        "(Frame requires too much memory for decoding)",
    )


def test_a_bomb_is_unpacked_a_little_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(zstd.compress(bytes(200 << 20)))
    source = Source(path)
    tracemalloc.start()
    try:
        source.read_into(memoryview(bytearray(10)))
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
        source.close()


def test_zstd_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(zstd.compress(b"1 1:1\n"))
    for name in ("backports", "backports.zstd", "compression", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MistakeboundError, match=r"x\.zst is zstd: that needs the package backports\.zstd$"):
        Source(path)


def test_a_text_that_is_rewritten_ends_in_its_error() -> None:
    data = "né;x\n".encode("cp1252") + b"a;1\nb;2\n" + b"c;" + b"3" * 2000 + b"\nd;4\n"
    limit = csv.field_size_limit(1000)
    try:
        source = Rewritten(TextInMemory(data).open(), Dialect.of({"encoding": "cp1252", "delimiter": ";"}))
        buffer, got = bytearray(3000), b""
        while got.count(b"\n") < 3 and (count := source.read_into(memoryview(buffer))):
            got += buffer[:count]
        for _ in range(2):  # and it stays there
            with pytest.raises(BadData, match="longer than 1,000 characters"):
                source.read_into(memoryview(buffer))
    finally:
        csv.field_size_limit(limit)
    assert got.splitlines()[1:] == [b"a;1", b"b;2"]
