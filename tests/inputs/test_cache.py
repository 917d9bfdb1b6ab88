"""A cache gives the rows that the text gave, is never used for another text, and never harms when it is damaged."""

from __future__ import annotations

import os
import random
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inputs.rows import rows_of, texts
from mistakebound.core.block import Block, BlockNames
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.io import open_stream
from mistakebound.io.cache import CacheReader
from mistakebound.io.cache_block import Damaged, Packer, Unpacker, checksum
from mistakebound.io.cache_file import NotUsable
from mistakebound.io.cache_maker import default_name, identity_of, make_cache
from mistakebound.io.pass_source import cache_name
from mistakebound.io.reader import run

AUTO: dict[str, Any] = {"format": "auto"}


def cache_of(paths: list[Path], asked: dict[str, Any] = AUTO, *, size: int = 1 << 20, **options: Any) -> str:
    names = [str(path) for path in paths]
    cache = names[0] + ".mbcache"
    with open_stream(names, asked, block_bytes=size, **options) as stream:
        make_cache(cache, names, asked, stream, 1, None)
    return cache


def all_rows(reader: Any, threads: int = 1) -> list[Any]:
    """Everything that a learner can see of a row."""
    found: list[Any] = []

    def handle(block: Block) -> None:
        for k, (line, label, entries) in enumerate(rows_of(block)):
            if block.columns is not None:
                entries = [(block.columns.name(key), value) for key, value in entries]
            weight = 1.0 if block.weights is None else block.weights[k]
            found.append((block.source, line, label, entries, weight))

    run(reader, handle, threads)
    return found


def ascending(reader: Any) -> list[bool]:
    return [block.ascending for block in reader]


@pytest.mark.kernel
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), st.integers(20, 200))
def test_libsvm_there_and_back(tmp_path: Path, text: bytes, size: int) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    options = {"on_error": "skip", "size": size}
    cache = cache_of([path], {"format": "libsvm"}, **options)
    expected = open_stream(path, {"format": "libsvm"}, on_error="skip", block_bytes=size)
    rows = all_rows(expected)
    for threads in (1, 2, 3):
        reader = open_stream(cache, on_error="skip")
        assert all_rows(reader, threads) == rows
        assert (reader.skipped, reader.skipped_lines) == (expected.skipped, expected.skipped_lines)
        assert reader.settings == expected.settings == {"format": "libsvm"}
    again = open_stream(path, {"format": "libsvm"}, on_error="skip", block_bytes=size)
    assert ascending(open_stream(cache, on_error="skip")) == ascending(again)


def test_vw_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_text("1 2.5 |a free:0.1 7 |b é:3\n-1 | cat dog:-2\n1 |a free\n" * 50)
    for size in (40, 1 << 20):
        cache = cache_of([path], size=size)
        assert all_rows(open_stream(cache), 2) == all_rows(open_stream(path))


