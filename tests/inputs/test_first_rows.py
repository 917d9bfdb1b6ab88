"""The labels of the first rows, whatever the blocks; a pipe that was looked at gives out what it would have anyway."""

from __future__ import annotations

import gzip
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from inputs.test_shuffled import rows_in, stored
from mistakebound.core.errors import BadData
from mistakebound.io import open_stream, pass_source, shuffled
from mistakebound.io.cache import CacheReader
from mistakebound.io.cache_maker import make_cache
from mistakebound.io.fingerprint import fingerprint, window_crc
from mistakebound.io.kept_pipe import KeptPipe
from mistakebound.io.pass_source import labels_in, looked, readable_twice
from mistakebound.io.reader import run
from mistakebound.io.shuffled import ShuffledReader
from mistakebound.io.source import Source

SIZES = (60, 700, 1 << 20)


def lines(count: int = 500, format: str = "svm") -> list[str]:
    chance, found = random.Random(3), []
    for row in range(count):
        ids = chance.sample(range(1, 60), 4)
        label = "ham" if row < 100 else chance.choice(["ham", "spam"]) if row < 300 else chance.choice("abcdefgh")
        if format == "csv":
            found.append(f"{label},{ids[0]},n{ids[1]}\n")
        else:
            sign = " |" if format == "vw" else ""
            found.append(f"{label}{sign} {' '.join(f'{i}:{i % 3 + 1}' for i in sorted(ids))}\n")
    return found


def written(folder: Path, format: str) -> Path:
    path = folder / f"rows.{format}"
    path.write_text(("label,a,b\n" if format == "csv" else "") + "".join(lines(format=format)))
    return path


def opened(path: Any, size: int, **options: Any) -> Any:
    settings = {"format": "csv", "label": "label"} if str(path).endswith("csv") else None
    return open_stream(path, settings, block_bytes=size, **options)


def history(reader: Any, threads: int = 1) -> tuple[list[Any], list[Any], str | None, Any]:
    """The rows, what the reader says after every block, its error, and where it stands at the end."""
    rows: list[Any] = []
    said: list[Any] = []

    def handle(block: Any) -> None:
        rows.extend(zip(block.lines[: block.rows], rows_in(block), strict=True))
        said.append((reader.position(), reader.rows, reader.name, reader.line, reader.skipped_before(None)))

    error = None
    try:
        run(reader, handle, threads)
    except BadData as bad:
        error = str(bad)
    return rows, said, error, (reader.position(), reader.skipped_before(None), reader.settings)


def piped(folder: Path, data: bytes) -> str:
    """A named pipe that somebody writes the data into."""
    path = str(folder / f"pipe{len(list(folder.iterdir()))}")
    os.mkfifo(path)

    def write() -> None:
        try:
            with open(path, "wb") as pipe:
                pipe.write(data)
        except BrokenPipeError:
            pass

    threading.Thread(target=write, daemon=True).start()
    return path


@pytest.mark.some(3)
@pytest.mark.parametrize("format", ["svm", "vw", "csv"])
@pytest.mark.parametrize("look", [1, 101, 301, 1000])
def test_the_labels_and_then_the_same_rows(tmp_path: Path, format: str, look: int) -> None:
    path = written(tmp_path, format)
    texts = [line.split(",")[0].split()[0] for line in lines(format=format)]
    settings = {"format": "libsvm" if format == "svm" else format} | ({"label": "label"} if format == "csv" else {})
    for size in SIZES if format != "csv" else SIZES[1:]:
        rows, _, error, (position, skipped, own) = history(opened(path, size))
        assert labels_in(opened(path, size), look) == list(dict.fromkeys(texts[:look]))
        for threads in (1, 3):
            [pipe] = readable_twice([piped(tmp_path, path.read_bytes())])
            assert isinstance(pipe, KeptPipe)
            found = labels_in(open_stream(pipe, settings, block_bytes=size), look)
            assert found == list(dict.fromkeys(texts[:look]))
            looked([pipe])
            again = history(open_stream(pipe, settings, block_bytes=size), threads)
            assert (again[0], again[2]) == (rows, error)
            assert again[3] == (position | {"source": pipe.name}, skipped, own)


@pytest.mark.some(4)
@pytest.mark.parametrize("on_error", ["fail", "skip"])
@pytest.mark.parametrize("at", [0, 3, 250, 499])
def test_bad_rows_are_found_where_they_stand(tmp_path: Path, at: int, on_error: str) -> None:
    text = lines()
    text[at] = "ham 3:1 x:1\n"
    path = tmp_path / "rows.svm"
    path.write_text("".join(text))
    for size in SIZES:
        plain = history(opened(path, size, on_error=on_error))
        assert (plain[2] is None) == (on_error == "skip")
        for look in (2, 251, 1000):
            before = [line.split()[0] for k, line in enumerate(text) if k != at and (k < at or on_error == "skip")]
            found = labels_in(opened(path, size, on_error=on_error), look)
            assert found == list(dict.fromkeys(before[:look]))
            [pipe] = readable_twice([piped(tmp_path, path.read_bytes())])
            settings = {"format": "libsvm"}
            assert labels_in(open_stream(pipe, settings, block_bytes=size, on_error=on_error), look) == found
            looked([pipe])
            again = history(open_stream(pipe, settings, block_bytes=size, on_error=on_error), 2)
            assert again[0] == plain[0]
            assert again[2] == (plain[2] and plain[2].replace(str(path), pipe.name))


