"""A stream that was looked at gives out what it would have given out anyway: rows, positions, errors."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from inputs.test_shuffled import rows_in, stored
from mistakebound.core.errors import BadData
from mistakebound.io import ahead, open_stream, pipeline, shuffled
from mistakebound.io.ahead import AheadReader
from mistakebound.io.cache import CacheReader
from mistakebound.io.cache_maker import make_cache
from mistakebound.io.shuffled import ShuffledReader

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
        pipeline.run(reader, handle, threads)
    except BadData as bad:
        error = str(bad)
    return rows, said, error, (reader.position(), reader.skipped_before(None), reader.settings)


@pytest.mark.parametrize("format", ["svm", "vw", "csv"])
@pytest.mark.parametrize("look", [1, 101, 301, 1000])
def test_the_same_rows_and_places(tmp_path: Path, format: str, look: int) -> None:
    path = written(tmp_path, format)
    texts = [line.split(",")[0].split()[0] for line in lines(format=format)]
    for size in SIZES if format != "csv" else SIZES[1:]:
        plain = history(opened(path, size))
        for threads in (1, 3):
            reader = AheadReader(opened(path, size), look)
            assert reader.labels == list(dict.fromkeys(texts[:look]))
            assert reader.rows == 0
            assert history(reader, threads) == plain


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
            for threads in (1, 2):
                assert history(AheadReader(opened(path, size, on_error=on_error), look), threads) == plain


def test_several_files_and_a_packed_one(tmp_path: Path) -> None:
    text = lines()
    paths = [tmp_path / "one.svm", tmp_path / "two.svm.gz", tmp_path / "three.svm"]
    for number, path in enumerate(paths):
        part = "".join(text[200 * number : 200 * number + 200]).encode()
        path.write_bytes(gzip.compress(part) if path.suffix == ".gz" else part)
    for size in SIZES:
        plain = history(opened(paths, size))
        for look in (150, 350, 1000):
            reader = AheadReader(opened(paths, size), look)
            assert reader.labels == list(dict.fromkeys(line.split()[0] for line in text[:look]))
            assert history(reader, 2) == plain


def test_a_file_that_is_not_there_is_said_in_its_place(tmp_path: Path) -> None:
    one, two = tmp_path / "one.svm", tmp_path / "two.csv"
    one.write_text("".join(lines()))
    two.write_text("a,b\n1,2\n")
    plain = history(open_stream([one, two], block_bytes=300))
    assert plain[2]
    assert history(AheadReader(open_stream([one, two], block_bytes=300), 1000)) == plain


def test_a_cache_and_another_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = written(tmp_path, "svm"), str(tmp_path / "rows.mbcache")
    with opened(str(path), 300) as stream:
        make_cache(cache, [str(path)], {"format": "auto"}, stream, 1, None)
    plain = history(CacheReader(cache))
    assert history(AheadReader(CacheReader(cache), 350), 2) == plain
    store = stored([path], 300)
    order = history(ShuffledReader(store, {}, 7, 1))[0]
    labels = list(dict.fromkeys(row[0].decode() for _, row in order[:150]))
    for block in (50, 1 << 16):
        monkeypatch.setattr(shuffled, "BLOCK", block)
        reader = AheadReader(ShuffledReader(store, {}, 7, 1), 150)
        assert (reader.labels, reader.shuffled) == (labels, True)
        assert history(reader)[0] == order


def test_long_rows_are_looked_at_up_to_the_same_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "svm")
    for entries, rows in ((1, 1), (4, 1), (5, 2), (4 * 310, 310)):
        monkeypatch.setattr(ahead, "_ENTRIES", entries)
        texts = [line.split()[0] for line in lines()]
        for size in SIZES:
            with opened(path, size) as stream:
                assert AheadReader(stream, 1000).labels == list(dict.fromkeys(texts[:rows]))


def test_a_chunk_of_several_blocks(tmp_path: Path) -> None:
    """VW text with more names than a block takes: the blocks of a chunk lie in the same place, one after the other."""
    path, space = tmp_path / "rows.vw", "s" * 200
    path.write_text(
        "".join(
            f"{label} |{space} {' '.join(f'n{row}_{k}' for k in range(60))}\n"
            for row, label in enumerate(["a", "b", "a", "c"] * 100)
        )
    )
    plain = history(open_stream(path))
    assert len(plain[1]) > 1
    for look in (1, 30, 240, 1000):
        assert history(AheadReader(open_stream(path), look), 2) == plain
    kept = [block for block in AheadReader(open_stream(path), 1000) if block.line_text is not None]
    assert [block.line_text(0)[:6] for block in kept] == ["a |sss" for _ in kept]


def test_no_rows_at_all(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("# nothing\n\n")
    reader = AheadReader(open_stream(path), 1000)
    assert (reader.labels, history(reader)[0]) == ([], [])


def test_rows_without_labels_and_labels_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(b"a 1:1\n\xff\xfe 2:1\nb 3:1\n")
    with open_stream(path, on_error="skip") as stream:
        assert AheadReader(stream, 1000).labels == ["a", "b"]
    path = tmp_path / "rows.vw"
    path.write_text("a | x\n| y\nb | z\n")
    with open_stream(path, unlabelled_ok=True) as stream:
        assert AheadReader(stream, 1000).labels == ["a", "b"]


def test_ctrl_c_comes_behind_the_rows_of_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file can be read again, so that there Ctrl-C ends the look at once."""
    path = written(tmp_path, "svm")
    for total in (None, 10_000):
        stream = opened(path, 300)
        fill, calls = type(stream).fill, [0]

        def interrupted(self: Any, chunk: Any, fill: Any = fill, calls: list[int] = calls) -> bool:
            calls[0] += 1
            if calls[0] == 4:
                raise KeyboardInterrupt
            return bool(fill(self, chunk))

        with monkeypatch.context() as patch:
            patch.setattr(type(stream), "fill", interrupted)
            patch.setattr(type(stream), "progress", lambda self, total=total: (0, total))
            if total is not None:
                with pytest.raises(KeyboardInterrupt):
                    AheadReader(stream, 1000)
                continue
            reader, rows = AheadReader(stream, 1000), []
            assert reader.labels == ["ham"]
            with pytest.raises(KeyboardInterrupt):
                pipeline.run(reader, lambda block, rows=rows: rows.extend(rows_in(block)), 1)
            assert len(rows) == reader.rows > 10