@pytest.mark.kernel
@pytest.mark.parametrize(
    "largest", [3, 255, 256, 65535, 65536, (1 << 24) - 1, 1 << 24, 1 << 31, 1 << 32, (1 << 63) - 1]
)
@pytest.mark.parametrize("width", [1, 300, 70_000])
def test_every_width(largest: int, width: int) -> None:
    keys = array("Q", [largest] + [k % (largest + 1) for k in range(width - 1)])
    block = Block(2, array("q", [0, width, width]), keys, tokens=array("i", [1, -1]), label_tokens=[b"a", b"long" * 99])
    block.lines = array("q", [5, 5 + largest // 2])
    block.values = array("d", [0.1] * width) if width == 300 else None
    found = Unpacker().unpack(memoryview(bytearray(Packer().pack(block, 1, 0))), ["no", "yes"])
    assert (found.source, rows_of(found)) == ("yes", rows_of(block))


def test_lines_in_any_order() -> None:
    block = Block(3, array("q", [0, 0, 0, 0]), array("Q"), tokens=array("i", [0] * 3), label_tokens=[b"1"])
    block.lines = array("q", [9, 2, 5])
    assert rows_of(Unpacker().unpack(memoryview(bytearray(Packer().pack(block, 0, 0))), [""])) == rows_of(block)


def test_several_files_and_their_lines(tmp_path: Path) -> None:
    one, two = tmp_path / "1.svm", tmp_path / "2.svm"
    one.write_text("1 1:1\n# note\n0 2:1\n")
    two.write_text("\n1 3:1")
    reader = open_stream(cache_of([one, two]))
    places = [(source, line) for source, line, *_ in all_rows(reader)]
    assert places == [(str(one), 1), (str(one), 3), (str(two), 2)]


def test_a_position_is_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("".join(f"{k % 2} {k}:1\n" for k in range(300)))
    cache = cache_of([path], size=100)
    rows = all_rows(open_stream(cache))
    with open_stream(cache) as reader:
        blocks = iter(reader)
        for _ in range(5):
            next(blocks)
        position, seen = reader.position(), reader.rows
    assert 0 < seen < 300
    rest = open_stream(cache)
    rest.seek(position)
    assert all_rows(rest, 3) == rows[seen:]
    assert rest.position() == open_and_read(cache).position()


def open_and_read(cache: str) -> Any:
    reader = open_stream(cache)
    all_rows(reader)
    return reader


def refused(cache: str, paths: list[str], asked: dict[str, Any]) -> str:
    with pytest.raises(NotUsable) as caught:
        identity_of(cache, paths, asked)
    return str(caught.value)


def test_what_makes_a_cache_useless(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n0 2:1\n")
    names = [str(path)]
    cache = cache_of([path])
    with open_stream(cache) as stream:
        identity = stream.identity
    assert identity_of(cache, names, AUTO) == identity
    assert identity_of(cache, names, {"format": "libsvm"}) == identity, "that is what it turned out to be"
    assert identity_of(cache, names, {"format": "libsvm", "remembered": True}) == identity
    assert "other settings" in refused(cache, names, {"format": "vw"})
    assert "other settings" in refused(cache, names, AUTO | {"hash": 4})
    assert "made from 1 files" in refused(cache, [*names, *names], AUTO)
    times = path.stat()
    path.write_text("1 1:1\n0 3:1\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert "changed" in refused(cache, names, AUTO), "the time is the same, the text is not"
    path.write_text("1 1:1\n0 2:1\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    assert "changed" in refused(cache, names, AUTO), "the text is the same, but who knows"
    path.write_text("1 1:1\n0 2:1\n1 2:1\n")
    assert "it had 12 bytes and has 18" in refused(cache, names, AUTO)
    path.rename(tmp_path / "y.svm")
    assert "x.svm" in refused(cache, [str(tmp_path / "y.svm")], AUTO)
    assert "cannot be compared" in refused(cache, ["-"], AUTO)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n" * 9)
    with open_stream(path) as stream, pytest.raises(BadData, match="changed while it was read"):
        make_cache(str(tmp_path / "c"), [str(path)], AUTO, stream, 1, lambda: path.write_text("1 1:1\n" * 8) and None)
    assert os.listdir(tmp_path) == ["x.svm"]


def test_a_bad_line_leaves_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n1 x:1\n")
    with pytest.raises(BadData, match=r"x\.svm:2"):
        cache_of([path])
    assert os.listdir(tmp_path) == ["x.svm"]


def test_bad_lines_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n1 x:1\n")
    cache = cache_of([path], on_error="skip")
    with pytest.raises(BadData, match=r"x\.svm:2: attribute 'x' is not a number"):
        open_stream(cache)


def test_hashing_is_not_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1 2:1\n0 3:1\n")
    cache = cache_of([path], AUTO | {"hash": 1})
    assert open_and_read(cache).collisions() == open_and_read_text(path).collisions()
    plain = cache_of([path])
    hashed = {"format": "libsvm", "hash": 1, "remembered": True}
    with pytest.raises(BadData, match="the cache was made with hash None, not with 1"):
        open_stream(plain, hashed)
    cache = cache_of([path], AUTO | {"hash": 1})
    with pytest.raises(BadData, match="the cache was made with hash 1, not with None"):
        open_stream(cache, {"format": "libsvm", "remembered": True})
    open_stream(cache, hashed).close()


def open_and_read_text(path: Path) -> Any:
    reader = open_stream(path, AUTO | {"hash": 1})
    all_rows(reader)
    return reader


def test_damage_is_noticed(tmp_path: Path) -> None:
    """Cut short at any byte, any byte changed: an error that says so, never rows that were not there."""
    path = tmp_path / "x.svm"
    path.write_text("".join(f"{k % 2} {k}:1 {300 * k + 400}:0.5\n" for k in range(16)))
    cache = Path(cache_of([path], size=120))
    rows, data = all_rows(open_stream(cache)), cache.read_bytes()
    chance = random.Random(1)
    for at in range(len(data)):
        for changed in (data[:at], data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]):
            cache.unlink()  # to write over a file waits for the disk
            cache.write_bytes(changed)
            found: list[Any] = []
            with pytest.raises(MistakeboundError) as caught:
                found += all_rows(CacheReader(str(cache)))
            assert str(cache) in str(caught.value)
            assert found == rows[: len(found)]
    cache.write_bytes(data)
    assert all_rows(open_stream(cache)) == rows


@pytest.mark.parametrize("named", [False, True])
def test_a_forged_checksum_does_not_help(named: bool) -> None:
    """Bytes of a block changed and the checksum made right again: some other rows, or Damaged."""
    block = Block(
        2, array("q", [0, 2, 3]), array("Q", [1, 0, 1] if named else [7, 9, 70000]), array("d", [0.5, 1, 1]),
        tokens=array("i", [0, 1]), label_tokens=[b"0", b"1"], lines=array("q", [4, 6]), weights=array("d", [1, 2]),
        columns=BlockNames.of(["cat", "dog"]) if named else None,
    )  # fmt: skip
    data = bytes(Packer().pack(block, 0, 0))
    chance = random.Random(2)
    survived = 0
    for _ in range(3000):
        body = bytearray(data)
        for _ in range(chance.choice([1, 1, 3])):
            body[chance.randrange(16, len(body))] = chance.choice([0, 1, 2, 255, chance.randrange(256)])
        body[8:16] = array("q", [checksum(memoryview(body))]).tobytes()
        try:
            found = Unpacker().unpack(memoryview(body), ["x"])
        except Damaged:
            continue
        survived += 1
        rows_of(found)
        top = found.columns.count if found.columns is not None else 1 << 63
        assert all(key < top for key in found.keys[: found.indptr[found.rows]])
    assert survived < 3000


def test_names_of_caches(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n")
    assert cache_name(None, ["x"], AUTO) is None
    assert cache_name(True, ["x", "y"], AUTO) == default_name(["x", "y"]) == "x.mbcache"
    assert cache_name("c", ["-"], AUTO) == "c"
    assert cache_name(True, [cache_of([path])], AUTO) is None, "a cache needs none"
    with pytest.raises(BadParameter, match="must have a name"):
        cache_name(True, ["-"], AUTO)
    with pytest.raises(BadParameter, match="another file"):
        cache_name("x", ["x"], AUTO)


@pytest.mark.parametrize("weights", [False, True])
def test_buffers_that_grow_at_any_column(weights: bool, long: bool) -> None:
    """The room of a new packer is 64 kB: more and more values, so that it is too small at each place in turn."""
    for count in (*range(4000, 9000, 250 if long else 1000), *range(5940, 6000), *range(7260, 7300)):
        values = array("d", [0.1 * k for k in range(count)])
        rows = count if weights else 1
        indptr = array("q", range(count + 1)) if weights else array("q", [0, count])
        block = Block(
            rows, indptr, array("Q", [1] * count if weights else range(count)), None if weights else values,
            weights=values if weights else None, lines=array("q", [1] * rows),
        )  # fmt: skip
        found = Unpacker().unpack(memoryview(bytearray(Packer().pack(block, 0, 0))), [""])
        kept = found.weights if weights else found.values
        assert kept is not None
        assert list(kept[:count]) == list(values)