def test_files_are_opened_again_and_only_pipes_are_kept(tmp_path: Path) -> None:
    path, missing, pipe = str(written(tmp_path, "svm")), str(tmp_path / "none.svm"), piped(tmp_path, b"")
    found = readable_twice([path, missing, "-", pipe])
    assert found[:2] == [path, missing]
    assert [kept.name for kept in found[2:]] == ["<stdin>", pipe]
    assert KeptPipe("-").name == "<stdin>"


def test_several_files_and_a_packed_one(tmp_path: Path) -> None:
    text = lines()
    paths = [tmp_path / "one.svm", tmp_path / "two.svm.gz", tmp_path / "three.svm"]
    for number, path in enumerate(paths):
        part = "".join(text[200 * number : 200 * number + 200]).encode()
        path.write_bytes(gzip.compress(part) if path.suffix == ".gz" else part)
    for size in SIZES:
        plain = history(opened(paths, size))[0]
        for look in (150, 350, 1000):
            files = readable_twice([str(paths[0]), piped(tmp_path, paths[1].read_bytes()), str(paths[2])])
            found = labels_in(opened(files, size), look)
            assert found == list(dict.fromkeys(line.split()[0] for line in text[:look]))
            looked(files)
            assert history(opened(files, size), 2)[0] == plain
            assert not files[1].kept


def test_damaged_bytes_of_a_pipe_are_said_in_their_place(tmp_path: Path) -> None:
    packed = gzip.compress("".join(lines(5000)).encode())[:-2000]
    (tmp_path / "rows.gz").write_bytes(packed)
    plain = history(open_stream(tmp_path / "rows.gz", {"format": "libsvm"}))
    assert plain[2]
    for look in (1, 10_000):
        [pipe] = readable_twice([piped(tmp_path, packed)])
        assert labels_in(open_stream(pipe, {"format": "libsvm"}), look)
        looked([pipe])
        again = history(open_stream(pipe, {"format": "libsvm"}), 2)
        assert again[0] == plain[0]
        assert again[2] == plain[2].replace(str(tmp_path / "rows.gz"), pipe.name)


def test_a_cache_and_another_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = written(tmp_path, "svm"), str(tmp_path / "rows.mbcache")
    with opened(str(path), 300) as stream:
        make_cache(cache, [str(path)], {"format": "auto"}, stream, 1, None)
    assert labels_in(CacheReader(cache), 350) == list(dict.fromkeys(line.split()[0] for line in lines()[:350]))
    store = stored([path], 300)
    order = history(ShuffledReader(store, {}, 7, 1))[0]
    labels = list(dict.fromkeys(row[0].decode() for _, row in order[:150]))
    for block in (50, 1 << 16):
        monkeypatch.setattr(shuffled, "BLOCK", block)
        assert labels_in(ShuffledReader(store, {}, 7, 1), 150) == labels


def test_long_rows_are_looked_at_up_to_the_same_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "svm")
    for entries, rows in ((1, 1), (4, 1), (5, 2), (4 * 310, 310)):
        monkeypatch.setattr(pass_source, "_ENTRIES", entries)
        texts = [line.split()[0] for line in lines()]
        for size in SIZES:
            assert labels_in(opened(path, size), 1000) == list(dict.fromkeys(texts[:rows]))


def test_no_rows_at_all(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("# nothing\n\n")
    assert labels_in(open_stream(path), 1000) == []


def test_rows_without_labels_and_labels_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(b"a 1:1\n\xff\xfe 2:1\nb 3:1\n")
    assert labels_in(open_stream(path, on_error="skip"), 1000) == ["a", "b"]
    path = tmp_path / "rows.vw"
    path.write_text("a | x\n| y\nb | z\n")
    assert labels_in(open_stream(path, unlabelled_ok=True), 1000) == ["a", "b"]


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_comes_behind_the_rows_of_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """A file can be read again, so that there Ctrl-C ends the look at once."""
    path = written(tmp_path, "svm")
    read, calls = Source.read_into, [0]

    def interrupted(self: Any, into: Any) -> int:
        calls[0] += 1
        if calls[0] == 4:
            raise KeyboardInterrupt
        return int(read(self, into[:300]))

    monkeypatch.setattr(Source, "read_into", interrupted)
    with pytest.raises(KeyboardInterrupt):
        labels_in(open_stream(path, {"format": "libsvm"}), 1000)
    calls[0] = 0
    [pipe] = readable_twice([piped(tmp_path, path.read_bytes())])
    rows: list[Any] = []
    assert labels_in(open_stream(pipe, {"format": "libsvm"}), 1000) == ["ham"]
    looked([pipe])
    with pytest.raises(KeyboardInterrupt):
        run(open_stream(pipe, {"format": "libsvm"}), lambda block: rows.extend(rows_in(block)), threads)
    assert len(rows) > 10


def test_a_pipe_is_not_opened_again_to_see_what_it_looks_like(tmp_path: Path) -> None:
    """It would wait for a writer for ever."""
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    assert fingerprint(path) == {"name": path}
    assert window_crc(path, 10) is None
