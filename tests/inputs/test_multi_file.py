"""Several files as one stream, and going on from any place in it."""

from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mistakebound as mb
from inputs import rows, vw_texts
from mistakebound.core.block import Block
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.core.ledger import Ledger
from mistakebound.io import open_stream
from mistakebound.io.reader import run
from mistakebound.model.trainer import learn_stream
from naive import libsvm_reader, vw_reader
from naive.hashing import bucket
from zstd_module import zstd

TEXTS = [
    b"\xef\xbb\xbf1 1:1\r\n-1 2:1",
    b"",
    b"# no row\n",
    b"\xef\xbb\xbf1 3:1 4:0.5\n\n-1 1:1\n" * 1,
    b"1 9:1\n" * 40,
]
same_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def write(folder: Path, texts: list[bytes], ending: str = "svm") -> list[Path]:
    paths = []
    for k, text in enumerate(texts):
        paths.append(folder / f"{k}.{ending}{('', '.gz', '.zst')[k % 3]}")
        paths[-1].write_bytes((bytes, gzip.compress, zstd.compress)[k % 3](text))
    return paths


def play(paths: list[Path], threads: int = 1, size: int = 1 << 20, start: dict[str, Any] | None = None, **options: Any):
    """All rows with their files, the error, and the position and number of rows behind every block."""
    found: list[tuple[str, Any]] = []
    places: list[tuple[dict[str, Any], int]] = []
    stream = open_stream(paths, block_bytes=size, **options)
    if start is not None:
        stream.seek(json.loads(json.dumps(start)))
    plain = rows.rows_of if stream.settings["format"] == "libsvm" else vw_texts.rows_of

    def handle(block: Block) -> None:
        assert stream.name == block.source
        found.extend((block.source, row) for row in plain(block))
        places.append((stream.position(), len(found)))

    try:
        run(stream, handle, threads)
    except MistakeboundError as e:
        return found, str(e), places, stream
    return found, None, places, stream


def wanted(paths: list[Path], texts: list[bytes], read: Any = libsvm_reader.read) -> list[tuple[str, Any]]:
    return [(str(path), row) for path, text in zip(paths, texts, strict=True) for row in read(text)[0]]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 16, 1 << 20])
def test_each_file_has_its_own_start_lines_and_end(tmp_path: Path, threads: int, size: int) -> None:
    paths = write(tmp_path, TEXTS)
    found, error, _, stream = play(paths, threads, size)
    assert (found, error) == (wanted(paths, TEXTS), None)
    assert stream.rows == len(found) == 44
    total = sum(path.stat().st_size for path in paths)
    assert stream.progress() == (total, total)
    assert stream.settings == {"format": "libsvm"}


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_error_in_the_second_file(tmp_path: Path, threads: int) -> None:
    paths = write(tmp_path, [b"1 1:1\n" * 30, b"1 1:1\n\n1 x:1\n1 1:1\n", b"1 1:1\n"])
    found, error, _, _ = play(paths, threads, 50)
    assert len(found) == 31
    assert error == f"{paths[1]}:3: attribute 'x' is not a number: '1 x:1'"
    found, error, _, stream = play(paths, threads, 50, on_error="skip")
    assert (len(found), error, stream.skipped) == (33, None, 1)
    assert stream.skipped_lines == [(str(paths[1]), 3, "attribute 'x' is not a number")]
    assert stream.skipped_before(None) == (1, stream.skipped_lines)


