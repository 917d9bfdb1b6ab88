"""Hashed names: rows and collisions of the plain version, for every format, block size and number of threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inputs import rows as libsvm_texts
from inputs import vw_texts
from mistakebound import kernels
from mistakebound.core.block import Block
from mistakebound.core.errors import BadParameter
from mistakebound.io import open_stream
from mistakebound.io.reader import run
from naive import libsvm_reader, vw_reader
from naive.hashing import bucket, collisions, hashed_row

pytestmark = pytest.mark.kernel
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def play(path: Path, given: dict[str, Any], threads: int, size: int) -> tuple[list[Any], dict[str, int] | None]:
    found: list[Any] = []
    stream = open_stream(path, given, on_error="skip", block_bytes=size)

    def handle(block: Block) -> None:
        assert block.lines is not None
        assert block.columns is None or "hash" not in given
        for r in range(block.rows):
            span = range(block.indptr[r], block.indptr[r + 1])
            names = [block.keys[k] if block.columns is None else block.columns.name(block.keys[k]) for k in span]
            values = [1.0 if block.values is None else block.values[k] for k in span]
            found.append((block.lines[r], list(zip(names, values, strict=True))))

    run(stream, handle, threads)
    return found, stream.collisions()


def plain(path: Path, *, as_written: bool = True) -> list[tuple[int, list[tuple[str, float]]]]:
    if path.suffix == ".vw":
        return [(row[0], row[3]) for row in vw_reader.read(path.read_bytes())[0]]
    rows = libsvm_reader.read(path.read_bytes(), as_written=as_written)[0]
    return [(row[0], [(str(k), v) for k, v in row[2]]) for row in rows]


def check(path: Path, bits: int, size: int) -> None:
    wanted = plain(path)
    got, counted = play(path, {"hash": bits}, 1, size)
    assert counted == collisions([entries for _, entries in wanted], bits)
    assert len(got) == len(wanted)
    for (line, found), (at, entries) in zip(got, wanted, strict=True):
        assert line == at
        row = hashed_row(entries, bits)
        if row is None:  # then something appears twice, for the attribute table to refuse
            assert len({name for name, _ in found}) < len(found)
        else:
            assert found == [(name, pytest.approx(value, rel=1e-12, abs=1e-300)) for name, value in row]
    for threads in (2, 3):
        assert play(path, {"hash": bits}, threads, size) == (got, counted)


@same_file
@given(libsvm_texts.texts(), st.integers(1, 12), st.integers(1, 300))
def test_libsvm(tmp_path: Path, text: bytes, bits: int, size: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    check(path, bits, size)


@same_file
@given(vw_texts.texts(), st.integers(1, 12), st.integers(1, 300))
def test_vw(tmp_path: Path, text: bytes, bits: int, size: int) -> None:
    path = tmp_path / "x.vw"
    path.write_bytes(text)
    check(path, bits, size)


def test_a_name_has_one_bucket_in_every_format(tmp_path: Path) -> None:
    one, two = tmp_path / "x.svm", tmp_path / "x.vw"
    one.write_bytes(b"1 17:1 9223372036854775807:1 0:1\n")
    two.write_bytes(b"1 | 17 9223372036854775807 0 017 9223372036854775808\n")
    buckets = [bucket(name, 30) for name in ("17", "9223372036854775807", "0", "017", "9223372036854775808")]
    assert [name for name, _ in play(one, {"hash": 30}, 1, 99)[0][0][1]] == buckets[:3]
    assert [name for name, _ in play(two, {"hash": 30}, 1, 99)[0][0][1]] == buckets


def test_many_labels_in_a_chunk_and_many_names(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(
        b"".join(b"%d %d:1 %d:2\n" % (k, k, k * k + 1) for k in range(9000 if kernels.compiled() else 2000))
    )
    check(path, 10, 1 << 20)


@pytest.mark.parametrize("bits", [0, 31, -1, True, 1.0, "8"])
def test_bits_that_cannot_be(tmp_path: Path, bits: Any) -> None:
    with pytest.raises(BadParameter, match=r"^hash must be a number of bits from 1 to 30: "):
        open_stream(tmp_path / "x.svm", {"hash": bits})


def test_without_hashing_nothing_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n")
    stream = open_stream(path)
    assert stream.collisions() is None
    assert stream.settings == {"format": "libsvm"}
    stream.close()
    stream = open_stream(path, {"hash": 8, "ignore": ["2*"]})
    assert stream.settings == {"format": "libsvm", "hash": 8, "ignore": ["2*"]}
    stream.close()