def test_bad_lines_before_a_line_of_the_file_in_hand(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 x:1\n1 1:1\n1 y:1\n")
    stream = open_stream([path, path], on_error="skip")
    assert sum(block.rows for block in stream) == 2
    assert stream.skipped_before(2)[0] == 3
    assert stream.skipped_before(None)[0] == 4


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_damaged_second_file(tmp_path: Path, threads: int) -> None:
    paths = write(tmp_path, [b"1 1:1\n" * 30, b"", b"1 1:1\n" * 20])
    paths[2].write_bytes(paths[2].read_bytes()[:-6])
    found, error, _, _ = play(paths, threads, 50)
    assert error is not None
    assert len(found) >= 30
    assert error.startswith(f"{paths[2]}:{len(found) - 29}: the zstd data stop in the middle, after ")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_of_another_format_among_them(tmp_path: Path, threads: int) -> None:
    paths = [tmp_path / "a.svm", tmp_path / "b.vw", tmp_path / "c"]
    for path, text in zip(paths, (b"1 1:1\n", b"1 | a\n", b"1 | a\n"), strict=True):
        path.write_bytes(text)
    found, error, _, _ = play(paths, threads)
    assert (len(found), error) == (1, f"{paths[1]}: the name says vw, but the model was learned from libsvm")
    found, error, _, _ = play([paths[0], paths[2]], threads)
    assert (len(found), error) == (1, f"{paths[2]}: the first line says vw, but the model was learned from libsvm")


def test_files_that_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 1:1\n")
    with pytest.raises(MistakeboundError, match=r"y\.svm: No such file or directory$"):
        open_stream([path, tmp_path / "y.svm"])
    with pytest.raises(BadParameter, match=r"^a stream needs at least one file$"):
        open_stream([])
    with pytest.raises(BadParameter, match=r"^standard input \(-\) can be read only once$"):
        open_stream(["-", path, "-"])


def test_a_file_that_is_gone_when_its_turn_comes(tmp_path: Path) -> None:
    paths = write(tmp_path, [b"1 1:1\n", b"1 1:1\n"])
    stream = open_stream(paths)
    paths[1].unlink()
    blocks = iter(stream)
    assert next(blocks).rows == 1
    with pytest.raises(MistakeboundError, match="No such file"):
        next(blocks)


@same_file
@given(st.lists(rows.texts(), min_size=1, max_size=3), st.integers(1, 100), st.integers(1, 100))
def test_going_on_from_every_position(tmp_path: Path, texts: list[bytes], size: int, other: int) -> None:
    paths = write(tmp_path, texts)
    _go_on_everywhere(paths, size, other, wanted(paths, texts))


@same_file
@given(st.lists(vw_texts.texts(), min_size=1, max_size=3), st.integers(1, 100), st.integers(1, 100))
def test_going_on_in_vw(tmp_path: Path, texts: list[bytes], size: int, other: int) -> None:
    paths = write(tmp_path, texts, "vw")
    _go_on_everywhere(paths, size, other, wanted(paths, texts, vw_reader.read))


def _go_on_everywhere(paths: list[Path], size: int, other: int, whole: list[tuple[str, Any]]) -> None:
    found, error, places, stream = play(paths, 1, size, on_error="skip")
    assert (found, error) == (whole, None)
    for place, count in places:
        rest, error, _, again = play(paths, 2, other, place, on_error="skip")
        assert (rest, error) == (whole[count:], None)
        assert (again.rows, again.skipped) == (stream.rows, stream.skipped)


def test_positions_that_cannot_be(tmp_path: Path) -> None:
    paths = write(tmp_path, [b"1 1:1\n" * 5, b"1 1:1\n"])
    place = {"file": 0, "source": str(paths[0]), "line": 9, "offset": 54, "rows": 9, "skipped": 0}
    message = rf"^{paths[0]}: the text ends before byte 54, the position to resume from$"
    with pytest.raises(BadData, match=message), open_stream(paths) as stream:
        stream.seek(place)
    with pytest.raises(BadParameter, match="file 1 of the stream must be other"), open_stream(paths) as stream:
        stream.seek(place | {"source": "other"})
    with pytest.raises(BadParameter, match="number 3"), open_stream(paths) as stream:
        stream.seek(place | {"file": 2})
    with pytest.raises(BadData, match="the text ends before byte"), open_stream(paths) as stream:
        stream.seek(place | {"file": 1, "source": str(paths[1])})


def test_a_pipe_by_name_is_read_from_its_start(tmp_path: Path) -> None:
    """A pipe can be looked at once: its first bytes are for the reader."""
    pipe, rows = tmp_path / "pipe", b"+1 1:1\n-1 12:1\n-1 2:1\n+1 1:1\n"
    os.mkfifo(pipe)

    def write() -> None:
        pipe.write_bytes(rows)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with open_stream(pipe) as stream:
            found = [list(block.keys[: block.indptr[block.rows]]) for block in stream]
    finally:
        writer.join(10)
    assert found == [[1, 12, 2, 1]]


def ids_and_their_buckets(bits: int) -> list[list[int]]:
    """Rows that begin with a large id, every other id being the number of the bucket of the one before it."""
    rows = []
    for r in range(600):
        row = [10**15 + 7919 * (31 * r % 150)]
        while len(row) < 9:
            row.append(bucket(str(row[-1]), bits))
        rows.append(row)
    return rows


@pytest.mark.some(2)
@pytest.mark.parametrize("given", [{"ignore": ["*7"]}, {"ignore": ["1*3", "*5?"]}, {"hash": 24}])
@pytest.mark.parametrize("kind", [mb.Winnow2, mb.Perceptron])
def test_large_ids_that_are_dropped_or_hashed_are_learned_alike_by_any_number_of_threads(
    tmp_path: Path, kind: Any, given: dict[str, Any]
) -> None:
    """The slots of ids as they are written are not those of the rows that are learned."""
    ids = ids_and_their_buckets(24)
    lines = [f"{(1, -1)[r % 7 % 2]} {' '.join(f'{j}:1' for j in row)}\n".encode() for r, row in enumerate(ids)]
    paths = write(tmp_path, [b"".join(lines[:250]), b"".join(lines[250:])])
    models = []
    for threads in (1, 2, 3):
        learner, ledger = kind(), Ledger()
        for _ in range(2):
            with open_stream(paths, given, block_bytes=2000) as stream:
                learn_stream(learner, stream, ledger, threads=threads)
        learner.save(tmp_path / "model.mb", ledger=ledger)
        models.append((tmp_path / "model.mb").read_bytes())
    assert len({*models}) == 1
